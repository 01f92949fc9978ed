//! Launches on streams, with run functions in Rust in the place of a kernel library.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

mod pe;

use std::sync::atomic::{AtomicBool, AtomicU32, AtomicUsize, Ordering::SeqCst};
use std::sync::{Condvar, Mutex};
use std::time::{Duration, Instant};

use pe::*;
use shmem_sim::abi::*;
use shmem_sim::acl::*;
use shmem_sim::ext::kernel_binding;
use shmem_sim::kernel_abi::*;

fn stream() -> aclrtStream {
    use_device(0);
    let mut stream = std::ptr::null_mut();
    // SAFETY: the place is writable.
    assert_eq!(unsafe { aclrtCreateStream(&raw mut stream) }, ACL_SUCCESS);
    stream
}

fn launch(
    stream: aclrtStream,
    blocks: u32,
    flags: u32,
    run: RunInstance,
    slots: &[u64],
) -> aclError {
    let n_slots = slots.len() as u32;
    // SAFETY: the tests' run functions take the slots that the tests give.
    unsafe {
        let binding = &*kernel_binding();
        (binding.launch)(stream, blocks, flags, run, slots.as_ptr(), n_slots)
    }
}

fn synchronize(stream: aclrtStream) -> aclError {
    // SAFETY: what the launches use outlives the tests' streams.
    unsafe { aclrtSynchronizeStream(stream) }
}

fn destroy(stream: aclrtStream) {
    // SAFETY: as above.
    assert_eq!(unsafe { aclrtDestroyStream(stream) }, ACL_SUCCESS);
}

/// Core type, sub-block, block, number of blocks, task ration.
type Indices = (i32, i32, i64, i64, i64);

/// What the instances of one launch saw.
#[derive(Default)]
struct Seen {
    instances: Mutex<Vec<Indices>>,
    arrived: Mutex<usize>,
    all: Condvar,
    release: AtomicBool,
    count: AtomicUsize,
}

/// # Safety
///
/// The first slot is the address of a [`Seen`].
unsafe fn seen<'a>(slots: *const u64) -> &'a Seen {
    // SAFETY: the caller's promise.
    unsafe { &*std::ptr::with_exposed_provenance::<Seen>(slots.read() as usize) }
}

fn slot(seen: &Seen) -> u64 {
    std::ptr::from_ref(seen).expose_provenance() as u64
}

unsafe extern "C" fn note(instance: *mut Instance, slots: *const u64) -> i32 {
    // SAFETY: called by the simulator with a valid instance and the slots of the launch.
    let (it, seen) = unsafe { (&*instance, seen(slots)) };
    seen.instances.lock().unwrap().push((
        it.core_type,
        it.sub_block_idx,
        it.block_idx,
        it.block_num,
        it.task_ration,
    ));
    RUN_DONE
}

/// Returns when as many instances as the second slot says are in here.
unsafe extern "C" fn meet(_: *mut Instance, slots: *const u64) -> i32 {
    // SAFETY: as in `note`; the launch has two slots.
    let (seen, expected) = unsafe { (seen(slots), slots.add(1).read() as usize) };
    let mut arrived = seen.arrived.lock().unwrap();
    *arrived += 1;
    seen.all.notify_all();
    let until = Instant::now() + Duration::from_secs(20);
    while *arrived < expected {
        let left = until.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return RUN_PANICKED;
        }
        arrived = seen.all.wait_timeout(arrived, left).unwrap().0;
    }
    RUN_DONE
}

/// Panics in block 1 (as a vector instance), counts the others.
unsafe extern "C" fn panic_in_block_1(instance: *mut Instance, slots: *const u64) -> i32 {
    // SAFETY: as in `note`.
    let (it, seen) = unsafe { (&*instance, seen(slots)) };
    if it.core_type == CORE_VECTOR && it.block_idx == 1 {
        return RUN_PANICKED;
    }
    seen.count.fetch_add(1, SeqCst);
    RUN_DONE
}

/// Waits for `release`.
unsafe extern "C" fn hold(_: *mut Instance, slots: *const u64) -> i32 {
    // SAFETY: as in `note`.
    let seen = unsafe { seen(slots) };
    while !seen.release.load(SeqCst) {
        std::thread::sleep(Duration::from_millis(1));
    }
    seen.count.fetch_add(1, SeqCst);
    RUN_DONE
}

#[test]
fn a_mixed_launch_of_n_blocks_is_n_cube_and_2n_vector_instances_in_turn() {
    let (stream, result) = (stream(), Seen::default());
    assert_eq!(launch(stream, 2, 0, note, &[slot(&result)]), ACL_SUCCESS);
    assert_eq!(synchronize(stream), ACL_SUCCESS);
    assert_eq!(
        *result.instances.lock().unwrap(),
        [
            (CORE_CUBE, 0, 0, 2, 1),
            (CORE_VECTOR, 0, 0, 2, 2),
            (CORE_VECTOR, 1, 1, 2, 2),
            (CORE_CUBE, 0, 1, 2, 1),
            (CORE_VECTOR, 0, 2, 2, 2),
            (CORE_VECTOR, 1, 3, 2, 2),
        ]
    );
    destroy(stream);
}

#[test]
fn a_vector_launch_of_n_blocks_is_n_vector_instances() {
    for flags in [LAUNCH_VECTOR, LAUNCH_VECTOR | LAUNCH_ALL_BLOCKS] {
        let (stream, result) = (stream(), Seen::default());
        assert_eq!(launch(stream, 3, flags, note, &[slot(&result)]), 0);
        assert_eq!(synchronize(stream), ACL_SUCCESS);
        let mut instances = result.instances.lock().unwrap().clone();
        instances.sort_unstable();
        assert_eq!(
            instances,
            [0, 1, 2].map(|block| (CORE_VECTOR, 0, block, 3, 1))
        );
        destroy(stream);
    }
}

#[test]
fn instances_of_all_blocks_run_at_the_same_time() {
    // 48 mixed blocks are 144 instances: more than any machine of a developer has cores.
    for (blocks, flags, instances) in [
        (24, LAUNCH_ALL_BLOCKS, 72),
        (48, LAUNCH_ALL_BLOCKS | LAUNCH_VECTOR, 48),
        (48, LAUNCH_ALL_BLOCKS, 144),
        (1, LAUNCH_ALL_BLOCKS | LAUNCH_VECTOR, 1),
    ] {
        let (stream, result) = (stream(), Seen::default());
        let slots = [slot(&result), instances];
        assert_eq!(launch(stream, blocks, flags, meet, &slots), ACL_SUCCESS);
        assert_eq!(synchronize(stream), ACL_SUCCESS, "{blocks} blocks");
        assert_eq!(*result.arrived.lock().unwrap(), instances as usize);
        destroy(stream);
    }
}

#[test]
fn two_streams_run_all_blocks_at_the_same_time() {
    let result = Seen::default();
    let streams = [stream(), stream()];
    for stream in streams {
        let slots = [slot(&result), 2 * 30];
        assert_eq!(launch(stream, 10, LAUNCH_ALL_BLOCKS, meet, &slots), 0);
    }
    for stream in streams {
        assert_eq!(synchronize(stream), ACL_SUCCESS);
        destroy(stream);
    }
}

#[test]
fn more_instances_than_cores_all_run_once() {
    let (stream, result) = (stream(), Seen::default());
    let flags = LAUNCH_ALL_BLOCKS | LAUNCH_VECTOR;
    assert_eq!(launch(stream, 3000, flags, note, &[slot(&result)]), 0);
    assert_eq!(synchronize(stream), ACL_SUCCESS);
    let mut blocks: Vec<i64> = result
        .instances
        .lock()
        .unwrap()
        .iter()
        .map(|it| it.2)
        .collect();
    blocks.sort_unstable();
    assert_eq!(blocks, (0..3000).collect::<Vec<i64>>());
    destroy(stream);
}

#[test]
fn a_panic_skips_what_is_left_and_sticks_to_the_stream() {
    for (flags, code, before) in [
        (0, ACL_ERROR_RT_AICORE_TRAP_EXCEPTION, 2),
        (LAUNCH_VECTOR, ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION, 1),
    ] {
        let (stream, result) = (stream(), Seen::default());
        let slots = [slot(&result)];
        assert_eq!(launch(stream, 4, flags, panic_in_block_1, &slots), 0);
        assert_eq!(launch(stream, 1, 0, note, &slots), 0);
        assert_eq!(synchronize(stream), code);
        assert_eq!(
            last_error(),
            (code, -1, "aclrtSynchronizeStream: a kernel panicked".into())
        );
        assert_eq!(result.count.load(SeqCst), before);
        assert!(result.instances.lock().unwrap().is_empty());
        assert_eq!(launch(stream, 1, 0, note, &slots), 0);
        assert_eq!(synchronize(stream), code, "the error stays");
        assert!(result.instances.lock().unwrap().is_empty());
        destroy(stream);
    }
}

#[test]
fn a_panic_among_all_blocks_is_reported_after_all_have_ended() {
    let (stream, result) = (stream(), Seen::default());
    let slots = [slot(&result)];
    let flags = LAUNCH_ALL_BLOCKS;
    assert_eq!(launch(stream, 8, flags, panic_in_block_1, &slots), 0);
    assert_eq!(
        synchronize(stream),
        ACL_ERROR_RT_AICORE_TRAP_EXCEPTION,
        "{:?}",
        last_error()
    );
    assert!(result.count.load(SeqCst) < 24);
    destroy(stream);
}

#[test]
fn another_stream_is_not_affected_by_a_panic() {
    let (bad, good, result) = (stream(), stream(), Seen::default());
    let slots = [slot(&result)];
    assert_eq!(launch(bad, 4, 0, panic_in_block_1, &slots), 0);
    assert_ne!(synchronize(bad), 0);
    assert_eq!(launch(good, 1, LAUNCH_VECTOR, note, &slots), 0);
    assert_eq!(synchronize(good), 0);
    assert_eq!(result.instances.lock().unwrap().len(), 1);
    destroy(bad);
    destroy(good);
}

#[test]
fn impossible_launches_are_refused_at_once() {
    let stream = stream();
    for blocks in [0, 65_536, u32::MAX] {
        let result = Seen::default();
        let code = launch(stream, blocks, 0, note, &[slot(&result)]);
        assert_eq!(code, ACL_ERROR_RT_PARAM_INVALID);
        assert_eq!(
            last_error().2,
            format!("kernel launch: {blocks} blocks; a launch has from 1 to 65535")
        );
    }
    assert_eq!(synchronize(stream), ACL_SUCCESS);
    destroy(stream);
    let code = launch(stream, 1, 0, note, &[0]);
    assert_eq!(code, ACL_ERROR_RT_INVALID_HANDLE);
    assert!(last_error().2.contains("is not a stream of this process"));
}

#[test]
fn streams_are_asynchronous_and_waits_have_limits() {
    let (stream, result) = (stream(), Seen::default());
    let slots = [slot(&result)];
    let mut status = -1;
    // SAFETY: the places are writable, and the stream ends before `result`.
    unsafe {
        assert_eq!(aclrtStreamQuery(stream, &raw mut status), 0);
        assert_eq!(status, ACL_STREAM_STATUS_COMPLETE);
        assert_eq!(launch(stream, 1, LAUNCH_VECTOR, hold, &slots), 0);
        assert_eq!(launch(stream, 1, LAUNCH_VECTOR, hold, &slots), 0);
        assert_eq!(aclrtStreamQuery(stream, &raw mut status), 0);
        assert_eq!(status, ACL_STREAM_STATUS_NOT_READY);
        let began = Instant::now();
        assert_eq!(
            aclrtSynchronizeStreamWithTimeout(stream, 50),
            ACL_ERROR_RT_STREAM_SYNC_TIMEOUT
        );
        assert!(began.elapsed() >= Duration::from_millis(50));
        assert!(
            last_error()
                .2
                .ends_with("the stream still runs after 50 ms")
        );
        assert_eq!(
            aclrtSynchronizeStreamWithTimeout(stream, -2),
            ACL_ERROR_RT_PARAM_INVALID
        );
        assert_eq!(result.count.load(SeqCst), 0);
        result.release.store(true, SeqCst);
        assert_eq!(aclrtSynchronizeStreamWithTimeout(stream, -1), 0);
        assert_eq!(result.count.load(SeqCst), 2);
        assert_eq!(aclrtStreamQuery(stream, &raw mut status), 0);
        assert_eq!(status, ACL_STREAM_STATUS_COMPLETE);
    }
    destroy(stream);
}

#[test]
fn destroying_a_stream_waits_for_what_is_queued() {
    let (stream, result) = (stream(), Seen::default());
    for _ in 0..100 {
        let flags = LAUNCH_VECTOR;
        assert_eq!(launch(stream, 1, flags, note, &[slot(&result)]), 0);
    }
    destroy(stream);
    assert_eq!(result.instances.lock().unwrap().len(), 100);
    // SAFETY: a stale handle is noticed.
    let again = unsafe { aclrtDestroyStream(stream) };
    assert_eq!(again, ACL_ERROR_RT_INVALID_HANDLE);
    assert_eq!(synchronize(stream), ACL_ERROR_RT_INVALID_HANDLE);
}

#[test]
fn null_is_the_default_stream() {
    use_device(0);
    let result = Seen::default();
    let default = std::ptr::null_mut();
    assert_eq!(launch(default, 1, 0, note, &[slot(&result)]), 0);
    assert_eq!(synchronize(default), 0);
    assert_eq!(result.instances.lock().unwrap().len(), 3);
    // SAFETY: refused.
    let code = unsafe { aclrtDestroyStream(default) };
    assert_eq!(code, ACL_ERROR_RT_INVALID_HANDLE);
}

#[test]
fn the_slots_are_copied() {
    static SUM: AtomicU32 = AtomicU32::new(0);
    unsafe extern "C" fn add(_: *mut Instance, slots: *const u64) -> i32 {
        // SAFETY: the launch has two slots.
        let (a, b) = unsafe { (slots.read(), slots.add(1).read()) };
        SUM.fetch_add((a * b) as u32, SeqCst);
        RUN_DONE
    }
    let stream = stream();
    let mut slots = [0, 7];
    for round in 1..=10 {
        slots[0] = round;
        assert_eq!(launch(stream, 1, LAUNCH_VECTOR, add, &slots), 0);
    }
    slots = [1000, 1000];
    assert_eq!(synchronize(stream), 0);
    assert_eq!(SUM.load(SeqCst), 55 * 7, "{slots:?}");
    destroy(stream);
}

#[test]
fn a_launch_needs_a_device_on_its_thread() {
    let stream = stream();
    let code = std::thread::spawn({
        let stream = stream.addr();
        move || {
            let stream = std::ptr::without_provenance_mut(stream);
            let code = launch(stream, 1, 0, note, &[0]);
            assert!(last_error().2.contains("no device is set on this thread"));
            code
        }
    });
    assert_eq!(code.join().unwrap(), ACL_ERROR_RT_CONTEXT_NULL);
    destroy(stream);
}

#[test]
fn the_binding_is_one_for_the_process() {
    let binding = kernel_binding();
    assert_eq!(binding, kernel_binding());
    // SAFETY: never null.
    let binding = unsafe { &*binding };
    assert_eq!(binding.version, ABI_VERSION);
    assert_eq!(binding.size as usize, size_of::<Binding>());
    assert_eq!(binding.state.addr(), STATE_BLOCK_ADDR);
}
