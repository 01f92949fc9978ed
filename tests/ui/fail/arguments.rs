//! How many arguments the device functions take.

use shmem::prelude::*;

#[shmem_kernel]
fn arguments(cell: Symmetric<i32>, out: Global<i32>) {
    shmem::p(cell, 1);
    shmem::p(cell, 1, 0, 0);
    shmem::p();
    out.store(shmem::g(cell));
    out.store(shmem::my_pe(1));
    shmem::quiet(cell);
}

fn main() {}
