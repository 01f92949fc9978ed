//! Write Huawei Ascend SHMEM kernels in Rust.
//!
//! A function under [`#[shmem_kernel]`](macro@shmem_kernel) is lowered to AscendC by the build script, compiled for the
//! NPU or for the embedded CPU simulator, and launched on the PEs of a job over the symmetric heap.
//!
//! - kernels: [`macro@shmem_kernel`], [`macro@shmem_device`], [`Symmetric`], [`Global`], and the device API: [`my_pe`], [`n_pes`], [`p`], [`g`],
//!   [`quiet`], [`fence`], [`block_idx`], [`block_num`], [`print!`];
//! - host: [`World`], [`SymmetricBox`], [`DeviceBox`], [`Stream`], [`capture_prints`], [`launcher`].
//!
//! The device functions can be called on the host too: there a kernel's body is plain Rust.
//!
//! ```
//! use shmem::prelude::*;
//!
//! #[shmem_kernel]
//! pub fn double(cell: Global<i32>) {
//!     cell.store(cell.load() * 2);
//! }
//!
//! let mut value = 21;
//! double(Global::from_mut(&mut value));
//! assert_eq!(value, 42);
//! ```

pub use shmem_macros::{shmem_device, shmem_kernel};
pub use shmem_rt::*;

#[doc(hidden)]
pub use shmem_rt::__private;

/// What a file with kernels needs: `use shmem::prelude::*;`.
pub mod prelude {
    pub use crate::{Global, Symmetric, bf16, c_char, f16, shmem_device, shmem_kernel};
}

// The Rust blocks of these pages are compiled and run with the documentation tests.
#[cfg(doctest)]
mod pages {
    #[doc = include_str!("../docs/language.md")]
    struct Language;
    #[doc = include_str!("../docs/runtime.md")]
    struct Runtime;
}
