//! Generated kernels through the front end and the emitter, as the build script takes them.

use std::collections::HashMap;

use proc_macro2::LineColumn;

use shmem_codegen::{
    EmitOptions, Emitted, Fault, Float, Ty, analyse_among, emit_kernel, emit_unit, source,
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

/// Lowers all kernels in all forms.
pub fn lower(kernels: &[&Kernel]) -> Lowering {
    let checked = one_reader(kernels, Reader::Kernel, &[Form::Checked, Form::Wrapping]);
    let unchecked = one_reader(kernels, Reader::Unchecked, &[Form::Unchecked]);
    let missing = || Err("the kernel was not found in its file".to_owned());
    (0..kernels.len())
        .map(|index| {
            FORMS.map(|form| {
                let from = if form == Form::Unchecked {
                    &unchecked
                } else {
                    &checked
                };
                from.get(&(index, form)).cloned().unwrap_or_else(missing)
            })
        })
        .collect()
}

type Found = HashMap<(usize, Form), Result<Lowered, String>>;

fn one_reader(kernels: &[&Kernel], reader: Reader, forms: &[Form]) -> Found {
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
                        for &form in forms {
                            all.insert((index, form), Err(message.clone()));
                        }
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
    let scan = source::scan(&parsed, &|_| true);
    for found in &scan.kernels {
        let Some(index) = found
            .path
            .last()
            .and_then(|module| module.trim_start_matches('m').parse::<usize>().ok())
        else {
            continue;
        };
        let siblings = scan.siblings(&found.path);
        let analysis = analyse_among(found.arguments.clone(), &found.item, &siblings);
        let diagnostics: Vec<String> = analysis
            .diagnostics
            .iter()
            .map(|diag| {
                let start = diag.range.first.start();
                format!("{}:{}: {}", start.line, start.column + 1, diag.text())
            })
            .collect();
        for &form in forms {
            let result = if diagnostics.is_empty() {
                let symbol = format!("shmem_k_{}_{}", form.letter(), module(index));
                let options = EmitOptions {
                    symbol: &symbol,
                    file: FILE,
                    overflow_checks: form == Form::Checked,
                    debug_assertions: form == Form::Checked,
                    contract: 0,
                };
                let places = analysis
                    .kernel
                    .sites
                    .iter()
                    .map(|site| place(&text, site.span.start(), &site.fault))
                    .collect();
                Ok(Lowered {
                    text: emit_kernel(&analysis.kernel, &options),
                    symbol,
                    places,
                })
            } else {
                Err(diagnostics.join("\n"))
            };
            all.insert((index, form), result);
        }
    }
    all
}

fn place(text: &str, start: LineColumn, fault: &Fault) -> Place {
    let (verb, shown) = match fault {
        Fault::Arithmetic { verb, .. } => ((*verb).to_owned(), Vec::new()),
        Fault::Text(text, shown) => (
            text.clone(),
            shown.iter().map(|shown| (shown.ty, shown.debug)).collect(),
        ),
        _ => (String::new(), Vec::new()),
    };
    // rustc counts columns of panics as they are displayed.
    let line = text.lines().nth(start.line - 1).unwrap_or_default();
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
pub fn written(place: &Place, values: [u64; 3]) -> String {
    let mut texts = values
        .into_iter()
        .zip(&place.shown)
        .map(|(bits, (ty, debug))| match ty {
            Ty::Int(int) if int.signed() => (bits as i64).to_string(),
            Ty::CChar => (bits as core::ffi::c_char).to_string(),
            Ty::Bool => (bits != 0).to_string(),
            Ty::Float(Float::F32) if *debug => format!("{:?}", f32::from_bits(bits as u32)),
            Ty::Float(Float::F32) => f32::from_bits(bits as u32).to_string(),
            Ty::Float(_) if *debug => format!("{:?}", f64::from_bits(bits)),
            Ty::Float(_) => f64::from_bits(bits).to_string(),
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
