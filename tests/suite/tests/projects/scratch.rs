//! A cargo project in a temporary directory.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::SystemTime;

use tempfile::TempDir;

/// The build script of every user.
pub const BUILD: &str = "fn main() {\n    shmem_codegen::build();\n}\n";

/// `show!(path::to::kernel)` launches a kernel and prints what it stored, or the error; `#[macro_use] mod show;`.
const SHOW: &str = r#"
use shmem::{Config, DeviceBox, Error, Stream};

pub fn value(launch: impl FnOnce(&Stream<'_>, &DeviceBox<'_, i32>) -> Result<(), Error>) -> String {
    let world = Config::new().pe(0).n_pes(1).local_mem_size(2 << 20).init().unwrap();
    let text = {
        let out = world.device_value(0_i32).unwrap();
        let stream = world.stream().unwrap();
        match launch(&stream, &out).and_then(|()| stream.synchronize()) {
            Ok(()) => out.read().unwrap().to_string(),
            Err(error) => error.to_string(),
        }
    };
    world.finalize().unwrap();
    text
}

#[macro_export]
macro_rules! show {
    ($($kernel:ident)::+) => {
        println!("{} = {}", stringify!($($kernel)::+).replace(' ', ""), $crate::show::value(|stream, out| $($kernel)::+::launch(stream, 1, out)))
    };
}
"#;

/// The text of a kernel that stores `value`.
pub fn kernel(name: &str, value: &str) -> String {
    format!(
        "#[shmem::shmem_kernel]\npub fn {name}(out: shmem::Global<i32>) {{\n    out.store({value});\n}}\n"
    )
}

/// How a command ended.
pub struct Ended {
    pub success: bool,
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl Ended {
    /// How often `text` is in the messages.
    #[track_caller]
    pub fn says(&self, text: &str, times: usize) {
        assert_eq!(
            self.stderr.matches(text).count(),
            times,
            "`{text}` in:\n{}{}",
            self.stdout,
            self.stderr
        );
    }

    #[track_caller]
    pub fn succeeded(self) -> Ended {
        assert!(self.success, "{}{}", self.stdout, self.stderr);
        self
    }

    #[track_caller]
    pub fn failed(self) -> Ended {
        assert!(!self.success, "{}{}", self.stdout, self.stderr);
        self
    }
}

/// Where everything is compiled that is not said otherwise.
pub fn shared_target() -> PathBuf {
    Path::new(env!("CARGO_TARGET_TMPDIR")).join("projects")
}

/// A project.
pub struct Scratch {
    directory: TempDir,
    name: String,
    root: PathBuf,
    target: PathBuf,
}

impl Scratch {
    /// A package with build.rs and src/show.rs. Every test takes a name of its own.
    pub fn new(name: &str) -> Scratch {
        Scratch::at(name, "project")
    }

    /// The same in a directory of that name.
    pub fn at(name: &str, root: &str) -> Scratch {
        let directory = tempfile::tempdir().unwrap();
        let root = directory.path().join(root);
        let scratch = Scratch {
            name: name.to_owned(),
            root,
            directory,
            target: shared_target(),
        };
        forget(&scratch.target, name);
        scratch.write("build.rs", BUILD);
        scratch.write("src/show.rs", SHOW);
        scratch.manifest("");
        let lock = fs::read_to_string(workspace().join("Cargo.lock")).unwrap();
        scratch.write("Cargo.lock", &lock);
        fs::create_dir_all(scratch.outside("tmp")).unwrap();
        let log = scratch.outside("log");
        fs::write(&log, "").unwrap();
        scratch.script(
            "cxx",
            &format!("echo \"$*\" >> '{}'\nexec c++ \"$@\"\n", log.display()),
        );
        scratch
    }

    /// Cargo.toml, with `more` at its end.
    pub fn manifest(&self, more: &str) {
        let workspace = workspace();
        let workspace = workspace.display();
        let name = &self.name;
        self.write(
            "Cargo.toml",
            &format!(
                "[package]\nname = \"{name}\"\nversion = \"1.2.3\"\nedition = \"2024\"\n\n\
                 [dependencies]\nshmem = {{ path = \"{workspace}\" }}\n\n\
                 [build-dependencies]\nshmem-codegen = {{ path = \"{workspace}/shmem-codegen\" }}\n\n\
                 [workspace]\n\n{more}"
            ),
        );
    }

    pub fn root(&self) -> &Path {
        &self.root
    }

    /// A path beside the project.
    pub fn outside(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// A shell script beside the project.
    pub fn script(&self, name: &str, text: &str) -> PathBuf {
        let path = self.outside(name);
        fs::write(&path, format!("#!/bin/sh\n{text}")).unwrap();
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    /// Writes a file of the project.
    pub fn write(&self, path: &str, text: &str) {
        let path = self.root.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn remove(&self, path: &str) {
        fs::remove_file(self.root.join(path)).unwrap();
    }

    /// Gives a file a new time and no new bytes.
    pub fn touch(&self, path: &str) {
        let file = fs::File::options()
            .append(true)
            .open(self.root.join(path))
            .unwrap();
        file.set_modified(SystemTime::now()).unwrap();
    }

    pub fn cargo(&self, arguments: &[&str]) -> Ended {
        let compiler = self.outside("cxx");
        self.cargo_with(arguments, &[("SHMEM_CXX", compiler.to_str().unwrap())])
    }

    /// Cargo with these variables, and without a SHMEM_CXX of ours.
    pub fn cargo_with(&self, arguments: &[&str], variables: &[(&str, &str)]) -> Ended {
        let mut command = limited(env!("CARGO"));
        command
            .args(arguments)
            .arg("--offline")
            .current_dir(&self.root)
            .env("CARGO_TARGET_DIR", &self.target)
            .env("CARGO_TERM_COLOR", "never")
            // Less to write: nobody debugs these.
            .env("CARGO_INCREMENTAL", "0")
            .env("CARGO_PROFILE_DEV_DEBUG", "0")
            .env("TMPDIR", self.outside("tmp"));
        // The variables of the package that this test is part of.
        for (name, _) in std::env::vars_os() {
            let text = name.to_string_lossy();
            if text.starts_with("CARGO_PKG_")
                || text.starts_with("CARGO_MANIFEST_")
                || text == "CARGO_CRATE_NAME"
            {
                command.env_remove(&name);
            }
        }
        command.envs(variables.iter().copied());
        ended(&mut command)
    }

    #[track_caller]
    pub fn build(&self) -> Ended {
        self.cargo(&["build"]).succeeded()
    }

    /// Runs the binary of that name as it was built last.
    pub fn run(&self, binary: &str, arguments: &[&str]) -> Ended {
        run(&self.target.join("debug").join(binary), arguments)
    }

    /// Builds, runs, and gives what was printed.
    #[track_caller]
    pub fn prints(&self) -> String {
        self.build();
        self.run(&self.name, &[]).succeeded().stdout
    }

    /// What the C++ compiler was called for since the last time: sources by their names, and `link`.
    pub fn compiled(&self) -> Vec<String> {
        let log = self.outside("log");
        let text = fs::read_to_string(&log).unwrap();
        fs::write(&log, "").unwrap();
        text.lines()
            .map(|line| {
                if line.contains("-shared") {
                    return "link".to_owned();
                }
                let file = line.rsplit('/').next().unwrap_or_default();
                // `src_a_0123abcd.cpp`
                file.rsplit_once('_')
                    .map_or(file, |(name, _)| name)
                    .to_owned()
            })
            .collect()
    }

    /// OUT_DIR/shmem.
    pub fn out(&self) -> PathBuf {
        let mut found = Vec::new();
        let build = self.target.join("debug/build");
        let prefix = format!("{}-", self.name);
        for entry in fs::read_dir(build).unwrap().flatten() {
            let out = entry.path().join("out/shmem");
            if entry.file_name().to_string_lossy().starts_with(&prefix) && out.is_dir() {
                found.push(out);
            }
        }
        assert_eq!(found.len(), 1, "{found:?}");
        found.remove(0)
    }

    /// Names in OUT_DIR/shmem, without hashes.
    pub fn outputs(&self) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(self.out())
            .unwrap()
            .flatten()
            .filter(|entry| entry.path().is_file())
            .map(|entry| {
                let name = entry.file_name().to_string_lossy().into_owned();
                match name
                    .split_once('.')
                    .and_then(|(stem, end)| Some((stem.rsplit_once('_')?.0, end)))
                {
                    Some((stem, end)) => format!("{stem}.{end}"),
                    None => name,
                }
            })
            .collect();
        names.sort();
        names
    }

    /// Changes the manifest that the build script left.
    pub fn edit_manifest(&self, edit: impl FnOnce(String) -> String) {
        let path = self.out().join("manifest");
        let text = fs::read_to_string(&path).unwrap();
        let edited = edit(text.clone());
        assert_ne!(edited, text, "the edit changes something");
        fs::write(path, edited).unwrap();
    }

    /// Every file of the project and every one beside it with its time and size, without cargo's lock and our log.
    pub fn files(&self) -> BTreeMap<PathBuf, (SystemTime, u64)> {
        let mut files = BTreeMap::new();
        let mut directories = vec![self.directory.path().to_owned()];
        while let Some(directory) = directories.pop() {
            for entry in fs::read_dir(directory).unwrap().flatten() {
                let about = entry.metadata().unwrap();
                if about.is_dir() {
                    directories.push(entry.path());
                } else if entry.file_name() != "log" && entry.file_name() != "Cargo.lock" {
                    files.insert(entry.path(), (about.modified().unwrap(), about.len()));
                }
            }
        }
        files
    }
}

fn workspace() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .unwrap()
}

/// Runs a program.
pub fn run(program: &Path, arguments: &[&str]) -> Ended {
    ended(limited(program.to_str().unwrap()).args(arguments))
}

/// A command with a deadline.
fn limited(program: &str) -> Command {
    let mut command = Command::new("timeout");
    command.args(["--kill-after=5", "300", program]);
    for (name, _) in std::env::vars_os() {
        if name.to_string_lossy().starts_with("SHMEM_") {
            command.env_remove(&name);
        }
    }
    command
}

fn ended(command: &mut Command) -> Ended {
    let output = command.output().unwrap();
    let ended = Ended {
        success: output.status.success(),
        code: output.status.code(),
        stdout: String::from_utf8_lossy(&output.stdout).into_owned(),
        stderr: String::from_utf8_lossy(&output.stderr).into_owned(),
    };
    assert_ne!(
        ended.code,
        Some(124),
        "{command:?} took too long:\n{}{}",
        ended.stdout,
        ended.stderr
    );
    ended
}

/// Removes what an earlier run of the test has built: a path package keeps its hash in another directory.
pub fn forget(target: &Path, name: &str) {
    let prefixes = [format!("{name}-"), format!("{}-", name.replace('-', "_"))];
    for profile in ["debug", "release"] {
        for below in ["build", ".fingerprint", "deps"] {
            let Ok(entries) = fs::read_dir(target.join(profile).join(below)) else {
                continue;
            };
            for entry in entries.flatten() {
                let file = entry.file_name().to_string_lossy().into_owned();
                if prefixes.iter().any(|prefix| file.starts_with(prefix)) {
                    let path = entry.path();
                    let removed = if path.is_dir() {
                        fs::remove_dir_all(&path)
                    } else {
                        fs::remove_file(&path)
                    };
                    removed.unwrap();
                }
            }
        }
    }
}
