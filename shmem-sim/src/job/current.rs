//! The job that this process is in: at most one.

use core::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::sync::{Arc, Mutex, MutexGuard};

use super::Job;
use crate::abi::ACLSHMEM_NOT_INITED;
use crate::error::{Failure, Result};
use crate::state::{self, Tables};
use crate::sync::lock;

struct Entered {
    job: Arc<Job>,
    /// What the state block points to.
    tables: Tables,
}

static CURRENT: Mutex<Option<Entered>> = Mutex::new(None);
static INITIALIZED: AtomicBool = AtomicBool::new(false);
/// Held through init and finalize: they do not overlap.
static INIT: Mutex<()> = Mutex::new(());

pub(crate) fn lock_init() -> MutexGuard<'static, ()> {
    lock(&INIT)
}

pub(crate) fn is_initialized() -> bool {
    INITIALIZED.load(SeqCst)
}

/// The job, or why there is none.
pub(crate) fn current() -> Result<Arc<Job>> {
    match &*lock(&CURRENT) {
        Some(entered) => Ok(entered.job.clone()),
        None => Err(Failure::new(
            ACLSHMEM_NOT_INITED,
            "SHMEM is not initialised; call aclshmemx_init_attr first",
        )),
    }
}

/// Makes `job` the current one and fills the state block for it.
pub(crate) fn enter(job: Arc<Job>, areas: state::Areas) {
    let mut tables = Tables::new(&job);
    state::fill(&job, &mut tables, areas);
    *lock(&CURRENT) = Some(Entered { job, tables });
    INITIALIZED.store(true, SeqCst);
}

/// Ends what [`enter`] began. With `keep_memory`, what a running kernel may still read stays where it is.
pub(crate) fn leave(keep_memory: bool) {
    INITIALIZED.store(false, SeqCst);
    let entered = lock(&CURRENT).take();
    if keep_memory {
        core::mem::forget(entered);
    } else if let Some(Entered { job, tables }) = entered {
        state::clear(job.shape.n_pes);
        drop(tables);
    }
}
