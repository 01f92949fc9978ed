//! Device functions and constants beside the kernels that name them.

use shmem::prelude::*;

/// Rounds of the generator.
const ROUNDS: u32 = 2 * HALF + 1;
const HALF: u32 = 3;
const LIMIT: i32 = -5;
const ON: bool = true;

/// A step of a linear congruential generator.
#[shmem_device]
fn step(x: u32) -> u32 {
    x.wrapping_mul(1664525).wrapping_add(1013904223)
}

/// Returns from the middle, and panics where it must.
#[shmem_device]
fn quotient(a: i32, b: i32, cells: Global<[i64]>, at: usize) -> i32 {
    if b == LIMIT {
        return a;
    }
    let q = a / b;
    note(cells.at(at), q as i64);
    q
}

#[shmem_device]
fn note(cell: Global<i64>, value: i64) {
    cell.store(cell.load() + value);
}

#[shmem_device]
fn small(x: f16, flag: bool) -> f16 {
    if flag { x + x } else { f16::ONE }
}

/// Calls, calls in calls, constants in ranges and patterns.
#[shmem_kernel]
pub fn calls(x: u32, a: i32, b: i32, out: Global<[i64]>) {
    let mut y = x;
    for _ in 0..ROUNDS {
        y = step(step(y));
    }
    out.at(0).store(y as i64);
    let sum = quotient(a, b, out, 1) + quotient(b, a, out, 2);
    out.at(3).store(sum as i64);
    let class = match a {
        LIMIT => 1,
        0 => 2,
        _ if ON => 3,
        _ => 4,
    };
    out.at(4).store(class);
    let third = {
        let cells = out.slice(5..7);
        note(cells.at(1), 9);
        cells.len()
    };
    out.at(5).store(third as i64);
}

/// The same device functions without checks.
///
/// # Safety
///
/// `b` is not 0.
#[shmem_kernel(unchecked)]
pub unsafe fn calls_unchecked(a: i32, b: i32, out: Global<[i64]>) {
    out.at(0).store(quotient(a, b, out, 1) as i64);
}

/// A device function of 16-bit floats.
#[shmem_kernel]
pub fn doubles(x: f16, flag: bool, out: Global<f16>) {
    out.store(small(x, flag));
}
