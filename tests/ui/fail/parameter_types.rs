//! What cannot be a parameter.

use shmem::prelude::*;

struct Point {
    x: i32,
}

#[shmem_kernel]
fn string(a: String) {}

#[shmem_kernel]
fn vector(a: Vec<i32>) {}

#[shmem_kernel]
fn character(a: char) {}

#[shmem_kernel]
fn wide(a: u128, b: i128) {}

#[shmem_kernel]
fn user(a: Point) {}

#[shmem_kernel]
fn tuple(a: (i32, String)) {}

#[shmem_kernel]
fn array(a: [&str; 4]) {}

#[shmem_kernel]
fn pointer(a: *mut i32) {}

#[shmem_kernel]
fn anything(a: impl Copy) {}

#[shmem_kernel]
fn object(a: Box<dyn Fn(i32)>) {}

#[shmem_kernel]
fn option(a: Option<i32>) {}

#[shmem_kernel]
fn function(a: fn(i32)) {}

#[shmem_kernel]
fn bare(a: Symmetric, b: Global) {}

#[shmem_kernel]
fn too_many(a: Symmetric<i32, i32>) {}

#[shmem_kernel]
fn unknown(a: Missing) {}

#[shmem_kernel]
fn long(
    a: Result<
        i32, //
        String,
    >,
) {
}

fn main() {
    string(String::new());
    user(Point { x: 1 });
    wide(1, 2);
    character('x');
}
