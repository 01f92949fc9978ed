//! rustc and the C++ compilers: flags, and files in a directory.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use shmem_codegen::build::FLAGS;

const SANITIZERS: [&str; 3] = [
    "-fsanitize=address,undefined,float-cast-overflow",
    "-fno-sanitize-recover=all",
    "-fno-omit-frame-pointer",
];

/// One way to compile the C++.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Config {
    /// As reports name it.
    pub name: &'static str,
    /// Program.
    pub compiler: &'static str,
    /// What it adds to the flags.
    pub flags: &'static [&'static str],
    /// With AddressSanitizer and UBSan.
    pub sanitized: bool,
    /// Only kernels that compute with floats.
    pub floats_only: bool,
}

const fn config(
    name: &'static str,
    compiler: &'static str,
    flags: &'static [&'static str],
) -> Config {
    Config {
        name,
        compiler,
        flags,
        sanitized: false,
        floats_only: false,
    }
}

/// As the build script compiles.
pub const GCC: Config = config("g++ -O2", "g++", &["-O2"]);
/// g++ without optimisation, under the sanitizers.
pub const GCC_SAN: Config = Config {
    sanitized: true,
    ..config("g++ -O0 sanitized", "g++", &["-O0"])
};
/// clang++ without optimisation, under the sanitizers.
pub const CLANG_SAN: Config = Config {
    sanitized: true,
    ..config("clang++ -O0 sanitized", "clang++", &["-O0"])
};
/// clang++ with optimisation, under the sanitizers.
pub const CLANG_O2_SAN: Config = Config {
    sanitized: true,
    ..config("clang++ -O2 sanitized", "clang++", &["-O2"])
};
/// clang++ as the build script would call it.
pub const CLANG: Config = config("clang++ -O2", "clang++", &["-O2"]);
/// g++ where one instruction multiplies and adds.
pub const GCC_FMA: Config = Config {
    floats_only: true,
    ..config("g++ -O2 -mfma", "g++", &["-O2", "-mfma"])
};
/// clang++ where one instruction multiplies and adds.
pub const CLANG_FMA: Config = Config {
    floats_only: true,
    ..config("clang++ -O2 -mfma", "clang++", &["-O2", "-mfma"])
};

/// Whether `program` runs.
pub fn available(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status()
        .is_ok_and(|status| status.success())
}

/// Whether this CPU has fused multiply-add.
pub fn has_fma() -> bool {
    #[cfg(target_arch = "x86_64")]
    {
        std::arch::is_x86_feature_detected!("fma")
    }
    #[cfg(not(target_arch = "x86_64"))]
    false
}

/// A directory with the headers, the shim and the drivers.
#[derive(Debug)]
pub struct Tools {
    root: PathBuf,
}

impl Tools {
    /// Prepares `root` for `configs`.
    pub fn new(root: &Path, configs: &[Config]) -> Result<Tools, String> {
        for part in shmem_headers::SIMULATOR {
            for header in part.headers {
                let path = root.join(part.name).join(header.path);
                write(&path, header.text)?;
            }
        }
        write(&root.join("driver.cpp"), include_str!("driver.cpp"))?;
        write(&root.join("shim.rs"), include_str!("shim.rs"))?;
        let tools = Tools {
            root: root.to_owned(),
        };
        tools.compile_shim()?;
        let mut done = Vec::new();
        for config in configs {
            let key = (config.compiler, config.sanitized);
            if !done.contains(&key) {
                done.push(key);
                let mut command = tools.cpp(config);
                command.arg("-rdynamic").arg("-o").arg(tools.driver(config));
                run(command.arg(root.join("driver.cpp")).arg("-ldl"))?;
            }
        }
        Ok(tools)
    }

    /// Compiles the shim against the `half` that this program was built with.
    fn compile_shim(&self) -> Result<(), String> {
        let mut halves = Vec::new();
        let mut problem =
            "no libhalf-*.rlib beside this program: it is a dev-dependency".to_owned();
        for directory in dependencies() {
            for entry in std::fs::read_dir(&directory)
                .into_iter()
                .flatten()
                .flatten()
            {
                let name = entry.file_name().to_string_lossy().into_owned();
                if name.starts_with("libhalf-") && name.ends_with(".rlib") {
                    let age = entry.metadata().and_then(|data| data.modified()).ok();
                    halves.push((age, directory.clone(), entry.path()));
                }
            }
        }
        // The newest first: older ones may be of another compiler.
        halves.sort();
        for (_, directory, half) in halves.iter().rev() {
            let compiled = [true, false].into_iter().try_for_each(|checks| {
                let mut rustc = self.rustc(checks);
                rustc.args(["--crate-type=rlib", "--crate-name=shmem", "-o"]);
                rustc.arg(self.shim(checks)).arg("--extern");
                rustc.arg(format!("half={}", half.display()));
                rustc.arg(format!("-Ldependency={}", directory.display()));
                run(rustc.arg(self.root.join("shim.rs")))
            });
            match compiled {
                Ok(()) => {
                    write(
                        &self.root.join("dependencies"),
                        directory.display().to_string(),
                    )?;
                    return Ok(());
                }
                Err(error) => problem = error,
            }
        }
        Err(format!("the shim does not compile: {problem}"))
    }

    fn shim(&self, checks: bool) -> PathBuf {
        let directory = self
            .root
            .join(if checks { "checks_on" } else { "checks_off" });
        std::fs::create_dir_all(&directory).ok();
        directory.join("libshmem.rlib")
    }

    fn rustc(&self, checks: bool) -> Command {
        let mut rustc = Command::new(std::env::var_os("RUSTC").unwrap_or_else(|| "rustc".into()));
        let on = if checks { "on" } else { "off" };
        rustc.args([
            "--edition=2024",
            "-Copt-level=1",
            "-Cdebuginfo=0",
            "--error-format=short",
        ]);
        rustc.arg(format!("-Coverflow-checks={on}"));
        rustc.arg(format!("-Cdebug-assertions={on}"));
        rustc.args([
            "-Aarithmetic_overflow",
            "-Aunconditional_panic",
            "-Awarnings",
        ]);
        rustc.arg("-Doverflowing_literals");
        rustc
    }

    /// The driver that runs libraries of `config`.
    pub fn driver(&self, config: &Config) -> PathBuf {
        let sanitized = if config.sanitized { "_san" } else { "" };
        self.root.join(format!(
            "driver_{}{sanitized}",
            config.compiler.replace('+', "p")
        ))
    }

    fn cpp(&self, config: &Config) -> Command {
        let mut command = Command::new(config.compiler);
        // How far it goes, and how much it optimises, is said by the caller and the configuration.
        let own = |flag: &&&str| matches!(**flag, "-O2" | "-c");
        command.args(FLAGS.iter().filter(|flag| !own(flag)));
        command.args(config.flags);
        if config.sanitized {
            command.args(SANITIZERS);
        }
        for part in shmem_headers::SIMULATOR {
            command.arg("-I").arg(self.root.join(part.name));
        }
        command
    }

    /// Compiles `main`, which holds the kernels, to `program`; the error is what rustc says.
    pub fn rust(&self, main: &Path, program: &Path, checks: bool) -> Result<(), String> {
        let mut rustc = self.rustc(checks);
        rustc
            .args(["--crate-type=bin", "-Ccodegen-units=4", "-o"])
            .arg(program);
        let dependencies =
            std::fs::read_to_string(self.root.join("dependencies")).unwrap_or_default();
        rustc.arg(format!("-Ldependency={dependencies}"));
        let mut shim = std::ffi::OsString::from("shmem=");
        shim.push(self.shim(checks));
        run(rustc.arg("--extern").arg(shim).arg(main))
    }

    /// Compiles `source` to a library.
    pub fn library(&self, config: &Config, source: &Path, library: &Path) -> Result<(), String> {
        let mut command = self.cpp(config);
        command.arg("-shared");
        if !config.sanitized {
            command.args(["-nostdlib", "-Wl,--build-id=none"]);
        }
        run(command.arg("-o").arg(library).arg(source))
    }

    /// Whether the compiler takes `source`.
    pub fn accepts(&self, config: &Config, source: &Path) -> Result<(), String> {
        run(self.cpp(config).arg("-fsyntax-only").arg(source))
    }
}

/// Where cargo puts what this program depends on.
fn dependencies() -> Vec<PathBuf> {
    let program = std::env::current_exe().unwrap_or_default();
    let directories = program.ancestors().skip(1).take(2);
    directories
        .flat_map(|up| [up.join("deps"), up.to_owned()])
        .filter(|path| path.is_dir())
        .collect()
}

/// Writes a file, making its directory.
pub fn write(path: &Path, text: impl AsRef<[u8]>) -> Result<(), String> {
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent)
            .map_err(|error| format!("{}: {error}", parent.display()))?;
    }
    std::fs::write(path, text).map_err(|error| format!("{}: {error}", path.display()))
}

fn run(command: &mut Command) -> Result<(), String> {
    let output = command
        .output()
        .map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(());
    }
    Err(String::from_utf8_lossy(&output.stderr).into_owned())
}
