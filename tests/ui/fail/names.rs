//! A kernel sees its own parameters and locals.

use shmem::prelude::*;

const LIMIT: i32 = 10;
static COUNT: i32 = 10;

#[shmem_kernel]
fn names(x: i32, out: Global<i32>) {
    out.store(y);
    out.store(LIMIT + COUNT);
    out.store(i32::MAX);
    out.store(<i32>::MIN);
    out.store(std::f32::consts::PI as i32);
    z = x;
    w += 1;
    {
        let inner = 1;
        out.store(inner);
    }
    out.store(inner);
    let later = later + 1;
    for i in 0..i {
        out.store(i);
    }
    self.x.store(1);
}

fn main() {
    assert_eq!(LIMIT, COUNT);
}
