//! A kernel has no `match`, `if let` and `while let`.

use shmem::prelude::*;

#[shmem_kernel]
fn matching(x: i32, out: Global<i32>) {
    match x {
        0 => out.store(1),
        _ => {}
    }
    let y = match x {
        0 => 1,
        _ => 2,
    };
    out.store(y);
    if let 3 = x {
        out.store(3);
    }
    while let 4 = x {
        out.store(4);
    }
}

fn main() {}
