//! `at_unchecked` is unsafe, in a kernel as on the host.

use shmem::prelude::*;

#[shmem_kernel]
fn outside(cells: Global<[i32]>) {
    cells.at_unchecked(0).store(1);
    // SAFETY: there is one cell.
    unsafe {
        cells.at_unchecked(0).store(1);
    }
    let a = cells.at_unchecked(1).load();
}

fn main() {}
