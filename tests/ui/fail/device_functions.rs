use shmem::prelude::*;

#[shmem_device]
fn again(x: i32) -> i32 {
    again(x)
}

#[shmem_device]
fn ping(x: i32) -> i32 {
    pong(x)
}

#[shmem_device]
fn pong(x: i32) -> i32 {
    ping(x)
}

#[shmem_device(fast)]
fn generic<T>(x: &T) -> Vec<i32> {
    x
}

#[shmem_device]
fn missing(x: i32) -> i32 {
    if x > 0 {
        return;
    }
}

#[shmem_device]
fn block() -> usize {
    shmem::block_idx()
}

#[shmem_device]
struct NotAFunction;

const fn plain(x: i32) -> i32 {
    x
}

const TEXT: &str = "no number";
const CALLED: i32 = plain(1);

#[shmem_kernel]
fn kernel(x: i32, cell: Global<i32>) {
    cell.store(plain(x));
    cell.store(missing(x, 1));
    cell.store(missing(1.0));
    cell.store(block() as i32);
    cell.store(CALLED);
    let a = TEXT;
}

fn main() {}
