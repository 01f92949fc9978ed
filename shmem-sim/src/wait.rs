//! Waiting for a word in shared memory to change: quick when the other side is about to change it, cheap when not.

use core::hint::spin_loop;
use core::sync::atomic::{AtomicU32, Ordering::SeqCst};

use rustix::thread::{Timespec, futex, sched_yield};

/// Reads before the first system call: the other side may be running on another core.
const SPINS: u32 = 100;
/// Yields before the first sleep. With more PEs than cores the one that is waited for needs this core.
const YIELDS: u32 = 48;
/// Longest sleep without a look at what else may have happened.
const SLICE: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 50_000_000,
};

/// Returns when `word` is no longer `seen`. `between` is called after each sleep and ends the wait with an error.
///
/// `sleepers` counts who sleeps, so that [`wake`] costs nothing when nobody does.
pub(crate) fn until_changed<E>(
    word: &AtomicU32,
    seen: u32,
    sleepers: &AtomicU32,
    mut between: impl FnMut() -> Result<(), E>,
) -> Result<(), E> {
    for _ in 0..SPINS {
        if word.load(SeqCst) != seen {
            return Ok(());
        }
        spin_loop();
    }
    for _ in 0..YIELDS {
        if word.load(SeqCst) != seen {
            return Ok(());
        }
        sched_yield();
    }
    loop {
        sleepers.fetch_add(1, SeqCst);
        // Not FUTEX_PRIVATE: the waker is another process. An error is a change, a signal or the end of the
        // slice; the load below tells them apart.
        let _ = futex::wait(word, futex::Flags::empty(), seen, Some(&SLICE));
        sleepers.fetch_sub(1, SeqCst);
        if word.load(SeqCst) != seen {
            return Ok(());
        }
        between()?;
    }
}

/// Wakes every sleeper of `word`, in all processes.
pub(crate) fn wake(word: &AtomicU32, sleepers: &AtomicU32) {
    if sleepers.load(SeqCst) > 0 {
        let _ = futex::wake(word, futex::Flags::empty(), i32::MAX as u32);
    }
}
