//! Attributes where Rust allows them, in every order; what a `cfg` takes away is nothing.

#![deny(unused_variables, unused_mut)]

use shmem::prelude::*;

#[inline]
#[shmem_kernel]
#[must_use]
#[cfg(all())]
/// Of the function.
#[allow(clippy::too_many_arguments)]
fn attributes(
    cell: Global<i32>,
    #[allow(unused_variables)] x: i32,
    #[cfg(any())] gone: NoType,
    #[cfg(not(any()))] y: i32,
) {
    #![allow(unused_assignments)]
    #[allow(unused_variables)]
    let unused = 1;
    #[cfg(any())]
    let y = unknown_function();
    #[expect(unused_mut)]
    let mut z = 3;
    #[rustfmt::skip]
    let w = z+y;
    #[cfg(any())]
    {
        unknown();
    }
    #[cfg(not(all()))]
    if w == 1 {
        return;
    }
    #[cfg_attr(all(), allow(unused_variables))]
    #[cfg_attr(any(), cfg(all()))]
    let v = 0;
    #[cfg_attr(all(), cfg(any()))]
    unknown!();
    let (a, b) = (1, #[cfg(any())] unknown, 2);
    let c = helper(#[cfg(any())] unknown, #[cfg(all())] w);
    let d = match c {
        #[cfg(any())]
        7 => unknown,
        #[allow(unused_variables)]
        n @ 7 => 10,
        #[cfg(all())]
        _ => 20,
    };
    let e = [1, #[cfg(any())] unknown, 5];
    cell.store(a + b + c + d + e[1]);
    #[cfg(any())]
    unknown()
}

#[cfg(all())]
#[shmem_device]
#[inline(always)]
fn helper(#[cfg(any())] a: NoType, #[allow(unused)] b: i32) -> i32 {
    #[cfg(any())]
    return unknown;
    #[cfg(all())]
    b
}

#[shmem_device]
#[cfg(any())]
fn helper() -> NoType {}

fn main() {
    let mut cell = 0;
    #[allow(unused_must_use)]
    attributes(Global::from_mut(&mut cell), 1, 4);
    assert_eq!(cell, 1 + 2 + 7 + 10 + 5);
}
