//! A source through all that the macro and the build script do with it, and what must hold of the outcome.

use proc_macro2::TokenStream;
use quote::ToTokens;
use shmem_codegen::enclosure::depth::too_deep;
use shmem_codegen::enclosure::enclosure;
use shmem_codegen::items::{Position, ScopeId, World};
use shmem_codegen::manifest::{Entry, Manifest, Report};
use shmem_codegen::source::{self, Found, Scan};
use shmem_codegen::{
    Analysis, Diagnostic, EmitOptions, Emitted, Flat, analyse_among, analyse_device, contract,
    emit_kernel, emit_unit, flatten, hash, item_tokens, parse_file, symbols,
};

use super::support::{self, FORMS, Form};

/// Stands before every source, so that no token is where the parser places what has no place.
pub const HEADING: &str = "// A source of the fuzz test.\n";

/// The codes that there are.
const RULES: &str = include_str!("../../src/rules.rs");

/// How far sources came.
#[derive(Clone, Copy, Debug, Default)]
pub struct Reached {
    /// Sources.
    pub sources: u64,
    /// Of these: Rust to the parser.
    pub parsed: u64,
    /// Kernels in them.
    pub kernels: u64,
    /// Of these: without a mistake, and emitted.
    pub emitted: u64,
    /// Mistakes told.
    pub diagnostics: u64,
}

impl Reached {
    pub fn add(&mut self, other: Reached) {
        self.sources += other.sources;
        self.parsed += other.parsed;
        self.kernels += other.kernels;
        self.emitted += other.emitted;
        self.diagnostics += other.diagnostics;
    }
}

/// Looks at `text`; what does not hold is the error.
pub fn examine(text: &str) -> Result<Reached, String> {
    let mut reached = Reached {
        sources: 1,
        ..Reached::default()
    };
    let Ok(tokens) = text.parse::<TokenStream>() else {
        return Ok(reached);
    };
    if let Some(span) = too_deep(tokens.clone()) {
        inside(&Diagnostic::too_deep(span), &flatten(tokens))?;
        return Ok(reached);
    }
    let file = match parse_file(text) {
        Ok(file) => file,
        Err(error) => {
            worded(&Diagnostic::from_syn(&error))?;
            return Ok(reached);
        }
    };
    reached.parsed = 1;
    for form in FORMS {
        let mut scan = source::scan(&file, &|_| Some(true));
        if form == Form::Unchecked {
            scan.kernels.iter_mut().for_each(support::uncheck);
        }
        kernels(text, scan, form, &mut reached)?;
    }
    let scan = source::scan(&file, &|_| Some(false));
    let devices = scan.devices.clone();
    let world = World::one_file("source.rs".to_owned(), Position::Root, scan);
    for device in &devices {
        let analysis = analyse_device(&device.item, world.items(scope(device.scope)));
        diagnostics(&analysis, &device.item, TokenStream::new(), &mut reached)?;
    }
    Ok(reached)
}

fn scope(scope: usize) -> ScopeId {
    ScopeId { file: 0, scope }
}

fn kernels(text: &str, scan: Scan, form: Form, reached: &mut Reached) -> Result<(), String> {
    let kernels = scan.kernels.clone();
    let world = World::one_file("source.rs".to_owned(), Position::Root, scan);
    let paths: Vec<Vec<String>> = (kernels.iter().enumerate())
        .map(|(index, found)| vec![format!("m{index}"), found.item.sig.ident.to_string()])
        .collect();
    let mut entries = Vec::new();
    let mut unit = Vec::new();
    for (found, symbol) in kernels.iter().zip(symbols(&paths)) {
        let name = found.item.sig.ident.to_string();
        enclosure(text, found.line, found.column, &name)
            .ok_or_else(|| format!("`{name}` is not found in its file"))?;
        let items = world.items(scope(found.scope));
        let analysis = analyse_among(found.arguments.clone(), &found.item, items);
        let flat = flatten(item_tokens(&found.arguments, &found.item));
        reached.kernels += 1;
        let reports = if form == Form::Unchecked {
            // The tokens put in have no place.
            Vec::new()
        } else {
            diagnostics(&analysis, &found.item, found.arguments.clone(), reached)?
        };
        if analysis.diagnostics.is_empty() {
            reached.emitted += 1;
            unit.push(emitted(&analysis, &symbol, form)?);
        }
        entries.push(entry(found, &flat, symbol, reports));
    }
    emit_unit("Heading", "unit.cpp", &unit);
    let manifest = Manifest {
        version: "1".to_owned(),
        files: vec![("source.rs".to_owned(), None)],
        kernels: entries,
        ..Manifest::default()
    };
    if Manifest::parse(&manifest.to_text()).as_ref() != Some(&manifest) {
        return Err("the manifest is read otherwise than it was written".to_owned());
    }
    Ok(())
}

fn entry(found: &Found, flat: &[Flat], symbol: String, diagnostics: Vec<Report>) -> Entry {
    Entry {
        file: "source.rs".to_owned(),
        line: found.line,
        column: found.column,
        hash: hash(flat),
        symbol,
        diagnostics,
        ..Entry::default()
    }
}

/// The text of a kernel without mistakes.
fn emitted(analysis: &Analysis, symbol: &str, form: Form) -> Result<Emitted, String> {
    let kernel = &analysis.kernel;
    let types: Vec<_> = kernel.params.iter().map(|param| param.ty).collect();
    let checks = form == Form::Checked;
    let options = EmitOptions {
        symbol,
        file: "source.rs",
        overflow_checks: checks,
        debug_assertions: checks,
        contract: contract(kernel.options, checks, "sim", &types, kernel.sites.len()),
        bug: None,
    };
    let emitted = emit_kernel(kernel, &options);
    if kernel.calls_mistaken() {
        return Ok(emitted);
    }
    let texts = emitted.functions.iter().map(|(_, text)| text);
    for text in texts.chain([&emitted.kernel, &emitted.launcher]) {
        let missing = ["= ;", "( ,", ", ,", "(, ", ", )", " )", "<>"];
        let lacks = missing.iter().find(|part| code(text).contains(*part));
        if text.is_empty() || lacks.is_some() {
            return Err(format!("something is missing in the C++:\n{text}"));
        }
    }
    if !emitted.kernel.contains(symbol) {
        return Err(format!(
            "the kernel is not in its text:\n{}",
            emitted.kernel
        ));
    }
    Ok(emitted)
}

/// `text` without the lines that name files.
fn code(text: &str) -> String {
    let lines = text.lines().filter(|line| !line.starts_with('#'));
    lines.collect::<Vec<_>>().join("\n")
}

fn diagnostics(
    analysis: &Analysis,
    item: &syn::ItemFn,
    arguments: TokenStream,
    reached: &mut Reached,
) -> Result<Vec<Report>, String> {
    let flat = flatten(item_tokens(&arguments, item));
    // Attributes are not among the tokens of a kernel; a mistake in one is reported at its beginning.
    let mut places = flatten(arguments);
    places.extend(flatten(item.to_token_stream()));
    for diagnostic in &analysis.diagnostics {
        reached.diagnostics += 1;
        worded(diagnostic)?;
        inside(diagnostic, &places)?;
    }
    let reports = analysis.diagnostics.iter();
    Ok(reports.map(|diag| Report::new(diag, &flat)).collect())
}

/// It says something, under a code that there is.
fn worded(diagnostic: &Diagnostic) -> Result<(), String> {
    let Diagnostic {
        code,
        message,
        help,
        ..
    } = diagnostic;
    let known = code == "SHM0001" || RULES.contains(&format!("\"{code}\""));
    let nothing = message.contains("``");
    if !known || message.is_empty() || nothing {
        return Err(format!("{code}: {message:?}, help {help:?}"));
    }
    Ok(())
}

/// It begins at a token and ends in one: the manifest tells places by tokens.
fn inside(diagnostic: &Diagnostic, flat: &[Flat]) -> Result<(), String> {
    let (start, end) = (diagnostic.range.first.start(), diagnostic.range.last.end());
    let begins = flat.iter().any(|token| token.span.start() == start);
    let ends = flat
        .iter()
        .any(|token| token.span.start() < end && end <= token.span.end());
    if !begins || !ends || end <= start {
        let text = diagnostic.text();
        return Err(format!(
            "no place of the kernel ({start:?} to {end:?}): {text}"
        ));
    }
    Ok(())
}
