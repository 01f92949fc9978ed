//! The expansion: analyse, then a stub, or all mistakes and what keeps them from causing others.

use proc_macro2::TokenStream;
use quote::quote;
use shmem_codegen::configure::Configured;
use shmem_codegen::enclosure::Enclosure;
use shmem_codegen::enclosure::depth::too_deep;
use shmem_codegen::manifest::Report;
use shmem_codegen::source::kernel_attribute;
use shmem_codegen::{
    Analysis, DEVICE_OPTION, Diagnostic, Flat, IN_MACRO, NOT_A_FUNCTION, RECEIVER, SpanRange,
    analyse_among, analyse_device, flatten, hash, item_tokens,
};

use crate::context::Context;
use crate::{confirm, recover, stub};

pub fn kernel(arguments: TokenStream, input: TokenStream) -> TokenStream {
    if let Some(span) = too_deep(input.clone()) {
        return recover::unparsed(input, &Diagnostic::too_deep(span));
    }
    let item: syn::ItemFn = match syn::parse2(input.clone()) {
        Ok(item) => item,
        Err(error) => {
            let diagnostic = if syn::parse2::<syn::Item>(input.clone()).is_ok() {
                Diagnostic::new(&NOT_A_FUNCTION, SpanRange::over(&input), &[])
            } else {
                Diagnostic::from_syn(&error)
            };
            let error = diagnostic.to_compile_error();
            return quote!(#error #input);
        }
    };
    let flat = flatten(item_tokens(&arguments, &item));
    let hash = hash(&flat);
    let context = Context::of(&item.sig.ident, hash);
    let (place, entry) = (context.place.as_ref(), context.entry(hash));
    let mut configured = context.configured(&item);
    let mut analysis = analyse_among(arguments, &configured.item, context.items());
    unknown(&configured, &mut analysis);
    // The build script saw these very tokens: its word is taken, so that each mistake has one source.
    let mut diagnostics = match entry {
        Some(entry) => entry
            .diagnostics
            .iter()
            .map(|report| at_tokens(report, &flat))
            .collect(),
        None => analysis.diagnostics.clone(),
    };
    if entry.is_none() {
        diagnostics.extend_from_slice(&configured.diagnostics);
    }
    let enclosure = place
        .filter(|_| entry.is_none())
        .and_then(|place| place.enclosure(&item.sig.ident));
    if let Some(mistake) = enclosure.and_then(|enclosure| misplaced(enclosure, &item.sig.ident))
        && diagnostics
            .iter()
            .all(|diagnostic| diagnostic.code != mistake.code)
    {
        diagnostics.insert(0, mistake);
    }
    // The build script looks at the function only.
    if let Some(again) = item
        .attrs
        .iter()
        .find(|attr| kernel_attribute(attr).is_some())
    {
        diagnostics.push(Diagnostic::kernel_twice(SpanRange::over(again)));
    }
    if !diagnostics.is_empty() {
        return recover::kernel(&configured.item, &analysis.kernel, enclosure, &diagnostics);
    }
    let manifest = context.manifest.as_ref();
    // What was not seen cannot be confirmed.
    let built = manifest.zip(entry).filter(|_| !analysis.annotations.unseen);
    let checks = confirm::cfgs(&configured.checks);
    let stub = stub::kernel(&mut configured.item, &mut analysis, built, place);
    quote!(#stub #checks)
}

/// Where a `cfg` is not known the function is plain Rust only.
fn unknown(configured: &Configured, analysis: &mut Analysis) {
    if configured.unknown {
        analysis.annotations.unseen = true;
        analysis.diagnostics.clear();
    }
}

/// The mistake of standing in a macro or an `impl`.
fn misplaced(enclosure: Enclosure, name: &syn::Ident) -> Option<Diagnostic> {
    let range = SpanRange::of(name.span());
    match enclosure {
        Enclosure::Items | Enclosure::Body => None,
        Enclosure::Macro => Some(Diagnostic::new(&IN_MACRO, range, &[name])),
        Enclosure::Methods => Some(Diagnostic::new(&RECEIVER, range, &[])),
    }
}

/// A device function: plain Rust for rustc and the host, its mistakes told here.
pub fn device(arguments: TokenStream, input: TokenStream) -> TokenStream {
    if let Some(span) = too_deep(input.clone()) {
        return recover::unparsed(input, &Diagnostic::too_deep(span));
    }
    let item: syn::ItemFn = match syn::parse2(input.clone()) {
        Ok(item) => item,
        Err(_) => {
            let mut diagnostic = Diagnostic::new(&NOT_A_FUNCTION, SpanRange::over(&input), &[]);
            diagnostic.message = diagnostic.message.replace("shmem_kernel", "shmem_device");
            let error = diagnostic.to_compile_error();
            return quote!(#error #input);
        }
    };
    let hash = hash(&flatten(item_tokens(&TokenStream::new(), &item)));
    let context = Context::of(&item.sig.ident, hash);
    let mut configured = context.configured(&item);
    let mut analysis = analyse_device(&configured.item, context.items());
    unknown(&configured, &mut analysis);
    let mut diagnostics = analysis.diagnostics.clone();
    diagnostics.extend_from_slice(&configured.diagnostics);
    if !arguments.is_empty() {
        diagnostics.insert(
            0,
            Diagnostic::new(&DEVICE_OPTION, SpanRange::over(&arguments), &[]),
        );
    }
    let enclosure = context
        .place
        .as_ref()
        .and_then(|place| place.enclosure(&item.sig.ident));
    diagnostics.extend(enclosure.and_then(|enclosure| misplaced(enclosure, &item.sig.ident)));
    let in_body = enclosure != Some(Enclosure::Items);
    let marker = confirm::marker(&item, hash, in_body);
    if diagnostics.is_empty() {
        let checks = confirm::cfgs(&configured.checks);
        let stub = stub::device(&mut configured.item, &mut analysis, marker);
        quote!(#stub #checks)
    } else {
        recover::device(&configured.item, marker, &diagnostics)
    }
}

/// A diagnostic of the manifest, at the user's tokens.
fn at_tokens(report: &Report, flat: &[Flat]) -> Diagnostic {
    let span = |index: usize| {
        flat.get(index)
            .map_or_else(proc_macro2::Span::call_site, |token| token.span)
    };
    Diagnostic {
        code: report.code.clone(),
        message: report.message.clone(),
        help: report.help.clone(),
        range: SpanRange {
            first: span(report.first),
            last: span(report.last),
        },
    }
}
