//! Operators have both sides of one type, and a type that they apply to.

use shmem::prelude::*;

#[shmem_kernel]
fn operands(cell: Global<i32>, x: i32, y: i64, f: f32, b: bool, mut z: i32) {
    let a = x + y;
    let a = x * 1.0;
    let a = f + 1;
    let a = x == b;
    let a = cell + 1;
    let a = x < cell.load() as i64;
    let a = 1.0 - 1;
    z += y;
    z -= f;
    z = x - y + (f * x);
}

#[shmem_kernel]
fn applied(cell: Global<i32>, cells: Global<[i32]>, x: u32, f: f32, b: bool, mut c: bool) {
    let a = -x;
    let a = -b;
    let a = !f;
    let a = -cell;
    let a = !cells;
    let a = b + b;
    let a = b << b;
    let a = f & f;
    let a = f << 1;
    let a = x << 1.0;
    let a = cell == cell;
    let a = x && b;
    c += true;
    let a: u32 = -1;
}

fn main() {}
