//! To rustc the name of a constant in a pattern is its value; a kernel does not see those that macros make, and takes
//! them for new names.

#![allow(unreachable_patterns, unused_imports, unused_variables)]

use shmem::prelude::*;

macro_rules! numbers {
    () => {
        const FIVE: i32 = 5;
    };
}

numbers!();

#[shmem_kernel]
fn kernel(x: i32, cell: Global<i32>) {
    match x {
        FIVE => cell.store(1),
        _ => {}
    }
}

fn main() {}
