//! The sources of a package: crate roots, then every file that a `mod` item names.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::path::{Path, PathBuf};
use std::rc::Rc;

use super::{BuildError, Package, cfg};
use crate::items::{File, Position, World};
use crate::manifest::{Entry, Report};
use crate::source::{self, Module, Scan};

/// A file, where it is met first.
pub(super) struct Source {
    /// Relative to the package, as messages name it.
    pub file: String,
    /// Its number in the world.
    pub number: usize,
    /// Modules from the crate root to the file.
    pub modules: Vec<String>,
    /// What it holds.
    pub scan: Rc<Scan>,
}

/// All of a package.
pub(super) struct Sources {
    /// Its files, each once.
    pub files: Vec<Source>,
    /// Its crates.
    pub world: World,
    /// Files that the parser does not understand.
    pub unread: Vec<Entry>,
    /// What predicates of `cfg` were taken for.
    pub cfgs: BTreeMap<String, bool>,
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
        scans: HashMap::new(),
        around: Vec::new(),
        files: Vec::new(),
        sources: Vec::new(),
        unread: Vec::new(),
        cfgs: RefCell::default(),
    };
    for file in roots {
        let root = Location { file, below: None };
        reader.file(&root, Position::Root, Vec::new())?;
    }
    let krate = package.name.replace('-', "_");
    Ok(Sources {
        files: reader.sources,
        world: World::new(krate, reader.files, Box::new(|_| None)),
        unread: reader.unread,
        cfgs: reader.cfgs.into_inner(),
    })
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
    /// What files hold, by their paths without links; none of those that the parser does not understand.
    scans: HashMap<PathBuf, Option<Rc<Scan>>>,
    /// The files around the one that is read: a file that is a module of itself ends.
    around: Vec<PathBuf>,
    files: Vec<File>,
    sources: Vec<Source>,
    unread: Vec<Entry>,
    cfgs: RefCell<BTreeMap<String, bool>>,
}

impl Reader<'_> {
    fn file(
        &mut self,
        location: &Location,
        position: Position,
        modules: Vec<String>,
    ) -> Result<(), BuildError> {
        let path = &location.file;
        let canonical = path.canonicalize().unwrap_or_else(|_| path.clone());
        if self.around.contains(&canonical) {
            return Ok(());
        }
        rerun(path);
        let number = self.files.len();
        let file = self.package.relative(path);
        let first = !self.scans.contains_key(&canonical);
        if first {
            let scan = self.scan(path)?.map(Rc::new);
            self.scans.insert(canonical.clone(), scan);
        }
        let Some(scan) = self.scans.get(&canonical).cloned().flatten() else {
            self.files.push(File::unread(file, position));
            return Ok(());
        };
        self.files
            .push(File::read(file.clone(), position, scan.clone()));
        // A file that two crates of the package share is compiled once.
        if first {
            self.sources.push(Source {
                file,
                number,
                modules: modules.clone(),
                scan: scan.clone(),
            });
        }
        self.around.push(canonical);
        for (index, module) in scan.modules.iter().enumerate() {
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
            self.file(found, Position::Module(number, index), modules)?;
        }
        self.around.pop();
        Ok(())
    }

    /// Reads a file. rustc reports what is no text and no Rust, and better. Where it sees nothing wrong, the macro tells.
    fn scan(&mut self, path: &Path) -> Result<Option<Scan>, BuildError> {
        let text = match std::fs::read_to_string(path) {
            Ok(text) => text,
            Err(error) if error.kind() == std::io::ErrorKind::InvalidData => {
                self.unread(path, 1, 0, &error);
                return Ok(None);
            }
            Err(source) => {
                return Err(BuildError::File {
                    action: "read",
                    path: path.to_owned(),
                    source,
                });
            }
        };
        let file = match crate::parse_file(&text) {
            Ok(file) => file,
            Err(error) => {
                let start = error.span().start();
                self.unread(path, start.line, start.column, &error);
                return Ok(None);
            }
        };
        let cfgs = &self.cfgs;
        Ok(Some(source::scan(&file, &|predicate| {
            let holds = cfg::active(predicate);
            let mut cfgs = cfgs.borrow_mut();
            cfgs.insert(source::predicate(predicate), holds);
            Some(holds)
        })))
    }

    fn unread(&mut self, path: &Path, line: usize, column: usize, error: &dyn std::error::Error) {
        let file = self.package.relative(path);
        let message = format!(
            "the build script cannot read the file of this kernel: {file}:{line}:{}: {error}",
            column + 1
        );
        let help = "move the kernel to a module in another file, without what stands there";
        self.unread.push(Entry {
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
