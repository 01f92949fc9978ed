//! `match`: a chain of tests on a local of our own. That the arms cover all values is for rustc
//! to say, on the host stub; the last arm that always fits is the end of the chain.

use super::Lower;
use super::expr::error;
use super::pattern::{Binding, both};
use crate::diag::SpanRange;
use crate::ir::{Block, Expr, ExprKind, Stmt, StmtKind};
use crate::rules;
use crate::ty::Ty;

/// A lowered arm.
struct Arm {
    /// The test; none where it always fits.
    test: Option<Expr>,
    body: Block,
    ty: Ty,
    range: SpanRange,
}

impl Lower<'_> {
    /// `match`, with a value where `valued`.
    pub(super) fn match_value(
        &mut self,
        matched: &syn::ExprMatch,
        valued: bool,
        range: SpanRange,
    ) -> Expr {
        let scrutinee = self.value(&matched.expr);
        match self.infer.shallow(scrutinee.ty) {
            Ty::Int(_) | Ty::Bool | Ty::Enum(_) | Ty::Infer(_) => {}
            ty if ty.is_aggregate() => {}
            Ty::Error => return error(range),
            other => {
                let help =
                    "match on an integer, a bool, an enum, or a tuple, array or struct of these";
                return self.refused(
                    &rules::OPERATOR,
                    scrutinee.range,
                    &[&"match", &other, &help],
                );
            }
        }
        let local = self.hidden("matched", scrutinee.ty, false);
        let subject = Expr {
            kind: ExprKind::Local(local),
            ty: scrutinee.ty,
            range: scrutinee.range,
        };
        let mut arms = Vec::new();
        let mut ty = Ty::Never;
        for arm in &matched.arms {
            let Some(arm) = self.arm(arm, &subject, valued) else {
                return error(range);
            };
            if !self.infer.unify(ty, arm.ty) {
                let (want, got) = (self.infer.describe(ty), self.infer.describe(arm.ty));
                self.refuse(
                    &rules::MISMATCH,
                    arm.range,
                    &[&want, &got, &"all arms have one type"],
                );
                return error(range);
            }
            if ty == Ty::Never {
                ty = arm.ty;
            }
            arms.push(arm);
        }
        // Nothing comes after an arm that always fits; without one, the last is what is left.
        if let Some(end) = arms.iter().position(|arm| arm.test.is_none()) {
            arms.truncate(end + 1);
        } else if let Some(last) = arms.last_mut() {
            last.test = None;
        }
        let bind = Stmt {
            kind: StmtKind::Let(local, scrutinee),
            span: range.first,
        };
        let Some(mut block) = chain(arms, ty, valued, range) else {
            return error(range);
        };
        block.stmts.insert(0, bind);
        Expr {
            kind: ExprKind::Block(block),
            ty: if valued { ty } else { Ty::Unit },
            range,
        }
    }

    fn arm(&mut self, arm: &syn::Arm, subject: &Expr, valued: bool) -> Option<Arm> {
        self.no_attributes(&arm.attrs);
        self.scoped(|lower| {
            let (pat, guard) = match &arm.pat {
                syn::Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
                other => (other, None),
            };
            let mut bound = Vec::new();
            let test = lower.test(pat, subject)?;
            lower.bindings(pat, subject, true, &mut bound)?;
            let test = both(test, guard.map(|guard| lower.guard(guard, &bound)));
            let range = SpanRange::over(&arm.body);
            let mut copies = lower.bind_all(&bound);
            let (mut body, ty) = lower.lone(&arm.body, valued);
            copies.append(&mut body.stmts);
            body.stmts = copies;
            Some(Arm {
                test,
                body,
                ty,
                range,
            })
        })
    }

    /// A guard, which sees the names of its pattern.
    fn guard(&mut self, guard: &syn::Expr, bound: &[Binding]) -> Expr {
        let range = SpanRange::over(guard);
        self.scoped(|lower| {
            let stmts = lower.bind_all(bound);
            let test = lower.value_of(guard, Ty::Bool);
            if stmts.is_empty() {
                return test;
            }
            let block = Block {
                stmts,
                tail: Some(Box::new(test)),
            };
            Expr {
                kind: ExprKind::Block(block),
                ty: Ty::Bool,
                range,
            }
        })
    }
}

/// The arms as `if`, `else if`, `else`.
fn chain(arms: Vec<Arm>, ty: Ty, valued: bool, range: SpanRange) -> Option<Block> {
    let mut arms = arms.into_iter().rev();
    let mut rest = arms.next()?.body;
    for arm in arms {
        let test = arm.test?;
        rest = if valued {
            let kind = ExprKind::If(Box::new(test), arm.body, rest);
            Block {
                stmts: Vec::new(),
                tail: Some(Box::new(Expr { kind, ty, range })),
            }
        } else {
            let kind = StmtKind::If(test, arm.body, Some(rest));
            Block {
                stmts: vec![Stmt {
                    kind,
                    span: range.first,
                }],
                tail: None,
            }
        };
    }
    Some(rest)
}
