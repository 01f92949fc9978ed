//! p and g take one cell.

use shmem::prelude::*;

#[shmem_kernel]
fn slice(cells: Symmetric<[i32]>, out: Global<i32>) {
    shmem::p(cells, 1, 0);
    out.store(shmem::g(cells, 0));
    shmem::p(cells.slice(0..1), 1, 0);
}

fn main() {}
