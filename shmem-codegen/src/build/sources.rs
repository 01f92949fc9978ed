//! The sources of a package: crate roots, then every file that a `mod` item names.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::{BuildError, Package, cfg};
use crate::manifest::{Entry, Report};
use crate::source::{self, Found, Module, Off, Siblings};

/// A file with kernels.
pub(super) struct Source {
    /// Relative to the package, as messages name it.
    pub file: String,
    /// Modules from the crate root to the file.
    pub modules: Vec<String>,
    /// Its kernels.
    pub kernels: Vec<Found>,
    /// What stands beside each of them.
    pub siblings: Vec<Siblings>,
    /// Its device functions, and what stands beside each.
    pub devices: Vec<(syn::ItemFn, Siblings)>,
    /// Its kernels that are off.
    pub off: Vec<Off>,
}

/// All of a package.
#[derive(Default)]
pub(super) struct Sources {
    /// Files with kernels.
    pub files: Vec<Source>,
    /// Files that the parser does not understand.
    pub unread: Vec<Entry>,
}

/// Reads the usual crate roots and `extra` ones. Says to cargo which files it read.
pub(super) fn read(package: &Package, extra: &[PathBuf]) -> Result<Sources, BuildError> {
    // The whole directory, so that a crate root or a module that appears is seen.
    let src = package.root.join("src");
    if src.is_dir() {
        rerun(&src);
    }
    let mut roots: Vec<PathBuf> = ["src/lib.rs", "src/main.rs"]
        .iter()
        .map(|path| package.root.join(path))
        .collect();
    let bin = package.root.join("src/bin");
    if bin.is_dir() {
        let mut binaries: Vec<PathBuf> = std::fs::read_dir(&bin)
            .map_err(|source| BuildError::File {
                action: "list",
                path: bin.clone(),
                source,
            })?
            .flatten()
            .map(|entry| entry.path())
            .map(|path| {
                if path.is_dir() {
                    path.join("main.rs")
                } else {
                    path
                }
            })
            .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
            .collect();
        binaries.sort();
        roots.append(&mut binaries);
    }
    roots.retain(|root| root.is_file());
    for path in extra {
        let path = package.root.join(path);
        if !path.is_file() {
            let source = std::io::Error::new(std::io::ErrorKind::NotFound, "there is no such file");
            return Err(BuildError::File {
                action: "read the source",
                path,
                source,
            });
        }
        roots.push(path);
    }
    let mut reader = Reader {
        package,
        src: &src,
        walked: HashSet::new(),
        seen: HashSet::new(),
        sources: Sources::default(),
    };
    for root in roots {
        reader.file(
            &Location {
                file: root,
                below: None,
            },
            Vec::new(),
        )?;
    }
    Ok(reader.sources)
}

fn rerun(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

/// A file, and where its modules lie: beside it, or in a directory beside it.
struct Location {
    file: PathBuf,
    below: Option<String>,
}

struct Reader<'a> {
    package: &'a Package,
    src: &'a Path,
    /// Files with the place of their modules.
    walked: HashSet<(PathBuf, Option<String>)>,
    /// Files whose kernels are known.
    seen: HashSet<PathBuf>,
    sources: Sources,
}

impl Reader<'_> {
    fn file(&mut self, location: &Location, modules: Vec<String>) -> Result<(), BuildError> {
        let path = &location.file;
        let canonical = path.canonicalize().unwrap_or_else(|_| path.clone());
        // Through a link, modules are looked for beside the link.
        let directory = path.parent().map(|parent| {
            let parent = parent.canonicalize().unwrap_or_else(|_| parent.to_owned());
            parent.join(path.file_name().unwrap_or_default())
        });
        if !self.walked.insert((
            directory.unwrap_or_else(|| path.clone()),
            location.below.clone(),
        )) {
            return Ok(());
        }
        rerun(path);
        // A file that two crates of the package share is compiled once.
        let first = self.seen.insert(canonical);
        // rustc reports what is no text and no Rust, and better. Where it sees nothing wrong, the macro tells.
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                self.unread(path, 1, 0, &error);
                return Ok(());
            }
            Err(source) => {
                return Err(BuildError::File {
                    action: "read",
                    path: path.clone(),
                    source,
                });
            }
        };
        let file = match crate::parse_file(&text) {
            Ok(file) => file,
            Err(error) => {
                let start = error.span().start();
                self.unread(path, start.line, start.column, &error);
                return Ok(());
            }
        };
        let scan = source::scan(&file, &cfg::active);
        if first && !(scan.kernels.is_empty() && scan.off.is_empty() && scan.devices.is_empty()) {
            self.sources.files.push(Source {
                file: self.package.relative(path),
                modules: modules.clone(),
                siblings: scan
                    .kernels
                    .iter()
                    .map(|kernel| scan.siblings(&kernel.path))
                    .collect(),
                devices: scan
                    .devices
                    .iter()
                    .map(|(path, item)| (item.clone(), scan.siblings(path)))
                    .collect(),
                kernels: scan.kernels,
                off: scan.off,
            });
        }
        for module in &scan.modules {
            let candidates = resolve(location, module);
            let Some(found) = candidates.iter().find(|found| found.file.is_file()) else {
                // rustc reports that. When the file appears, it is to be read.
                if let Some(missing) = candidates.first()
                    && !missing.file.starts_with(self.src)
                    && let Some(there) = missing.file.ancestors().find(|path| path.is_dir())
                {
                    rerun(there);
                }
                continue;
            };
            let mut modules = modules.clone();
            modules.extend(module.parents.iter().map(|parent| parent.name.clone()));
            modules.push(module.name.clone());
            self.file(found, modules)?;
        }
        Ok(())
    }

    fn unread(&mut self, path: &Path, line: usize, column: usize, error: &dyn std::error::Error) {
        let file = self.package.relative(path);
        let message = format!(
            "the build script cannot read the file of this kernel: {file}:{line}:{}: {error}",
            column + 1
        );
        let help = "move the kernel to a module in another file, without what stands there";
        self.sources.unread.push(Entry {
            file,
            diagnostics: vec![Report {
                code: "SHM0001".to_owned(),
                message,
                help: help.to_owned(),
                ..Report::default()
            }],
            ..Entry::default()
        });
    }
}

/// The files that `mod name;` may mean: rustc's rules.
fn resolve(from: &Location, module: &Module) -> Vec<Location> {
    let plain = |name: &str| name.trim_start_matches("r#").to_owned();
    let mut directory = from.file.parent().unwrap_or(Path::new("")).to_owned();
    let mut below = from.below.clone();
    for parent in &module.parents {
        if let Some(path) = &parent.path {
            directory.push(path);
        } else {
            if !parent.in_body {
                directory.extend(below);
            }
            directory.push(plain(&parent.name));
        }
        below = None;
    }
    if let Some(path) = &module.path {
        let file = directory.join(path);
        return vec![Location { file, below: None }];
    }
    if module.in_body {
        return Vec::new();
    }
    directory.extend(below);
    let name = plain(&module.name);
    vec![
        Location {
            file: directory.join(format!("{name}.rs")),
            below: Some(name.clone()),
        },
        Location {
            file: directory.join(&name).join("mod.rs"),
            below: None,
        },
    ]
}
