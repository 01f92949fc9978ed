//! `let` of a pattern, and the `overflowing_` methods, which give a tuple. A tuple that is written out under a pattern
//! is taken apart where it stands.

use syn::ext::IdentExt;

use super::Lower;
use super::aggregate::{block, parts_of};
use super::expr::error;
use super::pattern::Binding;
use crate::analyse::NodeId;
use crate::diag::SpanRange;
use crate::ir::{Block, Expr, ExprKind, Fault, LocalId, Stmt, StmtKind};
use crate::number::Method;
use crate::rules;
use crate::signature;
use crate::ty::Ty;

/// The statements of a pattern, and the names that are in scope after it.
#[derive(Default)]
struct Parts {
    stmts: Vec<Stmt>,
    locals: Vec<(String, LocalId)>,
    names: Vec<Binding>,
}

impl Lower<'_> {
    /// `let PATTERN = init;`
    pub(super) fn let_pattern(
        &mut self,
        local: &syn::Local,
        pat: &syn::Pat,
        explicit: Option<Ty>,
        init: &syn::Expr,
    ) -> Option<StmtKind> {
        let mut parts = Parts::default();
        let ty = match explicit {
            None => self.unpack(pat, init, &mut parts),
            Some(ty) => {
                let value = self.value_of(init, ty);
                self.part(pat, value, &mut parts).map(|()| ty)
            }
        };
        let Some(ty) = ty else {
            self.bind_refused(signature::bound_names(pat));
            return None;
        };
        self.types.push((NodeId::of(local), ty));
        // The names after all values: they are not in scope in them.
        for (name, id) in parts.locals {
            self.bind(name, id);
        }
        let copies = self.bind_all(&parts.names);
        parts.stmts.extend(copies);
        Some(StmtKind::Several(parts.stmts))
    }

    /// Takes `init` apart by `pat`; its type.
    fn unpack(&mut self, pat: &syn::Pat, init: &syn::Expr, parts: &mut Parts) -> Option<Ty> {
        match (pat, init) {
            (syn::Pat::Paren(paren), init) => self.unpack(&paren.pat, init, parts),
            (pat, syn::Expr::Paren(paren)) => self.unpack(pat, &paren.expr, parts),
            (syn::Pat::Tuple(tuple), syn::Expr::Tuple(values))
                if values.elems.len() == tuple.elems.len()
                    && !values.elems.is_empty()
                    && !tuple
                        .elems
                        .iter()
                        .any(|pat| matches!(pat, syn::Pat::Rest(_))) =>
            {
                let mut types = Vec::new();
                for (pat, value) in tuple.elems.iter().zip(&values.elems) {
                    types.push(self.unpack(pat, value, parts)?);
                }
                Some(Ty::tuple(types))
            }
            (pat, init) => {
                let value = self.value(init);
                let ty = value.ty;
                self.part(pat, value, parts)?;
                Some(ty)
            }
        }
    }

    fn part(&mut self, pat: &syn::Pat, value: Expr, parts: &mut Parts) -> Option<()> {
        let span = value.range.first;
        match pat {
            syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                let name = ident.ident.unraw().to_string();
                let id = self.local(name.clone(), value.ty, ident.mutability.is_some());
                parts.stmts.push(Stmt {
                    kind: StmtKind::Let(id, value),
                    span,
                });
                parts.locals.push((name, id));
                Some(())
            }
            syn::Pat::Wild(_) => {
                parts.stmts.push(Stmt {
                    kind: StmtKind::Expr(value),
                    span,
                });
                Some(())
            }
            // Both parts come of themselves: no tuple is made to be taken apart.
            syn::Pat::Tuple(tuple) if tuple.elems.len() == 2 && is_made(&value) => {
                let (stmts, made) = match value.kind {
                    ExprKind::Block(Block {
                        stmts,
                        tail: Some(tail),
                    }) => (stmts, tail.kind),
                    made => (Vec::new(), made),
                };
                let ExprKind::Parts(values) = made else {
                    return None;
                };
                parts.stmts.extend(stmts);
                for (pat, (_, value)) in tuple.elems.iter().zip(values) {
                    self.part(pat, value, parts)?;
                }
                Some(())
            }
            other => self.take_apart(other, value, &mut parts.stmts, &mut parts.names),
        }
    }

    /// The wrapped value and whether it has wrapped; none where the method is another.
    pub(super) fn overflowing(
        &mut self,
        receiver: &Expr,
        call: &syn::ExprMethodCall,
        range: SpanRange,
    ) -> Option<Expr> {
        let name = call.method.unraw().to_string();
        let operation = name.strip_prefix("overflowing_")?;
        let at = SpanRange::of(call.method.span());
        let ty = self.infer.shallow(receiver.ty);
        let methods =
            ["wrapping", "overflows"].map(|what| Method::find(&format!("{what}_{operation}"), ty));
        let [Some(wrapping), Some(overflows)] = methods else {
            return None;
        };
        if call.args.len() != wrapping.arguments.len() {
            let takes = super::call::count(wrapping.arguments.len());
            let given = super::call::given(call.args.len());
            self.refuse(
                &rules::ARGUMENTS,
                range,
                &[&call.method, &takes, &given, &"correct the call"],
            );
            return Some(error(range));
        }
        // Both results are of the same operands: these are kept.
        let mut stmts = Vec::new();
        let mut operands = vec![self.held("operand", receiver.clone(), &mut stmts)];
        for (argument, shape) in call.args.iter().zip(wrapping.arguments) {
            let value = self.value_of(argument, shape.ty(ty));
            let operand = self.held("operand", value, &mut stmts);
            operands.push(operand);
        }
        let results = [wrapping, overflows].map(|method| Expr {
            kind: ExprKind::Method(method, operands.clone(), self.site(at, Fault::Check)),
            ty: method.result.ty(ty),
            range,
        });
        let tuple = Ty::tuple(results.iter().map(|result| result.ty).collect());
        Some(block(stmts, parts_of(tuple, results.into(), range)))
    }
}

/// Whether a tuple is made at the end of a block of unchanging locals.
fn is_made(value: &Expr) -> bool {
    match &value.kind {
        ExprKind::Parts(_) => matches!(value.ty, Ty::Tuple(_)),
        ExprKind::Block(block) => {
            block
                .stmts
                .iter()
                .all(|stmt| matches!(stmt.kind, StmtKind::Let(..)))
                && (block.tail.as_ref()).is_some_and(|tail| matches!(tail.kind, ExprKind::Parts(_)))
        }
        _ => false,
    }
}
