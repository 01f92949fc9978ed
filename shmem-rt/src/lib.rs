//! The safe host runtime for SHMEM kernels written in Rust.
//!
//! A program joins its job as a PE ([`World`]), allocates memory that all PEs reach ([`World::alloc`]), launches
//! kernels on a [`Stream`], and leaves ([`World::finalize`]). It runs on the simulator, which every build has, or on the
//! NPU ([`Backend`]).
//!
//! | file | what it has |
//! |---|---|
//! | `world`, `config`, `startup`, `live` | joining and leaving a job |
//! | `environment`, `address`, `listen` | who this PE is and where the job meets |
//! | `control/` | the control channel: every collective is compared between the PEs, and deadlines are kept |
//! | `alloc`, `block`, `boxes` | memory and its owners |
//! | `stream`, `kernel`, `library`, `fault` | launches, kernel libraries, kernel panics |
//! | `print/` | what kernels print |
//! | `memory`, `device`, `element` | what a kernel body sees when it runs on the host |
//! | [`launcher`] | starting the PEs of a job |
//! | `api`, `codes` | the C functions underneath and their result codes |

#[doc(hidden)]
#[path = "private.rs"]
pub mod __private;
mod address;
mod alloc;
mod api;
mod block;
mod boxes;
mod codes;
mod config;
mod control;
mod device;
mod element;
mod environment;
mod error;
mod fault;
mod kernel;
pub mod launcher;
mod library;
mod listen;
mod live;
mod memory;
mod print;
mod startup;
mod stream;
mod world;

pub use core::ffi::c_char;
pub use half::{bf16, f16};

pub use alloc::{Alloc, Side};
pub use api::Backend;
pub use boxes::{DeviceBox, SymmetricBox};
pub use config::Config;
pub use device::{block_idx, block_num, fence, g, my_pe, n_pes, p, quiet};
pub use element::{Element, Scalar};
pub use error::Error;
pub use fault::KernelPanic;
pub use kernel::KernelArg;
pub use memory::{Global, Symmetric};
pub use print::{Printed, capture_prints, print};
pub use stream::Stream;
pub use world::World;
