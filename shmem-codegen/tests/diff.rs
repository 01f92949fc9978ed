//! Random kernels do what rustc says, and what an emitter with a mistake makes of them is noticed.
//! `cargo run -p shmem-codegen --release --example diff` looks at more of them.

#[path = "../examples/diff/harness/mod.rs"]
mod harness;

use std::time::Duration;

use harness::Options;
use harness::bugs::{self, Mistake};
use harness::compile::{self, Config, Tools};

/// Whether `program` runs. Where it does not, the test says that it skips; in CI nothing may skip.
fn available(program: &str) -> bool {
    let runs = compile::available(program);
    if !runs {
        assert!(
            std::env::var_os("SHMEM_TEST_ALL").is_none(),
            "SHMEM_TEST_ALL is set, but {program} cannot be run"
        );
        eprintln!("skipped: {program} is not installed");
    }
    runs
}

fn options(count: u64, batch: u64, configs: Vec<(u64, Config)>) -> Options {
    Options {
        seed: 7,
        count,
        first: 0,
        batch,
        inputs: 8,
        threads: 2,
        configs,
        stop: false,
        times: false,
    }
}

/// The ways to compile that this machine has; the slow ones, under sanitizers, for some batches only.
fn configs() -> Vec<(u64, Config)> {
    let mut configs = vec![(1, compile::GCC), (3, compile::GCC_SAN)];
    let clang = available("clang++");
    if clang {
        configs.extend([(2, compile::CLANG_O2_SAN), (3, compile::CLANG_SAN)]);
    }
    if compile::has_fma() {
        configs.push((2, compile::GCC_FMA));
        if clang {
            configs.push((2, compile::CLANG_FMA));
        }
    } else {
        eprintln!("skipped: this CPU has no fused multiply-add");
    }
    configs
}

#[test]
fn random_kernels_do_what_rustc_says() {
    if !available("g++") {
        return;
    }
    let options = options(300, 50, configs());
    let directory = tempfile::tempdir().unwrap();
    let all: Vec<Config> = options.configs.iter().map(|row| row.1).collect();
    let tools = Tools::new(directory.path(), &all).unwrap();
    let summary = harness::run(&options, &tools, directory.path()).unwrap();
    // The generator makes few kernels that rustc refuses.
    assert!(summary.not_rust.len() < 6, "{:?}", summary.not_rust);
    if let Some(finding) = summary.findings.first() {
        let limit = Duration::from_secs(20);
        let small = directory.path().join("shrink");
        panic!("{}", harness::explain(&tools, &small, finding, limit));
    }
    // The kernels do something, and some of them fail.
    assert_eq!(summary.kernels, 300);
    assert!(summary.refused.len() < 10, "{:?}", summary.refused);
    let (runs, panics) = (summary.runs, summary.panics);
    assert!(
        runs > 10_000 && panics > 500 && panics < runs / 2,
        "{panics} of {runs}"
    );
}

#[test]
fn mistakes_of_the_emitter_are_noticed() {
    if !available("g++") {
        return;
    }
    let directory = tempfile::tempdir().unwrap();
    let tools = Tools::new(directory.path(), &[compile::GCC]).unwrap();
    let options = options(500, 60, Vec::new());
    let hunts = bugs::hunt(&options, &tools, directory.path()).unwrap();
    if !hunts
        .iter()
        .any(|hunt| hunt.mistake == Mistake::Contraction)
    {
        eprintln!("skipped: this CPU has no fused multiply-add, so contraction is not tried");
    }
    let missed: Vec<Mistake> = hunts
        .iter()
        .filter(|hunt| hunt.found.is_none())
        .map(|hunt| hunt.mistake)
        .collect();
    assert!(missed.is_empty(), "not in 500 kernels: {missed:?}");
}
