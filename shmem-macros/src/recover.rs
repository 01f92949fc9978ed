//! After a mistake: the errors, and a function and module of the right names, so that nothing else fails for it.

use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};
use quote::quote;
use shmem_codegen::enclosure::Enclosure;
use shmem_codegen::{Diagnostic, Kernel, Ty};

/// Stands in for a device function with mistakes: the same signature and marker, so that its callers have no others.
pub fn device(item: &syn::ItemFn, marker: TokenStream, diagnostics: &[Diagnostic]) -> TokenStream {
    let errors = diagnostics.iter().map(Diagnostic::to_compile_error);
    let syn::ItemFn { vis, sig, .. } = item;
    let marker = (!hides(diagnostics)).then_some(marker);
    quote! {
        #(#errors)*
        #marker
        #[allow(unused, clippy::all)]
        #vis #sig {
            loop {}
        }
    }
}

/// The code of the rule about names of kernels.
const HIDES: &str = "SHM0122";

/// Whether a module of the function's name, such as `shmem`, would cause mistakes in everything around it.
fn hides(diagnostics: &[Diagnostic]) -> bool {
    diagnostics
        .iter()
        .any(|diagnostic| diagnostic.code == HIDES)
}

/// Stands in for a kernel with mistakes. `kernel` is what was understood of it.
pub fn kernel(
    item: &syn::ItemFn,
    kernel: &Kernel,
    enclosure: Option<Enclosure>,
    diagnostics: &[Diagnostic],
) -> TokenStream {
    let errors = diagnostics.iter().map(Diagnostic::to_compile_error);
    let syn::ItemFn { vis, sig, .. } = item;
    let name = &sig.ident;
    let method = enclosure == Some(Enclosure::Methods);
    let receiver = sig
        .inputs
        .iter()
        .any(|input| matches!(input, syn::FnArg::Receiver(_)));
    if receiver && !method {
        // Nowhere may such a function stand.
        return quote!(#(#errors)*);
    }
    let signature = signature(sig, kernel);
    let function = quote! {
        #[allow(unused, clippy::all)]
        #vis #signature {
            loop {}
        }
    };
    if method || hides(diagnostics) {
        return match method {
            // The errors are items, and a method is not.
            true => quote!(#function #(#errors)*),
            false => quote!(#(#errors)* #function),
        };
    }
    let unsafety = match sig.safety {
        syn::Safety::Unsafe(token) => Some(token),
        _ => None,
    };
    let arguments = sig
        .inputs
        .iter()
        .map(|_| quote!(_: impl ::core::marker::Sized));
    quote! {
        #(#errors)*
        #function
        #[allow(unused, missing_docs, non_snake_case, clippy::all)]
        #vis mod #name {
            pub const NAME: &::core::primitive::str = "";
            pub const SOURCE: &::core::primitive::str = "";
            pub #unsafety fn launch(
                _: &::shmem::Stream<'_>,
                _: ::core::primitive::u32,
                #(#arguments),*
            ) -> ::core::result::Result<(), ::shmem::Error> {
                loop {}
            }
        }
    }
}

/// Stands in for a function whose body is not looked at.
pub fn unparsed(input: TokenStream, diagnostic: &Diagnostic) -> TokenStream {
    let error = diagnostic.to_compile_error();
    let mut tokens: Vec<TokenTree> = input.into_iter().collect();
    if let Some(TokenTree::Group(body)) = tokens.last()
        && body.delimiter() == Delimiter::Brace
    {
        tokens.pop();
        tokens.push(Group::new(Delimiter::Brace, TokenStream::new()).into());
    }
    let input: TokenStream = tokens.into_iter().collect();
    if shmem_codegen::enclosure::depth::too_deep(input.clone()).is_some() {
        return error;
    }
    match syn::parse2::<syn::ItemFn>(input) {
        Ok(item) => {
            let analysis = shmem_codegen::analyse(TokenStream::new(), &item);
            kernel(
                &item,
                &analysis.kernel,
                None,
                std::slice::from_ref(diagnostic),
            )
        }
        Err(_) => error,
    }
}

/// The user's signature without what may itself be a mistake.
fn signature(sig: &syn::Signature, kernel: &Kernel) -> syn::Signature {
    let mut signature = sig.clone();
    signature.constness = None;
    signature.asyncness = None;
    signature.abi = None;
    signature.generics = syn::Generics::default();
    signature.output = syn::ReturnType::Default;
    signature.variadic = None;
    for (input, param) in signature.inputs.iter_mut().zip(&kernel.params) {
        if let syn::FnArg::Typed(typed) = input {
            typed.attrs.clear();
            *typed.pat = syn::parse_quote!(_);
            if param.ty == Ty::Error {
                *typed.ty = syn::parse_quote!(impl ::core::marker::Sized);
            }
        }
    }
    signature
}
