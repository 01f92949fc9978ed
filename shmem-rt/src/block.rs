//! A piece of memory that a box stands for, and who uses it.

use core::ffi::c_void;
use core::ptr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use shmem_sim::abi::{
    ACL_ERROR_RT_MEMORY_ALLOCATION, ACL_MEM_MALLOC_HUGE_FIRST, ACL_MEMCPY_DEVICE_TO_HOST,
    ACL_MEMCPY_HOST_TO_DEVICE,
};

use crate::live::Live;
use crate::{Element, Error, Side};

/// Zeros that are copied to host-side memory at once.
const ZEROS: usize = 1 << 20;

/// Where a block lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Place {
    /// In the symmetric heap: the allocation of that number. It is freed by all PEs together, or with the heap.
    Symmetric { side: Side, number: u64 },
    /// In this PE's device memory.
    Device,
}

/// Memory of one allocation. The boxes and the launches that use it share it.
#[derive(Debug)]
pub(crate) struct Block {
    live: Arc<Live>,
    address: *mut c_void,
    bytes: usize,
    place: Place,
    uses: Mutex<Uses>,
}

/// Launches that are not synchronised.
#[derive(Debug, Default)]
struct Uses {
    count: usize,
    kernel: &'static str,
}

// SAFETY: the address is a number for ACL's functions, which take it from any thread; `uses` is behind a lock.
unsafe impl Send for Block {}
// SAFETY: as above; a shared block gives no access to its memory but through ACL's copies.
unsafe impl Sync for Block {}

impl Block {
    /// `bytes` of this PE's device memory.
    pub(crate) fn in_device(live: &Arc<Live>, bytes: usize) -> Result<Arc<Self>, Error> {
        live.bind()?;
        let mut address = ptr::null_mut();
        // ACL takes no 0, and an empty slice needs an address as well.
        let size = bytes.max(1);
        // SAFETY: the result is written to `address`.
        match unsafe { (live.api.aclrtMalloc)(&mut address, size, ACL_MEM_MALLOC_HUGE_FIRST) } {
            0 => Ok(Arc::new(Self::new(live, address, bytes, Place::Device))),
            code => match live.api.error("aclrtMalloc", code) {
                Error::Vendor {
                    code: ACL_ERROR_RT_MEMORY_ALLOCATION,
                    message,
                    ..
                } => Err(Error::OutOfMemory {
                    bytes: bytes as u64,
                    place: "in the device memory",
                    hint: "free what is not needed".into(),
                    message,
                }),
                error => Err(error),
            },
        }
    }

    /// A block of the symmetric heap that was allocated at `address`.
    pub(crate) fn new(live: &Arc<Live>, address: *mut c_void, bytes: usize, place: Place) -> Self {
        Self {
            live: live.clone(),
            address,
            bytes,
            place,
            uses: Mutex::default(),
        }
    }

    pub(crate) fn live(&self) -> &Arc<Live> {
        &self.live
    }

    pub(crate) fn address(&self) -> *mut c_void {
        self.address
    }

    pub(crate) fn bytes(&self) -> usize {
        self.bytes
    }

    pub(crate) fn place(&self) -> Place {
        self.place
    }

    fn uses(&self) -> MutexGuard<'_, Uses> {
        self.uses.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A launch uses the block from now on.
    pub(crate) fn take(&self, kernel: &'static str) {
        let mut uses = self.uses();
        uses.count += 1;
        uses.kernel = kernel;
    }

    /// A launch has been synchronised.
    pub(crate) fn release(&self) {
        self.uses().count -= 1;
    }

    /// An error while a launch may use the block.
    pub(crate) fn check_idle(&self) -> Result<(), Error> {
        let uses = self.uses();
        if uses.count == 0 {
            Ok(())
        } else {
            Err(Error::InFlight {
                kernel: uses.kernel,
            })
        }
    }

    /// Copies `values` to the cells from `first` on.
    pub(crate) fn write<T: Element>(&self, first: usize, values: &[T]) -> Result<(), Error> {
        self.check_idle()?;
        self.copy_in(
            first * size_of::<T>(),
            values.as_ptr().cast(),
            size_of_val(values),
        )
    }

    /// Copies `count` cells from `first` on.
    pub(crate) fn read<T: Element>(&self, first: usize, count: usize) -> Result<Vec<T>, Error> {
        self.check_idle()?;
        self.live.bind()?;
        let mut values: Vec<T> = Vec::with_capacity(count);
        let bytes = count * size_of::<T>();
        let offset = first * size_of::<T>();
        debug_assert!(offset + bytes <= self.bytes);
        if bytes > 0 {
            // SAFETY: the cells lie in the block, and `values` has room for them.
            let code = unsafe {
                let from = self.address.byte_add(offset);
                (self.live.api.aclrtMemcpy)(
                    values.as_mut_ptr().cast(),
                    bytes,
                    from,
                    bytes,
                    ACL_MEMCPY_DEVICE_TO_HOST,
                )
            };
            self.live.api.check("aclrtMemcpy", code)?;
        }
        // SAFETY: the copy has filled `count` elements, and every bit pattern is a value of an Element.
        unsafe { values.set_len(count) };
        Ok(values)
    }

    /// Zeros the first `bytes`.
    pub(crate) fn zero(&self, bytes: usize) -> Result<(), Error> {
        self.check_idle()?;
        self.live.bind()?;
        if bytes == 0 {
            return Ok(());
        }
        if !matches!(
            self.place,
            Place::Symmetric {
                side: Side::Host,
                ..
            }
        ) {
            debug_assert!(bytes <= self.bytes);
            // SAFETY: the range lies in the block.
            let code = unsafe { (self.live.api.aclrtMemset)(self.address, bytes, 0, bytes) };
            return self.live.api.check("aclrtMemset", code);
        }
        // ACL sets device memory only; host-side memory takes copies.
        let zeros = vec![0_u8; bytes.min(ZEROS)];
        for offset in (0..bytes).step_by(ZEROS) {
            self.copy_in(offset, zeros.as_ptr().cast(), (bytes - offset).min(ZEROS))?;
        }
        Ok(())
    }

    fn copy_in(&self, offset: usize, from: *const c_void, bytes: usize) -> Result<(), Error> {
        self.live.bind()?;
        if bytes == 0 {
            return Ok(());
        }
        debug_assert!(offset + bytes <= self.bytes);
        // SAFETY: the range lies in the block, and the caller's `from` has as many bytes.
        let code = unsafe {
            let to = self.address.byte_add(offset);
            (self.live.api.aclrtMemcpy)(to, bytes, from, bytes, ACL_MEMCPY_HOST_TO_DEVICE)
        };
        self.live.api.check("aclrtMemcpy", code)
    }
}

impl Drop for Block {
    fn drop(&mut self) {
        if self.place == Place::Device && self.live.bind().is_ok() {
            // SAFETY: no box and no launch has the block any more, and it lives no longer than its World.
            let code = unsafe { (self.live.api.aclrtFree)(self.address) };
            if let Err(error) = self.live.api.check("aclrtFree", code) {
                tracing::warn!(%error, "freeing device memory");
            }
        }
    }
}
