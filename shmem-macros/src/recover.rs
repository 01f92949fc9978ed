//! After a mistake: the errors, and a function and module of the right names, so that nothing else fails for it.

use proc_macro2::TokenStream;
use quote::quote;
use shmem_codegen::Diagnostic;

pub fn kernel(item: &syn::ItemFn, diagnostics: &[Diagnostic]) -> TokenStream {
    let errors = diagnostics.iter().map(Diagnostic::to_compile_error);
    let syn::ItemFn { vis, sig, .. } = item;
    let is_method = sig
        .inputs
        .iter()
        .any(|input| matches!(input, syn::FnArg::Receiver(_)));
    let in_impl = diagnostics
        .iter()
        .any(|diagnostic| diagnostic.code == shmem_codegen::RECEIVER.code);
    if is_method || in_impl {
        return quote!(#(#errors)*);
    }
    let name = &sig.ident;
    let mut signature = sig.clone();
    signature.output = syn::ReturnType::Default;
    signature.variadic = None;
    for input in &mut signature.inputs {
        if let syn::FnArg::Typed(typed) = input {
            typed.attrs.clear();
        }
    }
    let arguments = sig
        .inputs
        .iter()
        .map(|_| quote!(_: impl ::core::marker::Sized));
    quote! {
        #(#errors)*
        #[allow(unused, clippy::all)]
        #vis #signature {
            loop {}
        }
        #[allow(unused, missing_docs, clippy::all)]
        #vis mod #name {
            pub const NAME: &str = "";
            pub const SOURCE: &str = "";
            pub fn launch(
                _: &::shmem::Stream<'_>,
                _: u32,
                #(#arguments),*
            ) -> ::core::result::Result<(), ::shmem::Error> {
                loop {}
            }
        }
    }
}
