//! Kernels written in C++ and generated from Rust, compiled as the build script does it, and their instructions as
//! valgrind counts them.

use std::collections::HashMap;
use std::path::Path;
use std::process::Command;

use shmem_codegen::build::FLAGS;
use shmem_codegen::{Emitted, emit_unit};

use super::support::{self, Form};

const RUST: &str = include_str!("kernels.rs");
const BY_HAND: &str = include_str!("by_hand.cpp");
const DRIVER: &str = include_str!("driver.cpp");

/// Who wrote a kernel.
pub const WRITERS: [&str; 4] = ["by_hand", "unchecked", "wrapping", "checked"];

/// The instructions of one kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// Its name.
    pub kernel: String,
    /// In the order of [`WRITERS`].
    pub instructions: [u64; 4],
}

impl Counted {
    /// How many instructions `writer` takes for 100 of those by hand.
    pub fn percent(&self, writer: usize) -> f64 {
        self.instructions[writer] as f64 * 100.0 / self.instructions[0] as f64
    }
}

/// Counts all kernels as `compiler` compiles them.
pub fn count(compiler: &str) -> Vec<Counted> {
    let directory = tempfile::Builder::new()
        .disable_cleanup(true)
        .tempdir()
        .expect("d");
    let program = compile(compiler, directory.path());
    let kernels = support::emit(RUST, "kernels.rs", Form::Unchecked).into_iter();
    let kernels: Vec<String> = kernels.map(|(name, _)| name).collect();
    let symbols = |kernel: &String| WRITERS.map(|writer| format!("{writer}_{kernel}"));
    // Counted is what runs inside the kernels.
    let toggles = kernels.iter().flat_map(symbols);
    let counts = directory.path().join("counts");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--collect-atstart=no"])
        .args(toggles.map(|symbol| format!("--toggle-collect={symbol}")))
        .arg(format!("--callgrind-out-file={}", counts.display()))
        .arg(program)
        .output()
        .expect("valgrind runs");
    assert!(output.status.success(), "{output:?}");
    let counts = std::fs::read_to_string(counts).expect("the counts are read");
    let found = inclusive(&counts);
    let counted = kernels.into_iter().map(|kernel| Counted {
        instructions: symbols(&kernel).map(|symbol| found[symbol.as_str()]),
        kernel,
    });
    counted.collect()
}

/// By function, its instructions with those of what it calls, from a file of callgrind.
fn inclusive(counts: &str) -> HashMap<&str, u64> {
    let mut names = HashMap::new();
    let mut found = HashMap::new();
    let mut function = "";
    for line in counts.lines() {
        if let Some(named) = line.strip_prefix("fn=") {
            // `(number) name`, and later the number alone.
            let (number, name) = named.split_once(' ').unwrap_or((named, ""));
            function = if name.is_empty() { names[number] } else { name };
            names.insert(number, function);
        } else if let Some(called) = line.strip_prefix("cfn=") {
            if let Some((number, name)) = called.split_once(' ') {
                names.insert(number, name);
            }
        } else if line.starts_with(|c: char| c.is_ascii_digit() || "+-*".contains(c)) {
            let cost = line
                .split_once(' ')
                .and_then(|(_, cost)| cost.parse::<u64>().ok());
            *found.entry(function).or_default() += cost.expect("a line and its cost");
        }
    }
    found
}

fn compile(compiler: &str, directory: &Path) -> std::path::PathBuf {
    for part in shmem_headers::SIMULATOR {
        for header in part.headers {
            let path = directory.join(part.name).join(header.path);
            std::fs::create_dir_all(path.parent().expect("a directory")).expect("it is made");
            std::fs::write(path, header.text).expect("the header is written");
        }
    }
    let mut units = vec![
        ("by_hand", BY_HAND.to_owned()),
        ("driver", DRIVER.to_owned()),
    ];
    for (name, form) in [
        ("unchecked", Form::Unchecked),
        ("wrapping", Form::Wrapping),
        ("checked", Form::Checked),
    ] {
        units.push((name, generated(name, form)));
    }
    let mut objects = Vec::new();
    for (name, text) in units {
        let source = directory.join(name).with_extension("cpp");
        std::fs::write(&source, text).expect("the source is written");
        let object = source.with_extension("o");
        let mut command = Command::new(compiler);
        command.args(FLAGS);
        for part in shmem_headers::SIMULATOR {
            command.arg("-I").arg(directory.join(part.name));
        }
        run(command.arg(&source).arg("-o").arg(&object));
        objects.push(object);
    }
    let program = directory.join("program");
    run(Command::new(compiler).args(objects).arg("-o").arg(&program));
    program
}

fn run(command: &mut Command) {
    let output = command.output().expect("the compiler runs");
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{command:?}\n{said}");
}

/// The kernels in one form, their symbols with its name.
fn generated(writer: &str, form: Form) -> String {
    let emitted = support::emit(RUST, "kernels.rs", form).into_iter();
    let emitted: Vec<Emitted> = emitted.map(|(_, emitted)| emitted).collect();
    let text = emit_unit(
        "Kernels whose instructions are counted.",
        "kernels.cpp",
        &emitted,
    );
    text.replace("shmem_k_test_", &format!("{writer}_"))
}
