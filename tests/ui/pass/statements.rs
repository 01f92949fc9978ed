//! Every statement and expression that a kernel may have, called on the host.

#![deny(warnings)]
#![allow(unused_parens, unused_must_use)]

use shmem::prelude::*;

#[shmem_kernel]
fn loops(out: Global<[i64]>) {
    let mut sum = 0;
    for i in 0..5 {
        sum += i;
    }
    out.at(0).store(sum);

    let mut count = 0;
    for _ in 250..=255_u8 {
        count += 1;
    }
    out.at(1).store(count);

    let mut n = 27_u64;
    let mut steps = 0;
    while n != 1 {
        if n % 2 == 0 {
            n /= 2;
            steps += 1;
            continue;
        }
        n = 3 * n + 1;
        steps += 1;
    }
    out.at(2).store(steps);

    let mut pairs = 0;
    'outer: for a in 0..10 {
        for b in 0..10 {
            if b > a {
                continue 'outer;
            }
            if a * b > 40 {
                break 'outer;
            }
            pairs += 1;
        }
    }
    out.at(3).store(pairs);

    let mut spins = 0;
    loop {
        loop {
            spins += 1;
            if spins % 7 == 0 {
                break;
            }
        }
        if spins > 20 {
            break;
        }
    }
    out.at(4).store(spins);

    let mut changed = 0;
    for mut i in 0..3_i64 {
        i *= 10;
        changed += i;
    }
    out.at(5).store(changed);
}

#[shmem_kernel]
fn values(out: Global<[i32]>, x: i32, mut y: i32) {
    let a = if x > 3 {
        if x > 10 { 1 } else { 2 }
    } else if x == 3 {
        3
    } else {
        let b = x * 2;
        b + 1
    };
    out.at(0).store(a);
    let c = {
        y += 1;
        y
    } + {
        y *= 10;
        y
    };
    out.at(1).store(c);
    // The right side of a compound assignment comes first.
    y += {
        y = 5;
        1
    };
    out.at(2).store(y);
    let d = x > 0 && {
        y = 100;
        true
    };
    let e = x > 0 || {
        y = 200;
        true
    };
    out.at(3).store(d as i32 + e as i32 + y);
    let f = if x == -1 {
        return;
    } else {
        7
    };
    out.at(4).store(f);
    let _ = x + 1;
    _ = y;
    let _unused = 3;
    x == 3;
    (out.at(5)).store(((x)));
    (y) = 4;
    { out.at(6).store(y); }
    unsafe {
        let last = out.len() - 1;
        // SAFETY: the cell is there.
        out.at_unchecked(last).store(9);
    }
    if x == 4 {
    } else if out.is_empty() {
        return
    }
}

#[shmem_kernel]
fn leaves_early(out: Global<i32>, x: i32) {
    out.store(1);
    for i in 0..x {
        if i == 3 {
            out.store(i);
            return;
        }
    }
    let y = if x == 2 {
        if out.load() == 1 {
            return;
        } else {
            return;
        };
    } else {
        5
    };
    let z = if x == 1 { loop { return; } } else { y };
    out.store(z)
}

#[shmem_kernel]
fn views(a: Symmetric<[i32]>, b: Symmetric<[i32]>, swap: bool, total: Global<i64>) {
    let mut first = a;
    let mut second: Symmetric<[i32]> = b;
    if swap {
        let kept = first;
        first = second;
        second = kept;
    }
    let part = first.slice(1..first.len());
    let cell = if part.len() > 1 { part.at(1) } else { second.at(0) };
    let other: Symmetric<'_, i32> = second.slice(0..2).slice(1..2).at(0);
    cell.store(10);
    shmem::p(other, cell.load() + 1, shmem::my_pe());
    shmem::quiet();
    shmem::fence();
    let mut sum = 0;
    for i in 0..a.len() {
        sum += a.at(i).load() as i64;
        sum += shmem::g(b.at(i), (shmem::my_pe() + 1) % shmem::n_pes()) as i64;
    }
    total.store(sum);
}

#[shmem_kernel(vector, all_blocks)]
fn on_all_blocks(out: Global<u64>) {
    if shmem::block_idx() < shmem::block_num() {
        out.store(shmem::block_num() as u64);
    }
}

/// # Safety
///
/// `cells` has a cell.
#[shmem_kernel(unchecked,)]
unsafe fn unchecked(cells: Global<[i32]>) {
    // SAFETY: there is a cell.
    unsafe { cells.at_unchecked(0) }.store(cells.at(0).load() + 1);
}

#[shmem_kernel()]
fn nothing() {}

#[shmem_kernel]
fn unit(_: i32) -> () {
    return;
}

fn main() {
    let mut out = [0_i64; 6];
    loops(Global::from_mut(&mut out[..]));
    assert_eq!(out, [10, 6, 111, 34, 21, 30]);

    let mut out = [0_i32; 8];
    values(Global::from_mut(&mut out[..]), 3, 1);
    assert_eq!(out, [3, 22, 6, 102, 7, 3, 4, 9]);
    values(Global::from_mut(&mut out[..]), 0, 1);
    assert_eq!(out, [1, 22, 6, 201, 7, 0, 4, 9]);

    for (x, expected) in [(0, 5), (1, 1), (2, 1), (3, 5), (4, 3)] {
        let mut out = 0;
        leaves_early(Global::from_mut(&mut out), x);
        assert_eq!(out, expected, "{x}");
    }

    let (mut a, mut b, mut total) = ([1, 2, 3], [4, 5, 6], 0_i64);
    views(
        Symmetric::from_mut(&mut a[..]),
        Symmetric::from_mut(&mut b[..]),
        false,
        Global::from_mut(&mut total),
    );
    assert_eq!((a, b, total), ([1, 2, 10], [4, 11, 6], 34));
    views(
        Symmetric::from_mut(&mut a[..]),
        Symmetric::from_mut(&mut b[..]),
        true,
        Global::from_mut(&mut total),
    );
    assert_eq!((a, b, total), ([1, 11, 10], [4, 11, 10], 47));

    let mut blocks = 0;
    on_all_blocks(Global::from_mut(&mut blocks));
    assert_eq!(blocks, 1);

    let mut cells = [6];
    // SAFETY: there is a cell.
    unsafe { unchecked(Global::from_mut(&mut cells[..])) };
    assert_eq!(cells, [7]);
    nothing();
    unit(1);
}
