//! Launches in a loop reuse their threads. A file of its own: no other test starts threads here.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

mod pe;

use pe::use_device;
use shmem_sim::acl::*;
use shmem_sim::ext::kernel_binding;
use shmem_sim::kernel_abi::*;

unsafe extern "C" fn nothing(_: *mut Instance, _: *const u64) -> i32 {
    RUN_DONE
}

fn cores() -> usize {
    std::fs::read_dir("/proc/self/task")
        .unwrap()
        .filter_map(|task| std::fs::read_to_string(task.unwrap().path().join("comm")).ok())
        .filter(|name| name.starts_with("shmem-core-"))
        .count()
}

#[test]
fn a_launch_in_a_loop_starts_no_threads() {
    use_device(0);
    let mut stream = std::ptr::null_mut();
    // SAFETY: the run function takes no slots.
    unsafe {
        let launch = (*kernel_binding()).launch;
        assert_eq!(aclrtCreateStream(&raw mut stream), 0);
        for _ in 0..300 {
            let code = launch(stream, 8, LAUNCH_ALL_BLOCKS, nothing, std::ptr::null(), 0);
            assert_eq!(code, 0);
        }
        assert_eq!(aclrtSynchronizeStream(stream), 0);
        // The stream's own thread is one of the 24 cores.
        assert_eq!(cores(), 23);
        assert_eq!(aclrtDestroyStream(stream), 0);
    }
}
