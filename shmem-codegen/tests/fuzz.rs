//! Sources that nobody would write: the front end and the emitter end, without a panic, and what they tell has a place
//! and words. Real kernels are cut and joined, and tokens stand in any order.
//!
//! `cargo test` looks at some hundreds with a fixed seed. `SHMEM_FUZZ_SECONDS=1800 cargo test -p shmem-codegen
//! --test fuzz -- --nocapture` looks at others for so long; `SHMEM_FUZZ_SEED=7` chooses which.
//! A source that ends the process itself, by its stack, is left as `fuzz.rs` in `CARGO_TARGET_TMPDIR`.

#[path = "fuzz/examine.rs"]
mod examine;
#[path = "fuzz/mutate.rs"]
mod mutate;
#[path = "fuzz/pool.rs"]
mod pool;
mod support;
#[path = "fuzz/trees.rs"]
mod trees;

use std::cell::RefCell;
use std::path::Path;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use examine::{HEADING, Reached, examine};
use trees::Source;

/// A source that takes longer hangs.
const PATIENCE: Duration = Duration::from_secs(5);

/// The stack that rustc has for its macros.
const STACK: usize = 8 << 20;

/// Looks at `text` on a thread of its own.
fn watched(text: String) -> Result<Reached, String> {
    let last = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz.rs");
    std::fs::write(last, &text).map_err(|error| error.to_string())?;
    let (sender, receiver) = mpsc::channel();
    let shown = text.clone();
    let thread = std::thread::Builder::new()
        .stack_size(STACK)
        .spawn(move || {
            // Where nobody waits any more, the outcome is of no use.
            let _ = sender.send(examine(&text));
        })
        .map_err(|error| error.to_string())?;
    let outcome = match receiver.recv_timeout(PATIENCE) {
        Ok(outcome) => outcome,
        Err(mpsc::RecvTimeoutError::Timeout) => Err("it does not end".to_owned()),
        Err(mpsc::RecvTimeoutError::Disconnected) => match thread.join() {
            Ok(()) => Err("it ended without an outcome".to_owned()),
            Err(panic) => {
                let text = panic.downcast_ref::<String>().cloned();
                let literal = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
                let text = text.or(literal).unwrap_or_default();
                Err(format!("it panics: {text}"))
            }
        },
    };
    outcome.map_err(|reason| format!("{reason}\nin the source:\n{shown}"))
}

/// Runs `cases` of `sources`, and others until the time is over where the environment gives one.
fn run(name: &str, cases: u32, sources: impl Strategy<Value = Source>) {
    let number = |variable: &str| {
        let text = std::env::var(variable).ok()?;
        Some(text.parse::<u64>().expect("a number"))
    };
    let seconds = number("SHMEM_FUZZ_SECONDS");
    let end = seconds.map(|seconds| Instant::now() + Duration::from_secs(seconds));
    let mut seed = number("SHMEM_FUZZ_SEED").unwrap_or(1);
    let reached = RefCell::new(Reached::default());
    loop {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        let config = Config {
            cases,
            failure_persistence: None,
            ..Config::default()
        };
        let mut runner =
            TestRunner::new_with_rng(config, TestRng::from_seed(RngAlgorithm::ChaCha, &bytes));
        let outcome = runner.run(&sources, |source| {
            match watched(format!("{HEADING}{}", source.text())) {
                Ok(more) => reached.borrow_mut().add(more),
                Err(reason) => return Err(TestCaseError::fail(reason)),
            }
            Ok(())
        });
        if let Err(error) = outcome {
            panic!("seed {seed}: {error}");
        }
        seed += 1;
        if end.is_none_or(|end| Instant::now() >= end) {
            break;
        }
    }
    eprintln!("{name}: {:?}", reached.borrow());
}

#[test]
fn changed_kernels() {
    let pool = pool::read();
    run("changed kernels", 400, mutate::mutated(&pool));
}

#[test]
fn tokens_in_any_order() {
    run("tokens in any order", 200, mutate::any_tokens());
}

#[test]
fn the_kernels_themselves() {
    for trees in pool::read() {
        let source = Source(trees);
        let outcome = watched(format!("{HEADING}{}", source.text()));
        let reached = outcome.unwrap_or_else(|reason| panic!("{reason}"));
        assert_eq!(reached.parsed, 1);
    }
}
