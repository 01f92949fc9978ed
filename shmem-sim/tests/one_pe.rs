//! What one process can check: bad arguments, the heap's rules, and that init and finalize leave nothing behind.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

mod pe;

use std::ffi::CStr;
use std::ptr::null_mut;
use std::sync::{Mutex, MutexGuard, PoisonError};

use pe::*;
use shmem_sim::abi::*;
use shmem_sim::acl::{aclrtMemcpy, aclrtMemset};
use shmem_sim::shmem::*;

/// One job at a time in this process.
fn alone() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    let guard = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    use_device(0);
    guard
}

fn good() -> aclshmemx_init_attr_t {
    attributes(0, 1, "tcp://127.0.0.1:8899", 2 * MIB)
}

#[test]
fn bad_arguments_of_init_are_refused_with_what_is_wrong() {
    let _turn = alone();
    type Change = fn(&mut aclshmemx_init_attr_t);
    let value = ACLSHMEM_INVALID_VALUE;
    let cases: &[(Change, i32, &str)] = &[
        (
            |a| a.n_pes = 0,
            value,
            "n_pes is 0; a job has from 1 to 16384 PEs",
        ),
        (|a| a.n_pes = -1, value, "n_pes is -1;"),
        (|a| a.n_pes = 16_385, value, "n_pes is 16385;"),
        (
            |a| a.my_pe = -1,
            value,
            "my_pe is -1; in a job of n_pes = 1 it is from 0 to 0",
        ),
        (|a| a.my_pe = 1, value, "my_pe is 1;"),
        (|a| a.local_mem_size = 0, value, "local_mem_size is 0 bytes"),
        (
            |a| a.local_mem_size = (40 << 30) + (2 << 20),
            value,
            "local_mem_size is 42951770112 bytes; it must be from 1 to 42949672960",
        ),
        (
            |a| a.local_mem_size = u64::MAX,
            value,
            "18446744073709551615 bytes",
        ),
        (
            |a| a.local_mem_size = 4097,
            value,
            "local_mem_size is 4097 bytes; it must be a multiple of 2097152",
        ),
        (
            |a| a.option_attr.shm_init_timeout = 0,
            value,
            "shm_init_timeout is 0",
        ),
        (
            |a| a.option_attr.control_operation_timeout = 0,
            value,
            "control_operation_timeout is 0",
        ),
        (
            |a| a.option_attr.data_op_engine_type = 0,
            value,
            "data_op_engine_type is 0",
        ),
        (
            |a| a.option_attr.data_op_engine_type = 16,
            value,
            "data_op_engine_type is 16",
        ),
        (
            |a| a.instance_id = 1,
            ACLSHMEM_NOT_SUPPORTED,
            "instance_id is 1",
        ),
        (
            |a| a.ip_port = [b'x' as _; 64],
            ACLSHMEM_INVALID_PARAM,
            "ip_port does not end within its 64 bytes",
        ),
        (
            |a| a.ip_port = attributes(0, 1, "tcp://127.0.0.1:80", 0).ip_port,
            ACLSHMEM_INVALID_PARAM,
            "ip_port \"tcp://127.0.0.1:80\": \"80\" is not a usable port",
        ),
        (
            |a| (a.n_pes, a.ip_port) = (2, [0; 64]),
            ACLSHMEM_INVALID_PARAM,
            "ip_port \"\": the address is empty",
        ),
        (
            |a| a.option_attr.sockFd = 9999,
            ACLSHMEM_INVALID_PARAM,
            "sockFd 9999 is not an open descriptor",
        ),
        (
            |a| a.option_attr.sockFd = 1,
            ACLSHMEM_INVALID_PARAM,
            "sockFd 1 is not a socket bound to a TCP port",
        ),
    ];
    for (change, code, text) in cases {
        let mut attr = good();
        change(&mut attr);
        assert_eq!(init(&mut attr), *code, "{text}");
        let (last_code, _, message) = last_error();
        assert_eq!(last_code, *code);
        assert!(message.starts_with("aclshmemx_init_attr: "), "{message}");
        assert!(message.contains(text), "{message}");
    }
    for flags in [0, 2, 8, 1 << 31] {
        let mut attr = good();
        // SAFETY: the attributes are valid.
        let code = unsafe { aclshmemx_init_attr(flags, &raw mut attr) };
        assert_eq!(code, ACLSHMEM_NOT_SUPPORTED);
        assert!(last_error().2.contains(&format!("bootstrap {flags}:")));
    }
    // SAFETY: null is refused.
    let code = unsafe { aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, null_mut()) };
    assert_eq!(code, ACLSHMEM_INVALID_PARAM);
    assert_eq!(init(&mut good()), 0);
    assert_eq!(finalize(), 0);
}

#[test]
fn a_socket_of_another_port_is_refused_with_both() {
    let _turn = alone();
    let address = Address::new();
    let mut attr = good();
    let socket = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = socket.local_addr().unwrap().port();
    attr.option_attr.sockFd = std::os::fd::AsRawFd::as_raw_fd(&socket);
    attr.ip_port = attributes(0, 1, &address.text, 0).ip_port;
    assert_eq!(init(&mut attr), ACLSHMEM_INVALID_PARAM);
    let text = format!("is bound to port {port} and ip_port says {}", address.text);
    assert!(last_error().2.contains(&text), "{}", last_error().2);
}

#[test]
fn calls_outside_init_and_finalize_fail() {
    let _turn = alone();
    // SAFETY: all are refused, or have no arguments.
    unsafe {
        assert_eq!(aclshmemx_init_status(), ACLSHMEM_STATUS_NOT_INITIALIZED);
        assert_eq!(aclshmem_my_pe(), -1);
        assert_eq!(aclshmem_n_pes(), -1);
        assert!(aclshmem_malloc(8).is_null());
        assert!(aclshmem_calloc(1, 8).is_null());
        assert!(aclshmem_align(64, 8).is_null());
        assert!(aclshmemx_get_heap_base(DEVICE_SIDE).is_null());
        assert!(aclshmem_ptr(null_mut(), 0).is_null());
        let (code, pe, text) = last_error();
        assert_eq!((code, pe), (ACLSHMEM_NOT_INITED, -1));
        assert_eq!(
            text,
            "aclshmem_ptr: SHMEM is not initialised; call aclshmemx_init_attr first"
        );
        assert_eq!(barrier().unwrap_err().0, ACLSHMEM_NOT_INITED);
        aclshmemx_barrier_all_on_stream(null_mut());
        assert_eq!(last_error().0, ACLSHMEM_NOT_INITED);
        aclshmem_free(null_mut());
        assert_eq!(last_error().0, 0);
        assert_eq!(finalize(), ACLSHMEM_NOT_INITED);

        assert_eq!(init(&mut good()), 0);
        assert_eq!(init(&mut good()), ACLSHMEM_INNER_ERROR);
        assert!(last_error().2.contains("initialised already"));
        assert_eq!(aclshmem_n_pes(), 1);
        barrier().unwrap();
        assert_eq!(finalize(), 0);
        assert_eq!(finalize(), ACLSHMEM_NOT_INITED);
    }
}

#[test]
fn a_new_job_does_not_see_the_memory_of_the_last() {
    let _turn = alone();
    for _ in 0..3 {
        assert_eq!(init(&mut good()), 0, "{:?}", last_error());
        for side in [DEVICE_SIDE, HOST_SIDE] {
            let block = malloc(1000, side);
            // SAFETY: inside the block.
            unsafe {
                assert_eq!(block.read(), 0);
                block.write(1);
            }
        }
        assert_eq!(finalize(), 0);
    }
}

#[test]
fn nothing_has_a_name_in_the_file_system() {
    let _turn = alone();
    let list = |path: &str| -> Vec<_> {
        std::fs::read_dir(path)
            .map(|entries| entries.flatten().map(|it| it.file_name()).collect())
            .unwrap_or_default()
    };
    let before = list("/dev/shm");
    assert_eq!(init(&mut good()), 0);
    assert_eq!(list("/dev/shm"), before);
    assert_eq!(finalize(), 0);
}

#[test]
fn heap_requests_that_cannot_be_met_say_why() {
    let _turn = alone();
    assert_eq!(init(&mut good()), 0);
    let refused = |block: *mut std::ffi::c_void, code: i32, text: &str| {
        assert!(block.is_null(), "{text}");
        let (last, _, message) = last_error();
        assert_eq!(last, code, "{message}");
        assert!(message.contains(text), "{message}");
    };
    let value = ACLSHMEM_INVALID_VALUE;
    let full = ACLSHMEM_MALLOC_FAILED;
    // SAFETY: refused, or not used.
    unsafe {
        refused(aclshmem_malloc(0), value, "aclshmem_malloc: size is 0");
        refused(
            aclshmem_malloc(9 << 20),
            full,
            "9437184 bytes (alignment 64) do not fit: the largest free block of the device-side heap is 3014144 of \
             8388608 bytes",
        );
        refused(
            aclshmem_malloc(usize::MAX),
            full,
            "18446744073709551615 bytes",
        );
        refused(
            aclshmemx_malloc(8, 2),
            ACLSHMEM_INVALID_PARAM,
            "mem_type 2;",
        );
        let alignments = [(0, 8), (3, 8), (17, 128), (2 << 30, 8), (1 << 63, 1)];
        for (alignment, size) in alignments {
            let text = format!("alignment {alignment} is not a power of two up to 1073741824");
            refused(aclshmem_align(alignment, size), value, &text);
        }
        refused(aclshmem_align(8 << 20, 1), full, "do not fit");
        refused(aclshmem_align(64, usize::MAX), full, "do not fit");
        for (count, size) in [(usize::MAX, 2), (1 << 63, 2), (3, 1 << 62), (1 << 30, 1)] {
            let text = format!("{count} elements of {size} bytes are more than");
            refused(aclshmem_calloc(count, size), value, &text);
        }
        refused(aclshmem_calloc(0, 8), value, "0 elements of 8 bytes");
        refused(aclshmem_calloc(8, 0), value, "8 elements of 0 bytes");
        // None of that took anything.
        assert!(!aclshmem_malloc(3_014_144).is_null());
        assert!(!aclshmemx_malloc(8 << 20, HOST_SIDE).is_null());
    }
    assert_eq!(finalize(), 0);
}

#[test]
fn blocks_have_their_alignment_as_addresses() {
    let _turn = alone();
    let mut attr = attributes(0, 1, "", 64 * MIB);
    assert_eq!(init(&mut attr), 0);
    // SAFETY: valid arguments.
    unsafe {
        for side in [DEVICE_SIDE, HOST_SIDE] {
            for shift in 0..=25 {
                let block = aclshmemx_align(1 << shift, 5, side);
                assert!(!block.is_null(), "{:?}", last_error());
                assert_eq!(block.addr() % (1 << shift).max(64), 0);
                aclshmemx_free(block, side);
                assert_eq!(last_error().0, 0);
            }
        }
    }
    assert_eq!(finalize(), 0);
}

#[test]
fn calloc_clears_what_was_used_before() {
    let _turn = alone();
    assert_eq!(init(&mut good()), 0);
    // SAFETY: inside the blocks.
    unsafe {
        for side in [DEVICE_SIDE, HOST_SIDE] {
            let used = aclshmemx_malloc(4096, side);
            assert_eq!(aclrtMemset(used, 4096, 0xff, 4096), 0);
            aclshmemx_free(used, side);
            let clear = aclshmemx_calloc(64, 64, side);
            assert_eq!(clear, used);
            let mut bytes = [1_u8; 4096];
            assert_eq!(
                aclrtMemcpy(bytes.as_mut_ptr().cast(), 4096, clear, 4096, 2),
                0
            );
            assert_eq!(bytes, [0; 4096]);
        }
        let base = aclshmemx_get_heap_base(DEVICE_SIDE);
        let end = base.byte_add(8 << 20);
        assert_ne!(aclrtMemset(end.byte_sub(4), 8, 0, 8), 0, "over the end");
        assert_eq!(aclrtMemset(end.byte_sub(8), 8, 0, 8), 0);
    }
    assert_eq!(finalize(), 0);
}

#[test]
fn bad_frees_are_reported_and_harmless() {
    let _turn = alone();
    assert_eq!(init(&mut good()), 0);
    let mut local = 0_u64;
    // SAFETY: each is refused, or frees its block once.
    unsafe {
        let block = aclshmem_malloc(256);
        let host = aclshmemx_malloc(256, HOST_SIDE);
        for (address, side, text) in [
            (
                block.byte_add(8),
                DEVICE_SIDE,
                "of 256 bytes; free its start",
            ),
            (block.byte_add(1 << 20), DEVICE_SIDE, "is not allocated"),
            (
                (&raw mut local).cast(),
                DEVICE_SIDE,
                "is not in the symmetric heap",
            ),
            (host, DEVICE_SIDE, "is in the host-side heap"),
            (block, HOST_SIDE, "is in the device-side heap"),
            (block, 7, "mem_type 7"),
        ] {
            aclshmemx_free(address, side);
            let (code, _, message) = last_error();
            assert_eq!(code, ACLSHMEM_INVALID_PARAM, "{text}");
            assert!(message.contains(text), "{message}");
        }
        aclshmem_free(block);
        assert_eq!(last_error().0, 0);
        aclshmem_free(block);
        assert!(last_error().2.contains("or was freed already"));
        aclshmemx_free(host, HOST_SIDE);
        assert_eq!(last_error().0, 0);
    }
    assert_eq!(finalize(), 0);
}

#[test]
fn translation_checks_pe_and_range() {
    let _turn = alone();
    assert_eq!(init(&mut good()), 0);
    for side in [DEVICE_SIDE, HOST_SIDE] {
        // SAFETY: valid side.
        let base: *mut u8 = unsafe { aclshmemx_get_heap_base(side) }.cast();
        let size = 8 << 20;
        assert_eq!(translate(base, 0), base);
        let last = base.wrapping_add(size - 1);
        assert_eq!(translate(last, 0), last);
        for pe in [-1, 1, i32::MAX, i32::MIN] {
            assert!(translate(base, pe).is_null());
            let text = format!("aclshmem_ptr: there is no PE {pe}; the job has 1 PEs");
            assert_eq!(last_error().2, text);
        }
        for outside in [base.wrapping_add(size), base.wrapping_sub(1), null_mut()] {
            assert!(translate(outside, 0).is_null());
            assert!(last_error().2.ends_with("is not in the symmetric heap"));
        }
    }
    assert_eq!(finalize(), 0);
}

#[test]
fn the_library_names_itself() {
    // SAFETY: the places are large enough.
    unsafe {
        let (mut major, mut minor, mut name) = (0, 0, [0; 256]);
        aclshmem_info_get_version(&raw mut major, &raw mut minor);
        assert_eq!((major, minor), (1, 1));
        aclshmem_info_get_name(name.as_mut_ptr());
        let name = CStr::from_ptr(name.as_ptr());
        assert_eq!(name, c"ACLSHMEM v1.1.1 (simulator)");
        assert_eq!(aclshmemx_set_conf_store_tls(false, std::ptr::null(), 0), 0);
    }
}
