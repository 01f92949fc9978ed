//! What kernels print: the lines of the device are those that the body prints on the host.

// Also in the functions that the tests share.
#![allow(clippy::unwrap_used)]

use shmem::prelude::*;
use shmem::{Error, Printed, Stream, capture_prints};
use shmem_suite::jobs::{Ending, alone, on_device, on_host};
use shmem_suite::kernels::prints;

/// The lines of a launch, and what became of it.
fn launched(
    stream: &Stream<'_>,
    launch: impl FnOnce(&Stream<'_>) -> Result<(), Error>,
) -> (Result<(), Error>, Vec<String>) {
    let (result, lines) = capture_prints(|| launch(stream).and_then(|()| stream.synchronize()));
    (result, strings(&lines))
}

fn strings(lines: &[Printed]) -> Vec<String> {
    lines.iter().map(ToString::to_string).collect()
}

/// Runs a kernel both ways; the lines and the ending, which are equal.
macro_rules! both_ways {
    ($kernel:ident($($argument:expr),*)) => {{
        let (host, lines) = capture_prints(|| on_host(|| prints::$kernel($($argument),*)));
        let host_lines = strings(&lines);
        let mut device = None;
        alone(|world| {
            let stream = world.stream().unwrap();
            let (result, lines) = launched(&stream, |stream| prints::$kernel::launch(stream, 1, $($argument),*));
            device = Some((on_device(result, || ()), lines));
        });
        let (device, device_lines) = device.unwrap();
        assert_eq!(device_lines, host_lines);
        assert_eq!(device, host);
        (host_lines, host)
    }};
}

fn panic_text(ending: &Ending<()>) -> &str {
    match ending {
        Ending::Panic { text, .. } => text,
        Ending::Values(()) => panic!("it returned"),
    }
}

#[test]
fn integers_of_every_type_are_as_rust_prints_them() {
    both_ways!(integers(
        i8::MIN,
        i16::MIN,
        i32::MIN,
        i64::MIN,
        isize::MIN,
        u8::MAX,
        u16::MAX,
        u32::MAX,
        u64::MAX,
        usize::MAX,
        true,
        c_char::MIN
    ));
    let (lines, _) = both_ways!(integers(-1, -1, 0, 1, 0, 0, 1, 2, 3, 4, false, c_char::MAX));
    let expected = format!("[pe 0 block 0] -1 -1 0 1 0 0 1 2 3 4 false {}", c_char::MAX);
    assert_eq!(lines, [expected.as_str(); 2]);
}

#[test]
fn floats_of_every_type_are_as_rust_prints_them() {
    let singles = [
        0.0,
        -0.0,
        1.0,
        -1.5,
        0.1,
        1.0e-7,
        16_777_216.0,
        3.402_823_5e38,
        1.0e16,
        f32::MIN_POSITIVE,
        f32::from_bits(1),
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
    ];
    for x in singles {
        let wide = f64::from(x) / 3.0;
        both_ways!(floats(f16::from_f32(x), bf16::from_f32(x), x, wide));
    }
    for bits in [1, 0x3ff, 0x400, 0x7bff, 0xfbff, 0x7c00, 0x7e01] {
        both_ways!(floats(
            f16::from_bits(bits),
            bf16::from_bits(bits),
            f32::MAX,
            f64::MAX
        ));
    }
    let (lines, _) = both_ways!(floats(f16::ONE, bf16::ONE, 1.0, 1.0e300));
    assert_eq!(lines[1], "[pe 0 block 0] 1.0 1.0 1.0 1e300");
}

#[test]
fn texts_are_those_of_format() {
    let (lines, _) = both_ways!(texts(3));
    let expected = [
        "",
        "no value, \"quoted\" \\ \t tab, ä, 語",
        "{3} {} }{",
        r"raw \n 3",
        "3 2.5 3 2.5 3",
        "1 3 1",
        "8 3 true 700",
        "two",
        "lines of 3",
        "3",
    ];
    let expected = expected.map(|text| format!("[pe 0 block 0] {text}"));
    assert_eq!(lines, expected);
}

#[test]
fn arguments_are_evaluated_once_and_in_order() {
    let (lines, _) = both_ways!(order(5));
    let texts: Vec<&str> = lines
        .iter()
        .map(|line| line.strip_prefix("[pe 0 block 0] ").unwrap())
        .collect();
    let expected = [
        "evaluating 1",
        "evaluating 2",
        "1 2",
        "evaluating 3",
        "evaluating 4",
        "4 3 4",
        "evaluating 6",
        "6 6",
        "evaluating 7",
        "evaluating 8",
        "6 8 7",
        "in a block",
        "large 6",
        "loud",
        "evaluating 9",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn parts_of_aggregates_and_references_are_values() {
    let (lines, _) = both_ways!(parts(4));
    let texts = [
        "3 4 0.5",
        "3 3",
        "0 of 3: 4",
        "1 of 3: 5",
        "2 of 3: 6",
        "7 5",
    ];
    assert_eq!(lines, texts.map(|text| format!("[pe 0 block 0] {text}")));
}

#[test]
fn prints_keep_their_place_in_expressions() {
    for (first, x) in [(5, 9), (-20, 3), (0, 1)] {
        let mut cell = first;
        let ((), host) = capture_prints(|| prints::inside(Global::from_mut(&mut cell), x));
        alone(|world| {
            let stream = world.stream().unwrap();
            let cell = world.device_value(first).unwrap();
            let (result, device) = launched(&stream, |stream| {
                prints::inside::launch(stream, 1, &cell, x)
            });
            result.unwrap();
            assert_eq!(device, strings(&host));
        });
        assert!(host.len() > 8);
    }
}

#[test]
fn each_block_has_its_own_lines_in_order() {
    alone(|world| {
        let stream = world.stream().unwrap();
        for (blocks, instances) in [(1, 2), (4, 8)] {
            let (result, lines) = launched(&stream, |stream| {
                prints::blocks::launch(stream, blocks, 100)
            });
            result.unwrap();
            let (vector, vector_lines) = launched(&stream, |stream| {
                prints::blocks_vector::launch(stream, instances, 100)
            });
            vector.unwrap();
            let expected: Vec<String> = (0..instances)
                .flat_map(|block| {
                    (0..100).map(move |line| {
                        format!("[pe 0 block {block}] line {line} of block {block} on PE 0")
                    })
                })
                .collect();
            assert_eq!(lines, expected);
            assert_eq!(vector_lines, expected);
        }
    });
}

#[test]
fn lines_are_tagged_as_data_too() {
    alone(|world| {
        let stream = world.stream().unwrap();
        let ((), lines) = capture_prints(|| {
            prints::blocks_vector::launch(&stream, 3, 1).unwrap();
            stream.synchronize().unwrap();
        });
        let tags: Vec<(i32, u32)> = lines.iter().map(|line| (line.pe, line.block)).collect();
        assert_eq!(tags, [(0, 0), (0, 1), (0, 2)]);
        assert_eq!(lines[2].text, "line 0 of block 2 on PE 0");
    });
}

#[test]
fn an_unchecked_kernel_prints_too() {
    alone(|world| {
        let stream = world.stream().unwrap();
        let (result, lines) = launched(&stream, |stream| {
            // SAFETY: it needs nothing.
            unsafe { prints::unchecked::launch(stream, 2, -5) }
        });
        result.unwrap();
        let expected = ["loud", "evaluating 9", "unchecked -5"];
        assert_eq!(lines, expected.map(|text| format!("[pe 0 block 0] {text}")));
    });
}

#[test]
fn what_was_printed_before_a_panic_is_there() {
    alone(|world| {
        let cells = world.device_slice(&[10, 11]).unwrap();
        let stream = world.stream().unwrap();
        let (result, lines) = launched(&stream, |stream| {
            prints::then_panic::launch(stream, 1, &cells, 1)
        });
        result.unwrap();
        let all = ["before", "cell 1 is 11", "after"].map(|text| format!("[pe 0 block 0] {text}"));
        assert_eq!(lines, all);
        let (result, lines) = launched(&stream, |stream| {
            prints::then_panic::launch(stream, 1, &cells, 2)
        });
        let Err(Error::KernelPanic(panic)) = result else {
            panic!("{result:?}");
        };
        assert_eq!(
            panic.message,
            "index out of bounds: the len is 2 but the index is 2"
        );
        // The line whose argument panicked is not.
        assert_eq!(lines, all[..1]);
        // The stream has told all that it knew.
        let (again, lines) = capture_prints(|| stream.synchronize());
        assert!(again.is_err() && lines.is_empty());
    });
}

#[test]
fn launches_print_in_their_order() {
    alone(|world| {
        let stream = world.stream().unwrap();
        let ((), lines) = capture_prints(|| {
            for lines in [1, 3, 2] {
                prints::many::launch(&stream, 1, lines).unwrap();
            }
            stream.synchronize().unwrap();
            prints::many::launch(&stream, 1, 1).unwrap();
            // Dropped, it waits.
            drop(stream);
        });
        let texts: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["0", "0", "1", "2", "0", "1", "0"]);
    });
}

#[test]
fn many_launches_print_without_much_memory() {
    alone(|world| {
        let stream = world.stream().unwrap();
        let (queued, lines) = capture_prints(|| {
            // 16 MiB each: the host has to wait for some.
            let (_, lines) = capture_prints(|| {
                for _ in 0..12 {
                    prints::blocks_vector::launch(&stream, 256, 1).unwrap();
                }
            });
            stream.synchronize().unwrap();
            lines
        });
        assert!(!queued.is_empty() && !lines.is_empty());
        let all = queued.iter().chain(&lines);
        let blocks: Vec<u32> = all.map(|line| line.block).collect();
        let expected: Vec<u32> = (0..12).flat_map(|_| 0..256).collect();
        assert_eq!(blocks, expected);
    });
}

#[test]
fn what_does_not_fit_is_counted() {
    alone(|world| {
        let stream = world.stream().unwrap();
        // A line of one number is 16 bytes.
        for (lines, kept) in [(4096, 4096), (4097, 4096), (100_000, 4096), (3, 3)] {
            let (result, printed) =
                launched(&stream, |stream| prints::many::launch(stream, 1, lines));
            result.unwrap();
            let mut expected: Vec<String> = (0..kept)
                .map(|line| format!("[pe 0 block 0] {line}"))
                .collect();
            let lost = lines - kept;
            if lost > 0 {
                let s = if lost == 1 { "" } else { "s" };
                expected.push(format!(
                    "[pe 0 block 0] {lost} line{s} lost: a block has 65536 bytes for what it prints in a launch"
                ));
            }
            assert_eq!(printed, expected);
        }
    });
}

#[test]
fn debug_assertions_are_on_where_rustc_has_them() {
    both_ways!(debug_assertions(3, 3));
    for (x, y) in [(0, 0), (100, 100), (3, 4), (7, 7)] {
        let (lines, ending) = both_ways!(debug_assertions(x, y));
        if cfg!(debug_assertions) {
            panic_text(&ending);
        } else {
            assert_eq!(lines, ["[pe 0 block 0] through"]);
        }
    }
}

#[test]
fn what_is_not_written_yet_says_so() {
    for which in 0..6 {
        both_ways!(unwritten(which));
    }
    let (_, ending) = both_ways!(unwritten(1));
    assert_eq!(panic_text(&ending), "not yet implemented: for 1");
    let (_, ending) = both_ways!(unwritten(3));
    assert_eq!(panic_text(&ending), "not implemented: 3 and 1.0");
}

#[test]
fn panics_say_what_rustc_says() {
    let (a, b) = (f16::from_f32(0.1), bf16::from_f32(-2.5));
    for which in -1..7 {
        both_ways!(panics(which, a, b));
    }
    let (_, ending) = both_ways!(panics(0, a, b));
    assert_eq!(panic_text(&ending), "0.099975586 -2.5 0");
    let (_, ending) = both_ways!(panics(1, a, b));
    assert_eq!(
        panic_text(&ending),
        "assertion `left == right` failed: -2.5\n  left: 0.099975586\n right: 1.0"
    );
    let (lines, ending) = both_ways!(panics(3, a, b));
    assert_eq!((lines.len(), panic_text(&ending)), (2, "4 3 4"));
}
