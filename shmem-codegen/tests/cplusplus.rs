//! The generated C++ compiles without a warning: g++ and clang++, C++17 and C++20, every form, each file alone.

#[path = "../examples/diff/harness/mod.rs"]
mod harness;
mod support;

use std::path::{Path, PathBuf};
use std::process::Command;

use shmem_codegen::emit_unit;
use support::{FORMS, emit};

const WARNINGS: [&str; 6] = [
    "-Wall",
    "-Wextra",
    "-Wshadow",
    "-Wconversion",
    "-Wsign-conversion",
    "-Werror",
];

/// What rustc refuses and the generator makes: constants that overflow, divisors of zero.
const CONSTANTS: [&str; 5] = [
    "-Wno-overflow",
    "-Wno-shift-count-overflow",
    "-Wno-shift-count-negative",
    "-Wno-div-by-zero",
    "-Wno-array-bounds",
];

/// What only clang++ knows of it.
const CLANG_CONSTANTS: [&str; 2] = ["-Wno-integer-overflow", "-Wno-division-by-zero"];

/// Random kernels to a file, and files.
const RANDOM: (u64, u64) = (25, 10);

/// Whether `program` runs. Where it does not, the test says that it skips; in CI nothing may skip.
fn available(program: &str) -> bool {
    let runs = Command::new(program)
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    if !runs {
        assert!(
            std::env::var_os("SHMEM_TEST_ALL").is_none(),
            "SHMEM_TEST_ALL is set, but {program} cannot be run"
        );
        eprintln!("skipped: {program} is not installed");
    }
    runs
}

/// A directory with the headers.
struct Compiler {
    directory: tempfile::TempDir,
    program: &'static str,
}

impl Compiler {
    fn new(program: &'static str) -> Option<Compiler> {
        if !available(program) {
            return None;
        }
        let directory = tempfile::tempdir().expect("a directory");
        for part in shmem_headers::SIMULATOR {
            for header in part.headers {
                let path = directory.path().join(part.name).join(header.path);
                std::fs::create_dir_all(path.parent().expect("a directory"))
                    .expect("the directory is made");
                std::fs::write(path, header.text).expect("the header is written");
            }
        }
        Some(Compiler { directory, program })
    }

    /// Compiles `text`; nothing may be said about it.
    fn accepts(&self, flags: &[&str], name: &str, text: &str) {
        let (success, stderr) = self.compile(flags, name, text);
        assert!(
            success && stderr.is_empty(),
            "{} {flags:?} {name}\n{stderr}\n{text}",
            self.program
        );
    }

    /// Whether `text` compiles, and what is said about it.
    fn compile(&self, flags: &[&str], name: &str, text: &str) -> (bool, String) {
        let (source, object) = (self.path(&format!("{name}.cpp")), self.path("out.o"));
        std::fs::write(&source, text).expect("the source is written");
        let mut command = Command::new(self.program);
        command.args(["-fPIC", "-DSHMEM_SIM", "-c"]);
        for part in shmem_headers::SIMULATOR {
            command.arg("-I").arg(self.path(part.name));
        }
        let output = command
            .args(WARNINGS)
            .args(flags)
            .arg("-o")
            .args([&object, &source])
            .output()
            .expect("the compiler runs");
        let stderr = String::from_utf8_lossy(&output.stderr).into_owned();
        (output.status.success(), stderr)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }
}

/// Generated C++ files by name.
fn units() -> Vec<(String, String)> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    // What the suite runs.
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/suite/src/kernels");
    let mut units = Vec::new();
    for directory in [golden, suite] {
        for entry in std::fs::read_dir(directory).expect("the directory is there") {
            let path = entry.expect("an entry").path();
            let text = std::fs::read_to_string(&path).expect("a source");
            if !text.contains("#[shmem_kernel") {
                continue;
            }
            let file = path.file_name().expect("a name").to_string_lossy();
            for form in FORMS {
                let emitted = emit(&text, &file, form);
                let name = format!("{}_{form:?}", file.trim_end_matches(".rs"));
                let text = emit_unit(&name, &name, emitted.iter().map(|(_, emitted)| emitted));
                units.push((name, text));
            }
        }
    }
    assert!(units.len() >= 8 * FORMS.len(), "{}", units.len());
    units
}

/// C++ files of random kernels in all forms.
fn random_units() -> Vec<(String, String)> {
    let (count, files) = RANDOM;
    let file = |file: u64| {
        let indices = file * count..(file + 1) * count;
        let kernels: Vec<_> = indices
            .map(|index| harness::generate::kernel(11, index, false))
            .collect();
        let lowering = harness::front::lower(&kernels.iter().collect::<Vec<_>>());
        let lowered: Vec<_> = lowering.iter().flatten().flatten().collect();
        assert!(lowered.len() as u64 > count * 2, "{}", lowered.len());
        let name = format!("random_{file}");
        let text = harness::front::unit(&name, &lowered);
        (name, text)
    };
    (0..files).map(file).collect()
}

/// The flags for random kernels.
fn constants(program: &str) -> Vec<&'static str> {
    let mut flags = CONSTANTS.to_vec();
    if program == "clang++" {
        flags.extend(CLANG_CONSTANTS);
    }
    flags
}

fn compiles_everywhere(program: &'static str) {
    let Some(compiler) = Compiler::new(program) else {
        return;
    };
    for (name, text) in units() {
        compiler.accepts(&["-std=c++17", "-O2"], &name, &text);
        compiler.accepts(&["-std=c++20", "-fsyntax-only"], &name, &text);
    }
    let flags = constants(program);
    let standards = ["-std=c++17", "-std=c++20"].iter().cycle();
    for ((name, text), standard) in random_units().iter().zip(standards) {
        compiler.accepts(&[&[*standard], &flags[..]].concat(), name, text);
    }
}

#[test]
fn the_text_compiles_with_gcc() {
    compiles_everywhere("g++");
}

#[test]
fn the_text_compiles_with_clang() {
    compiles_everywhere("clang++");
}

#[test]
fn each_header_says_what_it_needs() {
    let Some(compiler) = Compiler::new("g++") else {
        return;
    };
    for header in ["kernel_operator.h", "shmem.h", "shmem_sim.h"] {
        let text = format!("#include \"{header}\"\nint main() {{ return 0; }}\n");
        compiler.accepts(&["-std=c++17", "-O2"], "alone", &text);
    }
}

/// `__gm__` and `__ubuf__` as types, for clang to check.
const ADDRESS_SPACES: [&str; 3] = ["-std=c++17", "-fsyntax-only", "-DSHMEM_TWIN_ADDRESS_SPACES"];

#[test]
fn pointers_keep_their_address_space() {
    let Some(compiler) = Compiler::new("clang++") else {
        return;
    };
    for (name, text) in units() {
        compiler.accepts(&ADDRESS_SPACES, &name, &text);
    }
    let flags = [&ADDRESS_SPACES[..], &constants("clang++")].concat();
    for (name, text) in random_units() {
        compiler.accepts(&flags, &name, &text);
    }
}

#[test]
fn a_pointer_that_loses_its_address_space_is_found() {
    let Some(compiler) = Compiler::new("clang++") else {
        return;
    };
    let source = "#[shmem_kernel] fn k(cell: Symmetric<i32>, cells: Global<[f16]>) {\
                  let one = cells.at(1); one.store(cells.at(0).load()); shmem::p(cell, 1, 0); }";
    let emitted = emit(source, "k.rs", support::Form::Checked).remove(0).1;
    let text = emit_unit("", "k.cpp", [&emitted]);
    compiler.accepts(&ADDRESS_SPACES, "k", &text);
    // By the name of a type or variable, without its space.
    for (with, without) in [
        ("__gm__ half *const k_one", "half *const k_one"),
        ("__gm__ half *const k_cells", "half *const k_cells"),
        ("__gm__ int32_t *k_cell", "int32_t *k_cell"),
        ("__gm__ int32_t *k_cell", "__ubuf__ int32_t *k_cell"),
        (
            "__gm__ shmem_rust_fault *t_fault",
            "shmem_rust_fault *t_fault",
        ),
        (
            "aclshmem_int32_p(k_cell, ",
            "int32_t cell = 0; aclshmem_int32_p(&cell, ",
        ),
    ] {
        assert!(text.contains(with), "{with}\n{text}");
        let (success, stderr) =
            compiler.compile(&ADDRESS_SPACES, "k", &text.replace(with, without));
        assert!(!success && stderr.contains("error:"), "{without}\n{stderr}");
        let (success, stderr) =
            compiler.compile(&["-std=c++17"], "k", &text.replace(with, without));
        assert!(success, "{without}\n{stderr}");
    }
}
