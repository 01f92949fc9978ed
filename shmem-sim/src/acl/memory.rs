//! Device memory and pinned host memory. Both are the process's own memory here; they are kept apart so that a
//! program that mixes them up fails as it would on a device.

#![allow(non_snake_case)]

use core::alloc::Layout;
use core::ffi::c_void;
use core::ptr::null_mut;
use std::alloc::{alloc, dealloc};
use std::collections::BTreeMap;
use std::sync::Mutex;

use super::require_device;
use crate::abi::{
    ACL_ERROR_RT_MEMORY_ALLOCATION, ACL_ERROR_RT_PARAM_INVALID, aclError, aclrtMemMallocPolicy,
    aclrtMemcpyKind,
};
use crate::error::{Failure, Result, status};
use crate::job;
use crate::sync::lock;

/// Alignment of every block.
const ALIGNMENT: usize = 64;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Device,
    Host,
}

impl Kind {
    fn names(self) -> (&'static str, &'static str, &'static str) {
        match self {
            Kind::Device => ("aclrtMalloc", "aclrtFree", "device memory"),
            Kind::Host => ("aclrtMallocHost", "aclrtFreeHost", "pinned host memory"),
        }
    }
}

/// Blocks that are allocated, by address.
static BLOCKS: Mutex<BTreeMap<usize, (Layout, Kind)>> = Mutex::new(BTreeMap::new());

fn invalid(text: impl Into<String>) -> Failure {
    Failure::new(ACL_ERROR_RT_PARAM_INVALID, text)
}

/// # Safety
///
/// `out` is null or writable.
unsafe fn allocate(out: *mut *mut c_void, size: usize, kind: Kind) -> Result<()> {
    require_device()?;
    if out.is_null() {
        return Err(invalid("the place for the address is null"));
    }
    // SAFETY: not null; the caller promises the rest.
    unsafe { out.write(null_mut()) };
    if size == 0 {
        return Err(invalid("size is 0"));
    }
    let none = || {
        Failure::new(
            ACL_ERROR_RT_MEMORY_ALLOCATION,
            format!("out of memory: {size} bytes of {}", kind.names().2),
        )
    };
    let layout = Layout::from_size_align(size, ALIGNMENT).map_err(|_| none())?;
    // SAFETY: the size is not 0.
    let block = unsafe { alloc(layout) };
    if block.is_null() {
        return Err(none());
    }
    lock(&BLOCKS).insert(block.addr(), (layout, kind));
    // SAFETY: as above.
    unsafe { out.write(block.cast()) };
    Ok(())
}

/// # Safety
///
/// Nobody uses the block any more.
unsafe fn free(block: *mut c_void, kind: Kind) -> Result<()> {
    require_device()?;
    let (malloc, free, name) = kind.names();
    let mut blocks = lock(&BLOCKS);
    match blocks.get(&block.addr()) {
        Some(&(layout, found)) if found == kind => {
            blocks.remove(&block.addr());
            drop(blocks);
            // SAFETY: `alloc` gave the block with this layout, and it was still registered.
            unsafe { dealloc(block.cast(), layout) };
            Ok(())
        }
        Some((_, other)) => Err(invalid(format!(
            "{block:p} is {}; free it with {}, not {free}",
            other.names().2,
            other.names().1
        ))),
        None => Err(invalid(format!(
            "{block:p} is not the start of {name} from {malloc}, or was freed already"
        ))),
    }
}

/// Whether a range lies in one block of ours or in a symmetric heap.
fn is_ours(address: usize, len: usize) -> bool {
    let in_block =
        lock(&BLOCKS)
            .range(..=address)
            .next_back()
            .is_some_and(|(&start, (layout, _))| {
                len <= layout.size() && address - start <= layout.size() - len
            });
    in_block
        || job::current().is_ok_and(|job| {
            job.device().contains(address, len) || job.host().contains(address, len)
        })
}

/// `aclrtMalloc`: device memory, 64-byte aligned, not initialised. The policy does not matter here.
///
/// # Safety
///
/// `out` is null or writable.
pub unsafe extern "C" fn aclrtMalloc(
    out: *mut *mut c_void,
    size: usize,
    policy: aclrtMemMallocPolicy,
) -> aclError {
    let _ = policy;
    // SAFETY: the caller's promise is the same.
    status("aclrtMalloc", unsafe { allocate(out, size, Kind::Device) })
}

/// `aclrtFree`: gives device memory back.
///
/// # Safety
///
/// No kernel and no thread uses the block any more.
pub unsafe extern "C" fn aclrtFree(block: *mut c_void) -> aclError {
    // SAFETY: the caller's promise is the same.
    status("aclrtFree", unsafe { free(block, Kind::Device) })
}

/// `aclrtMallocHost`: pinned host memory, 64-byte aligned, not initialised.
///
/// # Safety
///
/// `out` is null or writable.
pub unsafe extern "C" fn aclrtMallocHost(out: *mut *mut c_void, size: usize) -> aclError {
    // SAFETY: the caller's promise is the same.
    status("aclrtMallocHost", unsafe {
        allocate(out, size, Kind::Host)
    })
}

/// `aclrtFreeHost`: gives pinned host memory back.
///
/// # Safety
///
/// No kernel and no thread uses the block any more.
pub unsafe extern "C" fn aclrtFreeHost(block: *mut c_void) -> aclError {
    // SAFETY: the caller's promise is the same.
    status("aclrtFreeHost", unsafe { free(block, Kind::Host) })
}

/// `aclrtMemcpy`: copies `count` bytes at once. The kind is ignored, as the vendor does.
///
/// # Safety
///
/// `count` bytes can be read at `source` and written at `dest`, and `dest_max` is the size of what is there.
pub unsafe extern "C" fn aclrtMemcpy(
    dest: *mut c_void,
    dest_max: usize,
    source: *const c_void,
    count: usize,
    kind: aclrtMemcpyKind,
) -> aclError {
    let _ = kind;
    let copy = || {
        require_device()?;
        if dest.is_null() || source.is_null() {
            let which = if dest.is_null() {
                "destination"
            } else {
                "source"
            };
            return Err(invalid(format!("the {which} is null")));
        }
        check_count(dest_max, count)?;
        // SAFETY: the caller promises both ranges; `copy` allows them to overlap.
        unsafe {
            dest.cast::<u8>().copy_from(source.cast(), count);
        }
        Ok(())
    };
    status("aclrtMemcpy", copy())
}

/// `aclrtMemset`: sets `count` bytes of device, pinned or symmetric memory.
///
/// # Safety
///
/// `count` bytes can be written at `dest`, and `dest_max` is the size of what is there.
pub unsafe extern "C" fn aclrtMemset(
    dest: *mut c_void,
    dest_max: usize,
    value: i32,
    count: usize,
) -> aclError {
    let set = || {
        require_device()?;
        if dest.is_null() {
            return Err(invalid("the destination is null"));
        }
        check_count(dest_max, count)?;
        if !is_ours(dest.addr(), count) {
            return Err(invalid(format!(
                "{count} bytes at {dest:p} are not in device, pinned or symmetric memory of this process"
            )));
        }
        // SAFETY: the range lies in memory of ours, and the caller promises that it may be written.
        unsafe { dest.cast::<u8>().write_bytes(value as u8, count) };
        Ok(())
    };
    status("aclrtMemset", set())
}

fn check_count(dest_max: usize, count: usize) -> Result<()> {
    if count == 0 {
        return Err(invalid("count is 0"));
    }
    if dest_max < count {
        return Err(invalid(format!(
            "count is {count} bytes and the destination has {dest_max}"
        )));
    }
    Ok(())
}
