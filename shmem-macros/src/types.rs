//! The types of kernels as absolute Rust paths, which nothing in the user's scope can shadow.

use std::collections::HashMap;

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use shmem_codegen::{Elem, Float, Memory, Space, Ty};

/// How structs and enums are called.
pub type Names = HashMap<Ty, syn::Path>;

/// A type without structs and enums, and without a lifetime.
pub fn plain(ty: Ty, span: Span) -> TokenStream {
    tokens(ty, &Names::new(), &TokenStream::new(), span)
}

/// `ty` at `span`, its lifetime being `lifetime`; `_` for a struct or enum that has no name.
pub fn tokens(ty: Ty, names: &Names, lifetime: &TokenStream, span: Span) -> TokenStream {
    let primitive = |name: &str| {
        let name = Ident::new(name, span);
        quote_spanned!(span=> ::core::primitive::#name)
    };
    match ty {
        Ty::Bool => primitive("bool"),
        Ty::Int(int) => primitive(int.rust()),
        Ty::Float(float @ (Float::F32 | Float::F64)) => primitive(float.rust()),
        Ty::Float(float) => {
            let name = Ident::new(float.rust(), span);
            quote_spanned!(span=> ::shmem::#name)
        }
        Ty::CChar => quote_spanned!(span=> ::core::ffi::c_char),
        Ty::Memory(Memory { space, elem, slice }) => {
            let elem = element(elem, span);
            let space = Ident::new(
                if space == Space::Symmetric {
                    "Symmetric"
                } else {
                    "Global"
                },
                span,
            );
            let elem = if slice {
                quote_spanned!(span=> [#elem])
            } else {
                elem
            };
            quote_spanned!(span=> ::shmem::#space<#lifetime, #elem>)
        }
        Ty::Tuple(of) => {
            let elems = of.elems.iter().map(|&ty| tokens(ty, names, lifetime, span));
            quote_spanned!(span=> (#(#elems,)*))
        }
        Ty::Array(of) => {
            let elem = tokens(of.elem, names, lifetime, span);
            let len = Literal::u64_unsuffixed(of.len);
            quote_spanned!(span=> [#elem; #len])
        }
        Ty::Struct(_) | Ty::Enum(_) => match names.get(&ty) {
            Some(path) => path.to_token_stream(),
            None => quote_spanned!(span=> _),
        },
        Ty::Ref(to, mutable) => {
            let to = tokens(*to, names, lifetime, span);
            let mutable = mutable.then(|| Ident::new("mut", span));
            quote_spanned!(span=> &#mutable #to)
        }
        Ty::Unit | Ty::Never | Ty::Infer(_) | Ty::Error => quote_spanned!(span=> ()),
    }
}

/// A name of the user's, at `span`.
pub fn name(name: &str, span: Span) -> Ident {
    match syn::parse_str::<Ident>(name) {
        Ok(mut ident) => {
            ident.set_span(span);
            ident
        }
        Err(_) => Ident::new_raw(name, span),
    }
}

fn element(elem: Elem, span: Span) -> TokenStream {
    plain(elem.ty(), span)
}
