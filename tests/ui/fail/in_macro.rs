//! A kernel that a macro makes is not in the source as it is written.

use shmem::prelude::*;

macro_rules! kernel {
    ($name:ident) => {
        #[shmem_kernel]
        fn $name(cell: Global<i32>) {
            cell.store(1);
        }
    };
}

kernel!(one);

macro_rules! fixed {
    () => {
        #[shmem_kernel]
        fn fixed(cell: Global<i32>) {
            cell.store(1);
        }
    };
}

fixed!();

fn main() {
    let mut cell = 0;
    one(Global::from_mut(&mut cell));
    fixed(Global::from_mut(&mut cell));
}
