//! Only symmetric memory is reached by other PEs.

use shmem::prelude::*;

#[shmem_kernel]
fn global(cell: Global<i32>, cells: Global<[f16]>, out: Global<i32>) {
    shmem::p(cell, 1, 0);
    out.store(shmem::g(cell, 0));
    shmem::p(cells.at(0), cells.at(1).load(), 0);
    shmem::p(cells, cells.at(1).load(), 0);
    shmem::p(1, 2, 0);
    out.store(shmem::g(3, 0));
    shmem::p(true, 2, 0);
}

fn main() {}
