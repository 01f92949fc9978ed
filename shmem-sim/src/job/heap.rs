//! One side of the symmetric heap: all PEs' heaps in one mapping, and the allocator of this PE's.

use std::os::fd::BorrowedFd;
use std::sync::Mutex;

use super::{Shape, heap_size};
use crate::abi::{ACLSHMEM_HEAP_ALIGNMENT_SIZE, ACLSHMEM_SMEM_ERROR};
use crate::allocator::Allocator;
use crate::error::{Failure, Result};
use crate::mapping::Mapping;

/// Distance between the heaps of two PEs in bytes.
pub(crate) fn stride(local_mem_size: u64) -> usize {
    heap_size(local_mem_size).next_multiple_of(ACLSHMEM_HEAP_ALIGNMENT_SIZE) as usize
}

/// The heaps of one side.
pub(crate) struct Heap {
    mapping: Mapping,
    stride: usize,
    size: usize,
    me: usize,
    pub(crate) allocator: Mutex<Allocator>,
}

impl Heap {
    pub(super) fn map(
        file: BorrowedFd<'_>,
        me: usize,
        shape: Shape,
        preferred: usize,
    ) -> Result<Heap> {
        let stride = stride(shape.local_mem_size);
        let len = stride.saturating_mul(shape.n_pes);
        let mapping =
            Mapping::shared(file, len, Some(preferred), ACLSHMEM_HEAP_ALIGNMENT_SIZE as usize).map_err(
                |errno| {
                    Failure::new(
                        ACLSHMEM_SMEM_ERROR,
                        format!(
                            "cannot reserve {len} bytes of address space ({} PEs, {stride} bytes each): {errno}; \
                             use fewer PEs or a smaller local_mem_size, or raise `ulimit -v`",
                            shape.n_pes
                        ),
                    )
                },
            )?;
        let size = heap_size(shape.local_mem_size) as usize;
        Ok(Heap {
            mapping,
            stride,
            size,
            me,
            allocator: Mutex::new(Allocator::new(size)),
        })
    }

    /// Where the heap of a PE begins in this process.
    pub(crate) fn base_of(&self, pe: usize) -> *mut u8 {
        self.mapping.base().wrapping_add(pe * self.stride)
    }

    /// Where this PE's heap begins.
    pub(crate) fn base(&self) -> *mut u8 {
        self.base_of(self.me)
    }

    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The offset of an address inside this PE's heap.
    pub(crate) fn offset_of(&self, address: usize) -> Option<usize> {
        let offset = address.checked_sub(self.base().addr())?;
        (offset < self.size).then_some(offset)
    }

    /// The PE in whose heap, as mapped here, an address lies.
    pub(crate) fn owner_of(&self, address: usize) -> Option<usize> {
        let offset = address.checked_sub(self.mapping.base().addr())?;
        (offset < self.mapping.len() && offset % self.stride < self.size)
            .then_some(offset / self.stride)
    }

    /// Whether `len` bytes from an address lie in the heap of one PE.
    pub(crate) fn contains(&self, address: usize, len: usize) -> bool {
        self.owner_of(address).is_some_and(|pe| {
            let offset = address - self.base_of(pe).addr();
            len <= self.size - offset
        })
    }
}
