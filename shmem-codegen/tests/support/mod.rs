//! Source text to AscendC, as the build script does it.

#![allow(dead_code)]

pub mod compiler;
pub mod long;
pub mod stages;

use proc_macro2::{Ident, Span};
use quote::quote;
use shmem_codegen::items::{Position, ScopeId, World};
use shmem_codegen::source::{self, Found};
use shmem_codegen::{EmitOptions, Emitted, Kernel, analyse_among, emit_kernel};

/// What kernels are emitted for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Form {
    /// Overflow panics.
    Checked,
    /// Overflow wraps.
    Wrapping,
    /// As under `#[shmem_kernel(unchecked)]`.
    Unchecked,
}

/// All of them.
pub const FORMS: [Form; 3] = [Form::Checked, Form::Wrapping, Form::Unchecked];

/// The kernels of `text` by name.
pub fn emit(text: &str, file: &str, form: Form) -> Vec<(String, Emitted)> {
    let parsed = shmem_codegen::parse_file(text).expect("the source parses");
    let mut scan = source::scan(&parsed, &|_| Some(true));
    assert!(!scan.kernels.is_empty(), "{file} has kernels");
    if form == Form::Unchecked {
        scan.kernels.iter_mut().for_each(uncheck);
    }
    let symbols: Vec<String> = shmem_codegen::symbols(
        &scan
            .kernels
            .iter()
            .map(|found| {
                let mut path = vec!["test".to_owned()];
                path.extend_from_slice(&found.path);
                path.push(unraw(&found.item.sig.ident));
                path
            })
            .collect::<Vec<_>>(),
    );
    let kernels = scan.kernels.clone();
    let mut world = World::one_file(file.to_owned(), Position::Root, scan);
    world.krate = "test".to_owned();
    let each = kernels.iter().zip(&symbols);
    each.map(|(found, symbol)| {
        let kernel = analysed(&world, found, file);
        let options = EmitOptions {
            symbol,
            file,
            overflow_checks: form == Form::Checked,
            debug_assertions: form == Form::Checked,
            contract: 0x1234,
            bug: None,
        };
        let emitted = emit_kernel(&kernel, &options);
        (kernel.name, emitted)
    })
    .collect()
}

/// The last kernel of `text`, which has no mistakes.
pub fn last_kernel(text: &str) -> Kernel {
    let parsed = shmem_codegen::parse_file(text).expect("the source parses");
    let scan = source::scan(&parsed, &|_| Some(true));
    let found = scan.kernels.last().expect("there is a kernel").clone();
    let world = World::one_file(String::new(), Position::Root, scan);
    analysed(&world, &found, "the text")
}

/// A kernel without mistakes.
fn analysed(world: &World, found: &Found, file: &str) -> Kernel {
    let items = world.items(ScopeId {
        file: 0,
        scope: found.scope,
    });
    let analysis = analyse_among(found.arguments.clone(), &found.item, items);
    let texts: Vec<String> = analysis
        .diagnostics
        .iter()
        .map(|diag| diag.text())
        .collect();
    assert!(texts.is_empty(), "{file}: {texts:?}");
    analysis.kernel
}

/// Puts a kernel under `#[shmem_kernel(unchecked)]`, unless it is unsafe as it is.
pub fn uncheck(found: &mut Found) {
    let safety = &mut found.item.sig.safety;
    if matches!(safety, syn::Safety::Default) {
        *safety = syn::Safety::Unsafe(syn::Token![unsafe](Span::call_site()));
        let options = std::mem::take(&mut found.arguments);
        let comma = (!options.is_empty()).then(|| quote!(,));
        found.arguments = quote!(#options #comma unchecked);
    }
}

fn unraw(ident: &Ident) -> String {
    ident.to_string().trim_start_matches("r#").to_owned()
}
