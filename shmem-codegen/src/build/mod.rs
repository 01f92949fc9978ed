//! What a build script calls: reads the package's sources, writes the generated AscendC, compiles it for the
//! simulator, and leaves a manifest for the macro. It writes only under OUT_DIR, and only bytes that changed.

mod cfg;
mod compile;
mod error;
mod files;
mod generate;
mod sources;

use std::path::{Path, PathBuf};

#[doc(hidden)]
pub use compile::FLAGS;
pub use error::BuildError;

use crate::items::{File, Position};
use crate::manifest::{self, Manifest};

/// Compiles the kernels of the package; the whole of a build script.
///
/// Reads `src/lib.rs`, `src/main.rs`, `src/bin/` and every module below them. A mistake in a kernel is not an error of
/// the build script: the macro reports it at its place. A missing or failing C++ compiler is: the text goes to stderr
/// and the process ends with code 1.
///
/// Environment: `SHMEM_CXX` names the C++ compiler; without it, the `cc` crate's rules hold (`CXX`, `CXXFLAGS`, ...).
///
/// ```no_run
/// // The body of `main` in build.rs:
/// shmem_codegen::build();
/// ```
pub fn build() {
    Build::new().run();
}

/// A build with settings.
///
/// ```no_run
/// shmem_codegen::Build::new().source("tests/kernels.rs").overflow_checks(true).run();
/// ```
#[derive(Clone, Debug, Default)]
pub struct Build {
    sources: Vec<PathBuf>,
    overflow_checks: Option<bool>,
    debug_assertions: Option<bool>,
    check_npu: bool,
    aicore_stack: Option<u64>,
}

/// What kernels check.
#[derive(Clone, Copy)]
struct Profile {
    overflow_checks: bool,
    debug_assertions: bool,
}

/// What cargo tells a build script.
struct Package {
    root: PathBuf,
    out: PathBuf,
    name: String,
    debug: bool,
}

impl Build {
    /// A build of the package's library and binaries.
    pub fn new() -> Build {
        Build::default()
    }

    /// Reads one more crate root, such as `tests/kernels.rs` or `examples/ring.rs`, relative to the package.
    pub fn source(mut self, path: impl Into<PathBuf>) -> Build {
        self.sources.push(path.into());
        self
    }

    /// Whether integer overflow in kernels panics (`true`) or wraps. By default it panics where cargo's profile is
    /// derived from `dev`, as `debug_assertions` does; a profile that sets `debug-assertions` itself needs this call.
    pub fn overflow_checks(mut self, checks: bool) -> Build {
        self.overflow_checks = Some(checks);
        self
    }

    /// Whether `debug_assert!` in kernels asserts. By default it does where cargo's profile is derived from `dev`; a
    /// profile that sets `debug-assertions` itself needs this call.
    pub fn debug_assertions(mut self, assertions: bool) -> Build {
        self.debug_assertions = Some(assertions);
        self
    }

    /// Whether what only an NPU would refuse is refused by a build for the simulator too: locals that its stack does
    /// not hold. So a machine without an NPU says what one with it will say.
    pub fn check_npu(mut self, check: bool) -> Build {
        self.check_npu = check;
        self
    }

    /// How many bytes of stack a kernel may take on an AI core: 32 KiB, where nothing is said. More than that has to
    /// be given to the device as well; Atlas A2 and A3 take up to 192 KiB, Ascend 950 up to 128 KiB.
    pub fn aicore_stack(mut self, bytes: u64) -> Build {
        self.aicore_stack = Some(bytes);
        self
    }

    /// Builds. On an error of the tools: its text on stderr, exit code 1.
    pub fn run(self) {
        if let Err(error) = self.try_run() {
            eprintln!("error: {error}");
            std::process::exit(1);
        }
    }

    /// Builds.
    ///
    /// # Errors
    ///
    /// [`BuildError`] when not run by cargo, a file cannot be read or written, or a C++ compiler is missing or fails.
    /// Never for a mistake in a kernel.
    pub fn try_run(self) -> Result<(), BuildError> {
        // Deeply nested source takes stack in the parser. rustc has more of it than the main thread of a build script.
        let thread = std::thread::Builder::new().stack_size(256 << 20);
        let run = self.clone();
        match thread
            .spawn(move || run.compile())
            .map(std::thread::JoinHandle::join)
        {
            Ok(Ok(result)) => result,
            Ok(Err(panic)) => std::panic::resume_unwind(panic),
            Err(_) => self.compile(),
        }
    }

    fn compile(self) -> Result<(), BuildError> {
        let package = Package::from_env()?;
        println!("cargo::rerun-if-env-changed=SHMEM_CXX");
        let sources = sources::read(&package, &self.sources)?;
        let overflow_checks = self.overflow_checks.unwrap_or(package.debug);
        let profile = Profile {
            overflow_checks,
            debug_assertions: self.debug_assertions.unwrap_or(package.debug),
        };
        let limit = self.aicore_stack.unwrap_or(crate::AICORE_STACK);
        let stack = self.check_npu.then_some(limit);
        let generated = generate::generate(&package, &sources, profile, stack);
        let directory = package.out.join("shmem");
        let mut objects = Vec::new();
        let mut keep = Vec::new();
        for unit in &generated.units {
            let path = directory.join(&unit.name);
            files::write(&path, unit.text.as_bytes())?;
            keep.push(path.clone());
            objects.push(path);
        }
        let library = !generated.has_mistakes && !objects.is_empty();
        if library {
            compile::library(&package, &objects, &directory, &mut keep)?;
        }
        // With a mistake somewhere, what was compiled before is kept for when it is mended.
        if !generated.has_mistakes && sources.unread.is_empty() {
            files::remove_others(&directory, &keep)?;
        }
        let manifest = Manifest {
            version: crate::VERSION.to_owned(),
            overflow_checks,
            overflow_explicit: self.overflow_checks.is_some(),
            debug_assertions: profile.debug_assertions,
            debug_explicit: self.debug_assertions.is_some(),
            library,
            cfgs: sources.cfgs.into_iter().collect(),
            files: sources.world.files().iter().map(listed).collect(),
            devices: generated.devices,
            kernels: generated.entries,
            off: generated.off,
            unread: sources.unread,
        };
        files::write(
            &package.out.join(manifest::PATH),
            manifest.to_text().as_bytes(),
        )
    }
}

/// A file as the manifest lists it.
fn listed(file: &File) -> (String, Option<(usize, usize)>) {
    let of = match file.position {
        Position::Module(file, module) => Some((file, module)),
        Position::Root | Position::Unknown => None,
    };
    (file.path.clone(), of)
}

impl Package {
    fn from_env() -> Result<Package, BuildError> {
        let variable = |name: &'static str| {
            std::env::var(name).map_err(|_| BuildError::NotCargo { variable: name })
        };
        Ok(Package {
            root: PathBuf::from(variable("CARGO_MANIFEST_DIR")?),
            out: PathBuf::from(variable("OUT_DIR")?),
            name: variable("CARGO_PKG_NAME")?,
            debug: variable("PROFILE")? == "debug",
        })
    }

    /// `path` as the manifest and `#line` name it: relative to the package, with links resolved, as the macro does.
    fn relative(&self, path: &Path) -> String {
        let resolve = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let path = resolve(path);
        path.strip_prefix(resolve(&self.root))
            .unwrap_or(&path)
            .to_string_lossy()
            .into_owned()
    }
}
