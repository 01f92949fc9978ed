//! The launch of an unchecked kernel is unsafe, as a call of it is.

use shmem::prelude::*;

/// # Safety
///
/// There is a cell.
#[shmem_kernel(unchecked)]
unsafe fn kernel(cells: Global<[i32]>) {
    cells.at(0).store(1);
}

fn launches(stream: &shmem::Stream<'_>, cells: &shmem::DeviceBox<'_, [i32]>) {
    kernel::launch(stream, 1, cells).unwrap();
}

fn main() {
    let _ = launches;
    let mut cells = [1];
    kernel(Global::from_mut(&mut cells[..]));
}
