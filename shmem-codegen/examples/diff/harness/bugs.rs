//! Whether the mistakes that the emitter can be told to make are found.

use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use shmem_codegen::Bug;

use super::ast::Kernel;
use super::batch::{self, Case, Job, Prepared, Report, What};
use super::compile::{self, Config, GCC, GCC_FMA, Tools};
use super::front::{self, Lowered, Lowering};
use super::{Options, case, lock};

/// Kernels that a mistake changes which are compiled at once: few at first, as most mistakes are seen soon.
const AT_ONCE: [usize; 3] = [4, 12, 40];

/// Compiled quickly.
const FAST: Config = Config {
    name: "g++ -O1",
    flags: &["-O1"],
    ..GCC
};

/// What no kernel may be compiled with.
const CONTRACTED: Config = Config {
    name: "g++ -O2 -mfma -ffp-contract=fast",
    flags: &["-O2", "-mfma", "-ffp-contract=fast"],
    ..GCC_FMA
};

/// A mistake.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mistake {
    /// Of the emitter.
    Emitter(Bug),
    /// Compiled with contraction of `a * b + c`.
    Contraction,
}

/// A mistake, and the kernel and the kind of mismatch that shows it.
#[derive(Debug)]
pub struct Hunt {
    /// The mistake.
    pub mistake: Mistake,
    /// Nothing where it was not found.
    pub found: Option<(u64, What)>,
}

/// Kernels with what they are to be.
struct Ground<'a> {
    tools: &'a Tools,
    cases: &'a [Case],
    right: &'a Lowering,
    prepared: &'a Prepared,
}

/// Looks for all mistakes in the kernels of `options`.
pub fn hunt(options: &Options, tools: &Tools, directory: &Path) -> Result<Vec<Hunt>, String> {
    let mistakes = Bug::ALL.map(Mistake::Emitter).into_iter();
    let mut hunts: Vec<Hunt> = mistakes
        .chain(compile::has_fma().then_some(Mistake::Contraction))
        .map(|mistake| Hunt {
            mistake,
            found: None,
        })
        .collect();
    for start in (0..options.count).step_by(options.batch as usize) {
        let end = (start + options.batch).min(options.count);
        let cases: Vec<Case> = (start..end).map(|at| case(options, at)).collect();
        let kernels: Vec<&Kernel> = cases.iter().map(|case| &case.kernel).collect();
        let analysed = front::analyse(&kernels);
        let right = analysed.emit(None);
        let prepared = batch::rust(tools, directory, &cases, &right, &mut Report::default())?;
        let ground = Ground {
            tools,
            cases: &cases,
            right: &right,
            prepared: &prepared,
        };
        let open = hunts.iter_mut().filter(|hunt| hunt.found.is_none());
        let open = open.map(|hunt| match hunt.mistake {
            Mistake::Emitter(bug) => (analysed.emit(Some(bug)), hunt),
            Mistake::Contraction => (right.clone(), hunt),
        });
        let open: Mutex<Vec<(Lowering, &mut Hunt)>> = Mutex::new(open.collect());
        let thread = AtomicUsize::new(0);
        let failed: Mutex<Option<String>> = Mutex::new(None);
        let worker = || {
            let number = thread.fetch_add(1, Ordering::SeqCst);
            let directory = directory.join(format!("hunt_{number}"));
            loop {
                let next = lock(&open).pop();
                let Some((wrong, hunt)) = next else { return };
                match look(&ground, &directory, hunt.mistake, &wrong) {
                    Ok(found) => hunt.found = found.map(|(at, what)| (start + at as u64, what)),
                    Err(error) => {
                        lock(&failed).get_or_insert(error);
                    }
                }
            }
        };
        std::thread::scope(|scope| {
            for _ in 0..options.threads {
                scope.spawn(worker);
            }
        });
        let failure = lock(&failed).take();
        if let Some(error) = failure {
            return Err(error);
        }
        if hunts.iter().all(|hunt| hunt.found.is_some()) {
            break;
        }
    }
    Ok(hunts)
}

fn look(
    ground: &Ground<'_>,
    directory: &Path,
    mistake: Mistake,
    wrong: &Lowering,
) -> Result<Option<(usize, What)>, String> {
    let config = match mistake {
        Mistake::Emitter(_) => &FAST,
        Mistake::Contraction => &CONTRACTED,
    };
    // What the mistake does not change is not compiled again.
    let changes = |wrong: &Result<Lowered, String>, right: &Result<Lowered, String>| {
        matches!((wrong, right), (Ok(wrong), Ok(right))
            if wrong.text != right.text || mistake == Mistake::Contraction)
    };
    let changed: Vec<usize> = (0..wrong.len())
        .filter(|&at| (0..3).any(|form| changes(&wrong[at][form], &ground.right[at][form])))
        .collect();
    let mut rest = &changed[..];
    for round in 0.. {
        let most = AT_ONCE[AT_ONCE.len().min(round + 1) - 1].min(rest.len());
        let (chunk, later) = rest.split_at(most);
        rest = later;
        if chunk.is_empty() {
            break;
        }
        let mut some = wrong.clone();
        for (at, forms) in some.iter_mut().enumerate() {
            for (form, lowered) in forms.iter_mut().enumerate() {
                if !chunk.contains(&at) || !changes(lowered, &ground.right[at][form]) {
                    *lowered = Err(String::new());
                }
            }
        }
        let mut report = Report::default();
        let job = Job {
            tools: ground.tools,
            directory,
            cases: ground.cases,
            lowering: &some,
            prepared: ground.prepared,
            config,
            stop_early: true,
        };
        batch::cplusplus(job, &mut report)?;
        if let Some((at, mismatch)) = report.mismatches.into_iter().next() {
            return Ok(Some((at, mismatch.what)));
        }
    }
    Ok(None)
}
