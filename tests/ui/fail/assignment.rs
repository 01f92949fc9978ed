//! What can be assigned to.

use shmem::prelude::*;

#[shmem_kernel]
fn assignment(cell: Global<i32>, cells: Global<[i32]>, parameter: i32) {
    let local = 1;
    local = 2;
    local += 1;
    parameter = 3;
    cell = 4;
    cell += 4;
    cells = 5;
    for i in 0..3 {
        i = 2;
    }
    let (mut a, mut b) = (1, 2);
    (a, b) = (b, a);
    1 = local;
    cell.load() = 7;
    shmem::my_pe() += 1;
}

fn main() {}
