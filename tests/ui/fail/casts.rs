//! What `as` does not convert.

use shmem::prelude::*;

#[shmem_kernel]
fn casts(cell: Global<i32>, cells: Global<[i32]>, x: i32, f: f32, b: bool) {
    let a = x as bool;
    let a = f as bool;
    let a = x as char;
    let a = 65_u8 as char;
    let a = cell as i32;
    let a = cells as usize;
    let a = b as f32;
    let a = x as u128;
    let a = x as Global<i32>;
    let a = x as *const i32;
    let a = x as _;
    let a = x as Number;
}

type Number = i32;

fn main() {
    let number: Number = 1;
    assert_eq!(number, 1);
}
