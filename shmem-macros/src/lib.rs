//! The procedural macros of `shmem`. Use them through the `shmem` crate, which documents them.

mod arguments;
mod body;
mod confirm;
mod context;
mod expand;
mod recover;
mod stub;
mod types;

use proc_macro::TokenStream;

/// Makes a function a kernel: lowered to AscendC by the build script, launched through a module of the same name.
///
/// ```
/// use shmem::prelude::*;
///
/// /// Every PE puts its number into its successor's cell.
/// #[shmem_kernel]
/// pub fn pass_on(cell: Symmetric<i32>) {
///     let next = (shmem::my_pe() + 1) % shmem::n_pes();
///     shmem::p(cell, shmem::my_pe(), next);
///     shmem::quiet();
/// }
///
/// // The function is plain Rust: outside of a job it runs as PE 0 of 1.
/// let mut cell = 7;
/// pass_on(Symmetric::from_mut(&mut cell));
/// assert_eq!(cell, 0);
/// assert_eq!(pass_on::NAME, "pass_on");
/// assert!(pass_on::SOURCE.contains("aclshmem_int32_p"));
/// ```
///
/// # What it makes
///
/// - the function itself, with its body as plain Rust;
/// - a module with its name: `launch(&stream, blocks, arguments...)`, `NAME`, and `SOURCE`, the AscendC text.
///
/// # Parameters
///
/// [`Symmetric`](../shmem/struct.Symmetric.html) and [`Global`](../shmem/struct.Global.html) memory, one element or a
/// slice; integers, floats and `bool`. A kernel returns nothing.
///
/// # Options
///
/// By default a kernel runs once per PE: on vector core 0 of block 0, behind the AI-cube skip and the block-0 guard.
///
/// - `all_blocks`: every instance runs the body, and may ask `shmem::block_idx()` and `shmem::block_num()`. A launch
///   of n blocks has 2n instances, or n with `vector`.
/// - `vector`: vector cores only; no cube cores are started, so there is no cube skip.
/// - `unchecked`: no checks of indices, PE numbers and arithmetic. The kernel is an `unsafe fn`, and so is its
///   `launch`; whatever would fail a check is undefined behaviour.
///
/// # Panics
///
/// A failed check stops the instance and cancels the launch; `Stream::synchronize` returns an `Error::KernelPanic`
/// with the Rust line. Overflow is checked where the crate has `debug_assertions`, and wraps where it has not.
#[proc_macro_attribute]
pub fn shmem_kernel(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::kernel(arguments.into(), item.into()).into()
}

/// Makes a function one that the kernels of the crate may call, by any path.
///
/// ```
/// use shmem::prelude::*;
///
/// const ROUNDS: u32 = 3;
///
/// /// A step of a linear congruential generator.
/// #[shmem_device]
/// fn step(x: u32) -> u32 {
///     x.wrapping_mul(1664525).wrapping_add(1013904223)
/// }
///
/// #[shmem_kernel]
/// pub fn scramble(cell: Global<u32>) {
///     let mut x = cell.load();
///     for _ in 0..ROUNDS {
///         x = step(x);
///     }
///     cell.store(x);
/// }
///
/// let mut value = 1;
/// scramble(Global::from_mut(&mut value));
/// assert_eq!(value, step(step(step(1))));
/// ```
///
/// Its parameters are those of a kernel; it returns a number, a bool or nothing. It may call other device functions, but
/// not itself. It is an ordinary function on the host.
///
/// A hidden module of the same name stands beside it, by which rustc confirms that callers mean this function.
#[proc_macro_attribute]
pub fn shmem_device(arguments: TokenStream, item: TokenStream) -> TokenStream {
    expand::device(arguments.into(), item.into()).into()
}
