//! Tuples, arrays, structs and enums between host and kernel: how `launch` packs them, and the proof that a type of
//! the user's is the one that was lowered.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use shmem_codegen::{Kernel, Ty};

use crate::stub::Parameter;
use crate::types::{self, Names};

/// Whether an argument of this type is packed part by part.
pub fn is_made(ty: Ty) -> bool {
    ty.is_aggregate() || matches!(ty, Ty::Enum(_))
}

/// What the module of the kernel has to know of such parameters. It stands beside the module, where the user's names
/// mean what they mean in the signature.
pub fn parameters(
    kernel: &Kernel,
    names: &Names,
    module: &Ident,
    places: &[Parameter],
) -> TokenStream {
    let made = kernel.params.iter().zip(places).enumerate();
    let impls = made
        .filter(|(_, (param, _))| is_made(param.ty))
        .map(|(index, (param, place))| {
            let ty = types::tokens(param.ty, names, &TokenStream::new(), place.ty);
            let given = Ident::new("given", Span::mixed_site());
            let args = Ident::new("args", Span::mixed_site());
            let start = Ident::new("start", Span::mixed_site());
            let size = bytes(param.ty.layout().0);
            let pack = pack(
                param.ty,
                &given.to_token_stream(),
                &start.to_token_stream(),
                &args,
            );
            quote! {
                impl ::shmem::__private::Parameter<#index> for #module::Kernel {
                    type Type = #ty;

                    fn pack(#given: Self::Type, #args: &mut ::shmem::__private::Args) {
                        let #start = #args.open(#size);
                        #pack
                    }
                }
            }
        });
    quote!(#(#impls)*)
}

/// Writes `value` at the byte `at`.
fn pack(ty: Ty, value: &TokenStream, at: &TokenStream, args: &Ident) -> TokenStream {
    match ty {
        Ty::Tuple(_) | Ty::Struct(_) => {
            let (offsets, _) = ty.offsets();
            let fields = ty.fields().unwrap_or_default();
            let parts = fields.iter().zip(offsets).map(|((name, ty), (offset, _))| {
                let member = member(name, Span::call_site());
                let offset = bytes(offset);
                pack(*ty, &quote!(#value.#member), &quote!(#at + #offset), args)
            });
            quote!(#(#parts)*)
        }
        Ty::Array(of) => {
            let index = Ident::new("index", Span::mixed_site());
            let element = Ident::new("element", Span::mixed_site());
            let start = Ident::new("at", Span::mixed_site());
            let size = bytes(of.elem.layout().0);
            let one = pack(
                of.elem,
                &element.to_token_stream(),
                &start.to_token_stream(),
                args,
            );
            quote! {
                for (#index, #element) in ::core::iter::IntoIterator::into_iter(#value).enumerate() {
                    let #start = #at + #index * #size;
                    #one
                }
            }
        }
        Ty::Enum(of) => {
            let held = types::plain(Ty::Int(of.held), Span::call_site());
            quote!(#args.put(#at, #value as #held);)
        }
        _ => quote!(#args.put(#at, #value);),
    }
}

fn bytes(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

pub fn member(name: &str, span: Span) -> syn::Member {
    match name.parse::<u32>() {
        Ok(index) => syn::Member::Unnamed(syn::Index { index, span }),
        Err(_) => syn::Member::Named(types::name(name, span)),
    }
}

/// For each struct and enum that has a name here, what holds only if rustc's has the same parts. Others are confirmed by
/// the functions that they come from.
pub fn nominal(kernel: &Kernel, names: &Names) -> Vec<TokenStream> {
    let mut known: Vec<(&Ty, &syn::Path)> = names.iter().collect();
    known.sort_by_key(|(ty, _)| ty.to_string());
    known
        .into_iter()
        .map(|(&ty, path)| confirm(ty, path, names, kernel.span))
        .collect()
}

fn confirm(ty: Ty, path: &syn::Path, known: &Names, span: Span) -> TokenStream {
    let given = Ident::new("given", span.resolved_at(Span::mixed_site()));
    match ty {
        Ty::Struct(of) => {
            let members = of.fields.iter().map(|field| member(&field.name, span));
            let names: Vec<Ident> = (0..of.fields.len())
                .map(|index| Ident::new(&format!("field_{index}"), given.span()))
                .collect();
            let fields = of.fields.iter();
            let types =
                fields.map(|field| types::tokens(field.ty, known, &TokenStream::new(), span));
            quote_spanned! {span=>
                fn confirm(#given: #path) {
                    let #path { #(#members: #names),* } = #given;
                    #(let _: #types = #names;)*
                }
            }
        }
        Ty::Enum(of) => {
            let variants: Vec<Ident> = of
                .variants
                .iter()
                .map(|variant| types::name(&variant.name, span))
                .collect();
            let values = of.variants.iter().map(|variant| variant.value);
            quote_spanned! {span=>
                fn confirm(#given: #path) {
                    match #given { #(#path::#variants => {})* }
                }
                #(const _: () = ::core::assert!(
                    #path::#variants as ::core::primitive::i128 == #values,
                    "the build script knows another value of this variant"
                );)*
            }
        }
        _ => TokenStream::new(),
    }
}
