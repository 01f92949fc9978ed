//! A module `shmem` beside the kernels would hide the crate.

mod kernels {
    use shmem::prelude::*;

    #[shmem_kernel]
    pub fn shmem(cell: Global<i32>) {
        cell.store(1);
    }
}

fn main() {}
