//! A kernel that runs once per PE has no block numbers.

use shmem::prelude::*;

#[shmem_kernel]
fn guarded(out: Global<u64>) {
    out.store(shmem::block_idx() as u64);
    out.store(shmem::block_num() as u64);
}

#[shmem_kernel(vector)]
fn vector(out: Global<u64>) {
    if shmem::block_idx() == 0 {
        out.store(1);
    }
}

fn main() {}
