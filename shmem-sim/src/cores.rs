//! Threads that stand for cores: they run the instances of `all_blocks` launches, and idle between them.
//!
//! The process has as many as its largest launches needed at the same time; none ends before the process, so that a
//! launch in a loop starts no threads.

use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex};
use std::thread;

use crate::abi::ACL_ERROR_RT_MEMORY_ALLOCATION;
use crate::error::{Failure, Result};
use crate::launch::Together;
use crate::sync::{lock, wait};

/// Most cores of one launch; instances beyond that run as others end. An NPU has 72; valgrind allows 500 threads.
pub(crate) const MAX_CORES: u64 = 256;
/// Stack of a thread that runs kernels.
pub(crate) const STACK: usize = 4 << 20;

struct Cores {
    /// Work that has a thread to take it, each entry one core's part.
    waiting: VecDeque<Arc<Together>>,
    /// Threads that have no work, or have not taken theirs yet; never fewer than `waiting`.
    idle: usize,
    started: usize,
}

static CORES: Mutex<Cores> = Mutex::new(Cores {
    waiting: VecDeque::new(),
    idle: 0,
    started: 0,
});
static WORK: Condvar = Condvar::new();

/// Gives `count` cores to a launch, or none with an error.
pub(crate) fn start(launch: &Arc<Together>, count: u64) -> Result<()> {
    let count = count as usize;
    let mut cores = lock(&CORES);
    while cores.idle < cores.waiting.len() + count {
        let name = format!("shmem-core-{}", cores.started);
        let thread = thread::Builder::new().name(name).stack_size(STACK);
        thread.spawn(run_core).map_err(|error| {
            Failure::new(
                ACL_ERROR_RT_MEMORY_ALLOCATION,
                format!(
                    "cannot start a thread for each of {} instances: {error}; use fewer blocks",
                    count + 1
                ),
            )
        })?;
        cores.idle += 1;
        cores.started += 1;
    }
    for _ in 0..count {
        cores.waiting.push_back(launch.clone());
        WORK.notify_one();
    }
    Ok(())
}

fn run_core() {
    loop {
        let mut cores = lock(&CORES);
        let launch = loop {
            match cores.waiting.pop_front() {
                Some(launch) => break launch,
                None => cores = wait(&WORK, cores),
            }
        };
        cores.idle -= 1;
        drop(cores);
        launch.work();
        // Before the launch ends: the next one must find this core, not start another.
        lock(&CORES).idle += 1;
        launch.leave();
    }
}
