//! The body of a kernel as host Rust: every inferred type is repeated as an ascription and every device call as an
//! absolute path, at the user's span, so that rustc confirms what was lowered.

use proc_macro2::Span;
use quote::{ToTokens, quote, quote_spanned};
use shmem_codegen::{Annotations, NodeId, Ty};
use syn::spanned::Spanned;
use syn::visit_mut::{self, VisitMut};

use crate::types;

/// Rewrites the body in place: the nodes are known by their addresses.
pub fn rewrite(block: &mut syn::Block, annotations: &Annotations) {
    let mut rewrite = Rewrite {
        annotations,
        facade: None,
    };
    rewrite.visit_block_mut(block);
    if let Some(span) = rewrite.facade {
        // What the user's `shmem` names is this crate, and not another module of that name.
        let shmem = syn::Ident::new("shmem", span);
        block.stmts.insert(
            0,
            syn::parse_quote_spanned!(span=> let _: ::shmem::__private::Facade = #shmem::__private::FACADE;),
        );
    }
}

struct Rewrite<'a> {
    annotations: &'a Annotations,
    /// Where the user first named the crate by `shmem::`.
    facade: Option<Span>,
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

/// `expr` with its type said twice. It begins where `expr` does, so that a panic in what it is part of points there.
fn same(expr: &syn::Expr, ty: Ty, span: Span) -> syn::Expr {
    let ty = types::tokens(ty, &quote!('_), span);
    let start = shmem_codegen::SpanRange::over(expr).first;
    syn::Expr::Verbatim(quote_spanned!(start=> ::shmem::__private::same::<#ty>(#expr)))
}

impl VisitMut for Rewrite<'_> {
    fn visit_local_mut(&mut self, local: &mut syn::Local) {
        let ty = self.known(local);
        visit_mut::visit_local_mut(self, local);
        let Some(ty) = ty else { return };
        if let syn::Pat::Type(typed) = &local.pat {
            let span = typed.ty.span();
            if let Some(init) = &mut local.init {
                *init.expr = same(&init.expr, ty, span);
            }
        } else {
            let span = local.pat.span();
            let pat = local.pat.to_token_stream();
            let ty = types::tokens(ty, &quote!('_), span);
            local.pat = syn::Pat::Verbatim(quote_spanned!(span=> #pat: #ty));
        }
    }

    fn visit_expr_mut(&mut self, expr: &mut syn::Expr) {
        let cast = match expr {
            syn::Expr::Cast(cast) => self.known(cast).map(|ty| (ty, cast.ty.span())),
            _ => None,
        };
        visit_mut::visit_expr_mut(self, expr);
        if let Some((ty, span)) = cast {
            *expr = same(expr, ty, span);
        }
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
        if let syn::Expr::Path(path) = &mut *call.func
            && path.path.leading_colon.is_none()
            && let Some(first) = path.path.segments.first()
            && first.ident == "shmem"
        {
            let span = first.ident.span();
            self.facade.get_or_insert(span);
            path.path.leading_colon = Some(syn::token::PathSep {
                spans: [span, span],
            });
        }
    }
}
