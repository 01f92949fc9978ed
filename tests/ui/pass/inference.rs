//! The types of numbers, found as rustc finds them: the stub would not compile where they differ.

#![deny(warnings)]
#![allow(clippy::unnecessary_cast)]

use shmem::prelude::*;

#[shmem_kernel]
fn literals(out: Global<[u64]>, small: u8, wide: i64, index: usize) {
    // Decided by a later use.
    let mut late = 1;
    late += 1 << 40;
    out.at(0).store(late);
    let chain = 3;
    let chained = chain + 4;
    let end = chained * index;
    out.at(1).store(end as u64);
    // Decided by the other side, from either side.
    out.at(2).store((200 + small) as u64);
    out.at(3).store((small - 1) as u64);
    // Nothing decides: i32.
    let plain = 2147483647;
    out.at(4).store(plain as u64);
    // By a cast around it.
    out.at(5).store(4_000_000_000 as u64);
    out.at(6).store((0xffff_ffff) as u64);
    out.at(7).store({ 5_000_000_000 } as u64);
    out.at(8).store(!0 as u64);
    // Not by a cast around an operator.
    out.at(9).store((1 << 30) as u64);
    // Shifts have two types.
    out.at(10).store((1_u8 << wide) as u64);
    let amount = 5;
    out.at(11).store(1 << amount);
    out.at(12).store((small >> 1_i8) as u64);
    let compared = if wide == 3 { 1 } else { 0 };
    out.at(13).store(compared);
    let mut shifted = 1;
    shifted <<= 3_u8;
    out.at(14).store(shifted);
    let explicit: u16 = 0b1111_0000;
    let inferred: _ = explicit;
    out.at(15).store(inferred as u64);
    for i in 16..18 {
        out.at(i).store(i as u64);
    }
    let unified = if small == 0 { 1 } else { wide };
    out.at(18).store(unified as u64);
    let left = if small == 0 {
        return;
    } else {
        small
    };
    out.at(19).store(left as u64);
}

#[shmem_kernel]
fn floats(out: Global<[f64]>, f: f32) {
    let a = 0.1;
    out.at(0).store(a);
    let b = 0.1;
    out.at(1).store((f + b) as f64);
    out.at(2).store(1. + 1e3);
    out.at(3).store(0.1 as f32 as f64);
    out.at(4).store(-2.5_f32 as f64);
    out.at(5).store(7f32 as f64);
    out.at(6).store((f > 1.0) as i32 as f64);
    out.at(7).store(1 as f64);
    let c: f32 = if f > 0.0 { 1.5 } else { -f };
    out.at(8).store(c as f64);
}

#[shmem_kernel]
fn casts(out: Global<[i64]>, x: i32, f: f64) {
    out.at(0).store(-1_i8 as u32 as i64);
    out.at(1).store(200_u8 as i8 as i64);
    out.at(2).store(-1 as i8 as u8 as i64);
    out.at(3).store(-128_i8 as i64);
    out.at(4).store((-(128) as i32) as i64);
    out.at(5).store(f as u8 as i64);
    out.at(6).store(f as i32 as i64);
    out.at(7).store(x as u64 as i64);
    out.at(8).store(-9_223_372_036_854_775_808);
    out.at(9).store(-x as i64);
    out.at(10).store(!x as i64);
    out.at(11).store(true as u8 as i64);
    out.at(12).store((x < 0) as i64);
    out.at(13).store(if (x as i64) < 0 { 1 } else { 2 });
    out.at(14).store(x as core::primitive::i64);
}

#[shmem_kernel]
fn chars(cell: Symmetric<c_char>, byte: u8, other: core::ffi::c_char) {
    cell.store(65);
    shmem::p(cell, byte as c_char, 0);
    if cell.load() != other && shmem::g(cell, 0) == 66 {
        cell.store(other);
    }
}

#[shmem_kernel]
fn halves(a: Symmetric<f16>, b: Global<[shmem::bf16]>, c: f16, d: bf16, flag: bool) {
    let kept: f16 = a.load();
    a.store(if flag { c } else { kept });
    b.at(0).store(d);
    shmem::p(a, shmem::g(a, 0), 0);
}

fn main() {
    let mut out = [7_u64; 20];
    literals(Global::from_mut(&mut out[..]), 9, 3, 2);
    assert_eq!(
        out,
        [
            (1 << 40) + 1,
            14,
            209,
            8,
            2147483647,
            4_000_000_000,
            0xffff_ffff,
            5_000_000_000,
            u64::MAX,
            1 << 30,
            8,
            32,
            4,
            1,
            8,
            0xf0,
            16,
            17,
            3,
            9
        ]
    );

    let mut out = [0.0_f64; 9];
    floats(Global::from_mut(&mut out[..]), 2.0);
    let expected = [
        0.1,
        f64::from(2.0_f32 + 0.1_f32),
        1001.0,
        f64::from(0.1_f32),
        -2.5,
        7.0,
        1.0,
        1.0,
        1.5,
    ];
    assert_eq!(out, expected);

    let mut out = [0_i64; 15];
    casts(Global::from_mut(&mut out[..]), -5, -1.5);
    let expected = [
        4294967295,
        -56,
        255,
        -128,
        -128,
        0,
        -1,
        -5,
        i64::MIN,
        5,
        4,
        1,
        1,
        1,
        -5,
    ];
    assert_eq!(out, expected);

    let mut cell: c_char = 0;
    chars(Symmetric::from_mut(&mut cell), 66, 67);
    assert_eq!(cell, 67);

    let (mut a, mut b) = (f16::ONE, [bf16::ONE]);
    halves(
        Symmetric::from_mut(&mut a),
        Global::from_mut(&mut b[..]),
        f16::MAX,
        bf16::MIN,
        true,
    );
    assert_eq!((a, b[0]), (f16::MAX, bf16::MIN));
}
