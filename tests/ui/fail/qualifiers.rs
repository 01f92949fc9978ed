//! A kernel is a plain function: not async, const or of a foreign ABI.

use shmem::prelude::*;

#[shmem_kernel]
async fn asynchronous(cell: Global<i32>) {
    cell.store(1);
}

#[shmem_kernel]
const fn constant() {}

#[shmem_kernel]
extern "C" fn foreign(cell: Global<i32>) {
    cell.store(1);
}

#[shmem_kernel]
pub extern fn unnamed_abi() {}

fn main() {
    let mut cell = 0;
    foreign(Global::from_mut(&mut cell));
    constant();
}
