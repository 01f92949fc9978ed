//! A parameter is a plain name of its own, without attributes that mean something.

use shmem::prelude::*;

#[shmem_kernel]
fn tuple((a, b): (i32, i32), out: Global<i32>) {
    out.store(a + b);
}

#[shmem_kernel]
fn parentheses((a): i32) {}

#[shmem_kernel]
fn reference(&a: &i32) {}

#[shmem_kernel]
fn by_reference(ref a: i32) {}

#[shmem_kernel]
fn twice(a: i32, b: i32, a: u8) {}

#[shmem_kernel]
fn attributes(#[must_use] a: i32, #[doc(hidden)] #[cold] b: i32) {}

fn main() {
    let mut cell = 0;
    tuple((1, 2), Global::from_mut(&mut cell));
    twice(1, 2, 3);
}
