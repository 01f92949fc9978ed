//! Generated kernels through the front end and the emitter, as the build script takes them.

use std::collections::HashMap;
use std::fmt::{Debug, Display};

use half::{bf16, f16};

use proc_macro2::LineColumn;

use shmem_codegen::items::{Position, ScopeId, World};
use shmem_codegen::{
    Bug, EmitOptions, Emitted, Fault, Float, Ty, analyse_among, emit_kernel, emit_unit, source,
};

use super::ast::Kernel;
use super::print::{self, Reader};

/// What a kernel is emitted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Form {
    /// Overflow panics.
    Checked,
    /// Overflow wraps.
    Wrapping,
    /// `#[shmem_kernel(unchecked)]`
    Unchecked,
}

/// All forms, in the order of the symbols.
pub const FORMS: [Form; 3] = [Form::Checked, Form::Wrapping, Form::Unchecked];

impl Form {
    fn letter(self) -> char {
        match self {
            Form::Checked => 'c',
            Form::Wrapping => 'w',
            Form::Unchecked => 'u',
        }
    }
}

/// A place that may panic.
#[derive(Clone, Debug)]
pub struct Place {
    /// From 1.
    pub line: u64,
    /// From 1.
    pub column: u64,
    /// "add", or the text of a panic with `{}` for its values.
    pub verb: String,
    /// How each value is written.
    pub shown: Vec<(Ty, bool)>,
}

/// A kernel in one form.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// Its symbol.
    pub symbol: String,
    /// Kernel and launcher.
    pub text: Emitted,
    /// By site.
    pub places: Vec<Place>,
    /// It takes room for what it prints.
    pub prints: bool,
}

/// By kernel and form: the lowered kernel, or why it was refused.
pub type Lowering = Vec<[Result<Lowered, String>; 3]>;

/// The name of the Rust file in `#line`.
pub const FILE: &str = "kernels.rs";

/// The module of kernel `index`.
pub fn module(index: usize) -> String {
    format!("m{index}")
}

/// The Rust file with all kernels, as `reader` is to see it.
pub fn file(kernels: &[&Kernel], reader: Reader) -> String {
    kernels
        .iter()
        .enumerate()
        .map(|(index, kernel)| print::module(kernel, &module(index), reader))
        .collect()
}

/// Kernels after the front end.
pub struct Analysed {
    count: usize,
    checked: Found,
    unchecked: Found,
}

/// By the number of the kernel: its IR and its places, or why it was refused.
type Found = HashMap<usize, Result<(shmem_codegen::Kernel, Vec<Place>), String>>;

/// Takes all kernels through the front end.
pub fn analyse(kernels: &[&Kernel]) -> Analysed {
    Analysed {
        count: kernels.len(),
        checked: one_reader(kernels, Reader::Kernel),
        unchecked: one_reader(kernels, Reader::Unchecked),
    }
}

/// Lowers all kernels in all forms.
pub fn lower(kernels: &[&Kernel]) -> Lowering {
    analyse(kernels).emit(None)
}

impl Analysed {
    /// All kernels in all forms; the emitter makes the mistake `bug`.
    pub fn emit(&self, bug: Option<Bug>) -> Lowering {
        let one = |index: usize, form: Form| {
            let from = match form {
                Form::Unchecked => &self.unchecked,
                Form::Checked | Form::Wrapping => &self.checked,
            };
            let found = from.get(&index);
            let (kernel, places) = found
                .ok_or("the kernel was not found in its file")?
                .as_ref()?;
            let symbol = format!("shmem_k_{}_{}", form.letter(), module(index));
            let options = EmitOptions {
                symbol: &symbol,
                file: FILE,
                overflow_checks: form == Form::Checked,
                // The unchecked form is compared with what the checked one does.
                debug_assertions: form != Form::Wrapping,
                contract: 0,
                bug,
            };
            Ok(Lowered {
                text: emit_kernel(kernel, &options),
                places: places.clone(),
                prints: kernel.needs.prints,
                symbol,
            })
        };
        let all = 0..self.count;
        all.map(|index| FORMS.map(|form| one(index, form)))
            .collect()
    }
}

fn one_reader(kernels: &[&Kernel], reader: Reader) -> Found {
    let mut all = HashMap::new();
    let mut text = file(kernels, reader);
    let parsed = match syn::parse_file(&text) {
        Ok(parsed) => parsed,
        Err(_) => {
            // Without those that are at fault, the others at their places.
            text.clear();
            for (index, kernel) in kernels.iter().enumerate() {
                let one = print::module(kernel, &module(index), reader);
                match syn::parse_file(&one) {
                    Ok(_) => text.push_str(&one),
                    Err(error) => {
                        let start = error.span().start();
                        let line = text.lines().count() + start.line;
                        let message = format!("{line}:{}: syn: {error}", start.column + 1);
                        all.insert(index, Err(message));
                        text.push_str(&"\n".repeat(one.lines().count()));
                    }
                }
            }
            match syn::parse_file(&text) {
                Ok(parsed) => parsed,
                Err(_) => return all,
            }
        }
    };
    let scan = source::scan(&parsed, &|_| Some(true));
    let kernels = scan.kernels.clone();
    let world = World::one_file(FILE.to_owned(), Position::Root, scan);
    let lines: Vec<&str> = text.lines().collect();
    for found in &kernels {
        let Some(index) = found
            .path
            .last()
            .and_then(|module| module.trim_start_matches('m').parse::<usize>().ok())
        else {
            continue;
        };
        let scope = ScopeId {
            file: 0,
            scope: found.scope,
        };
        let items = world.items(scope);
        let analysis = analyse_among(found.arguments.clone(), &found.item, items);
        let diagnostics: Vec<String> = analysis
            .diagnostics
            .iter()
            .map(|diag| {
                let start = diag.range.first.start();
                format!("{}:{}: {}", start.line, start.column + 1, diag.text())
            })
            .collect();
        let result = if diagnostics.is_empty() {
            let sites = analysis.kernel.sites.iter();
            let places = sites
                .map(|site| place(&lines, site.span.start(), &site.fault))
                .collect();
            Ok((analysis.kernel, places))
        } else {
            Err(diagnostics.join("\n"))
        };
        all.insert(index, result);
    }
    all
}

fn place(lines: &[&str], start: LineColumn, fault: &Fault) -> Place {
    let (verb, shown) = match fault {
        Fault::Arithmetic { verb, .. } => ((*verb).to_owned(), Vec::new()),
        Fault::Text(text, shown) => (
            text.clone(),
            shown.iter().map(|shown| (shown.ty, shown.debug)).collect(),
        ),
        _ => (String::new(), Vec::new()),
    };
    // rustc counts columns of panics as they are displayed.
    let line = lines.get(start.line - 1).copied().unwrap_or_default();
    let width = |c: char| match c {
        '\t' => 4,
        '\u{1100}'.. => 2,
        _ => 1,
    };
    let column: u64 = line.chars().take(start.column).map(width).sum();
    Place {
        line: start.line as u64,
        column: column + 1,
        verb,
        shown,
    }
}

/// The text of a place with its values, as the host writes it.
pub fn written(place: &Place, values: &[u64]) -> String {
    fn shown<T: Display + Debug>(value: T, debug: bool) -> String {
        if debug {
            format!("{value:?}")
        } else {
            value.to_string()
        }
    }
    let mut texts = values
        .iter()
        .zip(&place.shown)
        .map(|(&bits, &(ty, debug))| match ty {
            Ty::Int(int) if int.signed() => (bits as i64).to_string(),
            Ty::CChar => (bits as core::ffi::c_char).to_string(),
            Ty::Bool => (bits != 0).to_string(),
            Ty::Float(Float::F32) => shown(f32::from_bits(bits as u32), debug),
            Ty::Float(Float::F64) => shown(f64::from_bits(bits), debug),
            Ty::Float(Float::F16) => shown(f16::from_bits(bits as u16), debug),
            Ty::Float(Float::Bf16) => shown(bf16::from_bits(bits as u16), debug),
            _ => bits.to_string(),
        });
    let mut text = String::new();
    let mut chars = place.verb.chars().peekable();
    while let Some(c) = chars.next() {
        match (c, chars.peek()) {
            ('{', Some('}')) => {
                chars.next();
                text.extend(texts.next());
            }
            ('{', Some('{')) | ('}', Some('}')) => {
                chars.next();
                text.push(c);
            }
            _ => text.push(c),
        }
    }
    text
}

/// The C++ file of some kernels.
pub fn unit(name: &str, lowered: &[&Lowered]) -> String {
    emit_unit("", name, lowered.iter().map(|one| &one.text))
}

/// All C++ of one kernel, for reports.
pub fn shown(lowered: &Lowered) -> String {
    let functions = lowered.text.functions.iter().map(|(_, text)| text.as_str());
    functions
        .chain([lowered.text.kernel.as_str()])
        .collect::<Vec<_>>()
        .join("\n")
}
