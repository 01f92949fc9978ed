//! Memory as a kernel body sees it: `Symmetric` and `Global`, read like `&T` and `&[T]`.

use core::cell::Cell;
use core::fmt;
use core::marker::PhantomData;
use core::ops::Range;
use core::sync::atomic::{AtomicU8, AtomicU16, AtomicU32, AtomicU64, Ordering};

use crate::Element;

/// A cell, or cells, of the symmetric heap.
///
/// `Symmetric<T>` is read like `&T`, `Symmetric<[T]>` like `&[T]`; both may be copied. It is what [`p`](crate::p) and
/// [`g`](crate::g) take.
///
/// ```
/// use shmem_rt::Symmetric;
///
/// let mut values = [1, 2, 3];
/// let cells = Symmetric::from_mut(&mut values[..]);
/// cells.at(1).store(20);
/// assert_eq!(cells.slice(1..3).at(0).load(), 20);
/// ```
pub struct Symmetric<'a, T: ?Sized> {
    cells: *mut T,
    _memory: PhantomData<&'a Cell<()>>,
}

/// A cell, or cells, of this PE's own device-visible memory, which no other PE reaches.
///
/// ```
/// use shmem_rt::Global;
///
/// let mut value = 1;
/// let cell = Global::from_mut(&mut value);
/// cell.store(cell.load() + 1);
/// assert_eq!(value, 2);
/// ```
pub struct Global<'a, T: ?Sized> {
    cells: *mut T,
    _memory: PhantomData<&'a Cell<()>>,
}

macro_rules! memory {
    ($memory:ident) => {
        impl<T: ?Sized> Clone for $memory<'_, T> {
            fn clone(&self) -> Self {
                *self
            }
        }

        impl<T: ?Sized> Copy for $memory<'_, T> {}

        impl<T: Element> fmt::Debug for $memory<'_, T> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, "{}({:p})", stringify!($memory), self.cells)
            }
        }

        impl<T: Element> fmt::Debug for $memory<'_, [T]> {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(
                    f,
                    "{}({:p}; {})",
                    stringify!($memory),
                    self.cells.cast::<T>(),
                    self.cells.len()
                )
            }
        }

        impl<'a, T: ?Sized> $memory<'a, T> {
            /// The cell, or the cells, behind a reference.
            pub fn from_mut(cells: &'a mut T) -> Self {
                Self {
                    cells,
                    _memory: PhantomData,
                }
            }
        }

        impl<'a, T: Element> $memory<'a, T> {
            /// # Safety
            /// A cell of `T`, aligned, that lives for `'a`.
            pub(crate) unsafe fn from_raw(cells: *mut T) -> Self {
                Self {
                    cells,
                    _memory: PhantomData,
                }
            }

            /// The value.
            #[must_use]
            pub fn load(&self) -> T {
                // SAFETY: `self` was made from a live cell.
                unsafe { load(self.cells) }
            }

            /// Replaces the value.
            pub fn store(&self, value: T) {
                // SAFETY: `self` was made from a live cell.
                unsafe { store(self.cells, value) }
            }
        }

        impl<'a, T: Element> $memory<'a, [T]> {
            /// # Safety
            /// `len` cells of `T`, aligned, that live for `'a`.
            pub(crate) unsafe fn from_raw_parts(cells: *mut T, len: usize) -> Self {
                Self {
                    cells: core::ptr::slice_from_raw_parts_mut(cells, len),
                    _memory: PhantomData,
                }
            }

            /// Cells.
            #[must_use]
            pub fn len(&self) -> usize {
                self.cells.len()
            }

            /// Whether there is no cell.
            #[must_use]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            /// The cell at `index`.
            ///
            /// # Panics
            /// As indexing a slice does, when there is no such cell.
            #[track_caller]
            #[must_use]
            pub fn at(&self, index: usize) -> $memory<'a, T> {
                let len = self.len();
                assert!(
                    index < len,
                    "index out of bounds: the len is {len} but the index is {index}"
                );
                // SAFETY: checked.
                unsafe { self.at_unchecked(index) }
            }

            /// The cell at `index`.
            ///
            /// # Safety
            /// `index` is less than [`len`](Self::len).
            #[must_use]
            pub unsafe fn at_unchecked(&self, index: usize) -> $memory<'a, T> {
                // SAFETY: the cell is one of the cells.
                unsafe { $memory::from_raw(self.cells.cast::<T>().add(index)) }
            }

            /// The cells of a range.
            ///
            /// # Panics
            /// As slicing a slice does, when the range is not in `0..len`.
            #[track_caller]
            #[must_use]
            pub fn slice(&self, range: Range<usize>) -> Self {
                let (Range { start, end }, len) = (range, self.len());
                assert!(
                    start <= end,
                    "slice index starts at {start} but ends at {end}"
                );
                assert!(
                    end <= len,
                    "range end index {end} out of range for slice of length {len}"
                );
                // SAFETY: checked.
                unsafe { Self::from_raw_parts(self.cells.cast::<T>().add(start), end - start) }
            }
        }
    };
}

memory!(Symmetric);
memory!(Global);

impl<T: Element> Symmetric<'_, T> {
    pub(crate) fn as_ptr(self) -> *mut T {
        self.cells
    }
}

/// One access of the exact width, since other PEs may access the cell at the same time.
///
/// # Safety
/// `cell` is a live cell of `T`, aligned.
pub(crate) unsafe fn load<T: Element>(cell: *mut T) -> T {
    // SAFETY: an Element has the size and alignment of the atomic of its size, and every bit pattern is a value.
    unsafe {
        match size_of::<T>() {
            1 => transmute_copy(AtomicU8::from_ptr(cell.cast()).load(Ordering::Relaxed)),
            2 => transmute_copy(AtomicU16::from_ptr(cell.cast()).load(Ordering::Relaxed)),
            4 => transmute_copy(AtomicU32::from_ptr(cell.cast()).load(Ordering::Relaxed)),
            _ => transmute_copy(AtomicU64::from_ptr(cell.cast()).load(Ordering::Relaxed)),
        }
    }
}

/// # Safety
/// As [`load`].
pub(crate) unsafe fn store<T: Element>(cell: *mut T, value: T) {
    // SAFETY: an Element has the size and alignment of the atomic of its size.
    unsafe {
        match size_of::<T>() {
            1 => AtomicU8::from_ptr(cell.cast()).store(transmute_copy(value), Ordering::Relaxed),
            2 => AtomicU16::from_ptr(cell.cast()).store(transmute_copy(value), Ordering::Relaxed),
            4 => AtomicU32::from_ptr(cell.cast()).store(transmute_copy(value), Ordering::Relaxed),
            _ => AtomicU64::from_ptr(cell.cast()).store(transmute_copy(value), Ordering::Relaxed),
        }
    }
}

/// # Safety
/// Two Elements of one size.
unsafe fn transmute_copy<A: Copy, B: Copy>(value: A) -> B {
    // SAFETY: `B` has the size of `A`, and every bit pattern is a value of it.
    unsafe { core::mem::transmute_copy(&value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use half::{bf16, f16};
    use std::panic::{AssertUnwindSafe, catch_unwind};

    fn keeps<T: Element + PartialEq + fmt::Debug>(first: T, second: T) {
        let mut cell = first;
        let view = Symmetric::from_mut(&mut cell);
        assert_eq!(view.load(), first);
        view.store(second);
        assert_eq!(view.load(), second);
        assert_eq!(cell, second);
    }

    #[test]
    fn every_element_type_is_loaded_and_stored_whole() {
        keeps(1_i8, -1);
        keeps(1_i16, i16::MIN);
        keeps(1_i32, i32::MIN);
        keeps(1_i64, i64::MIN);
        keeps(1_u8, u8::MAX);
        keeps(1_u16, u16::MAX);
        keeps(1_u32, u32::MAX);
        keeps(1_u64, u64::MAX);
        keeps(1.5_f32, f32::MIN_POSITIVE);
        keeps(1.5_f64, -0.0);
        keeps(f16::ONE, f16::MAX);
        keeps(bf16::ONE, bf16::MIN);
        keeps::<core::ffi::c_char>(1, 2);
    }

    #[test]
    fn a_neighbour_is_not_touched() {
        let mut cells = [0xff_u8; 5];
        Global::from_mut(&mut cells[..]).at(2).store(0);
        assert_eq!(cells, [0xff, 0xff, 0, 0xff, 0xff]);
    }

    fn panic_of(f: impl FnOnce()) -> String {
        *catch_unwind(AssertUnwindSafe(f))
            .unwrap_err()
            .downcast::<String>()
            .unwrap()
    }

    #[test]
    fn indices_and_ranges_panic_as_slices_do() {
        let mut cells = [1, 2, 3];
        let view = Symmetric::from_mut(&mut cells[..]);
        assert_eq!(view.slice(1..3).len(), 2);
        assert_eq!(view.slice(1..3).at(1).load(), 3);
        assert!(view.slice(3..3).is_empty());
        assert_eq!(
            panic_of(|| _ = view.at(3)),
            "index out of bounds: the len is 3 but the index is 3"
        );
        #[allow(clippy::reversed_empty_ranges)]
        let reversed = 2..1;
        assert_eq!(
            panic_of(|| _ = view.slice(reversed)),
            "slice index starts at 2 but ends at 1"
        );
        assert_eq!(
            panic_of(|| _ = view.slice(1..4)),
            "range end index 4 out of range for slice of length 3"
        );
    }

    #[test]
    fn debug_shows_the_kind_and_the_address() {
        let mut cells = [1, 2];
        let address = cells.as_mut_ptr();
        assert_eq!(
            format!("{:?}", Symmetric::from_mut(&mut cells[..])),
            format!("Symmetric({address:p}; 2)")
        );
        assert_eq!(
            format!("{:?}", Global::from_mut(&mut cells[0])),
            format!("Global({address:p})")
        );
    }
}
