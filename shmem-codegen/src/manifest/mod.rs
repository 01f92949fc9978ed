//! What the build script tells the macro: a text file in OUT_DIR, one line a fact, fields between tabs.
//!
//! ```text
//! shmem-manifest <generator version>
//! overflow_checks <true|false> <explicit|profile>
//! debug_assertions <true|false> <explicit|profile>
//! library <true|false>
//! cfg <predicate> <true|false>
//! file <path>                                                          a crate root
//! module <path> <file> <module>                                        the file of a module of a file before it
//! kernel <file> <line> <column> <token hash> <symbol> <contract> <path>
//! device <file> <line> <column> <token hash>
//! home <file> <scope>                                                  of the kernel or device function before it
//! sites <line>:<column>[:<file>] ...                                   of the kernel before it
//! off <file> <line> <column>
//! unread <file>
//! diagnostic <first token> <last token> <code> <message> <help>        about the kernel or file before it
//! ```

use std::fmt::Write as _;

use crate::diag::Diagnostic;
use crate::tokens::Flat;

/// Where the manifest lies, below OUT_DIR.
pub const PATH: &str = "shmem/manifest";
/// Where the library lies, below OUT_DIR.
pub const LIBRARY: &str = "shmem/libkernels.so";

/// A manifest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Manifest {
    /// Version of the generator that wrote it.
    pub version: String,
    /// Whether the kernels check for overflow.
    pub overflow_checks: bool,
    /// Whether the build script said so, rather than the profile.
    pub overflow_explicit: bool,
    /// Whether `debug_assert!` asserts in the kernels.
    pub debug_assertions: bool,
    /// Whether the build script said so, rather than the profile.
    pub debug_explicit: bool,
    /// Whether there is a library.
    pub library: bool,
    /// What the build script takes each predicate of a `cfg` for.
    pub cfgs: Vec<(String, bool)>,
    /// The files of the package's crates, each with the number of the file that declares it as a module, and the number
    /// of the module there.
    pub files: Vec<(String, Option<(usize, usize)>)>,
    /// All device functions, by their places and tokens.
    pub devices: Vec<Entry>,
    /// All kernels of the package.
    pub kernels: Vec<Entry>,
    /// Kernels that a `cfg` takes away, by their places: where rustc sees one after all, its diagnostic says so.
    pub off: Vec<Entry>,
    /// Files that the build script does not understand: each stands for all kernels in it, whose places are unknown.
    pub unread: Vec<Entry>,
}

/// A kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Entry {
    /// Source file, relative to the package.
    pub file: String,
    /// 1-based line of the name.
    pub line: usize,
    /// 0-based column of the name.
    pub column: usize,
    /// Hash of the tokens.
    pub hash: u64,
    /// Symbol in the library.
    pub symbol: String,
    /// Contract hash.
    pub contract: u64,
    /// Crate, modules and name, with `::`.
    pub path: String,
    /// Mistakes in it.
    pub diagnostics: Vec<Report>,
    /// Number of its file, and of its scope there.
    pub home: (usize, usize),
    /// Where it may panic; the places in its device functions are among them.
    pub sites: Vec<Place>,
}

/// A place in a source file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Place {
    /// 1-based line.
    pub line: usize,
    /// 1-based column.
    pub column: usize,
    /// Number of the file, where it is another than the kernel's.
    pub file: Option<usize>,
}

impl Place {
    fn text(&self) -> String {
        let Place { line, column, file } = self;
        match file {
            Some(file) => format!("{line}:{column}:{file}"),
            None => format!("{line}:{column}"),
        }
    }

    fn parse(text: &str) -> Option<Place> {
        let mut numbers = text.split(':').map(str::parse);
        Some(Place {
            line: numbers.next()?.ok()?,
            column: numbers.next()?.ok()?,
            file: numbers.next().transpose().ok()?,
        })
    }
}

/// A mistake, by the indices of its first and last token.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// Index of the first token.
    pub first: usize,
    /// Index of the last token.
    pub last: usize,
    /// Code of the rule.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// What to write instead.
    pub help: String,
}

impl Report {
    /// A diagnostic by the indices of its tokens, which the macro has too.
    pub fn new(diag: &Diagnostic, flat: &[Flat]) -> Report {
        let (start, end) = (diag.range.first.start(), diag.range.last.end());
        let first = flat.iter().position(|token| token.span.start() == start);
        // The last token may be a group: it ends with its closing delimiter. That of `x.0.1` is one number, `0.1`, of
        // which a field is a part.
        let last = flat.iter().rposition(|token| token.span.end() == end);
        let last = last.or_else(|| flat.iter().rposition(|token| token.span.start() < end));
        let first = first.unwrap_or(0);
        Report {
            first,
            last: last.unwrap_or(first).max(first),
            code: diag.code.clone(),
            message: diag.message.clone(),
            help: diag.help.clone(),
        }
    }
}

impl Manifest {
    /// The text.
    pub fn to_text(&self) -> String {
        let mut text = format!("shmem-manifest\t{}\n", escape(&self.version));
        for (what, on, explicit) in [
            (
                "overflow_checks",
                self.overflow_checks,
                self.overflow_explicit,
            ),
            (
                "debug_assertions",
                self.debug_assertions,
                self.debug_explicit,
            ),
        ] {
            let by = if explicit { "explicit" } else { "profile" };
            let _ = writeln!(text, "{what}\t{on}\t{by}");
        }
        let _ = writeln!(text, "library\t{}", self.library);
        for (predicate, holds) in &self.cfgs {
            let _ = writeln!(text, "cfg\t{}\t{holds}", escape(predicate));
        }
        for (path, of) in &self.files {
            let path = escape(path);
            let _ = match of {
                None => writeln!(text, "file\t{path}"),
                Some((file, module)) => writeln!(text, "module\t{path}\t{file}\t{module}"),
            };
        }
        for device in &self.devices {
            let Entry {
                file,
                line,
                column,
                hash,
                home: (number, scope),
                ..
            } = device;
            let file = escape(file);
            let _ = writeln!(text, "device\t{file}\t{line}\t{column}\t{hash:016x}");
            let _ = writeln!(text, "home\t{number}\t{scope}");
        }
        for kernel in &self.kernels {
            let _ = writeln!(
                text,
                "kernel\t{}\t{}\t{}\t{:016x}\t{}\t{:016x}\t{}",
                escape(&kernel.file),
                kernel.line,
                kernel.column,
                kernel.hash,
                escape(&kernel.symbol),
                kernel.contract,
                escape(&kernel.path),
            );
            let (number, scope) = kernel.home;
            let _ = writeln!(text, "home\t{number}\t{scope}");
            if !kernel.sites.is_empty() {
                let sites: Vec<String> = kernel.sites.iter().map(Place::text).collect();
                let _ = writeln!(text, "sites\t{}", sites.join(" "));
            }
            diagnostics(&mut text, kernel);
        }
        for kernel in &self.off {
            let Entry {
                file, line, column, ..
            } = kernel;
            let _ = writeln!(text, "off\t{}\t{line}\t{column}", escape(file));
            diagnostics(&mut text, kernel);
        }
        for file in &self.unread {
            let _ = writeln!(text, "unread\t{}", escape(&file.file));
            diagnostics(&mut text, file);
        }
        text
    }

    /// Reads a text; `None` where it is not one of ours.
    pub fn parse(text: &str) -> Option<Manifest> {
        let mut manifest = Manifest::default();
        let mut about = About::Kernel;
        for (number, line) in text.lines().enumerate() {
            let fields: Vec<String> = line.split('\t').map(unescape).collect();
            let fields: Vec<&str> = fields.iter().map(String::as_str).collect();
            match fields[..] {
                ["shmem-manifest", version] if number == 0 => manifest.version = version.to_owned(),
                _ if number == 0 => return None,
                ["overflow_checks", checks, explicit] => {
                    manifest.overflow_checks = checks.parse().ok()?;
                    manifest.overflow_explicit = explicit == "explicit";
                }
                ["debug_assertions", on, explicit] => {
                    manifest.debug_assertions = on.parse().ok()?;
                    manifest.debug_explicit = explicit == "explicit";
                }
                ["library", library] => manifest.library = library.parse().ok()?,
                ["cfg", predicate, holds] => {
                    let holds = holds.parse().ok()?;
                    manifest.cfgs.push((predicate.to_owned(), holds));
                }
                ["file", path] => manifest.files.push((path.to_owned(), None)),
                ["module", path, file, module] => {
                    let of = (file.parse().ok()?, module.parse().ok()?);
                    // A file comes after the one that declares it.
                    if of.0 >= manifest.files.len() {
                        return None;
                    }
                    manifest.files.push((path.to_owned(), Some(of)));
                }
                ["device", file, line, column, hash] => {
                    about = About::Device;
                    manifest.devices.push(Entry {
                        file: file.to_owned(),
                        line: line.parse().ok()?,
                        column: column.parse().ok()?,
                        hash: u64::from_str_radix(hash, 16).ok()?,
                        ..Entry::default()
                    });
                }
                ["home", file, scope] => {
                    let entries = match about {
                        About::Device => &mut manifest.devices,
                        _ => &mut manifest.kernels,
                    };
                    let home = (file.parse().ok()?, scope.parse().ok()?);
                    if home.0 >= manifest.files.len() {
                        return None;
                    }
                    entries.last_mut()?.home = home;
                }
                ["kernel", file, line, column, hash, symbol, contract, path] => {
                    about = About::Kernel;
                    manifest.kernels.push(Entry {
                        file: file.to_owned(),
                        line: line.parse().ok()?,
                        column: column.parse().ok()?,
                        hash: u64::from_str_radix(hash, 16).ok()?,
                        symbol: symbol.to_owned(),
                        contract: u64::from_str_radix(contract, 16).ok()?,
                        path: path.to_owned(),
                        ..Entry::default()
                    })
                }
                ["sites", sites] => {
                    manifest.kernels.last_mut()?.sites =
                        sites.split(' ').map(Place::parse).collect::<Option<_>>()?;
                }
                ["diagnostic", first, last, code, message, help] => {
                    let entries = match about {
                        About::Kernel => &mut manifest.kernels,
                        About::Device => &mut manifest.devices,
                        About::Off => &mut manifest.off,
                        About::File => &mut manifest.unread,
                    };
                    entries.last_mut()?.diagnostics.push(Report {
                        first: first.parse().ok()?,
                        last: last.parse().ok()?,
                        code: code.to_owned(),
                        message: message.to_owned(),
                        help: help.to_owned(),
                    });
                }
                ["off", file, line, column] => {
                    about = About::Off;
                    manifest.off.push(Entry {
                        file: file.to_owned(),
                        line: line.parse().ok()?,
                        column: column.parse().ok()?,
                        ..Entry::default()
                    });
                }
                ["unread", file] => {
                    about = About::File;
                    manifest.unread.push(Entry {
                        file: file.to_owned(),
                        ..Entry::default()
                    });
                }
                _ => return None,
            }
        }
        (!manifest.version.is_empty()).then_some(manifest)
    }

    /// The entry of a device function.
    pub fn device(&self, place: Option<(&str, usize, usize)>, hash: u64) -> Option<&Entry> {
        one(&self.devices, place, hash)
    }

    /// The entry of a kernel: by its place when that is known, and always by its tokens. Else that of the kernel at
    /// this place which should be off, or, in a file that the build script does not understand, the file's.
    pub fn find(&self, place: Option<(&str, usize, usize)>, hash: u64) -> Option<&Entry> {
        match one(&self.kernels, place, hash) {
            Some(entry) => Some(entry),
            None => {
                let (file, line, column) = place?;
                let off = self
                    .off
                    .iter()
                    .find(|off| off.file == file && off.line == line && off.column == column);
                if off.is_some() {
                    return off;
                }
                self.unread.iter().find(|unread| unread.file == file)
            }
        }
    }
}

/// The only one of `entries` with these tokens, at this place when that is known.
fn one<'a>(
    entries: &'a [Entry],
    place: Option<(&str, usize, usize)>,
    hash: u64,
) -> Option<&'a Entry> {
    let mut entries = entries.iter().filter(|entry| {
        entry.hash == hash
            && place.is_none_or(|(file, line, column)| {
                entry.file == file && entry.line == line && entry.column == column
            })
    });
    entries.next().filter(|_| entries.next().is_none())
}

/// What a `diagnostic` line is about.
enum About {
    Kernel,
    Device,
    Off,
    File,
}

fn diagnostics(text: &mut String, about: &Entry) {
    for report in &about.diagnostics {
        let _ = writeln!(
            text,
            "diagnostic\t{}\t{}\t{}\t{}\t{}",
            report.first,
            report.last,
            escape(&report.code),
            escape(&report.message),
            escape(&report.help),
        );
    }
}

fn escape(text: &str) -> String {
    text.replace('\\', "\\\\")
        .replace('\t', "\\t")
        .replace('\n', "\\n")
        .replace('\r', "\\r")
}

fn unescape(text: &str) -> String {
    let mut plain = String::new();
    let mut chars = text.chars();
    while let Some(c) = chars.next() {
        match (c, c == '\\') {
            (_, true) => match chars.next() {
                Some('t') => plain.push('\t'),
                Some('n') => plain.push('\n'),
                Some('r') => plain.push('\r'),
                Some(other) => plain.push(other),
                None => {}
            },
            (c, false) => plain.push(c),
        }
    }
    plain
}

#[cfg(test)]
mod tests;
