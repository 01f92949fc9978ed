//! Launches of kernel libraries that are written by hand here, so that each promise of the interface is seen alone.

#![allow(
    clippy::unwrap_used,
    reason = "a test ends where something is not as it has to be"
)]

mod job;

use std::path::Path;
use std::process::Command;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use shmem_rt::__private::{Args, KernelInfo, Site, launch};
use shmem_rt::{Config, Element, Error, Global, KernelArg, Scalar, Side, Stream, Symmetric, World};

/// The library. `k_panic` writes a fault record as generated code does, then leaves.
const SOURCE: &str = r#"
#include "shmem_sim.h"
#include <unistd.h>

static bool skipped(shmem_sim_instance *it) { return it->core_type == SHMEM_SIM_CORE_CUBE || it->block_idx > 0; }

static int32_t add(shmem_sim_instance *it, const uint64_t *slot)
{
    if (!skipped(it)) {
        *reinterpret_cast<int32_t *>(slot[0]) += static_cast<int32_t>(slot[1]);
    }
    return 0;
}

static int32_t fill(shmem_sim_instance *it, const uint64_t *slot)
{
    for (uint64_t i = 0; !skipped(it) && i < slot[1]; ++i) {
        reinterpret_cast<double *>(slot[0])[i] = 1.5;
    }
    return 0;
}

static int32_t wait(shmem_sim_instance *it, const uint64_t *slot)
{
    while (!skipped(it) && __atomic_load_n(reinterpret_cast<int32_t *>(slot[0]), __ATOMIC_SEQ_CST) == 0) {
        usleep(1000);
    }
    return 0;
}

static int32_t panic(shmem_sim_instance *it, const uint64_t *slot)
{
    if (it->core_type == SHMEM_SIM_CORE_CUBE || it->block_idx != 3) {
        return 0;
    }
    // Cube instances come first: block_num of them.
    uint64_t *record = reinterpret_cast<uint64_t *>(slot[1] + 64 * (it->block_num + it->block_idx));
    record[3] = slot[0];
    record[4] = 3;
    record[1] = 0 | (3ull << 32);
    record[2] = 1;
    record[0] = 1 | (4ull << 32);
    return 1;
}

#define KERNEL(name, version)                                                                           \
    extern "C" uint64_t k_##name##_contract() { return version; }                                       \
    extern "C" int32_t k_##name##_launch(uint32_t blocks, void *stream, const uint64_t *args, uint32_t n) \
    {                                                                                                   \
        return shmem_sim_bound.launch(stream, blocks, 0, name, args, n);                                \
    }
KERNEL(add, 7)
KERNEL(fill, 7)
KERNEL(wait, 7)
KERNEL(panic, 7)

extern "C" uint64_t k_refused_contract() { return 7; }
extern "C" int32_t k_refused_launch(uint32_t, void *, const uint64_t *, uint32_t) { return 107000; }
"#;

/// The library's bytes, compiled once in each process.
fn library() -> &'static [u8] {
    static LIBRARY: OnceLock<Vec<u8>> = OnceLock::new();
    LIBRARY.get_or_init(|| compile(SOURCE))
}

fn compile(source: &str) -> Vec<u8> {
    let dir = tempfile::tempdir().unwrap();
    let (cpp, so) = (dir.path().join("k.cpp"), dir.path().join("k.so"));
    std::fs::write(&cpp, source).unwrap();
    let headers = Path::new(env!("CARGO_MANIFEST_DIR")).join("../shmem-headers/include/sim");
    let compiler = std::env::var("CXX").unwrap_or_else(|_| "c++".into());
    let status = Command::new(compiler)
        .args(["-std=c++17", "-O1", "-shared", "-fPIC", "-I"])
        .args([&headers, &"-o".into(), &so, &cpp])
        .status()
        .unwrap();
    assert!(status.success());
    std::fs::read(so).unwrap()
}

fn kernel(name: &'static str, symbol: &'static str, checked: bool) -> KernelInfo {
    KernelInfo {
        name,
        file: "src/kernels.rs",
        line: 5,
        symbol,
        library: Some(library()),
        contract: 7,
        checked,
        all_blocks: false,
        vector: false,
        prints: false,
        sites: &[Site {
            file: "",
            line: 7,
            column: 9,
            op: "",
            signed: false,
            text: "",
            values: "",
        }],
    }
}

fn add() -> &'static KernelInfo {
    static KERNEL: OnceLock<KernelInfo> = OnceLock::new();
    KERNEL.get_or_init(|| kernel("add", "k_add", true))
}

fn wait() -> &'static KernelInfo {
    static KERNEL: OnceLock<KernelInfo> = OnceLock::new();
    KERNEL.get_or_init(|| kernel("wait", "k_wait", false))
}

fn panicking() -> &'static KernelInfo {
    static KERNEL: OnceLock<KernelInfo> = OnceLock::new();
    KERNEL.get_or_init(|| kernel("ring", "k_panic", true))
}

// What a stub does: it names the parameter's type, and the argument packs itself for it.
fn cell<T: Element>(args: &mut Args, arg: impl KernelArg<Global<'static, T>>) {
    arg.pack(args).unwrap();
}

fn symmetric<T: Element>(args: &mut Args, arg: impl KernelArg<Symmetric<'static, T>>) {
    arg.pack(args).unwrap();
}

fn scalar<T: Scalar>(args: &mut Args, arg: impl KernelArg<T>) {
    arg.pack(args).unwrap();
}

fn launch_add(
    stream: &Stream<'_>,
    to: impl KernelArg<Global<'static, i32>>,
    value: i32,
) -> Result<(), Error> {
    let mut args = Args::new();
    cell(&mut args, to);
    scalar(&mut args, value);
    launch(add(), stream, 1, args)
}

fn launch_panic(stream: &Stream<'_>, pe: i64) -> Result<(), Error> {
    let mut args = Args::new();
    scalar(&mut args, pe);
    launch(panicking(), stream, 2, args)
}

fn world() -> World {
    Config::new().local_mem_size(4 << 20).init().unwrap()
}

#[test]
fn launches_run_in_order_and_reach_every_kind_of_memory() {
    job::run(
        1,
        "launches_run_in_order_and_reach_every_kind_of_memory",
        || {
            let world = world();
            let stream = world.stream()?;
            let own = world.device_value(1_i32)?;
            let host = world.alloc(Side::Host).value(10_i32)?;
            let device = world.alloc(Side::Device).value(100_i32)?;
            for _ in 0..20 {
                launch_add(&stream, &own, 2)?;
                launch_add(&stream, &host, -1)?;
                launch_add(&stream, &device, 3)?;
            }
            stream.synchronize()?;
            assert_eq!((own.read()?, host.read()?, device.read()?), (41, -10, 160));

            let table = world.device_slice(&[0.0; 5])?;
            let mut args = Args::new();
            KernelArg::<Global<'static, [f64]>>::pack(&table, &mut args)?;
            static FILL: OnceLock<KernelInfo> = OnceLock::new();
            launch(
                FILL.get_or_init(|| kernel("fill", "k_fill", false)),
                &stream,
                1,
                args,
            )?;
            stream.synchronize()?;
            assert_eq!(table.read_vec()?, [1.5; 5]);
            drop(stream);
            world.finalize()
        },
    );
}

#[test]
fn memory_of_a_launch_is_in_flight_until_it_is_synchronised() {
    job::run(
        1,
        "memory_of_a_launch_is_in_flight_until_it_is_synchronised",
        || {
            let world = world();
            let stream = world.stream()?;
            let flag = world.alloc(Side::Host).value(0_i32)?;
            let sum = world.device_value(0_i32)?;
            let other = world.device_value(5_i32)?;
            let view = flag.host_view()?;
            let mut args = Args::new();
            symmetric(&mut args, &flag);
            launch(wait(), &stream, 1, args)?;
            launch_add(&stream, &sum, 2)?;
            let text = |kernel| {
                format!(
                    "kernel `{kernel}` may still use this buffer: call Stream::synchronize on its stream first"
                )
            };
            assert_eq!(flag.read().unwrap_err().to_string(), text("wait"));
            assert_eq!(flag.write(1).unwrap_err().to_string(), text("wait"));
            assert!(matches!(
                flag.host_view(),
                Err(Error::InFlight { kernel: "wait" })
            ));
            assert_eq!(sum.read().unwrap_err().to_string(), text("add"));
            assert_eq!(other.read()?, 5);
            view.store(1);
            stream.synchronize()?;
            assert_eq!((flag.read()?, sum.read()?), (1, 2));
            drop(stream);
            world.finalize()
        },
    );
}

#[test]
fn a_free_of_memory_in_flight_is_refused_on_all_pes_and_the_job_goes_on() {
    job::run(
        2,
        "a_free_of_memory_in_flight_is_refused_on_all_pes_and_the_job_goes_on",
        || {
            let world = world();
            let stream = world.stream()?;
            let gate = world.alloc(Side::Host).value(0_i32)?;
            let memory = world.alloc(Side::Device).value(0_i32)?;
            let me = world.my_pe();
            if me == 1 {
                let mut args = Args::new();
                symmetric(&mut args, &gate);
                launch(wait(), &stream, 1, args)?;
                launch_add(&stream, &memory, 1)?;
            }
            let error = memory.free().unwrap_err().to_string();
            let reason = "kernel `add` may still use this buffer: call Stream::synchronize on its stream first";
            if me == 1 {
                assert_eq!(error, reason);
            } else {
                assert_eq!(
                    error,
                    format!("free was not done on any PE, because PE 1 could not: {reason}")
                );
                shmem_rt::p(gate.host_view()?, 1, 1);
            }
            stream.synchronize()?;
            world.barrier_all()?;
            gate.free()?;
            drop(stream);
            world.finalize()
        },
    );
}

#[test]
fn memory_that_is_dropped_in_flight_stays_until_the_launch_has_ended() {
    job::run(
        1,
        "memory_that_is_dropped_in_flight_stays_until_the_launch_has_ended",
        || {
            let world = world();
            let flag = world.alloc(Side::Host).value(0_i32)?;
            let view = flag.host_view()?;
            let stream = world.stream()?;
            let mut args = Args::new();
            symmetric(&mut args, &flag);
            launch(wait(), &stream, 1, args)?;
            for _ in 0..10 {
                let dropped = world.device_slice(&[1_i32; 1000])?;
                let mut args = Args::new();
                KernelArg::<Global<'static, [i32]>>::pack(&dropped, &mut args)?;
                launch(add(), &stream, 1, args)?;
                drop(dropped);
            }
            view.store(1);
            // Dropping the stream waits for all of it.
            drop(stream);
            assert_eq!(flag.read()?, 1);
            world.finalize()
        },
    );
}

#[test]
fn a_panic_names_its_kernel_and_stays_with_the_stream() {
    job::run(
        1,
        "a_panic_names_its_kernel_and_stays_with_the_stream",
        || {
            let world = world();
            let stream = world.stream()?;
            let sum = world.device_value(0_i32)?;
            launch_add(&stream, &sum, 1)?;
            launch_panic(&stream, 9)?;
            // Queued behind the panic: it does not run, and the error is not its own.
            let _ = launch_add(&stream, &sum, 1);
            let error = stream.synchronize().unwrap_err();
            let text = "kernel `ring` panicked on PE 0, block 3, at src/kernels.rs:7:9: PE 9 is out of range: this job has 3 PEs";
            assert_eq!(error.to_string(), text);
            let Error::KernelPanic(panic) = error else {
                panic!()
            };
            assert_eq!(
                (
                    panic.kernel,
                    panic.pe,
                    panic.block,
                    panic.line,
                    panic.column
                ),
                ("ring", 0, 3, 7, 9)
            );
            assert_eq!(stream.synchronize().unwrap_err().to_string(), text);
            assert_eq!(launch_add(&stream, &sum, 1).unwrap_err().to_string(), text);
            // The memory is readable again, and another stream works.
            assert_eq!(sum.read()?, 1);
            drop(stream);
            let stream = world.stream()?;
            launch_add(&stream, &sum, 10)?;
            stream.synchronize()?;
            assert_eq!(sum.read()?, 11);
            drop(stream);
            world.finalize()
        },
    );
}

#[test]
fn a_panic_is_told_to_the_other_pes() {
    job::run(3, "a_panic_is_told_to_the_other_pes", || {
        let world = world();
        let stream = world.stream()?;
        world.barrier_all()?;
        let text = "kernel `ring` panicked on PE 1, block 3, at src/kernels.rs:7:9: PE -1 is out of range: this job has 3 PEs";
        if world.my_pe() == 1 {
            launch_panic(&stream, -1)?;
            assert_eq!(stream.synchronize().unwrap_err().to_string(), text);
        }
        let error = world.barrier_all().unwrap_err();
        assert_eq!(error.to_string(), format!("PE 1 failed: {text}"));
        Ok(())
    });
}

/// No pause between the panic and the end of the process, whichever PE it is: the one with the control service as well.
#[test]
fn a_panic_is_told_although_its_process_ends_at_once() {
    let name = "a_panic_is_told_although_its_process_ends_at_once";
    if job::is_pe(name) {
        let world = world();
        let victim: i32 = std::env::var("VICTIM").unwrap().parse().unwrap();
        let stream = world.stream().unwrap();
        if world.my_pe() == victim {
            launch_panic(&stream, -1).unwrap();
            stream.synchronize().unwrap_err();
            std::process::exit(0);
        }
        let error = world.barrier_all().unwrap_err().to_string();
        let start = format!("PE {victim} failed: kernel `ring` panicked on PE {victim}, ");
        assert!(error.starts_with(&start), "{error}");
        std::process::exit(0);
    }
    for turn in 0..50 {
        let victim = (turn % 3).to_string();
        let outcome = job::launcher(3, name).env("VICTIM", victim).run().unwrap();
        assert_eq!(outcome.failures, [], "turn {turn}");
    }
}

#[test]
fn a_launch_that_is_refused_leaves_those_before_it_as_they_are() {
    job::run(
        1,
        "a_launch_that_is_refused_leaves_those_before_it_as_they_are",
        || {
            let world = world();
            let stream = world.stream()?;
            let flag = world.device_value(0_i32)?;
            let view = flag.host_view()?;
            let other = world.device_value(1_i32)?;
            let mut args = Args::new();
            cell(&mut args, &flag);
            launch(wait(), &stream, 1, args)?;
            let mut args = Args::new();
            cell(&mut args, &flag);
            cell(&mut args, &other);
            static REFUSED: OnceLock<KernelInfo> = OnceLock::new();
            let refused = REFUSED.get_or_init(|| kernel("refused", "k_refused", true));
            assert_eq!(
                launch(refused, &stream, 1, args).unwrap_err().to_string(),
                "kernel launch failed with 107000 (ACL_ERROR_RT_PARAM_INVALID)"
            );
            assert_eq!(other.read()?, 1);
            assert!(matches!(flag.read(), Err(Error::InFlight { .. })));
            view.store(1);
            stream.synchronize()?;
            assert_eq!(flag.read()?, 1);
            drop(stream);
            world.finalize()
        },
    );
}

#[test]
fn a_panic_of_the_program_unwinds_through_all_of_it() {
    job::run(
        1,
        "a_panic_of_the_program_unwinds_through_all_of_it",
        || {
            let unwound = std::panic::catch_unwind(|| {
                let world = world();
                let stream = world.stream().unwrap();
                let sum = world.device_value(0_i32).unwrap();
                let cell = world.alloc(Side::Host).value(0_i32).unwrap();
                launch_add(&stream, &sum, 1).unwrap();
                launch_add(&stream, &cell, 1).unwrap();
                drop(sum);
                panic!("on purpose");
            });
            assert!(unwound.is_err());
            world().finalize()
        },
    );
}

#[test]
fn a_world_whose_stream_was_forgotten_is_dropped_without_a_wait() {
    job::run(
        1,
        "a_world_whose_stream_was_forgotten_is_dropped_without_a_wait",
        || {
            let world = world();
            let stream = world.stream()?;
            let flag = world.device_value(0_i32)?;
            let mut args = Args::new();
            cell(&mut args, &flag);
            launch(wait(), &stream, 1, args)?;
            // The kernel waits for ever; what it uses is kept for it.
            std::mem::forget(stream);
            drop(flag);
            let start = Instant::now();
            drop(world);
            assert!(start.elapsed() < Duration::from_secs(1));
            let error = Config::new()
                .init_timeout(Duration::from_millis(200))
                .init()
                .unwrap_err();
            assert!(matches!(error, Error::StillLeaving { .. }), "{error}");
            std::process::exit(0);
        },
    );
}

#[test]
fn a_wait_in_a_kernel_ends_when_the_job_fails() {
    job::run(2, "a_wait_in_a_kernel_ends_when_the_job_fails", || {
        let world = world();
        let flag = world.alloc(Side::Host).value(0_i32)?;
        let stream = world.stream()?;
        if world.my_pe() == 1 {
            drop(stream);
            drop(flag);
            std::thread::sleep(Duration::from_millis(200));
            drop(world);
            std::thread::sleep(Duration::from_secs(7));
            return Ok(());
        }
        let mut args = Args::new();
        symmetric(&mut args, &flag);
        launch(wait(), &stream, 1, args)?;
        let start = Instant::now();
        assert_eq!(
            stream.synchronize().unwrap_err().to_string(),
            "PE 1 left the job without finalize"
        );
        assert!(
            start.elapsed() < Duration::from_secs(8),
            "{:?}",
            start.elapsed()
        );
        // The kernel still waits: nothing of the World may be waited for either.
        std::process::exit(0);
    });
}

#[test]
fn what_cannot_be_launched_says_why() {
    job::run(1, "what_cannot_be_launched_says_why", || {
        let world = world();
        let stream = world.stream()?;
        let refused = |kernel: KernelInfo, blocks| {
            launch(Box::leak(Box::new(kernel)), &stream, blocks, Args::new())
                .unwrap_err()
                .to_string()
        };
        let add = || kernel("add", "k_add", false);
        assert_eq!(
            refused(add(), 0),
            "kernel `add` cannot be launched with 0 blocks: give 1 to 65535"
        );
        assert_eq!(
            refused(add(), 65_536),
            "kernel `add` cannot be launched with 65536 blocks: give 1 to 65535"
        );
        assert_eq!(
            refused(
                KernelInfo {
                    library: None,
                    ..add()
                },
                1
            ),
            Error::NotBuilt { kernel: "add" }.to_string()
        );
        assert_eq!(
            refused(
                KernelInfo {
                    contract: 8,
                    ..add()
                },
                1
            ),
            "the library of kernel `add` has contract 0x0000000000000007, and the code that launches it \
             0x0000000000000008: they come from two builds; build the package again"
        );
        let missing = refused(
            KernelInfo {
                symbol: "k_missing",
                ..add()
            },
            1,
        );
        assert!(
            missing.starts_with("the library of kernel `add` cannot be loaded: "),
            "{missing}"
        );
        assert!(missing.contains("k_missing_contract"), "{missing}");
        let garbage = refused(
            KernelInfo {
                library: Some(b"not a library"),
                ..add()
            },
            1,
        );
        assert!(garbage.contains("SHMEM_KERNEL_DIR"), "{garbage}");
        let old = compile("extern \"C\" int shmem_sim_bind(const void *) { return 77; }");
        assert_eq!(
            refused(
                KernelInfo {
                    library: Some(old.leak()),
                    ..add()
                },
                1
            ),
            format!(
                "the library of kernel `add` was built for version 77 of the simulator's interface, and this program has \
                 version {}: use one version of the shmem crates and build again",
                shmem_sim::kernel_abi::ABI_VERSION
            )
        );
        // None of it has failed the stream.
        stream.synchronize()?;
        drop(stream);
        world.finalize()
    });
}

#[test]
fn a_literal_takes_the_type_of_the_parameter() {
    fn small(args: &mut Args, arg: impl KernelArg<i8>) {
        arg.pack(args).unwrap();
    }
    fn half_of(args: &mut Args, arg: impl KernelArg<shmem_rt::f16>) {
        arg.pack(args).unwrap();
    }
    let mut args = Args::new();
    small(&mut args, -1);
    half_of(&mut args, shmem_rt::f16::ONE);
}

#[test]
fn libraries_are_written_to_the_directory_of_the_user() {
    let name = "libraries_are_written_to_the_directory_of_the_user";
    if job::is_pe(name) {
        let world = world();
        let stream = world.stream().unwrap();
        let sum = world.device_value(0_i32).unwrap();
        launch_add(&stream, &sum, 4).unwrap();
        stream.synchronize().unwrap();
        assert_eq!(sum.read().unwrap(), 4);
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    job::by_hand(
        name,
        &[&[("SHMEM_KERNEL_DIR", dir.path().to_str().unwrap())]],
    )
    .all_well();
    let files: Vec<_> = std::fs::read_dir(dir.path())
        .unwrap()
        .map(|f| f.unwrap().file_name())
        .collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let file = files[0].to_str().unwrap();
    assert!(file.starts_with("lib") && file.ends_with(".so"), "{file}");
}
