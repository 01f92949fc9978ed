//! The kernels of the example.

use shmem::prelude::*;

/// Each PE writes its successor's number into the successor's cell and reads it back.
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

/// Each PE writes its own number into its successor's `input`, and reads the successor's `output`, which nobody writes.
#[shmem_kernel]
pub fn exchange(input: Symmetric<i32>, output: Symmetric<i32>, copy: Global<i32>) {
    let me = shmem::my_pe();
    let peer = (me + 1) % shmem::n_pes();
    for _ in 0..10 {
        shmem::p(input, me, peer);
        shmem::quiet();
        let got = shmem::g(output, peer);
        shmem::quiet();
        copy.store(got);
    }
}
