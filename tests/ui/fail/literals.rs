//! Literals: kinds, suffixes and ranges.

use shmem::prelude::*;

#[shmem_kernel]
fn kinds() {
    let a = 'x';
    let a = b'x';
    let a = "x";
    let a = b"x";
    let a = c"x";
    let a = 1_u128;
    let a = 1_i128;
}

#[shmem_kernel]
fn ranges(mut x: i8) {
    let a: u8 = 256;
    let a = 128_i8;
    let a: i8 = -129;
    let a = 2147483648;
    let a = -2147483649;
    let a: u64 = 18446744073709551616;
    let a = 340282366920938463463374607431768211456;
    let a = 0xffff_ffff;
    let a: u32 = -1;
    let a = -1 as u64;
    let a = -5_u32;
    let a: f32 = 1e39;
    let a = 1e39_f32;
    let a = -1e400;
    x = 200;
    x += 300;
}

fn main() {}
