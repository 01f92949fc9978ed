//! Arithmetic: one kernel per type with every operator, chosen by number. The tests run each as plain Rust and in the
//! simulator, on the edges of the type, and compare values and panics.

// The text is the same for every type: casts to the own type are part of the test.
#![allow(clippy::unnecessary_cast)]

use shmem::prelude::*;

/// The operators on `i8`.
#[shmem_kernel]
pub fn ops_i8(op: u32, a: i8, b: i8, out: Global<i64>) {
    if op == 0 {
        out.store((a + b) as i64);
    } else if op == 1 {
        out.store((a - b) as i64);
    } else if op == 2 {
        out.store((a * b) as i64);
    } else if op == 3 {
        out.store((a / b) as i64);
    } else if op == 4 {
        out.store((a % b) as i64);
    } else if op == 5 {
        out.store((a << b) as i64);
    } else if op == 6 {
        out.store((a >> b) as i64);
    } else if op == 7 {
        out.store(((a & b) | (a ^ b)) as i64);
    } else if op == 8 {
        out.store((-a) as i64);
    } else if op == 9 {
        out.store((a < b) as i64 + 2 * (a >= b) as i64 + 4 * (a == b) as i64 + 8 * (a != b) as i64);
    } else if op == 10 {
        let mut x = a;
        x += b;
        x -= 1;
        x *= 3;
        out.store(x as i64);
    } else if op == 11 {
        let mut x = a;
        x /= b;
        x ^= !b;
        x <<= 1;
        x >>= 2;
        x %= 5;
        out.store(x as i64);
    } else if op == 12 {
        // Operands panic from left to right.
        out.store((a * b) as i64 - (a / b) as i64);
    } else {
        out.store(
            !(a as i8) as i64
                + (a as u8) as i64
                + (a as i16) as i64
                + (a as u32) as i64
                + (a as f32) as i64,
        );
    }
}

/// The operators on `i16`.
#[shmem_kernel]
pub fn ops_i16(op: u32, a: i16, b: i16, out: Global<i64>) {
    if op == 0 {
        out.store((a + b) as i64);
    } else if op == 1 {
        out.store((a - b) as i64);
    } else if op == 2 {
        out.store((a * b) as i64);
    } else if op == 3 {
        out.store((a / b) as i64);
    } else if op == 4 {
        out.store((a % b) as i64);
    } else if op == 5 {
        out.store((a << b) as i64);
    } else if op == 6 {
        out.store((a >> b) as i64);
    } else if op == 7 {
        out.store(((a & b) | (a ^ b)) as i64);
    } else if op == 8 {
        out.store((-a) as i64);
    } else if op == 9 {
        out.store((a < b) as i64 + 2 * (a >= b) as i64 + 4 * (a == b) as i64 + 8 * (a != b) as i64);
    } else if op == 10 {
        let mut x = a;
        x += b;
        x -= 1;
        x *= 3;
        out.store(x as i64);
    } else if op == 11 {
        let mut x = a;
        x /= b;
        x ^= !b;
        x <<= 1;
        x >>= 2;
        x %= 5;
        out.store(x as i64);
    } else if op == 12 {
        // Operands panic from left to right.
        out.store((a * b) as i64 - (a / b) as i64);
    } else {
        out.store(
            !(a as i8) as i64
                + (a as u8) as i64
                + (a as i16) as i64
                + (a as u32) as i64
                + (a as f32) as i64,
        );
    }
}

/// The operators on `i32`.
#[shmem_kernel]
pub fn ops_i32(op: u32, a: i32, b: i32, out: Global<i64>) {
    if op == 0 {
        out.store((a + b) as i64);
    } else if op == 1 {
        out.store((a - b) as i64);
    } else if op == 2 {
        out.store((a * b) as i64);
    } else if op == 3 {
        out.store((a / b) as i64);
    } else if op == 4 {
        out.store((a % b) as i64);
    } else if op == 5 {
        out.store((a << b) as i64);
    } else if op == 6 {
        out.store((a >> b) as i64);
    } else if op == 7 {
        out.store(((a & b) | (a ^ b)) as i64);
    } else if op == 8 {
        out.store((-a) as i64);
    } else if op == 9 {
        out.store((a < b) as i64 + 2 * (a >= b) as i64 + 4 * (a == b) as i64 + 8 * (a != b) as i64);
    } else if op == 10 {
        let mut x = a;
        x += b;
        x -= 1;
        x *= 3;
        out.store(x as i64);
    } else if op == 11 {
        let mut x = a;
        x /= b;
        x ^= !b;
        x <<= 1;
        x >>= 2;
        x %= 5;
        out.store(x as i64);
    } else if op == 12 {
        // Operands panic from left to right.
        out.store((a * b) as i64 - (a / b) as i64);
    } else {
        out.store(
            !(a as i8) as i64
                + (a as u8) as i64
                + (a as i16) as i64
                + (a as u32) as i64
                + (a as f32) as i64,
        );
    }
}

/// The operators on `i64`.
#[shmem_kernel]
pub fn ops_i64(op: u32, a: i64, b: i64, out: Global<i64>) {
    if op == 0 {
        out.store((a + b) as i64);
    } else if op == 1 {
        out.store((a - b) as i64);
    } else if op == 2 {
        out.store((a * b) as i64);
    } else if op == 3 {
        out.store((a / b) as i64);
    } else if op == 4 {
        out.store((a % b) as i64);
    } else if op == 5 {
        out.store((a << b) as i64);
    } else if op == 6 {
        out.store((a >> b) as i64);
    } else if op == 7 {
        out.store(((a & b) | (a ^ b)) as i64);
    } else if op == 8 {
        out.store((-a) as i64);
    } else if op == 9 {
        out.store((a < b) as i64 + 2 * (a >= b) as i64 + 4 * (a == b) as i64 + 8 * (a != b) as i64);
    } else if op == 10 {
        let mut x = a;
        x += b;
        x -= 1;
        x *= 3;
        out.store(x as i64);
    } else if op == 11 {
        let mut x = a;
        x /= b;
        x ^= !b;
        x <<= 1;
        x >>= 2;
        x %= 5;
        out.store(x as i64);
    } else if op == 12 {
        // Operands panic from left to right.
        out.store((a * b) as i64 - (a / b) as i64);
    } else {
        out.store(
            !(a as i8) as i64
                + (a as u8) as i64
                + (a as i16) as i64
                + (a as u32) as i64
                + (a as f32) as i64,
        );
    }
}

/// The operators on `isize`.
#[shmem_kernel]
pub fn ops_isize(op: u32, a: isize, b: isize, out: Global<i64>) {
    if op == 0 {
        out.store((a + b) as i64);
    } else if op == 1 {
        out.store((a - b) as i64);
    } else if op == 2 {
        out.store((a * b) as i64);
    } else if op == 3 {
        out.store((a / b) as i64);
    } else if op == 4 {
        out.store((a % b) as i64);
    } else if op == 5 {
        out.store((a << b) as i64);
    } else if op == 6 {
        out.store((a >> b) as i64);
    } else if op == 7 {
        out.store(((a & b) | (a ^ b)) as i64);
    } else if op == 8 {
        out.store((-a) as i64);
    } else if op == 9 {
        out.store((a < b) as i64 + 2 * (a >= b) as i64 + 4 * (a == b) as i64 + 8 * (a != b) as i64);
    } else if op == 10 {
        let mut x = a;
        x += b;
        x -= 1;
        x *= 3;
        out.store(x as i64);
    } else if op == 11 {
        let mut x = a;
        x /= b;
        x ^= !b;
        x <<= 1;
        x >>= 2;
        x %= 5;
        out.store(x as i64);
    } else if op == 12 {
        // Operands panic from left to right.
        out.store((a * b) as i64 - (a / b) as i64);
    } else {
        out.store(
            !(a as i8) as i64
                + (a as u8) as i64
                + (a as i16) as i64
                + (a as u32) as i64
                + (a as f32) as i64,
        );
    }
}

/// The operators on `u8`.
#[shmem_kernel]
pub fn ops_u8(op: u32, a: u8, b: u8, out: Global<i64>) {
    if op == 0 {
        out.store((a + b) as i64);
    } else if op == 1 {
        out.store((a - b) as i64);
    } else if op == 2 {
        out.store((a * b) as i64);
    } else if op == 3 {
        out.store((a / b) as i64);
    } else if op == 4 {
        out.store((a % b) as i64);
    } else if op == 5 {
        out.store((a << b) as i64);
    } else if op == 6 {
        out.store((a >> b) as i64);
    } else if op == 7 {
        out.store(((a & b) | (a ^ b)) as i64);
    } else if op == 8 {
        out.store((!a) as i64);
    } else if op == 9 {
        out.store((a < b) as i64 + 2 * (a >= b) as i64 + 4 * (a == b) as i64 + 8 * (a != b) as i64);
    } else if op == 10 {
        let mut x = a;
        x += b;
        x -= 1;
        x *= 3;
        out.store(x as i64);
    } else if op == 11 {
        let mut x = a;
        x /= b;
        x ^= !b;
        x <<= 1;
        x >>= 2;
        x %= 5;
        out.store(x as i64);
    } else if op == 12 {
        // Operands panic from left to right.
        out.store((a * b) as i64 - (a / b) as i64);
    } else {
        out.store(
            !(a as i8) as i64
                + (a as u8) as i64
                + (a as i16) as i64
                + (a as u32) as i64
                + (a as f32) as i64,
        );
    }
}

/// The operators on `u16`.
#[shmem_kernel]
pub fn ops_u16(op: u32, a: u16, b: u16, out: Global<i64>) {
    if op == 0 {
        out.store((a + b) as i64);
    } else if op == 1 {
        out.store((a - b) as i64);
    } else if op == 2 {
        out.store((a * b) as i64);
    } else if op == 3 {
        out.store((a / b) as i64);
    } else if op == 4 {
        out.store((a % b) as i64);
    } else if op == 5 {
        out.store((a << b) as i64);
    } else if op == 6 {
        out.store((a >> b) as i64);
    } else if op == 7 {
        out.store(((a & b) | (a ^ b)) as i64);
    } else if op == 8 {
        out.store((!a) as i64);
    } else if op == 9 {
        out.store((a < b) as i64 + 2 * (a >= b) as i64 + 4 * (a == b) as i64 + 8 * (a != b) as i64);
    } else if op == 10 {
        let mut x = a;
        x += b;
        x -= 1;
        x *= 3;
        out.store(x as i64);
    } else if op == 11 {
        let mut x = a;
        x /= b;
        x ^= !b;
        x <<= 1;
        x >>= 2;
        x %= 5;
        out.store(x as i64);
    } else if op == 12 {
        // Operands panic from left to right.
        out.store((a * b) as i64 - (a / b) as i64);
    } else {
        out.store(
            !(a as i8) as i64
                + (a as u8) as i64
                + (a as i16) as i64
                + (a as u32) as i64
                + (a as f32) as i64,
        );
    }
}

/// The operators on `u32`.
#[shmem_kernel]
pub fn ops_u32(op: u32, a: u32, b: u32, out: Global<i64>) {
    if op == 0 {
        out.store((a + b) as i64);
    } else if op == 1 {
        out.store((a - b) as i64);
    } else if op == 2 {
        out.store((a * b) as i64);
    } else if op == 3 {
        out.store((a / b) as i64);
    } else if op == 4 {
        out.store((a % b) as i64);
    } else if op == 5 {
        out.store((a << b) as i64);
    } else if op == 6 {
        out.store((a >> b) as i64);
    } else if op == 7 {
        out.store(((a & b) | (a ^ b)) as i64);
    } else if op == 8 {
        out.store((!a) as i64);
    } else if op == 9 {
        out.store((a < b) as i64 + 2 * (a >= b) as i64 + 4 * (a == b) as i64 + 8 * (a != b) as i64);
    } else if op == 10 {
        let mut x = a;
        x += b;
        x -= 1;
        x *= 3;
        out.store(x as i64);
    } else if op == 11 {
        let mut x = a;
        x /= b;
        x ^= !b;
        x <<= 1;
        x >>= 2;
        x %= 5;
        out.store(x as i64);
    } else if op == 12 {
        // Operands panic from left to right.
        out.store((a * b) as i64 - (a / b) as i64);
    } else {
        out.store(
            !(a as i8) as i64
                + (a as u8) as i64
                + (a as i16) as i64
                + (a as u32) as i64
                + (a as f32) as i64,
        );
    }
}

/// The operators on `u64`.
#[shmem_kernel]
pub fn ops_u64(op: u32, a: u64, b: u64, out: Global<i64>) {
    if op == 0 {
        out.store((a + b) as i64);
    } else if op == 1 {
        out.store((a - b) as i64);
    } else if op == 2 {
        out.store((a * b) as i64);
    } else if op == 3 {
        out.store((a / b) as i64);
    } else if op == 4 {
        out.store((a % b) as i64);
    } else if op == 5 {
        out.store((a << b) as i64);
    } else if op == 6 {
        out.store((a >> b) as i64);
    } else if op == 7 {
        out.store(((a & b) | (a ^ b)) as i64);
    } else if op == 8 {
        out.store((!a) as i64);
    } else if op == 9 {
        out.store((a < b) as i64 + 2 * (a >= b) as i64 + 4 * (a == b) as i64 + 8 * (a != b) as i64);
    } else if op == 10 {
        let mut x = a;
        x += b;
        x -= 1;
        x *= 3;
        out.store(x as i64);
    } else if op == 11 {
        let mut x = a;
        x /= b;
        x ^= !b;
        x <<= 1;
        x >>= 2;
        x %= 5;
        out.store(x as i64);
    } else if op == 12 {
        // Operands panic from left to right.
        out.store((a * b) as i64 - (a / b) as i64);
    } else {
        out.store(
            !(a as i8) as i64
                + (a as u8) as i64
                + (a as i16) as i64
                + (a as u32) as i64
                + (a as f32) as i64,
        );
    }
}

/// The operators on `usize`.
#[shmem_kernel]
pub fn ops_usize(op: u32, a: usize, b: usize, out: Global<i64>) {
    if op == 0 {
        out.store((a + b) as i64);
    } else if op == 1 {
        out.store((a - b) as i64);
    } else if op == 2 {
        out.store((a * b) as i64);
    } else if op == 3 {
        out.store((a / b) as i64);
    } else if op == 4 {
        out.store((a % b) as i64);
    } else if op == 5 {
        out.store((a << b) as i64);
    } else if op == 6 {
        out.store((a >> b) as i64);
    } else if op == 7 {
        out.store(((a & b) | (a ^ b)) as i64);
    } else if op == 8 {
        out.store((!a) as i64);
    } else if op == 9 {
        out.store((a < b) as i64 + 2 * (a >= b) as i64 + 4 * (a == b) as i64 + 8 * (a != b) as i64);
    } else if op == 10 {
        let mut x = a;
        x += b;
        x -= 1;
        x *= 3;
        out.store(x as i64);
    } else if op == 11 {
        let mut x = a;
        x /= b;
        x ^= !b;
        x <<= 1;
        x >>= 2;
        x %= 5;
        out.store(x as i64);
    } else if op == 12 {
        // Operands panic from left to right.
        out.store((a * b) as i64 - (a / b) as i64);
    } else {
        out.store(
            !(a as i8) as i64
                + (a as u8) as i64
                + (a as i16) as i64
                + (a as u32) as i64
                + (a as f32) as i64,
        );
    }
}

/// `f32` to every type, and back.
#[shmem_kernel]
pub fn casts_f32(x: f32, y: f32, out: Global<[i64]>, floats: Global<[f32]>) {
    out.at(0).store(x as i8 as i64);
    out.at(1).store(x as i16 as i64);
    out.at(2).store(x as i32 as i64);
    out.at(3).store(x as i64);
    out.at(4).store(x as u8 as i64);
    out.at(5).store(x as u16 as i64);
    out.at(6).store(x as u32 as i64);
    out.at(7).store(x as u64 as i64);
    out.at(8).store(x as usize as i64);
    out.at(9)
        .store((x < y) as i64 + 2 * (x <= y) as i64 + 4 * (x == y) as i64 + 8 * (x != y) as i64);
    floats.at(0).store(x + y);
    floats.at(1).store(x - y);
    floats.at(2).store(x * y);
    floats.at(3).store(x / y);
    floats.at(4).store(-x);
    floats.at(5).store(x * y + y);
    floats.at(6).store(x as f32 as f32);
    floats.at(7).store(x as f64 as f32);
    floats.at(8).store(x as i32 as f32);
    floats.at(9).store(x as u64 as f32);
    floats.at(10).store(x % y);
}

/// `f64` to every type, and back.
#[shmem_kernel]
pub fn casts_f64(x: f64, y: f64, out: Global<[i64]>, floats: Global<[f64]>) {
    out.at(0).store(x as i8 as i64);
    out.at(1).store(x as i16 as i64);
    out.at(2).store(x as i32 as i64);
    out.at(3).store(x as i64);
    out.at(4).store(x as u8 as i64);
    out.at(5).store(x as u16 as i64);
    out.at(6).store(x as u32 as i64);
    out.at(7).store(x as u64 as i64);
    out.at(8).store(x as usize as i64);
    out.at(9)
        .store((x < y) as i64 + 2 * (x <= y) as i64 + 4 * (x == y) as i64 + 8 * (x != y) as i64);
    floats.at(0).store(x + y);
    floats.at(1).store(x - y);
    floats.at(2).store(x * y);
    floats.at(3).store(x / y);
    floats.at(4).store(-x);
    floats.at(5).store(x * y + y);
    floats.at(6).store(x as f32 as f64);
    floats.at(7).store(x as f64 as f64);
    floats.at(8).store(x as i32 as f64);
    floats.at(9).store(x as u64 as f64);
    floats.at(10).store(x % y);
}
