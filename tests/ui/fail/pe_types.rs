//! A PE number is an i32.

use shmem::prelude::*;

#[shmem_kernel(all_blocks)]
fn pe_types(cell: Symmetric<i32>, out: Global<i32>, x: u32) {
    shmem::p(cell, 1, 1.0);
    shmem::p(cell, 1, 1_usize);
    shmem::p(cell, 1, x);
    shmem::p(cell, 1, shmem::block_idx());
    shmem::p(cell, 1, true);
    shmem::p(cell, 1, cell);
    out.store(shmem::g(cell, x as u64));
    out.store(shmem::g(cell, out));
    out.store(shmem::g(cell, 5_000_000_000));
    shmem::p(cell, 1, shmem::my_pe() as i64 + 1);
}

fn main() {}
