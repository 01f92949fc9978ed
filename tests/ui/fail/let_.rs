//! A local is a plain name with its value.

use shmem::prelude::*;

#[shmem_kernel]
fn deferred(x: i32, out: Global<i32>) {
    let a;
    if x == 1 {
        a = 2;
    } else {
        a = 3;
    }
    out.store(a);
    let b: i32;
    let _;
}

#[shmem_kernel]
fn patterns(x: i32, out: Global<i32>) {
    let (a, [b]) = (x, [1]);
    out.store(a + b);
    let ref c = x;
    let d @ _ = x;
    let &e = &x;
    let [f, g] = [1, 2];
    let 3 = x;
    for (h, i) in 0..3 {
        out.store(h + i);
    }
}

#[shmem_kernel]
fn let_else(x: i32, out: Global<i32>) {
    let Some(a) = Some(x) else {
        return;
    };
    out.store(a);
    let b = x else { return };
}

fn main() {}
