//! Statements and blocks.

use syn::ext::IdentExt;

use super::{Frame, Lower};
use crate::analyse::NodeId;
use crate::diag::SpanRange;
use crate::ir::{Block, Expr, ExprKind, Fault, Loop, LoopId, Stmt, StmtKind};
use crate::rules;
use crate::signature;
use crate::ty::Ty;

impl Lower<'_> {
    /// The statements of a block, and its value where `valued` says that one is wanted.
    pub(super) fn statements(&mut self, block: &syn::Block, valued: bool) -> (Block, Ty) {
        let mut lowered = Block::default();
        let mut diverges = false;
        let last = block.stmts.len().wrapping_sub(1);
        for (index, stmt) in block.stmts.iter().enumerate() {
            let span = SpanRange::over(stmt).first;
            match stmt {
                syn::Stmt::Expr(expr, None) if index == last && valued && !jumps(expr) => {
                    let tail = self.expr(expr, None);
                    let ty = tail.ty;
                    lowered.tail = Some(Box::new(tail));
                    return (lowered, if diverges { Ty::Never } else { ty });
                }
                syn::Stmt::Expr(expr, semi) => {
                    let tail = index == last && semi.is_none();
                    if let Some(kind) = self.expr_statement(expr, tail) {
                        diverges |= matches!(
                            kind,
                            StmtKind::Return
                                | StmtKind::Break(..)
                                | StmtKind::Continue(..)
                                | StmtKind::Loop(..)
                        );
                        lowered.stmts.push(Stmt { kind, span });
                    }
                }
                syn::Stmt::Local(local) => {
                    if let Some(kind) = self.let_statement(local) {
                        lowered.stmts.push(Stmt { kind, span });
                    }
                }
                syn::Stmt::Item(item) => {
                    let what = match item {
                        syn::Item::Fn(_) => "a function inside a kernel",
                        syn::Item::Const(_) | syn::Item::Static(_) => {
                            "a const or static inside a kernel"
                        }
                        syn::Item::Use(_) => "`use` inside a kernel",
                        _ => "an item inside a kernel",
                    };
                    self.refuse(
                        &rules::STATEMENT,
                        SpanRange::over(item),
                        &[&what, &"move it out of the kernel"],
                    );
                }
                syn::Stmt::Macro(mac) => {
                    let name = super::call::path_text(&mac.mac.path);
                    self.refuse(&rules::MACRO, SpanRange::over(&mac.mac), &[&name]);
                }
            }
        }
        (lowered, if diverges { Ty::Never } else { Ty::Unit })
    }

    fn let_statement(&mut self, local: &syn::Local) -> Option<StmtKind> {
        self.no_attributes(&local.attrs);
        let (pat, explicit) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            other => (other, None),
        };
        // The value first: the new name is not in scope in it.
        let init = match &local.init {
            Some(init) => {
                if let Some((token, _)) = &init.diverge {
                    let help = "write a plain `let`, and test with `if`";
                    self.refuse(
                        &rules::STATEMENT,
                        SpanRange::over(token),
                        &[&"`let ... else`", &help],
                    );
                }
                Some(self.value(&init.expr))
            }
            None => None,
        };
        let (name, mutable) = match pat {
            syn::Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
                (pat.ident.unraw().to_string(), pat.mutability.is_some())
            }
            syn::Pat::Wild(_) => (String::new(), false),
            other => {
                self.refuse(&rules::PATTERN, SpanRange::over(other), &[]);
                return None;
            }
        };
        let Some(init) = init else {
            self.refuse(&rules::NO_INIT, SpanRange::over(pat), &[&name]);
            // Known from here on, so that its uses are not mistakes as well.
            let id = self.local(name.clone(), Ty::Error, true);
            self.bind(name, id);
            return None;
        };
        let mut ty = init.ty;
        if let Some(explicit) = explicit {
            match signature::scalar(explicit) {
                Some(scalar) => {
                    self.expect(&init, scalar);
                    ty = scalar;
                }
                None if matches!(explicit, syn::Type::Infer(_)) => {}
                None => {
                    let text = signature::text(explicit);
                    self.refuse(&rules::TYPE, SpanRange::over(explicit), &[&text]);
                    ty = Ty::Error;
                }
            }
        }
        self.types.push((NodeId::of(local), ty));
        let id = self.local(name.clone(), ty, mutable);
        if !name.is_empty() {
            self.bind(name, id);
        }
        Some(StmtKind::Let(id, init))
    }

    fn expr_statement(&mut self, expr: &syn::Expr, tail: bool) -> Option<StmtKind> {
        self.no_attributes(attributes(expr));
        match expr {
            syn::Expr::If(branch) => Some(self.if_statement(branch)),
            syn::Expr::Block(block) if block.label.is_none() => {
                Some(StmtKind::Block(self.unit_block(&block.block)))
            }
            syn::Expr::Unsafe(block) => {
                self.unsafe_depth += 1;
                let lowered = self.unit_block(&block.block);
                self.unsafe_depth -= 1;
                Some(StmtKind::Block(lowered))
            }
            syn::Expr::While(while_loop) => {
                let condition = self.value_of(&while_loop.cond, Ty::Bool);
                let (id, body) = self.loop_body(while_loop.label.as_ref(), |lower| {
                    lower.unit_block(&while_loop.body)
                });
                Some(StmtKind::While(id, condition, body))
            }
            syn::Expr::Loop(endless) => {
                let (id, body) = self.loop_body(endless.label.as_ref(), |lower| {
                    lower.unit_block(&endless.body)
                });
                Some(StmtKind::Loop(id, body))
            }
            syn::Expr::ForLoop(for_loop) => self.for_statement(for_loop),
            syn::Expr::Break(jump) => {
                if let Some(value) = &jump.expr {
                    self.refuse(&rules::BREAK_VALUE, SpanRange::over(value), &[]);
                }
                let (id, outer) =
                    self.target(jump.label.as_ref(), "break", SpanRange::over(expr))?;
                self.loops[id.0].outer_break |= outer;
                Some(StmtKind::Break(id, outer))
            }
            syn::Expr::Continue(jump) => {
                let (id, outer) =
                    self.target(jump.label.as_ref(), "continue", SpanRange::over(expr))?;
                self.loops[id.0].outer_continue |= outer;
                Some(StmtKind::Continue(id, outer))
            }
            syn::Expr::Return(jump) => {
                if let Some(value) = &jump.expr {
                    self.refuse(&rules::RETURN_VALUE, SpanRange::over(value), &[]);
                }
                Some(StmtKind::Return)
            }
            syn::Expr::Assign(assign) => {
                let value = self.value(&assign.right);
                self.assignment(&assign.left, None, value)
            }
            syn::Expr::Binary(binary)
                if super::expr::operator(&binary.op).is_some_and(|(_, assigns)| assigns) =>
            {
                let op = super::expr::operator(&binary.op)?.0;
                let value = self.value(&binary.right);
                let site = self.site(
                    SpanRange::over(expr),
                    Fault::Arithmetic {
                        verb: op.verb(),
                        signed: true,
                    },
                );
                self.assignment(&binary.left, Some((op, site)), value)
            }
            syn::Expr::Paren(paren) => self.expr_statement(&paren.expr, tail),
            _ => {
                let lowered = self.expr(expr, None);
                if tail && lowered.ty != Ty::Unit && lowered.ty != Ty::Error {
                    let found = self.infer.describe(lowered.ty);
                    let help = "end the line with `;`, or use the value";
                    self.refuse(&rules::MISMATCH, lowered.range, &[&"()", &found, &help]);
                }
                Some(StmtKind::Expr(lowered))
            }
        }
    }

    fn if_statement(&mut self, branch: &syn::ExprIf) -> StmtKind {
        let condition = self.value_of(&branch.cond, Ty::Bool);
        let then = self.unit_block(&branch.then_branch);
        let otherwise = branch
            .else_branch
            .as_ref()
            .map(|(_, otherwise)| match &**otherwise {
                syn::Expr::Block(block) => self.unit_block(&block.block),
                syn::Expr::If(inner) => {
                    let span = SpanRange::over(inner).first;
                    let kind = self.if_statement(inner);
                    Block {
                        stmts: vec![Stmt { kind, span }],
                        tail: None,
                    }
                }
                other => {
                    self.expr(other, None);
                    Block::default()
                }
            });
        StmtKind::If(condition, then, otherwise)
    }

    fn for_statement(&mut self, for_loop: &syn::ExprForLoop) -> Option<StmtKind> {
        let mut range = &*for_loop.expr;
        while let syn::Expr::Paren(paren) = range {
            range = &paren.expr;
        }
        let syn::Expr::Range(syn::ExprRange {
            start: Some(start),
            limits,
            end: Some(end),
            ..
        }) = range
        else {
            self.refuse(&rules::FOR_RANGE, SpanRange::over(&for_loop.expr), &[]);
            return None;
        };
        let start = self.value(start);
        let end = self.value(end);
        if !self.infer.unify(start.ty, end.ty) {
            let (a, b) = (self.infer.describe(start.ty), self.infer.describe(end.ty));
            self.refuse(&rules::OPERANDS, SpanRange::over(range), &[&"..", &a, &b]);
        }
        let (name, mutable) = match &*for_loop.pat {
            syn::Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
                (pat.ident.unraw().to_string(), pat.mutability.is_some())
            }
            syn::Pat::Wild(_) => (String::new(), false),
            other => {
                self.refuse(&rules::PATTERN, SpanRange::over(other), &[]);
                (String::new(), false)
            }
        };
        let local = self.local(name.clone(), start.ty, mutable);
        let inclusive = matches!(limits, syn::RangeLimits::Closed(_));
        let (id, body) = self.loop_body(for_loop.label.as_ref(), |lower| {
            lower.scoped(|lower| {
                if !name.is_empty() {
                    lower.bind(name, local);
                }
                lower.unit_block(&for_loop.body)
            })
        });
        Some(StmtKind::For {
            id,
            local,
            start,
            end,
            inclusive,
            body,
        })
    }

    fn loop_body(
        &mut self,
        label: Option<&syn::Label>,
        run: impl FnOnce(&mut Self) -> Block,
    ) -> (LoopId, Block) {
        let id = LoopId(self.loops.len());
        self.loops.push(Loop::default());
        self.frames.push(Frame {
            id,
            label: label.map(|label| label.name.ident.to_string()),
        });
        let body = run(self);
        self.frames.pop();
        (id, body)
    }

    /// The loop that a jump is about, and whether it is another than the innermost.
    fn target(
        &mut self,
        label: Option<&syn::Lifetime>,
        word: &str,
        range: SpanRange,
    ) -> Option<(LoopId, bool)> {
        let Some(innermost) = self.frames.last().map(|frame| frame.id) else {
            self.refuse(&rules::OUTSIDE_LOOP, range, &[&word]);
            return None;
        };
        let Some(label) = label else {
            return Some((innermost, false));
        };
        let name = label.ident.to_string();
        match self
            .frames
            .iter()
            .rev()
            .find(|frame| frame.label.as_deref() == Some(&name))
        {
            Some(frame) => Some((frame.id, frame.id != innermost)),
            None => {
                self.refuse(&rules::LABEL, SpanRange::of(label.span()), &[label, label]);
                None
            }
        }
    }

    fn assignment(
        &mut self,
        left: &syn::Expr,
        op: Option<(crate::ir::BinOp, crate::ir::SiteId)>,
        value: Expr,
    ) -> Option<StmtKind> {
        let range = SpanRange::over(left);
        let ident = match left {
            syn::Expr::Path(path) => path.path.get_ident(),
            _ => None,
        };
        if let (syn::Expr::Infer(_), None) = (left, op) {
            return Some(StmtKind::Expr(value));
        }
        let Some(ident) = ident else {
            self.refuse(&rules::ASSIGN_TARGET, range, &[]);
            return None;
        };
        let name = ident.unraw().to_string();
        let Some(id) = self.lookup(&name) else {
            self.refuse(&rules::NAME, range, &[&name]);
            return None;
        };
        if !self.locals[id.0].mutable {
            self.refuse(&rules::NOT_MUTABLE, range, &[&name, &name]);
        }
        let target = Expr {
            kind: ExprKind::Local(id),
            ty: self.locals[id.0].ty,
            range,
        };
        match op {
            Some((op, _)) => {
                self.locals[id.0].reads += 1;
                let over = SpanRange {
                    first: range.first,
                    last: value.range.last,
                };
                self.operands(op, &target, &value, over);
            }
            None => self.expect(&value, target.ty),
        }
        Some(StmtKind::Assign(id, op, value))
    }

    fn no_attributes(&mut self, attrs: &[syn::Attribute]) {
        if let Some(attr) = attrs.first() {
            self.refuse(&rules::ATTRIBUTE, SpanRange::over(attr), &[]);
        }
    }
}

/// Whether a tail expression is a statement in truth: it leaves the block and has no value.
fn jumps(expr: &syn::Expr) -> bool {
    matches!(
        expr,
        syn::Expr::Break(_)
            | syn::Expr::Continue(_)
            | syn::Expr::Return(_)
            | syn::Expr::While(_)
            | syn::Expr::Loop(_)
            | syn::Expr::ForLoop(_)
            | syn::Expr::Assign(_)
    ) || matches!(expr, syn::Expr::If(branch) if branch.else_branch.is_none())
        || matches!(expr, syn::Expr::Binary(binary) if super::expr::operator(&binary.op).is_some_and(|op| op.1))
}

fn attributes(expr: &syn::Expr) -> &[syn::Attribute] {
    match expr {
        syn::Expr::Assign(e) => &e.attrs,
        syn::Expr::Binary(e) => &e.attrs,
        syn::Expr::Block(e) => &e.attrs,
        syn::Expr::Break(e) => &e.attrs,
        syn::Expr::Call(e) => &e.attrs,
        syn::Expr::Continue(e) => &e.attrs,
        syn::Expr::ForLoop(e) => &e.attrs,
        syn::Expr::If(e) => &e.attrs,
        syn::Expr::Loop(e) => &e.attrs,
        syn::Expr::MethodCall(e) => &e.attrs,
        syn::Expr::Return(e) => &e.attrs,
        syn::Expr::Unsafe(e) => &e.attrs,
        syn::Expr::While(e) => &e.attrs,
        _ => &[],
    }
}
