//! AscendCL: the part that a SHMEM program calls.
//!
//! | file | functions |
//! |---|---|
//! | `acl/device.rs` | init, devices, errors |
//! | `acl/memory.rs` | device and pinned memory, copies |
//! | `acl/stream.rs` | streams |
//!
//! As strict as the vendor's: a call before `aclInit`, or on a thread without a device, fails with the vendor's code.

mod device;
mod memory;
mod stream;

pub use device::{
    aclFinalize, aclGetRecentErrMsg, aclInit, aclrtGetDeviceCount, aclrtGetLastError,
    aclrtGetSocName, aclrtPeekAtLastError, aclrtResetDevice, aclrtSetDevice,
};
pub use memory::{
    aclrtFree, aclrtFreeHost, aclrtMalloc, aclrtMallocHost, aclrtMemcpy, aclrtMemset,
};
pub use stream::{
    aclrtCreateStream, aclrtDestroyStream, aclrtStreamQuery, aclrtSynchronizeStream,
    aclrtSynchronizeStreamWithTimeout,
};

pub(crate) use device::require_device;
