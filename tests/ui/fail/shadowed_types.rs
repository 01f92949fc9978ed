//! A type of a kernel is what its name says, whatever else has the name.

use shmem::shmem_kernel;

struct Symmetric<T>(T);

#[shmem_kernel]
fn user_type(cell: Symmetric<i32>) {
    shmem::p(cell, 1, 0);
}

#[allow(non_camel_case_types)]
mod narrow {
    use shmem::prelude::*;

    type i32 = u8;

    #[shmem_kernel]
    fn parameter(_: i32) {}

    #[shmem_kernel]
    fn element(cell: Global<i32>) {
        cell.store(1);
    }

    #[shmem_kernel]
    fn local(x: u8) {
        let _a: i32 = 1;
        let _b = x as i32;
    }

    #[shmem_kernel]
    fn cast(x: u8) {
        let _b = x as i32;
    }

    #[shmem_kernel]
    fn in_a_macro(x: u8) {
        shmem::print!("{}", x as i32);
    }
}

fn main() {
    let cell = Symmetric(1);
    assert_eq!(cell.0, 1);
}
