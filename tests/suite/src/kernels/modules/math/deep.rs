//! A module below, which names the one above it.

use super::super::super::modules::math as up;
use shmem::prelude::*;

/// 1
pub const ONE: i32 = 1;
/// 2, by way of the module above.
pub const TWO: i32 = ONE + up::deep::ONE;
pub(in super::super) const COLUMNS: usize = 8;
/// Not seen where the name is defined.
#[allow(dead_code)]
pub const SHADOWED: i32 = 77;

/// Calls a function of the module above.
#[shmem_device]
pub fn inner(x: i32) -> i32 {
    up::cube(x) - TWO
}

#[shmem_device]
pub(in crate::kernels) fn clamped(x: i64) -> i64 {
    x.clamp(-100, 100)
}
