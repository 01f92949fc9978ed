//! References are parameters of device functions, and nothing else.

use shmem::prelude::*;

#[shmem_device]
fn add(sum: &mut i32, value: &i32) {
    *sum += *value;
}

#[shmem_device]
fn wrong(sum: &i32, values: &mut [i32; 2], slice: &[i32], cell: &Global<i32>) {
    *sum += 1;
    sum = 3;
    let copy = sum;
    let doubled = sum + sum;
    values[0] = *sum;
}

#[shmem_kernel]
fn kernel(x: i32, out: Global<i32>) {
    let mut sum = 0;
    add(&mut sum, &x);
    add(&sum, &x);
    add(sum, &x);
    add(&mut sum, x);
    add(&mut x, &sum);
    add(&mut 5, &6);
    add(&mut sum, &1.5);
    core::mem::swap(&mut sum, &x);
    out.store(sum);
}

fn main() {}
