//! The real kernels that mutations start from: each with the items of its module that it names.

use std::path::Path;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

use super::trees::{self, Tree};

/// Where kernels are, below the root of the workspace.
const DIRECTORIES: [&str; 4] = [
    "tests/suite/src/kernels",
    "tests/ui/pass",
    "tests/ui/fail",
    "shmem-codegen/tests/golden",
];

/// All kernels and device functions of the tests, each as a small file.
pub fn read() -> Vec<Vec<Tree>> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
    let mut paths = Vec::new();
    for directory in DIRECTORIES {
        let entries = std::fs::read_dir(root.join(directory)).expect("the directory is there");
        paths.extend(entries.map(|entry| entry.expect("an entry").path()));
    }
    paths.retain(|path| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        // Those that are too deep are too deep for this test as well.
        name.ends_with(".rs") && !name.starts_with("too_deep")
    });
    paths.sort();
    let mut pool = Vec::new();
    for path in paths {
        let text = std::fs::read_to_string(&path).expect("the file is read");
        // Some of those that must not compile are no Rust.
        if let Ok(file) = syn::parse_file(&text) {
            module(&file.items, &mut pool);
        }
    }
    assert!(pool.len() > 200, "only {} kernels", pool.len());
    pool
}

fn module(items: &[syn::Item], pool: &mut Vec<Vec<Tree>>) {
    for (index, item) in items.iter().enumerate() {
        match item {
            syn::Item::Mod(inner) => {
                if let Some((_, items)) = &inner.content {
                    module(items, pool);
                }
            }
            syn::Item::Fn(function) if is_annotated(function) => pool.push(file(items, index)),
            _ => {}
        }
    }
}

fn is_annotated(function: &syn::ItemFn) -> bool {
    function.attrs.iter().any(|attr| {
        let last = attr.path().segments.last();
        last.is_some_and(|last| last.ident == "shmem_kernel" || last.ident == "shmem_device")
    })
}

/// An item after those that it names, and those that these name.
fn file(items: &[syn::Item], index: usize) -> Vec<Tree> {
    let mut chosen = vec![index];
    let mut looked_at = 0;
    while let Some(&item) = chosen.get(looked_at) {
        looked_at += 1;
        let tokens = items[item].to_token_stream();
        for (other, item) in items.iter().enumerate() {
            let named = name(item).is_some_and(|name| mentions(tokens.clone(), &name));
            if named && !chosen.contains(&other) {
                chosen.push(other);
            }
        }
    }
    let tokens = chosen
        .iter()
        .rev()
        .map(|&item| items[item].to_token_stream());
    trees::of(tokens.collect())
}

fn name(item: &syn::Item) -> Option<String> {
    let ident = match item {
        syn::Item::Fn(item) => &item.sig.ident,
        syn::Item::Const(item) => &item.ident,
        syn::Item::Struct(item) => &item.ident,
        syn::Item::Enum(item) => &item.ident,
        _ => return None,
    };
    Some(ident.to_string())
}

fn mentions(tokens: TokenStream, name: &str) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Group(group) => mentions(group.stream(), name),
        TokenTree::Ident(ident) => ident == name,
        _ => false,
    })
}
