//! What `launch` takes.

use shmem::prelude::*;

use shmem::{Side, Stream, World};

#[shmem_kernel]
fn kernel(cell: Symmetric<i32>, cells: Global<[f32]>, x: i64) {
    cell.store(x as i32);
    cells.at(0).store(1.0);
}

fn launches(world: &World, stream: &Stream<'_>) -> Result<(), shmem::Error> {
    let cell = world.alloc(Side::Device).value(1_i32)?;
    let float = world.alloc(Side::Device).value(1.0_f32)?;
    let own = world.device_value(1_i32)?;
    let cells = world.alloc(Side::Device).slice(&[1.0_f32])?;
    kernel::launch(stream, 1, &own, &cells, 3_i64)?;
    kernel::launch(stream, 1, &float, &cells, 3_i64)?;
    kernel::launch(stream, 1, &cell, &float, 3_i64)?;
    kernel::launch(stream, 1, &cell, &cells, 3_u8)?;
    kernel::launch(stream, 1, cell, &cells, 3_i64)?;
    kernel::launch(stream, 1, &cell, &cells, 3_i64, 4)?;
    kernel::launch(stream, 1, &cell, &cells)?;
    kernel::launch(stream, -1, &cell, &cells, 3_i64)?;
    kernel::launch(1, &cell, &cells, 3_i64)?;
    Ok(())
}

fn main() {
    let _ = launches;
}
