//! The sources of a package: crate roots, then every file that a `mod` item names.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use super::{BuildError, Package, cfg};
use crate::source::{self, Found, Module};

/// A file with kernels.
pub(super) struct Source {
    /// Relative to the package, as messages name it.
    pub file: String,
    /// Modules from the crate root to the file.
    pub modules: Vec<String>,
    /// Its kernels.
    pub kernels: Vec<Found>,
}

/// Reads the usual crate roots and `extra` ones. Says to cargo which files it read.
pub(super) fn read(package: &Package, extra: &[PathBuf]) -> Result<Vec<Source>, BuildError> {
    println!("cargo::rerun-if-changed=build.rs");
    let mut roots: Vec<PathBuf> = ["src/lib.rs", "src/main.rs"]
        .iter()
        .map(|path| package.root.join(path))
        .collect();
    let bin = package.root.join("src/bin");
    if bin.is_dir() {
        rerun(&bin);
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
        seen: HashSet::new(),
        sources: Vec::new(),
    };
    for root in roots {
        let directory = root.parent().unwrap_or(&package.root).to_owned();
        reader.file(&root, &directory, Vec::new())?;
    }
    Ok(reader.sources)
}

fn rerun(path: &Path) {
    println!("cargo::rerun-if-changed={}", path.display());
}

struct Reader<'a> {
    package: &'a Package,
    seen: HashSet<PathBuf>,
    sources: Vec<Source>,
}

impl Reader<'_> {
    /// Reads `path`; its `mod` items lie under `directory`.
    fn file(
        &mut self,
        path: &Path,
        directory: &Path,
        modules: Vec<String>,
    ) -> Result<(), BuildError> {
        // A file that two crates of the package share is compiled once.
        if !self
            .seen
            .insert(path.canonicalize().unwrap_or_else(|_| path.to_owned()))
        {
            return Ok(());
        }
        rerun(path);
        let text = std::fs::read_to_string(path).map_err(|source| BuildError::File {
            action: "read",
            path: path.to_owned(),
            source,
        })?;
        // rustc reports syntax errors, and better.
        let Ok(file) = syn::parse_file(&text) else {
            return Ok(());
        };
        let scan = source::scan(&file, &cfg::active);
        if !scan.kernels.is_empty() {
            self.sources.push(Source {
                file: self.package.relative(path),
                modules: modules.clone(),
                kernels: scan.kernels,
            });
        }
        for module in &scan.modules {
            let Some((file, below)) = resolve(path, directory, module) else {
                continue;
            };
            let mut modules = modules.clone();
            modules.extend(module.parents.iter().cloned());
            modules.push(module.name.clone());
            self.file(&file, &below, modules)?;
        }
        Ok(())
    }
}

/// The file of `mod name;`, and the directory of its own modules; none where it is missing, which rustc reports.
fn resolve(from: &Path, directory: &Path, module: &Module) -> Option<(PathBuf, PathBuf)> {
    let name = module.name.trim_start_matches("r#");
    let mut base = directory.to_owned();
    base.extend(
        module
            .parents
            .iter()
            .map(|parent| parent.trim_start_matches("r#")),
    );
    if let Some(path) = &module.path {
        // Relative to the file's directory, or to the inline module's.
        let base = if module.parents.is_empty() {
            from.parent()?.to_owned()
        } else {
            base
        };
        let file = base.join(path);
        let below = file.parent()?.to_owned();
        return file.is_file().then_some((file, below));
    }
    let below = base.join(name);
    [base.join(format!("{name}.rs")), below.join("mod.rs")]
        .into_iter()
        .find(|candidate| candidate.is_file())
        .map(|file| (file, below))
}
