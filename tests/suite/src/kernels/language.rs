//! Statements and expressions: each kernel runs as plain Rust and in the simulator, with equal results.

// Odd on purpose.
#![allow(clippy::reversed_empty_ranges, clippy::mut_range_bound)]

use shmem::prelude::*;

/// Ranges up to the end of their type, empty ranges, bounds that change while the loop runs.
#[shmem_kernel]
pub fn ranges(out: Global<[i64]>) {
    let mut sum = 0;
    for i in 250..=255u8 {
        sum += i as i64;
    }
    out.at(0).store(sum);
    sum = 0;
    for i in -3..3i8 {
        sum = sum * 10 + i as i64;
    }
    for _ in 5..5 {
        sum = -1;
    }
    for _ in 7..=3 {
        sum = -2;
    }
    out.at(1).store(sum);
    let mut end = 3;
    let mut turns = 0;
    for i in 0..end {
        end = 10;
        turns += i + 1;
    }
    out.at(2).store(turns as i64 * 100 + end as i64);
    let mut steps = 0i64;
    for mut i in 0..4 {
        i *= 2;
        steps += i;
    }
    out.at(3).store(steps);
    let mut count = 0u64;
    for i in 18446744073709551613u64..=18446744073709551615u64 {
        count += i & 1;
    }
    out.at(4).store(count as i64);
}

/// Labels, nested loops, jumps out of all of them.
#[shmem_kernel]
pub fn labels(limit: i32, out: Global<[i64]>) {
    let mut trace = 0i64;
    'outer: for i in 0..10 {
        let mut j = 0;
        loop {
            j += 1;
            if j == i {
                continue 'outer;
            }
            if i * j > limit {
                break 'outer;
            }
            if j > 4 {
                break;
            }
            trace = trace * 3 % 1000003 + (i * 10 + j) as i64;
        }
        let mut k = 3;
        while k > 0 {
            k -= 1;
            if k == 1 {
                continue;
            }
            trace += k as i64;
        }
    }
    out.at(0).store(trace);
    if limit > 20 {
        return;
    }
    out.at(1).store(1);
}

/// Shadowing, blocks and branches as values, inference from later uses.
#[shmem_kernel]
#[allow(unused_assignments)]
pub fn values(a: i32, out: Global<[i64]>) {
    let x = 1;
    let x = x + a;
    let y = {
        let x = x * 2;
        x + 1
    };
    let z = if y > 10 {
        let w = y - 10;
        w * w
    } else if y < 0 {
        -y
    } else {
        y
    };
    out.at(0).store((x * 1000 + y * 10 + z) as i64);
    let mut later = 1;
    later <<= 40;
    out.at(1).store(later);
    let shift = 3u8;
    let wide = 1u64 << shift;
    out.at(2)
        .store((wide as i64) + (-1i8 as u8 as i64) + (3.99f32 as i64) + (0.1 + 0.2 > 0.3) as i64);
    let mut state = a;
    let order = state + {
        state += 5;
        state * 2
    };
    out.at(3).store(order as i64);
    let mut c = 7;
    c += {
        c = 1;
        2
    };
    out.at(4).store(c);
    let both = a > 0 && out.at(0).load() > 0 || {
        state = 0;
        state == 1
    };
    out.at(5).store(both as i64 * 10 + state as i64);
}

/// Views of memory as locals: cells, slices, slices of slices.
#[shmem_kernel]
pub fn views(pick: bool, cells: Global<[i64]>) {
    let half = cells.len() / 2;
    let mut part = cells.slice(half..cells.len());
    let cell = part.at(1);
    cell.store(cell.load() + 100);
    part = part.slice(1..3);
    part.at(0).store(part.at(0).load() + part.len() as i64);
    let chosen = if pick { cells.slice(0..2) } else { part };
    if !chosen.is_empty() {
        chosen.at(1).store(-7);
    }
    let _ = part.len();
}
