//! Names that are words of C++, raw, not ASCII, or written as rustc does not have them.

#![allow(missing_docs, non_upper_case_globals)]

use shmem::prelude::*;

/// Alternative tokens of C++.
#[shmem_kernel]
pub fn xor(bitor: Global<[i64]>) {
    let and = bitor.at(0).load();
    let compl = !and;
    let or_eq = and + compl;
    let not = or_eq - 1;
    bitor.at(1).store(not);
}

#[shmem_device]
fn and(or: i64, not_eq: i64) -> i64 {
    or * not_eq
}

/// A device function and a local of one name.
#[shmem_kernel]
pub fn xor_eq(cells: Global<[i64]>) {
    let product = and(cells.at(0).load(), 3);
    let and = product + 1;
    cells.at(1).store(and);
}

#[shmem_kernel]
pub fn r#match(r#fn: Global<[i64]>) {
    let mut r#loop = 0;
    for r#type in 0..r#fn.at(0).load() {
        r#loop += r#type;
    }
    r#fn.at(1).store(r#loop);
}

/// Names of other scripts, and two that differ by a letter which only looks like another.
#[shmem_kernel]
pub fn größe(变量: Global<[i64]>) {
    let ſ = 变量.at(0).load();
    let s = ſ + 1;
    let ширина = ſ * 100 + s;
    变量.at(1).store(ширина);
}

/// One name, composed here and decomposed there; what would be its escape is another.
#[shmem_kernel]
pub fn café(cells: Global<[i64]>) {
    let ué = cells.at(0).load();
    let u_ue9_ = ué + 1;
    let ué = ué * 10;
    'é: loop {
        for round in 0..2 {
            if round == 1 {
                break 'é;
            }
            cells.at(1).store(ué + u_ue9_);
        }
    }
}

#[shmem_device]
fn hocḧ(x: i64) -> i64 {
    assert_ne!(x, 77, "decomposed");
    x + TIEFÉ
}

const TIEFÉ: i64 = 40;

/// A device function and a constant that are called as they are not written.
#[shmem_kernel]
pub fn ånge(cells: Global<[i64]>) {
    cells.at(1).store(hocḧ(cells.at(0).load()));
}
