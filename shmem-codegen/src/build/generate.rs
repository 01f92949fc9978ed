//! From the sources of a package to the texts and the manifest entries. Touches no files.

use std::collections::{HashMap, HashSet};

use super::Package;
use super::sources::Source;
use crate::analyse::{Analysis, analyse_among, analyse_device};
use crate::diag::{Diagnostic, SpanRange};
use crate::emit::{self, EmitOptions};
use crate::manifest::{Entry, Report};
use crate::tokens::{self, Flat};
use crate::ty::Ty;
use crate::{VERSION, mangle, rules};

/// The target that the texts are compiled for.
const TARGET: &str = "sim";

/// One C++ file, of one Rust file.
pub(super) struct Unit {
    pub name: String,
    pub text: String,
}

/// All that is generated.
pub(super) struct Generated {
    pub units: Vec<Unit>,
    pub entries: Vec<Entry>,
    pub off: Vec<Entry>,
    pub has_mistakes: bool,
}

pub(super) fn generate(package: &Package, sources: &[Source], overflow_checks: bool) -> Generated {
    let krate = package.name.replace('-', "_");
    let mut paths: Vec<Vec<String>> = Vec::new();
    let mut seen: HashMap<Vec<String>, usize> = HashMap::new();
    for source in sources {
        for kernel in &source.kernels {
            let mut path = vec![krate.clone()];
            path.extend(
                source
                    .modules
                    .iter()
                    .chain(&kernel.path)
                    .map(|part| part.trim_start_matches("r#").to_owned()),
            );
            path.push(
                kernel
                    .item
                    .sig
                    .ident
                    .to_string()
                    .trim_start_matches("r#")
                    .to_owned(),
            );
            // Two blocks of one function may hold kernels of one name.
            let count = seen.entry(path.clone()).or_default();
            *count += 1;
            if *count > 1 {
                path.push(count.to_string());
            }
            paths.push(path);
        }
    }
    let symbols = mangle::symbols(&paths);
    let mut names = paths.iter().zip(&symbols);
    let mut generated = Generated {
        units: Vec::new(),
        entries: Vec::new(),
        off: sources.iter().flat_map(off).collect(),
        has_mistakes: false,
    };
    for source in sources {
        let mut emitted = Vec::new();
        for (kernel, siblings) in source.kernels.iter().zip(&source.siblings) {
            let Some((path, symbol)) = names.next() else {
                continue;
            };
            let Analysis {
                kernel: ir,
                diagnostics,
                ..
            } = analyse_among(kernel.arguments.clone(), &kernel.item, siblings);
            let flat = tokens::flatten(tokens::item_tokens(&kernel.arguments, &kernel.item));
            let params: Vec<Ty> = ir.params.iter().map(|param| param.ty).collect();
            let contract =
                mangle::contract(ir.options, overflow_checks, TARGET, &params, ir.sites.len());
            generated.entries.push(Entry {
                file: source.file.clone(),
                line: kernel.line,
                column: kernel.column,
                hash: tokens::hash(&flat),
                symbol: symbol.clone(),
                contract,
                path: path.join("::"),
                diagnostics: diagnostics.iter().map(|diag| report(diag, &flat)).collect(),
                sites: ir.sites.iter().map(|site| place(site.span)).collect(),
            });
            if diagnostics.is_empty() {
                let options = EmitOptions {
                    symbol,
                    file: &source.file,
                    overflow_checks,
                    contract,
                };
                emitted.push(emit::kernel(&ir, &options));
            } else {
                generated.has_mistakes = true;
            }
        }
        // Their mistakes are told where they stand, by their own macro.
        generated.has_mistakes |= source
            .devices
            .iter()
            .any(|(device, siblings)| !analyse_device(device, siblings).diagnostics.is_empty());
        if source.kernels.is_empty() {
            continue;
        }
        let name = format!("{}.cpp", unit_name(&source.file));
        let text = unit(&source.file, &name, &emitted);
        generated.units.push(Unit { name, text });
    }
    generated
}

/// What the macro is to say of the kernels of `source` that are off, should rustc see them.
fn off(source: &Source) -> impl Iterator<Item = Entry> {
    source.off.iter().map(|off| {
        let kernel = &off.found;
        let range = SpanRange::of(kernel.item.sig.ident.span());
        let is_word = |c: char| c == '_' || c.is_alphanumeric();
        let diag = if off.cfg.split(|c| !is_word(c)).any(|word| word == "test") {
            Diagnostic::new(&rules::CFG_TEST, range, &[])
        } else {
            Diagnostic::new(&rules::CFG_OFF, range, &[&off.cfg])
        };
        let flat = tokens::flatten(tokens::item_tokens(&kernel.arguments, &kernel.item));
        Entry {
            file: source.file.clone(),
            line: kernel.line,
            column: kernel.column,
            diagnostics: vec![report(&diag, &flat)],
            ..Entry::default()
        }
    })
}

/// Line and column as panics give them.
fn place(span: proc_macro2::Span) -> (usize, usize) {
    let start = span.start();
    (start.line, start.column + 1)
}

/// A file name that no two source files share.
fn unit_name(file: &str) -> String {
    let mut readable: String = file
        .trim_end_matches(".rs")
        .chars()
        .map(|c| if c.is_ascii_alphanumeric() { c } else { '_' })
        .collect();
    // File names have at most 255 bytes.
    let longest = 100;
    readable.drain(..readable.len().saturating_sub(longest));
    format!("{readable}_{:08x}", tokens::fnv([file].into_iter()) >> 32)
}

/// The text of one C++ file. After each kernel `#line` goes back to the file itself.
fn unit(file: &str, name: &str, emitted: &[emit::Emitted]) -> String {
    let mut text = format!(
        "// Generated by shmem-codegen {VERSION} from {file}. Do not edit.\n\
         #include \"kernel_operator.h\"\n#include \"shmem.h\"\n#include \"shmem_rust.h\"\n"
    );
    let mut known = HashSet::new();
    for emit::Emitted {
        functions,
        kernel,
        launcher,
    } in emitted
    {
        let functions = functions
            .iter()
            .filter(|(name, _)| known.insert(name.as_str()));
        let texts: Vec<&str> = functions
            .map(|(_, text)| text.as_str())
            .chain([kernel.as_str()])
            .collect();
        for function in texts {
            text.push('\n');
            text.push_str(function);
            let next = text.lines().count() + 2;
            text.push_str(&format!("#line {next} \"{name}\"\n"));
        }
        text.push('\n');
        text.push_str(launcher);
    }
    text
}

/// A diagnostic by the indices of its tokens, which the macro has too.
fn report(diag: &Diagnostic, flat: &[Flat]) -> Report {
    let (start, end) = (diag.range.first.start(), diag.range.last.end());
    let first = flat.iter().position(|token| token.span.start() == start);
    // The last token may be a group: it ends with its closing delimiter.
    let last = flat.iter().rposition(|token| token.span.end() == end);
    let first = first.unwrap_or(0);
    Report {
        first,
        last: last.unwrap_or(first).max(first),
        code: diag.code.clone(),
        message: diag.message.clone(),
        help: diag.help.clone(),
    }
}
