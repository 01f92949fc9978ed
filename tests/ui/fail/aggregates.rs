//! A kernel has no arrays, tuples, structs, references and pointers.

use shmem::prelude::*;

struct Point {
    x: i32,
}

#[shmem_kernel]
fn arrays(out: Global<i32>) {
    let numbers = [1, 2, 3];
    out.store(numbers[1]);
    let zeros = [0; 4];
    let typed: [i32; 2] = [1, 2];
}

#[shmem_kernel]
fn tuples(out: Global<i32>) {
    let pair = (1, 2);
    out.store(pair.0);
    let unit = ();
}

#[shmem_kernel]
fn structs(out: Global<i32>) {
    let point = Point { x: 1 };
    out.store(point.x);
}

#[shmem_kernel]
fn references(out: Global<i32>) {
    let three = &3;
    out.store(*three);
    let cell = &out;
    let raw = &raw const out;
}

#[shmem_kernel]
fn indexing(cells: Global<[i32]>, x: i32) {
    let first = cells[0];
    cells[1] = 2;
    *x = 3;
    let bits = x.bits;
    let part = 1..2;
}

fn main() {
    let point = Point { x: 1 };
    assert_eq!(point.x, 1);
}
