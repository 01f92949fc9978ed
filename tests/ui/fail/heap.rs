//! A device has no heap: no String, no Vec, no Box.

use shmem::prelude::*;

#[shmem_kernel]
fn string() {
    let text = String::new();
}

#[shmem_kernel]
fn vector(out: Global<i32>) {
    let mut numbers: Vec<i32> = Vec::new();
    numbers.push(3);
    out.store(numbers[0]);
}

#[shmem_kernel]
fn boxed() {
    let number = Box::new(3);
}

#[shmem_kernel]
fn text() {
    let text = "abc";
}

fn main() {}
