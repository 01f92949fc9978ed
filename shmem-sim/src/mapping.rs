//! Memory mapped from a memfd or from nowhere, unmapped when dropped.

use core::ffi::c_void;
use core::ptr::{null_mut, without_provenance_mut};
use std::os::fd::BorrowedFd;

use rustix::io;
use rustix::mm::{MapFlags, ProtFlags, mmap, mmap_anonymous, munmap};

/// A range of this process's address space.
#[derive(Debug)]
pub(crate) struct Mapping {
    base: *mut u8,
    len: usize,
}

// SAFETY: a mapping is an address range that belongs to the value; who accesses what in it is the users' agreement.
unsafe impl Send for Mapping {}
// SAFETY: as above; the methods only read the two fields.
unsafe impl Sync for Mapping {}

impl Mapping {
    /// Maps `len` bytes of `fd` for reading and writing, at `preferred` where that range is free, else at any
    /// multiple of `alignment`. No memory is taken before it is touched.
    pub(crate) fn shared(
        fd: BorrowedFd<'_>,
        len: usize,
        preferred: Option<usize>,
        alignment: usize,
    ) -> io::Result<Mapping> {
        let flags = MapFlags::SHARED | MapFlags::NORESERVE;
        let prot = ProtFlags::READ | ProtFlags::WRITE;
        if let Some(address) = preferred {
            let wanted = without_provenance_mut::<c_void>(address);
            let at_wanted = flags | MapFlags::FIXED_NOREPLACE;
            // SAFETY: MAP_FIXED_NOREPLACE takes free address space only, so no object of this process is touched.
            if let Ok(base) = unsafe { mmap(wanted, len, prot, at_wanted, fd, 0) } {
                let mapping = Mapping {
                    base: base.cast(),
                    len,
                };
                // A kernel before 4.17 takes the address as a hint.
                if base == wanted {
                    return Ok(mapping);
                }
            }
        }
        let room = Mapping::reserved(len.checked_add(alignment).ok_or(io::Errno::NOMEM)?)?;
        let offset = room.base.addr().next_multiple_of(alignment) - room.base.addr();
        let base = room.base.wrapping_add(offset);
        // SAFETY: the range lies in `room`, which nothing uses; MAP_FIXED replaces that part of it.
        let base = unsafe { mmap(base.cast(), len, prot, flags | MapFlags::FIXED, fd, 0) }?;
        let mapping = Mapping {
            base: base.cast(),
            len,
        };
        room.release_around(offset, len);
        Ok(mapping)
    }

    /// Private zeroed memory at exactly `address`; an error where that range is taken.
    pub(crate) fn anonymous_at(address: usize, len: usize) -> io::Result<Mapping> {
        let wanted = without_provenance_mut::<c_void>(address);
        let prot = ProtFlags::READ | ProtFlags::WRITE;
        // SAFETY: MAP_FIXED_NOREPLACE takes free address space only.
        let base = unsafe {
            mmap_anonymous(
                wanted,
                len,
                prot,
                MapFlags::PRIVATE | MapFlags::FIXED_NOREPLACE,
            )
        }?;
        let mapping = Mapping {
            base: base.cast(),
            len,
        };
        if base == wanted {
            Ok(mapping)
        } else {
            Err(io::Errno::EXIST)
        }
    }

    /// Address space without access.
    fn reserved(len: usize) -> io::Result<Mapping> {
        // SAFETY: the kernel chooses a free range.
        let base = unsafe {
            mmap_anonymous(
                null_mut(),
                len,
                ProtFlags::empty(),
                MapFlags::PRIVATE | MapFlags::NORESERVE,
            )
        }?;
        Ok(Mapping {
            base: base.cast(),
            len,
        })
    }

    /// Gives back what lies before `offset` and after `offset + len`; the middle belongs to another mapping.
    fn release_around(self, offset: usize, len: usize) {
        let (base, whole) = (self.base, self.len);
        core::mem::forget(self);
        drop(Mapping { base, len: offset });
        let end = offset + len;
        drop(Mapping {
            base: base.wrapping_add(end),
            len: whole - end,
        });
    }

    pub(crate) fn base(&self) -> *mut u8 {
        self.base
    }

    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Leaves the range mapped for the rest of the process.
    pub(crate) fn leak(self) -> *mut u8 {
        let base = self.base;
        core::mem::forget(self);
        base
    }
}

impl Drop for Mapping {
    fn drop(&mut self) {
        if self.len > 0 {
            // SAFETY: the range was mapped by this value and its users hold the value while they use it.
            let _ = unsafe { munmap(self.base.cast(), self.len) };
        }
    }
}
