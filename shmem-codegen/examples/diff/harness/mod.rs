//! DIFF: kernels mean what rustc says. Random kernels run as Rust and as generated C++; all that can be seen of a run
//! must be equal.

#![allow(dead_code)]

pub mod ast;
pub mod batch;
pub mod bugs;
pub mod compile;
pub mod front;
pub mod generate;
pub mod input;
pub mod print;
pub mod rng;
pub mod shrink;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use ast::Kernel;
use batch::{Case, Job, Mismatch, Report, What};
use compile::{Config, Tools};
use print::Reader;

/// What is to be run.
#[derive(Clone, Debug)]
pub struct Options {
    /// All randomness comes from it.
    pub seed: u64,
    /// Kernels.
    pub count: u64,
    /// The first one's index.
    pub first: u64,
    /// Kernels compiled at once.
    pub batch: u64,
    /// Inputs of each kernel.
    pub inputs: usize,
    /// Batches at the same time.
    pub threads: usize,
    /// Ways to compile the C++, each for every n-th batch.
    pub configs: Vec<(u64, Config)>,
    /// Whether a mismatch ends the run.
    pub stop: bool,
    /// Whether to tell the time that each stage takes.
    pub times: bool,
}

/// A mismatch and where it was found.
#[derive(Debug)]
pub struct Finding {
    /// Index of the kernel.
    pub index: u64,
    /// Kernel and inputs.
    pub case: Case,
    /// The difference.
    pub mismatch: Mismatch,
}

/// What a run found.
#[derive(Debug, Default)]
pub struct Summary {
    /// Kernels compared.
    pub kernels: u64,
    /// Runs compared.
    pub runs: usize,
    /// Runs that panicked.
    pub panics: usize,
    /// Kernels that both sides refused, with the reasons.
    pub refused: Vec<(u64, String)>,
    /// Kernels that rustc alone refuses: no kernels, whatever the front end says of them.
    pub not_rust: Vec<Finding>,
    /// Differences.
    pub findings: Vec<Finding>,
}

/// The kernel of `index` with its inputs.
pub fn case(options: &Options, index: u64) -> Case {
    let kernel = generate::kernel(options.seed, index);
    let inputs = input::make(&kernel, options.seed, index, options.inputs);
    Case { kernel, inputs }
}

/// Runs all kernels; progress goes to stderr.
pub fn run(options: &Options, tools: &Tools, directory: &Path) -> Result<Summary, String> {
    let next = AtomicU64::new(0);
    let summary = Mutex::new(Summary::default());
    let failed: Mutex<Option<String>> = Mutex::new(None);
    let batches = options.count.div_ceil(options.batch);
    let worker = |thread: usize| {
        let directory = directory.join(format!("thread_{thread}"));
        loop {
            let number = next.fetch_add(1, Ordering::SeqCst);
            let stop =
                lock(&failed).is_some() || options.stop && !lock(&summary).findings.is_empty();
            if number >= batches || stop {
                return;
            }
            match one_batch(options, tools, &directory, number) {
                Ok((cases, report)) => absorb(&mut lock(&summary), options, number, cases, report),
                Err(error) => {
                    lock(&failed).get_or_insert(error);
                }
            }
        }
    };
    std::thread::scope(|scope| {
        for thread in 0..options.threads {
            let worker = &worker;
            let spawned = std::thread::Builder::new()
                .stack_size(64 << 20)
                .spawn_scoped(scope, move || worker(thread));
            if let Err(error) = spawned {
                lock(&failed).get_or_insert(error.to_string());
            }
        }
    });
    match lock(&failed).take() {
        Some(error) => Err(error),
        None => Ok(std::mem::take(&mut lock(&summary))),
    }
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex
        .lock()
        .unwrap_or_else(std::sync::PoisonError::into_inner)
}

fn one_batch(
    options: &Options,
    tools: &Tools,
    directory: &Path,
    number: u64,
) -> Result<(Vec<Case>, Report), String> {
    let start = number * options.batch;
    let end = (start + options.batch).min(options.count);
    let cases: Vec<Case> = (start..end)
        .map(|at| case(options, options.first + at))
        .collect();
    let kernels: Vec<&Kernel> = cases.iter().map(|case| &case.kernel).collect();
    let mut times = String::new();
    let mut last = Instant::now();
    let mut lap = |name: &str| {
        times.push_str(&format!(" {name} {:.1}", last.elapsed().as_secs_f32()));
        last = Instant::now();
    };
    let lowering = front::lower(&kernels);
    lap("lower");
    let mut report = Report::default();
    let prepared = batch::rust(tools, directory, &cases, &lowering, &mut report)?;
    lap("rustc");
    for (every, config) in &options.configs {
        if number.is_multiple_of(*every) {
            let job = Job {
                tools,
                directory,
                cases: &cases,
                lowering: &lowering,
                prepared: &prepared,
                config,
                stop_early: false,
            };
            batch::cplusplus(job, &mut report)?;
            lap(config.name);
        }
    }
    if options.times {
        eprintln!("batch {number}:{times}");
    }
    Ok((cases, report))
}

fn absorb(summary: &mut Summary, options: &Options, number: u64, cases: Vec<Case>, report: Report) {
    let first = options.first + number * options.batch;
    summary.kernels += cases.len() as u64;
    summary.runs += report.runs;
    summary.panics += report.panics;
    let refused = report.refused.into_iter();
    summary
        .refused
        .extend(refused.map(|(case, text)| (first + case as u64, text)));
    for (at, mismatch) in report.mismatches {
        let to = match mismatch.what {
            What::RustcRefuses(_) => &mut summary.not_rust,
            _ => &mut summary.findings,
        };
        to.push(Finding {
            index: first + at as u64,
            case: cases[at].clone(),
            mismatch,
        });
    }
}

/// Findings of one kind together, the first of each for the shrinker, with their number.
pub fn kinds(findings: &[Finding]) -> Vec<(&Finding, usize)> {
    let mut kinds: BTreeMap<String, (&Finding, usize)> = BTreeMap::new();
    for finding in findings {
        let key = format!("{:?}", finding.mismatch.what);
        let row = kinds.entry(key).or_insert((finding, 0));
        row.1 += 1;
        if finding.case.kernel.size() < row.0.case.kernel.size() {
            row.0 = finding;
        }
    }
    kinds.into_values().collect()
}

/// A finding made small, as text: the kernel, its input, its C++ and both results.
pub fn explain(tools: &Tools, directory: &Path, finding: &Finding, limit: Duration) -> String {
    let (case, mismatch) =
        shrink::shrink(tools, directory, &finding.case, &finding.mismatch, limit);
    let reader = match mismatch.form {
        front::Form::Unchecked => Reader::Unchecked,
        _ => Reader::Kernel,
    };
    let config = mismatch
        .config
        .map_or("front end and rustc", |config| config.name);
    let mut text = format!(
        "kernel {} ({:?}, {config}): {:?}\n\n{}\n",
        finding.index,
        mismatch.form,
        mismatch.what,
        print::module(&case.kernel, "m0", reader)
    );
    if let (Some(input), true) = (case.inputs.first(), mismatch.config.is_some()) {
        for (param, argument) in case.kernel.params.iter().zip(&input.arguments) {
            text.push_str(&format!("{}: {} = {argument:x?}\n", param.name, param.ty));
        }
        if case.kernel.all_blocks {
            text.push_str(&format!("block {:?}\n", input.block));
        }
    }
    let form = front::FORMS
        .iter()
        .position(|form| *form == mismatch.form)
        .unwrap_or(0);
    if let Ok(lowered) = &front::lower(&[&case.kernel])[0][form] {
        text.push_str(&format!("\n{}", front::shown(lowered)));
    }
    text.push_str(&format!("\n{}\n", mismatch.details));
    text
}
