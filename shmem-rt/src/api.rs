//! The C functions that this crate is written over, and who provides them.
//!
//! The fields have C's names and signatures. The rest of the crate calls no other C function.

#![allow(non_snake_case)]

use core::ffi::{CStr, c_char, c_int, c_void};
use std::env;

use shmem_sim::abi::{
    aclError, aclrtMemMallocPolicy, aclrtMemcpyKind, aclrtStream, aclshmem_mem_type_t,
    aclshmemx_bootstrap_t, aclshmemx_init_attr_t,
};
use shmem_sim::ext::LastError;
use shmem_sim::kernel_abi::Binding;

use crate::{Error, codes};

/// Who provides ACL and SHMEM.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Backend {
    /// The simulator on the CPU, which every build has.
    Sim,
}

impl Backend {
    /// What `SHMEM_BACKEND` calls it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Sim => "sim",
        }
    }
}

/// The table.
#[derive(Debug)]
pub(crate) struct Api {
    pub(crate) aclInit: unsafe extern "C" fn(*const c_char) -> aclError,
    pub(crate) aclFinalize: unsafe extern "C" fn() -> aclError,
    pub(crate) aclrtSetDevice: unsafe extern "C" fn(i32) -> aclError,
    pub(crate) aclrtResetDevice: unsafe extern "C" fn(i32) -> aclError,
    pub(crate) aclrtCreateStream: unsafe extern "C" fn(*mut aclrtStream) -> aclError,
    pub(crate) aclrtDestroyStream: unsafe extern "C" fn(aclrtStream) -> aclError,
    pub(crate) aclrtSynchronizeStreamWithTimeout:
        unsafe extern "C" fn(aclrtStream, i32) -> aclError,
    pub(crate) aclrtMalloc:
        unsafe extern "C" fn(*mut *mut c_void, usize, aclrtMemMallocPolicy) -> aclError,
    pub(crate) aclrtFree: unsafe extern "C" fn(*mut c_void) -> aclError,
    pub(crate) aclrtMemcpy:
        unsafe extern "C" fn(*mut c_void, usize, *const c_void, usize, aclrtMemcpyKind) -> aclError,
    pub(crate) aclrtMemset: unsafe extern "C" fn(*mut c_void, usize, i32, usize) -> aclError,
    pub(crate) aclshmemx_set_conf_store_tls: unsafe extern "C" fn(bool, *const c_char, u32) -> i32,
    pub(crate) aclshmemx_init_attr:
        unsafe extern "C" fn(aclshmemx_bootstrap_t, *mut aclshmemx_init_attr_t) -> c_int,
    pub(crate) aclshmem_finalize: unsafe extern "C" fn() -> c_int,
    pub(crate) aclshmemx_align:
        unsafe extern "C" fn(usize, usize, aclshmem_mem_type_t) -> *mut c_void,
    pub(crate) aclshmemx_free: unsafe extern "C" fn(*mut c_void, aclshmem_mem_type_t),
    pub(crate) aclshmem_ptr: unsafe extern "C" fn(*mut c_void, c_int) -> *mut c_void,
    pub(crate) aclshmem_barrier_all: unsafe extern "C" fn(),
    /// Ours: code, PE and text of this thread's last failure.
    pub(crate) shmemx_last_error: unsafe extern "C" fn(*mut LastError),
    /// Ours: ends an init that waits for other PEs on another thread.
    pub(crate) shmemx_cancel_init: unsafe extern "C" fn(),
    /// Ours, the simulator's only: what a kernel library is bound to.
    pub(crate) kernel_binding: fn() -> *const Binding,
}

static SIM: Api = Api {
    aclInit: shmem_sim::acl::aclInit,
    aclFinalize: shmem_sim::acl::aclFinalize,
    aclrtSetDevice: shmem_sim::acl::aclrtSetDevice,
    aclrtResetDevice: shmem_sim::acl::aclrtResetDevice,
    aclrtCreateStream: shmem_sim::acl::aclrtCreateStream,
    aclrtDestroyStream: shmem_sim::acl::aclrtDestroyStream,
    aclrtSynchronizeStreamWithTimeout: shmem_sim::acl::aclrtSynchronizeStreamWithTimeout,
    aclrtMalloc: shmem_sim::acl::aclrtMalloc,
    aclrtFree: shmem_sim::acl::aclrtFree,
    aclrtMemcpy: shmem_sim::acl::aclrtMemcpy,
    aclrtMemset: shmem_sim::acl::aclrtMemset,
    aclshmemx_set_conf_store_tls: shmem_sim::shmem::aclshmemx_set_conf_store_tls,
    aclshmemx_init_attr: shmem_sim::shmem::aclshmemx_init_attr,
    aclshmem_finalize: shmem_sim::shmem::aclshmem_finalize,
    aclshmemx_align: shmem_sim::shmem::aclshmemx_align,
    aclshmemx_free: shmem_sim::shmem::aclshmemx_free,
    aclshmem_ptr: shmem_sim::shmem::aclshmem_ptr,
    aclshmem_barrier_all: shmem_sim::shmem::aclshmem_barrier_all,
    shmemx_last_error: shmem_sim::ext::shmemx_last_error,
    shmemx_cancel_init: shmem_sim::ext::shmemx_cancel_init,
    kernel_binding: shmem_sim::ext::kernel_binding,
};

/// The provider that `SHMEM_BACKEND` names.
pub(crate) fn choose() -> Result<(Backend, &'static Api), Error> {
    let value = env::var_os("SHMEM_BACKEND");
    let backend = parse(value.as_ref().map(|v| v.to_string_lossy()).as_deref())?;
    tracing::info!(
        backend = backend.name(),
        chosen_by = if value.is_some() {
            "SHMEM_BACKEND"
        } else {
            "default"
        },
        "backend chosen"
    );
    match backend {
        Backend::Sim => Ok((backend, &SIM)),
    }
}

fn parse(value: Option<&str>) -> Result<Backend, Error> {
    match value {
        None | Some("sim") => Ok(Backend::Sim),
        Some("cann") => Err(Error::BackendNotBuilt { backend: "cann" }),
        Some(value) => Err(Error::UnknownBackend {
            value: value.to_owned(),
        }),
    }
}

impl Api {
    /// `Ok` for 0, else the code with its name and the provider's text.
    pub(crate) fn check(&self, call: &'static str, code: c_int) -> Result<(), Error> {
        if code == 0 {
            Ok(())
        } else {
            Err(self.error(call, code))
        }
    }

    pub(crate) fn error(&self, call: &'static str, code: c_int) -> Error {
        // A text of another failure would mislead.
        let message = match self.last_error(call) {
            (last, text) if last == code => text,
            _ => String::new(),
        };
        Error::Vendor {
            call,
            code,
            name: codes::name(code),
            message,
        }
    }

    fn last(&self) -> LastError {
        let mut error = LastError {
            code: 0,
            pe: -1,
            message: [0; 512],
        };
        // SAFETY: the function fills the structure that it is given and keeps no pointer to it.
        unsafe { (self.shmemx_last_error)(&mut error) };
        error
    }

    /// The PE that this thread's last failure is about, where it is about one.
    pub(crate) fn last_error_pe(&self) -> Option<i32> {
        Some(self.last().pe).filter(|pe| *pe >= 0)
    }

    /// Code and text of this thread's last failure; the text without the function's name, which the caller says.
    pub(crate) fn last_error(&self, call: &str) -> (c_int, String) {
        let error = self.last();
        // SAFETY: `c_char` and `u8` have one layout, and the slice covers the array only.
        let bytes = unsafe {
            core::slice::from_raw_parts(error.message.as_ptr().cast::<u8>(), error.message.len())
        };
        let text = CStr::from_bytes_until_nul(bytes).map_or_else(
            |_| String::from_utf8_lossy(bytes).into_owned(),
            |text| text.to_string_lossy().into_owned(),
        );
        let bare = text
            .strip_prefix(call)
            .and_then(|rest| rest.strip_prefix(": "))
            .map(str::to_owned);
        (error.code, bare.unwrap_or(text))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_backend_is_the_simulator_unless_another_is_asked_for() {
        assert_eq!(parse(None).unwrap(), Backend::Sim);
        assert_eq!(parse(Some("sim")).unwrap(), Backend::Sim);
        assert!(parse(Some("cann")).unwrap_err().to_string().starts_with(
            "SHMEM_BACKEND is `cann`, and this program was built without that backend"
        ));
        for value in ["", "SIM", "npu"] {
            assert_eq!(
                parse(Some(value)).unwrap_err().to_string(),
                format!(
                    "SHMEM_BACKEND is `{value}`, which is no backend: set it to `sim` or `cann`, or unset it"
                )
            );
        }
    }
}
