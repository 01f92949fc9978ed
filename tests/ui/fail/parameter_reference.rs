//! Device memory is not reached by a reference.

use shmem::prelude::*;

#[shmem_kernel]
fn shared(a: &i32) {}

#[shmem_kernel]
fn slice(a: &mut [f32]) {}

#[shmem_kernel]
fn text(a: &'static str) {}

fn main() {
    let mut cells = [1.0_f32];
    shared(&3);
    slice(&mut cells);
}
