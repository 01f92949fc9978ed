//! Which instances of a launch run a body.

use shmem::prelude::*;

/// Counts its runs: once per launch.
#[shmem_kernel]
pub fn once(runs: Global<i32>) {
    runs.store(runs.load() + 1);
}

/// The same on vector cores only.
#[shmem_kernel(vector)]
pub fn once_vector(runs: Global<i32>) {
    runs.store(runs.load() + 1);
}

/// Counts the runs of each instance, and what they were told.
#[shmem_kernel(all_blocks)]
pub fn each(runs: Global<[i32]>, total: Global<[u64]>) {
    let me = shmem::block_idx();
    runs.at(me).store(runs.at(me).load() + 1);
    total.at(me).store(shmem::block_num() as u64);
}

/// The same on vector cores only.
#[shmem_kernel(all_blocks, vector)]
pub fn each_vector(runs: Global<[i32]>, total: Global<[u64]>) {
    let me = shmem::block_idx();
    runs.at(me).store(runs.at(me).load() + 1);
    total.at(me).store(shmem::block_num() as u64);
}

/// Each piece of work belongs to one instance.
#[shmem_kernel(all_blocks)]
pub fn strided(done: Global<[i32]>) {
    let mut i = shmem::block_idx();
    while i < done.len() {
        done.at(i).store(done.at(i).load() + 1);
        i += shmem::block_num();
    }
}

/// Each instance waits for all others to come: they run at the same time. It gives up in the end.
#[shmem_kernel(all_blocks)]
pub fn meet(arrived: Symmetric<[i32]>, met: Global<[i32]>) {
    let me = shmem::block_idx();
    let pe = shmem::my_pe();
    shmem::p(arrived.at(me), 1, pe);
    shmem::quiet();
    for other in 0..shmem::block_num() {
        let mut tries = 0u32;
        while shmem::g(arrived.at(other), pe) == 0 {
            tries += 1;
            if tries == 100_000_000 {
                return;
            }
        }
    }
    met.at(me).store(1);
}

/// No checks: the caller keeps the index in range.
///
/// # Safety
///
/// `index` is less than the length of `cells`.
#[shmem_kernel(unchecked)]
pub unsafe fn store_unchecked(cells: Global<[i32]>, index: usize, value: i32) {
    cells.at(index).store(value);
}
