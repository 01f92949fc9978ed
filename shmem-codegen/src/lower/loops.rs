//! Loops: `for`, `loop` with a value, and where `break` and `continue` go.

use syn::ext::IdentExt;

use super::{Frame, Lower};
use crate::diag::SpanRange;
use crate::ir::{Block, Expr, ExprKind, Fault, LocalId, Loop, LoopId, Stmt, StmtKind};
use crate::rules;
use crate::signature;
use crate::ty::{Int, Ty};

impl Lower<'_> {
    pub(super) fn for_statement(&mut self, for_loop: &syn::ExprForLoop) -> Option<StmtKind> {
        let Some(Turns {
            start,
            end,
            inclusive,
            reversed,
            step,
        }) = turns(&for_loop.expr)
        else {
            if may_be_array(&for_loop.expr) {
                return self.for_array(for_loop, SpanRange::over(for_loop));
            }
            self.refuse(&rules::FOR_RANGE, SpanRange::over(&for_loop.expr), &[]);
            self.refused_turns(for_loop);
            return None;
        };
        let at = SpanRange {
            first: SpanRange::over(start).first,
            last: SpanRange::over(end).last,
        };
        let mut start = self.value(start);
        let end = self.value(end);
        if !self.infer.unify(start.ty, end.ty) {
            let (a, b) = (self.infer.describe(start.ty), self.infer.describe(end.ty));
            let help = self.one_type(start.ty, end.ty);
            self.refuse(&rules::OPERANDS, at, &[&"..", &a, &b, &help]);
            start.ty = Ty::Error;
        }
        let step = step.map(|step| {
            let value = self.value_of(step, Ty::Int(Int::Usize));
            let text = Fault::Text("assertion failed: step != 0".to_owned(), Vec::new());
            let site = self.site(SpanRange::over(step), text);
            Box::new((value, site))
        });
        let mut refused = Vec::new();
        let (name, mutable) = match &*for_loop.pat {
            syn::Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
                (pat.ident.unraw().to_string(), pat.mutability.is_some())
            }
            syn::Pat::Wild(_) => (String::new(), false),
            other => {
                self.refuse(&rules::PATTERN, SpanRange::over(other), &[]);
                refused = signature::bound_names(other);
                (String::new(), false)
            }
        };
        let local = self.local(name.clone(), start.ty, mutable);
        let (id, body) = self.loop_body(for_loop.label.as_ref(), None, |lower| {
            lower.scoped(|lower| {
                if !name.is_empty() {
                    lower.bind(name, local);
                }
                lower.bind_refused(refused);
                lower.unit_block(&for_loop.body)
            })
        });
        Some(StmtKind::For {
            id,
            local,
            start,
            end,
            inclusive,
            reversed,
            step,
            body,
        })
    }

    /// The body of a `for` that was refused: what is wrong in it is told all the same.
    pub(super) fn refused_turns(&mut self, for_loop: &syn::ExprForLoop) {
        self.loop_body(for_loop.label.as_ref(), None, |lower| {
            lower.scoped(|lower| {
                lower.bind_refused(signature::bound_names(&for_loop.pat));
                lower.unit_block(&for_loop.body)
            })
        });
    }

    /// `loop` with the value of its `break`s.
    pub(super) fn loop_value(&mut self, endless: &syn::ExprLoop, range: SpanRange) -> Expr {
        let ty = self.infer.any();
        let result = self.hidden("value", ty, true);
        let (id, body) = self.loop_body(endless.label.as_ref(), Some(result), |lower| {
            lower.unit_block(&endless.body)
        });
        let run = StmtKind::Loop(id, body);
        let stmt = |kind| Stmt {
            kind,
            span: range.first,
        };
        let valued =
            !matches!(self.infer.shallow(ty), Ty::Infer(_)) || self.infer.describe(ty) != "_";
        let (stmts, tail, ty) = if valued {
            let value = Expr {
                kind: ExprKind::Local(result),
                ty,
                range,
            };
            (
                vec![stmt(StmtKind::Declare(result)), stmt(run)],
                Some(Box::new(value)),
                ty,
            )
        } else {
            (
                vec![stmt(run)],
                None,
                if self.broken[id.0] {
                    Ty::Unit
                } else {
                    Ty::Never
                },
            )
        };
        Expr {
            kind: ExprKind::Block(Block { stmts, tail }),
            ty,
            range,
        }
    }

    /// Something that `break` leaves.
    pub(super) fn new_loop(&mut self) -> LoopId {
        self.loops.push(Loop::default());
        self.broken.push(false);
        LoopId(self.loops.len() - 1)
    }

    pub(super) fn loop_body(
        &mut self,
        label: Option<&syn::Label>,
        result: Option<LocalId>,
        run: impl FnOnce(&mut Self) -> Block,
    ) -> (LoopId, Block) {
        let id = self.new_loop();
        self.frames.push(Frame {
            id,
            label: label.map(|label| label.name.ident.to_string()),
            result,
            block: false,
        });
        let body = run(self);
        self.frames.pop();
        (id, body)
    }

    /// The loop that a jump is about, and whether it is another than the innermost.
    pub(super) fn target(
        &mut self,
        label: Option<&syn::Lifetime>,
        word: &str,
        range: SpanRange,
    ) -> Option<(LoopId, bool)> {
        let innermost = self.innermost();
        let Some(label) = label else {
            if innermost.is_none() {
                self.refuse(&rules::OUTSIDE_LOOP, range, &[&word]);
            }
            return Some((innermost?, false));
        };
        let name = label.ident.to_string();
        let mut frames = self.frames.iter().rev();
        match frames.find(|frame| frame.label.as_deref() == Some(&name)) {
            Some(frame) if !frame.block || word == "break" => {
                Some((frame.id, frame.block || Some(frame.id) != innermost))
            }
            _ => {
                self.refuse(&rules::LABEL, SpanRange::of(label.span()), &[label, label]);
                None
            }
        }
    }
}

/// What a `for` runs over.
struct Turns<'a> {
    start: &'a syn::Expr,
    end: &'a syn::Expr,
    inclusive: bool,
    reversed: bool,
    step: Option<&'a syn::Expr>,
}

/// `a..b`, `a..=b`, and these with `.rev()`, `.step_by(n)`, or both in this order.
fn turns(expr: &syn::Expr) -> Option<Turns<'_>> {
    match expr {
        syn::Expr::Paren(paren) => turns(&paren.expr),
        syn::Expr::Range(syn::ExprRange {
            start: Some(start),
            limits,
            end: Some(end),
            ..
        }) => Some(Turns {
            start,
            end,
            inclusive: matches!(limits, syn::RangeLimits::Closed(_)),
            reversed: false,
            step: None,
        }),
        syn::Expr::MethodCall(call) if call.turbofish.is_none() => {
            let inner = turns(&call.receiver).filter(|inner| inner.step.is_none())?;
            match (call.method.to_string().as_str(), call.args.len()) {
                ("rev", 0) => Some(Turns {
                    reversed: !inner.reversed,
                    ..inner
                }),
                ("step_by", 1) => Some(Turns {
                    step: call.args.first(),
                    ..inner
                }),
                _ => None,
            }
        }
        _ => None,
    }
}

/// Whether `for` may run over the value of `expr` as an array.
fn may_be_array(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Paren(paren) => may_be_array(&paren.expr),
        syn::Expr::Unary(unary) => matches!(unary.op, syn::UnOp::Deref(_)),
        other => matches!(
            other,
            syn::Expr::Path(_)
                | syn::Expr::Array(_)
                | syn::Expr::Repeat(_)
                | syn::Expr::Field(_)
                | syn::Expr::Index(_)
                | syn::Expr::Call(_)
                | syn::Expr::Block(_)
                | syn::Expr::Unsafe(_)
                | syn::Expr::If(_)
                | syn::Expr::Match(_)
                | syn::Expr::Loop(_)
        ),
    }
}
