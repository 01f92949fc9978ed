//! Barriers over all PEs.

use crate::abi::aclrtStream;
use crate::error::{self, Failure};
use crate::{job, stream};

/// `aclshmem_barrier_all`: returns when every PE has called it. It does not wait for streams, as the vendor's does
/// not; a failure is read with `shmemx_last_error`.
///
/// # Safety
///
/// Called by all PEs.
pub unsafe extern "C" fn aclshmem_barrier_all() {
    error::clear();
    report(
        "aclshmem_barrier_all",
        job::current().and_then(|job| job.barrier(job.timeout)),
    );
}

/// `aclshmemx_barrier_all_on_stream`: queues a barrier behind what the stream has to do; a barrier that fails is the
/// stream's error. A failure to queue is read with `shmemx_last_error`.
///
/// # Safety
///
/// Called by all PEs.
pub unsafe extern "C" fn aclshmemx_barrier_all_on_stream(handle: aclrtStream) {
    error::clear();
    let push = || stream::find(handle)?.push(stream::Task::Barrier(job::current()?));
    report("aclshmemx_barrier_all_on_stream", push());
}

pub(super) fn report(function: &str, result: Result<(), Failure>) {
    if let Err(failure) = result {
        error::record(failure.in_call(function));
    }
}
