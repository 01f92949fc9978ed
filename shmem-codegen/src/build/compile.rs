//! Generated C++ to a shared library for the simulator, by the target's C++ compiler.

use std::path::{Path, PathBuf};
use std::process::Command;

use super::{BuildError, Package, files};
use crate::manifest;
use crate::tokens;

/// Flags of every compilation. The last ones undo what a user's CXXFLAGS might do to the meaning of a kernel.
pub const FLAGS: [&str; 12] = [
    "-std=c++17",
    "-O2",
    "-fPIC",
    "-fvisibility=hidden",
    "-fno-exceptions",
    "-fno-rtti",
    "-fno-finite-loops",
    "-fno-strict-aliasing",
    "-fno-fast-math",
    "-ffp-contract=off",
    "-DSHMEM_SIM",
    "-c",
];

/// Compiles `sources` to objects that are not there yet, and links them.
pub(super) fn library(
    package: &Package,
    sources: &[PathBuf],
    directory: &Path,
    keep: &mut Vec<PathBuf>,
) -> Result<(), BuildError> {
    let compiler = Compiler::find()?;
    let mut headers = String::new();
    let include = directory.join("include");
    for part in shmem_headers::SIMULATOR {
        for header in part.headers {
            files::write(
                &include.join(part.name).join(header.path),
                header.text.as_bytes(),
            )?;
            headers.push_str(header.text);
        }
    }
    let mut objects = Vec::new();
    let mut keys = String::new();
    for source in sources {
        let object = source.with_extension("o");
        let mut command = compiler.command();
        command.args(FLAGS);
        for part in shmem_headers::SIMULATOR {
            command.arg("-I").arg(include.join(part.name));
        }
        command.arg("-o").arg(&object).arg(source);
        let text = std::fs::read_to_string(source).map_err(|source_error| BuildError::File {
            action: "read",
            path: source.clone(),
            source: source_error,
        })?;
        let key = key(&command, &[&text, &headers]);
        keys.push_str(&key);
        keep.extend([object.clone(), key_path(&object)]);
        run_unless(&object, &key, command, &compiler)?;
        objects.push(object);
    }
    let library = package.out.join(manifest::LIBRARY);
    let mut command = compiler.command();
    // Nothing of libstdc++: what the compiler itself calls (memcpy) is in the process already.
    command
        .args(["-shared", "-nostdlib", "-Wl,--build-id=none", "-o"])
        .arg(&library)
        .args(&objects);
    keep.extend([library.clone(), key_path(&library)]);
    let key = key(&command, &[&keys]);
    run_unless(&library, &key, command, &compiler)
}

fn key(command: &Command, texts: &[&str]) -> String {
    let command = shown(command);
    format!(
        "{:016x}\n",
        tokens::fnv([command.as_str()].into_iter().chain(texts.iter().copied()))
    )
}

/// A command as it can be typed again. What the `cc` crate sets in its environment is the build script's own.
fn shown(command: &Command) -> String {
    let words = [command.get_program()]
        .into_iter()
        .chain(command.get_args());
    let quoted = words.map(|word| {
        let word = word.to_string_lossy();
        let plain = |c: char| c.is_alphanumeric() || "-_=+./:,@%".contains(c);
        if word.chars().all(plain) && !word.is_empty() {
            word.into_owned()
        } else {
            format!("'{}'", word.replace('\'', "'\\''"))
        }
    });
    quoted.collect::<Vec<_>>().join(" ")
}

fn key_path(output: &Path) -> PathBuf {
    let mut path = output.as_os_str().to_owned();
    path.push(".key");
    path.into()
}

/// Runs `command` unless `output` was made by the same command from the same bytes.
fn run_unless(
    output: &Path,
    key: &str,
    mut command: Command,
    compiler: &Compiler,
) -> Result<(), BuildError> {
    let key_path = key_path(output);
    if output.is_file() && std::fs::read_to_string(&key_path).is_ok_and(|old| old == key) {
        return Ok(());
    }
    // What a compilation that is cut short leaves is not taken for its result.
    files::remove(&key_path)?;
    let text = shown(&command);
    let result = command
        .output()
        .map_err(|error| compiler.missing(&error.to_string()))?;
    if !result.status.success() {
        let mut output = String::from_utf8_lossy(&result.stdout).into_owned();
        output.push_str(&String::from_utf8_lossy(&result.stderr));
        return Err(BuildError::Compiler {
            command: text,
            status: result.status,
            output,
        });
    }
    files::write(&key_path, key.as_bytes())
}

struct Compiler {
    tool: Option<cc::Tool>,
    program: PathBuf,
}

impl Compiler {
    /// `SHMEM_CXX`, else what the `cc` crate finds for the target.
    fn find() -> Result<Compiler, BuildError> {
        if let Some(program) = std::env::var_os("SHMEM_CXX").filter(|program| !program.is_empty()) {
            return Ok(Compiler {
                tool: None,
                program: program.into(),
            });
        }
        let tool = cc::Build::new()
            .cpp(true)
            .opt_level(2)
            .warnings(false)
            .try_get_compiler()
            .map_err(|error| BuildError::NoCompiler {
                tried: "c++".to_owned(),
                reason: error.to_string(),
            })?;
        Ok(Compiler {
            program: tool.path().to_owned(),
            tool: Some(tool),
        })
    }

    fn command(&self) -> Command {
        match &self.tool {
            Some(tool) => tool.to_command(),
            None => Command::new(&self.program),
        }
    }

    fn missing(&self, reason: &str) -> BuildError {
        BuildError::NoCompiler {
            tried: self.program.display().to_string(),
            reason: reason.to_owned(),
        }
    }
}
