//! Jobs that go wrong: every PE gets an error in time, and it says who and what.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

mod pe;

use std::time::{Duration, Instant};

use pe::*;
use rustix::net::{AddressFamily, SendFlags, SocketAddrUnix, SocketType, connect, send, socket};
use shmem_sim::abi::*;
use shmem_sim::acl;
use shmem_sim::shmem::*;

/// The body of a PE process. In the test run itself there is no role and this does nothing.
#[test]
fn pe_process() {
    let Some(role) = Role::from_environment() else {
        return;
    };
    use_device(role.me);
    let mut attr = role.attributes();
    let join = |attr: &mut aclshmemx_init_attr_t| match init(attr) {
        0 => Ok(()),
        _ => Err(last_error()),
    };
    if let Ok(limit) = std::env::var("SIM_ADDRESS_SPACE") {
        let limit = rustix::process::Rlimit {
            current: Some(limit.parse().unwrap()),
            maximum: None,
        };
        rustix::process::setrlimit(rustix::process::Resource::As, limit).unwrap();
    }
    let began = Instant::now();
    let (kind, rest) = role
        .scenario
        .split_once(' ')
        .unwrap_or((&role.scenario, ""));
    match kind {
        "join" => {
            attr.option_attr.shm_init_timeout = rest.parse().unwrap_or(20);
            let outcome = join(&mut attr);
            let failed = outcome.is_err();
            report(began, outcome);
            if failed {
                // SAFETY: no arguments.
                let status = unsafe { aclshmemx_init_status() };
                assert_eq!(status, ACLSHMEM_STATUS_NOT_INITIALIZED);
            } else {
                assert_eq!(finalize(), 0);
            }
        }
        "retry" => {
            // A failed init leaves nothing behind, and the next may succeed.
            let held_before = held();
            attr.option_attr.shm_init_timeout = 1;
            let address = attr.ip_port;
            attr.ip_port = attributes(0, 1, "tcp://127.0.0.1:1025", 0).ip_port;
            attr.option_attr.sockFd = 0;
            attr.my_pe = 1;
            attr.n_pes = 2;
            assert_eq!(init(&mut attr), ACLSHMEM_TIMEOUT_ERROR);
            assert_eq!(held(), held_before);
            attr.ip_port = address;
            attr.option_attr.shm_init_timeout = 20;
            attr.n_pes = role.n_pes;
            attr.my_pe = role.me;
            attr.option_attr.sockFd = role.attributes().option_attr.sockFd;
            report(began, join(&mut attr));
            assert_eq!(finalize(), 0);
        }
        "barrier" => {
            attr.option_attr.control_operation_timeout = if rest == "late" { 1 } else { 20 };
            join(&mut attr).unwrap();
            barrier().unwrap();
            let own_end = if role.me == 1 { rest } else { "" };
            match own_end {
                "kill" => {
                    let me = rustix::process::getpid();
                    rustix::process::kill_process(me, rustix::process::Signal::KILL).unwrap();
                }
                "exit" => std::process::exit(0),
                "finalize" => assert_eq!(finalize(), 0),
                "late" => std::thread::sleep(Duration::from_millis(1800)),
                _ => {}
            }
            if own_end == "finalize" {
                return;
            }
            if rest == "finalize" {
                // Meets PE 1's finalize; the next one meets nobody.
                barrier().unwrap();
            }
            let began = Instant::now();
            let outcome = barrier();
            report(began, outcome.clone());
            // What has failed stays failed, at once, and everything can be given back.
            let (code, ..) = outcome.unwrap_err();
            let again = Instant::now();
            assert_eq!(barrier().unwrap_err().0, code);
            assert!(malloc(64, DEVICE_SIDE).is_null());
            assert_eq!(finalize(), code);
            assert!(again.elapsed() < Duration::from_millis(500));
            assert_eq!(finalize(), ACLSHMEM_NOT_INITED);
        }
        "stream" => {
            join(&mut attr).unwrap();
            barrier().unwrap();
            if role.me == 1 {
                std::process::exit(0);
            }
            let mut stream = std::ptr::null_mut();
            // SAFETY: the stream is valid until it is destroyed.
            unsafe {
                assert_eq!(acl::aclrtCreateStream(&raw mut stream), 0);
                aclshmemx_barrier_all_on_stream(stream);
                assert_eq!(last_error().0, 0);
                let code = acl::aclrtSynchronizeStream(stream);
                report(began, if code == 0 { Ok(()) } else { Err(last_error()) });
                assert_eq!(acl::aclrtDestroyStream(stream), 0);
            }
        }
        other => panic!("no scenario {other}"),
    }
}

fn start(scenario: &str, roles: &[(i32, i32, u64)], address: &Address) -> Vec<Pe> {
    roles
        .iter()
        .map(|&(me, n_pes, size)| Pe::start(scenario, me, n_pes, address, size))
        .collect()
}

#[test]
fn different_heap_sizes_are_told_to_all_pes_with_both_values() {
    let address = Address::new();
    let roles = [(0, 3, 4 * MIB), (1, 3, 4 * MIB), (2, 3, 2 * MIB)];
    for report in one_each(start("join", &roles, &address), 20) {
        assert_eq!((report.code, report.pe), (ACLSHMEM_INVALID_VALUE, 2));
        assert_eq!(
            report.text,
            "aclshmemx_init_attr: PE 2 asked for a symmetric heap of 2097152 bytes and PE 0 for 4194304 bytes; \
             local_mem_size must be the same on every PE"
        );
    }
}

#[test]
fn two_processes_with_one_rank_are_told_to_all_pes() {
    let address = Address::new();
    let roles = [(0, 3, 2 * MIB), (1, 3, 2 * MIB), (1, 3, 2 * MIB)];
    for report in one_each(start("join", &roles, &address), 20) {
        assert_eq!((report.code, report.pe), (ACLSHMEM_INVALID_VALUE, 1));
        let text = &report.text;
        assert!(text.contains("two processes claim to be PE 1"), "{text}");
        assert!(report.milliseconds < 3000, "{report:?}");
    }
}

#[test]
fn different_numbers_of_pes_are_told_to_all_pes_with_both_values() {
    let address = Address::new();
    let roles = [(0, 3, 2 * MIB), (1, 4, 2 * MIB), (2, 3, 2 * MIB)];
    for report in one_each(start("join", &roles, &address), 20) {
        assert_eq!((report.code, report.pe), (ACLSHMEM_INVALID_VALUE, 1));
        let text = &report.text;
        assert!(
            text.contains("PE 1 was told that the job has 4 PEs and PE 0 that it has 3"),
            "{text}"
        );
    }
}

#[test]
fn a_pe_without_address_space_says_so_to_all_pes() {
    for limited in [0, 2] {
        let address = Address::new();
        let pes = (0..3).map(|me| {
            let limit = [("SIM_ADDRESS_SPACE", "3000000000")];
            let limit = if me == limited { &limit[..] } else { &[] };
            Pe::start_with("join", me, 3, &address, 2 * MIB, limit)
        });
        for report in one_each(pes.collect(), 20) {
            assert_eq!(report.code, ACLSHMEM_SMEM_ERROR, "{report:?}");
            assert_eq!(report.pe, limited, "{report:?}");
            let text =
                "cannot reserve 3221225472 bytes of address space (3 PEs, 1073741824 bytes each)";
            assert!(report.text.contains(text), "{report:?}");
            assert!(report.milliseconds < 5000, "{report:?}");
        }
    }
}

#[test]
fn an_absent_pe_is_named_within_the_timeout() {
    let address = Address::new();
    let roles = [(0, 4, 2 * MIB), (2, 4, 2 * MIB)];
    for report in one_each(start("join 2", &roles, &address), 20) {
        assert_eq!((report.code, report.pe), (ACLSHMEM_TIMEOUT_ERROR, 1));
        let text = &report.text;
        assert!(text.contains("PEs 1 and 3 did not come to PE 0"), "{text}");
        assert!(text.contains(&address.text), "{text}");
        assert!((1900..3000).contains(&report.milliseconds), "{report:?}");
    }
}

#[test]
fn an_absent_pe_0_is_named_within_the_timeout() {
    let address = Address::new();
    for report in one_each(start("join 1", &[(1, 2, 2 * MIB)], &address), 20) {
        assert_eq!((report.code, report.pe), (ACLSHMEM_TIMEOUT_ERROR, 0));
        let text = &report.text;
        assert!(text.contains("PE 1 found no PE 0 at"), "{text}");
        assert!(text.contains(&address.text), "{text}");
        assert!((950..2000).contains(&report.milliseconds), "{report:?}");
    }
}

#[test]
fn pe_0_may_come_late() {
    let address = Address::new();
    let other = Pe::start("join", 1, 2, &address, 2 * MIB);
    std::thread::sleep(Duration::from_millis(1300));
    let first = Pe::start("join", 0, 2, &address, 2 * MIB);
    for report in one_each(vec![first, other], 20) {
        assert_eq!(report.code, 0, "{report:?}");
    }
}

#[test]
fn a_pe_that_is_killed_during_init_ends_the_job() {
    let address = Address::new();
    let first = Pe::start("join", 0, 3, &address, 2 * MIB);
    let mut second = Pe::start("join", 1, 3, &address, 2 * MIB);
    std::thread::sleep(Duration::from_millis(300));
    second.kill();
    let third = Pe::start("join", 2, 3, &address, 2 * MIB);
    for report in one_each(vec![first, third], 20) {
        // Noticed by PE 0 at the door, or, if the kernel is slow to end the process, by the first barrier.
        let codes = [ACLSHMEM_BOOTSTRAP_ERROR, ACLSHMEM_SMEM_ERROR];
        assert!(codes.contains(&report.code), "{report:?}");
        assert_eq!(report.pe, 1);
        assert!(report.text.contains("PE 1") && report.text.contains("died"));
        assert!(report.milliseconds < 5000, "{report:?}");
    }
}

#[test]
fn strangers_at_the_door_hold_nobody_up() {
    let address = Address::new();
    let first = Pe::start("join", 0, 2, &address, 2 * MIB);
    let uid = rustix::process::getuid().as_raw();
    let socket_address = address.text.strip_prefix("tcp://").unwrap();
    let name = format!("shmem-sim/{uid}/{socket_address}");
    let name = SocketAddrUnix::new_abstract_name(name.as_bytes()).unwrap();
    let knock = |message: &[u8]| {
        let until = Instant::now() + Duration::from_secs(10);
        loop {
            let stranger = socket(AddressFamily::UNIX, SocketType::SEQPACKET, None).unwrap();
            if connect(&stranger, &name).is_ok() {
                if !message.is_empty() {
                    send(&stranger, message, SendFlags::NOSIGNAL).unwrap();
                }
                return stranger;
            }
            assert!(Instant::now() < until, "PE 0 does not listen");
            std::thread::sleep(Duration::from_millis(5));
        }
    };
    let silent = knock(b"");
    let chatty = knock(b"GET / HTTP/1.1\r\n\r\n");
    let huge = knock(&[0xff; 60_000]);
    drop(knock(b""));
    let over_tcp = std::net::TcpStream::connect(socket_address).unwrap();
    let second = Pe::start("join", 1, 2, &address, 2 * MIB);
    for report in one_each(vec![first, second], 20) {
        assert_eq!(report.code, 0, "{report:?}");
        assert!(report.milliseconds < 3000, "{report:?}");
    }
    drop((silent, chatty, huge, over_tcp));
}

#[test]
fn a_straggler_of_another_job_is_refused_and_the_job_goes_on() {
    let address = Address::new();
    let id = |id: &'static str| [("SHMEM_JOB_SECRET", id)];
    let straggler = Pe::start_with("join", 1, 2, &address, 2 * MIB, &id("a"));
    std::thread::sleep(Duration::from_millis(200));
    let first = Pe::start_with("join", 0, 2, &address, 2 * MIB, &id("b"));
    let refused = &one_each(vec![straggler], 20)[0];
    assert_eq!(refused.code, ACLSHMEM_BOOTSTRAP_ERROR);
    assert!(
        refused.text.contains("PE 1 belongs to another job"),
        "{refused:?}"
    );
    let second = Pe::start_with("join", 1, 2, &address, 2 * MIB, &id("b"));
    for report in one_each(vec![first, second], 20) {
        assert_eq!(report.code, 0, "{report:?}");
    }
}

#[test]
fn init_works_after_an_init_that_failed() {
    let address = Address::new();
    for report in one_each(Pe::start_all("retry", 2, &address, 2 * MIB), 20) {
        assert_eq!(report.code, 0, "{report:?}");
    }
}

/// Runs three PEs of which PE 1 leaves after the first barrier, and checks what the others are told.
fn pe_1_leaves(how: &str, code: i32, text: &str, milliseconds: std::ops::Range<u64>) {
    let address = Address::new();
    let mut pes = Pe::start_all(&format!("barrier {how}"), 3, &address, 2 * MIB);
    let third = pes.remove(2);
    let second = pes.remove(1);
    let reports = one_each(vec![pes.remove(0), third], 20);
    let deadline = Instant::now() + Duration::from_secs(10);
    second.finish(deadline, how == "kill" || how == "exit");
    for report in reports {
        assert_eq!((report.code, report.pe), (code, 1), "{report:?}");
        assert!(report.text.starts_with("aclshmem_barrier_all: "));
        assert!(report.text.contains(text), "{report:?}");
        assert!(milliseconds.contains(&report.milliseconds), "{report:?}");
    }
}

#[test]
fn a_killed_pe_ends_the_barrier_of_the_others() {
    pe_1_leaves("kill", ACLSHMEM_SMEM_ERROR, "died", 0..2000);
}

#[test]
fn a_pe_that_exits_without_finalize_ends_the_barrier_of_the_others() {
    pe_1_leaves("exit", ACLSHMEM_SMEM_ERROR, "died", 0..2000);
}

#[test]
fn a_late_pe_is_named_at_the_deadline() {
    let text = "PE 1 did not arrive at the barrier";
    let address = Address::new();
    let reports = one_each(Pe::start_all("barrier late", 3, &address, 2 * MIB), 20);
    for (pe, report) in reports.iter().enumerate() {
        assert_eq!((report.code, report.pe), (ACLSHMEM_TIMEOUT_ERROR, 1));
        assert!(report.text.contains(text), "{report:?}");
        let expected = if pe == 1 { 0..500 } else { 900..1700 };
        assert!(expected.contains(&report.milliseconds), "{report:?}");
    }
}

#[test]
fn a_barrier_after_another_pe_s_finalize_fails() {
    let address = Address::new();
    let mut pes = Pe::start_all("barrier finalize", 2, &address, 2 * MIB);
    let second = pes.remove(1);
    let report = &one_each(pes, 20)[0];
    second.finish(Instant::now() + Duration::from_secs(10), false);
    assert_eq!((report.code, report.pe), (ACLSHMEM_SMEM_ERROR, 1));
    assert!(
        report
            .text
            .contains("PE 1 has left through aclshmem_finalize"),
        "{report:?}"
    );
    assert!(report.milliseconds < 2000, "{report:?}");
}

#[test]
fn a_barrier_on_a_stream_that_fails_is_the_stream_s_error() {
    let address = Address::new();
    let mut pes = Pe::start_all("stream", 2, &address, 2 * MIB);
    let second = pes.remove(1);
    let report = &one_each(pes, 20)[0];
    second.finish(Instant::now() + Duration::from_secs(10), true);
    assert_eq!((report.code, report.pe), (ACL_ERROR_RT_AICORE_EXCEPTION, 1));
    assert!(
        report
            .text
            .contains("aclshmemx_barrier_all_on_stream: PE 1"),
        "{report:?}"
    );
}
