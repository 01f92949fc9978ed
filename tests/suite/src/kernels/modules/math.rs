//! What the kernels of the module around call and name.

use shmem::prelude::*;

pub mod deep;
pub mod shapes;

/// An exponent.
pub const CUBE: i32 = 3 * deep::ONE;

#[shmem_device]
#[inline]
pub(super) fn cube(x: i32) -> i32 {
    power(x, CUBE as u32)
}

/// Private to this module, and called from outside all the same, by `cube`.
#[shmem_device]
fn power(x: i32, n: u32) -> i32 {
    let mut y = 1;
    for _ in 0..n {
        y *= x;
    }
    y
}

/// Panics here, in a file that is not the kernel's.
#[shmem_device]
pub fn quotient(a: i32, b: i32) -> i32 {
    a / b
}

/// The same name as the module below has.
#[shmem_device]
pub(crate) fn clamped(x: i64) -> i64 {
    deep::clamped(x) + 1
}

pub struct Table;

impl Table {
    pub const ROWS: usize = 16;
    pub const CELLS: usize = Self::ROWS * deep::COLUMNS;
    pub const LOW: i32 = -4;
    pub const HIGH: i32 = -Self::LOW - 3;
}
