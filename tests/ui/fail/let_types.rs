//! The type that a local is given.

use shmem::prelude::*;

#[shmem_kernel]
fn mismatched(cell: Global<i32>, x: i32, f: f32, b: bool) {
    let a: u8 = x;
    let a: f32 = 1;
    let a: i32 = 1.5;
    let a: bool = x;
    let a: bool = f;
    let a: i32 = b;
    let a: f64 = b;
    let a: f64 = f;
    let a: i32 = cell;
    let a: Global<i32> = x;
    let a: Symmetric<i32> = cell;
    let a: usize = true;
}

#[shmem_kernel]
fn unsupported(x: i32) {
    let a: u128 = 3;
    let a: char = 'x';
    let a: &str = "x";
    let a: Vec<i32> = vec![1];
    let a: () = shmem::quiet();
    let a: f16 = 1.0;
    let a: Symmetric<bool> = x;
}

fn main() {}
