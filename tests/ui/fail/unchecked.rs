//! `unchecked` and `unsafe` go together.

use shmem::prelude::*;

#[shmem_kernel(unchecked)]
fn safe(cell: Global<i32>) {
    cell.store(1);
}

/// # Safety
/// None.
#[shmem_kernel(unchecked)]
unsafe fn unsafe_and_wrong(cell: Global<i32>) {
    cell.store(1.0);
}

#[shmem_kernel]
unsafe fn checked(cell: Global<i32>) {
    cell.store(1);
}

#[shmem_kernel(all_blocks)]
pub unsafe fn checked_on_all_blocks() {}

fn main() {
    let mut cell = 0;
    safe(Global::from_mut(&mut cell));
    // SAFETY: it does nothing.
    unsafe { checked(Global::from_mut(&mut cell)) };
    // SAFETY: it does nothing.
    let _ = |stream| unsafe { unsafe_and_wrong::launch(stream, 1, &3) };
}
