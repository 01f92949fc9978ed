//! Arrays, tuples, structs and enums give in the simulator what they give as plain Rust.

#![allow(clippy::unwrap_used)]

use shmem::prelude::*;
use shmem_suite::jobs::{Ending, exactly};
use shmem_suite::kernels::aggregates::{self, Frame, Mode, Pair, Point};

#[test]
fn arrays_are_indexed_copied_compared_and_run_over() {
    for x in [-9, 0, 3, 8] {
        for at in [0, 1, 4, 5] {
            let ending = exactly::<i64, 11>(
                &format!("{x} {at}"),
                |out| aggregates::arrays(x, at, out),
                |stream, out| aggregates::arrays::launch(stream, 1, x, at, out),
            );
            assert!(matches!(ending, Ending::Values(_)));
        }
    }
}

#[test]
fn tuples_are_taken_apart_and_matched() {
    for x in [-4, -3, -1, 0, 1, 2, 3, 4, 7] {
        let ending = exactly::<i64, 8>(
            &format!("{x}"),
            |out| aggregates::tuples(x, out),
            |stream, out| aggregates::tuples::launch(stream, 1, x, out),
        );
        assert!(matches!(ending, Ending::Values(_)));
    }
}

#[test]
fn structs_and_enums_are_arguments() {
    for mode in [Mode::Off, Mode::Slow, Mode::Fast] {
        for on in [false, true] {
            let corner = |x| Point { x, y: 2.25 };
            let frame = Frame {
                on,
                wide: -0x1234_5678_9abc,
                corners: [corner(if on { 1 } else { 0 }), corner(3)],
                r#type: (0xfe, 0xfedc),
                mode: Mode::Slow,
                half: f16::from_f32(-3.0),
            };
            let pair = || Pair(0x81, i64::MAX - 0x8000);
            let table = [-2, 0x1111, 0x7fff];
            let ending = exactly::<i64, 10>(
                &format!("{mode:?} {on}"),
                |out| aggregates::structs(frame, mode, pair(), table, out),
                |stream, out| {
                    aggregates::structs::launch(stream, 1, frame, mode, pair(), table, out)
                },
            );
            assert!(matches!(ending, Ending::Values(_)), "{ending:?}");
        }
    }
}

#[test]
fn what_references_change_is_seen_in_order() {
    for x in [-2, 0, 50] {
        let ending = exactly::<i64, 8>(
            &format!("{x}"),
            |out| aggregates::references(x, out),
            |stream, out| aggregates::references::launch(stream, 1, x, out),
        );
        assert!(matches!(ending, Ending::Values(_)));
    }
}

#[test]
fn an_index_out_of_bounds_panics_where_and_when_it_does_in_rust() {
    let mut panics = 0;
    for which in 0..6 {
        for i in [0, 1, 2, 3, 5, 6, usize::MAX] {
            let ending = exactly::<i64, 3>(
                &format!("{which} {i}"),
                |out| aggregates::indices(which, i, out),
                |stream, out| aggregates::indices::launch(stream, 1, which, i, out),
            );
            panics += u32::from(matches!(ending, Ending::Panic { .. }));
        }
    }
    assert_eq!(panics, 27);
}

#[test]
fn forty_kilobytes_of_locals_are_no_trouble() {
    let ending = exactly::<i64, 1>(
        "large",
        |out| aggregates::large(5, out),
        |stream, out| aggregates::large::launch(stream, 1, 5, out),
    );
    assert!(matches!(ending, Ending::Values(_)));
}

#[test]
fn patterns_that_may_not_fit_and_labelled_blocks() {
    for x in [-8, -1, 0, 1, 2, 3, 4, 6, 7, 13, 1024, 4096, i32::MIN] {
        for mode in [Mode::Off, Mode::Fast] {
            let ending = exactly::<i64, 7>(
                &format!("{x} {mode:?}"),
                |out| aggregates::refutable(x, mode, out),
                |stream, out| aggregates::refutable::launch(stream, 1, x, mode, out),
            );
            assert!(matches!(ending, Ending::Values(_)));
        }
    }
}
