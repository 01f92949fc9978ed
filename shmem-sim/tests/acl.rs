//! ACL's life cycle and memory, as strict as the vendor's. One test each process-wide state: they share `aclInit`.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

mod pe;

use std::ffi::CStr;
use std::ptr::{null, null_mut};

use pe::last_error;
use shmem_sim::abi::*;
use shmem_sim::acl::*;
use shmem_sim::shmem::aclshmemx_init_attr;

fn recent_text() -> Option<String> {
    // SAFETY: the text is copied at once.
    unsafe {
        let text = aclGetRecentErrMsg();
        (!text.is_null()).then(|| CStr::from_ptr(text).to_str().unwrap().to_owned())
    }
}

#[test]
fn the_life_cycle_is_checked() {
    // SAFETY: every place that is given is writable.
    unsafe {
        assert_eq!(recent_text(), None);
        assert_eq!(CStr::from_ptr(aclrtGetSocName()), c"SHMEM-Simulator");
        let (mut count, mut block, mut stream) = (0, null_mut(), null_mut());
        assert_eq!(aclFinalize(), ACL_ERROR_UNINITIALIZE);
        assert_eq!(aclrtGetDeviceCount(&raw mut count), ACL_ERROR_UNINITIALIZE);
        assert_eq!(aclrtSetDevice(0), ACL_ERROR_UNINITIALIZE);
        assert_eq!(
            aclrtMalloc(&raw mut block, 8, ACL_MEM_MALLOC_HUGE_FIRST),
            ACL_ERROR_UNINITIALIZE
        );
        let text = "aclrtMalloc: ACL is not initialised; call aclInit first";
        assert_eq!(recent_text().as_deref(), Some(text));
        assert_eq!(last_error(), (ACL_ERROR_UNINITIALIZE, -1, text.into()));
        assert_eq!(aclrtPeekAtLastError(0), ACL_ERROR_UNINITIALIZE);
        assert_eq!(aclrtGetLastError(0), ACL_ERROR_UNINITIALIZE);
        assert_eq!(aclrtGetLastError(0), ACL_SUCCESS);
        assert_eq!(aclrtGetLastError(1), ACL_ERROR_RT_PARAM_INVALID);

        assert_eq!(aclInit(null()), ACL_SUCCESS);
        assert_eq!(aclInit(null()), ACL_ERROR_REPEAT_INITIALIZE);
        assert_eq!(aclrtGetDeviceCount(&raw mut count), ACL_SUCCESS);
        assert_eq!(count, 16_384);
        assert_eq!(aclrtGetDeviceCount(null_mut()), ACL_ERROR_INVALID_PARAM);

        let no_device = ACL_ERROR_RT_CONTEXT_NULL;
        assert_eq!(aclrtCreateStream(&raw mut stream), no_device);
        assert_eq!(aclrtMalloc(&raw mut block, 8, 0), no_device);
        assert_eq!(aclrtMallocHost(&raw mut block, 8), no_device);
        assert_eq!(aclrtSynchronizeStream(null_mut()), no_device);
        assert_eq!(aclshmemx_init_attr(1, null_mut()), no_device);
        assert!(recent_text().unwrap().contains("call aclrtSetDevice"));
        for id in [-1, 16_384, i32::MIN] {
            assert_eq!(aclrtSetDevice(id), ACL_ERROR_RT_INVALID_DEVICEID);
            assert!(recent_text().unwrap().contains(&format!("no device {id};")));
        }
        assert_eq!(aclrtResetDevice(0), ACL_ERROR_RT_INVALID_DEVICEID);

        // Counted, and per thread.
        assert_eq!(aclrtSetDevice(3), ACL_SUCCESS);
        assert_eq!(aclrtSetDevice(3), ACL_SUCCESS);
        let other = std::thread::spawn(|| aclrtSynchronizeStream(null_mut()));
        assert_eq!(other.join().unwrap(), no_device);
        assert_eq!(aclrtResetDevice(3), ACL_SUCCESS);
        assert_eq!(aclrtCreateStream(&raw mut stream), ACL_SUCCESS);
        assert_eq!(aclrtCreateStream(null_mut()), ACL_ERROR_RT_PARAM_INVALID);
        assert_eq!(aclrtDestroyStream(stream), ACL_SUCCESS);
        memory();
        assert_eq!(aclrtResetDevice(3), ACL_SUCCESS);
        assert_eq!(aclrtCreateStream(&raw mut stream), no_device);
        // A device that is set again is another one to a thread that had it before.
        let other = std::thread::spawn(|| aclrtSetDevice(3));
        assert_eq!(other.join().unwrap(), ACL_SUCCESS);
        assert_eq!(aclrtCreateStream(&raw mut stream), no_device);

        assert_eq!(aclFinalize(), ACL_SUCCESS);
        assert_eq!(aclFinalize(), ACL_ERROR_REPEAT_FINALIZE);
        assert_eq!(aclrtSetDevice(0), ACL_ERROR_UNINITIALIZE);
        assert_eq!(aclInit(null()), ACL_SUCCESS);
        assert_eq!(aclrtSetDevice(0), ACL_SUCCESS);
    }
}

fn memory() {
    let invalid = ACL_ERROR_RT_PARAM_INVALID;
    let refused = |code: i32, text: &str| {
        assert_eq!(code, invalid, "{text}");
        let recent = recent_text().unwrap();
        assert!(recent.contains(text), "{recent}");
    };
    let (mut device, mut host) = (null_mut(), null_mut());
    let mut bytes = [1_u8, 2, 3, 4, 5, 6, 7, 8];
    let local = bytes.as_mut_ptr().cast();
    // SAFETY: the ranges are valid, or the call is refused before it touches one.
    unsafe {
        refused(
            aclrtMalloc(null_mut(), 8, 0),
            "place for the address is null",
        );
        refused(aclrtMalloc(&raw mut device, 0, 0), "size is 0");
        refused(aclrtMallocHost(&raw mut host, 0), "size is 0");
        for size in [usize::MAX, isize::MAX as usize, 1 << 60] {
            let code = aclrtMalloc(&raw mut device, size, 0);
            assert_eq!(code, ACL_ERROR_RT_MEMORY_ALLOCATION);
            assert!(recent_text().unwrap().contains(&size.to_string()));
            assert!(device.is_null());
        }
        assert_eq!(aclrtMalloc(&raw mut device, 100, 0), ACL_SUCCESS);
        assert_eq!(aclrtMallocHost(&raw mut host, 8), ACL_SUCCESS);
        assert_eq!(device.addr() % 64, 0);
        assert_eq!(host.addr() % 64, 0);

        assert_eq!(aclrtMemcpy(device, 100, local, 8, 1), ACL_SUCCESS);
        assert_eq!(aclrtMemcpy(host, 8, device, 8, 2), ACL_SUCCESS);
        assert_eq!(host.cast::<u64>().read(), 0x0807_0605_0403_0201);
        assert_eq!(aclrtMemset(device, 100, 0x1ff, 8), ACL_SUCCESS);
        assert_eq!(aclrtMemcpy(local, 8, device, 8, 2), ACL_SUCCESS);
        assert_eq!(bytes, [0xff; 8]);
        let short = "count is 8 bytes and the destination has 7";
        refused(aclrtMemcpy(device, 7, host, 8, 1), short);
        refused(aclrtMemset(device, 7, 0, 8), short);
        refused(
            aclrtMemcpy(null_mut(), 8, host, 8, 1),
            "destination is null",
        );
        refused(aclrtMemcpy(device, 8, null(), 8, 1), "source is null");
        refused(aclrtMemcpy(device, 8, host, 0, 1), "count is 0");
        refused(aclrtMemset(null_mut(), 8, 0, 8), "destination is null");
        let stack = (&raw mut host).cast();
        refused(aclrtMemset(stack, 8, 0, 8), "not in device, pinned");
        refused(aclrtMemset(device, 200, 0, 101), "101 bytes at");

        refused(aclrtFree(host), "free it with aclrtFreeHost");
        refused(aclrtFreeHost(device), "free it with aclrtFree,");
        refused(aclrtFree(device.byte_add(8)), "not the start of device");
        refused(aclrtFree(null_mut()), "not the start of device");
        assert_eq!(aclrtFree(device), ACL_SUCCESS);
        refused(aclrtFree(device), "or was freed already");
        assert_eq!(aclrtFreeHost(host), ACL_SUCCESS);
    }
}
