//! An option is given once.

use shmem::prelude::*;

#[shmem_kernel(vector, all_blocks, vector)]
fn twice() {}

fn main() {}
