//! `cargo run -p shmem-codegen --release --example diff -- --seed S --count N`: see `harness`.

mod harness;

use std::collections::BTreeSet;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use harness::Options;
use harness::compile::{self, Tools};

const USAGE: &str = "\
Compares random kernels as Rust and as generated C++.

  --seed S      all kernels and inputs follow from it (default 1)
  --count N     kernels (default 200)
  --first I     index of the first kernel (default 0)
  --batch B     kernels compiled at once (default 80)
  --inputs K    inputs of each kernel (default 8)
  --threads T   batches at the same time (default: one for each CPU)
  --quick       only g++ -O2
  --every E     sanitized builds of every E-th batch only (default 1)
  --keep-going  do not stop at the first mismatch; shrink one of each kind
  --seconds S   longest time to shrink one (default 120)
  --show        print the kernels and stop
  --bugs        look for the seeded mistakes of the emitter instead
  --times       tell what each stage takes
";

fn main() -> ExitCode {
    match run() {
        Ok(code) => code,
        Err(text) => {
            eprintln!("{text}");
            ExitCode::from(2)
        }
    }
}

fn run() -> Result<ExitCode, String> {
    let mut options = Options {
        seed: 1,
        count: 200,
        first: 0,
        batch: 80,
        inputs: 8,
        threads: std::thread::available_parallelism().map_or(1, usize::from),
        configs: Vec::new(),
        stop: true,
        times: false,
    };
    let (mut quick, mut show, mut bugs) = (false, false, false);
    let (mut every, mut seconds) = (1, 120);
    let mut arguments = std::env::args().skip(1);
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let text = arguments.next().unwrap_or_default();
            text.parse::<u64>()
                .map_err(|_| format!("{argument} takes a number, found `{text}`\n\n{USAGE}"))
        };
        match argument.as_str() {
            "--seed" => options.seed = number()?,
            "--count" => options.count = number()?,
            "--first" => options.first = number()?,
            "--batch" => options.batch = number()?.max(1),
            "--inputs" => options.inputs = number()? as usize,
            "--threads" => options.threads = number()?.max(1) as usize,
            "--every" => every = number()?.max(1),
            "--seconds" => seconds = number()?,
            "--quick" => quick = true,
            "--keep-going" => options.stop = false,
            "--bugs" => bugs = true,
            "--times" => options.times = true,
            "--show" => show = true,
            _ => return Err(format!("`{argument}` is not an option\n\n{USAGE}")),
        }
    }
    if show {
        for at in options.first..options.first + options.count {
            let kernel = harness::case(&options, at).kernel;
            let text =
                harness::print::module(&kernel, &format!("m{at}"), harness::print::Reader::Kernel);
            println!("{text}");
        }
        return Ok(ExitCode::SUCCESS);
    }
    options.configs = configs(quick, every);
    let directory = tempfile::tempdir().map_err(|error| error.to_string())?;
    let all: Vec<compile::Config> = options.configs.iter().map(|row| row.1).collect();
    let tools = Tools::new(directory.path(), &all)?;
    let started = Instant::now();
    if bugs {
        let hunts = harness::bugs::hunt(&options, &tools, directory.path())?;
        for hunt in &hunts {
            println!("{:?}: {:?}", hunt.mistake, hunt.found);
        }
        eprintln!("{:.0} s", started.elapsed().as_secs_f32());
        let all = hunts.iter().all(|hunt| hunt.found.is_some());
        return Ok(if all {
            ExitCode::SUCCESS
        } else {
            ExitCode::FAILURE
        });
    }
    let summary = harness::run(&options, &tools, directory.path())?;
    eprintln!(
        "{} runs compared, {} of them panics; {} kernels refused by both, {} by rustc alone; {:.0} s",
        summary.runs,
        summary.panics,
        summary.refused.len(),
        not_rust(&summary.not_rust),
        started.elapsed().as_secs_f32()
    );
    if let Some((index, text)) = summary.refused.first() {
        eprintln!("kernel {index} is refused by both: {text}");
    }
    for finding in summary.not_rust.iter().take(3) {
        let details = &finding.mismatch.details;
        eprintln!(
            "kernel {} is refused by rustc alone: {details}",
            finding.index
        );
    }
    for (finding, count) in harness::kinds(&summary.findings) {
        let limit = Duration::from_secs(seconds);
        let text = harness::explain(&tools, &directory.path().join("shrink"), finding, limit);
        println!("---- {count} times, seed {}\n{text}", options.seed);
    }
    println!(
        "checked {} kernels, {} mismatches",
        summary.kernels,
        summary.findings.len()
    );
    Ok(if summary.findings.is_empty() {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    })
}

/// The kernels of these findings.
fn not_rust(findings: &[harness::Finding]) -> usize {
    let kernels: BTreeSet<u64> = findings.iter().map(|finding| finding.index).collect();
    kernels.len()
}

/// The ways to compile that this machine has.
fn configs(quick: bool, every: u64) -> Vec<(u64, compile::Config)> {
    let mut configs = vec![(1, compile::GCC)];
    if quick {
        return configs;
    }
    configs.push((every, compile::GCC_SAN));
    let clang = compile::available("clang++");
    if clang {
        configs.extend([
            (every, compile::CLANG_SAN),
            (every, compile::CLANG_O2_SAN),
            (1, compile::CLANG),
        ]);
    } else {
        eprintln!("skipped: clang++ is not installed");
    }
    if compile::has_fma() {
        configs.push((1, compile::GCC_FMA));
        if clang {
            configs.push((1, compile::CLANG_FMA));
        }
    } else {
        eprintln!("skipped: this CPU has no fused multiply-add");
    }
    configs
}
