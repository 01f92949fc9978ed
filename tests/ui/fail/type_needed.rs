use shmem::prelude::*;

#[shmem_kernel]
fn kernel(cell: Global<i32>) {
    let never;
    let a = 1.abs();
    let b = (2 + 3).pow(2);
    let c = loop {
        break 1;
        break true;
    };
    cell.store(a + b + c);
}

fn main() {}
