//! Rust evaluates operands from left to right; C++ does not say. Here it is decided which operands must be kept in
//! temporaries so that what can be observed happens in Rust's order.

use super::{Emit, Overflow};
use crate::ir::{BinOp, Block, Device, Expr, ExprKind, StmtKind};
use crate::ty::Ty;

/// What the evaluation of an expression can be told apart from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Order {
    /// Nothing: it computes with values.
    Free,
    /// Writes: it reads memory. Two reads may change places.
    Reads,
    /// Everything: it may panic, or is an operation of SHMEM.
    Ordered,
}

impl Emit<'_> {
    /// For each operand, whether it must be kept in a temporary, when what comes after them has order `after`.
    pub(super) fn plan(&self, operands: &[&Expr], after: Order) -> Vec<bool> {
        let mut keep = vec![false; operands.len()];
        let mut later = after;
        let mut later_assigns = false;
        for (index, operand) in operands.iter().enumerate().rev() {
            keep[index] = match self.residue(operand) {
                Order::Ordered => later >= Order::Reads,
                Order::Reads => later == Order::Ordered,
                Order::Free => false,
            } || (later_assigns && reads_locals(operand));
            later = later.max(self.order(operand));
            later_assigns |= assigns(operand);
        }
        keep
    }

    /// How strongly the text of `expr` is ordered, once the statements before it are printed.
    fn residue(&self, expr: &Expr) -> Order {
        match &expr.kind {
            ExprKind::If(..) | ExprKind::Block(_) | ExprKind::Local(_) => Order::Free,
            ExprKind::Slice(memory, ..) => self.residue(memory),
            ExprKind::At(memory, index, site) => {
                let index = if self.checked() && site.is_some() {
                    Order::Free
                } else {
                    self.order(index)
                };
                index.max(self.residue(memory))
            }
            _ => self.order(expr),
        }
    }

    /// How strongly `expr` is ordered.
    pub(super) fn order(&self, expr: &Expr) -> Order {
        let parts = |parts: &[&Expr]| {
            parts
                .iter()
                .map(|part| self.order(part))
                .max()
                .unwrap_or(Order::Free)
        };
        let check = if self.checked() {
            Order::Ordered
        } else {
            Order::Free
        };
        match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Local(_)
            | ExprKind::Error => Order::Free,
            ExprKind::Neg(inner, _) => parts(&[inner]).max(self.arithmetic(inner.ty, BinOp::Sub)),
            ExprKind::Not(inner) | ExprKind::Cast(inner) | ExprKind::Len(inner) => parts(&[inner]),
            ExprKind::Binary(op, a, b, _) => parts(&[a, b]).max(self.arithmetic(a.ty, *op)),
            // A right side that panics or talks to other PEs may not be evaluated at all.
            ExprKind::Logical(_, a, b) => parts(&[a, b]),
            ExprKind::Load(inner) => parts(&[inner]).max(Order::Reads),
            ExprKind::At(memory, index, site) => {
                parts(&[memory, index]).max(if site.is_some() { check } else { Order::Free })
            }
            ExprKind::Slice(memory, start, end, _) => parts(&[memory, start, end]).max(check),
            ExprKind::Device(
                Device::MyPe | Device::NPes | Device::BlockIdx | Device::BlockNum,
                ..,
            ) => Order::Free,
            ExprKind::Device(..) | ExprKind::Store(..) | ExprKind::If(..) | ExprKind::Block(_) => {
                Order::Ordered
            }
        }
    }

    /// Whether the operator itself may panic.
    fn arithmetic(&self, ty: Ty, op: BinOp) -> Order {
        let panics = matches!(ty, Ty::Int(_))
            && match op {
                BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Shl | BinOp::Shr => {
                    self.overflow() == Overflow::Panics
                }
                BinOp::Div | BinOp::Rem => self.checked(),
                _ => false,
            };
        if panics { Order::Ordered } else { Order::Free }
    }

    /// Whether printing `expr` prints statements before it.
    pub(super) fn prints_before(&self, expr: &Expr) -> bool {
        let operands = |operands: &[&Expr]| {
            self.plan(operands, Order::Free).contains(&true)
                || operands.iter().any(|part| self.prints_before(part))
        };
        match &expr.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Local(_)
            | ExprKind::Error => false,
            ExprKind::Neg(inner, _)
            | ExprKind::Not(inner)
            | ExprKind::Cast(inner)
            | ExprKind::Load(inner)
            | ExprKind::Len(inner) => self.prints_before(inner),
            ExprKind::Binary(_, a, b, _) => operands(&[a, b]),
            ExprKind::Logical(_, a, b) => self.prints_before(a) || self.prints_before(b),
            ExprKind::At(memory, index, site) => {
                (self.checked() && site.is_some()) || operands(&[memory, index])
            }
            ExprKind::Slice(..) | ExprKind::If(..) | ExprKind::Block(_) => true,
            ExprKind::Store(a, b) => operands(&[a, b]),
            ExprKind::Device(Device::P | Device::G, arguments, _) => {
                self.checked() || operands(&arguments.iter().collect::<Vec<_>>())
            }
            ExprKind::Device(..) => false,
        }
    }
}

/// Whether evaluating `expr` assigns to a local: only blocks in it can.
fn assigns(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_)
        | ExprKind::Float(_)
        | ExprKind::Bool(_)
        | ExprKind::Local(_)
        | ExprKind::Error => false,
        ExprKind::Neg(inner, _)
        | ExprKind::Not(inner)
        | ExprKind::Cast(inner)
        | ExprKind::Load(inner)
        | ExprKind::Len(inner) => assigns(inner),
        ExprKind::Binary(_, a, b, _)
        | ExprKind::Logical(_, a, b)
        | ExprKind::Store(a, b)
        | ExprKind::At(a, b, _) => assigns(a) || assigns(b),
        ExprKind::Slice(a, b, c, _) => assigns(a) || assigns(b) || assigns(c),
        ExprKind::If(condition, then, otherwise) => {
            assigns(condition) || block_assigns(then) || block_assigns(otherwise)
        }
        ExprKind::Block(block) => block_assigns(block),
        ExprKind::Device(_, arguments, _) => arguments.iter().any(assigns),
    }
}

fn block_assigns(block: &Block) -> bool {
    block.tail.as_deref().is_some_and(assigns)
        || block.stmts.iter().any(|stmt| match &stmt.kind {
            StmtKind::Assign(..) => true,
            StmtKind::Let(_, value) | StmtKind::Expr(value) => assigns(value),
            StmtKind::If(condition, then, otherwise) => {
                assigns(condition)
                    || block_assigns(then)
                    || otherwise.as_ref().is_some_and(block_assigns)
            }
            StmtKind::Block(inner) | StmtKind::Loop(_, inner) => block_assigns(inner),
            StmtKind::While(_, condition, body) => assigns(condition) || block_assigns(body),
            StmtKind::For {
                start, end, body, ..
            } => assigns(start) || assigns(end) || block_assigns(body),
            StmtKind::Break(..) | StmtKind::Continue(..) | StmtKind::Return => false,
        })
}

/// Whether the value of `expr` depends on a local.
fn reads_locals(expr: &Expr) -> bool {
    !matches!(
        expr.kind,
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Bool(_)
    )
}
