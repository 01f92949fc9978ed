//! No attributes on statements and expressions.

use shmem::prelude::*;

#[shmem_kernel]
fn attributes(cell: Symmetric<i32>, mut x: i32) {
    #[allow(unused)]
    let a = 1;
    #[cfg(any())]
    shmem::quiet();
    #[cfg(any())]
    {
        x = 2;
    }
    #[cfg(any())]
    x += 1;
    #[cfg(any())]
    if x == 1 {
        x = 3;
    }
    #[cfg(any())]
    for _ in 0..3 {}
    shmem::p(cell, 1, #[cfg(all())] 0);
    #[cfg(any())]
    (x as u8);
    loop {
        #![allow(unused)]
        break;
    }
}

fn main() {}
