//! The types of kernels as absolute Rust paths, which nothing in the user's scope can shadow.

use proc_macro2::{Ident, Span, TokenStream};
use quote::quote_spanned;
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
        Ty::Unit | Ty::Never | Ty::Infer(_) | Ty::Error => quote_spanned!(span=> ()),
    }
}

fn element(elem: Elem, span: Span) -> TokenStream {
    tokens(elem.ty(), &TokenStream::new(), span)
}
