//! What `shmem::print!` does not take. The same holds for the texts of panics.

use shmem::prelude::*;

#[shmem_kernel]
fn placeholders(x: i32) {
    shmem::print!("{}");
    shmem::print!("{} {}", x);
    shmem::print!("{0} {3}", x);
    shmem::print!("{}", x, 2 * x);
    shmem::print!("{1}", x, x);
    shmem::print!("{x}", y = x);
    shmem::print!("{unknown}");
    shmem::print!("{}", missing);
    shmem::print!("{:5}", x);
    shmem::print!("{x:#?}");
    shmem::print!("{x:>1$}", 1);
    shmem::print!("{");
    shmem::print!("}");
    shmem::print!("{x.y}");
}

#[shmem_kernel]
fn values(cell: Global<i32>, cells: Symmetric<[f16]>) {
    shmem::print!("{}", cell);
    shmem::print!("{cells:?}");
    shmem::print!("{:?}", cells.at(0));
    shmem::print!("{:?}", shmem::quiet());
    shmem::print!("{}", "text");
    shmem::print!("{}", 'c');
}

#[derive(Clone, Copy, PartialEq)]
struct Pair {
    a: i32,
    b: i32,
}

#[derive(Clone, Copy)]
enum Side {
    Left,
    Right,
}

#[shmem_kernel]
fn parts(x: i32) {
    let pair = Pair { a: x, b: 1 };
    let side = Side::Left;
    shmem::print!("{pair:?} {}", pair.a);
    shmem::print!("{:?}", side);
    shmem::print!("{:?}", (x, 2.5));
    shmem::print!("{:?}", [1_u8; 3]);
    assert_eq!(pair, Pair { a: 1, b: 1 });
}

#[shmem_kernel]
fn texts(x: i32) {
    shmem::print!(x);
    shmem::print!(concat!("a", "b"));
    shmem::print!(b"bytes");
    shmem::print!(if);
    let printed = shmem::print!("a");
}

#[shmem_device]
fn others(x: i32) -> i32 {
    print!("{x}");
    shmem::println!("{x}");
    dbg!(x)
}

fn main() {}
