//! What a text may say; the body runs on the host, with no warning about it.

#![deny(warnings)]

use shmem::prelude::*;

const TABLE: u64 = 1 << 40;

#[shmem_device]
fn next(x: i32) -> i32 {
    shmem::print!("next of {x}");
    x + 1
}

#[shmem_kernel]
fn every_form(cell: Global<i32>, mut x: i32) {
    let seen = cell.load();
    let debugged = seen + 1;
    shmem::print!("{seen} {} {:?} {0} {TABLE}", next(x), 1.5,);
    ::shmem::print!("{}", { x += 1; x } as u8);
    debug_assert!(debugged != x || shmem::my_pe() == 0);
    assert!(matches(x) == 3 && (x < 10
        || x > 12), "{a} {b}", a = x, b = true);
    if x > 100 {
        todo!("larger than {x}")
    }
    match x {
        3 => shmem::print!(),
        _ => unimplemented!(),
    }
}

#[shmem_device]
fn matches(x: i32) -> i32 {
    debug_assert_eq!(x, x);
    debug_assert_ne!(x, 7, "seven");
    x
}

fn main() {
    let mut cell = 5;
    let ((), lines) = shmem::capture_prints(|| every_form(Global::from_mut(&mut cell), 2));
    let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
    assert_eq!(
        lines,
        [
            "[pe 0 block 0] next of 2",
            "[pe 0 block 0] 5 3 1.5 3 1099511627776",
            "[pe 0 block 0] 3",
            "[pe 0 block 0] ",
        ]
    );
}
