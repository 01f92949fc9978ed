//! What the PEs of a job share, as one of them holds it: control block, two heaps, liveness of the others.
//!
//! | file | idea |
//! |---|---|
//! | `job/control.rs` | the control block in shared memory: barrier words, one slot per PE, the job's failure |
//! | `job/heap.rs` | one side of the symmetric heap |
//! | `job/barrier.rs` | the barrier, its deadline, and noticing who will never arrive |
//! | `job/current.rs` | the job that this process is in |

mod barrier;
mod control;
mod current;
mod heap;

use core::sync::atomic::Ordering::SeqCst;
use core::time::Duration;
use std::net::TcpListener;
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Mutex;

use rustix::fs::{MemfdFlags, ftruncate, memfd_create};

pub(crate) use barrier::pe_list;
pub(crate) use control::{Control, FINALIZED, JOINED};
pub(crate) use current::{current, enter, is_initialized, leave, lock_init};
pub(crate) use heap::{Heap, stride};

use crate::abi::{
    ACLSHMEM_EXTRA_SIZE, ACLSHMEM_SMEM_ERROR, DEVICE_SIDE, HOST_SIDE, aclshmem_mem_type_t,
};
use crate::error::{Failure, Result, explain};
use crate::liveness::Peers;

/// Where PE 0 puts the heaps if it can: 1 GiB aligned, far from where programs, libraries and sanitizers live, so
/// that the other PEs find the same addresses free.
const PREFERRED_BASES: [usize; 2] = [0x1100_0000_0000, 0x1480_0000_0000];

/// What defines a job, the same in every PE.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shape {
    pub(crate) n_pes: usize,
    pub(crate) local_mem_size: u64,
}

/// The memory of a job before it is mapped: control block, device heaps, host heaps.
pub(crate) struct Files {
    pub(crate) control: OwnedFd,
    pub(crate) device: OwnedFd,
    pub(crate) host: OwnedFd,
}

impl Files {
    /// New memory, all zero; none of it is taken before it is touched.
    pub(crate) fn create(shape: Shape) -> Result<Files> {
        let heaps = shape.n_pes as u64 * stride(shape.local_mem_size) as u64;
        Ok(Files {
            control: memory_file("shmem-sim-job", Control::size(shape.n_pes) as u64)?,
            device: memory_file("shmem-sim-device-heaps", heaps)?,
            host: memory_file("shmem-sim-host-heaps", heaps)?,
        })
    }
}

fn memory_file(name: &str, size: u64) -> Result<OwnedFd> {
    let file = memfd_create(name, MemfdFlags::CLOEXEC)
        .and_then(|file| ftruncate(&file, size).map(|()| file));
    file.map_err(|errno| {
        Failure::new(
            ACLSHMEM_SMEM_ERROR,
            format!(
                "cannot create {size} bytes of shared memory ({name}): {}",
                explain(errno)
            ),
        )
    })
}

/// One PE's part in a job.
pub(crate) struct Job {
    pub(crate) me: usize,
    pub(crate) shape: Shape,
    pub(crate) control: Control,
    device: Heap,
    host: Heap,
    peers: Peers,
    /// Longest wait of a collective.
    pub(crate) timeout: Duration,
    /// Barriers of this PE's threads and streams come one after the other.
    turn: Mutex<()>,
    /// Keeps the job's address until finalize.
    _guard: Option<TcpListener>,
}

impl Job {
    /// Maps the memory. `bases` are PE 0's addresses of the two heaps, `None` in PE 0 itself.
    pub(crate) fn map(
        me: usize,
        shape: Shape,
        files: &Files,
        bases: Option<[u64; 2]>,
        timeout: Duration,
    ) -> Result<Job> {
        let control = Control::map(files.control.as_fd(), shape.n_pes)?;
        let bases = bases.map_or(PREFERRED_BASES, |bases| bases.map(|base| base as usize));
        let heaps = || -> Result<(Heap, Heap)> {
            Ok((
                Heap::map(files.device.as_fd(), me, shape, bases[0])?,
                Heap::map(files.host.as_fd(), me, shape, bases[1])?,
            ))
        };
        let (device, host) = heaps().map_err(|failure| {
            let failure = failure.about(me as i32);
            // The others have joined already or will; they learn it from the control block.
            control.fail(&failure);
            failure
        })?;
        Ok(Job {
            me,
            shape,
            control,
            device,
            host,
            peers: Peers::none(),
            timeout,
            turn: Mutex::new(()),
            _guard: None,
        })
    }

    /// Begins to watch the other PEs, whose process ids are in the control block by now.
    pub(crate) fn watch_peers(&mut self) {
        self.peers = Peers::open(self.me, &self.control);
    }

    /// Keeps the socket that holds the job's address for as long as the job.
    pub(crate) fn keep(&mut self, guard: Option<TcpListener>) {
        self._guard = guard;
    }

    /// Addresses of PE 0's heaps in this process, for the others to map at.
    pub(crate) fn bases(&self) -> [u64; 2] {
        [&self.device, &self.host].map(|heap| heap.base_of(0).addr() as u64)
    }

    /// The heap of a side; `None` for a value that names none.
    pub(crate) fn heap(&self, side: aclshmem_mem_type_t) -> Option<&Heap> {
        match side {
            DEVICE_SIDE => Some(&self.device),
            HOST_SIDE => Some(&self.host),
            _ => None,
        }
    }

    pub(crate) fn device(&self) -> &Heap {
        &self.device
    }

    pub(crate) fn host(&self) -> &Heap {
        &self.host
    }

    /// From now on the end of this process is no longer a death.
    pub(crate) fn mark_finalized(&self) {
        self.control.slot(self.me).status.store(FINALIZED, SeqCst);
    }
}

/// Bytes of one PE's heap: what the user asked for and what SHMEM adds.
pub(crate) fn heap_size(local_mem_size: u64) -> u64 {
    local_mem_size + ACLSHMEM_EXTRA_SIZE
}
