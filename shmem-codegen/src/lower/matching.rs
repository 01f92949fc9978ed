//! `match` on numbers and bools: a chain of tests on a local of our own. That the arms cover all values is for rustc
//! to say, on the host stub; the last arm that always fits is the end of the chain.

use syn::ext::IdentExt;

use super::Lower;
use super::expr::error;
use crate::analyse::NodeId;
use crate::diag::SpanRange;
use crate::ir::{BinOp, Block, Expr, ExprKind, Fault, LocalId, Stmt, StmtKind};
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
            Ty::Int(_) | Ty::Bool | Ty::Infer(_) => {}
            Ty::Error => return error(range),
            other => {
                let help = "match on an integer or a bool";
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
            let Some(arm) = self.arm(arm, &subject, local, valued) else {
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

    fn arm(&mut self, arm: &syn::Arm, subject: &Expr, local: LocalId, valued: bool) -> Option<Arm> {
        self.no_attributes(&arm.attrs);
        self.scoped(|lower| {
            let (pat, guard) = match &arm.pat {
                syn::Pat::Guard(guarded) => (&*guarded.pat, Some(&*guarded.guard)),
                other => (other, None),
            };
            let mut bound = Vec::new();
            let test = lower.pattern(pat, subject, local, &mut bound)?;
            if let (Some(guard), false) = (guard, bound.is_empty()) {
                // The guard would come before the copy that it names.
                lower.refuse(&rules::MATCH_PATTERN, SpanRange::over(guard), &[]);
                return None;
            }
            let guard = guard.map(|guard| lower.value_of(guard, Ty::Bool));
            let test = match (test, guard) {
                (Some(test), Some(guard)) => Some(logical(true, test, guard)),
                (test, guard) => test.or(guard),
            };
            let range = SpanRange::over(&arm.body);
            let (mut body, ty) = lower.lone(&arm.body, valued);
            bound.append(&mut body.stmts);
            body.stmts = bound;
            Some(Arm {
                test,
                body,
                ty,
                range,
            })
        })
    }

    /// The test of a pattern: none where it always fits. What it binds is added to `bound`.
    fn pattern(
        &mut self,
        pat: &syn::Pat,
        subject: &Expr,
        local: LocalId,
        bound: &mut Vec<Stmt>,
    ) -> Option<Option<Expr>> {
        let range = SpanRange::over(pat);
        match pat {
            syn::Pat::Wild(_) => Some(None),
            syn::Pat::Paren(paren) => self.pattern(&paren.pat, subject, local, bound),
            // A name that is a constant's is its value.
            syn::Pat::Ident(ident)
                if ident.subpat.is_none()
                    && self
                        .siblings
                        .constants
                        .iter()
                        .any(|constant| constant.ident == ident.ident) =>
            {
                let path = syn::Expr::Path(syn::ExprPath {
                    attrs: Vec::new(),
                    qself: None,
                    path: ident.ident.clone().into(),
                });
                // Told to the host stub, where every other name of a pattern is made a new one.
                self.types.push((NodeId::of(ident), subject.ty));
                Some(Some(self.bound(BinOp::Eq, &path, subject)?))
            }
            syn::Pat::Ident(ident) if ident.by_ref.is_none() => {
                let test = match &ident.subpat {
                    Some((_, inner)) => self.pattern(inner, subject, local, bound)?,
                    None => None,
                };
                let name = ident.ident.unraw().to_string();
                if ident.mutability.is_some() {
                    let id = self.local(name.clone(), subject.ty, true);
                    bound.push(Stmt {
                        kind: StmtKind::Let(id, subject.clone()),
                        span: range.first,
                    });
                    self.bind(name, id);
                } else {
                    self.bind(name, local);
                }
                Some(test)
            }
            syn::Pat::Or(or) => {
                let mut test: Option<Expr> = None;
                for case in &or.cases {
                    let Some(next) = self.pattern(case, subject, local, bound)? else {
                        return Some(None);
                    };
                    test = Some(match test {
                        Some(test) => logical(false, test, next),
                        None => next,
                    });
                }
                Some(test)
            }
            syn::Pat::Range(between) => {
                let upper = if matches!(between.limits, syn::RangeLimits::Closed(_)) {
                    BinOp::Le
                } else {
                    BinOp::Lt
                };
                let low = match &between.start {
                    Some(start) => Some(self.bound(BinOp::Ge, start, subject)?),
                    None => None,
                };
                let high = match &between.end {
                    Some(end) => Some(self.bound(upper, end, subject)?),
                    None => None,
                };
                Some(match (low, high) {
                    (Some(low), Some(high)) => Some(logical(true, low, high)),
                    (low, high) => low.or(high),
                })
            }
            syn::Pat::Lit(lit) => Some(Some(self.bound(
                BinOp::Eq,
                &syn::Expr::Lit(lit.clone()),
                subject,
            )?)),
            syn::Pat::Path(path) => Some(Some(self.bound(
                BinOp::Eq,
                &syn::Expr::Path(path.clone()),
                subject,
            )?)),
            syn::Pat::Verbatim(tokens) => match syn::parse2::<syn::Expr>(tokens.clone()) {
                Ok(value) => Some(Some(self.bound(BinOp::Eq, &value, subject)?)),
                Err(_) => {
                    self.refuse(&rules::MATCH_PATTERN, range, &[]);
                    None
                }
            },
            _ => {
                self.refuse(&rules::MATCH_PATTERN, range, &[]);
                None
            }
        }
    }

    /// `subject op value`, for a value that a pattern may have: a number, a bool, or a constant of a number type.
    fn bound(&mut self, op: BinOp, source: &syn::Expr, subject: &Expr) -> Option<Expr> {
        let range = SpanRange::over(source);
        let known = self.types.len();
        let value = self.value(source);
        self.types.truncate(known);
        if !matches!(value.kind, ExprKind::Int(_) | ExprKind::Bool(_)) && !self.is_constant(source)
        {
            if value.ty != Ty::Error {
                self.refuse(&rules::MATCH_PATTERN, range, &[]);
            }
            return None;
        }
        if !self.infer.unify(value.ty, subject.ty) {
            let (want, got) = (
                self.infer.describe(subject.ty),
                self.infer.describe(value.ty),
            );
            self.refuse(
                &rules::MISMATCH,
                range,
                &[&want, &got, &"a pattern has the type of what is matched"],
            );
            return None;
        }
        let site = self.site(range, Fault::Check);
        let kind = match (&value.kind, op) {
            (ExprKind::Bool(true), _) => return Some(subject.clone()),
            (ExprKind::Bool(false), _) => ExprKind::Not(Box::new(subject.clone())),
            _ => ExprKind::Binary(op, Box::new(subject.clone()), Box::new(value), site),
        };
        Some(Expr {
            kind,
            ty: Ty::Bool,
            range,
        })
    }
}

fn logical(and: bool, left: Expr, right: Expr) -> Expr {
    let range = SpanRange {
        first: left.range.first,
        last: right.range.last,
    };
    Expr {
        kind: ExprKind::Logical(and, Box::new(left), Box::new(right)),
        ty: Ty::Bool,
        range,
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
