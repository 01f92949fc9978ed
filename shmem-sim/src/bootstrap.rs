//! Bringing the processes of a job together.
//!
//! PE 0 holds the TCP port of the job's address, so that one job at a time has it, and listens on an abstract Unix
//! socket named after user and address; abstract names belong to the network namespace, as ports do. The others
//! connect there, say who they are, and get the job's memory as file descriptors, or the reason why there is no job.
//! Only processes of the same user are let in.
//!
//! | file | idea |
//! |---|---|
//! | `bootstrap/address.rs` | `ip_port` and what follows from it |
//! | `bootstrap/message.rs` | the two messages |
//! | `bootstrap/server.rs` | PE 0: waits for all, checks, answers all |
//! | `bootstrap/client.rs` | the others: find PE 0, ask, take the answer |

mod address;
mod client;
mod message;
mod server;

use core::sync::atomic::{AtomicBool, Ordering::SeqCst};
use core::time::Duration;
use std::time::Instant;

pub(crate) use address::Address;

use crate::abi::ACLSHMEM_BOOTSTRAP_ERROR;
use crate::error::{Failure, Result};
use crate::job::Job;

/// Longest wait of the rendezvous without a look at [`cancelled`].
const SLICE: Duration = Duration::from_millis(20);

/// Somebody who knows better has ended the init in progress.
static CANCELLED: AtomicBool = AtomicBool::new(false);

/// Ends the init in progress, if there is one.
pub(crate) fn cancel() {
    CANCELLED.store(true, SeqCst);
}

/// An error once [`cancel`] was called.
pub(crate) fn cancelled() -> Result<()> {
    if CANCELLED.load(SeqCst) {
        Err(Failure::new(
            ACLSHMEM_BOOTSTRAP_ERROR,
            "init was cancelled, because another PE cannot take part",
        ))
    } else {
        Ok(())
    }
}

/// What one PE brings to the rendezvous.
pub(crate) struct Request {
    pub(crate) me: usize,
    pub(crate) shape: crate::job::Shape,
    pub(crate) address: Address,
    /// A listening socket of the caller that holds the port already.
    pub(crate) listener: Option<std::net::TcpListener>,
    pub(crate) init_timeout: Duration,
    pub(crate) control_timeout: Duration,
    pub(crate) began: Instant,
}

impl Request {
    /// The job with its memory mapped and every PE known. All PEs get one, or all get an error.
    pub(crate) fn join(self) -> Result<Job> {
        CANCELLED.store(false, SeqCst);
        match (self.me, self.shape.n_pes) {
            (_, 1) => server::alone(self),
            (0, _) => server::host(self),
            _ => client::join(self),
        }
    }

    fn deadline(&self) -> Instant {
        self.began + self.init_timeout
    }
}
