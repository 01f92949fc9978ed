//! An option takes no value, and a comma stands between two.

use shmem::prelude::*;

#[shmem_kernel(vector = true)]
fn value() {}

#[shmem_kernel(all_blocks(2), vector)]
fn arguments() {}

#[shmem_kernel(vector all_blocks)]
fn no_comma() {}

fn main() {}
