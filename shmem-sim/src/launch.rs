//! A launch: which instances n blocks are, and running them.

use core::ptr::null_mut;
use core::sync::atomic::{AtomicBool, AtomicU64, Ordering::SeqCst};
use std::sync::{Arc, Condvar, Mutex};

use crate::abi::{
    ACL_ERROR_RT_AICORE_TRAP_EXCEPTION, ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION,
};
use crate::cores;
use crate::error::{Failure, Result};
use crate::kernel_abi::{
    CORE_CUBE, CORE_VECTOR, Instance, LAUNCH_ALL_BLOCKS, LAUNCH_VECTOR, RUN_DONE, RunInstance,
};
use crate::sync::{lock, wait};

/// Most blocks of one launch.
pub(crate) const MAX_BLOCKS: u32 = 65_535;

/// A kernel with its arguments and shape.
pub(crate) struct Launch {
    run: RunInstance,
    slots: Box<[u64]>,
    blocks: u32,
    vector: bool,
    all_blocks: bool,
}

impl Launch {
    pub(crate) fn new(run: RunInstance, slots: &[u64], blocks: u32, flags: u32) -> Result<Launch> {
        let wrong = if blocks == 0 || blocks > MAX_BLOCKS {
            format!("{blocks} blocks; a launch has from 1 to {MAX_BLOCKS}")
        } else if flags & !(LAUNCH_VECTOR | LAUNCH_ALL_BLOCKS) != 0 {
            format!(
                "launch flags {flags:#x}; only {LAUNCH_VECTOR:#x} and {LAUNCH_ALL_BLOCKS:#x} are known"
            )
        } else {
            return Ok(Launch {
                run,
                slots: slots.into(),
                blocks,
                vector: flags & LAUNCH_VECTOR != 0,
                all_blocks: flags & LAUNCH_ALL_BLOCKS != 0,
            });
        };
        Err(Failure::new(ACL_ERROR_RT_PARAM_INVALID, wrong))
    }

    /// Number of instances: n on vector cores only, else n groups of one cube and two vector cores.
    fn instances(&self) -> u64 {
        u64::from(self.blocks) * if self.vector { 1 } else { 3 }
    }

    fn instance(&self, index: u64) -> Instance {
        let index = index as i64;
        let (core_type, sub_block_idx, block_idx, task_ration) = if self.vector {
            (CORE_VECTOR, 0, index, 1)
        } else {
            let group = index / 3;
            match index % 3 {
                0 => (CORE_CUBE, 0, group, 1),
                vector => (CORE_VECTOR, vector as i32 - 1, 2 * group + vector - 1, 2),
            }
        };
        Instance {
            core_type,
            sub_block_idx,
            block_idx,
            block_num: i64::from(self.blocks),
            task_ration,
            jump: null_mut(),
        }
    }

    /// Runs one instance; false if it panicked.
    fn run_instance(&self, index: u64) -> bool {
        let mut instance = self.instance(index);
        // SAFETY: the library that launched promises that its run function takes these slots (`Binding::launch`).
        unsafe { (self.run)(&raw mut instance, self.slots.as_ptr()) == RUN_DONE }
    }

    /// Runs all instances to their end on this thread, or, for `all_blocks`, on this and others at the same time.
    pub(crate) fn run(self) -> Result<()> {
        let vector = self.vector;
        let done = if self.all_blocks && self.instances() > 1 {
            Together::run(self)?
        } else {
            (0..self.instances()).all(|index| self.run_instance(index))
        };
        if done {
            return Ok(());
        }
        let code = if vector {
            ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION
        } else {
            ACL_ERROR_RT_AICORE_TRAP_EXCEPTION
        };
        Err(Failure::new(code, "a kernel panicked"))
    }
}

/// An `all_blocks` launch in progress: each core takes the next instance until none is left.
///
/// There is a core for every instance up to [`cores::MAX_CORES`], so instances may wait for each other.
pub(crate) struct Together {
    launch: Launch,
    next: AtomicU64,
    panicked: AtomicBool,
    cores_left: Mutex<u64>,
    finished: Condvar,
}

impl Together {
    fn run(launch: Launch) -> Result<bool> {
        let cores = launch.instances().min(cores::MAX_CORES);
        let together = Arc::new(Together {
            launch,
            next: AtomicU64::new(0),
            panicked: AtomicBool::new(false),
            cores_left: Mutex::new(cores),
            finished: Condvar::new(),
        });
        // This thread is one of the cores.
        cores::start(&together, cores - 1)?;
        together.work();
        together.leave();
        let mut left = lock(&together.cores_left);
        while *left > 0 {
            left = wait(&together.finished, left);
        }
        Ok(!together.panicked.load(SeqCst))
    }

    /// One core's part.
    pub(crate) fn work(&self) {
        loop {
            let index = self.next.fetch_add(1, SeqCst);
            // What has not started when another panics is not started: the launch is cancelled.
            if index >= self.launch.instances() || self.panicked.load(SeqCst) {
                break;
            }
            if !self.launch.run_instance(index) {
                self.panicked.store(true, SeqCst);
            }
        }
    }

    /// One core has ended its part; the last one ends the launch.
    pub(crate) fn leave(&self) {
        let mut left = lock(&self.cores_left);
        *left -= 1;
        if *left == 0 {
            self.finished.notify_all();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    unsafe extern "C" fn nothing(_: *mut Instance, _: *const u64) -> i32 {
        RUN_DONE
    }

    fn instances(blocks: u32, flags: u32) -> Vec<(i32, i32, i64, i64, i64)> {
        let launch = Launch::new(nothing, &[], blocks, flags).unwrap();
        (0..launch.instances())
            .map(|index| {
                let it = launch.instance(index);
                (
                    it.core_type,
                    it.sub_block_idx,
                    it.block_idx,
                    it.block_num,
                    it.task_ration,
                )
            })
            .collect()
    }

    #[test]
    fn a_mixed_block_is_one_cube_and_two_vector_instances() {
        assert_eq!(
            instances(2, 0),
            [
                (CORE_CUBE, 0, 0, 2, 1),
                (CORE_VECTOR, 0, 0, 2, 2),
                (CORE_VECTOR, 1, 1, 2, 2),
                (CORE_CUBE, 0, 1, 2, 1),
                (CORE_VECTOR, 0, 2, 2, 2),
                (CORE_VECTOR, 1, 3, 2, 2),
            ]
        );
    }

    #[test]
    fn a_vector_block_is_one_instance() {
        assert_eq!(
            instances(3, LAUNCH_VECTOR),
            [
                (CORE_VECTOR, 0, 0, 3, 1),
                (CORE_VECTOR, 0, 1, 3, 1),
                (CORE_VECTOR, 0, 2, 3, 1),
            ]
        );
    }

    #[test]
    fn impossible_launches_are_refused_with_the_numbers() {
        for (blocks, flags, text) in [
            (0, 0, "0 blocks; a launch has from 1 to 65535"),
            (65_536, LAUNCH_VECTOR, "65536 blocks"),
            (u32::MAX, 0, "4294967295 blocks"),
            (1, 4, "launch flags 0x4"),
        ] {
            let failure = Launch::new(nothing, &[], blocks, flags).err().unwrap();
            assert_eq!(failure.code, ACL_ERROR_RT_PARAM_INVALID);
            assert!(failure.text.contains(text), "{}", failure.text);
        }
    }
}
