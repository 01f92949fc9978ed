//! A kernel has no closures.

use shmem::prelude::*;

#[shmem_kernel]
fn closure(out: Global<i32>) {
    let double = |x: i32| x * 2;
    out.store(double(3));
}

fn main() {}
