//! The C types and constants of ACL and SHMEM that cross the C API table, laid out as CANN's headers lay them out.
//!
//! Names are C's. Sizes and offsets are asserted at compile time: a kernel library built against the public SHMEM
//! headers reads the same bytes.

#![allow(non_camel_case_types, non_snake_case)]

use core::ffi::{c_char, c_int, c_void};
use core::mem::{offset_of, size_of};

/// `aclError`: 0 is success.
pub type aclError = c_int;
/// `aclrtStream`.
pub type aclrtStream = *mut c_void;

/// `ACL_ERROR_NONE`.
pub const ACL_SUCCESS: aclError = 0;
/// `ACL_ERROR_INVALID_PARAM`: an argument failed validation.
pub const ACL_ERROR_INVALID_PARAM: aclError = 100_000;
/// `ACL_ERROR_UNINITIALIZE`: `aclInit` has not been called.
pub const ACL_ERROR_UNINITIALIZE: aclError = 100_001;
/// `ACL_ERROR_REPEAT_INITIALIZE`: `aclInit` was called before.
pub const ACL_ERROR_REPEAT_INITIALIZE: aclError = 100_002;
/// `ACL_ERROR_REPEAT_FINALIZE`: `aclFinalize` was called before.
pub const ACL_ERROR_REPEAT_FINALIZE: aclError = 100_037;
/// `ACL_ERROR_RT_PARAM_INVALID`: an argument was rejected by the runtime.
pub const ACL_ERROR_RT_PARAM_INVALID: aclError = 107_000;
/// `ACL_ERROR_RT_INVALID_DEVICEID`.
pub const ACL_ERROR_RT_INVALID_DEVICEID: aclError = 107_001;
/// `ACL_ERROR_RT_CONTEXT_NULL`: no device was set on this thread.
pub const ACL_ERROR_RT_CONTEXT_NULL: aclError = 107_002;
/// `ACL_ERROR_RT_INVALID_HANDLE`.
pub const ACL_ERROR_RT_INVALID_HANDLE: aclError = 107_017;
/// `ACL_ERROR_RT_MEMORY_ALLOCATION`: out of memory.
pub const ACL_ERROR_RT_MEMORY_ALLOCATION: aclError = 207_001;
/// `ACL_ERROR_RT_AICORE_TIMEOUT`: what a stream waited for did not come (a barrier on a stream).
pub const ACL_ERROR_RT_AICORE_TIMEOUT: aclError = 507_014;
/// `ACL_ERROR_RT_AICORE_EXCEPTION`: a task of a stream stopped on a fault (a barrier whose peer died).
pub const ACL_ERROR_RT_AICORE_EXCEPTION: aclError = 507_015;
/// `ACL_ERROR_RT_AICORE_TRAP_EXCEPTION`: a mixed kernel stopped on a trap (a kernel panic).
pub const ACL_ERROR_RT_AICORE_TRAP_EXCEPTION: aclError = 507_016;
/// `ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION`: a vector kernel stopped on a trap (a kernel panic).
pub const ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION: aclError = 507_036;
/// `ACL_ERROR_RT_STREAM_SYNC_TIMEOUT`.
pub const ACL_ERROR_RT_STREAM_SYNC_TIMEOUT: aclError = 507_046;

/// `aclrtMemcpyKind`: ACL derives the direction from the addresses, so the simulator ignores it as well.
pub type aclrtMemcpyKind = c_int;
/// `ACL_MEMCPY_HOST_TO_DEVICE`.
pub const ACL_MEMCPY_HOST_TO_DEVICE: aclrtMemcpyKind = 1;
/// `ACL_MEMCPY_DEVICE_TO_HOST`.
pub const ACL_MEMCPY_DEVICE_TO_HOST: aclrtMemcpyKind = 2;

/// `aclrtStreamStatus`.
pub type aclrtStreamStatus = c_int;
/// `ACL_STREAM_STATUS_COMPLETE`: nothing is queued or running.
pub const ACL_STREAM_STATUS_COMPLETE: aclrtStreamStatus = 0;
/// `ACL_STREAM_STATUS_NOT_READY`.
pub const ACL_STREAM_STATUS_NOT_READY: aclrtStreamStatus = 1;

/// `aclrtLastErrLevel`.
pub type aclrtLastErrLevel = c_int;
/// `ACL_RT_THREAD_LEVEL`: the only level.
pub const ACL_RT_THREAD_LEVEL: aclrtLastErrLevel = 0;

/// `aclrtMemMallocPolicy`.
pub type aclrtMemMallocPolicy = c_int;
/// `ACL_MEM_MALLOC_HUGE_FIRST`.
pub const ACL_MEM_MALLOC_HUGE_FIRST: aclrtMemMallocPolicy = 0;

/// `aclshmemx_bootstrap_t`.
pub type aclshmemx_bootstrap_t = u32;
/// `ACLSHMEMX_INIT_WITH_DEFAULT`.
pub const ACLSHMEMX_INIT_WITH_DEFAULT: aclshmemx_bootstrap_t = 1;

/// `aclshmem_mem_type_t`: the side of the symmetric heap.
pub type aclshmem_mem_type_t = c_int;
/// Host-side symmetric heap.
pub const HOST_SIDE: aclshmem_mem_type_t = 0;
/// Device-side symmetric heap.
pub const DEVICE_SIDE: aclshmem_mem_type_t = 1;

/// `ACLSHMEM_SUCCESS`.
pub const ACLSHMEM_SUCCESS: c_int = 0;
/// `ACLSHMEM_INVALID_PARAM`.
pub const ACLSHMEM_INVALID_PARAM: c_int = -1;
/// `ACLSHMEM_INVALID_VALUE`.
pub const ACLSHMEM_INVALID_VALUE: c_int = -2;
/// `ACLSHMEM_SMEM_ERROR`.
pub const ACLSHMEM_SMEM_ERROR: c_int = -3;
/// `ACLSHMEM_INNER_ERROR`.
pub const ACLSHMEM_INNER_ERROR: c_int = -4;
/// `ACLSHMEM_NOT_INITED`.
pub const ACLSHMEM_NOT_INITED: c_int = -5;
/// `ACLSHMEM_BOOTSTRAP_ERROR`.
pub const ACLSHMEM_BOOTSTRAP_ERROR: c_int = -6;
/// `ACLSHMEM_TIMEOUT_ERROR`.
pub const ACLSHMEM_TIMEOUT_ERROR: c_int = -7;
/// `ACLSHMEM_MALLOC_FAILED`.
pub const ACLSHMEM_MALLOC_FAILED: c_int = -8;
/// `ACLSHMEM_NOT_SUPPORTED`.
pub const ACLSHMEM_NOT_SUPPORTED: c_int = -100;

/// `aclshmemx_init_status`: not initialised.
pub const ACLSHMEM_STATUS_NOT_INITIALIZED: c_int = 0;
/// `aclshmemx_init_status`: initialised.
pub const ACLSHMEM_STATUS_IS_INITIALIZED: c_int = 2;

/// `ACLSHMEM_MAX_PES`.
pub const ACLSHMEM_MAX_PES: usize = 16_384;
/// `ACLSHMEM_MAX_TEAMS`.
pub const ACLSHMEM_MAX_TEAMS: usize = 2_048;
/// Bytes that SHMEM adds to the heap that the user asked for.
pub const ACLSHMEM_EXTRA_SIZE: u64 = 0x60_0000;
/// Alignment of the distance between the heaps of two PEs.
pub const ACLSHMEM_HEAP_ALIGNMENT_SIZE: u64 = 0x4000_0000;
/// Largest `local_mem_size`.
pub const ACLSHMEM_MAX_LOCAL_SIZE: u64 = 40 << 30;
/// `local_mem_size` is a multiple of this page.
pub const ACLSHMEM_PAGE_SIZE: u64 = 2 << 20;
/// `topo_list` bit: the PE is reached by MTE (and by p and g).
pub const ACLSHMEM_TRANSPORT_MTE: u8 = 1;
/// Bytes of the signal area that init allocates in the device heap.
pub const SIGNAL_AREA_SIZE: u64 = 512;
/// `SYNC_POOL_SIZE`.
pub const SYNC_POOL_SIZE: u64 = 0x50_0000;
/// `SYNC_COUNTERS_SIZE`.
pub const SYNC_COUNTERS_SIZE: u64 = 0x2_0000;
/// `ACLSHMEM_CORE_SYNC_POOL_SIZE`.
pub const ACLSHMEM_CORE_SYNC_POOL_SIZE: u64 = 18_432;
/// `ACLSHMEM_CORE_SYNC_COUNTER_SIZE`.
pub const ACLSHMEM_CORE_SYNC_COUNTER_SIZE: u64 = 64;
/// Where the device code finds the state block (`SMEM_SHM_DEVICE_USER_CONTEXT_ADDR`).
pub const STATE_BLOCK_ADDR: usize = 0x17ff_be01_0000;

/// `aclshmem_init_optional_attr_t`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct aclshmem_init_optional_attr_t {
    /// `(1 << 16) + size`.
    pub version: c_int,
    /// Engine bits: MTE is 1.
    pub data_op_engine_type: c_int,
    /// Seconds that init may wait for the other PEs.
    pub shm_init_timeout: u32,
    /// Seconds; unused by SHMEM.
    pub shm_create_timeout: u32,
    /// Seconds that a collective on the control plane may wait.
    pub control_operation_timeout: u32,
    /// Listening socket of PE 0, already bound to `ip_port`; 0 or less: SHMEM binds one itself.
    pub sockFd: i32,
}

/// `aclshmemx_init_attr_t`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct aclshmemx_init_attr_t {
    /// This PE.
    pub my_pe: c_int,
    /// PEs of the job.
    pub n_pes: c_int,
    /// `tcp://host:port`, NUL-terminated.
    pub ip_port: [c_char; 64],
    /// Bytes of symmetric heap on each side.
    pub local_mem_size: u64,
    /// Engine, timeouts, socket.
    pub option_attr: aclshmem_init_optional_attr_t,
    /// Unique id or communicator of the other bootstraps.
    pub comm_args: *mut c_void,
    /// Instance; 0 is the only one that the simulator has.
    pub instance_id: u64,
}

/// `aclshmem_team_config_t`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct aclshmem_team_config_t {
    /// Version.
    pub version: c_int,
    /// Contexts.
    pub num_contexts: c_int,
    /// Unique id.
    pub uniqueid: u64,
    /// Room for more.
    pub padding: [u8; 48],
}

/// `aclshmemx_team_t` as the device reads it.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct aclshmemx_team_t {
    /// This PE's number in the team.
    pub mype: c_int,
    /// First world PE.
    pub start: c_int,
    /// Distance between members.
    pub stride: c_int,
    /// Members.
    pub size: c_int,
    /// Index in `team_pools`.
    pub team_idx: c_int,
    /// Configuration.
    pub config: aclshmem_team_config_t,
    /// Team rank to world PE, then world PE to team rank (-1: not a member).
    pub pe_mapping: [i32; 2 * ACLSHMEM_MAX_PES],
}

/// `aclshmem_ub_config_t`.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct aclshmem_ub_config_t {
    /// Offset in UB.
    pub aclshmem_ub: i64,
    /// Bytes.
    pub ub_size: u32,
    /// Event id.
    pub sync_id: u32,
}

/// `aclshmem_device_host_state_t`: the state block that kernels read.
#[repr(C)]
#[derive(Debug)]
pub struct aclshmem_device_host_state_t {
    /// `(1 << 16) + size`.
    pub version: c_int,
    /// This PE.
    pub mype: c_int,
    /// PEs of the job.
    pub npes: c_int,
    /// This PE's device heap.
    pub heap_base: *mut c_void,
    /// This PE's host heap.
    pub host_heap_base: *mut c_void,
    /// Device heaps by PE.
    pub p2p_device_heap_base: *mut *mut c_void,
    /// Unused here.
    pub rdma_device_heap_base: *mut *mut c_void,
    /// Unused here.
    pub sdma_device_heap_base: *mut *mut c_void,
    /// Host heaps by PE.
    pub p2p_host_heap_base: *mut *mut c_void,
    /// Unused here.
    pub rdma_host_heap_base: *mut *mut c_void,
    /// Unused here.
    pub sdma_host_heap_base: *mut *mut c_void,
    /// Transports by PE.
    pub topo_list: [u8; ACLSHMEM_MAX_PES],
    /// `local_mem_size` plus `ACLSHMEM_EXTRA_SIZE`.
    pub heap_size: u64,
    /// Teams.
    pub team_pools: [*mut aclshmemx_team_t; ACLSHMEM_MAX_TEAMS],
    /// Synchronisation area in the device heap.
    pub sync_pool: u64,
    /// Counters in the device heap.
    pub sync_counter: u64,
    /// Core synchronisation area, private to the PE.
    pub core_sync_pool: u64,
    /// Core synchronisation counter, private to the PE.
    pub core_sync_counter: u64,
    /// Set by init.
    pub is_aclshmem_initialized: bool,
    /// Set by init.
    pub is_aclshmem_created: bool,
    /// UB of MTE transfers.
    pub mte_config: aclshmem_ub_config_t,
    /// UB of SDMA transfers.
    pub sdma_config: aclshmem_ub_config_t,
    /// UB of RDMA transfers.
    pub rdma_config: aclshmem_ub_config_t,
    /// UB of UDMA transfers.
    pub udma_config: aclshmem_ub_config_t,
    /// Unused here.
    pub qp_info: u64,
    /// Unused here.
    pub sdma_workspace_addr: u64,
    /// Unused here.
    pub profs: *mut c_void,
    /// Signal area in the device heap.
    pub signal_addr: u64,
}

const _: () = {
    assert!(size_of::<aclshmem_init_optional_attr_t>() == 24);
    assert!(size_of::<aclshmemx_init_attr_t>() == 120);
    assert!(offset_of!(aclshmemx_init_attr_t, ip_port) == 8);
    assert!(offset_of!(aclshmemx_init_attr_t, local_mem_size) == 72);
    assert!(offset_of!(aclshmemx_init_attr_t, option_attr) == 80);
    assert!(offset_of!(aclshmemx_init_attr_t, comm_args) == 104);
    assert!(offset_of!(aclshmemx_init_attr_t, instance_id) == 112);
    assert!(size_of::<aclshmem_team_config_t>() == 64);
    assert!(size_of::<aclshmem_ub_config_t>() == 16);
    assert!(size_of::<aclshmemx_team_t>() == 131_160);
    assert!(offset_of!(aclshmemx_team_t, config) == 24);
    assert!(offset_of!(aclshmemx_team_t, pe_mapping) == 88);
    type State = aclshmem_device_host_state_t;
    assert!(size_of::<State>() == 32_992);
    assert!(offset_of!(State, heap_base) == 16);
    assert!(offset_of!(State, host_heap_base) == 24);
    assert!(offset_of!(State, p2p_device_heap_base) == 32);
    assert!(offset_of!(State, p2p_host_heap_base) == 56);
    assert!(offset_of!(State, topo_list) == 80);
    assert!(offset_of!(State, heap_size) == 16_464);
    assert!(offset_of!(State, team_pools) == 16_472);
    assert!(offset_of!(State, sync_pool) == 32_856);
    assert!(offset_of!(State, sync_counter) == 32_864);
    assert!(offset_of!(State, core_sync_pool) == 32_872);
    assert!(offset_of!(State, core_sync_counter) == 32_880);
    assert!(offset_of!(State, is_aclshmem_initialized) == 32_888);
    assert!(offset_of!(State, mte_config) == 32_896);
    assert!(offset_of!(State, udma_config) == 32_944);
    assert!(offset_of!(State, qp_info) == 32_960);
    assert!(offset_of!(State, profs) == 32_976);
    assert!(offset_of!(State, signal_addr) == 32_984);
};
