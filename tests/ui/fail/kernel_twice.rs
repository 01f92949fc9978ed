//! One attribute makes one kernel.

use shmem::prelude::*;

#[shmem_kernel]
#[shmem_kernel]
fn twice(cell: Global<i32>) {
    cell.store(1);
}

fn main() {
    let mut cell = 0;
    twice(Global::from_mut(&mut cell));
}
