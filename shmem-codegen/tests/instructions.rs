//! Generated kernels cost what kernels written by hand cost.
//! `cargo bench -p shmem-codegen --bench instructions` prints the numbers.

#[path = "../benches/instructions/measure.rs"]
mod measure;
mod support;

use support::compiler::available;

/// Arithmetic that may not overflow is left out: a check of each addition is no tenth of it.
#[test]
fn kernels_cost_what_they_cost_by_hand() {
    if !available("valgrind") || !available("g++") {
        return;
    }
    let all = measure::count("g++");
    assert_eq!(all.len(), 6);
    for counted in all {
        let [_, unchecked, wrapping, _] = [0, 1, 2, 3].map(|writer| counted.percent(writer));
        assert!(unchecked <= 100.0, "{counted:?}");
        assert!(wrapping <= 110.0, "{counted:?}");
    }
}

#[test]
fn clang_too_makes_no_more_of_unchecked_kernels() {
    if !available("valgrind") || !available("clang++") {
        return;
    }
    for counted in measure::count("clang++") {
        assert!(counted.percent(1) <= 100.0, "{counted:?}");
    }
}
