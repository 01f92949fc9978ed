//! The signature of a kernel: what may be a parameter, and what a kernel may not be.

use syn::ext::IdentExt;

use crate::diag::{Diagnostic, SpanRange};
use crate::ir::Param;
use crate::items::Items;
use crate::lower::attributes::is_for_readers;
use crate::options::Options;
use crate::rules::{self, Rule};

use crate::ty::{Elem, Ty};
use crate::types::{self, Refusal, element, strip, text};

/// A parameter with its place in the syntax.
pub struct Parameter<'a> {
    /// Name and type; the type is [`Ty::Error`] where it was refused.
    pub param: Param,
    /// `mut name`.
    pub mutable: bool,
    /// The name, when the pattern is one.
    pub ident: Option<&'a syn::Ident>,
    /// The names in a pattern that was refused: their uses are not mistakes as well.
    pub refused: Vec<String>,
}

/// Checks the signature of `item`, a kernel or a device function, and reads its parameters.
pub fn read<'a>(
    item: &'a syn::ItemFn,
    options: Options,
    device: bool,
    items: &Items<'_>,
    diags: &mut Vec<Diagnostic>,
) -> Vec<Parameter<'a>> {
    let sig = &item.sig;
    let told = diags.len();
    let refuse = |diags: &mut Vec<Diagnostic>,
                  rule: &Rule,
                  range: SpanRange,
                  values: &[&dyn std::fmt::Display]| {
        diags.push(Diagnostic::new(rule, range, values));
    };
    for attr in &item.attrs {
        if attr.path().is_ident("cfg") && cfg_mentions_test(attr) {
            refuse(diags, &rules::CFG_TEST, SpanRange::over(attr), &[]);
        }
        if attr.path().is_ident("track_caller") {
            refuse(diags, &rules::TRACK_CALLER, SpanRange::over(attr), &[]);
        }
    }
    if let Some(token) = &sig.asyncness {
        refuse(diags, &rules::ASYNC, SpanRange::over(token), &[]);
    }
    if let Some(token) = &sig.constness {
        refuse(diags, &rules::CONST_FN, SpanRange::over(token), &[]);
    }
    if let Some(abi) = &sig.abi {
        refuse(diags, &rules::EXTERN_FN, SpanRange::over(abi), &[]);
    }
    match (&sig.safety, options.unchecked) {
        _ if device => {}
        (syn::Safety::Unsafe(token), false) => {
            refuse(diags, &rules::CHECKED_UNSAFE, SpanRange::over(token), &[])
        }
        (syn::Safety::Unsafe(_), true) | (_, false) => {}
        (_, true) => {
            refuse(
                diags,
                &rules::UNCHECKED_SAFE,
                SpanRange::of(sig.ident.span()),
                &[&sig.ident],
            );
        }
    }
    if hides_what_kernels_name(&sig.ident.unraw().to_string()) {
        let range = SpanRange::of(sig.ident.span());
        refuse(diags, &rules::KERNEL_NAME, range, &[&sig.ident, &sig.ident]);
    }
    if !sig.generics.params.is_empty() {
        refuse(diags, &rules::GENERIC, SpanRange::over(&sig.generics), &[]);
    } else if let Some(clause) = &sig.generics.where_clause
        && !clause.predicates.is_empty()
    {
        refuse(diags, &rules::GENERIC, SpanRange::over(clause), &[]);
    }
    if let Some(variadic) = &sig.variadic {
        refuse(diags, &rules::VARIADIC, SpanRange::over(variadic), &[]);
    }
    if let syn::ReturnType::Type(_, ty) = &sig.output
        && !is_unit(ty)
    {
        match types::read(ty, items) {
            Ok(ty) if device && !matches!(ty, Ty::Memory(_)) => {}
            Err(Refusal::Mistake(diag)) if device => diags.push(*diag),
            _ => refuse(diags, &rules::RETURN_TYPE, SpanRange::over(ty), &[]),
        }
    }
    let generics: Vec<String> = sig
        .generics
        .params
        .iter()
        .map(|param| match param {
            syn::GenericParam::Lifetime(param) => param.lifetime.ident.to_string(),
            syn::GenericParam::Type(param) => param.ident.to_string(),
            syn::GenericParam::Const(param) => param.ident.to_string(),
        })
        .collect();
    let parameters: Vec<Parameter> = sig
        .inputs
        .iter()
        .map(|input| parameter(input, &generics, device, items, diags))
        .collect();
    for (index, parameter) in parameters.iter().enumerate() {
        let name = &parameter.param.name;
        if let Some(ident) = parameter.ident
            && parameters[..index]
                .iter()
                .any(|other| other.ident.is_some() && other.param.name == *name)
        {
            let range = SpanRange::of(ident.span());
            diags.push(Diagnostic::new(&rules::PARAM_TWICE, range, &[ident]));
        }
    }
    if device {
        // The rules are the same, up to what a kernel is called.
        for diag in &mut diags[told..] {
            diag.message = diag.message.replace("a kernel", "a device function");
            if diag.code == rules::RETURN_TYPE.code {
                diag.message = "a device function does not return this type".to_owned();
                diag.help =
                    "it returns a number, a bool, a tuple, an array, a struct or enum of the crate, or nothing"
                        .to_owned();
            }
        }
    }
    parameters
}

/// What a device function returns.
pub fn returned(sig: &syn::Signature, items: &Items<'_>) -> Ty {
    match &sig.output {
        syn::ReturnType::Type(_, ty) if !is_unit(ty) => types::read(ty, items).unwrap_or(Ty::Error),
        _ => Ty::Unit,
    }
}

/// Whether a module of this name would take the place of the crate, or of a type that kernels name.
fn hides_what_kernels_name(name: &str) -> bool {
    matches!(
        name,
        "shmem" | "Symmetric" | "Global" | "bool" | "isize" | "usize"
    ) || Elem::parse(name).is_some()
}

/// Whether the function's return type was refused: its `return value` is part of that mistake.
pub fn returns_a_value(sig: &syn::Signature) -> bool {
    match &sig.output {
        syn::ReturnType::Type(_, ty) => !is_unit(ty),
        syn::ReturnType::Default => false,
    }
}

fn is_unit(ty: &syn::Type) -> bool {
    matches!(strip(ty), syn::Type::Tuple(tuple) if tuple.elems.is_empty())
}

fn cfg_mentions_test(attr: &syn::Attribute) -> bool {
    crate::tokens::flatten(quote::ToTokens::to_token_stream(attr))
        .iter()
        .any(|token| token.text == "test")
}

fn parameter<'a>(
    input: &'a syn::FnArg,
    generics: &[String],
    device: bool,
    items: &Items<'_>,
    diags: &mut Vec<Diagnostic>,
) -> Parameter<'a> {
    let refused = |names: Vec<String>| Parameter {
        param: Param {
            name: String::new(),
            ty: Ty::Error,
        },
        mutable: false,
        ident: None,
        refused: names,
    };
    let typed = match input {
        syn::FnArg::Receiver(receiver) => {
            diags.push(Diagnostic::new(
                &rules::RECEIVER,
                SpanRange::over(receiver),
                &[],
            ));
            return refused(vec!["self".to_owned()]);
        }
        syn::FnArg::Typed(typed) => typed,
    };
    let mut others = typed.attrs.iter();
    if let Some(attr) = others.find(|attr| !is_for_readers(attr)) {
        diags.push(Diagnostic::new(
            &rules::PARAM_ATTRIBUTE,
            SpanRange::over(attr),
            &[],
        ));
    }
    // A mistake in the type, unless it is that of the pattern or of the generics.
    let mut ty = || match parameter_type(&typed.ty, device, items) {
        Ok(ty) => ty,
        Err(diag) => {
            if !mentions(&typed.ty, generics) {
                diags.push(*diag);
            }
            Ty::Error
        }
    };
    match &*typed.pat {
        syn::Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Parameter {
            param: Param {
                name: pat.ident.unraw().to_string(),
                ty: ty(),
            },
            mutable: pat.mutability.is_some(),
            ident: Some(&pat.ident),
            refused: Vec::new(),
        },
        syn::Pat::Wild(_) => Parameter {
            param: Param {
                name: String::new(),
                ty: ty(),
            },
            mutable: false,
            ident: None,
            refused: Vec::new(),
        },
        other => {
            diags.push(Diagnostic::new(
                &rules::PARAM_PATTERN,
                SpanRange::over(other),
                &[],
            ));
            refused(bound_names(other))
        }
    }
}

/// The names that `pat` binds.
pub fn bound_names(pat: &syn::Pat) -> Vec<String> {
    struct Names(Vec<String>);
    impl<'ast> syn::visit::Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
            self.0.push(pat.ident.unraw().to_string());
            syn::visit::visit_pat_ident(self, pat);
        }
    }
    let mut names = Names(Vec::new());
    syn::visit::Visit::visit_pat(&mut names, pat);
    names.0
}

fn mentions(ty: &syn::Type, names: &[String]) -> bool {
    !names.is_empty()
        && crate::tokens::flatten(quote::ToTokens::to_token_stream(ty))
            .iter()
            .any(|token| names.contains(&token.text))
}

fn parameter_type(ty: &syn::Type, device: bool, items: &Items<'_>) -> Result<Ty, Box<Diagnostic>> {
    let range = SpanRange::over(ty);
    if let syn::Type::Reference(reference) = ty {
        // Of the locals of a caller; memory is passed as it is.
        let referred = types::read(&reference.elem, items);
        match referred {
            Ok(to) if device && !matches!(to, Ty::Memory(_)) && reference.lifetime.is_none() => {
                return Ok(Ty::reference(to, reference.mutability.is_some()));
            }
            Err(Refusal::Mistake(diag)) if device => return Err(diag),
            _ => {}
        }
        let cells = match strip(&reference.elem) {
            syn::Type::Slice(slice) => &*slice.elem,
            other => other,
        };
        let inner = match element(cells) {
            Some(_) => text(&reference.elem),
            None => "T".to_owned(),
        };
        return Err(Box::new(Diagnostic::new(
            &rules::REFERENCE_PARAM,
            range,
            &[&inner, &inner],
        )));
    }
    types::read(ty, items).map_err(|refusal| match refusal {
        Refusal::Mistake(diag) => diag,
        Refusal::Unknown => {
            let (text, help) = (text(ty), instead(ty));
            let values: [&dyn std::fmt::Display; 2] = [&text, &help];
            Box::new(Diagnostic::new(&rules::PARAM_TYPE, range, &values))
        }
    })
}

/// What to write in place of a type that is no parameter's.
fn instead(ty: &syn::Type) -> &'static str {
    if matches!(strip(ty), syn::Type::Ptr(_) | syn::Type::Slice(_)) {
        return "device memory is `Global<T>` or `Global<[T]>`, or `Symmetric` for what other PEs reach";
    }
    let last = match strip(ty) {
        syn::Type::Path(path) => path.path.segments.last(),
        _ => None,
    };
    match last
        .map(|last| last.ident.to_string())
        .unwrap_or_default()
        .as_str()
    {
        "Vec" | "Box" => {
            "device memory is `Global<T>` or `Global<[T]>`, or `Symmetric` for what other PEs reach"
        }
        "char" => "a Rust char is a `u32` here; C's is `c_char`",
        "u128" | "i128" => "the device has no 128-bit integers: use two of 64 bits",
        "Symmetric" | "Global" => {
            "say what it holds: `Symmetric<T>`, `Symmetric<[T]>`, `Global<T>` or `Global<[T]>`"
        }
        _ => {
            "a parameter is `Symmetric<T>`, `Global<T>`, a number, a bool, or a tuple, array, struct or enum of numbers"
        }
    }
}
