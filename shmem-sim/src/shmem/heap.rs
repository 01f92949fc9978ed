//! The symmetric heap. Allocation and release are collective: each has a barrier, as the vendor's have.

use core::ffi::{c_int, c_void};
use core::ptr::null_mut;

use super::barrier::report;
use crate::abi::{
    ACLSHMEM_HEAP_ALIGNMENT_SIZE, ACLSHMEM_INVALID_PARAM, ACLSHMEM_INVALID_VALUE,
    ACLSHMEM_MALLOC_FAILED, DEVICE_SIDE, HOST_SIDE, aclshmem_mem_type_t,
};
use crate::allocator::GRANULE;
use crate::error::{self, Failure, Result};
use crate::job::{self, Heap, Job};
use crate::sync::lock;

fn side_name(side: aclshmem_mem_type_t) -> &'static str {
    if side == HOST_SIDE {
        "host-side"
    } else {
        "device-side"
    }
}

fn heap_of(job: &Job, side: aclshmem_mem_type_t) -> Result<&Heap> {
    job.heap(side).ok_or_else(|| {
        let text =
            format!("mem_type {side}; HOST_SIDE is {HOST_SIDE}, DEVICE_SIDE is {DEVICE_SIDE}");
        Failure::new(ACLSHMEM_INVALID_PARAM, text)
    })
}

/// The address, or null with the failure recorded.
fn address(function: &str, result: Result<*mut u8>) -> *mut c_void {
    match result {
        Ok(address) => address.cast(),
        Err(failure) => {
            error::record(failure.in_call(function));
            null_mut()
        }
    }
}

/// A block of this PE's heap.
fn take(heap: &Heap, size: usize, alignment: usize, side: aclshmem_mem_type_t) -> Result<*mut u8> {
    if size == 0 {
        return Err(Failure::new(ACLSHMEM_INVALID_VALUE, "size is 0"));
    }
    if !alignment.is_power_of_two() || alignment as u64 > ACLSHMEM_HEAP_ALIGNMENT_SIZE {
        let text = format!(
            "alignment {alignment} is not a power of two up to {ACLSHMEM_HEAP_ALIGNMENT_SIZE}"
        );
        return Err(Failure::new(ACLSHMEM_INVALID_VALUE, text));
    }
    let mut allocator = lock(&heap.allocator);
    allocator
        .allocate(size, alignment)
        .map(|offset| heap.base().wrapping_add(offset))
        .ok_or_else(|| {
            let text = format!(
                "{size} bytes (alignment {}) do not fit: the largest free block of the {} heap is {} of {} bytes; \
                 raise local_mem_size",
                alignment.max(GRANULE),
                side_name(side),
                allocator.largest_free(),
                heap.size()
            );
            Failure::new(ACLSHMEM_MALLOC_FAILED, text)
        })
}

/// Takes a block, then meets the other PEs, also when there is none.
fn allocate(
    size: usize,
    alignment: usize,
    side: aclshmem_mem_type_t,
    zero: bool,
) -> Result<*mut u8> {
    let job = job::current()?;
    let heap = heap_of(&job, side)?;
    let block = take(heap, size, alignment, side);
    if let (Ok(block), true) = (&block, zero) {
        // SAFETY: the block was just taken from the mapped heap and has at least `size` bytes.
        unsafe { block.write_bytes(0, size) };
    }
    if let Err(failure) = job.barrier(job.timeout) {
        if let Ok(block) = block {
            lock(&heap.allocator).release(block.addr() - heap.base().addr());
        }
        return Err(failure);
    }
    block
}

/// A zeroed block; impossible sizes fail at once, before any other PE is met.
fn allocate_zeroed(count: usize, size: usize, side: aclshmem_mem_type_t) -> Result<*mut u8> {
    let job = job::current()?;
    let heap = heap_of(&job, side)?;
    match count.checked_mul(size) {
        Some(0) => Err(Failure::new(
            ACLSHMEM_INVALID_VALUE,
            format!("{count} elements of {size} bytes are no memory"),
        )),
        Some(bytes) if bytes <= heap.size() => allocate(bytes, GRANULE, side, true),
        _ => Err(Failure::new(
            ACLSHMEM_INVALID_VALUE,
            format!(
                "{count} elements of {size} bytes are more than the {} heap, which has {} bytes",
                side_name(side),
                heap.size()
            ),
        )),
    }
}

/// Meets the other PEs, then gives the block back.
fn release(block: *mut c_void, side: aclshmem_mem_type_t) -> Result<()> {
    if block.is_null() {
        return Ok(());
    }
    let job = job::current()?;
    let heap = heap_of(&job, side)?;
    job.barrier(job.timeout)?;
    let offset = heap.offset_of(block.addr());
    if let Some(offset) = offset
        && lock(&heap.allocator).release(offset)
    {
        return Ok(());
    }
    let why = match offset {
        Some(offset) => match lock(&heap.allocator).block_around(offset) {
            Some((start, size)) => format!(
                "is inside the block at {:p} of {size} bytes; free its start",
                heap.base().wrapping_add(start)
            ),
            None => "is not allocated, or was freed already".into(),
        },
        None => not_here(&job, block, Some(side)),
    };
    Err(Failure::new(
        ACLSHMEM_INVALID_PARAM,
        format!("{block:p} {why}"),
    ))
}

/// Why an address is not in this PE's heap (of one side, or of either).
fn not_here(job: &Job, address: *mut c_void, side: Option<aclshmem_mem_type_t>) -> String {
    for other in [DEVICE_SIDE, HOST_SIDE] {
        match job
            .heap(other)
            .and_then(|heap| heap.owner_of(address.addr()))
        {
            Some(pe) if pe != job.me => {
                return format!(
                    "is in the {} heap of PE {pe}, not in this PE's",
                    side_name(other)
                );
            }
            Some(_) if side.is_some() => return format!("is in the {} heap", side_name(other)),
            _ => {}
        }
    }
    "is not in the symmetric heap".into()
}

/// `aclshmem_malloc`: `size` bytes of every PE's device-side heap at one offset; null on failure. Blocks begin and end on
/// 64-byte lines (the vendor's on 16 bytes).
///
/// # Safety
///
/// Called by all PEs with the same size.
pub unsafe extern "C" fn aclshmem_malloc(size: usize) -> *mut c_void {
    address(
        "aclshmem_malloc",
        allocate(size, GRANULE, DEVICE_SIDE, false),
    )
}

/// `aclshmemx_malloc`: as `aclshmem_malloc`, on the side asked for.
///
/// # Safety
///
/// Called by all PEs with the same arguments.
pub unsafe extern "C" fn aclshmemx_malloc(size: usize, side: aclshmem_mem_type_t) -> *mut c_void {
    address("aclshmemx_malloc", allocate(size, GRANULE, side, false))
}

/// `aclshmem_calloc`: `count` zeroed elements of `size` bytes, zero on every PE when it returns. A product that is 0,
/// overflows or exceeds the heap gives null without a barrier.
///
/// # Safety
///
/// Called by all PEs with the same arguments.
pub unsafe extern "C" fn aclshmem_calloc(count: usize, size: usize) -> *mut c_void {
    address("aclshmem_calloc", allocate_zeroed(count, size, DEVICE_SIDE))
}

/// `aclshmemx_calloc`: as `aclshmem_calloc`, on the side asked for.
///
/// # Safety
///
/// Called by all PEs with the same arguments.
pub unsafe extern "C" fn aclshmemx_calloc(
    count: usize,
    size: usize,
    side: aclshmem_mem_type_t,
) -> *mut c_void {
    address("aclshmemx_calloc", allocate_zeroed(count, size, side))
}

/// `aclshmem_align`: as `aclshmem_malloc`, at a multiple of `alignment`, a power of two up to 1 GiB.
///
/// # Safety
///
/// Called by all PEs with the same arguments.
pub unsafe extern "C" fn aclshmem_align(alignment: usize, size: usize) -> *mut c_void {
    address(
        "aclshmem_align",
        allocate(size, alignment, DEVICE_SIDE, false),
    )
}

/// `aclshmemx_align`: as `aclshmem_align`, on the side asked for.
///
/// # Safety
///
/// Called by all PEs with the same arguments.
pub unsafe extern "C" fn aclshmemx_align(
    alignment: usize,
    size: usize,
    side: aclshmem_mem_type_t,
) -> *mut c_void {
    address("aclshmemx_align", allocate(size, alignment, side, false))
}

/// `aclshmem_free`: waits for all PEs, then gives a device-side block back; null is ignored, without a barrier. A failure
/// is read with `shmemx_last_error`.
///
/// # Safety
///
/// Called by all PEs for the same block, which nobody uses any more.
pub unsafe extern "C" fn aclshmem_free(block: *mut c_void) {
    error::clear();
    report("aclshmem_free", release(block, DEVICE_SIDE));
}

/// `aclshmemx_free`: as `aclshmem_free`, for the side that the block came from.
///
/// # Safety
///
/// Called by all PEs for the same block, which nobody uses any more.
pub unsafe extern "C" fn aclshmemx_free(block: *mut c_void, side: aclshmem_mem_type_t) {
    error::clear();
    report("aclshmemx_free", release(block, side));
}

/// `aclshmemx_get_heap_base`: where this PE's heap of a side begins; null if there is none.
///
/// # Safety
///
/// None; unsafe as all functions of the C API table are.
pub unsafe extern "C" fn aclshmemx_get_heap_base(side: aclshmem_mem_type_t) -> *mut c_void {
    let base = job::current().and_then(|job| Ok(heap_of(&job, side)?.base()));
    address("aclshmemx_get_heap_base", base)
}

/// `aclshmem_ptr`: where the object at `symmetric` in this PE's heap (of either side) lies in that of `pe`; null if the
/// PE or the address is none of the job's.
///
/// # Safety
///
/// None; using the address is what needs care.
pub unsafe extern "C" fn aclshmem_ptr(symmetric: *mut c_void, pe: c_int) -> *mut c_void {
    let translate = || {
        let job = job::current()?;
        let n_pes = job.shape.n_pes;
        let Some(to) = usize::try_from(pe).ok().filter(|&to| to < n_pes) else {
            return Err(Failure::new(
                ACLSHMEM_INVALID_VALUE,
                format!("there is no PE {pe}; the job has {n_pes} PEs"),
            ));
        };
        [job.device(), job.host()]
            .into_iter()
            .find_map(|heap| {
                let offset = heap.offset_of(symmetric.addr())?;
                Some(heap.base_of(to).wrapping_add(offset))
            })
            .ok_or_else(|| {
                let text = format!("{symmetric:p} {}", not_here(&job, symmetric, None));
                Failure::new(ACLSHMEM_INVALID_PARAM, text)
            })
    };
    address("aclshmem_ptr", translate())
}
