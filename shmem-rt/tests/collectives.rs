//! Collectives are done by all PEs, or fail on all of them with the same words.

#![allow(
    clippy::unwrap_used,
    reason = "a test ends where something is not as it has to be"
)]

mod job;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::time::{Duration, Instant};

use shmem_rt::{Config, Error, Side, Symmetric, World};

const MIB: u64 = 1 << 20;

fn world() -> World {
    Config::new().local_mem_size(4 * MIB).init().unwrap()
}

/// Short deadlines, for PEs that do not come.
fn hasty_world() -> World {
    Config::new()
        .local_mem_size(4 * MIB)
        .operation_timeout(Duration::from_secs(1))
        .init()
        .unwrap()
}

#[test]
fn values_travel_between_pes_when_a_body_runs_on_the_host() {
    job::run(
        3,
        "values_travel_between_pes_when_a_body_runs_on_the_host",
        || {
            let world = world();
            let (me, n) = (world.my_pe(), world.n_pes());
            assert_eq!((shmem_rt::my_pe(), shmem_rt::n_pes(), n), (me, 3, 3));
            assert_eq!((shmem_rt::block_idx(), shmem_rt::block_num()), (0, 1));
            for side in [Side::Host, Side::Device] {
                let cell = world.alloc(side).value(-1_i64)?;
                let table = world.alloc(side).slice(&[10 * me, 10 * me + 1])?;
                shmem_rt::p(cell.host_view()?, 100 + i64::from(me), (me + 1) % n);
                shmem_rt::quiet();
                world.barrier_all()?;
                assert_eq!(cell.read()?, 100 + i64::from((me + n - 1) % n));
                for pe in 0..n {
                    assert_eq!(shmem_rt::g(table.host_view()?.at(1), pe), 10 * pe + 1);
                }
                world.barrier_all()?;
                cell.free()?;
                table.free()?;
            }
            world.finalize()
        },
    );
}

#[test]
fn an_initial_value_never_overwrites_what_a_peer_wrote() {
    job::run(
        2,
        "an_initial_value_never_overwrites_what_a_peer_wrote",
        || {
            let world = world();
            for round in 0..50 {
                let cell = world.alloc(Side::Host).value(-1)?;
                shmem_rt::p(cell.host_view()?, round, 1 - world.my_pe());
                shmem_rt::quiet();
                world.barrier_all()?;
                assert_eq!(cell.read()?, round);
                cell.free()?;
            }
            world.finalize()
        },
    );
}

#[test]
fn a_pe_that_is_not_there_and_memory_that_is_not_symmetric_are_panics() {
    job::run(
        3,
        "a_pe_that_is_not_there_and_memory_that_is_not_symmetric_are_panics",
        || {
            let world = world();
            let cell = world.alloc(Side::Device).value(1_i32)?;
            let view = cell.host_view()?;
            // These panics are expected; nobody has to read them.
            std::panic::set_hook(Box::new(|_| ()));
            let message = |f: &dyn Fn()| {
                *catch_unwind(AssertUnwindSafe(f))
                    .unwrap_err()
                    .downcast::<String>()
                    .unwrap()
            };
            for pe in [-1, 3, 5] {
                let text = format!("PE {pe} is out of range: this job has 3 PEs");
                assert_eq!(message(&|| shmem_rt::p(view, 1, pe)), text);
                assert_eq!(message(&|| _ = shmem_rt::g(view, pe)), text);
            }
            let mut local = 1_i32;
            let address = &raw mut local;
            let outside = Symmetric::from_mut(&mut local);
            let text = format!("address {address:p} is not in the symmetric heap");
            assert_eq!(message(&|| shmem_rt::p(outside, 2, 0)), text);
            assert_eq!(outside.load(), 1);
            drop(std::panic::take_hook());
            world.finalize()
        },
    );
}

#[test]
fn a_size_that_differs_is_reported_on_all_pes_with_both() {
    job::run(
        3,
        "a_size_that_differs_is_reported_on_all_pes_with_both",
        || {
            let world = world();
            let bytes = |pe| if pe == 2 { 8192 } else { 4096 };
            let line = line!();
            let error = world
                .alloc(Side::Host)
                .bytes(bytes(world.my_pe()))
                .value(0)
                .unwrap_err();
            let Error::Mismatch {
                pe,
                value,
                other_pe: 2,
                ..
            } = &error
            else {
                panic!("{error}")
            };
            let site = &value[value.find(file!()).unwrap()..];
            let found: u32 = site.split(':').nth(1).unwrap().parse().unwrap();
            // The statement may be wrapped.
            assert!((line + 1..line + 6).contains(&found), "{site}");
            let alloc = |pe| {
                format!(
                    "PE {pe} has alloc of {} bytes on the host side, aligned to 64, at {site}",
                    bytes(pe)
                )
            };
            let text = format!(
                "PE {pe} and PE 2 differ in the size: {}; {}",
                alloc(*pe),
                alloc(2)
            );
            assert_eq!(error.to_string(), text);
            // The job has failed: so does every later collective.
            assert_eq!(world.barrier_all().unwrap_err().to_string(), text);
            Ok(())
        },
    );
}

fn mismatch_in(what: &str, error: &Error) -> (String, String) {
    let Error::Mismatch {
        what: found,
        pe: 0,
        value,
        other_pe: 1,
        other,
    } = error
    else {
        panic!("{error}")
    };
    assert_eq!(found, what);
    (value.clone(), other.clone())
}

#[test]
fn a_side_that_differs_is_reported_with_both() {
    job::run(2, "a_side_that_differs_is_reported_with_both", || {
        let world = world();
        let side = [Side::Host, Side::Device][world.my_pe() as usize];
        let error = world.alloc(side).value(0).unwrap_err();
        let (first, second) = mismatch_in("side", &error);
        assert!(
            first.starts_with("alloc of 4 bytes on the host side"),
            "{first}"
        );
        assert!(
            second.starts_with("alloc of 4 bytes on the device side"),
            "{second}"
        );
        Ok(())
    });
}

#[test]
fn an_order_that_differs_is_reported_with_both_calls() {
    job::run(
        2,
        "an_order_that_differs_is_reported_with_both_calls",
        || {
            let world = world();
            let error = if world.my_pe() == 0 {
                world.barrier_all().unwrap_err()
            } else {
                world.alloc(Side::Device).zeroed::<u8>(100).unwrap_err()
            };
            let (first, second) = mismatch_in("call", &error);
            assert!(first.starts_with("barrier_all at "), "{first}");
            assert!(
                second.starts_with("alloc of 100 bytes on the device side, aligned to 64, at "),
                "{second}"
            );
            Ok(())
        },
    );
}

#[test]
fn a_call_site_that_differs_is_reported_with_both() {
    job::run(2, "a_call_site_that_differs_is_reported_with_both", || {
        let world = world();
        let line = line!();
        let error = match world.my_pe() {
            0 => world.barrier_all().unwrap_err(),
            _ => world.barrier_all().unwrap_err(),
        };
        let (first, second) = mismatch_in("call site", &error);
        assert!(first.contains(&format!(":{}:", line + 2)), "{first}");
        assert!(second.contains(&format!(":{}:", line + 3)), "{second}");
        Ok(())
    });
}

#[test]
fn frees_of_different_allocations_are_reported() {
    job::run(2, "frees_of_different_allocations_are_reported", || {
        let world = world();
        let a = world.alloc(Side::Host).value(1)?;
        let b = world.alloc(Side::Host).value(2)?;
        let (first, _second) = if world.my_pe() == 0 { (a, b) } else { (b, a) };
        let error = first.free().unwrap_err();
        let (first, second) = mismatch_in("allocation", &error);
        assert!(
            first.starts_with("free of allocation 1 (4 bytes on the host side) at "),
            "{first}"
        );
        assert!(
            second.starts_with("free of allocation 2 (4 bytes on the host side) at "),
            "{second}"
        );
        Ok(())
    });
}

#[test]
fn a_full_heap_is_an_error_on_all_pes_and_the_job_goes_on() {
    job::run(
        2,
        "a_full_heap_is_an_error_on_all_pes_and_the_job_goes_on",
        || {
            let world = world();
            let error = world.alloc(Side::Host).zeroed::<u8>(64 << 20).unwrap_err();
            let Error::OutOfMemory {
                bytes: 67_108_864, ..
            } = error
            else {
                panic!("{error}")
            };
            let text = error.to_string();
            let start = "there is no room for 67108864 bytes in the host side of the symmetric heap: a side has 4194304 \
                     bytes, Config::local_mem_size gives it more";
            assert!(text.starts_with(start), "{text}");
            assert!(text.contains("largest free block"), "{text}");
            for (align, len, text) in [
                (
                    3,
                    1,
                    "the alignment 3 is not a power of two: give Alloc::align one, as 64 or 4096",
                ),
                (
                    0,
                    1,
                    "the alignment 0 is not a power of two: give Alloc::align one, as 64 or 4096",
                ),
                (
                    64,
                    usize::MAX / 2,
                    "9223372036854775807 elements of 4 bytes are more than memory can hold: allocate fewer",
                ),
            ] {
                let error = world
                    .alloc(Side::Device)
                    .align(align)
                    .zeroed::<f32>(len)
                    .unwrap_err();
                assert_eq!(error.to_string(), text);
            }
            let fits = world.alloc(Side::Host).align(4096).zeroed::<u8>(1 << 20)?;
            assert_eq!(fits.read_vec()?, vec![0; 1 << 20]);
            fits.free()?;
            world.finalize()
        },
    );
}

#[test]
fn a_zeroed_block_is_zero_on_every_pe_also_where_memory_was_used_before() {
    job::run(
        2,
        "a_zeroed_block_is_zero_on_every_pe_also_where_memory_was_used_before",
        || {
            let world = world();
            for side in [Side::Host, Side::Device] {
                world.alloc(side).slice(&[0xff_u8; 5000])?.free()?;
                let block = world.alloc(side).zeroed::<u8>(5000)?;
                assert_eq!(
                    shmem_rt::g(block.host_view()?.at(4999), 1 - world.my_pe()),
                    0
                );
                assert_eq!(block.read_vec()?, [0; 5000]);
            }
            world.finalize()
        },
    );
}

#[test]
fn empty_allocations_are_fine() {
    job::run(2, "empty_allocations_are_fine", || {
        let world = world();
        let empty = world.alloc(Side::Host).slice::<f64>(&[])?;
        assert!(empty.is_empty());
        assert_eq!(empty.read_vec()?, []);
        assert!(matches!(
            empty.read_at(0),
            Err(Error::Index { index: 0, len: 0 })
        ));
        empty.free()?;
        world.finalize()
    });
}

#[test]
fn dropping_a_box_on_one_pe_neither_hangs_nor_moves_other_allocations() {
    job::run(
        2,
        "dropping_a_box_on_one_pe_neither_hangs_nor_moves_other_allocations",
        || {
            let world = world();
            let first = world.alloc(Side::Host).value(1)?;
            if world.my_pe() == 0 {
                drop(first);
            }
            world.barrier_all()?;
            let second = world.alloc(Side::Host).value(7 + world.my_pe())?;
            assert_eq!(
                shmem_rt::g(second.host_view()?, 1 - world.my_pe()),
                8 - world.my_pe()
            );
            world.finalize()
        },
    );
}

#[test]
fn a_pe_that_does_not_come_is_named_when_time_is_up() {
    job::run(
        3,
        "a_pe_that_does_not_come_is_named_when_time_is_up",
        || {
            let world = hasty_world();
            let start = Instant::now();
            if world.my_pe() == 2 {
                std::thread::sleep(Duration::from_secs(2));
            }
            let line = line!() + 1;
            let error = world.barrier_all().unwrap_err();
            let Error::Timeout {
                call,
                missing,
                more: 0,
                waited,
            } = &error
            else {
                panic!("{error}")
            };
            assert!(
                call.starts_with("barrier_all at ") && call.contains(&format!(":{line}:")),
                "{call}"
            );
            assert_eq!(*missing, [2]);
            assert!((900..1500).contains(&waited.as_millis()), "{waited:?}");
            assert!(start.elapsed() < Duration::from_secs(3));
            Ok(())
        },
    );
}

#[test]
fn a_pe_that_is_killed_is_named_by_the_others_at_once() {
    let name = "a_pe_that_is_killed_is_named_by_the_others_at_once";
    let outcome = job::outcome(4, name, || {
        let world = world();
        world.barrier_all()?;
        if world.my_pe() == 1 {
            rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::KILL)
                .unwrap();
        }
        let start = Instant::now();
        let error = world.barrier_all().unwrap_err();
        assert_eq!(
            error.to_string(),
            "PE 1 died: its process ended without finalize"
        );
        assert!(
            start.elapsed() < Duration::from_secs(1),
            "{:?}",
            start.elapsed()
        );
        drop(world);
        assert!(
            start.elapsed() < Duration::from_secs(1),
            "{:?}",
            start.elapsed()
        );
        Ok(())
    });
    if let Some(outcome) = outcome {
        assert_eq!(outcome.failures.len(), 1, "{outcome:?}");
        assert_eq!(outcome.failures[0].text, "PE 1 was killed by SIGKILL");
        assert_eq!(outcome.exit_code(), 137);
    }
}

#[test]
fn the_death_of_pe_0_is_seen_by_the_others() {
    let outcome = job::outcome(3, "the_death_of_pe_0_is_seen_by_the_others", || {
        let world = world();
        world.barrier_all()?;
        if world.my_pe() == 0 {
            std::process::exit(3);
        }
        let error = world.barrier_all().unwrap_err();
        assert_eq!(
            error.to_string(),
            "PE 0 died: its process ended without finalize"
        );
        Ok(())
    });
    if let Some(outcome) = outcome {
        assert_eq!(outcome.exit_code(), 3, "{outcome:?}");
        assert_eq!(outcome.failures.len(), 1, "{outcome:?}");
    }
}

#[test]
fn a_world_that_is_dropped_never_hangs_and_the_others_are_told() {
    job::run(
        3,
        "a_world_that_is_dropped_never_hangs_and_the_others_are_told",
        || {
            let world = world();
            if world.my_pe() == 2 {
                let start = Instant::now();
                drop(world);
                assert!(
                    start.elapsed() < Duration::from_millis(500),
                    "{:?}",
                    start.elapsed()
                );
                // The process lives on: the others are told, they do not notice a death.
                std::thread::sleep(Duration::from_millis(300));
                return Ok(());
            }
            let error = world.barrier_all().unwrap_err();
            assert_eq!(error.to_string(), "PE 2 left the job without finalize");
            assert_eq!(world.finalize().unwrap_err().to_string(), error.to_string());
            Ok(())
        },
    );
}

#[test]
fn a_job_follows_a_job_in_the_same_processes() {
    job::run(4, "a_job_follows_a_job_in_the_same_processes", || {
        let round = || {
            let world = world();
            let cell = world.alloc(Side::Host).value(-1)?;
            shmem_rt::p(cell.host_view()?, world.my_pe(), (world.my_pe() + 1) % 4);
            shmem_rt::quiet();
            world.barrier_all()?;
            assert_eq!(cell.read()?, (world.my_pe() + 3) % 4);
            drop(cell);
            world.finalize()
        };
        round()?;
        let before = job::resources();
        for _ in 0..30 {
            round()?;
        }
        assert_eq!(job::resources(), before);
        Ok(())
    });
}

#[test]
fn a_job_follows_one_that_was_dropped_by_all() {
    job::run(3, "a_job_follows_one_that_was_dropped_by_all", || {
        for _ in 0..3 {
            let world = world();
            world.barrier_all().unwrap();
            drop(world);
        }
        let world = world();
        world.barrier_all()?;
        world.finalize()
    });
}

#[test]
fn collectives_of_many_pes_are_quick() {
    job::run(32, "collectives_of_many_pes_are_quick", || {
        let world = world();
        world.barrier_all()?;
        let start = Instant::now();
        for _ in 0..100 {
            world.barrier_all()?;
        }
        let each = start.elapsed() / 100;
        assert!(each < Duration::from_millis(20), "{each:?}");
        world.finalize()
    });
}
