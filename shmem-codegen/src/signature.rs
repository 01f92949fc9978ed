//! The signature of a kernel: what may be a parameter, and what a kernel may not be.

use syn::ext::IdentExt;
use syn::spanned::Spanned;

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
}

/// Checks the signature of `item` and reads its parameters.
pub fn read<'a>(
    item: &'a syn::ItemFn,
    options: Options,
    diags: &mut Vec<Diagnostic>,
) -> Vec<Parameter<'a>> {
    let sig = &item.sig;
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
    if !sig.generics.params.is_empty() {
        refuse(&rules::GENERIC, SpanRange::over(&sig.generics), &[]);
    }
    if let Some(clause) = &sig.generics.where_clause {
        refuse(&rules::GENERIC, SpanRange::over(clause), &[]);
    }
    if let Some(variadic) = &sig.variadic {
        refuse(&rules::VARIADIC, SpanRange::over(variadic), &[]);
    }
    if let syn::ReturnType::Type(_, ty) = &sig.output {
        let unit = matches!(&**ty, syn::Type::Tuple(tuple) if tuple.elems.is_empty());
        if !unit {
            refuse(&rules::RETURN_TYPE, SpanRange::over(ty), &[]);
        }
    }
    sig.inputs
        .iter()
        .map(|input| parameter(input, diags))
        .collect()
}

fn cfg_mentions_test(attr: &syn::Attribute) -> bool {
    crate::tokens::flatten(quote::ToTokens::to_token_stream(attr))
        .iter()
        .any(|token| token.text == "test")
}

fn parameter<'a>(input: &'a syn::FnArg, diags: &mut Vec<Diagnostic>) -> Parameter<'a> {
    let refused = |name: String| Parameter {
        param: Param {
            name,
            ty: Ty::Error,
        },
        mutable: false,
        ident: None,
    };
    let typed = match input {
        syn::FnArg::Receiver(receiver) => {
            diags.push(Diagnostic::new(
                &rules::RECEIVER,
                SpanRange::over(receiver),
                &[],
            ));
            return refused("self".to_owned());
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
    let ty = match parameter_type(&typed.ty) {
        Ok(ty) => ty,
        Err(diag) => {
            diags.push(*diag);
            Ty::Error
        }
    };
    match &*typed.pat {
        syn::Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => Parameter {
            param: Param {
                name: pat.ident.unraw().to_string(),
                ty,
            },
            mutable: pat.mutability.is_some(),
            ident: Some(&pat.ident),
        },
        syn::Pat::Wild(_) => Parameter {
            param: Param {
                name: String::new(),
                ty,
            },
            mutable: false,
            ident: None,
        },
        other => {
            diags.push(Diagnostic::new(
                &rules::PARAM_PATTERN,
                SpanRange::over(other),
                &[],
            ));
            refused(String::new())
        }
    }
}

fn parameter_type(ty: &syn::Type) -> Result<Ty, Box<Diagnostic>> {
    let range = SpanRange::over(ty);
    if let syn::Type::Reference(reference) = ty {
        let inner = text(&reference.elem);
        return Err(Box::new(Diagnostic::new(
            &rules::REFERENCE_PARAM,
            range,
            &[&inner, &inner],
        )));
    }
    if let Some(ty) = scalar(ty) {
        return Ok(ty);
    }
    let refused = || Box::new(Diagnostic::new(&rules::PARAM_TYPE, range, &[&text(ty)]));
    let syn::Type::Path(path) = strip(ty) else {
        return Err(refused());
    };
    let Some(last) = path.path.segments.last() else {
        return Err(refused());
    };
    let space = match last.ident.to_string().as_str() {
        "Symmetric" => Space::Symmetric,
        "Global" => Space::Global,
        _ => return Err(refused()),
    };
    if path.qself.is_some() || !facade_path(&path.path) {
        return Err(refused());
    }
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return Err(refused());
    };
    let mut types = arguments.args.iter().filter_map(|argument| match argument {
        syn::GenericArgument::Type(ty) => Some(ty),
        _ => None,
    });
    let (Some(inner), None) = (types.next(), types.next()) else {
        return Err(refused());
    };
    if arguments.args.len() != 1 {
        return Err(refused());
    }
    let (inner, slice) = match strip(inner) {
        syn::Type::Slice(slice) => (&*slice.elem, true),
        other => (other, false),
    };
    match element(inner) {
        Some(elem) => Ok(Ty::Memory(Memory { space, elem, slice })),
        None => Err(Box::new(Diagnostic::new(
            &rules::ELEMENT_TYPE,
            SpanRange::over(inner),
            &[&text(inner), &space],
        ))),
    }
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
    path.segments.len() == 1
        || path.segments.first().is_some_and(|first| {
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
pub fn text(ty: &syn::Type) -> String {
    ty.span()
        .source_text()
        .unwrap_or_else(|| quote::ToTokens::to_token_stream(ty).to_string())
}
