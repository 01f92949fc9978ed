//! What has no value where one is needed.

use shmem::prelude::*;

#[shmem_kernel]
fn values(cell: Global<i32>, x: i32) {
    let a = shmem::quiet();
    let b = cell.store(1);
    cell.store(shmem::fence());
    let c = if x == 1 { 2 };
    let d = {
        cell.store(1);
    };
    let e = x + if x == 1 { return } else { return };
    let f = {
        return;
    };
    let g = if x == 1 { shmem::quiet() } else { shmem::quiet() };
    let h = -cell.store(2);
    cell.load()
}

#[shmem_kernel]
fn tails(cell: Global<i32>, x: i32) {
    if x == 1 {
        cell.load()
    } else {
        2.5
    }
    {
        true
    }
}

fn main() {}
