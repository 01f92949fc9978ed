//! A kernel has no generic parameters and no `where` clause.

use shmem::prelude::*;

#[shmem_kernel]
fn of_type<T>(cell: Global<T>, value: T) {}

#[shmem_kernel]
fn of_lifetime<'a>(cell: Global<'a, i32>) {
    cell.store(1);
}

#[shmem_kernel]
fn of_const<const N: usize>(cells: Global<[i32]>) {}

#[shmem_kernel]
fn bounded<T: Copy>(cell: Global<T>)
where
    T: Default,
{
}

#[shmem_kernel]
fn with_where(cell: Global<i32>)
where
    i32: Copy,
{
    cell.store(1);
}

fn main() {
    let mut cell = 0;
    of_lifetime(Global::from_mut(&mut cell));
    of_type(Global::from_mut(&mut cell), 3);
}
