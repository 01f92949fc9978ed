//! The C API of ACL and SHMEM on the CPU: what a program that was written for an NPU calls where there is none.
//!
//! A PE is a process. The functions have C's names, signatures and error codes, and are reached through the
//! modules (they export no symbols, so a program may be linked with CANN as well):
//!
//! | module | what it has |
//! |---|---|
//! | [`acl`] | the part of AscendCL that a SHMEM program needs: devices, streams, memory |
//! | [`shmem`] | the host API of SHMEM: init, symmetric heap, barrier |
//! | [`ext`] | what the vendor's API has not: the last error with its PE, an end to init, the binding of kernel libraries |
//! | [`abi`], [`kernel_abi`] | types that cross the boundary, laid out as C lays them out |
//!
//! ```
//! use std::ptr::null;
//!
//! use shmem_sim::{abi::*, acl::*, shmem::*};
//!
//! let mut attr = aclshmemx_init_attr_t {
//!     my_pe: 0,
//!     n_pes: 1,
//!     ip_port: [0; 64], // a job of one PE meets nobody
//!     local_mem_size: 64 << 20,
//!     option_attr: aclshmem_init_optional_attr_t {
//!         version: 0x10018,
//!         data_op_engine_type: 1,
//!         shm_init_timeout: 120,
//!         shm_create_timeout: 120,
//!         control_operation_timeout: 120,
//!         sockFd: 0,
//!     },
//!     comm_args: std::ptr::null_mut(),
//!     instance_id: 0,
//! };
//! // SAFETY: the attributes are valid, and the block is used between malloc and free.
//! unsafe {
//!     assert_eq!(aclInit(null()), ACL_SUCCESS);
//!     assert_eq!(aclrtSetDevice(0), ACL_SUCCESS);
//!     assert_eq!(aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, &raw mut attr), ACLSHMEM_SUCCESS);
//!     let cell = aclshmem_malloc(4).cast::<i32>();
//!     let of_pe_0 = aclshmem_ptr(cell.cast(), 0).cast::<i32>();
//!     of_pe_0.write(7);
//!     aclshmem_barrier_all();
//!     assert_eq!(cell.read(), 7);
//!     aclshmem_free(cell.cast());
//!     assert_eq!(aclshmem_finalize(), ACLSHMEM_SUCCESS);
//! }
//! ```
//!
//! Underneath, from the wire up: `bootstrap` brings the processes of a job together over a Unix socket, `job` is
//! what they then share (control block, two heaps, barrier), `state` is what kernels read, `stream`, `launch` and
//! `cores` run kernels. Nothing has a name in the file system, so nothing is left after SIGKILL.

pub mod abi;
pub mod acl;
pub mod ext;
pub mod kernel_abi;
pub mod shmem;

mod allocator;
mod bootstrap;
mod cores;
mod error;
mod job;
mod launch;
mod liveness;
mod mapping;
mod state;
mod stream;
mod sync;
mod wait;
