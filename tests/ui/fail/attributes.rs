//! Attributes that a kernel cannot have, or not there.

use shmem::prelude::*;

#[shmem_kernel]
fn attributes(cell: Symmetric<i32>, #[must_use] mut x: i32) {
    #[inline]
    let a = 1;
    #[cfg(test)]
    shmem::quiet();
    shmem::p(cell, 1, #[must_use] 0);
    match x {
        #[cold]
        1 => {}
        #[cfg(not(test))]
        2 => x += a,
        _ => {}
    }
}

#[shmem_device]
fn device(#[cfg(any(test, unix))] x: i32) {}

fn main() {}
