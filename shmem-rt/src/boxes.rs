//! Owners of memory that kernels use. Host access is by copy: no reference to the memory is ever handed out.

use core::cell::Cell;
use core::marker::PhantomData;
use std::panic::Location;
use std::sync::Arc;

use crate::block::{Block, Place};
use crate::control::{Kind, Record};
use crate::world::refused;
use crate::{Backend, Element, Error, Global, Symmetric};

/// What a box has to do with its cells: `Send`, not `Sync`, for as long as the World.
type Cells<'w, T> = PhantomData<(&'w (), Cell<()>, fn() -> *const T)>;

/// Cells in the symmetric heap: every PE has them, and reaches those of the others with [`p`](crate::p) and
/// [`g`](crate::g).
///
/// Dropping it gives nothing back: the memory stays until the World ends, so that a drop needs no other PE. [`free`]
/// is collective and gives it back.
///
/// [`free`]: SymmetricBox::free
#[derive(Debug)]
pub struct SymmetricBox<'w, T: ?Sized> {
    block: Arc<Block>,
    len: usize,
    _cells: Cells<'w, T>,
}

/// Cells in this PE's own device memory, which no other PE reaches. Dropping it frees the memory.
#[derive(Debug)]
pub struct DeviceBox<'w, T: ?Sized> {
    block: Arc<Block>,
    len: usize,
    _cells: Cells<'w, T>,
}

macro_rules! host_access {
    ($boxed:ident, $view:ident) => {
        impl<T: ?Sized> $boxed<'_, T> {
            pub(crate) fn new(block: Arc<Block>, len: usize) -> Self {
                Self { block, len, _cells: PhantomData }
            }

            pub(crate) fn block(&self) -> &Arc<Block> {
                &self.block
            }

            fn check_host_view(&self) -> Result<(), Error> {
                self.block.check_idle()?;
                match self.block.live().backend {
                    Backend::Sim => Ok(()),
                }
            }
        }

        impl<T: Element> $boxed<'_, T> {
            /// The value; stands for `aclrtMemcpy`.
            ///
            /// # Errors
            /// [`Error::InFlight`] while a launch that may use the cell is not synchronised.
            pub fn read(&self) -> Result<T, Error> {
                Ok(self.block.read(0, 1)?[0])
            }

            /// Replaces the value; stands for `aclrtMemcpy`.
            ///
            /// # Errors
            #[doc = concat!("As [`", stringify!($boxed), "::read`].")]
            pub fn write(&self, value: T) -> Result<(), Error> {
                self.block.write(0, &[value])
            }

            /// The cell as a kernel body sees it, to call the body on the host.
            ///
            /// # Errors
            #[doc = concat!("As [`", stringify!($boxed), "::read`]; [`Error::HostView`] on a backend whose memory the host cannot touch.")]
            pub fn host_view(&self) -> Result<$view<'_, T>, Error> {
                self.check_host_view()?;
                // SAFETY: on the simulator the cell is ordinary memory, which lives as long as the box.
                Ok(unsafe { $view::from_raw(self.block.address().cast()) })
            }
        }

        impl<T: Element> $boxed<'_, [T]> {
            /// Cells.
            #[must_use]
            pub fn len(&self) -> usize {
                self.len
            }

            /// Whether there is no cell.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len == 0
            }

            /// All values; stands for `aclrtMemcpy`.
            ///
            /// # Errors
            /// [`Error::InFlight`] while a launch that may use the cells is not synchronised.
            pub fn read_vec(&self) -> Result<Vec<T>, Error> {
                self.block.read(0, self.len)
            }

            /// Replaces all values; stands for `aclrtMemcpy`.
            ///
            /// # Errors
            #[doc = concat!("As [`", stringify!($boxed), "::read_vec`]; [`Error::Length`] for another number of values.")]
            pub fn write_slice(&self, values: &[T]) -> Result<(), Error> {
                if values.len() != self.len {
                    return Err(Error::Length { expected: self.len, found: values.len() });
                }
                self.block.write(0, values)
            }

            /// One value.
            ///
            /// # Errors
            #[doc = concat!("As [`", stringify!($boxed), "::read_vec`]; [`Error::Index`] for an index outside.")]
            pub fn read_at(&self, index: usize) -> Result<T, Error> {
                self.check_index(index)?;
                Ok(self.block.read(index, 1)?[0])
            }

            /// Replaces one value.
            ///
            /// # Errors
            #[doc = concat!("As [`", stringify!($boxed), "::read_at`].")]
            pub fn write_at(&self, index: usize, value: T) -> Result<(), Error> {
                self.check_index(index)?;
                self.block.write(index, &[value])
            }

            fn check_index(&self, index: usize) -> Result<(), Error> {
                if index < self.len { Ok(()) } else { Err(Error::Index { index, len: self.len }) }
            }

            /// The cells as a kernel body sees them, to call the body on the host.
            ///
            /// # Errors
            #[doc = concat!("As [`", stringify!($boxed), "::read_vec`]; [`Error::HostView`] on a backend whose memory the host cannot touch.")]
            pub fn host_view(&self) -> Result<$view<'_, [T]>, Error> {
                self.check_host_view()?;
                // SAFETY: on the simulator the cells are ordinary memory, which lives as long as the box.
                Ok(unsafe { $view::from_raw_parts(self.block.address().cast(), self.len) })
            }
        }
    };
}

host_access!(SymmetricBox, Symmetric);
host_access!(DeviceBox, Global);

impl<T: ?Sized> SymmetricBox<'_, T> {
    /// Gives the memory back. Collective: all PEs free the same allocation at the same place in the source. Stands
    /// for `aclshmemx_free`.
    ///
    /// # Errors
    /// As [`World::barrier_all`](crate::World::barrier_all). [`Error::InFlight`] while a launch on this PE that may
    /// use it is not synchronised, which is [`Error::CollectiveRefused`] on the others; the memory then stays until
    /// the World ends.
    #[track_caller]
    pub fn free(self) -> Result<(), Error> {
        let site = Location::caller();
        let live = self.block.live();
        let Place::Symmetric { side, number } = self.block.place() else {
            return Ok(());
        };
        live.bind()?;
        let _one_at_a_time = live.allocations();
        let busy = self.block.check_idle();
        let together = live.control.collective(Record {
            side: side as u8,
            bytes: self.block.bytes() as u64,
            block: number,
            refused: busy.as_ref().err().map(ToString::to_string),
            ..Record::new(Kind::Free, site)
        })?;
        busy?;
        refused(together, "free")?;
        // SAFETY: all PEs are here with the same allocation, no launch uses it, and `self` was its only owner.
        unsafe { (live.api.aclshmemx_free)(self.block.address(), side.mem_type()) };
        match live.api.last_error("aclshmemx_free") {
            (0, _) => Ok(()),
            (code, _) => Err(live.cause(live.api.error("aclshmemx_free", code))),
        }
    }
}
