//! Statements and expressions give in the simulator what they give as plain Rust.

use shmem::prelude::*;
use shmem_suite::jobs::alone;
use shmem_suite::kernels::language;

/// Runs a kernel on `cells` both ways; the results, which are equal.
macro_rules! both_ways {
    ($cells:expr, $kernel:ident($($argument:expr),*)) => {{
        let mut host = $cells;
        language::$kernel($($argument,)* Global::from_mut(&mut host[..]));
        let mut device = Vec::new();
        alone(|world| {
            let cells = world.device_slice(&$cells).unwrap();
            let stream = world.stream().unwrap();
            language::$kernel::launch(&stream, 1, $($argument,)* &cells).unwrap();
            stream.synchronize().unwrap();
            device = cells.read_vec().unwrap();
        });
        assert_eq!(device, host);
        host
    }};
}

#[test]
fn ranges_end_where_rust_ends_them() {
    let cells = both_ways!([0_i64; 5], ranges());
    assert_eq!(cells, [1515, -320_988, 610, 12, 2]);
}

#[test]
fn labelled_jumps_leave_and_continue_the_right_loop() {
    for limit in [0, 3, 20, 21, 1000] {
        let cells = both_ways!([0_i64; 2], labels(limit));
        assert_eq!(cells[1], i64::from(limit <= 20), "limit {limit}");
    }
}

#[test]
fn values_are_evaluated_from_left_to_right() {
    let cells = both_ways!([0_i64; 6], values(4));
    // y = 11 and z = 1; state + {state += 5; state * 2}; the right side of += first.
    assert_eq!(cells, [5111, 1 << 40, 8 + 255 + 3 + 1, 4 + 18, 3, 10 + 9]);
    both_ways!([0_i64; 6], values(-3));
}

#[test]
fn views_move_through_locals() {
    let cells = both_ways!([0, 1, 2, 3, 4, 5, 6, 7], views(false));
    assert_eq!(cells, [0, 1, 2, 3, 4, 107, -7, 7]);
    let cells = both_ways!([0, 1, 2, 3, 4, 5, 6, 7], views(true));
    assert_eq!(cells, [0, -7, 2, 3, 4, 107, 6, 7]);
}
