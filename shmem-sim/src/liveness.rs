//! Noticing the death of a peer process at once: a pidfd of each, polled between sleeps.

use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use std::os::fd::OwnedFd;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Pid, PidfdFlags, pidfd_open};

use crate::job::{Control, FINALIZED};

/// Peers that one PE watches. Enough for jobs on one machine, few enough to leave the program its descriptors; in a
/// larger job each watches those after it, so that everyone is watched, and what one PE notices ends the job for all.
const WATCHED: usize = 256;

/// The peers that this PE watches.
pub(crate) struct Peers {
    alive: Vec<(usize, OwnedFd)>,
    /// Those that had ended before they could be watched.
    gone: Vec<usize>,
}

impl Peers {
    pub(crate) fn none() -> Self {
        Peers {
            alive: Vec::new(),
            gone: Vec::new(),
        }
    }

    /// Opens the peers by the process ids in the control block. One that cannot be opened is not watched (the
    /// deadline is then what ends a wait for it).
    pub(crate) fn open(me: usize, control: &Control) -> Self {
        let mut peers = Peers::none();
        let n_pes = control.slots().len();
        for pe in (1..n_pes).take(WATCHED).map(|step| (me + step) % n_pes) {
            let pid = control.slot(pe).pid.load(Relaxed);
            let Some(pid) = i32::try_from(pid).ok().and_then(Pid::from_raw) else {
                continue;
            };
            match pidfd_open(pid, PidfdFlags::empty()) {
                Ok(fd) => peers.alive.push((pe, fd)),
                Err(Errno::SRCH) => peers.gone.push(pe),
                Err(_) => {}
            }
        }
        peers
    }

    /// A peer that ended without finalize.
    pub(crate) fn ended(&self, control: &Control) -> Option<usize> {
        let orderly = |pe: usize| control.slot(pe).status.load(SeqCst) == FINALIZED;
        if let Some(pe) = self.gone.iter().copied().find(|&pe| !orderly(pe)) {
            return Some(pe);
        }
        let mut fds: Vec<PollFd<'_>> = self
            .alive
            .iter()
            .map(|(_, fd)| PollFd::new(fd, PollFlags::IN))
            .collect();
        let now = Timespec {
            tv_sec: 0,
            tv_nsec: 0,
        };
        if poll(&mut fds, Some(&now)).unwrap_or(0) == 0 {
            return None;
        }
        fds.iter()
            .zip(&self.alive)
            .find(|(fd, (pe, _))| !fd.revents().is_empty() && !orderly(*pe))
            .map(|(_, (pe, _))| *pe)
    }
}
