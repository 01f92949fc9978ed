//! Kernels that panic when their arguments ask for it. The tests know the lines.

use shmem::prelude::*;

/// Indexes a slice.
#[shmem_kernel]
pub fn index(cells: Global<[i32]>, i: usize) {
    cells.at(i).store(1);
}

/// Slices a slice.
#[shmem_kernel]
pub fn range(cells: Symmetric<[i32]>, start: usize, end: usize, len: Global<u64>) {
    len.store(cells.slice(start..end).len() as u64);
}

/// Puts to a PE.
#[shmem_kernel]
pub fn put(cell: Symmetric<i32>, pe: i32) {
    shmem::p(cell, 5, pe);
    shmem::quiet();
}

/// Gets from a PE.
#[shmem_kernel]
pub fn get(cell: Symmetric<i32>, pe: i32, out: Global<i32>) {
    out.store(shmem::g(cell, pe));
}

/// The left neighbour, wrong on PE 0 and right.
#[shmem_kernel]
pub fn left(cell: Symmetric<i32>, right: bool) {
    let me = shmem::my_pe();
    let n = shmem::n_pes();
    let pe = if right {
        (me + n - 1) % n
    } else {
        (me - 1) % n
    };
    shmem::p(cell, me, pe);
    shmem::quiet();
}

/// The first of two mistakes is the one that counts.
#[shmem_kernel]
pub fn first(a: Global<[i32]>, b: Global<[i32]>, i: usize, j: usize, out: Global<i32>) {
    out.store(a.at(i).load() + b.at(j).load());
}

/// One instance of several panics.
#[shmem_kernel(all_blocks)]
pub fn one_of(cells: Global<[i32]>, who: usize) {
    if shmem::block_idx() == who {
        cells.at(cells.len()).store(1);
    }
}

/// Queued after a panic, it does not run.
#[shmem_kernel]
pub fn after(cell: Global<i32>) {
    cell.store(99);
}
