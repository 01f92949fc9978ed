//! Assignments.

use super::Lower;
use crate::diag::SpanRange;
use crate::ir::{Block, Expr, Stmt, StmtKind};
use crate::rules;
use crate::ty::Ty;

impl Lower<'_> {
    pub(super) fn assignment(
        &mut self,
        left: &syn::Expr,
        op: Option<(crate::ir::BinOp, crate::ir::SiteId)>,
        right: &syn::Expr,
    ) -> Option<StmtKind> {
        let mut target = left;
        while let syn::Expr::Paren(paren) = target {
            target = &paren.expr;
        }
        match target {
            syn::Expr::Infer(_) if op.is_none() => {
                return Some(StmtKind::Expr(self.value(right)));
            }
            syn::Expr::Tuple(tuple) if op.is_none() => return self.assign_parts(tuple, right),
            _ => {}
        }
        // The right side before the left one, as rustc does for these types.
        let told = self.diags.len();
        let value = self.value(right);
        let place = self.place(target);
        if place.is_none() && is_aggregate(right) {
            // Part of one mistake.
            self.diags.truncate(told + 1);
        }
        let place = place?;
        if !self.writable(&place, Some(value.ty)) {
            return None;
        }
        match op {
            Some((op, _)) => {
                self.read(&place);
                let over = SpanRange {
                    first: place.range.first,
                    last: value.range.last,
                };
                if !self.operands(op, &place, &value, over) {
                    return None;
                }
            }
            None => self.expect(&value, place.ty),
        }
        Some(StmtKind::Assign(place, op, value))
    }

    /// `(a, b) = value;`: the value, then the parts from left to right.
    fn assign_parts(&mut self, targets: &syn::ExprTuple, right: &syn::Expr) -> Option<StmtKind> {
        let value = self.value(right);
        let mut stmts = Vec::new();
        let whole = self.held("whole", value, &mut stmts);
        self.assign_each(targets, &whole, &mut stmts)?;
        Some(StmtKind::Block(Block { stmts, tail: None }))
    }

    fn assign_each(
        &mut self,
        targets: &syn::ExprTuple,
        whole: &Expr,
        stmts: &mut Vec<Stmt>,
    ) -> Option<()> {
        let range = SpanRange::over(targets);
        let count = match self.infer.shallow(whole.ty) {
            Ty::Error => return None,
            Ty::Tuple(of) => of.elems.len(),
            _ => 0,
        };
        if count != targets.elems.len() {
            let (got, want) = (
                self.infer.describe(whole.ty),
                format!("a tuple of {}", targets.elems.len()),
            );
            self.refuse(
                &rules::MISMATCH,
                whole.range,
                &[&want, &got, &"both sides have the same parts"],
            );
            return None;
        }
        for (index, target) in targets.elems.iter().enumerate() {
            let part = self.part_of(whole, index);
            match target {
                syn::Expr::Infer(_) => continue,
                syn::Expr::Tuple(inner) => {
                    self.assign_each(inner, &part, stmts)?;
                    continue;
                }
                _ => {}
            }
            let place = self.place(target)?;
            if !self.writable(&place, Some(part.ty)) {
                return None;
            }
            self.expect(
                &Expr {
                    range: place.range,
                    ..part.clone()
                },
                place.ty,
            );
            stmts.push(Stmt {
                kind: StmtKind::Assign(place, None, part),
                span: range.first,
            });
        }
        Some(())
    }
}

/// What only a pattern takes apart: refused with the pattern.
pub(super) fn is_aggregate(expr: &syn::Expr) -> bool {
    matches!(
        expr,
        syn::Expr::Tuple(_)
            | syn::Expr::Array(_)
            | syn::Expr::Repeat(_)
            | syn::Expr::Struct(_)
            | syn::Expr::Reference(_)
            | syn::Expr::Call(_)
    )
}
