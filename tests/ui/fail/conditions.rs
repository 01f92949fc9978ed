//! Conditions are bools, and branches have one type.

use shmem::prelude::*;

#[shmem_kernel]
fn conditions(cell: Global<i32>, x: i32, f: f64) {
    if x {}
    while f {}
    if x == 1 && x {}
    if !x {}
    if cell {}
    let a = if x == 1 { 1 } else { 2.0 };
    let b = if x == 1 { x } else { f };
    let c = if x == 1 { x } else { shmem::quiet() };
    let d = if x == 1 { x } else if x == 2 { true } else { x };
    let e = if x == 1 { cell } else { x };
    let g = if x == 1 { x } else { shmem::quiet(); };
    let h = if x == 1 { loop { break; } } else { 3 };
}

fn main() {}
