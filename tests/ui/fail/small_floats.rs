//! f16, bf16 have no `as` and no literals; c_char is carried, not computed with.

use shmem::prelude::*;

#[shmem_kernel]
fn halves(mut a: f16, b: bf16, x: i32, out: Global<f16>) {
    let c = a + a;
    let c = b * b;
    let c = -a;
    let c = a == a;
    let c = a < a;
    let c = a as f32;
    let c = x as f16;
    let c = b as i32;
    out.store(1.0);
    out.store(x);
    out.store(b);
    a += a;
    let c = a + 1.0;
    let d: f32 = a;
}

#[shmem_kernel]
fn chars(mut a: c_char, f: f32, out: Global<c_char>) {
    let b = a + a;
    let b = -a;
    let b = !a;
    let b = a < a;
    let b = a << 1;
    a += 1;
    let b = f as c_char;
    let b = a as f32;
    let b = true as c_char;
    out.store(200);
    out.store(-1);
    out.store(f);
    let b: i8 = a;
}

fn main() {}
