//! A device function is called by its path, so that no other function of its name can stand in for it.

use shmem::prelude::*;
use shmem::{g, my_pe, p};

#[shmem_kernel]
fn imported(cell: Symmetric<i32>, out: Global<i32>) {
    p(cell, 1, my_pe());
    out.store(g(cell, 0));
}

fn main() {
    let mut value = my_pe();
    p(Symmetric::from_mut(&mut value), 1, 0);
    assert_eq!(g(Symmetric::from_mut(&mut value), 0), 1);
}
