//! Finding kernels in a source file: which functions are annotated, in which module, and which modules lie in other
//! files. Pure: the caller reads the files and says what a `cfg` means.

use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Meta;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::spanned::Spanned;
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
    pub parents: Vec<Inline>,
    /// Its name.
    pub name: String,
    /// `#[path = "..."]`
    pub path: Option<String>,
    /// It stands in the body of a function.
    pub in_body: bool,
}

/// `mod name { ... }`
#[derive(Clone, Debug)]
pub struct Inline {
    /// Its name.
    pub name: String,
    /// `#[path = "..."]`: the directory of its modules.
    pub path: Option<String>,
    /// It stands in the body of a function.
    pub in_body: bool,
}

/// An annotated function that a `cfg` takes away.
#[derive(Clone)]
pub struct Off {
    /// The function.
    pub found: Found,
    /// The attribute that takes it away.
    pub cfg: String,
}

/// What the kernels of a module may name by a plain name.
#[derive(Clone, Default)]
pub struct Siblings {
    /// Functions under `#[shmem_device]`.
    pub devices: Vec<syn::ItemFn>,
    /// Constants.
    pub constants: Vec<syn::ItemConst>,
    /// Structs.
    pub structs: Vec<syn::ItemStruct>,
    /// Enums.
    pub enums: Vec<syn::ItemEnum>,
}

/// Items by the path around them.
pub type Placed<T> = Vec<(Vec<String>, T)>;

/// What a file holds.
#[derive(Clone, Default)]
pub struct Scan {
    /// Annotated functions.
    pub kernels: Vec<Found>,
    /// Annotated functions that are off.
    pub off: Vec<Off>,
    /// Modules in other files.
    pub modules: Vec<Module>,
    /// Device functions, by the path around them.
    pub devices: Placed<syn::ItemFn>,
    /// Constants, by the path around them.
    pub constants: Placed<syn::ItemConst>,
    /// Structs, by the path around them.
    pub structs: Placed<syn::ItemStruct>,
    /// Enums, by the path around them.
    pub enums: Placed<syn::ItemEnum>,
}

impl Scan {
    /// What stands beside an item in the module or function body of this path.
    pub fn siblings(&self, path: &[String]) -> Siblings {
        fn of<T: Clone>(all: &[(Vec<String>, T)], path: &[String]) -> Vec<T> {
            let here = all.iter().filter(|(at, _)| at == path);
            here.map(|(_, item)| item.clone()).collect()
        }
        Siblings {
            devices: of(&self.devices, path),
            constants: of(&self.constants, path),
            structs: of(&self.structs, path),
            enums: of(&self.enums, path),
        }
    }
}

/// The arguments of the attribute, when it is `#[shmem_kernel]`, by whatever path.
pub fn kernel_attribute(attr: &syn::Attribute) -> Option<TokenStream> {
    kernel_arguments(&attr.meta)
}

fn kernel_arguments(meta: &Meta) -> Option<TokenStream> {
    if meta.path().segments.last()?.ident != "shmem_kernel" {
        return None;
    }
    Some(match meta {
        Meta::List(list) => list.tokens.clone(),
        _ => TokenStream::new(),
    })
}

/// Whether the attribute is `#[shmem_device]`, by whatever path.
pub fn is_device_attribute(attr: &syn::Attribute) -> bool {
    attr.path()
        .segments
        .last()
        .is_some_and(|last| last.ident == "shmem_device")
}

/// Looks through `file`; `holds` says whether a predicate of `cfg` does.
pub fn scan(file: &syn::File, holds: &dyn Fn(&Meta) -> bool) -> Scan {
    let mut scanner = Scanner {
        holds,
        path: Vec::new(),
        inline: Vec::new(),
        in_body: false,
        off: None,
        found: Scan::default(),
    };
    scanner.within(&file.attrs, |scanner| scanner.visit_file(file));
    scanner.found
}

/// What stands between the parentheses of `cfg(...)`, `all(...)`, `cfg_attr(...)`.
pub fn list(list: &syn::MetaList) -> Vec<Meta> {
    // `true` and `false` are predicates, and keywords to the parser: `all()` and `any()` say the same.
    let mut tokens = TokenStream::new();
    let mut starts = true;
    for token in list.tokens.clone() {
        match &token {
            TokenTree::Ident(ident) if starts && ident == "true" => tokens.extend(quote!(all())),
            TokenTree::Ident(ident) if starts && ident == "false" => tokens.extend(quote!(any())),
            _ => tokens.extend([token.clone()]),
        }
        starts = matches!(&token, TokenTree::Punct(punct) if punct.as_char() == ',');
    }
    Punctuated::<Meta, syn::Token![,]>::parse_terminated
        .parse2(tokens)
        .map(|metas| metas.into_iter().collect())
        .unwrap_or_default()
}

struct Scanner<'a> {
    holds: &'a dyn Fn(&Meta) -> bool,
    path: Vec<String>,
    inline: Vec<Inline>,
    in_body: bool,
    /// The `cfg` around, when one is off.
    off: Option<String>,
    found: Scan,
}

impl Scanner<'_> {
    /// Runs `visit` on what carries `attrs`, which may be off.
    fn within(&mut self, attrs: &[syn::Attribute], visit: impl FnOnce(&mut Self)) {
        let outside = self.off.clone();
        if self.off.is_none() && self.active(attrs).is_none() {
            let off = attrs
                .iter()
                .find(|attr| self.resolve(&attr.meta, &mut Vec::new()).is_none());
            self.off = off.map(|attr| {
                let tokens = || attr.to_token_stream().to_string();
                attr.span().source_text().unwrap_or_else(tokens)
            });
        }
        visit(self);
        self.off = outside;
    }

    /// The attributes with every `cfg_attr` taken apart; none where a `cfg` does not hold.
    fn active(&self, attrs: &[syn::Attribute]) -> Option<Vec<Meta>> {
        let mut active = Vec::new();
        for attr in attrs {
            self.resolve(&attr.meta, &mut active)?;
        }
        Some(active)
    }

    fn resolve(&self, meta: &Meta, active: &mut Vec<Meta>) -> Option<()> {
        match meta {
            Meta::List(of) if of.path.is_ident("cfg") => list(of)
                .iter()
                .all(|predicate| (self.holds)(predicate))
                .then_some(()),
            Meta::List(of) if of.path.is_ident("cfg_attr") => match list(of).split_first() {
                Some((predicate, attributes)) if (self.holds)(predicate) => attributes
                    .iter()
                    .try_for_each(|attribute| self.resolve(attribute, active)),
                _ => Some(()),
            },
            _ => {
                active.push(meta.clone());
                Some(())
            }
        }
    }
}

/// `#[path = "..."]`
fn path_attribute(metas: &[Meta]) -> Option<String> {
    metas.iter().find_map(|meta| match meta {
        Meta::NameValue(syn::MetaNameValue {
            path,
            value:
                syn::Expr::Lit(syn::ExprLit {
                    lit: syn::Lit::Str(text),
                    ..
                }),
            ..
        }) if path.is_ident("path") => Some(text.value()),
        _ => None,
    })
}

/// Minds the `cfg` of nodes that are nothing else to a scan.
macro_rules! may_be_off {
    ($($visit:ident: $node:ident;)+) => {
        $(fn $visit(&mut self, node: &'ast syn::$node) {
            self.within(&node.attrs, |scanner| visit::$visit(scanner, node));
        })+
    };
}

impl<'ast> Visit<'ast> for Scanner<'_> {
    may_be_off! {
        visit_item_static: ItemStatic;
        visit_item_impl: ItemImpl;
        visit_item_trait: ItemTrait;
        visit_impl_item_fn: ImplItemFn;
        visit_trait_item_fn: TraitItemFn;
        visit_local: Local;
        visit_expr_block: ExprBlock;
        visit_expr_unsafe: ExprUnsafe;
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.within(&item.attrs, |scanner| {
            scanner.named(item, |found| &mut found.constants);
            visit::visit_item_const(scanner, item);
        });
    }

    fn visit_item_struct(&mut self, item: &'ast syn::ItemStruct) {
        self.within(&item.attrs, |scanner| {
            scanner.named(item, |found| &mut found.structs);
            visit::visit_item_struct(scanner, item);
        });
    }

    fn visit_item_enum(&mut self, item: &'ast syn::ItemEnum) {
        self.within(&item.attrs, |scanner| {
            scanner.named(item, |found| &mut found.enums);
            visit::visit_item_enum(scanner, item);
        });
    }

    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        self.within(&module.attrs, |scanner| scanner.module(module));
    }

    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.within(&item.attrs, |scanner| {
            scanner.function(item);
            scanner.path.push(item.sig.ident.to_string());
            visit::visit_item_fn(scanner, item);
            scanner.path.pop();
        });
    }

    fn visit_block(&mut self, block: &'ast syn::Block) {
        let outside = std::mem::replace(&mut self.in_body, true);
        visit::visit_block(self, block);
        self.in_body = outside;
    }
}

impl Scanner<'_> {
    /// Something that the kernels of its module may name.
    fn named<T: Clone>(&mut self, item: &T, of: fn(&mut Scan) -> &mut Placed<T>) {
        if self.off.is_none() {
            of(&mut self.found).push((self.path.clone(), item.clone()));
        }
    }

    fn module(&mut self, module: &syn::ItemMod) {
        let name = module.ident.to_string();
        let path = path_attribute(&self.active(&module.attrs).unwrap_or_default());
        let in_body = self.in_body;
        if module.content.is_none() {
            if self.off.is_none() {
                self.found.modules.push(Module {
                    parents: self.inline.clone(),
                    name,
                    path,
                    in_body,
                });
            }
            return;
        }
        self.path.push(name.clone());
        self.inline.push(Inline {
            name,
            path,
            in_body,
        });
        visit::visit_item_mod(self, module);
        self.inline.pop();
        self.path.pop();
    }

    fn function(&mut self, item: &syn::ItemFn) {
        if self.off.is_none() && item.attrs.iter().any(is_device_attribute) {
            self.found.devices.push((self.path.clone(), item.clone()));
        }
        let written = || item.attrs.iter().find_map(kernel_attribute);
        let active = self.active(&item.attrs).unwrap_or_default();
        let arguments = match self.off {
            Some(_) => written(),
            None => active.iter().find_map(kernel_arguments),
        };
        let Some(arguments) = arguments else { return };
        let start = item.sig.ident.span().start();
        let mut kernel = item.clone();
        kernel.attrs.retain(|attr| {
            let mut metas = Vec::new();
            let kept = self.resolve(&attr.meta, &mut metas);
            kept.is_some() && metas.iter().all(|meta| kernel_arguments(meta).is_none())
        });
        let found = Found {
            arguments,
            item: kernel,
            path: self.path.clone(),
            line: start.line,
            column: start.column,
        };
        match self.off.clone() {
            Some(cfg) => self.found.off.push(Off { found, cfg }),
            None => self.found.kernels.push(found),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(text: &str) -> (Vec<String>, Scan) {
        let file = syn::parse_file(text).unwrap();
        let scan = scan(&file, &|predicate| predicate.path().is_ident("on"));
        let names = scan
            .kernels
            .iter()
            .map(|kernel| format!("{}::{}", kernel.path.join("::"), kernel.item.sig.ident));
        (names.collect(), scan)
    }

    #[test]
    fn kernels_are_found_wherever_functions_may_stand() {
        let (names, scan) = names(
            "mod a { pub mod b { #[shmem_kernel(vector)] pub fn one() {} } #[path = \"x.rs\"] mod c; }\n\
             fn outer() { #[shmem::shmem_kernel] fn two() {} }\n\
             impl T { #[shmem_kernel] fn three() {} fn f() { #[crate::again::shmem_kernel] fn four() {} } }\n\
             const _: () = { #[shmem_kernel] fn five() {} };\n\
             macro_rules! m { () => { #[shmem_kernel] fn six() {} } }",
        );
        assert_eq!(names, ["a::b::one", "outer::two", "::four", "::five"]);
        assert_eq!(scan.kernels[0].arguments.to_string(), "vector");
        let [module] = &scan.modules[..] else {
            panic!("{:?}", scan.modules)
        };
        assert_eq!(module.name, "c");
        assert_eq!(module.path.as_deref(), Some("x.rs"));
        assert_eq!(module.parents[0].name, "a");
    }

    #[test]
    fn what_a_cfg_takes_away_is_passed_over() {
        let (found, scan) = names(
            "#[cfg(off)] mod a { #[shmem_kernel] fn no() {} }\n\
             mod b { #![cfg(off)] #[shmem_kernel] fn no() {} mod no; }\n\
             #[cfg(on)] #[shmem_kernel] fn c() {}\n\
             #[cfg_attr(on, cfg(off))] #[shmem_kernel] fn no() {}\n\
             #[cfg_attr(on, shmem_kernel(vector), inline)] #[doc = \"\"] fn d() {}\n\
             #[cfg_attr(off, shmem_kernel)] fn no() {}\n\
             #[cfg(off)] impl T { fn f() { #[shmem_kernel] fn no() {} } }\n\
             fn f() { #[cfg(off)] { #[shmem_kernel] fn no() {} } #[cfg(on)] { #[shmem_kernel] fn e() {} } }\n\
             #[cfg_attr(on, path = \"x.rs\")] #[cfg_attr(off, path = \"y.rs\")] mod g;",
        );
        assert_eq!(found, ["::c", "::d", "f::e"]);
        assert_eq!(scan.kernels[1].arguments.to_string(), "vector");
        assert_eq!(scan.kernels[1].item.attrs.len(), 1);
        assert_eq!(scan.modules[0].path.as_deref(), Some("x.rs"));
        assert_eq!(names("#![cfg(off)] #[shmem_kernel] fn no() {}").0, [""; 0]);
        // They are remembered, with what took them away: rustc may see them on.
        let off: Vec<(usize, &str)> = scan
            .off
            .iter()
            .map(|off| (off.found.line, off.cfg.as_str()))
            .collect();
        assert_eq!(
            off,
            [
                (1, "#[cfg(off)]"),
                (2, "#![cfg(off)]"),
                (4, "#[cfg_attr(on, cfg(off))]"),
                (7, "#[cfg(off)]"),
                (8, "#[cfg(off)]"),
            ]
        );
    }
}
