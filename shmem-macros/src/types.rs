//! The types of kernels as absolute Rust paths, which nothing in the user's scope can shadow.

use proc_macro2::{Ident, Literal, Span, TokenStream};
use quote::{ToTokens, quote_spanned};
use shmem_codegen::{Elem, Float, Memory, Space, Ty};

/// `ty` at `span`, its lifetime being `lifetime`.
pub fn tokens(ty: Ty, lifetime: &TokenStream, span: Span) -> TokenStream {
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
            let elems = of.elems.iter().map(|&ty| tokens(ty, lifetime, span));
            quote_spanned!(span=> (#(#elems,)*))
        }
        Ty::Array(of) => {
            let elem = tokens(of.elem, lifetime, span);
            let len = Literal::u64_unsuffixed(of.len);
            quote_spanned!(span=> [#elem; #len])
        }
        Ty::Struct(of) => name(&of.name, span).into_token_stream(),
        Ty::Enum(of) => name(&of.name, span).into_token_stream(),
        Ty::Ref(to, mutable) => {
            let to = tokens(*to, lifetime, span);
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
    tokens(elem.ty(), &TokenStream::new(), span)
}
