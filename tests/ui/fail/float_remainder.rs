//! The device has no fmod.

use shmem::prelude::*;

#[shmem_kernel]
fn remainder(mut a: f32, b: f64) {
    let c = a % 2.0;
    let d = b % b;
    a %= 3.0;
}

fn main() {}
