//! The value that a cell is given.

use shmem::prelude::*;

#[shmem_kernel]
fn stores(cell: Global<i32>, cells: Symmetric<[f32]>, x: i64, b: bool) {
    cell.store(x);
    cell.store(1.0);
    cell.store(b);
    cell.store(cell);
    cells.at(0).store(1);
    cells.at(0).store(x);
    cells.at(x).store(1.0);
    cells.at(-1).store(1.0);
    cells.at(1.0).store(1.0);
    cells.at(shmem::my_pe()).store(1.0);
    cells.slice(0..x).at(0).store(1.0);
}

fn main() {}
