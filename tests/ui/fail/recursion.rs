//! A device has no stack for recursion.

use shmem::prelude::*;

#[shmem_kernel]
fn factorial(n: i32, out: Global<i32>) {
    if n > 1 {
        factorial(n - 1, out);
        out.store(out.load() * n);
    }
}

fn main() {}
