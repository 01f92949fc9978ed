//! C++ compilers, and the headers in a directory.

use std::path::PathBuf;
use std::process::Command;

/// The C++ that is generated has no reason for any of them.
const WARNINGS: [&str; 6] = [
    "-Wall",
    "-Wextra",
    "-Wshadow",
    "-Wconversion",
    "-Wsign-conversion",
    "-Werror",
];

/// Every call is left as it stands; the last flag is the one that the build script gives.
const IR: [&str; 6] = [
    "-std=c++17",
    "-O0",
    "-w",
    "-S",
    "-emit-llvm",
    "-ffp-contract=off",
];

/// The file that compilations write.
const OUTPUT: &str = "out";

/// Whether `program` runs. Where it does not, the test says that it skips; in CI nothing may skip.
pub fn available(program: &str) -> bool {
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
pub struct Compiler {
    directory: tempfile::TempDir,
    program: &'static str,
}

impl Compiler {
    pub fn new(program: &'static str) -> Option<Compiler> {
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
    pub fn accepts(&self, flags: &[&str], name: &str, text: &str) {
        let (success, stderr) = self.compile(flags, name, text);
        assert!(
            success && stderr.is_empty(),
            "{} {flags:?} {name}\n{stderr}\n{text}",
            self.program
        );
    }

    /// The LLVM IR of `text`; the program is clang++.
    pub fn ir(&self, name: &str, text: &str) -> String {
        let (success, stderr) = self.compile(&IR, name, text);
        assert!(success, "{name}\n{stderr}");
        std::fs::read_to_string(self.path(OUTPUT)).expect("the output is there")
    }

    /// Whether `text` compiles, and what is said about it.
    pub fn compile(&self, flags: &[&str], name: &str, text: &str) -> (bool, String) {
        let (source, object) = (self.path(&format!("{name}.cpp")), self.path(OUTPUT));
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
