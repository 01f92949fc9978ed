//! To rustc the name of a constant in a pattern is its value; a kernel sees only those of its own module, and takes
//! others for new names.

#![allow(unreachable_patterns, unused_imports, unused_variables)]

use shmem::prelude::*;

mod numbers {
    pub const FIVE: i32 = 5;
}

use numbers::FIVE;

#[shmem_kernel]
fn kernel(x: i32, cell: Global<i32>) {
    match x {
        FIVE => cell.store(1),
        _ => {}
    }
}

fn main() {}
