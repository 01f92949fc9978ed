//! The methods of memory.

use shmem::prelude::*;

#[shmem_kernel]
fn methods(cell: Global<i32>, cells: Symmetric<[i32]>, x: i32, f: f32) {
    cell.at(0).store(1);
    cell.len();
    cells.load();
    cells.store(1);
    cells.get(0);
    cells.iter();
    let a = x.abs();
    let a = x.wrapping_add(1);
    let a = f.sqrt();
    let a = 1.max(x);
    let a = true.then(1);
    cell.store();
    cell.store(1, 2);
    let a = cell.load(1);
    let a = cells.at();
    let a = cells.slice(1, 2);
    let a = cells.slice(1);
    let a = cells.slice(1..);
    let a = cells.slice(..);
    let a = cells.slice(1..=2);
    let a = cell.load::<i32>();
}

fn main() {}
