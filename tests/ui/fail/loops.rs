//! Jumps and labels.

use shmem::prelude::*;

#[shmem_kernel]
fn outside(x: i32) {
    break;
    continue;
    if x == 1 {
        break;
    }
    {
        continue;
    }
}

#[shmem_kernel]
fn values(x: i32) {
    loop {
        break x;
    }
    'a: loop {
        break 'a 3;
    }
    return x;
}

#[shmem_kernel]
fn labels(x: i32) {
    'a: while x == 1 {
        break 'b;
    }
    loop {
        continue 'a;
    }
}

fn main() {}
