//! Statements and blocks.

use syn::ext::IdentExt;

use super::Lower;
use super::aggregate::local;
use super::assign::is_aggregate;
use crate::analyse::NodeId;
use crate::diag::SpanRange;
use crate::ir::{Block, Expr, ExprKind, Fault, Stmt, StmtKind};
use crate::rules;
use crate::signature;
use crate::ty::Ty;
use crate::types::{self, Refusal};

impl Lower<'_> {
    /// The statements of a block, and its value where `valued` says that one is wanted; `hint` is the type of a cast
    /// around it.
    pub(super) fn statements(
        &mut self,
        block: &syn::Block,
        valued: bool,
        hint: Option<Ty>,
    ) -> (Block, Ty) {
        let mut lowered = Block::default();
        let mut refused = false;
        let last = block.stmts.len().wrapping_sub(1);
        // Items are known in all of their block.
        for stmt in &block.stmts {
            if let syn::Stmt::Item(item) = stmt {
                self.item(item);
            }
        }
        for (index, stmt) in block.stmts.iter().enumerate() {
            let span = SpanRange::over(stmt).first;
            let kind = match stmt {
                syn::Stmt::Expr(expr, None) if index == last && valued && !jumps(expr) => {
                    let tail = self.expr(expr, hint);
                    let ty = tail.ty;
                    lowered.tail = Some(Box::new(tail));
                    return (lowered, ty);
                }
                // `;` alone.
                syn::Stmt::Expr(syn::Expr::Verbatim(tokens), Some(_)) if tokens.is_empty() => {
                    continue;
                }
                syn::Stmt::Expr(expr, semi) => {
                    self.expr_statement(expr, index == last && semi.is_none())
                }
                syn::Stmt::Local(local) => self.let_statement(local),
                syn::Stmt::Item(_) => continue,
                syn::Stmt::Macro(mac) => {
                    self.no_attributes(&mac.attrs);
                    let called = self.macro_call(&mac.mac, SpanRange::over(&mac.mac));
                    if valued && index == last && mac.semi_token.is_none() && called.ty == Ty::Never
                    {
                        lowered.tail = Some(Box::new(called));
                        return (lowered, Ty::Never);
                    }
                    as_statement(called)
                }
            };
            refused |= kind.is_none();
            lowered.stmts.extend(kind.map(|kind| Stmt { kind, span }));
        }
        let ty = if refused {
            Ty::Error
        } else if self.diverges(&lowered) {
            Ty::Never
        } else {
            Ty::Unit
        };
        (lowered, ty)
    }

    /// Whether a block without a value never comes to its end, by the rules of rustc: not by what conditions say.
    fn diverges(&self, block: &Block) -> bool {
        block.stmts.iter().any(|stmt| match &stmt.kind {
            StmtKind::Expr(expr) => expr.ty == Ty::Never,
            StmtKind::Return(_) | StmtKind::Break(..) | StmtKind::Continue(..) => true,
            StmtKind::Loop(id, _) => !self.broken[id.0],
            StmtKind::Labelled(id, inner) => !self.broken[id.0] && self.diverges(inner),
            StmtKind::Block(inner) => self.diverges(inner),
            StmtKind::If(_, then, Some(otherwise)) => {
                self.diverges(then) && self.diverges(otherwise)
            }
            _ => false,
        })
    }

    fn item(&mut self, item: &syn::Item) {
        let (what, names) = match item {
            syn::Item::Fn(item) => ("a nested function", vec![item.sig.ident.unraw()]),
            syn::Item::Const(item) => ("a const", vec![item.ident.unraw()]),
            syn::Item::Static(item) => ("a static", vec![item.ident.unraw()]),
            syn::Item::Use(item) => ("`use`", imported(&item.tree)),
            _ => ("an item", Vec::new()),
        };
        let help = match item {
            syn::Item::Use(_) => "write `shmem::` in front of the functions of the device API",
            syn::Item::Const(_) | syn::Item::Static(_) => "make it a local, with `let`",
            syn::Item::Fn(_) => "write its body where it is called",
            _ => "move it out of the kernel",
        };
        self.refuse(&rules::STATEMENT, SpanRange::over(item), &[&what, &help]);
        self.bind_refused(names.iter().map(ToString::to_string).collect());
    }

    fn let_statement(&mut self, local: &syn::Local) -> Option<StmtKind> {
        self.no_attributes(&local.attrs);
        let (pat, explicit) = match &local.pat {
            syn::Pat::Type(typed) => (&*typed.pat, Some(&*typed.ty)),
            other => (other, None),
        };
        let mut told = false;
        let ty = match explicit.map(|ty| types::read(ty, &self.items)) {
            Some(Ok(ty)) => Some(ty),
            Some(Err(Refusal::Mistake(diag))) => {
                told = true;
                self.diags.push(*diag);
                Some(Ty::Error)
            }
            _ => None,
        };
        if let Some(init) = local.init.as_ref().filter(|init| init.diverge.is_some()) {
            return self.let_else(local, pat, ty, init);
        }
        let (name, mutable) = match pat {
            syn::Pat::Ident(pat) if pat.by_ref.is_none() && pat.subpat.is_none() => {
                (pat.ident.unraw().to_string(), pat.mutability.is_some())
            }
            syn::Pat::Wild(_) => (String::new(), false),
            other @ (syn::Pat::Tuple(_)
            | syn::Pat::Struct(_)
            | syn::Pat::TupleStruct(_)
            | syn::Pat::Slice(_)
            | syn::Pat::Paren(_)
            | syn::Pat::Ident(_))
                if local.init.is_some() =>
            {
                let init = local.init.as_ref()?;
                return self.let_pattern(local, other, ty, &init.expr);
            }
            other => {
                self.refuse(&rules::PATTERN, SpanRange::over(other), &[]);
                if let Some(init) = &local.init
                    && !is_aggregate(&init.expr)
                {
                    self.value(&init.expr);
                }
                self.bind_refused(signature::bound_names(pat));
                return None;
            }
        };
        if let Some(explicit) = explicit
            && ty.is_none()
            && !told
            && !matches!(explicit, syn::Type::Infer(_))
        {
            let text = types::text(explicit);
            self.refuse(&rules::TYPE, SpanRange::over(explicit), &[&text]);
            self.bind_refused(vec![name]);
            return None;
        }
        let Some(init) = &local.init else {
            if name.is_empty() {
                self.refuse(&rules::NO_INIT, SpanRange::over(pat), &[&"_"]);
                return None;
            }
            // That it is assigned once, and before it is read, is for rustc to say.
            let ty = ty.unwrap_or_else(|| self.infer.any());
            self.types.push((NodeId::of(local), ty));
            let id = self.local(name.clone(), ty, true);
            self.deferred.push((id, SpanRange::over(pat)));
            self.bind(name, id);
            return Some(StmtKind::Declare(id));
        };
        // The value before the name, which is not in scope in it.
        let init = self.value(&init.expr);
        let ty = match ty {
            Some(ty) => {
                self.expect(&init, ty);
                ty
            }
            None => init.ty,
        };
        self.types.push((NodeId::of(local), ty));
        let id = self.local(name.clone(), ty, mutable);
        if !name.is_empty() {
            self.bind(name, id);
        }
        Some(StmtKind::Let(id, init))
    }

    fn expr_statement(&mut self, expr: &syn::Expr, tail: bool) -> Option<StmtKind> {
        self.no_attributes(super::attributes::of(expr));
        match expr {
            syn::Expr::If(branch) => Some(self.if_statement(branch)),
            syn::Expr::Block(block) if block.label.is_some() => {
                as_statement(self.labelled(block, false, SpanRange::over(expr)))
            }
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
                if let syn::Expr::Let(condition) = &*while_loop.cond {
                    return self.while_let(while_loop, condition, SpanRange::over(expr));
                }
                let condition = self.value_of(&while_loop.cond, Ty::Bool);
                let (id, body) = self.loop_body(while_loop.label.as_ref(), None, |lower| {
                    lower.unit_block(&while_loop.body)
                });
                Some(StmtKind::While(id, condition, body))
            }
            syn::Expr::Loop(endless) => {
                let (id, body) = self.loop_body(endless.label.as_ref(), None, |lower| {
                    lower.unit_block(&endless.body)
                });
                Some(StmtKind::Loop(id, body))
            }
            syn::Expr::ForLoop(for_loop) => self.for_statement(for_loop),
            syn::Expr::Break(jump) => {
                let span = SpanRange::over(expr);
                let (id, outer) = self.target(jump.label.as_ref(), "break", span)?;
                self.broken[id.0] = true;
                self.loops[id.0].outer_break |= outer;
                let leave = StmtKind::Break(id, outer);
                let Some(value) = &jump.expr else {
                    return Some(leave);
                };
                let result = self
                    .frames
                    .iter()
                    .find(|frame| frame.id == id)
                    .and_then(|frame| frame.result);
                let Some(result) = result else {
                    self.refuse(&rules::BREAK_VALUE, SpanRange::over(value), &[]);
                    return None;
                };
                let value = self.value_of(value, self.locals[result.0].ty);
                let result = local(result, value.ty, span);
                let kinds = [StmtKind::Assign(result, None, value), leave];
                let stmts = kinds
                    .map(|kind| Stmt {
                        kind,
                        span: span.first,
                    })
                    .into();
                Some(StmtKind::Block(Block { stmts, tail: None }))
            }
            syn::Expr::Match(matched) => {
                let range = SpanRange::over(expr);
                as_statement(self.match_value(matched, false, range))
            }
            syn::Expr::Macro(mac) => {
                let called = self.macro_call(&mac.mac, SpanRange::over(expr));
                as_statement(called)
            }
            syn::Expr::Continue(jump) => {
                let (id, outer) =
                    self.target(jump.label.as_ref(), "continue", SpanRange::over(expr))?;
                self.loops[id.0].outer_continue |= outer;
                Some(StmtKind::Continue(id, outer))
            }
            syn::Expr::Return(jump) => self.return_statement(jump, SpanRange::over(expr)),
            syn::Expr::Assign(assign) => self.assignment(&assign.left, None, &assign.right),
            syn::Expr::Binary(binary)
                if super::expr::operator(&binary.op).is_some_and(|(_, assigns)| assigns) =>
            {
                let op = super::expr::operator(&binary.op)?.0;
                let site = self.site(
                    SpanRange::over(expr),
                    Fault::Arithmetic {
                        verb: op.verb(),
                        signed: true,
                    },
                );
                self.assignment(&binary.left, Some((op, site)), &binary.right)
            }
            // Anything else in parentheses is no statement, and may have a value.
            syn::Expr::Paren(_) if jumps(bare(expr)) => {
                let made = self.expr_statement(bare(expr), tail);
                if let Some(StmtKind::Assign(_, Some((_, site)), _)) = made {
                    // As `parenthesised` says.
                    self.sites[site.0 as usize].span = SpanRange::over(expr).first;
                }
                made
            }
            _ => {
                let lowered = self.bare_expr(expr, None);
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
        if let syn::Expr::Let(condition) = &*branch.cond {
            let lowered = self.if_let(branch, condition, false, SpanRange::over(branch));
            return as_statement(lowered).unwrap_or(StmtKind::Several(Vec::new()));
        }
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

    /// An expression as a block of its own: the body of an arm.
    pub(super) fn lone(&mut self, expr: &syn::Expr, valued: bool) -> (Block, Ty) {
        if let syn::Expr::Block(block) = expr
            && block.label.is_none()
            && block.attrs.is_empty()
        {
            return if valued {
                self.value_block(&block.block)
            } else {
                (self.unit_block(&block.block), Ty::Unit)
            };
        }
        let mut lowered = Block::default();
        if valued && !jumps(expr) {
            let tail = self.expr(expr, None);
            let ty = tail.ty;
            lowered.tail = Some(Box::new(tail));
            return (lowered, ty);
        }
        let span = SpanRange::over(expr).first;
        let kind = self.expr_statement(expr, true);
        let refused = kind.is_none();
        lowered.stmts.extend(kind.map(|kind| Stmt { kind, span }));
        let ty = match (refused, self.diverges(&lowered)) {
            (true, _) => Ty::Error,
            (false, true) => Ty::Never,
            (false, false) => Ty::Unit,
        };
        (lowered, ty)
    }
}

/// An expression that is a statement, without the block around a lone one.
fn as_statement(mut expr: Expr) -> Option<StmtKind> {
    match &mut expr.kind {
        ExprKind::Error => None,
        ExprKind::Block(block) if block.tail.is_none() => {
            let mut block = std::mem::take(block);
            Some(if block.stmts.len() == 1 {
                block.stmts.remove(0).kind
            } else {
                StmtKind::Block(block)
            })
        }
        _ => Some(StmtKind::Expr(expr)),
    }
}

/// The names that `use` brings in.
fn imported(tree: &syn::UseTree) -> Vec<syn::Ident> {
    match tree {
        syn::UseTree::Path(path) => imported(&path.tree),
        syn::UseTree::Name(name) => vec![name.ident.unraw()],
        syn::UseTree::Rename(rename) => vec![rename.rename.unraw()],
        syn::UseTree::Glob(_) => Vec::new(),
        syn::UseTree::Group(group) => group.items.iter().flat_map(imported).collect(),
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
            | syn::Expr::ForLoop(_)
            | syn::Expr::Assign(_)
    ) || matches!(expr, syn::Expr::If(branch) if branch.else_branch.is_none())
        || matches!(expr, syn::Expr::Binary(binary) if super::expr::operator(&binary.op).is_some_and(|op| op.1))
}

/// What stands in parentheses, however many.
fn bare(expr: &syn::Expr) -> &syn::Expr {
    match expr {
        syn::Expr::Paren(paren) => bare(&paren.expr),
        _ => expr,
    }
}
