//! A batch: many kernels in one rustc and one C++ compilation, each on its inputs, and the comparison.

use std::path::Path;
use std::process::{Command, Stdio};

use super::ast::{Kernel, Scalar};
use super::compile::{Config, Tools, write};
use super::front::{self, FORMS, Form, Lowered, Lowering};
use super::input::{Input, Layout};
use super::print::{self, Reader};

/// What ends a run that takes too long: so much of the CPU, however busy the machine is.
const SIGVTALRM: i32 = 26;
/// Runs of a batch that may die or not end before its other runs are left.
const PATIENCE: usize = 4;

/// A kernel and what it is run on.
#[derive(Clone, Debug)]
pub struct Case {
    /// The kernel.
    pub kernel: Kernel,
    /// Its inputs.
    pub inputs: Vec<Input>,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ending {
    /// It returned.
    Done,
    /// It panicked: line, column, text.
    Panic(u64, u64, String),
    /// It did not come back in time.
    Timeout,
    /// The process died.
    Crash(String),
}

/// A run: how it ended, the memory then, and what it printed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// How.
    pub ending: Ending,
    /// The arena.
    pub memory: Vec<u8>,
    /// In order.
    pub prints: Vec<String>,
}

impl Outcome {
    /// A run of which no more is known.
    fn lost(ending: Ending) -> Outcome {
        Outcome {
            ending,
            memory: Vec::new(),
            prints: Vec::new(),
        }
    }
}

/// What kind of difference it is; the shrinker keeps it.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum What {
    /// The front end refuses what rustc takes; by the rule's code.
    FrontRefuses(String),
    /// rustc refuses what the front end takes; by the error's code.
    RustcRefuses(String),
    /// The C++ compiler refuses.
    CompilerRefuses,
    /// Memory differs.
    Memory,
    /// One panics, the other does not; or with other words.
    Panic,
    /// They panic alike, but at another place.
    Place,
    /// They print other lines.
    Prints,
    /// The C++ dies, or a sanitizer speaks: with this word.
    Crash(String),
    /// The C++ does not end.
    Timeout,
}

/// A difference.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// Of what kind.
    pub what: What,
    /// Where the C++ came from.
    pub config: Option<Config>,
    /// Form of the kernel.
    pub form: Form,
    /// Index of the input.
    pub input: usize,
    /// Both sides in words.
    pub details: String,
}

/// What a batch found.
#[derive(Debug, Default)]
pub struct Report {
    /// By case: the first difference of each configuration and form.
    pub mismatches: Vec<(usize, Mismatch)>,
    /// Cases that both sides refuse.
    pub refused: Vec<(usize, String)>,
    /// Runs compared, and how many of them panicked.
    pub runs: usize,
    /// Of these, runs that ended with a panic.
    pub panics: usize,
}

/// What both compilers made of the kernels, before any C++.
#[derive(Debug)]
pub struct Prepared {
    layouts: Vec<Vec<Layout>>,
    /// By kernel and input, for checked and wrapping; nothing where rustc refuses.
    expected: Vec<Option<[Vec<Outcome>; 2]>>,
}

impl Prepared {
    /// What `form` of a kernel is to do with an input.
    fn outcome(&self, form: Form, kernel: usize, input: usize) -> Option<&Outcome> {
        let [checked, wrapping] = self.expected[kernel].as_ref()?;
        let (checked, wrapping) = (&checked[input], &wrapping[input]);
        match form {
            Form::Checked => Some(checked),
            Form::Wrapping => Some(wrapping),
            Form::Unchecked => (checked.ending == Ending::Done).then_some(checked),
        }
        .filter(|outcome| matches!(outcome.ending, Ending::Done | Ending::Panic(..)))
    }
}

/// Compiles and runs the Rust side; `lowering` tells which kernels the front end refused.
pub fn rust(
    tools: &Tools,
    directory: &Path,
    cases: &[Case],
    lowering: &Lowering,
    report: &mut Report,
) -> Result<Prepared, String> {
    let layouts: Vec<Vec<Layout>> = cases
        .iter()
        .map(|case| {
            case.inputs
                .iter()
                .map(|input| Layout::new(&case.kernel, input))
                .collect()
        })
        .collect();
    let mut refusals: Vec<Option<String>> = vec![None; cases.len()];
    let program = |checks: bool| directory.join(if checks { "rust_on" } else { "rust_off" });
    for round in 0.. {
        let (main, starts) = sources(directory, cases, &refusals)?;
        let compile = |checks: bool| tools.rust(&main, &program(checks), checks).err();
        let errors = std::thread::scope(|scope| {
            let other = scope.spawn(|| compile(false));
            [compile(true), other.join().unwrap_or_default()]
        });
        let errors: Vec<String> = errors.into_iter().flatten().collect();
        if errors.is_empty() {
            break;
        }
        let text = errors.concat();
        let refused = errors_by_case(&text, &starts);
        if refused.is_empty() || round > 12 {
            return Err(format!("rustc: {text}"));
        }
        for (case, text) in refused {
            refusals[case].get_or_insert(text);
        }
    }
    for (index, refusal) in refusals.iter().enumerate() {
        for (form, lowered) in FORMS.iter().zip(&lowering[index]) {
            let (what, details) = match (lowered, refusal) {
                (Ok(_), None) => continue,
                (Err(text), Some(_)) => {
                    if *form == Form::Checked {
                        report.refused.push((index, text.clone()));
                    }
                    continue;
                }
                (Err(text), None) => (What::FrontRefuses(rule_code(text)), text),
                (Ok(_), Some(text)) => (What::RustcRefuses(error_code(text)), text),
            };
            if *form == Form::Wrapping {
                continue;
            }
            let mismatch = Mismatch {
                what,
                config: None,
                form: *form,
                input: 0,
                details: details.clone(),
            };
            report.mismatches.push((index, mismatch));
        }
    }
    let mut runs = Vec::new();
    for (index, refusal) in refusals.iter().enumerate() {
        if refusal.is_none() {
            runs.extend((0..cases[index].inputs.len()).map(|input| (index, index, input)));
        }
    }
    let mut both = [true, false].map(|checks| {
        let runs = Runs {
            directory,
            cases,
            layouts: &layouts,
            runs: &runs,
            patience: usize::MAX,
        };
        execute(&mut Command::new(program(checks)), runs, &rust_record)
    });
    let mut expected: Vec<Option<[Vec<Outcome>; 2]>> = Vec::new();
    for (index, refusal) in refusals.iter().enumerate() {
        expected.push(refusal.is_none().then(|| {
            let count = cases[index].inputs.len();
            both.each_mut()
                .map(|outcomes| outcomes.drain(..count).collect())
        }));
    }
    Ok(Prepared { layouts, expected })
}

/// A C++ side of a batch.
#[derive(Clone, Copy, Debug)]
pub struct Job<'a> {
    /// The compilers.
    pub tools: &'a Tools,
    /// For files.
    pub directory: &'a Path,
    /// The kernels.
    pub cases: &'a [Case],
    /// What the emitter made of them; forms that are an error are left out.
    pub lowering: &'a Lowering,
    /// What they are to do.
    pub prepared: &'a Prepared,
    /// How it is compiled.
    pub config: &'a Config,
    /// Whether one difference is enough.
    pub stop_early: bool,
}

/// Compiles and runs the C++ side, and compares.
pub fn cplusplus(job: Job<'_>, report: &mut Report) -> Result<(), String> {
    let Job {
        tools,
        directory,
        cases,
        lowering,
        prepared,
        config,
        stop_early,
    } = job;
    let mut chosen: Vec<(usize, Form, &Lowered)> = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        let floats = case.kernel.float_arithmetic();
        if prepared.expected[index].is_none() || config.floats_only && floats.is_empty() {
            continue;
        }
        for (form, lowered) in FORMS.iter().zip(&lowering[index]) {
            if let Ok(lowered) = lowered {
                chosen.push((index, *form, lowered));
            }
        }
    }
    let (source, library) = (directory.join("kernels.cpp"), directory.join("kernels.so"));
    loop {
        let lowered: Vec<&Lowered> = chosen.iter().map(|row| row.2).collect();
        write(&source, front::unit("kernels.cpp", &lowered))?;
        let Err(text) = tools.library(config, &source, &library) else {
            break;
        };
        let culprit = culprit(tools, directory, config, &chosen).ok_or(text)?;
        let (index, form, _) = chosen.remove(culprit.0);
        report.mismatches.push((
            index,
            Mismatch {
                what: What::CompilerRefuses,
                config: Some(*config),
                form,
                input: 0,
                details: culprit.1,
            },
        ));
        if stop_early {
            return Ok(());
        }
    }
    let mut symbols = String::new();
    let mut runs = Vec::new();
    for (at, (index, form, lowered)) in chosen.iter().enumerate() {
        let mark = if *form == Form::Unchecked { '-' } else { '+' };
        let prints = if lowered.prints { 'p' } else { '-' };
        symbols.push_str(&format!("{mark}{prints}{}_launch\n", lowered.symbol));
        for input in 0..cases[*index].inputs.len() {
            if prepared.outcome(*form, *index, input).is_some() {
                runs.push((at, *index, input));
            }
        }
    }
    write(&directory.join("symbols"), &symbols)?;
    let mut command = Command::new(tools.driver(config));
    command.env("ASAN_OPTIONS", "detect_leaks=0:handle_segv=0");
    let record = |bytes: &[u8], at: usize, len: usize| cpp_record(bytes, len, chosen[at].2);
    command.env("DIFF_LIBRARY", &library);
    let all = Runs {
        directory,
        cases,
        layouts: &prepared.layouts,
        runs: &runs,
        patience: if stop_early { 1 } else { PATIENCE },
    };
    let outcomes = execute(&mut command, all, &record);
    for (&(at, index, input), outcome) in runs.iter().zip(&outcomes) {
        let form = chosen[at].1;
        let Some(expected) = prepared.outcome(form, index, input) else {
            continue;
        };
        report.runs += 1;
        report.panics += usize::from(matches!(expected.ending, Ending::Panic(..)));
        let layout = &prepared.layouts[index][input];
        let Some((what, details)) = compare(&cases[index].kernel, layout, expected, outcome) else {
            continue;
        };
        let known = report.mismatches.iter().any(|(case, known)| {
            *case == index
                && known.config == Some(*config)
                && known.form == form
                && known.what == what
        });
        if !known {
            let mismatch = Mismatch {
                what,
                config: Some(*config),
                form,
                input,
                details,
            };
            report.mismatches.push((index, mismatch));
        }
    }
    Ok(())
}

/// Writes main.rs and kernels.rs; gives the first line of each kernel.
fn sources(
    directory: &Path,
    cases: &[Case],
    refusals: &[Option<String>],
) -> Result<(std::path::PathBuf, Vec<usize>), String> {
    let mut kernels = String::new();
    let mut calls = String::new();
    let mut starts = Vec::new();
    for (index, case) in cases.iter().enumerate() {
        starts.push(kernels.lines().count() + 1);
        let text = print::module(&case.kernel, &front::module(index), Reader::Plain);
        if refusals[index].is_some() {
            kernels.push_str(&"\n".repeat(text.lines().count()));
            calls.push_str("    |_| {},\n");
        } else {
            kernels.push_str(&text);
            let call = print::call(&case.kernel, &front::module(index));
            calls.push_str(&format!("    |s| {{ let _ = s; {call} }},\n"));
        }
    }
    write(&directory.join(front::FILE), kernels)?;
    let main = directory.join("main.rs");
    write(
        &main,
        format!("mod kernels;\n\nfn main() {{\n    shmem::drive(&[\n{calls}    ]);\n}}\n"),
    )?;
    Ok((main, starts))
}

/// The first error of each kernel, from `path/kernels.rs:line:column: error...`.
fn errors_by_case(text: &str, starts: &[usize]) -> Vec<(usize, String)> {
    let mut found: Vec<(usize, String)> = Vec::new();
    for line in text.lines() {
        let Some((_, rest)) = line.split_once(&format!("{}:", front::FILE)) else {
            continue;
        };
        let Some((number, rest)) = rest.split_once(':') else {
            continue;
        };
        let (Ok(number), true) = (number.parse::<usize>(), rest.contains(": error")) else {
            continue;
        };
        let case = starts.partition_point(|&start| start <= number) - 1;
        if !found.iter().any(|(known, _)| *known == case) {
            found.push((case, format!("{number}:{rest}")));
        }
    }
    found
}

fn rule_code(text: &str) -> String {
    text.find("SHM")
        .and_then(|at| text.get(at..at + 7))
        .unwrap_or("")
        .to_owned()
}

fn error_code(text: &str) -> String {
    text.find("error")
        .and_then(|at| text[at..].split(':').next())
        .unwrap_or("")
        .to_owned()
}

/// Which kernel the C++ compiler refuses, and its words.
fn culprit(
    tools: &Tools,
    directory: &Path,
    config: &Config,
    chosen: &[(usize, Form, &Lowered)],
) -> Option<(usize, String)> {
    let path = directory.join("culprit.cpp");
    let refuses = |range: std::ops::Range<usize>| {
        let lowered: Vec<&Lowered> = chosen[range].iter().map(|row| row.2).collect();
        write(&path, front::unit("culprit.cpp", &lowered)).ok()?;
        tools.accepts(config, &path).err()
    };
    let (mut low, mut high) = (0, chosen.len());
    let mut text = refuses(low..high)?;
    while high - low > 1 {
        let middle = low.midpoint(high);
        match refuses(low..middle) {
            Some(error) => {
                text = error;
                high = middle;
            }
            None => {
                text = refuses(middle..high)?;
                low = middle;
            }
        }
    }
    Some((low, text))
}

type Decode<'a> = &'a dyn Fn(&[u8], usize, usize) -> Option<(Outcome, usize)>;

/// What is to be run.
#[derive(Clone, Copy)]
struct Runs<'a> {
    directory: &'a Path,
    cases: &'a [Case],
    layouts: &'a [Vec<Layout>],
    /// Symbol, kernel, input.
    runs: &'a [(usize, usize, usize)],
    /// After so many runs that died or did not end, the others are left.
    patience: usize,
}

/// Runs everything with a runner; where it dies, the next one goes on behind.
fn execute(command: &mut Command, all: Runs<'_>, decode: Decode<'_>) -> Vec<Outcome> {
    let Runs {
        directory,
        cases,
        layouts,
        runs,
        mut patience,
    } = all;
    let mut text = (runs.len() as u64).to_le_bytes().to_vec();
    for &(symbol, kernel, input) in runs {
        layouts[kernel][input].write(symbol, cases[kernel].inputs[input].block, &mut text);
    }
    let (input, output, errors) = (
        directory.join("input"),
        directory.join("output"),
        directory.join("stderr"),
    );
    let mut outcomes: Vec<Outcome> = Vec::new();
    let fail = |text: String| Outcome::lost(Ending::Crash(text));
    if let Err(error) = write(&input, text) {
        return runs.iter().map(|_| fail(error.clone())).collect();
    }
    let library = command
        .get_envs()
        .find(|(key, _)| *key == "DIFF_LIBRARY")
        .and_then(|(_, value)| value.map(ToOwned::to_owned));
    while outcomes.len() < runs.len() && patience > 0 {
        let mut command = {
            let mut fresh = Command::new(command.get_program());
            for (key, value) in command.get_envs() {
                if let Some(value) = value {
                    fresh.env(key, value);
                }
            }
            fresh
        };
        command
            .arg(&input)
            .arg(&output)
            .arg(outcomes.len().to_string());
        if let Some(library) = &library {
            command.arg(directory.join("symbols")).arg(library);
        }
        let stderr = std::fs::File::create(&errors).map_or_else(|_| Stdio::null(), Stdio::from);
        std::fs::remove_file(&output).ok();
        let status = command.stdout(Stdio::null()).stderr(stderr).status();
        let bytes = std::fs::read(&output).unwrap_or_default();
        let mut at = 0;
        while let Some(&(symbol, kernel, input)) = runs.get(outcomes.len()) {
            let len = layouts[kernel][input].arena.len();
            let Some((outcome, used)) = decode(&bytes[at..], symbol, len) else {
                break;
            };
            outcomes.push(outcome);
            at += used;
        }
        if outcomes.len() == runs.len() {
            break;
        }
        patience -= 1;
        let said = std::fs::read_to_string(&errors).unwrap_or_default();
        outcomes.push(match status {
            Ok(status) => {
                use std::os::unix::process::ExitStatusExt;
                if status.signal() == Some(SIGVTALRM) {
                    Outcome::lost(Ending::Timeout)
                } else {
                    fail(format!("{status}\n{said}"))
                }
            }
            Err(error) => fail(error.to_string()),
        });
    }
    outcomes
}

fn word(bytes: &[u8], at: usize) -> Option<u64> {
    let bytes = bytes.get(at * 8..at * 8 + 8)?;
    Some(u64::from_le_bytes(bytes.try_into().ok()?))
}

fn rust_record(bytes: &[u8], _: usize, len: usize) -> Option<(Outcome, usize)> {
    let mut at = 40;
    let mut take = |len: usize| {
        at += len;
        bytes.get(at - len..at)
    };
    let text = String::from_utf8_lossy(take(word(bytes, 3)? as usize)?).into_owned();
    let prints = String::from_utf8_lossy(take(word(bytes, 4)? as usize)?).into_owned();
    let memory = take(len)?.to_vec();
    let ending = if word(bytes, 0)? == 0 {
        Ending::Done
    } else {
        Ending::Panic(word(bytes, 1)?, word(bytes, 2)?, text)
    };
    let prints = prints.split_terminator('\x1e').map(str::to_owned).collect();
    let outcome = Outcome {
        ending,
        memory,
        prints,
    };
    Some((outcome, at))
}

fn cpp_record(bytes: &[u8], len: usize, lowered: &Lowered) -> Option<(Outcome, usize)> {
    const HEADER: usize = 9;
    let [left, state, kind, site, a, b, c, used, lost] =
        [0, 1, 2, 3, 4, 5, 6, 7, 8].map(|at| word(bytes, at));
    let used = used? as usize;
    let words: Vec<u64> = (HEADER..HEADER + used)
        .map(|at| word(bytes, at))
        .collect::<Option<_>>()?;
    let at = (HEADER + used) * 8;
    let memory = bytes.get(at..at + len)?.to_vec();
    let ending = match (left?, state?) {
        (0, 0) => Ending::Done,
        (1, 1) => match lowered.places.get(site? as usize) {
            Some(place) => Ending::Panic(
                place.line,
                place.column,
                message(kind?, [a?, b?, c?], place),
            ),
            None => Ending::Crash(format!("panic at site {site:?}, which is not there")),
        },
        (left, state) => Ending::Crash(format!("ended with {left}, but the record says {state}")),
    };
    let mut prints = printed(&words, lowered);
    if lost? > 0 {
        prints.push("lines are lost".to_owned());
    }
    let outcome = Outcome {
        ending,
        memory,
        prints,
    };
    Some((outcome, at + len))
}

/// The texts of the records that a kernel left: its site and the number of its values, then the values.
fn printed(mut words: &[u64], lowered: &Lowered) -> Vec<String> {
    let mut texts = Vec::new();
    while let [head, rest @ ..] = words {
        let site = (head & u64::from(u32::MAX)) as usize;
        let known = lowered.places.get(site);
        let (Some(place), Some((values, after))) =
            (known, rest.split_at_checked((head >> 32) as usize))
        else {
            texts.push(format!("a record that begins with {head:#x}"));
            break;
        };
        texts.push(front::written(place, values));
        words = after;
    }
    texts
}

/// The words for a record, as shmem-rt has them; rustc's where it has its own.
fn message(kind: u64, values: [u64; 3], place: &front::Place) -> String {
    let ([a, b, _], verb) = (values, &place.verb);
    match kind {
        1 => format!("index out of bounds: the len is {b} but the index is {a}"),
        2 => format!("slice index starts at {a} but ends at {b}"),
        3 => format!("range end index {a} out of range for slice of length {b}"),
        4 => format!("PE {} is out of range: this job has {b} PEs", a as i64),
        8 => format!("attempt to {verb} with overflow"),
        9 => "attempt to divide by zero".to_owned(),
        10 => "attempt to calculate the remainder with a divisor of zero".to_owned(),
        11 => front::written(place, &values),
        kind => format!("fault {kind} ({a:#x}, {b:#x})"),
    }
}

/// Whether two texts of panics are equal. rustc breaks the lines of a long condition that it quotes.
fn same_text(rust: &str, cpp: &str) -> bool {
    let quotes = rust.starts_with("assertion failed:");
    let bare = |text: &str| text.split_whitespace().collect::<String>();
    rust == cpp || quotes && bare(rust) == bare(cpp)
}

/// The difference, if there is one.
fn compare(
    kernel: &Kernel,
    layout: &Layout,
    rust: &Outcome,
    cpp: &Outcome,
) -> Option<(What, String)> {
    let both = format!("rustc: {:?}\nC++:   {:?}", rust.ending, cpp.ending);
    match (&rust.ending, &cpp.ending) {
        (_, Ending::Crash(text)) => {
            let word = if text.contains("runtime error") {
                // Without the values.
                let said = text.split("runtime error: ").nth(1).unwrap_or("");
                let words: Vec<&str> = said
                    .split_whitespace()
                    .take(8)
                    .filter(|word| word.chars().all(char::is_alphabetic))
                    .collect();
                words.join(" ")
            } else if text.contains("AddressSanitizer") {
                let said = text.split("AddressSanitizer: ").nth(1).unwrap_or("");
                said.split_whitespace().next().unwrap_or("").to_owned()
            } else {
                text.lines().next().unwrap_or("").to_owned()
            };
            return Some((
                What::Crash(word),
                format!("rustc: {:?}\nC++:   {text}", rust.ending),
            ));
        }
        (_, Ending::Timeout) => return Some((What::Timeout, both)),
        (Ending::Done, Ending::Done) => {}
        (Ending::Panic(line, column, text), Ending::Panic(c_line, c_column, c_text)) => {
            if !same_text(text, c_text) {
                return Some((What::Panic, both));
            }
            if *line != 0 && (line, column) != (c_line, c_column) {
                return Some((What::Place, both));
            }
        }
        _ => return Some((What::Panic, both)),
    }
    if rust.prints != cpp.prints {
        let details = format!(
            "rustc prints: {:#?}\nC++ prints: {:#?}",
            rust.prints, cpp.prints
        );
        return Some((What::Prints, details));
    }
    if rust.memory == cpp.memory {
        return None;
    }
    let loose = kernel.float_arithmetic();
    let mut differs = Vec::new();
    let mut masked = [rust.memory.clone(), cpp.memory.clone()];
    for region in &layout.regions {
        let size = region.elem.size();
        for cell in 0..region.len {
            let at = region.offset + cell * size;
            let (a, b) = (&rust.memory[at..at + size], &cpp.memory[at..at + size]);
            if a == b {
                continue;
            }
            let bits = |bytes: &[u8]| {
                let mut whole = [0; 8];
                whole[..size].copy_from_slice(bytes);
                u64::from_le_bytes(whole)
            };
            let elem = region.elem;
            let nan = loose.contains(&elem) && is_nan(elem, bits(a)) && is_nan(elem, bits(b));
            masked
                .iter_mut()
                .for_each(|memory| memory[at..at + size].fill(0));
            if !nan {
                differs.push(format!(
                    "{} cell {cell} at arena offset {}: rustc {}, C++ {}",
                    region.elem.name(),
                    region.offset,
                    hex(a),
                    hex(b)
                ));
            }
        }
    }
    if masked[0] != masked[1] {
        differs.push("bytes outside of all parameters were written".to_owned());
    }
    if differs.is_empty() {
        return None;
    }
    differs.truncate(6);
    Some((What::Memory, format!("{both}\n{}", differs.join("\n"))))
}

fn is_nan(elem: Scalar, bits: u64) -> bool {
    let infinity = match elem {
        Scalar::F16 => 0x7c00,
        Scalar::Bf16 => 0x7f80,
        Scalar::F32 => 0x7f80_0000,
        Scalar::F64 => 0x7ff0_0000_0000_0000,
        _ => return false,
    };
    bits & (u64::MAX >> (65 - elem.size() * 8)) > infinity
}

fn hex(bytes: &[u8]) -> String {
    let digits: String = bytes
        .iter()
        .rev()
        .map(|byte| format!("{byte:02x}"))
        .collect();
    format!("0x{digits}")
}
