//! Random kernels do what rustc says. `cargo run -p shmem-codegen --release --example diff` looks at more of them.

#[path = "../examples/diff/harness/mod.rs"]
mod harness;

use std::time::Duration;

use harness::Options;
use harness::batch::What;
use harness::compile::{self, Tools};

#[test]
fn random_kernels_do_what_rustc_says() {
    let options = Options {
        seed: 7,
        count: 120,
        first: 0,
        batch: 40,
        inputs: 8,
        threads: 2,
        configs: vec![(1, compile::GCC)],
        stop: false,
        known: false,
        times: false,
    };
    let directory = tempfile::tempdir().unwrap();
    let tools = Tools::new(directory.path(), &[compile::GCC]).unwrap();
    let summary = harness::run(&options, &tools, directory.path()).unwrap();
    // A kernel that rustc refuses is no kernel, whatever the front end says; the generator makes few.
    let (not_rust, wrong): (Vec<_>, Vec<_>) = summary
        .findings
        .iter()
        .partition(|finding| matches!(finding.mismatch.what, What::RustcRefuses(_)));
    assert!(not_rust.len() < 6, "{not_rust:?}");
    if let Some(finding) = wrong.first() {
        let limit = Duration::from_secs(20);
        let small = directory.path().join("shrink");
        panic!("{}", harness::explain(&tools, &small, finding, limit));
    }
    // The kernels do something, and some of them fail.
    assert_eq!(summary.kernels, 120);
    assert!(summary.refused.len() < 6, "{:?}", summary.refused);
    assert!(summary.runs > 2000, "{}", summary.runs);
    assert!(
        summary.panics > 100 && summary.panics < summary.runs / 2,
        "{} of {}",
        summary.panics,
        summary.runs
    );
}
