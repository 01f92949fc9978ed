//! The host API of SHMEM.
//!
//! | file | functions |
//! |---|---|
//! | `shmem/init.rs` | init, finalize, who am I |
//! | `shmem/heap.rs` | the symmetric heap and addresses in it |
//! | `shmem/barrier.rs` | barriers |
//!
//! Collective functions (init, finalize, allocation, barriers) are called by every PE in the same order. One whose peer
//! has died, left or is late fails instead of waiting; a function that returns `void` reports that through
//! [`crate::ext::shmemx_last_error`], which it clears when it begins.

mod barrier;
mod heap;
mod init;

pub use barrier::{aclshmem_barrier_all, aclshmemx_barrier_all_on_stream};
pub use heap::{
    aclshmem_align, aclshmem_calloc, aclshmem_free, aclshmem_malloc, aclshmem_ptr, aclshmemx_align,
    aclshmemx_calloc, aclshmemx_free, aclshmemx_get_heap_base, aclshmemx_malloc,
};
pub use init::{
    aclshmem_finalize, aclshmem_info_get_name, aclshmem_info_get_version, aclshmem_my_pe,
    aclshmem_n_pes, aclshmemx_init_attr, aclshmemx_init_status, aclshmemx_set_conf_store_tls,
};
