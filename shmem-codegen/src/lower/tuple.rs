//! `let (a, b) = (x, y);` and `let (value, overflowed) = a.overflowing_add(b);`: taken apart where they stand.

use syn::ext::IdentExt;

use super::Lower;
use crate::diag::SpanRange;
use crate::ir::{Expr, ExprKind, Fault, LocalId, Stmt, StmtKind};
use crate::number::Method;
use crate::rules;
use crate::signature;
use crate::ty::Ty;

/// The statements of a pattern, and the names that are in scope after it.
#[derive(Default)]
struct Parts {
    stmts: Vec<Stmt>,
    names: Vec<(String, LocalId)>,
}

impl Lower<'_> {
    pub(super) fn tuple_statement(
        &mut self,
        tuple: &syn::PatTuple,
        init: &syn::Expr,
    ) -> Option<StmtKind> {
        let mut parts = Parts::default();
        let fits = self.take_apart(tuple, init, &mut parts);
        if fits.is_none() {
            self.bind_refused(signature::bound_names(&syn::Pat::Tuple(tuple.clone())));
            return None;
        }
        // The names after all values: they are not in scope in them.
        for (name, id) in parts.names {
            self.bind(name, id);
        }
        Some(StmtKind::Several(parts.stmts))
    }

    fn take_apart(
        &mut self,
        tuple: &syn::PatTuple,
        init: &syn::Expr,
        parts: &mut Parts,
    ) -> Option<()> {
        match init {
            syn::Expr::Paren(paren) => self.take_apart(tuple, &paren.expr, parts),
            syn::Expr::Tuple(values) if values.elems.len() == tuple.elems.len() => {
                for (pat, value) in tuple.elems.iter().zip(&values.elems) {
                    match (pat, value) {
                        (syn::Pat::Tuple(inner), value) => self.take_apart(inner, value, parts)?,
                        (pat, value) => {
                            let value = self.value(value);
                            self.part(pat, value, parts)?;
                        }
                    }
                }
                Some(())
            }
            syn::Expr::MethodCall(call) if tuple.elems.len() == 2 => {
                let name = call.method.unraw().to_string();
                let Some(operation) = name.strip_prefix("overflowing_") else {
                    self.refuse(&rules::PATTERN, SpanRange::over(tuple), &[]);
                    return None;
                };
                self.overflowing(operation, tuple, call, parts)
            }
            _ => {
                self.refuse(&rules::PATTERN, SpanRange::over(tuple), &[]);
                None
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
                parts.names.push((name, id));
                Some(())
            }
            syn::Pat::Wild(_) => {
                parts.stmts.push(Stmt {
                    kind: StmtKind::Expr(value),
                    span,
                });
                Some(())
            }
            other => {
                self.refuse(&rules::PATTERN, SpanRange::over(other), &[]);
                None
            }
        }
    }

    /// The wrapped value, then whether it has wrapped.
    fn overflowing(
        &mut self,
        operation: &str,
        tuple: &syn::PatTuple,
        call: &syn::ExprMethodCall,
        parts: &mut Parts,
    ) -> Option<()> {
        let range = SpanRange::over(call);
        let at = SpanRange::of(call.method.span());
        let receiver = self.value(&call.receiver);
        let ty = self.infer.shallow(receiver.ty);
        let methods =
            ["wrapping", "overflows"].map(|what| Method::find(&format!("{what}_{operation}"), ty));
        let [Some(wrapping), Some(overflows)] = methods else {
            if ty != Ty::Error {
                let (of, name) = (self.infer.describe(ty), call.method.unraw());
                let help = "numbers have the methods that docs/language.md lists";
                self.refuse(&rules::METHOD, at, &[&of, &name, &help]);
            }
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
            return None;
        }
        // Both results are of the same operands: these are kept.
        let mut operands = Vec::new();
        let mut values = vec![receiver];
        for (argument, shape) in call.args.iter().zip(wrapping.arguments) {
            let value = self.value_of(argument, shape.ty(ty));
            values.push(value);
        }
        for value in values {
            let (span, range, ty) = (value.range.first, value.range, value.ty);
            let id = self.hidden("operand", ty, false);
            parts.stmts.push(Stmt {
                kind: StmtKind::Let(id, value),
                span,
            });
            operands.push(Expr {
                kind: ExprKind::Local(id),
                ty,
                range,
            });
        }
        for (pat, method) in tuple.elems.iter().zip([wrapping, overflows]) {
            let site = self.site(at, Fault::Check);
            let kind = ExprKind::Method(method, operands.clone(), site);
            self.part(
                pat,
                Expr {
                    kind,
                    ty: method.result.ty(ty),
                    range,
                },
                parts,
            )?;
        }
        Some(())
    }
}
