//! What the simulator and a kernel library compiled for it say to each other.
//!
//! The C++ side of this page is `sim/shmem_sim.h` of `shmem-headers`; the two change together, and
//! [`ABI_VERSION`] with them. A library exports one function,
//! `extern "C" int32_t shmem_sim_bind(const shmem_sim_binding *)`, which keeps the pointers and returns 0, or the
//! version that it was compiled for when that differs.

use core::ffi::c_void;

use crate::abi::aclshmem_device_host_state_t;

/// Version of this page.
pub const ABI_VERSION: u32 = 1;

/// `core_type` of an instance on a cube core (AIC).
pub const CORE_CUBE: i32 = 0;
/// `core_type` of an instance on a vector core (AIV).
pub const CORE_VECTOR: i32 = 1;

/// Launch flag: the kernel runs on vector cores only; without it n blocks are n cube and 2n vector instances.
pub const LAUNCH_VECTOR: u32 = 1;
/// Launch flag: the instances run at the same time; without it one after the other.
pub const LAUNCH_ALL_BLOCKS: u32 = 2;

/// Returned by the run function: the kernel returned.
pub const RUN_DONE: i32 = 0;
/// Returned by the run function: the kernel left by a panic, after it wrote its fault record.
pub const RUN_PANICKED: i32 = 1;

/// One core's run of a kernel: what `GetBlockIdx` and its kin answer from.
#[repr(C)]
#[derive(Debug)]
pub struct Instance {
    /// [`CORE_CUBE`] or [`CORE_VECTOR`].
    pub core_type: i32,
    /// `AscendC::GetSubBlockIdx()`: 0, or 0 and 1 on the two vector cores of a mixed kernel's group.
    pub sub_block_idx: i32,
    /// `AscendC::GetBlockIdx()`: cube 0..n, vector 0..2n in a mixed kernel and 0..n in a vector kernel.
    pub block_idx: i64,
    /// `AscendC::GetBlockNum()`: n, as launched.
    pub block_num: i64,
    /// `AscendC::GetTaskRation()`: 2 on a vector core of a mixed kernel, else 1.
    pub task_ration: i64,
    /// For the library: where a panic leaves to.
    pub jump: *mut c_void,
}

/// Unpacks the slots and runs one instance to its end; [`RUN_DONE`] or [`RUN_PANICKED`].
pub type RunInstance = unsafe extern "C" fn(instance: *mut Instance, slots: *const u64) -> i32;

/// What the simulator gives to a library.
#[repr(C)]
#[derive(Debug)]
pub struct Binding {
    /// [`ABI_VERSION`].
    pub version: u32,
    /// Size of this structure.
    pub size: u32,
    /// The state block. One address for the life of the process; filled while SHMEM is initialised.
    pub state: *const aclshmem_device_host_state_t,
    /// Queues a launch of `blocks` blocks on a stream; the slots are copied. Returns an `aclError`.
    pub launch: unsafe extern "C" fn(
        stream: *mut c_void,
        blocks: u32,
        flags: u32,
        run: RunInstance,
        slots: *const u64,
        n_slots: u32,
    ) -> i32,
}
