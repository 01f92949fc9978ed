//! `match`, `loop` with a value, locals that get their value later, steps, methods of numbers, assertions.

// Odd on purpose.
#![allow(
    clippy::manual_is_multiple_of,
    clippy::manual_range_patterns,
    clippy::match_overlapping_arm,
    clippy::match_single_binding,
    clippy::needless_late_init,
    clippy::never_loop
)]

use shmem::prelude::*;

/// `match` as a value and as a statement.
#[shmem_kernel]
pub fn matches(x: i32, out: Global<[i64]>) {
    let kind = match x {
        i32::MIN => 1,
        -5..=-1 => 2,
        0 => 3,
        1 | 2 | 7 => 4,
        n if n % 2 == 0 && n > 100 => n as i64,
        n @ 3..=9 => n as i64 * 10,
        10.. => 5,
        _ => {
            let twice = x / 2;
            twice as i64
        }
    };
    out.at(0).store(kind);
    match (x as u8) & 3 {
        0 => out.at(1).store(10),
        1 => {
            out.at(1).store(11);
            if x > 50 {
                return;
            }
        }
        _ => {}
    }
    match x > 3 {
        true if x > 5 => out.at(2).store(1),
        true => out.at(2).store(2),
        false => out.at(2).store(3),
    }
    let nested = match x {
        0..=10 => match x {
            mut y => {
                y += 1;
                y
            }
        },
        other => other.wrapping_neg(),
    };
    out.at(3).store(nested as i64);
}

/// `loop` with a value, and `let` without one.
#[shmem_kernel]
pub fn later(limit: u32, out: Global<[i64]>) {
    let mut n = 0u32;
    let found = loop {
        n += 1;
        if n * n > limit {
            break n;
        }
        if n == 40 {
            break 1000 + n;
        }
    };
    out.at(0).store(found as i64);
    let sign;
    if limit > 10 {
        sign = 1;
    } else {
        sign = -1;
    }
    out.at(1).store(sign);
    let pair = 'outer: loop {
        let mut k = 0i64;
        loop {
            k += 3;
            if k > limit as i64 {
                break 'outer k;
            }
        }
    };
    out.at(2).store(pair);
    let cell;
    if limit % 2 == 0 {
        cell = out.at(3);
    } else {
        cell = out.at(4);
    }
    cell.store(7);
}

/// Ranges that run downwards and in steps.
#[shmem_kernel]
pub fn steps(step: usize, out: Global<[i64]>) {
    let mut trace = 0i64;
    for i in (0..7i32).rev() {
        trace = trace * 10 + i as i64;
    }
    out.at(0).store(trace);
    trace = 0;
    for i in (250..=255u8).rev() {
        if i == 252 {
            continue;
        }
        trace = trace * 10 + (i - 249) as i64;
    }
    out.at(1).store(trace);
    trace = 0;
    for i in (-128..=127i8).step_by(step) {
        trace = (trace * 31 + i as i64) % 1000003;
    }
    out.at(2).store(trace);
    trace = 0;
    for i in (0..100u64).rev().step_by(step) {
        trace = (trace * 31 + i as i64) % 1000003;
    }
    out.at(3).store(trace);
    for _ in (5..5i32).rev() {
        trace = -1;
    }
    for mut i in (3..40u16).step_by(9) {
        i *= 2;
        trace += i as i64;
    }
    out.at(4).store(trace);
}

/// Assertions and panics with values.
#[shmem_kernel]
pub fn asserts(x: i32, y: f32, out: Global<i32>) {
    assert!(x != 1);
    assert!(x != 2, "x is {x}, y is {} and {{braces}}", y);
    assert_eq!(x % 2, 0);
    assert_ne!(y, 1.5, "y of {x}");
    let value = match x {
        4 => panic!("four"),
        6 => unreachable!("not {:?}", y),
        8 => unreachable!(),
        10 => panic!(),
        other => other,
    };
    out.store(value);
}

/// The methods of `i8`.
#[shmem_kernel]
pub fn methods_i8(op: u32, a: i8, b: i8, n: u32, out: Global<[i64]>) {
    let value = match op {
        0 => a.wrapping_add(b) as i64,
        1 => a.wrapping_sub(b) as i64,
        2 => a.wrapping_mul(b) as i64,
        3 => a.wrapping_neg() as i64,
        4 => a.wrapping_shl(n) as i64,
        5 => a.wrapping_shr(n) as i64,
        6 => a.wrapping_abs() as i64,
        7 => a.wrapping_pow(n) as i64,
        8 => a.saturating_add(b) as i64,
        9 => a.saturating_sub(b) as i64,
        10 => a.saturating_mul(b) as i64,
        11 => a.signum() as i64,
        12 => a.is_negative() as i64 * 2 + a.is_positive() as i64,
        13 => a.unsigned_abs() as i64,
        14 => a.abs_diff(b) as i64,
        15 => a.min(b) as i64 * 1000 + a.max(b) as i64,
        16 => a.count_ones() as i64 * 100 + a.count_zeros() as i64,
        17 => a.leading_zeros() as i64 * 100 + a.trailing_zeros() as i64,
        18 => a.leading_ones() as i64 * 100 + a.trailing_ones() as i64,
        19 => a.rotate_left(n) as i64 * 1000 + a.rotate_right(n) as i64,
        20 => a.swap_bytes() as i64 * 1000 + a.reverse_bits() as i64,
        21 => core::cmp::max(a, b) as i64 - core::cmp::min(1, b) as i64,
        22 => i8::MAX as i64 + i8::BITS as i64,
        23 => a.wrapping_div(b) as i64,
        24 => a.wrapping_rem(b) as i64,
        25 => a.rem_euclid(b) as i64,
        26 => a.div_euclid(b) as i64,
        27 => a.abs() as i64,
        28 => a.pow(n % 9) as i64,
        _ => a.clamp(b, 50) as i64,
    };
    out.at(0).store(value);
}

/// The methods of `u64`.
#[shmem_kernel]
pub fn methods_u64(op: u32, a: u64, b: u64, n: u32, out: Global<[i64]>) {
    let value = match op {
        0 => a.wrapping_add(b),
        1 => a.wrapping_sub(b),
        2 => a.wrapping_mul(b),
        3 => a.wrapping_neg(),
        4 => a.wrapping_shl(n),
        5 => a.wrapping_shr(n),
        6 => a.is_power_of_two() as u64,
        7 => a.wrapping_pow(n),
        8 => a.saturating_add(b),
        9 => a.saturating_sub(b),
        10 => a.saturating_mul(b),
        14 => a.abs_diff(b),
        15 => a.min(b).wrapping_mul(3).wrapping_add(a.max(b)),
        16 => a.count_ones() as u64 * 100 + a.count_zeros() as u64,
        17 => a.leading_zeros() as u64 * 100 + a.trailing_zeros() as u64,
        18 => a.leading_ones() as u64 * 100 + a.trailing_ones() as u64,
        19 => a.rotate_left(n) ^ a.rotate_right(n).wrapping_mul(7),
        20 => a.swap_bytes() ^ a.reverse_bits().wrapping_mul(7),
        23 => a.wrapping_div(b),
        24 => a.wrapping_rem(b),
        25 => a.rem_euclid(b),
        26 => a.div_euclid(b),
        28 => a.pow(n % 9),
        29 => a.clamp(b, 50),
        _ => u64::MAX,
    };
    out.at(0).store(value as i64);
}

/// Bits and constants of floats.
#[shmem_kernel]
pub fn floats(x: f32, y: f64, out: Global<[u64]>) {
    out.at(0).store(x.to_bits() as u64);
    out.at(1).store(y.to_bits());
    out.at(2)
        .store(f32::from_bits(x.to_bits() ^ 1).to_bits() as u64);
    out.at(3).store(f64::from_bits(y.to_bits() ^ 1).to_bits());
    out.at(4)
        .store(f32::INFINITY.to_bits() as u64 + f64::NEG_INFINITY.to_bits());
    out.at(5).store(f32::NAN.to_bits() as u64);
    out.at(6)
        .store(core::f32::consts::PI.to_bits() as u64 + core::f64::consts::E.to_bits());
    out.at(7).store(
        f32::EPSILON.to_bits() as u64 + f32::MAX.to_bits() as u64 + f64::MIN_POSITIVE.to_bits(),
    );
}

/// The methods of `f32`.
#[shmem_kernel]
pub fn methods_f32(x: f32, y: f32, z: f32, out: Global<[f32]>, bools: Global<[u8]>) {
    out.at(0).store(x.abs());
    out.at(1).store(x.signum());
    out.at(2).store(x.copysign(y));
    out.at(3).store(x.sqrt());
    out.at(4).store(x.floor());
    out.at(5).store(x.ceil());
    out.at(6).store(x.round());
    out.at(7).store(x.trunc());
    out.at(8).store(x.mul_add(y, z));
    out.at(9).store(x.min(y));
    out.at(10).store(x.max(y));
    out.at(11).store(x.rem_euclid(y));
    out.at(12).store(x.div_euclid(y));
    out.at(13).store(x % y);
    bools
        .at(0)
        .store(x.is_nan() as u8 + 2 * x.is_finite() as u8 + 4 * x.is_infinite() as u8);
}

/// The methods of `f64`.
#[shmem_kernel]
pub fn methods_f64(x: f64, y: f64, z: f64, out: Global<[f64]>, bools: Global<[u8]>) {
    out.at(0).store(x.abs());
    out.at(1).store(x.signum());
    out.at(2).store(x.copysign(y));
    out.at(3).store(x.sqrt());
    out.at(4).store(x.floor());
    out.at(5).store(x.ceil());
    out.at(6).store(x.round());
    out.at(7).store(x.trunc());
    out.at(8).store(x.mul_add(y, z));
    out.at(9).store(x.min(y));
    out.at(10).store(x.max(y));
    out.at(11).store(x.rem_euclid(y));
    out.at(12).store(x.div_euclid(y));
    out.at(13).store(x % y);
    bools
        .at(0)
        .store(x.is_nan() as u8 + 2 * x.is_finite() as u8 + 4 * x.is_infinite() as u8);
}

/// Arithmetic, comparisons and conversions of `f16`.
#[shmem_kernel]
pub fn small_f16(
    x: f16,
    y: f16,
    w: f32,
    out: Global<[f16]>,
    wide: Global<[f32]>,
    bools: Global<[u8]>,
) {
    out.at(0).store(x + y);
    out.at(1).store(x - y);
    out.at(2).store(x * y);
    out.at(3).store(x / y);
    out.at(4).store(x % y);
    out.at(5).store(-x);
    out.at(6).store(f16::from_f32(w));
    out.at(7).store(f16::from_f64(w as f64 * 1.0000001));
    out.at(8).store(f16::from_bits(x.to_bits() ^ 1));
    out.at(9).store(f16::MAX * f16::EPSILON);
    wide.at(0).store(x.to_f32());
    wide.at(1).store(x.to_f64() as f32);
    bools
        .at(0)
        .store((x < y) as u8 + 2 * (x <= y) as u8 + 4 * (x == y) as u8 + 8 * (x != y) as u8);
    bools
        .at(1)
        .store((x > y) as u8 + 2 * (x >= y) as u8 + 4 * x.is_nan() as u8 + 8 * x.is_finite() as u8);
}

/// Arithmetic, comparisons and conversions of `bf16`.
#[shmem_kernel]
pub fn small_bf16(
    x: bf16,
    y: bf16,
    w: f32,
    out: Global<[bf16]>,
    wide: Global<[f32]>,
    bools: Global<[u8]>,
) {
    out.at(0).store(x + y);
    out.at(1).store(x - y);
    out.at(2).store(x * y);
    out.at(3).store(x / y);
    out.at(4).store(x % y);
    out.at(5).store(-x);
    out.at(6).store(bf16::from_f32(w));
    out.at(7).store(bf16::from_f64(w as f64 * 1.0000001));
    out.at(8).store(bf16::from_bits(x.to_bits() ^ 1));
    out.at(9).store(bf16::MAX * bf16::EPSILON);
    wide.at(0).store(x.to_f32());
    wide.at(1).store(x.to_f64() as f32);
    bools
        .at(0)
        .store((x < y) as u8 + 2 * (x <= y) as u8 + 4 * (x == y) as u8 + 8 * (x != y) as u8);
    bools
        .at(1)
        .store((x > y) as u8 + 2 * (x >= y) as u8 + 4 * x.is_nan() as u8 + 8 * x.is_finite() as u8);
}

/// `let` with tuple patterns.
#[shmem_kernel]
pub fn tuples(a: i8, b: i8, out: Global<[i64]>) {
    let (x, y) = (a, b);
    let (y, (x, mut z)) = (x, (y, 3));
    z += 1;
    out.at(0).store(x as i64 * 1000 + y as i64 * 10 + z as i64);
    let (sum, over) = x.overflowing_add(y);
    let (difference, under) = (x).overflowing_sub(y);
    let (product, _) = x.overflowing_mul(y);
    let (_, many) = x.overflowing_mul(y);
    let (minus, least) = x.overflowing_neg();
    out.at(1).store(sum as i64 + over as i64 * 1000);
    out.at(2).store(difference as i64 + under as i64 * 1000);
    out.at(3).store(product as i64 + many as i64 * 1000);
    out.at(4).store(minus as i64 + least as i64 * 1000);
}
