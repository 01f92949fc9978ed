//! A kernel returns nothing; its values are no mistakes of their own.

use shmem::prelude::*;

#[shmem_kernel]
fn number(x: i32) -> i32 {
    x + 1
}

#[shmem_kernel]
fn early(x: i32) -> bool {
    if x == 0 {
        return true;
    }
    x == 3
}

#[shmem_kernel]
fn never() -> ! {
    loop {}
}

#[shmem_kernel]
fn anything(x: i32) -> impl Copy {
    x
}

fn main() {
    number(3);
}
