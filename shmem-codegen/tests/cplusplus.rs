//! The generated C++ compiles without a warning: g++ and clang++, C++17 and C++20, every option, each file alone.

mod support;

use std::path::Path;
use std::process::Command;

use support::emit;

/// What stands before the kernels in every generated file.
const INCLUDES: &str =
    "#include \"kernel_operator.h\"\n#include \"shmem.h\"\n#include \"shmem_rust.h\"\n";

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

fn compile(compiler: &str, standard: &str, directory: &Path, name: &str, text: &str) {
    let source = directory.join(format!("{name}.cpp"));
    std::fs::write(&source, text).expect("the source is written");
    let mut command = Command::new(compiler);
    command.args([
        standard,
        "-O2",
        "-fPIC",
        "-Wall",
        "-Wextra",
        "-Wshadow",
        "-Werror",
        "-DSHMEM_SIM",
        "-c",
    ]);
    for part in shmem_headers::SIMULATOR {
        for header in part.headers {
            let path = directory.join(part.name).join(header.path);
            std::fs::create_dir_all(path.parent().expect("a directory"))
                .expect("the directory is made");
            std::fs::write(path, header.text).expect("the header is written");
        }
        command.arg("-I").arg(directory.join(part.name));
    }
    let output = command
        .arg("-o")
        .arg(directory.join("out.o"))
        .arg(&source)
        .output()
        .expect("the compiler runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && stderr.is_empty(),
        "{compiler} {standard} {name}\n{stderr}\n{text}"
    );
}

fn compiles_everywhere(compiler: &str) {
    if !available(compiler) {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    let mut files = vec![("golden", include_str!("golden/kernels.rs").to_owned())];
    // The kernels that the suite runs.
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/suite/src/kernels");
    for name in [
        "arith", "elements", "faults", "guards", "device", "language", "more",
    ] {
        let text =
            std::fs::read_to_string(suite.join(format!("{name}.rs"))).expect("the suite is there");
        files.push((name, text));
    }
    for (name, source) in files {
        for overflow_checks in [true, false] {
            let mut text = INCLUDES.to_owned();
            for (_, kernel, launcher) in emit(&source, &format!("{name}.rs"), overflow_checks) {
                text.push_str(&format!("\n{kernel}\n{launcher}"));
            }
            for standard in ["-std=c++17", "-std=c++20"] {
                compile(compiler, standard, directory.path(), name, &text);
            }
        }
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
    if !available("g++") {
        return;
    }
    let directory = tempfile::tempdir().expect("a directory");
    for header in ["kernel_operator.h", "shmem.h", "shmem_sim.h"] {
        compile(
            "g++",
            "-std=c++17",
            directory.path(),
            "alone",
            &format!("#include \"{header}\"\nint main() {{ return 0; }}\n"),
        );
    }
}
