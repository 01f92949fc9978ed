use shmem::prelude::*;

#[shmem_kernel]
fn kernel(x: i32, y: f32, cells: Global<[i32]>) {
    match (x, x) {
        (1, 2) => {}
        _ => {}
    }
    match y {
        1.0 => {}
        _ => {}
    }
    match x {
        Some(_) => {}
        _ => {}
    }
    match x {
        1_u8 => {}
        _ => {}
    }
    let z = match x {
        0 => 1,
        1 => true,
        _ => 3,
    };
    match x {
        mut a if a > 1 => a += 1,
        _ => {}
    }
    cells.at(0).store(z);
}

fn main() {}
