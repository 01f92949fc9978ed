//! A kernel has no Result.

use shmem::prelude::*;

#[shmem_kernel]
fn question_mark(x: i32, out: Global<i32>) {
    out.store(x?);
}

fn main() {}
