//! Without the prelude its names are not known: rustc says so, once.

#[shmem::shmem_kernel]
fn no_prelude(cell: Global<i32>) {
    cell.store(1);
}

fn main() {}
