//! To rustc the name of a constant in a pattern is its value; a kernel sees no constants, and takes it for a new name.

use shmem::prelude::*;

const FIVE: i32 = 5;

#[shmem_kernel]
fn kernel(x: i32, cell: Global<i32>) {
    match x {
        FIVE => cell.store(1),
        _ => {}
    }
}

fn main() {}
