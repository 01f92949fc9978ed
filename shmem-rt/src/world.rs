//! The World: joining a job, its collectives, leaving it.

use core::cell::Cell;
use core::marker::PhantomData;
use std::panic::Location;
use std::sync::Arc;

use crate::block::Block;
use crate::config::Job;
use crate::control::{Kind, Record};
use crate::live::{Claim, Live};
use crate::{Alloc, Backend, Config, DeviceBox, Element, Error, Side, Stream, startup};

/// This process as a PE of a job. One lives per process.
///
/// Everything that it hands out borrows from it. It may move to another thread, together with what it handed out,
/// and each call sets the device of the thread that it runs on.
///
/// ```
/// use shmem_rt::{Side, World};
///
/// let world = World::init()?;
/// let cell = world.alloc(Side::Host).value(7_i32)?;
/// assert_eq!(cell.read()?, 7);
/// cell.free()?;
/// world.finalize()?;
/// # Ok::<(), shmem_rt::Error>(())
/// ```
///
/// A buffer cannot outlive its World:
///
/// ```compile_fail,E0505
/// let world = shmem_rt::World::init()?;
/// let cell = world.device_value(7_i32)?;
/// world.finalize()?;
/// cell.read()?;
/// # Ok::<(), shmem_rt::Error>(())
/// ```
#[derive(Debug)]
pub struct World {
    live: Arc<Live>,
    claim: Claim,
    finalized: bool,
    /// Not `Sync`: collectives of one PE come in one order.
    _not_sync: PhantomData<Cell<()>>,
}

impl World {
    /// Joins the job that the environment tells of, or is PE 0 of 1. The same as `Config::new().init()`.
    ///
    /// # Errors
    /// As [`Config::init`].
    pub fn init() -> Result<Self, Error> {
        Config::new().init()
    }

    pub(crate) fn join(job: Job) -> Result<Self, Error> {
        let claim = Claim::take()?;
        startup::wait_until_left(job.member.init_timeout)?;
        let live = Arc::new(startup::start(&job)?);
        claim.publish(&live);
        Ok(Self {
            live,
            claim,
            finalized: false,
            _not_sync: PhantomData,
        })
    }

    /// This PE; stands for `aclshmem_my_pe`.
    #[must_use]
    pub fn my_pe(&self) -> i32 {
        self.live.pe
    }

    /// PEs of the job; stands for `aclshmem_n_pes`.
    #[must_use]
    pub fn n_pes(&self) -> i32 {
        self.live.n_pes
    }

    /// Who provides ACL and SHMEM.
    #[must_use]
    pub fn backend(&self) -> Backend {
        self.live.backend
    }

    /// Waits until all PEs are here, and until the memory operations that the host issued are done. Collective;
    /// stands for `aclshmem_barrier_all`.
    ///
    /// It does not order kernels: synchronise their streams first.
    ///
    /// # Errors
    /// PEs in different collectives or at different call sites, a PE that does not come within the operation timeout,
    /// a PE that failed, left or died: the same on all PEs. The job has then failed, and so does every later
    /// collective.
    #[track_caller]
    pub fn barrier_all(&self) -> Result<(), Error> {
        let site = Location::caller();
        let live = &self.live;
        live.bind()?;
        refused(
            live.control.collective(Record::new(Kind::Barrier, site))?,
            "barrier_all",
        )?;
        // SAFETY: SHMEM is initialised while a World lives.
        unsafe { (live.api.aclshmem_barrier_all)() };
        match live.api.last_error("aclshmem_barrier_all") {
            (0, _) => Ok(()),
            (code, _) => Err(live.cause(live.api.error("aclshmem_barrier_all", code))),
        }
    }

    /// A stream: a queue of kernel launches. Stands for `aclrtCreateStream`.
    ///
    /// # Errors
    /// [`Error::Vendor`] when ACL has no more streams.
    pub fn stream(&self) -> Result<Stream<'_>, Error> {
        Stream::new(&self.live)
    }

    /// Starts an allocation in the symmetric heap. Nothing happens before one of its finishing methods.
    pub fn alloc(&self, side: Side) -> Alloc<'_> {
        Alloc::new(&self.live, side)
    }

    /// A value in this PE's own device memory, which no other PE reaches. Not collective; stands for `aclrtMalloc`.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn device_value<T: Element>(&self, value: T) -> Result<DeviceBox<'_, T>, Error> {
        let block = Block::in_device(&self.live, size_of::<T>())?;
        block.write(0, &[value])?;
        Ok(DeviceBox::new(block, 1))
    }

    /// A copy of `values` in this PE's own device memory. Not collective; stands for `aclrtMalloc`.
    ///
    /// # Errors
    /// [`Error::OutOfMemory`].
    pub fn device_slice<T: Element>(&self, values: &[T]) -> Result<DeviceBox<'_, [T]>, Error> {
        let block = Block::in_device(&self.live, size_of_val(values))?;
        block.write(0, values)?;
        Ok(DeviceBox::new(block, values.len()))
    }

    /// Leaves the job together with all PEs, and frees what is left. Collective; stands for `aclshmem_finalize`,
    /// `aclrtDestroyStream`, `aclrtResetDevice` and `aclFinalize`.
    ///
    /// # Errors
    /// As [`World::barrier_all`]. The process has left the job in any case.
    #[track_caller]
    pub fn finalize(self) -> Result<(), Error> {
        let site = Location::caller();
        let mut world = self;
        world.finalized = true;
        world.claim.withdraw();
        startup::finish(world.live.clone(), Record::new(Kind::Finalize, site))
    }
}

impl Drop for World {
    /// Leaves without the others, and never waits for them: they get an error that names this PE.
    fn drop(&mut self) {
        if !self.finalized {
            self.claim.withdraw();
            startup::abandon(self.live.clone());
        }
    }
}

/// A PE refused: its reason on all PEs.
pub(crate) fn refused(result: Result<(), (i32, String)>, call: &str) -> Result<(), Error> {
    result.map_err(|(pe, message)| Error::CollectiveRefused {
        call: call.into(),
        pe,
        message,
    })
}
