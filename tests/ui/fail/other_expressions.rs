//! What else Rust has and a kernel has not.

use shmem::prelude::*;

#[shmem_kernel]
fn asynchronous(x: i32) {
    async {};
}

#[shmem_kernel]
fn loops_as_values(x: i32) {
    let a = loop {
        break 1;
    };
    let b = while x == 1 {};
    let c = for _ in 0..1 {};
}

#[shmem_kernel]
fn jumps_as_values(x: bool) {
    let a = x && return;
    let b = { return };
}

#[shmem_kernel]
fn assignments_as_values(mut x: i32, mut y: i32) {
    let a = x = 1;
    let b = x += 1;
    x = y = 2;
}

#[shmem_kernel]
fn const_blocks(out: Global<i32>) {
    out.store(const { 1 + 2 });
}

fn main() {}
