//! The signature of a kernel: what may be a parameter, and what a kernel may not be.

use syn::ext::IdentExt;

use crate::diag::{Diagnostic, SpanRange};
use crate::ir::Param;
use crate::options::Options;
use crate::rules::{self, Rule};
use crate::ty::{Elem, Memory, Space, Ty};

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
    diags: &mut Vec<Diagnostic>,
) -> Vec<Parameter<'a>> {
    let sig = &item.sig;
    let told = diags.len();
    let mut refuse = |rule: &Rule, range: SpanRange, values: &[&dyn std::fmt::Display]| {
        diags.push(Diagnostic::new(rule, range, values));
    };
    for attr in &item.attrs {
        if attr.path().is_ident("cfg") && cfg_mentions_test(attr) {
            refuse(&rules::CFG_TEST, SpanRange::over(attr), &[]);
        }
    }
    if let Some(token) = &sig.asyncness {
        refuse(&rules::ASYNC, SpanRange::over(token), &[]);
    }
    if let Some(token) = &sig.constness {
        refuse(&rules::CONST_FN, SpanRange::over(token), &[]);
    }
    if let Some(abi) = &sig.abi {
        refuse(&rules::EXTERN_FN, SpanRange::over(abi), &[]);
    }
    match (&sig.safety, options.unchecked) {
        _ if device => {}
        (syn::Safety::Unsafe(token), false) => {
            refuse(&rules::CHECKED_UNSAFE, SpanRange::over(token), &[])
        }
        (syn::Safety::Unsafe(_), true) | (_, false) => {}
        (_, true) => {
            refuse(
                &rules::UNCHECKED_SAFE,
                SpanRange::of(sig.ident.span()),
                &[&sig.ident],
            );
        }
    }
    if !device && hides_what_kernels_name(&sig.ident.unraw().to_string()) {
        let range = SpanRange::of(sig.ident.span());
        refuse(&rules::KERNEL_NAME, range, &[&sig.ident, &sig.ident]);
    }
    if !sig.generics.params.is_empty() {
        refuse(&rules::GENERIC, SpanRange::over(&sig.generics), &[]);
    } else if let Some(clause) = &sig.generics.where_clause {
        refuse(&rules::GENERIC, SpanRange::over(clause), &[]);
    }
    if let Some(variadic) = &sig.variadic {
        refuse(&rules::VARIADIC, SpanRange::over(variadic), &[]);
    }
    if let syn::ReturnType::Type(_, ty) = &sig.output
        && !is_unit(ty)
        && !(device && returned(sig).is_some())
    {
        refuse(&rules::RETURN_TYPE, SpanRange::over(ty), &[]);
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
        .map(|input| parameter(input, &generics, diags))
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
                diag.message =
                    "a device function returns one number, a bool, or nothing".to_owned();
                diag.help = "return one of them, and store what else there is".to_owned();
            }
        }
    }
    parameters
}

/// The number or bool that a device function returns.
pub fn returned(sig: &syn::Signature) -> Option<Ty> {
    match &sig.output {
        syn::ReturnType::Type(_, ty) => scalar(ty),
        syn::ReturnType::Default => None,
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
    if let Some(attr) = typed.attrs.first() {
        diags.push(Diagnostic::new(
            &rules::PARAM_ATTRIBUTE,
            SpanRange::over(attr),
            &[],
        ));
    }
    // A mistake in the type, unless it is that of the pattern or of the generics.
    let mut ty = || match parameter_type(&typed.ty) {
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

fn parameter_type(ty: &syn::Type) -> Result<Ty, Box<Diagnostic>> {
    let range = SpanRange::over(ty);
    if let syn::Type::Reference(reference) = ty {
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
    if let Some(ty) = scalar(ty) {
        return Ok(ty);
    }
    memory(ty).unwrap_or_else(|| {
        let (text, help) = (text(ty), instead(ty));
        let values: [&dyn std::fmt::Display; 2] = [&text, &help];
        Err(Box::new(Diagnostic::new(
            &rules::PARAM_TYPE,
            range,
            &values,
        )))
    })
}

/// What to write in place of a type that is no parameter's.
fn instead(ty: &syn::Type) -> &'static str {
    if matches!(
        strip(ty),
        syn::Type::Ptr(_) | syn::Type::Slice(_) | syn::Type::Array(_)
    ) {
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
            "a parameter is `Symmetric<T>`, `Symmetric<[T]>`, `Global<T>`, `Global<[T]>`, an integer, a float or bool"
        }
    }
}

/// The view of memory that `ty` names; none where it names something else.
fn memory(ty: &syn::Type) -> Option<Result<Ty, Box<Diagnostic>>> {
    let syn::Type::Path(path) = strip(ty) else {
        return None;
    };
    let last = path.path.segments.last()?;
    let space = match last.ident.to_string().as_str() {
        "Symmetric" => Space::Symmetric,
        "Global" => Space::Global,
        _ => return None,
    };
    if path.qself.is_some() || !facade_path(&path.path) {
        return None;
    }
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let mut arguments = arguments.args.iter().filter(|argument| {
        // `'_` says no more than its absence.
        !matches!(argument, syn::GenericArgument::Lifetime(lifetime) if lifetime.ident == "_")
    });
    let (Some(syn::GenericArgument::Type(inner)), None) = (arguments.next(), arguments.next())
    else {
        return None;
    };
    let (inner, slice) = match strip(inner) {
        syn::Type::Slice(slice) => (&*slice.elem, true),
        other => (other, false),
    };
    Some(match element(inner) {
        Some(elem) => Ok(Ty::Memory(Memory { space, elem, slice })),
        None => Err(Box::new(Diagnostic::new(
            &rules::ELEMENT_TYPE,
            SpanRange::over(inner),
            &[&text(inner), &space],
        ))),
    })
}

/// The type of a local that is written out: a scalar, or a view of memory.
pub fn local(ty: &syn::Type) -> Option<Ty> {
    scalar(ty).or_else(|| memory(ty)?.ok())
}

/// The scalar type that `ty` names, if it is one.
pub fn scalar(ty: &syn::Type) -> Option<Ty> {
    match name(ty)?.as_str() {
        "bool" => Some(Ty::Bool),
        "isize" => Some(Ty::Int(crate::ty::Int::Isize)),
        "usize" => Some(Ty::Int(crate::ty::Int::Usize)),
        name => Elem::parse(name).map(Elem::ty),
    }
}

fn element(ty: &syn::Type) -> Option<Elem> {
    Elem::parse(&name(ty)?)
}

/// The last segment of a plain path that may name one of our types: a bare name, or one of `shmem`, `core`, `std`,
/// `half`. rustc confirms in the stub that it names what it seems to.
fn name(ty: &syn::Type) -> Option<String> {
    let syn::Type::Path(path) = strip(ty) else {
        return None;
    };
    let last = path.path.segments.last()?;
    let plain = path.qself.is_none()
        && path
            .path
            .segments
            .iter()
            .all(|segment| segment.arguments.is_none())
        && facade_path(&path.path);
    plain.then(|| last.ident.unraw().to_string())
}

fn facade_path(path: &syn::Path) -> bool {
    (path.segments.len() == 1 && path.leading_colon.is_none())
        || path.segments.len() > 1
            && path.segments.first().is_some_and(|first| {
                ["shmem", "core", "std", "half"]
                    .iter()
                    .any(|name| first.ident == name)
            })
}

fn strip(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Paren(paren) => strip(&paren.elem),
        syn::Type::Group(group) => strip(&group.elem),
        other => other,
    }
}

/// A type as the user would write it, for messages.
pub fn text(ty: &impl quote::ToTokens) -> String {
    crate::diag::written(ty.to_token_stream())
}
