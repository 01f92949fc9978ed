//! ACL's life cycle, devices and the last error.

#![allow(non_snake_case)]

use core::cell::Cell;
use core::ffi::c_char;
use std::collections::BTreeMap;
use std::sync::Mutex;

use crate::abi::{
    ACL_ERROR_INVALID_PARAM, ACL_ERROR_REPEAT_FINALIZE, ACL_ERROR_REPEAT_INITIALIZE,
    ACL_ERROR_RT_CONTEXT_NULL, ACL_ERROR_RT_INVALID_DEVICEID, ACL_ERROR_RT_PARAM_INVALID,
    ACL_ERROR_UNINITIALIZE, ACL_RT_THREAD_LEVEL, ACLSHMEM_MAX_PES, aclError, aclrtLastErrLevel,
};
use crate::error::{self, Failure, Result, status};
use crate::sync::lock;

/// As many devices as a job can have PEs.
const DEVICES: i32 = ACLSHMEM_MAX_PES as i32;

#[derive(Clone, Copy, PartialEq, Eq)]
enum Stage {
    New,
    Initialised,
    Finalised,
}

/// A device in use: how often it was set, and which of its lives this is.
struct Device {
    users: u64,
    life: u64,
}

struct Acl {
    stage: Stage,
    devices: BTreeMap<i32, Device>,
    lives: u64,
}

static ACL: Mutex<Acl> = Mutex::new(Acl {
    stage: Stage::New,
    devices: BTreeMap::new(),
    lives: 0,
});

thread_local! {
    /// The thread's device and which life of it.
    static CURRENT: Cell<Option<(i32, u64)>> = const { Cell::new(None) };
}

impl Acl {
    fn require_init(&self) -> Result<()> {
        if self.stage == Stage::Initialised {
            Ok(())
        } else {
            Err(Failure::new(
                ACL_ERROR_UNINITIALIZE,
                "ACL is not initialised; call aclInit first",
            ))
        }
    }
}

/// Fails unless the calling thread has a device.
pub(crate) fn require_device() -> Result<()> {
    let acl = lock(&ACL);
    acl.require_init()?;
    let current = CURRENT.get();
    match current {
        Some((id, life)) if acl.devices.get(&id).is_some_and(|it| it.life == life) => Ok(()),
        _ => Err(Failure::new(
            ACL_ERROR_RT_CONTEXT_NULL,
            "no device is set on this thread; call aclrtSetDevice on it first",
        )),
    }
}

/// `aclInit`: once per process, before anything else. The configuration file is not read.
///
/// # Safety
///
/// None beyond C's: `config` is null or a string.
pub unsafe extern "C" fn aclInit(config: *const c_char) -> aclError {
    let _ = config;
    let mut acl = lock(&ACL);
    let result = if acl.stage == Stage::Initialised {
        Err(Failure::new(
            ACL_ERROR_REPEAT_INITIALIZE,
            "ACL is initialised already",
        ))
    } else {
        acl.stage = Stage::Initialised;
        Ok(())
    };
    status("aclInit", result)
}

/// `aclFinalize`: ends what `aclInit` began; all devices are reset.
///
/// # Safety
///
/// No other thread is inside a function of this module.
pub unsafe extern "C" fn aclFinalize() -> aclError {
    let mut acl = lock(&ACL);
    let result = match acl.stage {
        Stage::Initialised => {
            acl.stage = Stage::Finalised;
            acl.devices.clear();
            Ok(())
        }
        Stage::Finalised => Err(Failure::new(
            ACL_ERROR_REPEAT_FINALIZE,
            "ACL is finalised already",
        )),
        Stage::New => acl.require_init(),
    };
    status("aclFinalize", result)
}

/// `aclGetRecentErrMsg`: the text of the calling thread's last failure, valid until its next call; null if there is
/// none.
///
/// # Safety
///
/// The text is read before the thread's next call.
pub unsafe extern "C" fn aclGetRecentErrMsg() -> *const c_char {
    error::last_text()
}

/// `aclrtGetSocName`: "SHMEM-Simulator".
///
/// # Safety
///
/// None; unsafe as all functions of the C API table are.
pub unsafe extern "C" fn aclrtGetSocName() -> *const c_char {
    c"SHMEM-Simulator".as_ptr()
}

/// `aclrtGetDeviceCount`: as many as a job can have PEs, so that PE i can use device i.
///
/// # Safety
///
/// `count` is null or writable.
pub unsafe extern "C" fn aclrtGetDeviceCount(count: *mut u32) -> aclError {
    let result = lock(&ACL).require_init().and_then(|()| {
        if count.is_null() {
            return Err(Failure::new(ACL_ERROR_INVALID_PARAM, "count is null"));
        }
        // SAFETY: not null, and the caller gives a place for the number.
        unsafe { count.write(DEVICES as u32) };
        Ok(())
    });
    status("aclrtGetDeviceCount", result)
}

/// `aclrtSetDevice`: makes a device the calling thread's; counted against `aclrtResetDevice`.
///
/// # Safety
///
/// None; unsafe as all functions of the C API table are.
pub unsafe extern "C" fn aclrtSetDevice(id: i32) -> aclError {
    let set = || {
        let mut acl = lock(&ACL);
        acl.require_init()?;
        if !(0..DEVICES).contains(&id) {
            return Err(Failure::new(
                ACL_ERROR_RT_INVALID_DEVICEID,
                format!("there is no device {id}; devices are 0 to {}", DEVICES - 1),
            ));
        }
        acl.lives += 1;
        let life = acl.lives;
        let device = acl.devices.entry(id).or_insert(Device { users: 0, life });
        device.users += 1;
        CURRENT.set(Some((id, device.life)));
        Ok(())
    };
    status("aclrtSetDevice", set())
}

/// `aclrtResetDevice`: undoes one `aclrtSetDevice`; the last one takes the device away from every thread.
///
/// # Safety
///
/// The last reset of a device comes after its streams and memory are given back.
pub unsafe extern "C" fn aclrtResetDevice(id: i32) -> aclError {
    let reset = || {
        let mut acl = lock(&ACL);
        acl.require_init()?;
        let Some(device) = acl.devices.get_mut(&id) else {
            return Err(Failure::new(
                ACL_ERROR_RT_INVALID_DEVICEID,
                format!("device {id} is not set"),
            ));
        };
        device.users -= 1;
        if device.users == 0 {
            acl.devices.remove(&id);
        }
        Ok(())
    };
    status("aclrtResetDevice", reset())
}

/// `aclrtPeekAtLastError`: the code of the calling thread's last failed ACL call.
///
/// # Safety
///
/// None; unsafe as all functions of the C API table are.
pub unsafe extern "C" fn aclrtPeekAtLastError(level: aclrtLastErrLevel) -> aclError {
    match thread_level(level) {
        Ok(()) => error::acl_last(),
        Err(failure) => error::record(failure.in_call("aclrtPeekAtLastError")),
    }
}

/// `aclrtGetLastError`: as `aclrtPeekAtLastError`, and forgets it.
///
/// # Safety
///
/// None; unsafe as all functions of the C API table are.
pub unsafe extern "C" fn aclrtGetLastError(level: aclrtLastErrLevel) -> aclError {
    match thread_level(level) {
        Ok(()) => error::take_acl_last(),
        Err(failure) => error::record(failure.in_call("aclrtGetLastError")),
    }
}

fn thread_level(level: aclrtLastErrLevel) -> Result<()> {
    if level == ACL_RT_THREAD_LEVEL {
        Ok(())
    } else {
        Err(Failure::new(
            ACL_ERROR_RT_PARAM_INVALID,
            format!("level {level}; only {ACL_RT_THREAD_LEVEL} (thread) is known"),
        ))
    }
}
