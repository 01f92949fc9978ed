//! The state block: what kernels read to learn who they are and where the heaps of the others are.
//!
//! One block for the life of the process, because a kernel library keeps its address; init fills it, finalize clears
//! it. It lies where the device code expects it if that address is free.

use core::cell::UnsafeCell;
use core::ffi::c_void;
use core::mem::size_of;
use core::ptr::null_mut;
use std::sync::OnceLock;

use crate::abi::{
    ACLSHMEM_CORE_SYNC_COUNTER_SIZE, ACLSHMEM_CORE_SYNC_POOL_SIZE, ACLSHMEM_MAX_PES,
    ACLSHMEM_TRANSPORT_MTE, STATE_BLOCK_ADDR, aclshmem_device_host_state_t, aclshmem_ub_config_t,
    aclshmemx_team_t,
};
use crate::job::Job;
use crate::mapping::Mapping;

type State = aclshmem_device_host_state_t;

/// Bytes of UB that put and get stage through (`mte_config`).
const MTE_UB_SIZE: u32 = 16 << 10;

/// Where the block goes if its address is taken.
#[repr(C, align(64))]
struct Elsewhere(UnsafeCell<[u8; size_of::<State>()]>);

// SAFETY: only `block` reads it, to hand out its address.
unsafe impl Sync for Elsewhere {}

static ELSEWHERE: Elsewhere = Elsewhere(UnsafeCell::new([0; size_of::<State>()]));

/// The state block: the same address at every call.
pub(crate) fn block() -> *mut State {
    static BLOCK: OnceLock<usize> = OnceLock::new();
    let address =
        *BLOCK.get_or_init(
            || match Mapping::anonymous_at(STATE_BLOCK_ADDR, size_of::<State>()) {
                Ok(mapping) => mapping.leak().expose_provenance(),
                Err(_) => ELSEWHERE.0.get().expose_provenance(),
            },
        );
    core::ptr::with_exposed_provenance_mut(address)
}

/// A cache line.
#[derive(Clone)]
#[repr(C, align(64))]
struct Line([u8; 64]);

/// Offsets in the device heap of what init allocates there.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Areas {
    pub(crate) signal: usize,
    pub(crate) sync_pool: usize,
    pub(crate) sync_counter: usize,
}

/// What the state block points to; lives as long as the job is current.
pub(crate) struct Tables {
    device_bases: Vec<usize>,
    host_bases: Vec<usize>,
    /// An `aclshmemx_team_t`. Words, because zeroed vectors take no memory before they are touched.
    world: Vec<u64>,
    core_sync_pool: Vec<Line>,
    core_sync_counter: Vec<Line>,
}

impl Tables {
    pub(crate) fn new(job: &Job) -> Self {
        let lines = |bytes: u64| vec![Line([0; 64]); bytes.div_ceil(64) as usize];
        let bases = |heap: &crate::job::Heap| {
            (0..job.shape.n_pes)
                .map(|pe| heap.base_of(pe).expose_provenance())
                .collect()
        };
        let mut tables = Tables {
            device_bases: bases(job.device()),
            host_bases: bases(job.host()),
            world: vec![0; size_of::<aclshmemx_team_t>() / 8],
            core_sync_pool: lines(ACLSHMEM_CORE_SYNC_POOL_SIZE),
            core_sync_counter: lines(ACLSHMEM_CORE_SYNC_COUNTER_SIZE),
        };
        // SAFETY: the vector has exactly the size and alignment of a team, whose fields are integers only.
        let world = unsafe { &mut *tables.world.as_mut_ptr().cast::<aclshmemx_team_t>() };
        world.mype = job.me as i32;
        world.stride = 1;
        world.size = job.shape.n_pes as i32;
        let (to_world, to_team) = world.pe_mapping.split_at_mut(ACLSHMEM_MAX_PES);
        to_team.fill(-1);
        for pe in 0..job.shape.n_pes {
            to_world[pe] = pe as i32;
            to_team[pe] = pe as i32;
        }
        tables
    }
}

const _: () =
    assert!(size_of::<aclshmemx_team_t>().is_multiple_of(8) && align_of::<aclshmemx_team_t>() == 8);

/// Fills the block for a job. No kernel runs while this is called.
pub(crate) fn fill(job: &Job, tables: &mut Tables, areas: Areas) {
    let ub = aclshmem_ub_config_t {
        aclshmem_ub: 0,
        ub_size: MTE_UB_SIZE,
        sync_id: 0,
    };
    let device = job.device();
    let in_heap = |offset: usize| device.base().wrapping_add(offset).expose_provenance() as u64;
    let n_pes = job.shape.n_pes;
    let state = block();
    // SAFETY: the block is valid for the life of the process, and only init and finalize, which hold the init lock,
    // write it; kernels read it only while a job is current. Tables are kept for as long.
    unsafe {
        (*state).version = (1 << 16) + size_of::<State>() as i32;
        (*state).mype = job.me as i32;
        (*state).npes = n_pes as i32;
        (*state).heap_base = device.base().cast();
        (*state).host_heap_base = job.host().base().cast();
        (*state).p2p_device_heap_base = tables.device_bases.as_mut_ptr().cast();
        (*state).p2p_host_heap_base = tables.host_bases.as_mut_ptr().cast();
        let topology: *mut u8 = (&raw mut (*state).topo_list).cast();
        topology.write_bytes(ACLSHMEM_TRANSPORT_MTE, n_pes);
        (*state).heap_size = device.size() as u64;
        (*state).team_pools[0] = tables.world.as_mut_ptr().cast();
        (*state).sync_pool = in_heap(areas.sync_pool);
        (*state).sync_counter = in_heap(areas.sync_counter);
        (*state).signal_addr = in_heap(areas.signal);
        (*state).core_sync_pool = tables.core_sync_pool.as_mut_ptr().expose_provenance() as u64;
        (*state).core_sync_counter =
            tables.core_sync_counter.as_mut_ptr().expose_provenance() as u64;
        (*state).mte_config = ub;
        (*state).is_aclshmem_created = true;
        (*state).is_aclshmem_initialized = true;
    }
}

/// Makes the block say that there is no job; `n_pes` is the size of the one that ended.
pub(crate) fn clear(n_pes: usize) {
    let state = block();
    let none: *mut *mut c_void = null_mut();
    // SAFETY: as in `fill`; finalize has waited for the kernels that were launched.
    unsafe {
        (*state).is_aclshmem_initialized = false;
        (*state).is_aclshmem_created = false;
        (*state).mype = 0;
        (*state).npes = 0;
        (*state).heap_base = null_mut();
        (*state).host_heap_base = null_mut();
        (*state).p2p_device_heap_base = none;
        (*state).p2p_host_heap_base = none;
        let topology: *mut u8 = (&raw mut (*state).topo_list).cast();
        topology.write_bytes(0, n_pes);
        (*state).heap_size = 0;
        (*state).team_pools[0] = null_mut();
        (*state).sync_pool = 0;
        (*state).sync_counter = 0;
        (*state).signal_addr = 0;
        (*state).core_sync_pool = 0;
        (*state).core_sync_counter = 0;
    }
}
