//! Finding kernels in a source file: which functions are annotated, in which module, and which modules lie in other
//! files; and what else kernels may name. Pure: the caller reads the files and says what a `cfg` means.

mod scope;

use std::cell::Cell;
use std::rc::Rc;

pub use scope::{Impl, Import, Item, Kind, Scope, segments};

use crate::configure::{Configured, configure};
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::Meta;
use syn::ext::IdentExt;
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
    /// The same as its `cfg`s leave it.
    pub configured: Rc<Configured>,
    /// Modules and functions around it, outermost first, inside the file.
    pub path: Vec<String>,
    /// The scope that it stands in, by its number in the file.
    pub scope: usize,
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
    /// The scope that it is declared in.
    pub scope: usize,
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

/// A device function.
#[derive(Clone)]
pub struct Device {
    /// The function.
    pub item: Rc<syn::ItemFn>,
    /// The same as its `cfg`s leave it.
    pub configured: Rc<Configured>,
    /// The scope that it stands in.
    pub scope: usize,
}

/// What a file holds.
#[derive(Clone)]
pub struct Scan {
    /// Annotated functions.
    pub kernels: Vec<Found>,
    /// Annotated functions that are off.
    pub off: Vec<Off>,
    /// Modules in other files.
    pub modules: Vec<Module>,
    /// Device functions.
    pub devices: Vec<Device>,
    /// Modules and blocks with what they define; the first is the file itself.
    pub scopes: Vec<Scope>,
}

impl Default for Scan {
    /// A file without anything in it.
    fn default() -> Scan {
        Scan {
            kernels: Vec::new(),
            off: Vec::new(),
            modules: Vec::new(),
            devices: Vec::new(),
            scopes: vec![Scope::default()],
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
fn is_device(meta: &Meta) -> bool {
    let last = meta.path().segments.last();
    last.is_some_and(|last| last.ident == "shmem_device")
}

/// Looks through `file`; `holds` says which names and values of `cfg` do, where that is known.
pub fn scan(file: &syn::File, holds: &dyn Fn(&Meta) -> Option<bool>) -> Scan {
    let mut scanner = Scanner {
        holds,
        path: Vec::new(),
        scope: 0,
        inline: Vec::new(),
        in_body: false,
        off: None,
        unsure: Cell::new(false),
        found: Scan::default(),
    };
    scanner.within(&file.attrs, |scanner| scanner.visit_file(file));
    scanner.found
}

/// Whether a predicate of `cfg` holds; `known` says it of names and of names with a value.
pub fn holds(predicate: &Meta, known: &dyn Fn(&Meta) -> Option<bool>) -> Option<bool> {
    let Meta::List(of) = predicate else {
        return known(predicate);
    };
    let parts: Vec<Option<bool>> = list(of).iter().map(|part| holds(part, known)).collect();
    // One part decides it, or all parts together.
    let decided = |by: bool| match parts.contains(&Some(by)) {
        true => Some(by),
        false => (!parts.contains(&None)).then_some(!by),
    };
    match of.path.get_ident().map(ToString::to_string).as_deref() {
        Some("all") => decided(false),
        Some("any") => decided(true),
        Some("not") => decided(true).map(|any| !any),
        _ => Some(false),
    }
}

/// A predicate of `cfg` as a text that all readers agree on.
pub fn predicate(predicate: &Meta) -> String {
    let tokens = crate::tokens::flatten(predicate.to_token_stream());
    let texts: Vec<String> = tokens.into_iter().map(|token| token.text).collect();
    texts.join(" ")
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
    holds: &'a dyn Fn(&Meta) -> Option<bool>,
    path: Vec<String>,
    scope: usize,
    inline: Vec<Inline>,
    in_body: bool,
    /// The `cfg` around, when one is off.
    off: Option<String>,
    /// Some `cfg` around is not known.
    unsure: Cell<bool>,
    found: Scan,
}

impl Scanner<'_> {
    /// Runs `visit` on what carries `attrs`, which may be off.
    fn within(&mut self, attrs: &[syn::Attribute], visit: impl FnOnce(&mut Self)) {
        let (outside, sure) = (self.off.clone(), self.unsure.get());
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
        self.unsure.set(sure);
    }

    /// Runs `visit` in a scope of its own, inside the present one.
    fn scoped(&mut self, scope: Scope, visit: impl FnOnce(&mut Self)) {
        let outside = self.scope;
        self.found.scopes.push(Scope {
            parent: Some(outside),
            ..scope
        });
        self.scope = self.found.scopes.len() - 1;
        visit(self);
        self.scope = outside;
    }

    /// The scope that is being looked through, unless it is off.
    fn here(&mut self) -> Option<&mut Scope> {
        let scope = &mut self.found.scopes[self.scope];
        self.off.is_none().then_some(scope)
    }

    fn define(&mut self, name: &syn::Ident, kind: Kind) {
        let unsure = self.unsure.get();
        if let Some(scope) = self.here() {
            scope.define(name, kind, unsure);
        }
    }

    fn holds(&self, predicate: &Meta) -> bool {
        holds(predicate, self.holds).unwrap_or_else(|| {
            self.unsure.set(true);
            true
        })
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
                .all(|predicate| self.holds(predicate))
                .then_some(()),
            Meta::List(of) if of.path.is_ident("cfg_attr") => match list(of).split_first() {
                Some((predicate, attributes)) if self.holds(predicate) => attributes
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
        visit_impl_item_fn: ImplItemFn;
        visit_trait_item_fn: TraitItemFn;
        visit_local: Local;
        visit_expr_block: ExprBlock;
        visit_expr_unsafe: ExprUnsafe;
    }

    fn visit_item(&mut self, item: &'ast syn::Item) {
        let attrs: &[syn::Attribute] = match item {
            // These look at their attributes themselves.
            syn::Item::Mod(_) | syn::Item::Fn(_) => &[],
            syn::Item::Const(item) => &item.attrs,
            syn::Item::Enum(item) => &item.attrs,
            syn::Item::ExternCrate(item) => &item.attrs,
            syn::Item::Impl(item) => &item.attrs,
            syn::Item::Macro(item) => &item.attrs,
            syn::Item::Static(item) => &item.attrs,
            syn::Item::Struct(item) => &item.attrs,
            syn::Item::Trait(item) => &item.attrs,
            syn::Item::Type(item) => &item.attrs,
            syn::Item::Union(item) => &item.attrs,
            syn::Item::Use(item) => &item.attrs,
            _ => &[],
        };
        self.within(attrs, |scanner| {
            scanner.item(item);
            visit::visit_item(scanner, item);
        });
    }

    fn visit_stmt_macro(&mut self, stmt: &'ast syn::StmtMacro) {
        self.within(&stmt.attrs, |scanner| {
            if let Some(scope) = scanner.here() {
                scope.macros = true;
            }
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
        let defines = |stmt: &syn::Stmt| matches!(stmt, syn::Stmt::Item(_) | syn::Stmt::Macro(_));
        if block.stmts.iter().any(defines) {
            let scope = Scope {
                block: true,
                ..Scope::default()
            };
            self.scoped(scope, |scanner| visit::visit_block(scanner, block));
        } else {
            visit::visit_block(self, block);
        }
        self.in_body = outside;
    }
}

impl Scanner<'_> {
    /// What an item defines, modules and functions apart.
    fn item(&mut self, item: &syn::Item) {
        let unsure = self.unsure.get();
        match item {
            syn::Item::Const(item) => {
                self.define(&item.ident, Kind::Constant(Rc::new(item.clone())));
            }
            syn::Item::Static(item) => self.define(&item.ident, Kind::Value("a static")),
            syn::Item::Struct(item) => {
                self.define(&item.ident, Kind::Struct(Rc::new(item.clone())));
            }
            syn::Item::Enum(item) => self.define(&item.ident, Kind::Enum(Rc::new(item.clone()))),
            syn::Item::Trait(item) => self.define(&item.ident, Kind::OtherType),
            syn::Item::Type(item) => self.define(&item.ident, Kind::OtherType),
            syn::Item::Union(item) => self.define(&item.ident, Kind::OtherType),
            syn::Item::ExternCrate(item) => {
                let name = item.rename.as_ref().map_or(&item.ident, |(_, name)| name);
                self.define(name, Kind::OtherType);
            }
            syn::Item::Use(item) => {
                if let Some(scope) = self.here() {
                    scope.import(item, unsure);
                }
            }
            syn::Item::Impl(item) => {
                let found = Impl::of(item, &|attrs| self.active(attrs).is_some());
                let unsure = self.unsure.replace(unsure) || unsure;
                if let (Some(found), Some(scope)) = (found, self.here()) {
                    scope.impls.push(Impl { unsure, ..found });
                }
            }
            syn::Item::Macro(item) if item.ident.is_none() => {
                if let Some(scope) = self.here() {
                    scope.macros = true;
                }
            }
            _ => {}
        }
    }
}

impl Scanner<'_> {
    fn module(&mut self, module: &syn::ItemMod) {
        let name = module.ident.to_string();
        let path = path_attribute(&self.active(&module.attrs).unwrap_or_default());
        let (in_body, scope) = (self.in_body, self.scope);
        if module.content.is_none() {
            if self.off.is_none() {
                self.define(&module.ident, Kind::File(self.found.modules.len()));
                self.found.modules.push(Module {
                    scope,
                    parents: self.inline.clone(),
                    name,
                    path,
                    in_body,
                });
            }
            return;
        }
        self.define(&module.ident, Kind::Inline(self.found.scopes.len()));
        let scope = Scope {
            name: module.ident.unraw().to_string(),
            ..Scope::default()
        };
        self.path.push(name.clone());
        self.inline.push(Inline {
            name,
            path,
            in_body,
        });
        self.scoped(scope, |scanner| visit::visit_item_mod(scanner, module));
        self.inline.pop();
        self.path.pop();
    }

    /// The function as what others may call.
    fn value(&mut self, item: &syn::ItemFn, active: &[Meta]) {
        if !active.iter().any(is_device) {
            let kernel = active.iter().any(|meta| kernel_arguments(meta).is_some());
            let what = if kernel {
                "a kernel"
            } else {
                "a function without #[shmem_device]"
            };
            self.define(&item.sig.ident, Kind::Value(what));
            return;
        }
        let configured = Rc::new(configure(item, self.holds));
        let item = Rc::new(item.clone());
        let kind = Kind::Device(item.clone(), configured.clone());
        self.define(&item.sig.ident, kind);
        if self.off.is_none() {
            let scope = self.scope;
            self.found.devices.push(Device {
                item,
                configured,
                scope,
            });
        }
    }

    fn function(&mut self, item: &syn::ItemFn) {
        let written = || item.attrs.iter().find_map(kernel_attribute);
        let active = self.active(&item.attrs).unwrap_or_default();
        self.value(item, &active);
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
            configured: Rc::new(configure(&kernel, self.holds)),
            item: kernel,
            path: self.path.clone(),
            scope: self.scope,
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
mod tests;
