//! Streams as C sees them.

#![allow(non_snake_case)]

use core::time::Duration;

use super::require_device;
use crate::abi::{
    ACL_ERROR_RT_PARAM_INVALID, ACL_STREAM_STATUS_COMPLETE, ACL_STREAM_STATUS_NOT_READY, aclError,
    aclrtStream, aclrtStreamStatus,
};
use crate::error::{Failure, Result, status};
use crate::stream;

/// `aclrtCreateStream`.
///
/// # Safety
///
/// `out` is null or writable.
pub unsafe extern "C" fn aclrtCreateStream(out: *mut aclrtStream) -> aclError {
    let create = || {
        require_device()?;
        if out.is_null() {
            return Err(Failure::new(
                ACL_ERROR_RT_PARAM_INVALID,
                "the place for the stream is null",
            ));
        }
        // SAFETY: not null; the caller promises the rest.
        unsafe { out.write(stream::create()) };
        Ok(())
    };
    status("aclrtCreateStream", create())
}

/// `aclrtDestroyStream`: waits for what is queued, then ends the stream.
///
/// # Safety
///
/// What the queued kernels use is still there.
pub unsafe extern "C" fn aclrtDestroyStream(handle: aclrtStream) -> aclError {
    let result = require_device().and_then(|()| stream::destroy(handle));
    status("aclrtDestroyStream", result)
}

/// `aclrtSynchronizeStream`: waits for everything that was queued. Once something has failed, this and every later
/// call returns that error; what was queued behind it is not run.
///
/// # Safety
///
/// What the queued kernels use is still there.
pub unsafe extern "C" fn aclrtSynchronizeStream(handle: aclrtStream) -> aclError {
    status("aclrtSynchronizeStream", synchronize(handle, None))
}

/// `aclrtSynchronizeStreamWithTimeout`: as `aclrtSynchronizeStream`, for at most `timeout` milliseconds (-1: no limit).
///
/// # Safety
///
/// What the queued kernels use is still there.
pub unsafe extern "C" fn aclrtSynchronizeStreamWithTimeout(
    handle: aclrtStream,
    timeout: i32,
) -> aclError {
    let result = match u64::try_from(timeout) {
        Ok(limit) => synchronize(handle, Some(Duration::from_millis(limit))),
        Err(_) if timeout == -1 => synchronize(handle, None),
        Err(_) => Err(Failure::new(
            ACL_ERROR_RT_PARAM_INVALID,
            format!("timeout {timeout}; write milliseconds, or -1 for no limit"),
        )),
    };
    status("aclrtSynchronizeStreamWithTimeout", result)
}

fn synchronize(handle: aclrtStream, limit: Option<Duration>) -> Result<()> {
    require_device()?;
    stream::find(handle)?.synchronize(limit)
}

/// `aclrtStreamQuery`: whether everything that was queued has ended.
///
/// # Safety
///
/// `out` is null or writable.
pub unsafe extern "C" fn aclrtStreamQuery(
    handle: aclrtStream,
    out: *mut aclrtStreamStatus,
) -> aclError {
    let query = || {
        require_device()?;
        if out.is_null() {
            return Err(Failure::new(
                ACL_ERROR_RT_PARAM_INVALID,
                "the place for the status is null",
            ));
        }
        let state = if stream::find(handle)?.is_idle()? {
            ACL_STREAM_STATUS_COMPLETE
        } else {
            ACL_STREAM_STATUS_NOT_READY
        };
        // SAFETY: not null; the caller promises the rest.
        unsafe { out.write(state) };
        Ok(())
    };
    status("aclrtStreamQuery", query())
}
