//! Joining a job: who may, how long it waits, and what is left when it fails.

#![allow(
    clippy::unwrap_used,
    reason = "a test ends where something is not as it has to be"
)]

mod job;

use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use shmem_rt::{Config, Error, World};

const MIB: u64 = 1 << 20;

fn config() -> Config {
    Config::new()
        .local_mem_size(2 * MIB)
        .init_timeout(Duration::from_secs(20))
}

#[test]
fn a_second_world_is_an_error_and_one_after_the_other_is_fine() {
    job::run(
        1,
        "a_second_world_is_an_error_and_one_after_the_other_is_fine",
        || {
            let world = config().init()?;
            let error = World::init().unwrap_err();
            assert!(matches!(error, Error::WorldExists));
            assert_eq!(
                error.to_string(),
                "this process has a World already: finalize or drop it before the next init"
            );
            drop(world);
            config().init()?.finalize()?;
            let before = job::resources();
            for _ in 0..20 {
                drop(config().init()?);
                config().init()?.finalize()?;
            }
            assert_eq!(job::resources(), before);
            Ok(())
        },
    );
}

#[test]
fn a_world_and_what_it_gave_may_move_to_another_thread() {
    job::run(
        1,
        "a_world_and_what_it_gave_may_move_to_another_thread",
        || {
            let world = config().init()?;
            std::thread::spawn(move || {
                let cell = world.device_value(5_u16).unwrap();
                std::thread::scope(|scope| {
                    scope.spawn(move || {
                        assert_eq!(cell.read().unwrap(), 5);
                        cell.write(6).unwrap();
                        assert_eq!(cell.read().unwrap(), 6);
                    });
                });
                world.stream().unwrap().synchronize().unwrap();
                world.finalize().unwrap();
            })
            .join()
            .unwrap();
            Ok(())
        },
    );
}

#[test]
fn boxes_are_read_and_written_by_copy() {
    job::run(1, "boxes_are_read_and_written_by_copy", || {
        let world = config().init()?;
        let table = world.device_slice(&[1.0_f32, 2.0, 3.0])?;
        assert_eq!((table.len(), table.is_empty()), (3, false));
        table.write_at(1, 20.0)?;
        assert_eq!(
            (table.read_at(1)?, table.read_vec()?),
            (20.0, vec![1.0, 20.0, 3.0])
        );
        table.write_slice(&[4.0, 5.0, 6.0])?;
        assert_eq!(table.read_vec()?, [4.0, 5.0, 6.0]);
        assert_eq!(
            table.write_slice(&[1.0]).unwrap_err().to_string(),
            "the buffer has 3 elements and the slice 1: they must be equal"
        );
        assert_eq!(
            table.write_at(3, 1.0).unwrap_err().to_string(),
            "index out of bounds: the len is 3 but the index is 3"
        );
        assert!(world.device_slice::<u8>(&[])?.read_vec()?.is_empty());
        drop(table);
        world.finalize()
    });
}

#[test]
fn a_pe_without_descriptors_ends_the_init_of_all_at_once() {
    let name = "a_pe_without_descriptors_ends_the_init_of_all_at_once";
    if job::is_pe(name) {
        use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
        let of = |name| std::env::var(name).unwrap();
        if of("SHMEM_PE") == of("SHORT_PE") {
            let more: u64 = of("SHORT_BY").parse().unwrap();
            let current = Some(job::resources().0 as u64 - 1 + more);
            let maximum = getrlimit(Resource::Nofile).maximum;
            setrlimit(Resource::Nofile, Rlimit { current, maximum }).unwrap();
        }
        let start = Instant::now();
        let ended = config().init_timeout(Duration::from_secs(2)).init();
        let took = start.elapsed();
        match ended {
            Ok(world) => world.finalize().unwrap(),
            // PE 0 had not even a socket to say it on.
            Err(Error::Connect { .. }) => {}
            Err(error) => {
                let text = error.to_string();
                let cause = text.contains("Too many open files") || text.contains("ulimit -n");
                assert!(cause, "{text}");
                assert!(took < Duration::from_millis(1500), "{took:?}");
                // The others hear of it although this process lives on.
                std::thread::sleep(Duration::from_millis(1500));
            }
        }
        return;
    }
    let mut jobs = Vec::new();
    for short in ["0", "1"] {
        for by in 1..14 {
            let (by, address) = (by.to_string(), format!("127.0.0.1:{}", job::free_port()));
            let pe = |pe| {
                [
                    ("SHMEM_PE", pe),
                    ("SHMEM_N_PES", "3"),
                    ("SHMEM_IP_PORT", &*address),
                    ("SHORT_PE", short),
                    ("SHORT_BY", &*by),
                ]
            };
            jobs.push(job::by_hand(name, &[&pe("0"), &pe("1"), &pe("2")]));
        }
        jobs.drain(..).for_each(job::ByHand::all_well);
    }
}

#[test]
fn only_pe_1_of_2_waits_for_the_clock_and_names_the_address() {
    let name = "only_pe_1_of_2_waits_for_the_clock_and_names_the_address";
    if job::is_pe(name) {
        let start = Instant::now();
        let error = config()
            .init_timeout(Duration::from_millis(1500))
            .init()
            .unwrap_err()
            .to_string();
        let port = std::env::var("SHMEM_IP_PORT").unwrap();
        assert!(
            error.starts_with(&format!(
                "PE 0 was not reached at tcp://{port} within 1.5 s: "
            )),
            "{error}"
        );
        assert!(
            (1400..2000).contains(&start.elapsed().as_millis()),
            "{:?}",
            start.elapsed()
        );
        return;
    }
    let address = format!("127.0.0.1:{}", job::free_port());
    job::by_hand(
        name,
        &[&[
            ("SHMEM_PE", "1"),
            ("SHMEM_N_PES", "2"),
            ("SHMEM_IP_PORT", &address),
        ]],
    )
    .all_well();
}

#[test]
fn pes_that_do_not_join_are_named_to_those_that_did() {
    let name = "pes_that_do_not_join_are_named_to_those_that_did";
    if job::is_pe(name) {
        let start = Instant::now();
        let error = config()
            .init_timeout(Duration::from_millis(1500))
            .init()
            .unwrap_err();
        let Error::Timeout { call, missing, .. } = &error else {
            panic!("{error}")
        };
        assert_eq!((call.as_str(), missing.as_slice()), ("init", &[1, 3][..]));
        assert!(
            start.elapsed() < Duration::from_secs(3),
            "{:?}",
            start.elapsed()
        );
        // The process is as it was before.
        return;
    }
    let address = format!("127.0.0.1:{}", job::free_port());
    let pe = |pe| {
        [
            ("SHMEM_PE", pe),
            ("SHMEM_N_PES", "4"),
            ("SHMEM_IP_PORT", &address),
        ]
    };
    job::by_hand(name, &[&pe("0"), &pe("2")]).all_well();
}

/// Starts three PEs by hand whose `init` fails with one text on all.
fn all_fail(name: &str, variables: [[(&str, &str); 2]; 3], text: &str) {
    if job::is_pe(name) {
        let start = Instant::now();
        let size = std::env::var("TEST_MIB").map_or(2, |mib| mib.parse().unwrap());
        let error = config().local_mem_size(size * MIB).init().unwrap_err();
        assert_eq!(error.to_string(), text);
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{:?}",
            start.elapsed()
        );
        return;
    }
    let address = format!("127.0.0.1:{}", job::free_port());
    let all = variables.map(|pe| {
        let n = pe
            .iter()
            .find(|(name, _)| *name == "SHMEM_N_PES")
            .map_or("3", |(_, n)| n);
        [
            pe[0],
            pe[1],
            ("SHMEM_N_PES", n),
            ("SHMEM_IP_PORT", address.as_str()),
        ]
    });
    job::by_hand(name, &[&all[0], &all[1], &all[2]]).all_well();
}

#[test]
fn pes_that_disagree_on_their_number_all_fail_with_both() {
    all_fail(
        "pes_that_disagree_on_their_number_all_fail_with_both",
        [
            [("SHMEM_PE", "0"), ("TEST_MIB", "2")],
            [("SHMEM_PE", "1"), ("SHMEM_N_PES", "4")],
            [("SHMEM_PE", "2"), ("TEST_MIB", "2")],
        ],
        "PE 0 and PE 1 differ in the number of PEs: PE 0 has 3; PE 1 has 4",
    );
}

#[test]
fn pes_that_disagree_on_the_heap_all_fail_with_both() {
    all_fail(
        "pes_that_disagree_on_the_heap_all_fail_with_both",
        [
            [("SHMEM_PE", "0"), ("TEST_MIB", "2")],
            [("SHMEM_PE", "1"), ("TEST_MIB", "2")],
            [("SHMEM_PE", "2"), ("TEST_MIB", "4")],
        ],
        "PE 0 and PE 2 differ in the local_mem_size: PE 0 has 2097152; PE 2 has 4194304",
    );
}

#[test]
fn two_processes_with_one_number_all_fail() {
    all_fail(
        "two_processes_with_one_number_all_fail",
        [
            [("SHMEM_PE", "0"), ("TEST_MIB", "2")],
            [("SHMEM_PE", "1"), ("TEST_MIB", "2")],
            [("SHMEM_PE", "1"), ("TEST_MIB", "2")],
        ],
        "two processes say that they are PE 1: give each process of the job its own number",
    );
}

#[test]
fn strangers_and_pes_of_another_job_do_not_stall_the_job() {
    let name = "strangers_and_pes_of_another_job_do_not_stall_the_job";
    if job::is_pe(name) {
        if std::env::var_os("TEST_OTHER_JOB").is_some() {
            let error = config().init().unwrap_err().to_string();
            assert!(
                error.ends_with("belongs to another job (SHMEM_JOB_SECRET differs)"),
                "{error}"
            );
            return;
        }
        let start = Instant::now();
        let world = config().init().unwrap();
        world.barrier_all().unwrap();
        world.finalize().unwrap();
        assert!(
            start.elapsed() < Duration::from_secs(5),
            "{:?}",
            start.elapsed()
        );
        return;
    }
    let address = format!("127.0.0.1:{}", job::free_port());
    let (ours, theirs) = (
        "00112233445566778899aabbccddeeff",
        "ffeeddccbbaa99887766554433221100",
    );
    let pe = |pe, secret| {
        [
            ("SHMEM_PE", pe),
            ("SHMEM_N_PES", "2"),
            ("SHMEM_IP_PORT", address.as_str()),
            ("SHMEM_JOB_SECRET", secret),
        ]
    };
    let pe_0 = job::by_hand(name, &[&pe("0", ours)]);
    job::eventually(|| TcpStream::connect(&address).is_ok());
    // A browser, a length from outer space, a frame that never ends, and silence.
    let strangers: Vec<TcpStream> = [
        &b"GET / HTTP/1.1\r\n\r\n"[..],
        &[0xff; 64],
        &[0, 8, 0, 0, 1],
        &[],
    ]
    .iter()
    .map(|bytes| {
        let mut stranger = TcpStream::connect(&address).unwrap();
        stranger.write_all(bytes).unwrap();
        stranger
    })
    .collect();
    let other = [&pe("1", theirs)[..], &[("TEST_OTHER_JOB", "1")]].concat();
    job::by_hand(name, &[&other]).all_well();
    let pe_1 = job::by_hand(name, &[&pe("1", ours)]);
    pe_1.all_well();
    pe_0.all_well();
    drop(strangers);
}

#[test]
fn a_busy_port_is_named_with_the_way_out() {
    let name = "a_busy_port_is_named_with_the_way_out";
    if job::is_pe(name) {
        let error = config().init().unwrap_err().to_string();
        let address = std::env::var("SHMEM_IP_PORT").unwrap();
        assert!(
            error.starts_with(&format!("PE 0 cannot listen at tcp://{address}: ")),
            "{error}"
        );
        assert!(
            error.contains("set SHMEM_IP_PORT to a free port"),
            "{error}"
        );
        return;
    }
    let busy = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let address = busy.local_addr().unwrap().to_string();
    job::by_hand(
        name,
        &[&[
            ("SHMEM_PE", "0"),
            ("SHMEM_N_PES", "2"),
            ("SHMEM_IP_PORT", &address),
        ]],
    )
    .all_well();
}

#[test]
fn an_init_that_fails_leaves_nothing_behind() {
    let name = "an_init_that_fails_leaves_nothing_behind";
    if job::is_pe(name) {
        assert!(config().local_mem_size(1).init().is_err());
        let failing = || {
            config()
                .init_timeout(Duration::from_millis(200))
                .init()
                .unwrap_err()
        };
        failing();
        let before = job::resources();
        for _ in 0..5 {
            failing();
        }
        assert_eq!(job::resources(), before);
        return;
    }
    let address = format!("127.0.0.1:{}", job::free_port());
    job::by_hand(
        name,
        &[&[
            ("SHMEM_PE", "0"),
            ("SHMEM_N_PES", "2"),
            ("SHMEM_IP_PORT", &address),
        ]],
    )
    .all_well();
}

#[test]
fn a_name_with_two_addresses_is_reached_at_the_one_that_listens() {
    let name = "a_name_with_two_addresses_is_reached_at_the_one_that_listens";
    if job::is_pe(name) {
        config().init().unwrap().finalize().unwrap();
        return;
    }
    let address = format!("localhost:{}", job::free_port());
    let pe = |pe| {
        [
            ("SHMEM_PE", pe),
            ("SHMEM_N_PES", "2"),
            ("SHMEM_IP_PORT", &address),
        ]
    };
    job::by_hand(name, &[&pe("1"), &pe("0")]).all_well();
}

#[test]
fn an_unknown_backend_is_an_error_that_lists_the_known_ones() {
    let name = "an_unknown_backend_is_an_error_that_lists_the_known_ones";
    if job::is_pe(name) {
        assert_eq!(
            World::init().unwrap_err().to_string(),
            "SHMEM_BACKEND is `npu`, which is no backend: set it to `sim` or `cann`, or unset it"
        );
        return;
    }
    job::by_hand(name, &[&[("SHMEM_BACKEND", "npu")]]).all_well();
}

/// Whether a type is what the method of the same name says: the inherent one is chosen where its bound holds.
macro_rules! is {
    ($bound:ident, $t:ty) => {{
        struct Probe<T>(core::marker::PhantomData<T>);
        #[allow(dead_code, reason = "one of the two methods is not chosen")]
        trait Otherwise {
            fn holds(&self) -> bool {
                false
            }
        }
        impl<T> Otherwise for Probe<T> {}
        #[allow(dead_code, reason = "one of the two methods is not chosen")]
        impl<T: $bound> Probe<T> {
            fn holds(&self) -> bool {
                true
            }
        }
        Probe::<$t>(core::marker::PhantomData).holds()
    }};
}

#[test]
fn what_a_world_gives_is_send_and_not_sync() {
    use shmem_rt::{DeviceBox, Stream, SymmetricBox};
    assert!(is!(Send, World) && is!(Send, Stream<'static>));
    assert!(is!(Send, SymmetricBox<'static, i32>) && is!(Send, DeviceBox<'static, [u8]>));
    assert!(!is!(Sync, World) && !is!(Sync, Stream<'static>));
    assert!(!is!(Sync, SymmetricBox<'static, i32>) && !is!(Sync, DeviceBox<'static, [u8]>));
    assert!(is!(Send, Error) && is!(Sync, Error));
}
