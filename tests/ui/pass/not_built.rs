//! Without a build script a kernel compiles, and its launch says what is missing.

use shmem::{Error, World, prelude::*};

#[shmem_kernel]
fn kernel(cell: Global<i32>, r#type: u8, stream: bool) {
    if stream {
        cell.store(r#type as i32);
    }
}

/// # Safety
///
/// None.
#[shmem_kernel(unchecked, vector, all_blocks)]
unsafe fn unchecked(_: Symmetric<[f32]>) {}

fn main() -> Result<(), Error> {
    let world = World::init()?;
    let stream = world.stream()?;
    let cell = world.device_value(3)?;
    let error = kernel::launch(&stream, 1, &cell, 3_u8, true).unwrap_err();
    assert!(matches!(error, Error::NotBuilt { .. }), "{error:?}");
    let text = error.to_string();
    for part in ["kernel", "build.rs", "shmem_codegen::build()"] {
        assert!(text.contains(part), "{text}");
    }
    let cells = world.alloc(shmem::Side::Device).slice(&[1.0_f32])?;
    // SAFETY: it does nothing.
    let error = unsafe { unchecked::launch(&stream, 2, &cells) }.unwrap_err();
    assert!(matches!(error, Error::NotBuilt { .. }), "{error:?}");
    Ok(())
}
