//! What `match`, `if let`, `while let`, `let ... else` and labelled blocks do not take.

use shmem::prelude::*;

#[shmem_kernel]
fn conditions(x: i32, out: Global<i32>) {
    if x > 1 && let 3 = x {
        out.store(3);
    }
    if let Some(y) = x {
        out.store(y);
    }
    while let 4_u8 = x {
        out.store(4);
    }
    let (1, y) = x else {
        return;
    };
    let z = if let 3 = x { 1 };
}

#[shmem_kernel]
fn labelled(x: i32, out: Global<i32>) {
    let a = 'a: {
        if x == 1 {
            break 'a 2;
        }
    };
    let b: i32 = 'b: {
        break 'b true;
    };
    'c: {
        continue 'c;
    }
    'd: {
        break 'd 4;
    }
}

fn main() {}
