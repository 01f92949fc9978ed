//! Kernels that print. Each runs as plain Rust too, with the same lines.

// Odd on purpose.
#![allow(clippy::print_literal, clippy::too_many_arguments)]

use shmem::prelude::*;

/// Integers of every type.
#[shmem_kernel]
pub fn integers(
    a: i8,
    b: i16,
    c: i32,
    d: i64,
    e: isize,
    f: u8,
    g: u16,
    h: u32,
    i: u64,
    j: usize,
    k: bool,
    l: c_char,
) {
    shmem::print!("{a} {b} {c} {d} {e} {f} {g} {h} {i} {j} {k} {l}");
    shmem::print!("{a:?} {b:?} {c:?} {d:?} {e:?} {f:?} {g:?} {h:?} {i:?} {j:?} {k:?} {l:?}");
}

/// Floats of every type, as they are and as `{:?}`.
#[shmem_kernel]
pub fn floats(a: f16, b: bf16, c: f32, d: f64) {
    shmem::print!("{a} {b} {c} {d}");
    shmem::print!("{a:?} {b:?} {c:?} {d:?}");
}

const LIMIT: u16 = 700;

/// What a text may say.
#[shmem_kernel]
pub fn texts(x: i32) {
    let y = 2.5;
    let r#match = true;
    shmem::print!();
    shmem::print!("no value, \"quoted\" \\ \t tab, ä, 語");
    shmem::print!("{{{}}} {{}} }}{{", x);
    shmem::print!(r"raw \n {x}");
    shmem::print!("{0} {1:?} {0:?} {y:?} {}", x, y);
    shmem::print!("{second} {first} {second}", first = x, second = 1u8);
    shmem::print!("{ } {x } {match} {LIMIT}", 1 << 3);
    shmem::print!("two\nlines of {x}\n",);
    shmem::print!("{}", if x > 3 { -1 } else { x as i8 });
}

/// Prints, and gives its number.
#[shmem_device]
fn noisy(number: i32) -> i32 {
    shmem::print!("evaluating {number}");
    number
}

/// A device function that neither checks nor counts from 0.
#[shmem_device]
fn quiet_or_not(loud: bool) {
    if loud {
        shmem::print!("loud");
        noisy(9);
    }
}

/// Arguments are evaluated once each, from left to right, before the line.
#[shmem_kernel]
pub fn order(mut x: i32) {
    shmem::print!("{} {}", noisy(1), noisy(2));
    shmem::print!("{1} {0} {1}", noisy(3), noisy(4));
    shmem::print!("{x} {}", {
        x += 1;
        noisy(x)
    });
    shmem::print!("{x} {b} {a}", a = noisy(7), b = noisy(8));
    let printed = {
        shmem::print!("in a block");
        x
    };
    match printed {
        0..=5 => shmem::print!("small {printed}"),
        _ => shmem::print!("large {printed}"),
    }
    quiet_or_not(false);
    quiet_or_not(true);
}

#[derive(Clone, Copy)]
struct Point {
    x: i32,
    y: f32,
}

/// Shows what it refers to.
#[shmem_device]
fn moved(point: &mut Point, by: &i32) {
    shmem::print!("{by} {} {:?}", point.x, point.y);
    point.x += *by;
    shmem::print!("{} {by:?}", by);
}

/// Parts of aggregates, and what references refer to.
#[shmem_kernel]
pub fn parts(x: i32) {
    let mut point = Point { x, y: 0.5 };
    moved(&mut point, &3);
    let cells = [x, x + 1, x + 2];
    let pair = (point.x, cells[1]);
    for i in 0..cells.len() {
        shmem::print!("{} of {}: {}", i, cells.len(), cells[i]);
    }
    shmem::print!("{} {}", pair.0, pair.1);
    assert!(cells[2] == x + 2 && pair.0 != x, "{}", point.y);
}

/// Prints in the middle of expressions and in what decides where to go.
#[shmem_kernel]
pub fn inside(cell: Global<i32>, x: i32) {
    let sum = cell.load() + {
        shmem::print!("the sum has its left side");
        cell.store(100);
        noisy(x)
    };
    let both = sum > 0 && {
        shmem::print!("the right side is asked");
        x > 1
    };
    let mut turns = 0;
    'outer: while {
        shmem::print!("turn {turns} of {both}");
        turns < 3
    } {
        for i in 0..4 {
            if i == turns {
                turns += 1;
                continue 'outer;
            }
            shmem::print!("{i} before {}", noisy(turns));
        }
    }
    let last = match noisy(sum) {
        n if n > {
            shmem::print!("a guard");
            10
        } =>
        {
            shmem::print!("large");
            n
        }
        n => n - 1,
    };
    if last == sum {
        shmem::print!("{} {sum}", cell.load())
    } else {
        shmem::print!("small")
    }
}

/// Lines of every instance.
#[shmem_kernel(all_blocks)]
pub fn blocks(lines: u32) {
    let block = shmem::block_idx();
    for line in 0..lines {
        shmem::print!("line {line} of block {block} on PE {}", shmem::my_pe());
    }
}

/// The same on vector cores only.
#[shmem_kernel(all_blocks, vector)]
pub fn blocks_vector(lines: u32) {
    let block = shmem::block_idx();
    for line in 0..lines {
        shmem::print!("line {line} of block {block} on PE {}", shmem::my_pe());
    }
}

/// Without checks.
///
/// # Safety
///
/// None: it checks nothing because there is nothing to check.
#[shmem_kernel(unchecked)]
pub unsafe fn unchecked(x: i64) {
    quiet_or_not(true);
    shmem::print!("unchecked {x}");
}

/// Prints, then panics, then would print.
#[shmem_kernel]
pub fn then_panic(cells: Global<[i32]>, i: usize) {
    shmem::print!("before");
    shmem::print!("cell {i} is {}", cells.at(i).load());
    shmem::print!("after");
}

/// Prints more than there is room for.
#[shmem_kernel]
pub fn many(lines: u32) {
    for line in 0..lines {
        shmem::print!("{line}");
    }
}

/// Waits until a peer that never comes has come.
#[shmem_kernel]
pub fn then_hang(cell: Symmetric<i32>) {
    shmem::print!("about to wait");
    let me = shmem::my_pe();
    while shmem::g(cell, me) == 0 {}
}

/// Assertions that the profile may leave out, with their arguments.
#[shmem_kernel]
pub fn debug_assertions(x: i32, y: i32) {
    debug_assert!(noisy(x) > 0);
    debug_assert!(x < 100, "{x} and {y}");
    debug_assert_eq!(x, noisy(y), "sides");
    debug_assert_ne!(x, 7);
    shmem::print!("through");
}

/// What is not written yet.
#[shmem_kernel]
pub fn unwritten(which: i32) {
    match which {
        0 => todo!(),
        1 => todo!("for {which}"),
        2 => unimplemented!(),
        3 => unimplemented!("{} and {:?}", which, 1.0),
        4 => unreachable!("{{}}"),
        _ => shmem::print!("nothing"),
    }
}

/// Panics with values of all types, and texts that evaluate something.
#[shmem_kernel]
pub fn panics(which: i32, a: f16, b: bf16) {
    if which == 0 {
        panic!("{a} {b:?} {which}");
    }
    if which == 1 {
        assert_eq!(a, f16::ONE, "{b}");
    }
    if which == 2 {
        assert_ne!(b, bf16::ZERO);
    }
    if which == 3 {
        panic!("{1} {0} {1}", noisy(3), noisy(4));
    }
    if which == 4 {
        assert!(which == 3 || which == 5,);
    }
    assert!(
        which < 5,
        "{which} is\ntoo large {0} {0:?}",
        noisy(which) as f32,
    );
    assert!(
        which >= 0
            && which != -1
            && (which < 1000 || which * 2 > 3000)
            && shmem::n_pes() == 1
            && noisy(which) < 3
    );
}
