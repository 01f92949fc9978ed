//! The options of the attribute are three names.

use shmem::prelude::*;

#[shmem_kernel(fast)]
fn unknown() {}

#[shmem_kernel(vector, aicore, all_blocks)]
fn among_others() {}

#[shmem_kernel("vector")]
fn text() {}

#[shmem_kernel(Vector)]
fn capital() {}

fn main() {}
