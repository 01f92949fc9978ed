//! The host side of a kernel without mistakes: the function as plain Rust, and the module that launches it.

use proc_macro2::{Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use shmem_codegen::manifest::{self, Entry, LIBRARY, Manifest};
use shmem_codegen::{Analysis, EmitOptions, Fault, Float, Kernel, Shown, Ty, emit_kernel};
use syn::ext::IdentExt;
use syn::spanned::Spanned;

use crate::context::Place;
use crate::types::Names;
use crate::{arguments, body, confirm, types};

pub fn kernel(
    item: &mut syn::ItemFn,
    analysis: &mut Analysis,
    built: Option<(&Manifest, &Entry)>,
    place: Option<&Place>,
) -> TokenStream {
    let parameters = parameters(&item.sig);
    let confirm = confirmed(item, analysis);
    let module = module(item, analysis, &parameters, built, place);
    let packed = {
        let names = &analysis.annotations.names;
        arguments::parameters(&analysis.kernel, names, &item.sig.ident, &parameters)
    };
    // Once a file: the mistake is the profile's, not the kernel's.
    let profile = built
        .filter(|(manifest, entry)| {
            let first = manifest
                .kernels
                .iter()
                .find(|kernel| kernel.file == entry.file);
            first == Some(entry)
        })
        .map(|(manifest, _)| overflow(manifest, item.sig.ident.span()));
    let asserts = built
        .filter(|_| analysis.kernel.needs.debug_assertions)
        .map(|(manifest, _)| assertions(manifest, item.sig.ident.span()));
    quote! {
        #[allow(dead_code, clippy::redundant_pattern)]
        #item
        #module
        #packed
        #confirm
        #profile
        #asserts
    }
}

/// A device function: its body as plain Rust, confirmed as a kernel's is, and what its callers confirm it by.
pub fn device(item: &mut syn::ItemFn, analysis: &mut Analysis, marker: TokenStream) -> TokenStream {
    let confirm = confirmed(item, analysis);
    quote! {
        #[allow(dead_code, clippy::redundant_pattern)]
        #item
        #marker
        #confirm
    }
}

/// Writes what was found into the body, and gives what rustc confirms beside it. Where something was not seen, the
/// body stays as it is.
fn confirmed(item: &mut syn::ItemFn, analysis: &mut Analysis) -> TokenStream {
    if analysis.annotations.unseen {
        return TokenStream::new();
    }
    let params = analysis.kernel.params.iter();
    let types: Vec<Ty> = params.map(|param| param.ty).collect();
    let named = body::rewrite(item, &types, &mut analysis.annotations);
    confirm::confirm(&named, &analysis.kernel, &analysis.annotations)
}

/// Where the user wrote each parameter: its name and its type.
pub struct Parameter {
    name: Option<syn::Ident>,
    pub ty: Span,
}

fn parameters(sig: &syn::Signature) -> Vec<Parameter> {
    let typed = sig.inputs.iter().filter_map(|input| match input {
        syn::FnArg::Typed(typed) => Some(typed),
        syn::FnArg::Receiver(_) => None,
    });
    typed
        .map(|typed| Parameter {
            name: match &*typed.pat {
                syn::Pat::Ident(pat) => Some(pat.ident.clone()),
                _ => None,
            },
            ty: typed.ty.span(),
        })
        .collect()
}

/// Without a word from the build script, overflow is checked where the profile says; the two have to agree.
fn overflow(manifest: &Manifest, span: Span) -> TokenStream {
    if manifest.overflow_explicit || !manifest.library {
        return TokenStream::new();
    }
    let on = manifest.overflow_checks;
    profile(on, "overflow checks", "overflow_checks", span)
}

/// The same for the debug assertions of a kernel that has some.
fn assertions(manifest: &Manifest, span: Span) -> TokenStream {
    if manifest.debug_explicit || !manifest.library {
        return TokenStream::new();
    }
    let on = manifest.debug_assertions;
    profile(on, "debug assertions", "debug_assertions", span)
}

fn profile(on: bool, what: &str, setter: &str, span: Span) -> TokenStream {
    let message = format!(
        "kernels were compiled with {what} {}, but this profile sets debug-assertions otherwise: \
         call `.{setter}({})` on the Build in build.rs",
        if on { "on" } else { "off" },
        !on
    );
    quote_spanned!(span=> const _: () = ::core::assert!(::core::cfg!(debug_assertions) == #on, #message);)
}

fn module(
    item: &syn::ItemFn,
    analysis: &Analysis,
    parameters: &[Parameter],
    built: Option<(&Manifest, &Entry)>,
    place: Option<&Place>,
) -> TokenStream {
    let kernel = &analysis.kernel;
    let vis = &item.vis;
    let ident = &item.sig.ident;
    let name = &kernel.name;
    let (symbol, contract) = match built {
        Some((_, entry)) => (entry.symbol.clone(), entry.contract),
        None => (format!("shmem_k_{name}"), 0),
    };
    let overflow_checks = built.is_none_or(|(manifest, _)| manifest.overflow_checks);
    let debug_assertions = built.is_none_or(|(manifest, _)| manifest.debug_assertions);
    let options = EmitOptions {
        symbol: &symbol,
        file: place.map_or("kernel.rs", |place| &place.file),
        overflow_checks,
        debug_assertions,
        contract,
        bug: None,
    };
    let source = match analysis.annotations.unseen {
        false => emit_kernel(kernel, &options).kernel,
        true => "// Not lowered: the kernel names items of files that only a build script sees.\n"
            .to_owned(),
    };
    let library = match built {
        Some((manifest, _)) if manifest.library => {
            let below = format!("/{LIBRARY}");
            quote!(::core::option::Option::Some(::core::include_bytes!(
                ::core::concat!(::core::env!("OUT_DIR"), #below)
            )))
        }
        _ => quote!(::core::option::Option::None),
    };
    let sites = sites(kernel, built, place);
    let line = u32::try_from(kernel.span.start().line).unwrap_or(u32::MAX);
    let (checked, all_blocks, vector) = (
        !kernel.options.unchecked,
        kernel.options.all_blocks,
        kernel.options.vector,
    );
    let prints = kernel.needs.prints;
    let launch = launch(kernel, &analysis.annotations.names, parameters, vis);
    let doc = format!("Launching the kernel [`{name}`](fn@{ident}).");
    quote! {
        #[doc = #doc]
        #[allow(dead_code, non_snake_case, clippy::module_inception)]
        #vis mod #ident {
            /// The name of the kernel.
            pub const NAME: &::core::primitive::str = #name;

            /// The AscendC that the kernel was lowered to.
            pub const SOURCE: &::core::primitive::str = #source;

            static KERNEL: ::shmem::__private::KernelInfo = ::shmem::__private::KernelInfo {
                name: NAME,
                file: ::core::file!(),
                line: #line,
                symbol: #symbol,
                library: #library,
                contract: #contract,
                checked: #checked,
                all_blocks: #all_blocks,
                vector: #vector,
                prints: #prints,
                sites: &[#sites],
            };

            #launch
        }
    }
}

/// The table of the places where a kernel may panic.
fn sites(
    kernel: &Kernel,
    built: Option<(&Manifest, &Entry)>,
    place: Option<&Place>,
) -> TokenStream {
    // Of a device function the build script knows the places.
    let known = built.map_or(&[][..], |(_, entry)| &entry.sites);
    let sites = kernel.sites.iter().enumerate().map(|(index, site)| {
        let start = site.span.start();
        let at = known.get(index).copied().unwrap_or(manifest::Place {
            line: start.line,
            column: start.column + 1,
            file: None,
        });
        let line = u32::try_from(at.line).unwrap_or(u32::MAX);
        let column = u32::try_from(at.column).unwrap_or(u32::MAX);
        let file = built
            .and_then(|(manifest, _)| manifest.files.get(at.file?))
            .map(|(file, _)| place.map_or_else(|| file.clone(), |place| place.shown(file)))
            .unwrap_or_default();
        let (op, signed, text, values) = match &site.fault {
            Fault::Check => ("", false, "", String::new()),
            Fault::Arithmetic { verb, signed } => (*verb, *signed, "", String::new()),
            Fault::Text(text, values) => {
                let letters = values.iter().map(letter).collect();
                ("", false, text.as_str(), letters)
            }
        };
        quote! {
            ::shmem::__private::Site {
                file: #file, line: #line, column: #column, op: #op, signed: #signed, text: #text, values: #values,
            }
        }
    });
    quote!(#(#sites),*)
}

/// Names that a parameter of `launch` cannot have.
const TAKEN: [&str; 6] = ["stream", "blocks", "NAME", "SOURCE", "KERNEL", "Kernel"];

/// How the runtime writes a value in the text of a panic or a print.
fn letter(shown: &Shown) -> char {
    match (shown.ty, shown.debug) {
        (Ty::Bool, _) => 'b',
        (Ty::Float(Float::F16), false) => 'h',
        (Ty::Float(Float::F16), true) => 'H',
        (Ty::Float(Float::Bf16), false) => 'g',
        (Ty::Float(Float::Bf16), true) => 'G',
        (Ty::Float(Float::F32), false) => 'f',
        (Ty::Float(Float::F32), true) => 'F',
        (Ty::Float(Float::F64), false) => 'd',
        (Ty::Float(Float::F64), true) => 'D',
        (Ty::Int(int), _) if !int.signed() => 'u',
        _ => 'i',
    }
}

fn launch(
    kernel: &Kernel,
    known: &Names,
    parameters: &[Parameter],
    vis: &syn::Visibility,
) -> TokenStream {
    let lifetime = quote!('static);
    let mixed = Span::mixed_site();
    // Its own by hygiene, whatever the user's parameters are called.
    let arguments = syn::Ident::new("arguments", mixed);
    // The user's names, where they do not meet those that are always there.
    let names: Vec<_> = parameters
        .iter()
        .enumerate()
        .map(|(index, place)| match &place.name {
            Some(name) if TAKEN.iter().all(|taken| name.unraw() != taken) => name.clone(),
            _ => format_ident!("argument_{index}", span = mixed),
        })
        .collect();
    let described = kernel.params.iter().zip(parameters).enumerate();
    let (types, packs): (Vec<_>, Vec<_>) = described
        .map(|(index, (param, place))| {
            let name = &names[index];
            if arguments::is_made(param.ty) {
                let parameter = quote!(<Kernel as ::shmem::__private::Parameter<#index>>);
                return (
                    quote_spanned!(place.ty=> #parameter::Type),
                    quote!(#parameter::pack(#name, &mut #arguments);),
                );
            }
            let ty = types::tokens(param.ty, known, &lifetime, place.ty);
            (
                quote_spanned!(place.ty=> impl ::shmem::KernelArg<#ty>),
                quote!(::shmem::KernelArg::pack(#name, &mut #arguments)?;),
            )
        })
        .unzip();
    let marker = kernel
        .params
        .iter()
        .any(|param| arguments::is_made(param.ty))
        .then(|| {
            let vis = confirm::inside(vis);
            quote! {
                #[doc(hidden)]
                #vis enum Kernel {}
            }
        });
    let instances = match (kernel.options.all_blocks, kernel.options.vector) {
        (false, _) => "Of the instances of `blocks` blocks one runs the body: once per PE.",
        (true, false) => {
            "`blocks` blocks are `2 * blocks` instances of the body, two vector cores a block."
        }
        (true, true) => "`blocks` blocks are `blocks` instances of the body.",
    };
    let (unsafety, safety) = if kernel.options.unchecked {
        let text = "# Safety\n\nThe kernel does not check: indices are in range, PE numbers are in `0..n_pes`, \
                    no divisor is zero and no arithmetic overflows, whatever the arguments lead it to.";
        (quote!(unsafe), quote!(#[doc = ""] #[doc = #text]))
    } else {
        (TokenStream::new(), TokenStream::new())
    };
    quote! {
        #marker

        /// Queues the kernel on `stream` and returns before it ends.
        ///
        #[doc = #instances]
        ///
        /// # Errors
        ///
        /// `Error::NotBuilt` without a build script; errors of loading and of the stream; `Error::KernelPanic` when
        /// an earlier launch on the stream has panicked.
        #safety
        #[allow(clippy::too_many_arguments, private_interfaces)]
        pub #unsafety fn launch(
            stream: &::shmem::Stream<'_>,
            blocks: ::core::primitive::u32,
            #(#names: #types),*
        ) -> ::core::result::Result<(), ::shmem::Error> {
            #[allow(unused_mut)]
            let mut #arguments = ::shmem::__private::Args::new();
            #(#packs)*
            ::shmem::__private::launch(&KERNEL, stream, blocks, #arguments)
        }
    }
}
