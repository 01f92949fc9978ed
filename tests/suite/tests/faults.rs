//! Kernel panics: the text, the values, the line, and what they do to the stream.

// Also in the functions that the tests share.
#![allow(clippy::unwrap_used)]

use shmem::prelude::*;
use shmem::{Error, KernelPanic, Side};
use shmem_suite::jobs::{Ending, alone, on_host};
use shmem_suite::kernels::faults;

fn panic_of(result: Result<(), Error>) -> KernelPanic {
    match result {
        Err(Error::KernelPanic(panic)) => panic,
        other => panic!("not a kernel panic: {other:?}"),
    }
}

/// The line of the first source line that holds `text`.
fn line_of(text: &str) -> u32 {
    let source = include_str!("../src/kernels/faults.rs");
    let line = source
        .lines()
        .position(|line| line.contains(text))
        .expect("the line is there");
    u32::try_from(line).unwrap() + 1
}

#[test]
fn an_index_out_of_bounds_names_the_line_and_the_values() {
    alone(|world| {
        let stream = world.stream().unwrap();
        let cells = world.device_slice(&[0; 4]).unwrap();
        faults::index::launch(&stream, 1, &cells, 3).unwrap();
        stream.synchronize().unwrap();
        faults::index::launch(&stream, 1, &cells, 4).unwrap();
        let panic = panic_of(stream.synchronize());
        assert_eq!(
            panic.message,
            "index out of bounds: the len is 4 but the index is 4"
        );
        assert_eq!((panic.kernel, panic.pe, panic.block), ("index", 0, 0));
        assert_eq!(
            (panic.line, panic.column),
            (line_of("cells.at(i).store(1)"), 11)
        );
        assert!(
            panic.file.ends_with("src/kernels/faults.rs"),
            "{}",
            panic.file
        );
        let text = Error::from(panic.clone()).to_string();
        assert!(
            text.contains(&format!("faults.rs:{}:11: index out of bounds", panic.line)),
            "{text}"
        );
        assert_eq!(cells.read_vec().unwrap(), [0, 0, 0, 1]);
        // The body on the host says the same, at the same place.
        let mut host = [0; 4];
        let ending = on_host(|| faults::index(Global::from_mut(&mut host[..]), 4));
        assert_eq!(
            ending,
            Ending::Panic {
                text: panic.message,
                line: panic.line,
                column: panic.column
            }
        );
    });
}

#[test]
fn a_range_is_checked_at_both_ends() {
    alone(|world| {
        let cells = world.alloc(Side::Host).zeroed::<i32>(8).unwrap();
        let len = world.device_value(0_u64).unwrap();
        let mut stream = world.stream().unwrap();
        for (start, end, length) in [(0, 8, 8), (3, 3, 0), (8, 8, 0), (2, 7, 5)] {
            faults::range::launch(&stream, 1, &cells, start, end, &len).unwrap();
            stream.synchronize().unwrap();
            assert_eq!(len.read().unwrap(), length);
        }
        for (start, end, text) in [
            (5, 4, "slice index starts at 5 but ends at 4"),
            (0, 9, "range end index 9 out of range for slice of length 8"),
            (
                usize::MAX,
                usize::MAX,
                "range end index 18446744073709551615 out of range for slice of length 8",
            ),
        ] {
            faults::range::launch(&stream, 1, &cells, start, end, &len).unwrap();
            assert_eq!(panic_of(stream.synchronize()).message, text);
            stream = world.stream().unwrap();
        }
        cells.free().unwrap();
    });
}

#[test]
fn a_pe_outside_of_the_job_is_named() {
    alone(|world| {
        let cell = world.alloc(Side::Device).value(0).unwrap();
        let out = world.device_value(0).unwrap();
        for pe in [1, -1, i32::MAX, i32::MIN] {
            let text = format!("PE {pe} is out of range: this job has 1 PEs");
            let stream = world.stream().unwrap();
            faults::put::launch(&stream, 1, &cell, pe).unwrap();
            let panic = panic_of(stream.synchronize());
            assert_eq!(
                (panic.message.as_str(), panic.line),
                (text.as_str(), line_of("shmem::p(cell, 5, pe)"))
            );
            let stream = world.stream().unwrap();
            faults::get::launch(&stream, 1, &cell, pe, &out).unwrap();
            assert_eq!(panic_of(stream.synchronize()).message, text);
        }
        assert_eq!(cell.read().unwrap(), 0);
        cell.free().unwrap();
    });
}

#[test]
fn the_first_of_two_mistakes_counts() {
    alone(|world| {
        let cells = world.device_slice(&[1, 2]).unwrap();
        let others = world.device_slice(&[1, 2]).unwrap();
        let out = world.device_value(0).unwrap();
        // `    out.store(a.at(i).load() + b.at(j).load());`
        for (i, j, column) in [(7, 8, 17), (0, 8, 34), (7, 0, 17)] {
            let stream = world.stream().unwrap();
            faults::first::launch(&stream, 1, &cells, &others, i, j, &out).unwrap();
            let panic = panic_of(stream.synchronize());
            assert_eq!(
                (panic.line, panic.column),
                (line_of("a.at(i).load()"), column),
                "{i} {j}"
            );
        }
    });
}

#[test]
fn the_block_of_the_panic_is_named() {
    alone(|world| {
        for who in [0, 3, 5] {
            let stream = world.stream().unwrap();
            let cells = world.device_slice(&[0; 2]).unwrap();
            faults::one_of::launch(&stream, 3, &cells, who).unwrap();
            assert_eq!(panic_of(stream.synchronize()).block as usize, who);
        }
    });
}

#[test]
fn a_panic_cancels_what_is_queued_and_stays() {
    alone(|world| {
        let stream = world.stream().unwrap();
        let cells = world.device_slice(&[0; 2]).unwrap();
        let cell = world.device_value(0).unwrap();
        faults::index::launch(&stream, 1, &cells, 2).unwrap();
        // Queued behind it, or refused already: it must not run.
        let _ = faults::after::launch(&stream, 1, &cell);
        let first = panic_of(stream.synchronize());
        assert_eq!(panic_of(stream.synchronize()), first);
        assert_eq!(panic_of(faults::after::launch(&stream, 1, &cell)), first);
        assert_eq!(cell.read().unwrap(), 0);
    });
}
