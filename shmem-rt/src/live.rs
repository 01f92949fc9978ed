//! The state of the live World, shared by everything that it hands out.

use core::cell::Cell;
use core::ffi::c_void;
use std::sync::atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use crate::api::Api;
use crate::control::Control;
use crate::{Backend, Error};

/// A PE that has joined its job.
#[derive(Debug)]
pub(crate) struct Live {
    /// Tells this World from the ones before it in this process.
    pub(crate) id: u64,
    pub(crate) api: &'static Api,
    pub(crate) backend: Backend,
    pub(crate) pe: i32,
    pub(crate) n_pes: i32,
    pub(crate) device: i32,
    pub(crate) local_mem_size: u64,
    /// Whether `aclInit` was ours, so that `aclFinalize` is as well.
    pub(crate) owns_acl: bool,
    pub(crate) control: Control,
    pub(crate) streams: Mutex<Streams>,
    /// How many allocations there were. Held over a whole allocation or free: both are several steps on all PEs.
    pub(crate) allocations: Mutex<u64>,
    /// How often `aclrtSetDevice` was called, which `aclrtResetDevice` undoes one by one.
    pub(crate) bindings: AtomicU32,
}

/// Every stream of the World, and those that no `Stream` uses now.
#[derive(Debug, Default)]
pub(crate) struct Streams {
    pub(crate) all: Vec<Handle>,
    pub(crate) idle: Vec<Handle>,
}

/// An `aclrtStream`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handle(pub(crate) *mut c_void);

// SAFETY: ACL's streams may be used from any thread whose device is set, which every call of this crate sees to.
unsafe impl Send for Handle {}

/// The World of this process, where one lives.
static CURRENT: RwLock<Option<Arc<Live>>> = RwLock::new(None);
/// Whether one lives or is being made or taken down.
static CLAIMED: AtomicBool = AtomicBool::new(false);
static NEXT_ID: AtomicU64 = AtomicU64::new(1);

thread_local! {
    /// The World whose device this thread has set.
    static BOUND: Cell<u64> = const { Cell::new(0) };
}

/// The right to be the World of this process; given back on drop.
#[derive(Debug)]
pub(crate) struct Claim(());

impl Claim {
    pub(crate) fn take() -> Result<Self, Error> {
        if CLAIMED.swap(true, Ordering::AcqRel) {
            Err(Error::WorldExists)
        } else {
            Ok(Self(()))
        }
    }

    pub(crate) fn publish(&self, live: &Arc<Live>) {
        *CURRENT.write().unwrap_or_else(PoisonError::into_inner) = Some(live.clone());
    }

    pub(crate) fn withdraw(&self) {
        *CURRENT.write().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        self.withdraw();
        CLAIMED.store(false, Ordering::Release);
    }
}

/// The live World, for kernel bodies that run on the host.
pub(crate) fn current() -> Option<Arc<Live>> {
    CURRENT
        .read()
        .unwrap_or_else(PoisonError::into_inner)
        .clone()
}

pub(crate) fn next_id() -> u64 {
    NEXT_ID.fetch_add(1, Ordering::Relaxed)
}

impl Live {
    /// Sets the device of this thread, once: ACL keeps it per thread.
    pub(crate) fn bind(&self) -> Result<(), Error> {
        if BOUND.get() == self.id {
            return Ok(());
        }
        // SAFETY: takes a number.
        self.api.check("aclrtSetDevice", unsafe {
            (self.api.aclrtSetDevice)(self.device)
        })?;
        self.bindings.fetch_add(1, Ordering::Relaxed);
        BOUND.set(self.id);
        Ok(())
    }

    pub(crate) fn streams(&self) -> MutexGuard<'_, Streams> {
        self.streams.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn allocations(&self) -> MutexGuard<'_, u64> {
        self.allocations
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    /// The job's failure, where it has one, else `own`, which all PEs are then told.
    pub(crate) fn cause(&self, own: Error) -> Error {
        let cause = self.control.failure(crate::control::CAUSE_PATIENCE);
        cause.unwrap_or_else(|| {
            self.control.report(&own.to_string());
            own
        })
    }
}
