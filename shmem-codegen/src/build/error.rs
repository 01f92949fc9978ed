//! What can go wrong in a build script, apart from mistakes in kernels.

use std::fmt;
use std::path::PathBuf;

/// An error of the build script.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// A variable that cargo sets for build scripts is missing.
    NotCargo {
        /// Its name.
        variable: &'static str,
    },
    /// A file could not be read or written.
    File {
        /// What was being done.
        action: &'static str,
        /// The file.
        path: PathBuf,
        /// The system's error.
        source: std::io::Error,
    },
    /// No C++ compiler was found.
    NoCompiler {
        /// What was tried.
        tried: String,
        /// Why that did not work.
        reason: String,
    },
    /// The C++ compiler failed.
    Compiler {
        /// The whole command.
        command: String,
        /// How it ended.
        status: std::process::ExitStatus,
        /// Its whole output.
        output: String,
    },
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuildError::NotCargo { variable } => {
                write!(
                    f,
                    "{variable} is not set: shmem_codegen::build() is to be called from a build script"
                )
            }
            BuildError::File {
                action,
                path,
                source,
            } => write!(f, "cannot {action} {}: {source}", path.display()),
            BuildError::NoCompiler { tried, reason } => write!(
                f,
                "no C++ compiler to compile kernels with: `{tried}` cannot be run ({reason})\n\n\
                 help: install one (on Debian and Ubuntu: apt-get install g++), or set SHMEM_CXX to its path"
            ),
            BuildError::Compiler {
                command,
                status,
                output,
            } => {
                write!(
                    f,
                    "the C++ compiler failed on the generated kernels ({status})\n\n{output}\ncommand: {command}"
                )
            }
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            BuildError::File { source, .. } => Some(source),
            _ => None,
        }
    }
}
