//! Patterns that may not fit: `if let`, `while let`, `let ... else`; and blocks with labels.

use super::aggregate::{local, stmts};
use super::expr::error;
use super::{Frame, Lower};
use crate::analyse::NodeId;
use crate::diag::SpanRange;
use crate::ir::{Block, Expr, ExprKind, LoopId, Stmt, StmtKind};
use crate::rules;
use crate::signature;
use crate::ty::Ty;

impl Lower<'_> {
    /// `if let PATTERN = value { ... } else { ... }`, with a value where `valued`.
    pub(super) fn if_let(
        &mut self,
        branch: &syn::ExprIf,
        condition: &syn::ExprLet,
        valued: bool,
        range: SpanRange,
    ) -> Expr {
        let value = self.value(&condition.expr);
        let mut before = Vec::new();
        let subject = self.held("matched", value, &mut before);
        let then = self.scoped(|lower| {
            let (test, mut copies) = lower.fitting(&condition.pat, &subject)?;
            let (mut then, ty) = if valued {
                lower.value_block(&branch.then_branch)
            } else {
                (lower.unit_block(&branch.then_branch), Ty::Unit)
            };
            copies.append(&mut then.stmts);
            then.stmts = copies;
            Some((test, then, ty))
        });
        let (otherwise, else_ty) = match &branch.else_branch {
            Some((_, otherwise)) => {
                let (block, ty) = self.lone(otherwise, valued);
                (Some(block), ty)
            }
            None if valued => return self.refused(&rules::IF_NO_ELSE, range, &[]),
            None => (None, Ty::Unit),
        };
        let Some((test, then, then_ty)) = then else {
            return error(range);
        };
        if !valued {
            before.extend(stmts([StmtKind::If(test, then, otherwise)], range));
            return Expr {
                kind: ExprKind::Block(Block {
                    stmts: before,
                    tail: None,
                }),
                ty: Ty::Unit,
                range,
            };
        }
        let Some(ty) = self.of_both(then_ty, else_ty, range) else {
            return error(range);
        };
        let kind = ExprKind::If(Box::new(test), then, otherwise.unwrap_or_default());
        super::aggregate::block(before, Expr { kind, ty, range })
    }

    /// The test of a pattern, and its names, which are in scope from here on.
    fn fitting(&mut self, pat: &syn::Pat, subject: &Expr) -> Option<(Expr, Vec<Stmt>)> {
        let mut bound = Vec::new();
        let tested = match self.test(pat, subject) {
            Some(test) if self.bindings(pat, subject, true, &mut bound).is_some() => test,
            _ => {
                self.bind_refused(signature::bound_names(pat));
                return None;
            }
        };
        let always = Expr {
            kind: ExprKind::Bool(true),
            ty: Ty::Bool,
            range: SpanRange::over(pat),
        };
        Some((tested.unwrap_or(always), self.bind_all(&bound)))
    }

    /// `while let PATTERN = value { ... }`
    pub(super) fn while_let(
        &mut self,
        turns: &syn::ExprWhile,
        condition: &syn::ExprLet,
        range: SpanRange,
    ) -> Option<StmtKind> {
        let mut fits = true;
        let (id, body) = self.loop_body(turns.label.as_ref(), None, |lower| {
            let value = lower.value(&condition.expr);
            let mut all = Vec::new();
            let subject = lower.held("matched", value, &mut all);
            let then = lower.scoped(|lower| {
                let fitting = lower.fitting(&condition.pat, &subject);
                let mut body = lower.unit_block(&turns.body);
                let (test, mut copies) = fitting?;
                copies.append(&mut body.stmts);
                body.stmts = copies;
                Some((test, body))
            });
            match then {
                Some((test, body)) => {
                    let id = lower.innermost();
                    let leave = id.map(|id| StmtKind::Break(id, false));
                    let otherwise = Block {
                        stmts: stmts(leave, range),
                        tail: None,
                    };
                    all.extend(stmts([StmtKind::If(test, body, Some(otherwise))], range));
                }
                None => fits = false,
            }
            Block {
                stmts: all,
                tail: None,
            }
        });
        self.broken[id.0] = true;
        fits.then_some(StmtKind::Loop(id, body))
    }

    pub(super) fn innermost(&self) -> Option<LoopId> {
        let loops = self.frames.iter().rev().filter(|frame| !frame.block);
        loops.map(|frame| frame.id).next()
    }

    /// `let PATTERN = init else { ... };`
    pub(super) fn let_else(
        &mut self,
        whole: &syn::Local,
        pat: &syn::Pat,
        explicit: Option<Ty>,
        init: &syn::LocalInit,
    ) -> Option<StmtKind> {
        let (_, diverge) = init.diverge.as_ref()?;
        let value = match explicit {
            Some(ty) => self.value_of(&init.expr, ty),
            None => self.value(&init.expr),
        };
        self.types.push((NodeId::of(whole), value.ty));
        let range = value.range;
        let mut all = Vec::new();
        let subject = self.held("matched", value, &mut all);
        // Its names are not in scope in the `else`.
        let (leave, _) = self.lone(diverge, false);
        let (test, copies) = self.fitting(pat, &subject)?;
        let fails = Expr {
            kind: ExprKind::Not(Box::new(test)),
            ty: Ty::Bool,
            range,
        };
        all.extend(stmts([StmtKind::If(fails, leave, None)], range));
        all.extend(copies);
        Some(StmtKind::Several(all))
    }

    /// `'label: { ... }`, with a value where `valued`.
    pub(super) fn labelled(
        &mut self,
        block: &syn::ExprBlock,
        valued: bool,
        range: SpanRange,
    ) -> Expr {
        let ty = self.infer.any();
        let result = self.hidden("value", ty, true);
        let id = self.new_loop();
        self.frames.push(Frame {
            id,
            label: block
                .label
                .as_ref()
                .map(|label| label.name.ident.to_string()),
            result: valued.then_some(result),
            block: true,
        });
        let (mut body, found) = if valued {
            self.value_block(&block.block)
        } else {
            (self.unit_block(&block.block), Ty::Unit)
        };
        self.frames.pop();
        let open = self.infer.describe(ty) == "_";
        if let Some(tail) = body.tail.take() {
            if tail.ty == Ty::Unit || tail.ty == Ty::Never {
                let span = tail.range.first;
                body.stmts.push(Stmt {
                    kind: StmtKind::Expr(*tail),
                    span,
                });
            } else {
                self.expect(&tail, ty);
                let place = local(result, ty, tail.range);
                let at = tail.range;
                body.stmts
                    .extend(stmts([StmtKind::Assign(place, None, *tail)], at));
            }
        } else if found == Ty::Unit && !open {
            let want = self.infer.describe(ty);
            let help = "end the block with the value";
            return self.refused(&rules::MISMATCH, range, &[&want, &"()", &help]);
        }
        let run = StmtKind::Labelled(id, body);
        if self.infer.describe(ty) == "_" {
            let ty = if self.broken[id.0] || found != Ty::Never {
                Ty::Unit
            } else {
                Ty::Never
            };
            return Expr {
                kind: ExprKind::Block(Block {
                    stmts: stmts([run], range),
                    tail: None,
                }),
                ty,
                range,
            };
        }
        let all = stmts([StmtKind::Declare(result), run], range);
        super::aggregate::block(all, local(result, ty, range))
    }
}
