//! Memory has elements of the 13 types of the device API.

use shmem::prelude::*;

#[shmem_kernel]
fn boolean(a: Symmetric<bool>) {}

#[shmem_kernel]
fn size(a: Symmetric<usize>, b: Global<[isize]>) {}

#[shmem_kernel]
fn wide(a: Symmetric<u128>) {}

#[shmem_kernel]
fn tuple(a: Symmetric<(i32, i32)>) {}

#[shmem_kernel]
fn array(a: Symmetric<[i32; 4]>) {}

#[shmem_kernel]
fn reference(a: Global<&i32>) {}

#[shmem_kernel]
fn character(a: Global<char>) {}

#[shmem_kernel]
fn nested(a: Symmetric<Symmetric<i32>>) {}

#[shmem_kernel]
fn inferred(a: Symmetric<_>) {}

enum Color {
    Red,
}

#[shmem_kernel]
fn user(a: Symmetric<[Color]>) {}

fn main() {
    let mut color = [Color::Red];
    user(Symmetric::from_mut(&mut color[..]));
}
