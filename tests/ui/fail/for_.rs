//! A `for` runs over a range of integers.

use shmem::prelude::*;

#[shmem_kernel]
fn ranges(cells: Global<[i32]>, f: f32, c: c_char, b: bool, x: u8) {
    for i in (0..10).rev() {
        cells.at(i).store(1);
    }
    for i in 0.. {
        cells.at(i).store(1);
    }
    for cell in cells {
        cell.store(1);
    }
    for i in [1, 2, 3] {}
    for i in 0.0..f {}
    for i in c..c {}
    for i in false..b {}
    for i in 0..f {}
    for i in -1..x {}
    for i in 0..=256 {
        let j: u8 = i;
    }
    for i in (0..10).step_by(2) {}
}

fn main() {}
