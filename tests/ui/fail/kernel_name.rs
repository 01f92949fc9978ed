//! A kernel's module must not hide what other kernels name.

mod kernels {
    use shmem::prelude::*;

    #[shmem_kernel]
    pub fn shmem(cell: Global<i32>) {
        cell.store(1);
    }

    #[allow(non_snake_case)]
    #[shmem_kernel]
    pub fn Global(cell: Global<i32>) {
        cell.store(1);
    }

    #[shmem_kernel]
    pub fn f32(cell: Symmetric<f32>) {
        cell.store(1.0);
    }
}

fn main() {}
