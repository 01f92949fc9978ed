//! Tuples, arrays, structs and enums between host and kernel: how `launch` packs them, and the proof that a type of
//! the user's is the one that was lowered.

use proc_macro2::{Ident, Span, TokenStream};
use quote::{ToTokens, quote, quote_spanned};
use shmem_codegen::{Kernel, Ty};

use crate::stub::Place;
use crate::types;

/// Whether an argument of this type is packed part by part.
pub fn is_made(ty: Ty) -> bool {
    ty.is_aggregate() || matches!(ty, Ty::Enum(_))
}

/// The visibility of an item, said one module further in.
pub fn inside(vis: &syn::Visibility) -> TokenStream {
    match vis {
        syn::Visibility::Inherited => quote!(pub(super)),
        syn::Visibility::Restricted(of) => {
            let path = &of.path;
            match path
                .segments
                .first()
                .map(|first| first.ident.to_string())
                .as_deref()
            {
                Some("self") => quote!(pub(super)),
                Some("super") => quote!(pub(in super::#path)),
                _ => quote!(#vis),
            }
        }
        syn::Visibility::Public(_) => quote!(#vis),
    }
}

/// What the module of the kernel has to know of such parameters. It stands beside the module, where the user's names
/// mean what they mean in the signature.
pub fn parameters(kernel: &Kernel, module: &Ident, places: &[Place]) -> TokenStream {
    let made = kernel.params.iter().zip(places).enumerate();
    let impls = made
        .filter(|(_, (param, _))| is_made(param.ty))
        .map(|(index, (param, place))| {
            let ty = types::tokens(param.ty, &TokenStream::new(), place.ty);
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
            let held = types::tokens(Ty::Int(of.held), &TokenStream::new(), Span::call_site());
            quote!(#args.put(#at, #value as #held);)
        }
        _ => quote!(#args.put(#at, #value);),
    }
}

fn bytes(count: u64) -> usize {
    usize::try_from(count).unwrap_or(usize::MAX)
}

fn member(name: &str, span: Span) -> syn::Member {
    match name.parse::<u32>() {
        Ok(index) => syn::Member::Unnamed(syn::Index { index, span }),
        Err(_) => syn::Member::Named(types::name(name, span)),
    }
}

/// For each struct and enum of the kernel, what holds only if rustc's has the same parts.
pub fn nominal(kernel: &Kernel) -> Vec<TokenStream> {
    let mut known = Vec::new();
    kernel.types.iter().for_each(|&ty| gather(ty, &mut known));
    known
        .into_iter()
        .map(|ty| confirm(ty, kernel.span))
        .collect()
}

fn gather(ty: Ty, known: &mut Vec<Ty>) {
    match ty {
        Ty::Array(of) => gather(of.elem, known),
        Ty::Ref(to, _) => gather(*to, known),
        Ty::Tuple(of) => of.elems.iter().for_each(|&ty| gather(ty, known)),
        // The fields of a struct are confirmed by its own types, which may not have a name here.
        Ty::Struct(_) | Ty::Enum(_) if !known.contains(&ty) => known.push(ty),
        _ => {}
    }
}

fn confirm(ty: Ty, span: Span) -> TokenStream {
    let given = Ident::new("given", span.resolved_at(Span::mixed_site()));
    match ty {
        Ty::Struct(of) => {
            let path = types::name(&of.name, span);
            let members = of.fields.iter().map(|field| member(&field.name, span));
            let names: Vec<Ident> = (0..of.fields.len())
                .map(|index| Ident::new(&format!("field_{index}"), given.span()))
                .collect();
            let types = of
                .fields
                .iter()
                .map(|field| types::tokens(field.ty, &TokenStream::new(), span));
            quote_spanned! {span=>
                fn confirm(#given: #path) {
                    let #path { #(#members: #names),* } = #given;
                    #(let _: #types = #names;)*
                }
            }
        }
        Ty::Enum(of) => {
            let path = types::name(&of.name, span);
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
