//! One walk over the IR for every pass that looks at all of it: parts before wholes, in the order of the source.

use crate::ir::{Block, Expr, ExprKind, Stmt, StmtKind};

/// What a pass does at each node.
pub trait Visit {
    /// At an expression, after its parts.
    fn expr(&mut self, _expr: &mut Expr) {}
    /// At a statement, after its parts.
    fn stmt(&mut self, _stmt: &mut Stmt) {}
}

/// Walks `block`.
pub fn block(node: &mut Block, visit: &mut dyn Visit) {
    statements(&mut node.stmts, visit);
    if let Some(tail) = &mut node.tail {
        expr(tail, visit);
    }
}

fn statements(stmts: &mut [Stmt], visit: &mut dyn Visit) {
    for stmt in stmts {
        match &mut stmt.kind {
            StmtKind::Let(_, value) | StmtKind::Expr(value) | StmtKind::Return(Some(value)) => {
                expr(value, visit)
            }
            StmtKind::Assign(place, _, value) => {
                expr(place, visit);
                expr(value, visit);
            }
            StmtKind::If(condition, then, otherwise) => {
                expr(condition, visit);
                block(then, visit);
                if let Some(otherwise) = otherwise {
                    block(otherwise, visit);
                }
            }
            StmtKind::Several(stmts) => statements(stmts, visit),
            StmtKind::Block(inner) | StmtKind::Loop(_, inner) | StmtKind::Labelled(_, inner) => {
                block(inner, visit);
            }
            StmtKind::While(_, condition, body) => {
                expr(condition, visit);
                block(body, visit);
            }
            StmtKind::For {
                start,
                end,
                step,
                body,
                ..
            } => {
                expr(start, visit);
                expr(end, visit);
                if let Some(step) = step {
                    expr(&mut step.0, visit);
                }
                block(body, visit);
            }
            StmtKind::Declare(_)
            | StmtKind::Break(..)
            | StmtKind::Continue(..)
            | StmtKind::Return(None) => {}
        }
        visit.stmt(stmt);
    }
}

fn expr(node: &mut Expr, visit: &mut dyn Visit) {
    match &mut node.kind {
        ExprKind::Neg(inner, _)
        | ExprKind::Not(inner)
        | ExprKind::Cast(inner)
        | ExprKind::Convert(inner)
        | ExprKind::FromBits(inner)
        | ExprKind::Load(inner)
        | ExprKind::Repeat(inner)
        | ExprKind::Field(inner, _)
        | ExprKind::Ref(inner, _)
        | ExprKind::Deref(inner)
        | ExprKind::Len(inner) => expr(inner, visit),
        ExprKind::Parts(parts) => parts.iter_mut().for_each(|(_, part)| expr(part, visit)),
        ExprKind::Binary(_, a, b, _)
        | ExprKind::Logical(_, a, b)
        | ExprKind::Store(a, b)
        | ExprKind::Swap(a, b)
        | ExprKind::Index(a, b, _)
        | ExprKind::At(a, b, _) => {
            expr(a, visit);
            expr(b, visit);
        }
        ExprKind::Slice(a, b, c, _) => {
            expr(a, visit);
            expr(b, visit);
            expr(c, visit);
        }
        ExprKind::If(condition, then, otherwise) => {
            expr(condition, visit);
            block(then, visit);
            block(otherwise, visit);
        }
        ExprKind::Block(inner) => block(inner, visit),
        ExprKind::Device(_, arguments, _)
        | ExprKind::Method(_, arguments, _)
        | ExprKind::Panic(_, arguments)
        | ExprKind::Print(_, arguments)
        | ExprKind::Elements(arguments)
        | ExprKind::Call(_, arguments) => arguments
            .iter_mut()
            .for_each(|argument| expr(argument, visit)),
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Bool(_)
        | ExprKind::Local(_)
        | ExprKind::DebugAssertions
        | ExprKind::Error => {}
    }
    visit.expr(node);
}
