//! The attribute belongs on a function.

use shmem::prelude::*;

#[shmem_kernel]
struct Cells {
    cell: i32,
}

#[shmem_kernel]
const CELLS: i32 = 3;

#[shmem_kernel]
mod kernels {}

fn main() {
    let cells = Cells { cell: CELLS };
    assert_eq!(cells.cell, 3);
}
