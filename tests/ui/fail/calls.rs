//! A kernel calls the device API, by its path.

use shmem::prelude::*;

fn helper(x: i32) -> i32 {
    x + 1
}

mod other {
    pub fn p(_: i32) {}
}

#[shmem_kernel]
fn another_function(out: Global<i32>) {
    out.store(helper(1));
    out.store(std::cmp::max(1, 2));
    other::p(3);
}

#[shmem_kernel]
fn another_kernel(out: Global<i32>) {
    another_function(out);
}

#[shmem_kernel]
fn unknown_device_function(cell: Symmetric<i32>, out: Global<i32>) {
    shmem::put(cell, 1, 0);
    out.store(shmem::my_pes());
    shmem::barrier_all();
}

#[shmem_kernel]
fn through_a_value(out: Global<i32>) {
    out.store((shmem::my_pe)());
    let ask = shmem::my_pe;
    out.store(ask());
}

#[shmem_kernel]
fn turbofish(cell: Symmetric<i32>) {
    shmem::p::<i32>(cell, 1, 0);
}

#[shmem_kernel]
fn constructor() {
    let some = Some(3);
}

fn main() {}
