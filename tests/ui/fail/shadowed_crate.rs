//! `shmem::` in a kernel is the crate, whatever else has the name.

use ::shmem::prelude::*;

mod shmem {
    pub fn my_pe() -> i32 {
        7
    }

    pub fn n_pes(_: u8) -> u8 {
        7
    }

    #[allow(unused_macros)]
    macro_rules! print {
        ($text:literal) => {
            ()
        };
    }
    #[allow(unused_imports)]
    pub(crate) use print;
}

#[shmem_kernel]
fn printing() {
    shmem::print!("other");
}

#[shmem_kernel]
fn same_signature(out: Global<i32>) {
    out.store(shmem::my_pe());
}

#[shmem_kernel]
fn absent(cell: Symmetric<i32>) {
    shmem::p(cell, 1, 0);
}

#[shmem_kernel]
fn raw(out: Global<i32>) {
    out.store(r#shmem::my_pe());
}

fn main() {
    assert_eq!(shmem::n_pes(shmem::my_pe() as u8), 7);
}
