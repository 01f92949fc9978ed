//! What the vendor's API has not: the last error as data, an end to init, and the binding of kernel libraries.

use core::ffi::{c_char, c_void};
use core::mem::size_of;
use std::sync::OnceLock;

use crate::abi::{ACL_ERROR_RT_PARAM_INVALID, aclError};
use crate::acl::require_device;
use crate::error::{self, Failure, Result, status};
use crate::kernel_abi::{ABI_VERSION, Binding, RunInstance};
use crate::launch::Launch;
use crate::{bootstrap, state, stream};

/// The calling thread's last failed call.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct LastError {
    /// What the call returned, or would have returned; 0: no call has failed.
    pub code: i32,
    /// The PE that it is about; -1: none in particular.
    pub pe: i32,
    /// What happened, NUL-terminated; the name of the C function comes first.
    pub message: [c_char; 512],
}

/// Reads the calling thread's last failure. A call that succeeds does not clear it, except those that return `void`
/// (`aclshmem_barrier_all`, `aclshmemx_barrier_all_on_stream`, `aclshmem_free`, `aclshmemx_free`), which clear it when they
/// begin.
///
/// # Safety
///
/// `out` is null or writable.
pub unsafe extern "C" fn shmemx_last_error(out: *mut LastError) {
    let mut last = LastError {
        code: 0,
        pe: -1,
        message: [0; 512],
    };
    if let Some(failure) = error::last() {
        last.code = failure.code;
        last.pe = failure.pe;
        let mut end = failure.text.len().min(last.message.len() - 1);
        while !failure.text.is_char_boundary(end) {
            end -= 1;
        }
        for (to, from) in last.message.iter_mut().zip(failure.text[..end].bytes()) {
            *to = from as c_char;
        }
    }
    if !out.is_null() {
        // SAFETY: not null; the caller promises the rest.
        unsafe { out.write(last) };
    }
}

/// Ends the `aclshmemx_init_attr` that waits for other PEs on another thread of this process: it fails with
/// `ACLSHMEM_BOOTSTRAP_ERROR`. Nothing happens where none waits, so that a caller who means one that is about to begin
/// calls again.
///
/// # Safety
///
/// None; unsafe as all functions of the C API table are.
pub unsafe extern "C" fn shmemx_cancel_init() {
    bootstrap::cancel();
}

/// A [`Binding`] that every thread may read.
struct Shared(Binding);

// SAFETY: it is never written after it was made; the state that it points to is written by init and finalize only.
unsafe impl Sync for Shared {}
// SAFETY: as above.
unsafe impl Send for Shared {}

/// What a kernel library is bound to: one for the life of the process.
pub fn kernel_binding() -> *const Binding {
    static BINDING: OnceLock<Shared> = OnceLock::new();
    let shared = BINDING.get_or_init(|| {
        Shared(Binding {
            version: ABI_VERSION,
            size: size_of::<Binding>() as u32,
            state: state::block(),
            launch,
        })
    });
    &raw const shared.0
}

/// Queues a launch; see [`Binding::launch`].
///
/// # Safety
///
/// `slots` has `n_slots` words, `run` takes them, and what they point to stays until the stream is synchronised.
unsafe extern "C" fn launch(
    handle: *mut c_void,
    blocks: u32,
    flags: u32,
    run: RunInstance,
    slots: *const u64,
    n_slots: u32,
) -> aclError {
    let push = || -> Result<()> {
        require_device()?;
        let slots = if n_slots == 0 {
            &[]
        } else if slots.is_null() {
            return Err(Failure::new(ACL_ERROR_RT_PARAM_INVALID, "slots is null"));
        } else {
            // SAFETY: not null; the library promises the number.
            unsafe { core::slice::from_raw_parts(slots, n_slots as usize) }
        };
        let launch = Launch::new(run, slots, blocks, flags)?;
        stream::find(handle)?.push(stream::Task::Launch(launch))
    };
    status("kernel launch", push())
}
