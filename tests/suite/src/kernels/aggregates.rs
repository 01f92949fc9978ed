//! Arrays, tuples, structs and enums: made, taken apart, passed and returned.

// What a reader of these kernels would write; the lints want other words.
#![allow(
    clippy::needless_range_loop,
    clippy::needless_late_init,
    clippy::manual_is_multiple_of
)]

use shmem::prelude::*;

/// Elements of a table.
const SIZE: usize = 2 * HALF;
const HALF: usize = 3;
const PRIMES: [i32; SIZE] = [2, 3, 5, 7, 11, 13];
const ORIGIN: Point = Point { x: -1, y: 0.5 };

/// A field of each kind.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Point {
    /// Across.
    pub x: i32,
    /// Up.
    pub y: f32,
}

/// A struct in a struct, an array, a tuple, an enum, small floats.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Frame {
    /// A flag.
    pub on: bool,
    /// Wide.
    pub wide: i64,
    /// Two of them.
    pub corners: [Point; 2],
    /// A pair.
    pub r#type: (u8, u16),
    /// An enum.
    pub mode: Mode,
    /// Half as wide.
    pub half: f16,
}

/// A struct without names for its fields.
#[derive(Clone, Copy)]
pub struct Pair(pub u8, pub i64);

/// How it is done.
#[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
#[repr(u8)]
pub enum Mode {
    /// 0
    Off,
    /// 7
    Slow = HALF as isize as u8 + 4,
    /// 8
    Fast,
}

/// An enum with negative values.
#[derive(Clone, Copy)]
enum Sign {
    Minus = -1,
    Zero,
    Plus,
}

#[shmem_device]
fn sign(x: i32) -> Sign {
    if x < 0 {
        Sign::Minus
    } else if x == 0 {
        Sign::Zero
    } else {
        Sign::Plus
    }
}

#[shmem_device]
fn moved(point: Point, by: (i32, f32)) -> Point {
    Point {
        y: point.y + by.1,
        x: point.x + by.0,
    }
}

#[shmem_device]
fn sorted(mut values: [i32; SIZE]) -> [i32; SIZE] {
    for i in 0..values.len() {
        for j in 0..values.len() - 1 - i {
            if values[j] > values[j + 1] {
                (values[j], values[j + 1]) = (values[j + 1], values[j]);
            }
        }
    }
    values
}

#[shmem_device]
fn count(numbers: &mut [i32; SIZE], steps: &mut u32, by: &i32) -> i32 {
    let mut sum = 0;
    for i in 0..SIZE {
        numbers[i] += *by;
        sum += numbers[i];
        bump(steps);
    }
    sum
}

#[shmem_device]
fn bump(steps: &mut u32) {
    *steps += 1;
}

#[shmem_device]
fn next(steps: &mut u32) -> u32 {
    *steps = *steps * 3 + 1;
    *steps
}

#[shmem_device]
fn bounds(values: [i32; SIZE]) -> (i32, i32) {
    let (mut low, mut high) = (values[0], values[0]);
    for value in values {
        low = core::cmp::min(low, value);
        high = core::cmp::max(high, value);
    }
    (low, high)
}

/// Arrays: literals, repetition, indices, loops over them, equality.
#[shmem_kernel]
pub fn arrays(x: i32, at: usize, out: Global<[i64]>) {
    let mut numbers = [x, 4, -7, 0, x / 2, 9];
    numbers[at] = PRIMES[at] * 10;
    numbers[(at + 1) % SIZE] += 5;
    let (low, high) = bounds(numbers);
    out.at(0).store(low as i64);
    out.at(1).store(high as i64);
    let sorted = sorted(numbers);
    for (i, value) in [(2, sorted[0]), (3, sorted[5]), (4, sorted[at])] {
        out.at(i).store(value as i64);
    }
    let mut grid = [[1_u8; 3]; 2];
    grid[at % 2][at % 3] = 200;
    let mut sum = 0_u32;
    'rows: for row in grid {
        for cell in row {
            if cell == 200 && x == 3 {
                continue 'rows;
            }
            sum += cell as u32;
        }
    }
    out.at(5).store(sum as i64);
    out.at(6)
        .store((sorted == numbers) as i64 + 2 * (grid != [[1; 3]; 2]) as i64);
    let copy = numbers;
    numbers[0] = 77;
    out.at(7).store((copy[0] - numbers[0]) as i64);
    let [first, .., last] = copy;
    out.at(8).store((first - last) as i64);
    let empty = [0_i32; 0];
    out.at(9)
        .store(empty.len() as i64 + core::mem::size_of::<[i32; SIZE]>() as i64);
    let floats = [f16::from_f32(1.5), f16::ONE];
    out.at(10)
        .store((floats[at % 2] + floats[1]).to_f32() as i64);
}

/// Tuples: parts, nesting, patterns, assignment, equality, `overflowing_` methods as values.
#[shmem_kernel]
pub fn tuples(x: i32, out: Global<[i64]>) {
    let mut pair = (x, 2.5_f32);
    pair.0 += 1;
    let nested = (pair, [x; 3], (true, 7_u8));
    out.at(0)
        .store(nested.0.0 as i64 + nested.1[2] as i64 + nested.2.1 as i64);
    let ((a, b), [c, ..], (d, _)) = nested;
    out.at(1)
        .store(if d { a as i64 + c as i64 } else { b as i64 });
    let (mut p, mut q): (i32, i32) = (x, 5);
    (p, q) = (q, p);
    (_, (p, _)) = (p, (q + p, 9_i64));
    out.at(2).store(p as i64 * 1000 + q as i64);
    let wrapped = x.overflowing_add(i32::MAX);
    out.at(3).store(wrapped.0 as i64 + wrapped.1 as i64);
    out.at(4).store((pair == (x + 1, 2.5)) as i64);
    out.at(5).store(match (x % 3, x > 0, sign(x)) {
        (0, _, Sign::Zero) => 1,
        (0, true, _) => 2,
        (1 | -1, positive, Sign::Plus) if positive => 3,
        (rest, false, Sign::Minus) => 4 + rest as i64,
        (_, mut twice, _) => {
            twice = !twice;
            if twice { 5 } else { 6 }
        }
    });
    core::mem::swap(&mut p, &mut q);
    out.at(6).store(p as i64 * 1000 + q as i64);
    let later: (u8, [bool; 2]);
    if x == 4 {
        later = (1, [true, false]);
    } else {
        later = (2, [false; 2]);
    }
    out.at(7).store(later.0 as i64 + later.1[0] as i64);
}

/// Structs and enums: literals, the rest of another, patterns, constants, equality, order.
#[shmem_kernel]
pub fn structs(frame: Frame, mode: Mode, pair: Pair, table: [i16; 3], out: Global<[i64]>) {
    if frame.wide == 0 {
        shmem::print!("room for lines stands behind arguments of several slots");
    }
    let mut point = moved(frame.corners[1], (1, 0.5));
    out.at(0).store(point.x as i64 + (point.y * 4.0) as i64);
    point.x = 9;
    let other = Point { x: 3, ..point };
    let Point { x, y: up } = other;
    out.at(1).store(x as i64 + (up * 4.0) as i64);
    let Pair(small, wide) = pair;
    out.at(2)
        .store(small as i64 + wide + table[0] as i64 - table[2] as i64);
    let class = match mode {
        Mode::Off => 1,
        Mode::Slow if frame.on => 2,
        Mode::Slow | Mode::Fast => 3,
    };
    out.at(3).store(class + mode as i64 * 10);
    out.at(4)
        .store((mode == frame.mode) as i64 + 2 * (mode < Mode::Fast) as i64);
    out.at(5)
        .store(frame.wide + frame.r#type.0 as i64 + frame.r#type.1 as i64);
    let same = Frame { mode, ..frame };
    out.at(6)
        .store((same == frame) as i64 + 2 * (ORIGIN == point) as i64);
    out.at(7).store(match frame.corners {
        [Point { x: 1, .. }, _] => 1,
        [_, Point { y, x: 2..=4 }] => y as i64,
        _ => 3,
    });
    out.at(8)
        .store(frame.half.to_f32() as i64 + Pair(200, -1).1 + sign(x) as i64);
    out.at(9).store(ORIGIN.x as i64);
}

#[shmem_device]
fn add(cell: &mut i32, value: i32) {
    *cell += value;
}

#[shmem_device]
fn shifted(at: &mut usize, values: &mut [i32; SIZE]) -> i32 {
    add(&mut values[*at], {
        *at += 1;
        40
    });
    values[{
        *at += 1;
        *at
    }] = {
        *at += 1;
        *at as i32 * 7
    };
    values[*at - 3] * 1000 + values[*at]
}

/// References to locals, and the order in which they change.
#[shmem_kernel]
pub fn references(x: i32, out: Global<[i64]>) {
    let mut numbers = [x, 1, 2, 3, 4, 5];
    let mut steps = 0;
    let sum = count(&mut numbers, &mut steps, &2);
    out.at(0).store(sum as i64 * 100 + steps as i64);
    out.at(1).store(numbers[0] as i64);
    out.at(2)
        .store((steps + next(&mut steps) * steps + next(&mut steps)) as i64);
    let mut frame = (3_u32, [5_u32; 2]);
    let pair = (frame.0, next(&mut frame.0), frame.0);
    out.at(3)
        .store((pair.0 * 10000 + pair.1 * 100 + pair.2) as i64);
    frame.1[next(&mut steps) as usize % 2] += next(&mut frame.0);
    out.at(4)
        .store(frame.1[0] as i64 * 1000 + frame.1[1] as i64);
    steps += next(&mut steps);
    out.at(5).store(steps as i64);
    if next(&mut steps) > 3 && steps % 2 == 0 {
        bump(&mut frame.1[1]);
    }
    out.at(6).store(frame.1[1] as i64);
    let mut at = 1;
    out.at(7)
        .store(shifted(&mut at, &mut numbers) as i64 * 10 + at as i64);
}

/// Panics by an index: of a read, a write, a compound one, in a row, through a reference.
#[shmem_kernel]
pub fn indices(which: u32, i: usize, out: Global<[i64]>) {
    let mut rows = [[1_i64, 2], [3, 4], [5, 6]];
    let mut small = [f16::ONE; 2];
    if which == 0 {
        out.at(0).store(rows[i][1]);
    } else if which == 1 {
        rows[1][i] = 10 / (i as i64 - 3);
    } else if which == 2 {
        rows[i][i] += 7;
    } else if which == 3 {
        small[i] += f16::from_f32((6 / (i as i32 - 3)) as f32);
    } else if which == 4 {
        out.at(0).store(PRIMES[i] as i64 + PRIMES[i + 1] as i64);
    } else {
        out.at(0).store((rows[1])[i]);
    }
    out.at(1)
        .store(rows[0][0] + rows[1][0] + rows[1][1] + rows[2][0]);
    out.at(2).store(small[0].to_f32() as i64);
}

/// 40 KiB of locals.
#[shmem_kernel]
pub fn large(x: i32, out: Global<[i64]>) {
    let mut table = [x; 10240];
    for i in 1..table.len() {
        table[i] = table[i - 1].wrapping_mul(31) ^ i as i32;
    }
    out.at(0).store(table[10239] as i64);
}

#[shmem_device]
fn halved(x: i32) -> (bool, i32) {
    (x % 2 == 0, x / 2)
}

/// Patterns that may not fit, and blocks with labels.
#[shmem_kernel]
pub fn refutable(x: i32, mode: Mode, out: Global<[i64]>) {
    let mut n = x;
    let mut turns = 0;
    while let (true, half) = halved(n) {
        n = half;
        turns += 1;
        if turns == 9 {
            continue;
        }
        if turns > 9 || n == 0 {
            break;
        }
    }
    out.at(0).store(turns * 1000 + n as i64);
    if let Mode::Slow | Mode::Fast = mode {
        out.at(1).store(1);
    } else if let [3, last] = [x, x + 1] {
        out.at(1).store(last as i64);
    } else if x > 4 {
        out.at(1).store(4);
    }
    let picked = if let (1..=9, small) = (x, n as i64) {
        small
    } else {
        -1
    };
    out.at(2).store(picked);
    let found = 'found: {
        'turns: for i in 0..SIZE {
            if PRIMES[i] == x {
                break 'found i as i64;
            }
            'next: {
                if i == 1 {
                    break 'next;
                }
                if i == 4 {
                    continue 'turns;
                }
                turns += 1;
            }
            turns += 100;
        }
        if mode == Mode::Off {
            break 'found -7;
        }
        -9
    };
    out.at(3).store(found);
    out.at(4).store(turns);
    let (true, even) = halved(x) else {
        out.at(5).store(55);
        return;
    };
    out.at(5).store(even as i64);
    'all: {
        if even == 3 {
            break 'all;
        }
        out.at(6).store(6);
    }
}
