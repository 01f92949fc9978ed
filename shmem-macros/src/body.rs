//! The body of a kernel as host Rust: every inferred type is repeated as an ascription, and every type and device call
//! that the user names becomes an absolute path, at the user's span. What the user wrote is returned, for rustc to
//! confirm that it is the same.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::{ToTokens, quote, quote_spanned};
use shmem_codegen::{Annotations, Arguments, NodeId, Ty};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};

use crate::types::{self, Names};

/// What the user named, each where it was named first.
#[derive(Default)]
pub struct Named {
    /// Types, by their text, and what they were taken for.
    pub types: BTreeMap<String, (syn::Type, Ty)>,
    /// Functions called through `shmem::`, by their name; `print` for the macro, whose path leads to both.
    pub functions: BTreeMap<String, syn::Path>,
}

impl Named {
    /// Replaces `theirs` by the type that it was taken for.
    fn replace(&mut self, theirs: &mut syn::Type, ty: Ty, names: &Names) {
        let ours = types::tokens(ty, names, &quote!('_), theirs.span());
        let theirs = std::mem::replace(theirs, syn::Type::Verbatim(ours));
        self.types
            .entry(theirs.to_token_stream().to_string())
            .or_insert((theirs, ty));
    }
}

/// Rewrites the function in place: the nodes of its body are known by their addresses.
pub fn rewrite(item: &mut syn::ItemFn, parameters: &[Ty], annotations: &mut Annotations) -> Named {
    let mut rewrite = Rewrite {
        annotations,
        named: Named::default(),
    };
    for (input, &ty) in item.sig.inputs.iter_mut().zip(parameters) {
        if let syn::FnArg::Typed(typed) = input {
            let names = &rewrite.annotations.names;
            rewrite.named.replace(&mut typed.ty, ty, names);
        }
    }
    rewrite.visit_block_mut(&mut item.block);
    rewrite.named
}

/// A path as the user wrote it.
pub fn text(path: &syn::Path) -> String {
    path.to_token_stream().to_string().replace(' ', "")
}

/// `path` from the root of all crates.
pub fn absolute(path: &mut syn::Path) {
    let span = path.span();
    path.leading_colon = Some(syn::token::PathSep {
        spans: [span, span],
    });
}

struct Rewrite<'a> {
    annotations: &'a mut Annotations,
    named: Named,
}

impl Rewrite<'_> {
    fn known<T>(&self, node: &T) -> Option<Ty> {
        self.annotations
            .types
            .get(&NodeId::of(node))
            .copied()
            .filter(|ty| !matches!(ty, Ty::Error | Ty::Never))
    }
}

impl Rewrite<'_> {
    /// Says of every name in the pattern of an arm that it is new, unless it was taken for a constant: where rustc
    /// knows a constant of that name, it refuses this.
    fn bind(&self, pat: &mut syn::Pat) {
        match pat {
            syn::Pat::Ident(ident) if self.known(ident).is_some() => {}
            syn::Pat::Ident(ident) => match &mut ident.subpat {
                Some((_, inner)) => self.bind(inner),
                None => {
                    let span = ident.ident.span();
                    let wild = syn::Pat::Verbatim(quote_spanned!(span=> _));
                    ident.subpat = Some((syn::token::At { spans: [span] }, Box::new(wild)));
                }
            },
            syn::Pat::Guard(guarded) => self.bind(&mut guarded.pat),
            syn::Pat::Paren(paren) => self.bind(&mut paren.pat),
            syn::Pat::Or(or) => or.cases.iter_mut().for_each(|case| self.bind(case)),
            syn::Pat::Tuple(of) => of.elems.iter_mut().for_each(|pat| self.bind(pat)),
            syn::Pat::TupleStruct(of) => of.elems.iter_mut().for_each(|pat| self.bind(pat)),
            syn::Pat::Slice(of) => of.elems.iter_mut().for_each(|pat| self.bind(pat)),
            // `Point { x }` binds in any case, and has no room for more.
            syn::Pat::Struct(of) => {
                let written = of
                    .fields
                    .iter_mut()
                    .filter(|field| field.colon_token.is_some());
                written.for_each(|field| self.bind(&mut field.pat));
            }
            _ => {}
        }
    }
}

impl Rewrite<'_> {
    /// What the user calls by a path through `shmem`.
    fn of_shmem(&mut self, path: &mut syn::Path) {
        if path.leading_colon.is_none()
            && let [krate, function] = &path.segments.iter().collect::<Vec<_>>()[..]
            && krate.ident.unraw() == "shmem"
        {
            let name = function.ident.unraw().to_string();
            self.named.functions.entry(name).or_insert(path.clone());
            absolute(path);
        }
    }
}

impl VisitMut for Rewrite<'_> {
    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        let ty = self.known(local);
        visit_mut::visit_local_mut(self, local);
        if local
            .init
            .as_ref()
            .is_some_and(|init| init.diverge.is_some())
        {
            match &mut local.pat {
                syn::Pat::Type(typed) => self.bind(&mut typed.pat),
                pat => self.bind(pat),
            }
        }
        let Some(ty) = ty else { return };
        match &mut local.pat {
            syn::Pat::Type(typed) if matches!(*typed.ty, syn::Type::Infer(_)) => {
                let ours = types::tokens(ty, &self.annotations.names, &quote!('_), typed.ty.span());
                *typed.ty = syn::Type::Verbatim(ours);
            }
            syn::Pat::Type(typed) => self
                .named
                .replace(&mut typed.ty, ty, &self.annotations.names),
            pat => {
                let span = pat.span();
                let ty = types::tokens(ty, &self.annotations.names, &quote!('_), span);
                *pat = syn::Pat::Verbatim(quote_spanned!(span=> #pat: #ty));
            }
        }
    }

    fn visit_generic_argument_mut(&mut self, argument: &mut syn::GenericArgument) {
        if let syn::GenericArgument::Type(theirs) = argument
            && let Some(ty) = self.known(theirs)
        {
            self.named.replace(theirs, ty, &self.annotations.names);
        }
    }

    fn visit_expr_cast_mut(&mut self, cast: &mut syn::ExprCast) {
        let ty = self.known(cast);
        visit_mut::visit_expr_cast_mut(self, cast);
        if let Some(ty) = ty {
            self.named
                .replace(&mut cast.ty, ty, &self.annotations.names);
        }
    }

    fn visit_expr_path_mut(&mut self, path: &mut syn::ExprPath) {
        // `i32::MAX`, `core::f32::consts::PI`: what else a kernel names by a path of several words.
        if self.known(path).is_some() && path.path.leading_colon.is_none() {
            let span = path.path.span();
            let path = &mut path.path;
            if path.segments.len() == 2 {
                let mut primitive: syn::Path = syn::parse_quote_spanned!(span=> ::core::primitive);
                primitive.segments.extend(path.segments.iter().cloned());
                *path = primitive;
            } else {
                absolute(path);
            }
        }
    }

    fn visit_expr_let_mut(&mut self, condition: &mut syn::ExprLet) {
        visit_mut::visit_expr_let_mut(self, condition);
        self.bind(&mut condition.pat);
    }

    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        visit_mut::visit_expr_mut(self, expr);
        // What a macro passes on as one expression stays one.
        if let syn::Expr::Group(group) = expr {
            let paren = syn::ExprParen {
                attrs: std::mem::take(&mut group.attrs),
                paren_token: syn::token::Paren(group.group_token.span),
                expr: Box::new(std::mem::replace(
                    &mut *group.expr,
                    syn::Expr::Verbatim(TokenStream::new()),
                )),
            };
            *expr = syn::Expr::Paren(paren);
        }
    }

    fn visit_arm_mut(&mut self, arm: &mut syn::Arm) {
        visit_mut::visit_arm_mut(self, arm);
        self.bind(&mut arm.pat);
    }

    fn visit_lit_int_mut(&mut self, lit: &mut syn::LitInt) {
        if let (Some(Ty::Int(int)), "") = (self.known(lit), lit.suffix()) {
            *lit = syn::LitInt::new(&format!("{lit}{}", int.rust()), lit.span());
        }
    }

    fn visit_lit_float_mut(&mut self, lit: &mut syn::LitFloat) {
        if let (Some(Ty::Float(float)), "") = (self.known(lit), lit.suffix()) {
            let digits = lit.to_string();
            // `1.f32` would be a field.
            let zero = if digits.ends_with('.') { "0" } else { "" };
            *lit = syn::LitFloat::new(&format!("{digits}{zero}{}", float.rust()), lit.span());
        }
    }

    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        visit_mut::visit_expr_call_mut(self, call);
        if let syn::Expr::Path(syn::ExprPath { path, .. }) = &mut *call.func {
            self.of_shmem(path);
        }
    }

    fn visit_macro_mut(&mut self, mac: &mut syn::Macro) {
        let known = self.annotations.macros.remove(&NodeId::of(mac));
        let Some(Arguments { mut nodes, said }) = known else {
            return;
        };
        for node in &mut nodes {
            self.visit_expr_mut(node);
        }
        let said = said.map(|text| quote!(, "{}", #text));
        mac.tokens = quote!(#(#nodes),* #said);
        self.of_shmem(&mut mac.path);
    }
}
