//! No macro is expanded in a kernel.

use shmem::prelude::*;

#[shmem_kernel]
fn printing(x: i32) {
    println!("x = {x}");
    dbg!(x);
}

#[shmem_kernel]
fn panicking(x: i32, out: Global<i32>) {
    assert!(x > 0);
    assert_eq!(x, 3, "x is {}", x);
    let y = if x == 3 { 1 } else { panic!("no") };
    out.store(y);
    if x == 4 {
        unreachable!()
    }
}

#[shmem_kernel]
fn allocating(out: Global<i32>) {
    let text = format!("{}", 3);
    let numbers = vec![1, 2, 3];
    out.store(numbers[0]);
}

macro_rules! one {
    () => {
        1
    };
}

#[shmem_kernel]
fn own(out: Global<i32>) {
    out.store(one!());
}

fn main() {
    assert_eq!(one!(), 1);
}
