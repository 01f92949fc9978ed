//! A kernel has no items inside.

use shmem::prelude::*;

#[shmem_kernel]
fn items(cell: Symmetric<i32>, out: Global<i32>) {
    use shmem::p;
    const TWO: i32 = 2;
    static THREE: i32 = 3;
    fn four() -> i32 {
        4
    }
    struct Five;
    p(cell, TWO, 0);
    out.store(THREE + four());
}

fn main() {}
