//! The control block: one mapping that all processes of a job read and write, atomics only.

use core::mem::size_of;
use core::sync::atomic::{
    AtomicI32, AtomicU8, AtomicU32,
    Ordering::{Relaxed, SeqCst},
};
use std::os::fd::BorrowedFd;

use rustix::thread::sched_yield;

use crate::abi::ACLSHMEM_SMEM_ERROR;
use crate::error::{Failure, Result};
use crate::mapping::Mapping;
use crate::wait;

/// `Slot::status`: the PE takes part.
pub(crate) const JOINED: u32 = 1;
/// `Slot::status`: the PE has left through finalize.
pub(crate) const FINALIZED: u32 = 2;

/// Pages of any kernel divide this.
const PAGE: usize = 64 << 10;
/// Yields for which the writer of a failure is waited for.
const PATIENCE: u32 = 1000;
/// Room for a failure's text.
const TEXT: usize = 488;

/// The start of the block; one [`Slot`] per PE follows. New memory is zero, which is the right start for all of it.
#[repr(C, align(64))]
struct Head {
    barrier: BarrierWords,
    failure: SharedFailure,
}

/// A barrier that counts arrivals and then changes its generation.
#[repr(C, align(64))]
pub(crate) struct BarrierWords {
    pub(crate) generation: AtomicU32,
    pub(crate) arrived: AtomicU32,
    pub(crate) sleepers: AtomicU32,
}

/// Why the job is over. The first to claim it writes it.
#[repr(C, align(64))]
struct SharedFailure {
    /// 0: none, 1: being written, 2: complete.
    stage: AtomicU32,
    code: AtomicI32,
    pe: AtomicI32,
    length: AtomicU32,
    text: [AtomicU8; TEXT],
}

/// What the others know about one PE.
#[repr(C, align(64))]
pub(crate) struct Slot {
    /// Process id; 0 where it is not known.
    pub(crate) pid: AtomicU32,
    /// 0 before init, then [`JOINED`], then [`FINALIZED`].
    pub(crate) status: AtomicU32,
    /// Barriers that the PE has arrived at.
    pub(crate) arrivals: AtomicU32,
}

/// The mapped control block.
pub(crate) struct Control {
    mapping: Mapping,
    n_pes: usize,
}

impl Control {
    pub(crate) fn size(n_pes: usize) -> usize {
        (size_of::<Head>() + n_pes * size_of::<Slot>()).next_multiple_of(PAGE)
    }

    pub(crate) fn map(file: BorrowedFd<'_>, n_pes: usize) -> Result<Control> {
        let size = Control::size(n_pes);
        let mapping = Mapping::shared(file, size, None, PAGE).map_err(|errno| {
            Failure::new(
                ACLSHMEM_SMEM_ERROR,
                format!("cannot map the control block of {size} bytes: {errno}"),
            )
        })?;
        Ok(Control { mapping, n_pes })
    }

    fn head(&self) -> &Head {
        // SAFETY: the mapping is at least `Control::size` long, page aligned, and atomics are valid for any bytes.
        unsafe { &*self.mapping.base().cast::<Head>() }
    }

    pub(crate) fn barrier(&self) -> &BarrierWords {
        &self.head().barrier
    }

    /// The slots of all PEs.
    pub(crate) fn slots(&self) -> &[Slot] {
        let first = self
            .mapping
            .base()
            .wrapping_add(size_of::<Head>())
            .cast::<Slot>();
        // SAFETY: `Control::size` has room for `n_pes` slots after the head, which is a multiple of their alignment.
        unsafe { core::slice::from_raw_parts(first, self.n_pes) }
    }

    pub(crate) fn slot(&self, pe: usize) -> &Slot {
        &self.slots()[pe]
    }

    /// Ends the job: every wait of every PE returns this failure, or an earlier one.
    pub(crate) fn fail(&self, failure: &Failure) {
        let shared = &self.head().failure;
        if shared.stage.compare_exchange(0, 1, SeqCst, SeqCst).is_ok() {
            let bytes = failure.text.as_bytes();
            let length = bytes.len().min(TEXT);
            for (to, from) in shared.text.iter().zip(&bytes[..length]) {
                to.store(*from, Relaxed);
            }
            shared.code.store(failure.code, Relaxed);
            shared.pe.store(failure.pe, Relaxed);
            shared.length.store(length as u32, Relaxed);
            shared.stage.store(2, SeqCst);
        }
        let barrier = self.barrier();
        wait::wake(&barrier.generation, &barrier.sleepers);
    }

    /// The failure that ended the job, if one did.
    pub(crate) fn check(&self) -> Result<()> {
        let shared = &self.head().failure;
        let mut stage = shared.stage.load(SeqCst);
        for _ in 0..PATIENCE {
            if stage != 1 {
                break;
            }
            sched_yield();
            stage = shared.stage.load(SeqCst);
        }
        match stage {
            0 => Ok(()),
            2 => {
                let length = (shared.length.load(Relaxed) as usize).min(TEXT);
                let text: Vec<u8> = shared.text[..length]
                    .iter()
                    .map(|byte| byte.load(Relaxed))
                    .collect();
                let failure = Failure::new(
                    shared.code.load(Relaxed),
                    String::from_utf8_lossy(&text).into_owned(),
                );
                Err(failure.about(shared.pe.load(Relaxed)))
            }
            // Its writer died over it.
            _ => Err(Failure::new(
                ACLSHMEM_SMEM_ERROR,
                "another PE ended the job",
            )),
        }
    }
}
