//! Programs on which code generators have gone wrong: what they must give, written out, as plain Rust and in the
//! simulator.

#![allow(clippy::unwrap_used)]

use shmem::Side;
use shmem::prelude::*;
use shmem_suite::jobs::{Ending, alone, exactly};
use shmem_suite::kernels::cases;

fn values<T>(ending: Ending<Vec<T>>) -> Vec<T> {
    match ending {
        Ending::Values(values) => values,
        Ending::Panic { text, line, .. } => panic!("{line}: {text}"),
    }
}

#[test]
fn arguments_of_all_widths_arrive() {
    let (c, h) = (f16::from_bits(0x3c01), bf16::from_bits(0x7f81));
    let cells = values(exactly::<u64, 8>(
        "packed",
        |out| cases::packed(0xab, i64::MIN, c, 0xfffe, -0.0, -1, true, h, out),
        |stream, out| {
            cases::packed::launch(stream, 1, 0xab, i64::MIN, c, 0xfffe, -0.0, -1, true, h, out)
        },
    ));
    let expected = [
        0xab,
        1 << 63,
        0x3c01,
        0xfffe,
        0x8000_0000,
        u64::MAX,
        1,
        0x7f81,
    ];
    assert_eq!(cells, expected);
}

#[test]
fn small_floats_are_rounded_once_to_even() {
    // f32 bits, f16 bits, bf16 bits
    for (x, half, brain) in [
        (0x3e89_ccd5, 0x344e, 0x3e8a),
        (0x7f7f_ffff, 0x7c00, 0x7f80),
        (0x8000_0000, 0x8000, 0x8000),
        (65520.0_f32.to_bits(), 0x7c00, 0x4780),
        (65504.0_f32.to_bits(), 0x7bff, 0x4780),
        (2_f32.powi(-24).to_bits(), 0x0001, 0x3380),
        (2_f32.powi(-25).to_bits(), 0x0000, 0x3300),
    ] {
        let x = f32::from_bits(x);
        let cells = values(exactly::<u32, 3>(
            &format!("{x:e}"),
            |out| cases::narrowed(x, out),
            |stream, out| cases::narrowed::launch(stream, 1, x, out),
        ));
        assert_eq!(cells, [half, brain, 0x4040], "{x:e}");
    }
    let x = f32::from_bits(0x7f80_0001);
    let cells = values(exactly::<u32, 3>(
        "NaN",
        |out| cases::narrowed(x, out),
        |stream, out| cases::narrowed::launch(stream, 1, x, out),
    ));
    assert!(f16::from_bits(cells[0] as u16).is_nan() && bf16::from_bits(cells[1] as u16).is_nan());
}

#[test]
fn casts_extend_and_cut_by_the_type_they_come_from() {
    let cells = values(exactly::<i64, 7>(
        "signs",
        |out| cases::signs(-1, 200, u32::MAX, 1 << 32, out),
        |stream, out| cases::signs::launch(stream, 1, -1, 200, u32::MAX, 1 << 32, out),
    ));
    assert_eq!(cells, [4_294_967_295, -1, -56, 4_294_967_295, 0, 1, 1]);
}

#[test]
fn floats_saturate_to_integers() {
    let (most, least) = (i64::from(i32::MAX), i64::from(i32::MIN));
    let full = i64::from(u32::MAX);
    for (x, expected) in [
        (f32::NAN, [0, 0, 0, 0, 0]),
        (f32::INFINITY, [most, 255, full, -1, i64::MAX]),
        (f32::NEG_INFINITY, [least, 0, 0, 0, i64::MIN]),
        (
            3e9,
            [most, 255, 3_000_000_000, 3_000_000_000, 3_000_000_000],
        ),
        (-1.5, [-1, 0, 0, 0, -1]),
        (300.0, [300, 255, 300, 300, 300]),
        (1e20, [most, 255, full, -1, i64::MAX]),
    ] {
        let cells = values(exactly::<i64, 8>(
            &format!("{x}"),
            |out| cases::saturated(x, f64::from(x), out),
            |stream, out| cases::saturated::launch(stream, 1, x, f64::from(x), out),
        ));
        assert_eq!(cells[..5], expected, "{x}");
        assert_eq!(cells[5..], [expected[0], expected[3], 0x5f80_0000], "{x}");
    }
}

#[test]
fn literals_keep_their_bits() {
    let cells = values(exactly::<u64, 13>(
        "literals",
        cases::literals,
        |stream, out| cases::literals::launch(stream, 1, out),
    ));
    let expected = [
        0x322b_cc77,
        0x3dcc_cccd,
        0x7f80_0000,
        0xff80_0000,
        0x8000_0000,
        0x0080_0000,
        0x0000_0001,
        0x4b80_0000,
        0x4009_21fb_5444_2d18,
        501_f64.to_bits(),
        2,
        0x4000_0000,
        0x4040_0000,
    ];
    assert_eq!(cells, expected);
}

#[test]
fn a_division_rounds_to_zero_or_panics() {
    let run = |a, b| {
        exactly::<i64, 3>(
            &format!("{a} {b}"),
            |out| cases::divided(a, b, out),
            |stream, out| cases::divided::launch(stream, 1, a, b, out),
        )
    };
    assert_eq!(values(run(-7, 2)), [-3, -1, 1]);
    assert_eq!(values(run(-7, 4)), [-1, -3, 1]);
    let text = |ending| match ending {
        Ending::Panic { text, .. } => text,
        Ending::Values(values) => panic!("{values:?}"),
    };
    assert_eq!(text(run(1, 0)), "attempt to divide by zero");
    assert_eq!(text(run(i32::MIN, -1)), "attempt to divide with overflow");
}

#[test]
fn operands_are_evaluated_from_left_to_right() {
    let cells = values(exactly::<i64, 6>(
        "ordered",
        cases::ordered,
        |stream, out| cases::ordered::launch(stream, 1, out),
    ));
    assert_eq!(cells, [12, 12, 10, 22, 6, 4]);
}

#[test]
fn the_arguments_of_a_put_are_evaluated_from_left_to_right() {
    alone(|world| {
        let stream = world.stream().unwrap();
        let [a, b, to] = [6_i64, 7, 0].map(|value| world.alloc(Side::Device).value(value).unwrap());
        let count = world.device_slice(&[0_i64; 2]).unwrap();
        cases::put_of_gets::launch(&stream, 1, &a, &b, &to, &count).unwrap();
        stream.synchronize().unwrap();
        assert_eq!(to.read().unwrap(), 42);
        assert_eq!(count.read_vec().unwrap(), [1, 10]);
    });
}

#[test]
fn returns_leave_from_everywhere() {
    for (which, expected) in [
        (0, [0, 0, 0, 0]),
        (1, [1, 0, 0, 0]),
        (3, [3, 0, 0, 0]),
        (100, [100, 0, 0, 0]),
        (50, [50, 7, 0, 0]),
    ] {
        let cells = values(exactly::<i64, 4>(
            &format!("{which}"),
            |out| cases::returns(which, out),
            |stream, out| cases::returns::launch(stream, 1, which, out),
        ));
        assert_eq!(cells[0], expected[0], "{which}");
        if which > 4 {
            assert_eq!(cells[1], expected[1], "{which}");
        }
    }
}

#[test]
fn blocks_ifs_and_matches_have_values() {
    for (n, class) in [
        (i32::MIN, -1),
        (-5, 1),
        (100, 1),
        (12, 12),
        (13, 4),
        (3, 3),
        (0, 2),
        (5, 3),
        (9, 90),
        (-6, 4),
    ] {
        for c in [false, true] {
            let cells = values(exactly::<i64, 4>(
                &format!("{n} {c}"),
                |out| cases::valued(c, n, out),
                |stream, out| cases::valued::launch(stream, 1, c, n, out),
            ));
            let expected = [
                if c { 8 } else { 0 },
                if c { 1 } else { 2 },
                class,
                1 + i64::from(n) + i64::from(!c),
            ];
            assert_eq!(cells, expected, "{n} {c}");
        }
    }
}

#[test]
fn loops_end_when_their_cell_says_so() {
    alone(|world| {
        let stream = world.stream().unwrap();
        let cell = world.alloc(Side::Device).value(0_i32).unwrap();
        let out = world.device_value(0_u64).unwrap();
        cases::waits::launch(&stream, 1, &cell, 1000, &out).unwrap();
        stream.synchronize().unwrap();
        assert_eq!(out.read().unwrap(), 2000);
    });
}
