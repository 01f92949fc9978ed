//! Allocation in the symmetric heap: the same on all PEs, or an error on all.

use std::panic::Location;
use std::sync::Arc;

use core::marker::PhantomData;

use shmem_sim::abi::{ACLSHMEM_MALLOC_FAILED, DEVICE_SIDE, HOST_SIDE, aclshmem_mem_type_t};

use crate::block::{Block, Place};
use crate::control::{Kind, Record};
use crate::live::Live;
use crate::world::refused;
use crate::{Element, Error, SymmetricBox};

/// Least alignment of an allocation: a cache line, so that no two share one.
const LEAST_ALIGN: usize = 64;

/// A side of the symmetric heap; stands for `aclshmem_mem_type_t`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Side {
    /// Host memory (DRAM): `HOST_SIDE`.
    Host,
    /// Device memory (HBM): `DEVICE_SIDE`.
    Device,
}

impl Side {
    pub(crate) fn mem_type(self) -> aclshmem_mem_type_t {
        match self {
            Self::Host => HOST_SIDE,
            Self::Device => DEVICE_SIDE,
        }
    }
}

/// An allocation in the symmetric heap, not made yet. The last method makes it.
///
/// Collective: all PEs allocate the same bytes, on the same side, in the same order, at the same place in the source.
/// A PE that does otherwise is an error on all of them. Stands for `aclshmemx_align`.
///
/// ```
/// use shmem_rt::{Side, World};
///
/// let world = World::init()?;
/// let flag = world.alloc(Side::Host).bytes(2 << 20).value(0_i32)?;
/// let table = world.alloc(Side::Device).align(4096).slice(&[1.0_f32, 2.0])?;
/// let counts = world.alloc(Side::Device).zeroed::<u64>(100)?;
/// assert_eq!(flag.read()?, 0);
/// assert_eq!(table.read_vec()?, [1.0, 2.0]);
/// assert_eq!(counts.len(), 100);
/// # drop((flag, table, counts));
/// # world.finalize()?;
/// # Ok::<(), shmem_rt::Error>(())
/// ```
#[derive(Debug)]
#[must_use = "nothing is allocated before `value`, `slice` or `zeroed`"]
pub struct Alloc<'w> {
    live: Arc<Live>,
    side: Side,
    bytes: usize,
    align: usize,
    _world: PhantomData<&'w ()>,
}

impl<'w> Alloc<'w> {
    pub(crate) fn new(live: &Arc<Live>, side: Side) -> Self {
        Self {
            live: live.clone(),
            side,
            bytes: 0,
            align: LEAST_ALIGN,
            _world: PhantomData,
        }
    }

    /// Allocates at least so many bytes, also when the values need fewer.
    pub fn bytes(mut self, bytes: usize) -> Self {
        self.bytes = bytes;
        self
    }

    /// Aligns the allocation to a power of two. It is aligned to 64 bytes, a cache line, in any case.
    pub fn align(mut self, align: usize) -> Self {
        self.align = align;
        self
    }

    /// Allocates one cell with this PE's `value` in it.
    ///
    /// # Errors
    /// A call that differs between PEs, a full heap, an alignment that is no power of two: the same on all PEs.
    #[track_caller]
    pub fn value<T: Element>(self, value: T) -> Result<SymmetricBox<'w, T>, Error> {
        let block = self.allocate::<T>(1, Location::caller(), |block| block.write(0, &[value]))?;
        Ok(SymmetricBox::new(block, 1))
    }

    /// Allocates as many cells as `values` has, with this PE's values in them. Empty slices are fine.
    ///
    /// # Errors
    /// As [`Alloc::value`].
    #[track_caller]
    pub fn slice<T: Element>(self, values: &[T]) -> Result<SymmetricBox<'w, [T]>, Error> {
        let block = self.allocate::<T>(values.len(), Location::caller(), |block| {
            block.write(0, values)
        })?;
        Ok(SymmetricBox::new(block, values.len()))
    }

    /// Allocates `len` cells that are zero on all PEs when this returns.
    ///
    /// # Errors
    /// As [`Alloc::value`]; also when `len` elements are more than memory can hold.
    #[track_caller]
    pub fn zeroed<T: Element>(self, len: usize) -> Result<SymmetricBox<'w, [T]>, Error> {
        let block = self.allocate::<T>(len, Location::caller(), |block| {
            block.zero(len * size_of::<T>())
        })?;
        Ok(SymmetricBox::new(block, len))
    }

    /// Two rounds: the PEs agree on what is allocated, and then that everyone has it with its contents. Between them
    /// no PE can write to another's block.
    fn allocate<T: Element>(
        self,
        len: usize,
        site: &'static Location<'static>,
        fill: impl FnOnce(&Block) -> Result<(), Error>,
    ) -> Result<Arc<Block>, Error> {
        let live = &self.live;
        live.bind()?;
        let mut allocations = live.allocations();
        let size = len
            .checked_mul(size_of::<T>())
            .map(|needed| needed.max(self.bytes));
        let record = |kind| Record {
            side: self.side as u8,
            bytes: size.map_or(u64::MAX, |size| size as u64),
            align: self.align as u64,
            block: *allocations + 1,
            ..Record::new(kind, site)
        };
        // A size that cannot be is compared like any other, so that no PE waits for one that gave up alone.
        refused(live.control.collective(record(Kind::Alloc))?, "alloc")?;
        if !self.align.is_power_of_two() {
            return Err(Error::Align { align: self.align });
        }
        let too_large = Error::TooLarge {
            len,
            size: size_of::<T>(),
        };
        let made = size.ok_or(too_large).and_then(|size| {
            let number = *allocations + 1;
            let block = self.malloc(size, number)?;
            fill(&block)?;
            Ok(block)
        });
        let mut done = record(Kind::Allocated);
        done.refused = made.as_ref().err().map(ToString::to_string);
        let together = live.control.collective(done)?;
        *allocations += 1;
        let block = made?;
        refused(together, "alloc")?;
        Ok(Arc::new(block))
    }

    fn malloc(&self, bytes: usize, number: u64) -> Result<Block, Error> {
        let live = &self.live;
        let full = |text| Error::heap(bytes as u64, self.side, live.local_mem_size, text);
        let align = self.align.max(LEAST_ALIGN);
        let Some(size) = bytes.max(1).checked_next_multiple_of(LEAST_ALIGN) else {
            return Err(full(String::new()));
        };
        // SAFETY: SHMEM is initialised, and all PEs are here with the same numbers.
        let address = unsafe { (live.api.aclshmemx_align)(align, size, self.side.mem_type()) };
        if address.is_null() {
            let (code, text) = live.api.last_error("aclshmemx_align");
            return Err(match code {
                0 | ACLSHMEM_MALLOC_FAILED => full(text),
                code => live.api.error("aclshmemx_align", code),
            });
        }
        Ok(Block::new(
            live,
            address,
            bytes,
            Place::Symmetric {
                side: self.side,
                number,
            },
        ))
    }
}
