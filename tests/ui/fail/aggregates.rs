//! What tuples, arrays, structs and enums do not have, and the types that cannot be used.

use shmem::prelude::*;

#[derive(Clone, Copy, PartialEq)]
struct Point {
    x: i32,
    y: f32,
}

#[derive(Clone, Copy)]
struct Pair(i32, i32);

#[derive(Clone, Copy)]
enum Color {
    Red,
    Green,
}

struct NotCopy {
    x: i32,
}

#[derive(Clone, Copy)]
struct Generic<T> {
    x: T,
}

#[derive(Clone, Copy)]
struct Text {
    name: &'static str,
}

#[derive(Clone, Copy)]
struct Empty {}

#[derive(Clone, Copy)]
enum Shape {
    Circle(f32),
}

#[shmem_kernel]
fn arrays(n: usize, cells: Global<[i32]>) {
    let mixed = [1, 2.5];
    let long = [0; n];
    let three = [1, 2, 3];
    cells.at(0).store(three[0_i32]);
    cells.at(1).store(three.first);
    let part = three[0..2];
    let sum = three + three;
    three[1] = 4;
    let views = [cells.at(0)];
    cells[0] = 5;
}

#[shmem_kernel]
fn tuples(x: i32, out: Global<i32>) {
    let pair = (1, 2.5);
    out.store(pair.2);
    out.store(pair[0]);
    out.store(pair.1);
    let less = pair < pair;
    let (a, b, c) = pair;
    let unit = ();
    out.store(x.0);
}

#[shmem_kernel]
fn structs(out: Global<i32>, point: Point, pair: Pair) {
    let a = Point { x: 1 };
    let b = Point { x: 1, y: 2.0, z: 3 };
    let c = Point { x: 1, x: 2, y: 0.5 };
    let d = Point { x: 1.5, y: 2.0 };
    let e = Pair { 0: 1, 1: 2 };
    let f = Pair(1);
    let g = Point(1, 2.0);
    out.store(point.z);
    if pair == pair {
        out.store(1);
    }
    let Point { x, w, .. } = point;
    point.x = 4;
    let h = Unknown { x: 1 };
}

#[shmem_kernel]
fn enums(out: Global<i32>, color: Color) {
    let a = Color::Blue;
    if color == Color::Red {
        out.store(1);
    }
    if color < Color::Red {
        out.store(2);
    }
    let b = color + 1;
    let c = 1 as Color;
}

#[shmem_kernel]
fn unusable(
    a: NotCopy,
    b: Generic<i32>,
    c: Text,
    d: Empty,
    e: Shape,
    f: [NotCopy; 2],
    g: [i32; 1.5],
    h: (i32, Global<i32>),
) {
}

#[derive(Clone, Copy)]
struct Conditional {
    x: i32,
    #[cfg(target_os = "linux")]
    y: i32,
}

#[derive(Clone, Copy)]
enum Maybe {
    A,
    #[cfg(unix)]
    B,
}

#[shmem_kernel]
fn conditional(a: Conditional, b: Maybe) {}

#[shmem_device]
#[track_caller]
fn tracked() {}

#[shmem_kernel]
fn references(out: Global<i32>) {
    let three = &3;
    let cell = &out;
    let raw = &raw const out;
    let part = 1..2;
    *out = 3;
}

fn main() {}
