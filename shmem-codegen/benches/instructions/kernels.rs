//! The kernels whose instructions are counted. `by_hand.cpp` has the same algorithms as an expert writes them.

use shmem::prelude::*;

/// The ring of the README.
#[shmem_kernel]
pub fn ring(input: Symmetric<i32>, output: Global<i32>) {
    let peer = (shmem::my_pe() + 1) % shmem::n_pes();
    for _ in 0..10 {
        shmem::p(input, peer, peer);
        shmem::quiet();
        let got = shmem::g(input, peer);
        shmem::quiet();
        output.store(got);
    }
}

/// A local sum, put to every PE.
#[shmem_kernel]
pub fn sum(data: Global<[i32]>, sums: Symmetric<[i32]>) {
    let mut total = 0;
    for i in 0..data.len() {
        total += data.at(i).load();
    }
    let mine = sums.at(shmem::my_pe() as usize);
    for pe in 0..shmem::n_pes() {
        shmem::p(mine, total, pe);
    }
}

/// `y = a * x + y`
#[shmem_kernel]
pub fn axpy(a: f32, x: Global<[f32]>, y: Global<[f32]>) {
    let y = y.slice(0..x.len());
    for i in 0..x.len() {
        y.at(i).store(a * x.at(i).load() + y.at(i).load());
    }
}

/// How many values fall into each of 16 bins.
#[shmem_kernel]
pub fn histogram(values: Global<[u32]>, counts: Global<[u32]>) {
    let mut bins = [0_u32; 16];
    for i in 0..values.len() {
        let bin = values.at(i).load() % 16;
        bins[bin as usize] += 1;
    }
    for bin in 0..16 {
        counts.at(bin).store(bins[bin]);
    }
}

/// Blocks in the order in which a ring hands them on: the one of this PE first.
#[shmem_kernel]
pub fn gather(blocks: Global<[u64]>, ordered: Global<[u64]>, length: usize) {
    let (me, n) = (shmem::my_pe() as usize, shmem::n_pes() as usize);
    for step in 0..n {
        let (first, next) = ((me + n - step) % n * length, step * length);
        let from = blocks.slice(first..first + length);
        let to = ordered.slice(next..next + length);
        for i in 0..length {
            to.at(i).store(from.at(i).load());
        }
    }
}

/// One round of a hash.
#[shmem_device]
fn mix(hash: u32, value: u32) -> u32 {
    (hash ^ value).rotate_left(5).wrapping_mul(0x9e37_79b9)
}

/// A checksum for each row of a table.
#[shmem_kernel]
pub fn checksum(table: Global<[u32]>, sums: Global<[u32]>, columns: usize) {
    for row in 0..sums.len() {
        let first = row * columns;
        let cells = table.slice(first..first + columns);
        let mut hash = row as u32;
        for column in 0..columns {
            hash = mix(hash, cells.at(column).load());
        }
        sums.at(row).store(hash);
    }
}
