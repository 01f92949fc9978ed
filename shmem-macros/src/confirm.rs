//! What the host stub asserts, so that rustc confirms what the front end took the user's names for.

use std::collections::BTreeSet;

use proc_macro2::{Literal, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use shmem_codegen::{
    ANOTHER_CONSTANT, ANOTHER_FUNCTION, Annotations, CFG_DIFFERS, Diagnostic, Kernel, SpanRange,
    Ty, Use, Value,
};
use syn::spanned::Spanned;

use crate::arguments;
use crate::body::{self, Named};
use crate::types::{self, Names};

/// What the user named is what it was taken for, whatever has been imported under the name.
pub fn confirm(named: &Named, kernel: &Kernel, annotations: &Annotations) -> TokenStream {
    let (uses, names) = (&annotations.uses, &annotations.names);
    let types = named.types.values().map(|(theirs, ty)| {
        let span = theirs.span();
        let ours = types::tokens(*ty, names, &quote!('_), span);
        let given = syn::Ident::new("given", span.resolved_at(Span::mixed_site()));
        // Behind references, as rustc would suggest a conversion for numbers.
        quote_spanned!(span=> fn confirm(#given: &#theirs) { let _: &#ours = #given; })
    });
    let functions = named.functions.iter().map(|(name, theirs)| {
        let mut theirs = theirs.clone();
        if let ("p" | "g", Some(last)) = (name.as_str(), theirs.segments.last_mut()) {
            let element = syn::parse_quote!(::<::core::primitive::i32>);
            last.arguments = syn::PathArguments::AngleBracketed(element);
        }
        let mut ours = theirs.clone();
        body::absolute(&mut ours);
        same(&ours, &theirs)
    });
    let mut known = BTreeSet::new();
    let items = uses
        .iter()
        .filter(|used| known.insert(path(used).to_token_stream().to_string()))
        .map(|used| item(used, names));
    let nominal = arguments::nominal(kernel, names);
    quote! {
        #[allow(unused, clippy::all)]
        const _: () = {
            #({ #types })*
            #({ #nominal })*
            fn confirm() {
                #({ #functions })*
            }
            #(#items)*
        };
    }
}

/// No two functions have one type.
fn same(ours: &syn::Path, theirs: &syn::Path) -> TokenStream {
    let span = theirs.span();
    let given = syn::Ident::new("given", Span::mixed_site());
    quote_spanned!(span=> let mut #given = #ours; #given = #theirs;)
}

fn path(used: &Use) -> &syn::Path {
    match used {
        Use::Device { path, .. } | Use::Constant { path, .. } | Use::Variant { path, .. } => path,
    }
}

fn item(used: &Use, names: &Names) -> TokenStream {
    let path = path(used);
    let span = path.span();
    let text = body::text(path);
    // rustc shows it with a code of its own.
    let differs = |rule| {
        let diagnostic = Diagnostic::new(rule, SpanRange::of(span), &[&text]);
        format!("{}: {}", diagnostic.message, diagnostic.help)
    };
    match used {
        Use::Device {
            tokens, in_body, ..
        } => {
            let message = differs(&ANOTHER_FUNCTION);
            let tokens =
                quote_spanned!(span=> ::core::assert!(#path::TOKENS == #tokens, #message););
            if *in_body {
                return quote_spanned!(span=> const _: () = { #tokens };);
            }
            let mut ours = path.clone();
            ours.segments.push(syn::Ident::new("item", span).into());
            let same = same(&ours, path);
            quote_spanned!(span=> const _: () = { #tokens fn confirm() { #same } };)
        }
        Use::Constant { ty, value, .. } => {
            let message = differs(&ANOTHER_CONSTANT);
            let given = syn::Ident::new("given", Span::mixed_site());
            let ty_tokens = types::tokens(*ty, names, &TokenStream::new(), span);
            let given = quote!(#given);
            let equal = equal(&given, *ty, value);
            quote_spanned! {span=>
                const _: () = {
                    let #given: #ty_tokens = #path;
                    ::core::assert!(#equal, #message);
                };
            }
        }
        Use::Variant { value, .. } => {
            let message = differs(&ANOTHER_CONSTANT);
            let value = Literal::i128_unsuffixed(*value);
            quote_spanned! {span=>
                const _: () = ::core::assert!(#path as ::core::primitive::i128 == #value, #message);
            }
        }
    }
}

/// Whether the constant `given` of type `ty` has this value, bit for bit; one NaN is as good as another.
fn equal(given: &TokenStream, ty: Ty, value: &Value) -> TokenStream {
    let bits = |bits: u64| {
        let bits = Literal::u64_unsuffixed(bits);
        quote!(#given.to_bits() == #bits)
    };
    match value {
        Value::Bool(value) => quote!(#given == #value),
        Value::Int(value) => {
            let literal = Literal::i128_unsuffixed(*value);
            match ty {
                Ty::Enum(_) => quote!(#given as ::core::primitive::i128 == #literal),
                _ => {
                    let ty = types::plain(ty, Span::call_site());
                    quote!(#given == #literal as #ty)
                }
            }
        }
        Value::F32(value) if value.is_nan() => quote!(#given != #given),
        Value::F64(value) if value.is_nan() => quote!(#given != #given),
        Value::F32(value) => bits(value.to_bits().into()),
        Value::F64(value) => bits(value.to_bits()),
        Value::Small(value) => bits((*value).into()),
        Value::Parts(parts) => {
            let parts = parts.iter().enumerate().map(|(index, part)| match ty {
                Ty::Array(of) => {
                    let index = Literal::usize_unsuffixed(index);
                    equal(&quote!(#given[#index]), of.elem, part)
                }
                _ => {
                    let (name, ty) = ty.fields().unwrap_or_default()[index].clone();
                    let member = arguments::member(&name, Span::call_site());
                    equal(&quote!(#given.#member), ty, part)
                }
            });
            quote!(true #(&& #parts)*)
        }
        Value::Repeat(value, len) => {
            let Ty::Array(of) = ty else {
                return quote!(false);
            };
            let index = syn::Ident::new("index", Span::mixed_site());
            let len = Literal::u64_unsuffixed(*len);
            let equal = equal(&quote!(#given[#index]), of.elem, value);
            quote! {{
                let mut #index = 0;
                while #index < #len && #equal {
                    #index += 1;
                }
                #index == #len
            }}
        }
    }
}

/// Errors where rustc takes a predicate of `cfg` otherwise than the build script.
pub fn cfgs(checks: &[(syn::Meta, bool)]) -> TokenStream {
    let mut known = BTreeSet::new();
    let checks = checks
        .iter()
        .filter(|(predicate, _)| known.insert(predicate.to_token_stream().to_string()))
        .map(|(predicate, holds)| {
            let text = predicate.to_token_stream().to_string();
            let range = SpanRange::over(predicate);
            let error = Diagnostic::new(&CFG_DIFFERS, range, &[&text]).to_compile_error();
            match holds {
                true => quote!(#[cfg(not(#predicate))] #error),
                false => quote!(#[cfg(#predicate)] #error),
            }
        });
    quote!(#(#checks)*)
}

/// The module beside a device function `f`: the hash of its tokens, and `f::item`, the function itself. In the body of
/// a function a module does not see what stands beside it.
pub fn marker(item: &syn::ItemFn, tokens: u64, in_body: bool) -> TokenStream {
    let (vis, name) = (&item.vis, &item.sig.ident);
    let itself = (!in_body).then(|| {
        let inside = inside(vis);
        quote!(#inside use super::#name as item;)
    });
    quote! {
        #[doc(hidden)]
        #[allow(unused, non_snake_case, unreachable_pub, clippy::all)]
        #vis mod #name {
            pub const TOKENS: ::core::primitive::u64 = #tokens;
            #itself
        }
    }
}

/// How a module inside of an item's module says the item's visibility.
pub fn inside(vis: &syn::Visibility) -> TokenStream {
    let syn::Visibility::Restricted(restricted) = vis else {
        return match vis {
            syn::Visibility::Inherited => quote!(pub(super)),
            other => quote!(#other),
        };
    };
    let path = &restricted.path;
    match path.segments.first().map(|first| first.ident.to_string()) {
        Some(first) if first == "self" => quote!(pub(super)),
        Some(first) if first == "super" => quote!(pub(in super::#path)),
        _ => quote!(#vis),
    }
}
