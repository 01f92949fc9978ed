//! Finding kernels in a source file: which functions are annotated, in which module, and which modules lie in other
//! files. Pure: the caller reads the files and says what a `cfg` means.

use proc_macro2::TokenStream;
use syn::visit::{self, Visit};

/// An annotated function.
#[derive(Clone)]
pub struct Found {
    /// The arguments of `#[shmem_kernel(...)]`.
    pub arguments: TokenStream,
    /// The function, its attribute taken away.
    pub item: syn::ItemFn,
    /// Modules and functions around it, outermost first, inside the file.
    pub path: Vec<String>,
    /// Where its name stands: 1-based line.
    pub line: usize,
    /// 0-based column of the name.
    pub column: usize,
}

/// `mod name;`
#[derive(Clone, Debug)]
pub struct Module {
    /// Inline modules around it, inside the file.
    pub parents: Vec<String>,
    /// Its name.
    pub name: String,
    /// `#[path = "..."]`
    pub path: Option<String>,
}

/// What a file holds.
#[derive(Clone, Default)]
pub struct Scan {
    /// Annotated functions.
    pub kernels: Vec<Found>,
    /// Modules in other files.
    pub modules: Vec<Module>,
}

/// The arguments of the attribute, when it is `#[shmem_kernel]`.
pub fn kernel_attribute(attr: &syn::Attribute) -> Option<TokenStream> {
    let segments = &attr.path().segments;
    let last = segments.last()?;
    let ours =
        last.ident == "shmem_kernel" && (segments.len() == 1 || segments[0].ident == "shmem");
    if !ours {
        return None;
    }
    Some(match &attr.meta {
        syn::Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    })
}

/// Looks through `file`; items for whose attributes `active` is false are passed over.
pub fn scan(file: &syn::File, active: &dyn Fn(&[syn::Attribute]) -> bool) -> Scan {
    let mut scanner = Scanner {
        active,
        path: Vec::new(),
        found: Scan::default(),
    };
    scanner.visit_file(file);
    scanner.found
}

struct Scanner<'a> {
    active: &'a dyn Fn(&[syn::Attribute]) -> bool,
    path: Vec<String>,
    found: Scan,
}

impl<'ast> Visit<'ast> for Scanner<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        if !(self.active)(&module.attrs) {
            return;
        }
        let name = module.ident.to_string();
        if module.content.is_none() {
            let path = module.attrs.iter().find_map(|attr| match &attr.meta {
                syn::Meta::NameValue(syn::MetaNameValue {
                    path,
                    value:
                        syn::Expr::Lit(syn::ExprLit {
                            lit: syn::Lit::Str(text),
                            ..
                        }),
                    ..
                }) if path.is_ident("path") => Some(text.value()),
                _ => None,
            });
            self.found.modules.push(Module {
                parents: self.path.clone(),
                name,
                path,
            });
            return;
        }
        self.path.push(name);
        visit::visit_item_mod(self, module);
        self.path.pop();
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        if !(self.active)(&item.attrs) {
            return;
        }
        if let Some(arguments) = item.attrs.iter().find_map(kernel_attribute) {
            let start = item.sig.ident.span().start();
            let mut kernel = item.clone();
            kernel.attrs.retain(|attr| kernel_attribute(attr).is_none());
            self.found.kernels.push(Found {
                arguments,
                item: kernel,
                path: self.path.clone(),
                line: start.line,
                column: start.column,
            });
        }
        self.path.push(item.sig.ident.to_string());
        visit::visit_item_fn(self, item);
        self.path.pop();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kernels_are_found_wherever_functions_may_stand() {
        let file = syn::parse_file(
            "mod a { pub mod b { #[shmem_kernel(vector)] pub fn one() {} } #[path = \"x.rs\"] mod c; }\n\
             fn outer() { #[shmem::shmem_kernel] fn two() {} }\n\
             impl T { #[shmem_kernel] fn three() {} }\n\
             #[cfg(no)] mod d { #[shmem_kernel] fn four() {} }\n\
             macro_rules! m { () => { #[shmem_kernel] fn five() {} } }",
        )
        .unwrap();
        let scan = scan(&file, &|attrs| {
            attrs.iter().all(|attr| !attr.path().is_ident("cfg"))
        });
        let names: Vec<String> = scan
            .kernels
            .iter()
            .map(|kernel| format!("{}::{}", kernel.path.join("::"), kernel.item.sig.ident))
            .collect();
        assert_eq!(names, ["a::b::one", "outer::two"]);
        assert_eq!(scan.kernels[0].arguments.to_string(), "vector");
        assert_eq!(scan.modules.len(), 1);
        assert_eq!(
            (
                scan.modules[0].name.as_str(),
                scan.modules[0].path.as_deref()
            ),
            ("c", Some("x.rs"))
        );
    }
}
