//! Small programs on which code generators have gone wrong, here and elsewhere.

// They are written as people write them, not as the lints would have them.
#![allow(
    clippy::approx_constant,
    clippy::excessive_precision,
    clippy::mixed_read_write_in_expression,
    clippy::needless_late_init,
    clippy::needless_return,
    clippy::int_plus_one,
    clippy::neg_multiply,
    clippy::blocks_in_conditions,
    clippy::nonminimal_bool,
    clippy::eq_op,
    clippy::manual_range_patterns,
    clippy::unnecessary_cast,
    unused_assignments
)]

use shmem::prelude::*;

/// Arguments of every width, each beside one of another.
#[shmem_kernel]
#[allow(clippy::too_many_arguments)]
pub fn packed(a: u8, b: i64, c: f16, d: u16, e: f32, f: i8, g: bool, h: bf16, out: Global<[u64]>) {
    out.at(0).store(a as u64);
    out.at(1).store(b as u64);
    out.at(2).store(c.to_bits() as u64);
    out.at(3).store(d as u64);
    out.at(4).store(e.to_bits() as u64);
    out.at(5).store(f as u64);
    out.at(6).store(g as u64);
    out.at(7).store(h.to_bits() as u64);
}

/// f32 to the small floats.
#[shmem_kernel]
pub fn narrowed(x: f32, out: Global<[u32]>) {
    out.at(0).store(f16::from_f32(x).to_bits() as u32);
    out.at(1).store(bf16::from_f32(x).to_bits() as u32);
    out.at(2)
        .store(bf16::from_f32(3_i32 as f32).to_bits() as u32);
}

/// Casts between signs and widths.
#[shmem_kernel]
pub fn signs(minus: i8, big: u8, full: u32, wide: u64, out: Global<[i64]>) {
    out.at(0).store((minus as u32) as i64);
    out.at(1).store((minus as u64) as i64);
    out.at(2).store((big as i8) as i64);
    out.at(3).store(full as i64);
    out.at(4).store((wide as u32) as i64);
    out.at(5).store((wide != 0) as i64);
    out.at(6).store((wide >> 24 == 256) as u8 as i64);
}

/// Floats to integers: they saturate.
#[shmem_kernel]
pub fn saturated(x: f32, y: f64, out: Global<[i64]>) {
    out.at(0).store((x as i32) as i64);
    out.at(1).store((x as u8) as i64);
    out.at(2).store((x as u32) as i64);
    out.at(3).store((x as u64) as i64);
    out.at(4).store(x as i64);
    out.at(5).store((y as i32) as i64);
    out.at(6).store((y as u64) as i64);
    out.at(7).store(((u64::MAX as f32).to_bits()) as i64);
}

/// Float literals, to the bit.
#[shmem_kernel]
pub fn literals(out: Global<[u64]>) {
    out.at(0).store(1e-8_f32.to_bits() as u64);
    out.at(1).store(0.1_f32.to_bits() as u64);
    out.at(2).store(f32::INFINITY.to_bits() as u64);
    out.at(3).store(f32::NEG_INFINITY.to_bits() as u64);
    out.at(4).store((-0.0_f32).to_bits() as u64);
    out.at(5).store(f32::MIN_POSITIVE.to_bits() as u64);
    out.at(6).store(1e-45_f32.to_bits() as u64);
    out.at(7).store(16777217.0_f32.to_bits() as u64);
    out.at(8).store(core::f64::consts::PI.to_bits());
    let (a, b) = (1., 1e3);
    out.at(9).store((a + b * 0.5_f64).to_bits());
    let nan = f32::NAN;
    let compared = (nan == nan) as u64 + 2 * (nan != nan) as u64 + 4 * (nan < 1.0) as u64;
    out.at(10).store(compared);
    out.at(11).store(nan.min(2.0).to_bits() as u64);
    out.at(12).store(3.0_f32.max(nan).to_bits() as u64);
}

/// Division rounds to zero, and its divisor may be zero.
#[shmem_kernel]
pub fn divided(a: i32, b: i32, out: Global<[i64]>) {
    out.at(0).store((a / b) as i64);
    out.at(1).store((a % b) as i64);
    out.at(2).store(a.rem_euclid(b) as i64);
}

#[shmem_device]
fn next(counter: &mut i64) -> i64 {
    *counter += 1;
    *counter
}

#[shmem_device]
fn digits(tens: i64, ones: i64) -> i64 {
    tens * 10 + ones
}

/// Operands go from left to right, and the right side of an assignment before its left one.
#[shmem_kernel]
pub fn ordered(out: Global<[i64]>) {
    let mut c = 0;
    out.at(0).store(next(&mut c) * 10 + next(&mut c));
    c = 0;
    out.at(1).store(digits(next(&mut c), next(&mut c)));
    let mut x = [0_i64; 4];
    let mut at = 0_usize;
    x[{
        at += 1;
        at
    }] = {
        at += 1;
        at as i64
    };
    out.at(2).store(x[0] * 1000 + x[1] * 100 + x[2] * 10 + x[3]);
    let mut a = 1;
    let sum = {
        a += 1;
        a
    } + {
        a *= 10;
        a
    };
    out.at(3).store(sum);
    let mut y = 1;
    y += {
        y = 5;
        1
    };
    out.at(4).store(y);
    let mut k = 0;
    let both = k == 1 && {
        k += 1;
        true
    };
    let either = k == 0 || {
        k += 10;
        true
    };
    out.at(5).store(k + 2 * both as i64 + 4 * either as i64);
}

/// Two gets with effects of their own as the arguments of a put.
#[shmem_kernel]
pub fn put_of_gets(a: Symmetric<i64>, b: Symmetric<i64>, to: Symmetric<i64>, count: Global<[i64]>) {
    let pe = shmem::my_pe();
    let mut steps = 0;
    shmem::p(
        to,
        shmem::g(a, {
            steps += 1;
            count.at(0).store(steps);
            pe
        }) * shmem::g(b, {
            steps *= 10;
            count.at(1).store(steps);
            pe
        }),
        pe,
    );
    shmem::quiet();
}

#[shmem_device]
fn first_over(limit: i64, cells: Global<[i64]>) -> i64 {
    for i in 0..cells.len() {
        if cells.at(i).load() > limit {
            return i as i64;
        }
    }
    -1
}

/// Returns from everywhere.
#[shmem_kernel]
pub fn returns(which: i64, out: Global<[i64]>) {
    if which == 0 {
        return;
    }
    out.at(0).store(which);
    for i in 1..out.len() {
        if i as i64 == which {
            return;
        }
        out.at(i)
            .store(first_over(which - i as i64, out.slice(0..i)));
    }
    let left = match which {
        100 => return,
        _ => 7,
    };
    out.at(1).store(left);
}

/// Blocks, `if` and `match` with values.
#[shmem_kernel]
pub fn valued(c: bool, n: i32, out: Global<[i64]>) {
    let t = if c {
        let q = 7;
        q + 1
    } else {
        0
    };
    out.at(0).store(t);
    let x;
    if c {
        x = 1
    } else {
        x = 2
    }
    out.at(1).store(x);
    out.at(2).store(match n {
        i32::MIN => -1,
        -5..=-1 | 100 => 1,
        m if m > 10 && m % 2 == 0 => m as i64,
        3 | 4 | 5 => 3,
        0..=4 => 2,
        m @ 5..=9 => 10 * m as i64,
        _ => 4,
    });
    let (a, (b, d)) = (1, (n as i64, !c));
    out.at(3).store(a + b + d as i64);
}

/// Loops that do nothing stay, and one on `g` ends when the cell says so.
#[shmem_kernel]
pub fn waits(cell: Symmetric<i32>, turns: u64, out: Global<u64>) {
    let me = shmem::my_pe();
    let mut count = 0_u64;
    while shmem::g(cell, me) == 0 {
        count += 1;
        if count == turns {
            shmem::p(cell, 1, me);
            shmem::quiet();
        }
    }
    for _ in 0..turns {}
    while count < turns * 2 {
        count += 1;
    }
    out.store(count);
}
