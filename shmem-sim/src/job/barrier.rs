//! The barrier over all PEs, and why it may never complete: a PE died, left, or is late beyond the deadline.

use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::time::Duration;
use std::time::Instant;

use super::{FINALIZED, Job};
use crate::abi::{ACLSHMEM_SMEM_ERROR, ACLSHMEM_TIMEOUT_ERROR};
use crate::error::{Failure, Result};
use crate::sync::lock;
use crate::wait;

impl Job {
    /// Returns when every PE has called it; orders everything before it, in all PEs, before everything after it.
    ///
    /// A barrier that fails ends the job: this and every later one fails on every PE, with the same text.
    pub(crate) fn barrier(&self, timeout: Duration) -> Result<()> {
        self.barrier_unless(timeout, || Ok(()))
    }

    /// As [`Job::barrier`]; `stopped` is asked between sleeps, and its error ends the job.
    pub(crate) fn barrier_unless(
        &self,
        timeout: Duration,
        stopped: impl Fn() -> Result<()>,
    ) -> Result<()> {
        let _turn = lock(&self.turn);
        self.control.check()?;
        let words = self.control.barrier();
        let seen = words.generation.load(SeqCst);
        let slot = self.control.slot(self.me);
        let mine = slot.arrivals.load(Relaxed).wrapping_add(1);
        slot.arrivals.store(mine, SeqCst);
        if words.arrived.fetch_add(1, SeqCst) as usize + 1 == self.shape.n_pes {
            words.arrived.store(0, SeqCst);
            words.generation.store(seen.wrapping_add(1), SeqCst);
            wait::wake(&words.generation, &words.sleepers);
            return Ok(());
        }
        let began = Instant::now();
        wait::until_changed(&words.generation, seen, &words.sleepers, || {
            self.control.check()?;
            let lost = self
                .lost(mine)
                .or_else(|| stopped().err())
                .or_else(|| (began.elapsed() >= timeout).then(|| self.late(mine, began.elapsed())));
            match lost {
                // The barrier may have completed between the look at the word and the look at the PE.
                Some(failure) if words.generation.load(SeqCst) == seen => {
                    self.control.fail(&failure);
                    self.control.check()
                }
                _ => Ok(()),
            }
        })
    }

    /// A PE that will never arrive.
    fn lost(&self, mine: u32) -> Option<Failure> {
        let absent = |pe: usize| self.control.slot(pe).arrivals.load(SeqCst) != mine;
        let slots = self.control.slots();
        if let Some(pe) = self.peers.ended(&self.control) {
            let pid = slots[pe].pid.load(Relaxed);
            return Some(
                Failure::new(
                    ACLSHMEM_SMEM_ERROR,
                    format!("PE {pe} (process {pid}) died: it ended without aclshmem_finalize"),
                )
                .about(pe as i32),
            );
        }
        let left = (0..slots.len())
            .find(|&pe| slots[pe].status.load(SeqCst) == FINALIZED && absent(pe))?;
        Some(
            Failure::new(
                ACLSHMEM_SMEM_ERROR,
                format!(
                    "PE {left} has left through aclshmem_finalize, but PE {} waits for it in a collective call",
                    self.me
                ),
            )
            .about(left as i32),
        )
    }

    fn late(&self, mine: u32, waited: Duration) -> Failure {
        let slots = self.control.slots();
        let absent: Vec<usize> = (0..slots.len())
            .filter(|&pe| slots[pe].arrivals.load(SeqCst) != mine)
            .collect();
        Failure::new(
            ACLSHMEM_TIMEOUT_ERROR,
            format!(
                "{} did not arrive at the barrier; PE {} waited {:.1} s for it (control_operation_timeout)",
                pe_list(&absent),
                self.me,
                waited.as_secs_f64()
            ),
        )
        .about(absent.first().map_or(-1, |&pe| pe as i32))
    }
}

/// "PE 3", "PEs 1, 2 and 3"; long lists are cut.
pub(crate) fn pe_list(pes: &[usize]) -> String {
    const SHOWN: usize = 8;
    let mut text = String::from(if pes.len() == 1 { "PE " } else { "PEs " });
    for (index, pe) in pes.iter().take(SHOWN).enumerate() {
        let last = index + 1 == pes.len();
        text += match (index, last) {
            (0, _) => "",
            (_, true) => " and ",
            _ => ", ",
        };
        text += &pe.to_string();
    }
    if pes.len() > SHOWN {
        text += &format!(" and {} more", pes.len() - SHOWN);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::pe_list;

    #[test]
    fn lists_of_pes_read_as_english() {
        assert_eq!(pe_list(&[3]), "PE 3");
        assert_eq!(pe_list(&[1, 2]), "PEs 1 and 2");
        assert_eq!(pe_list(&[1, 2, 5]), "PEs 1, 2 and 5");
        let many: Vec<usize> = (0..20).collect();
        assert_eq!(pe_list(&many), "PEs 0, 1, 2, 3, 4, 5, 6, 7 and 12 more");
    }
}
