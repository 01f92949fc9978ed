//! The value of p has the type of the cell.

use shmem::prelude::*;

#[shmem_kernel]
fn values(cell: Symmetric<i32>, floats: Symmetric<[f32]>, half: Symmetric<f16>, x: u8, b: bool) {
    shmem::p(cell, x, 0);
    shmem::p(cell, 1.5, 0);
    shmem::p(cell, b, 0);
    shmem::p(cell, cell, 0);
    shmem::p(floats.at(0), 1, 0);
    shmem::p(half, 1.0, 0);
    shmem::p(cell, shmem::quiet(), 0);
    let a: i64 = shmem::g(cell, 0);
}

fn main() {}
