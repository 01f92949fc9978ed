//! Rust evaluates operands from left to right; C++ does not say. Here it is decided which operands must be kept in
//! temporaries so that what can be observed happens in Rust's order.

use super::bug::Bug;
use super::{Emit, Overflow};
use crate::ir::{BinOp, Block, Device, Expr, ExprKind, Kernel, Stmt, StmtKind};
use crate::number::Panics;
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
        if self.has(Bug::OrderLost) {
            return keep;
        }
        let mut later = after;
        let (mut later_assigns, mut later_reads) = (false, false);
        for (index, operand) in operands.iter().enumerate().rev() {
            // A reference stays one.
            if !matches!(operand.kind, ExprKind::Ref(..)) {
                keep[index] = match self.residue(operand) {
                    Order::Ordered => later >= Order::Reads,
                    Order::Reads => later == Order::Ordered,
                    Order::Free => false,
                } || (later_assigns && reads_locals(operand))
                    || (later_reads && writes(operand));
            }
            later = later.max(self.order(operand));
            later_assigns |= assigns(operand);
            later_reads |= reads_locals(operand);
        }
        keep
    }

    /// How strongly the text of `expr` is ordered, once the statements before it are printed.
    fn residue(&self, expr: &Expr) -> Order {
        match &expr.kind {
            // Without statements it is printed as its value is.
            ExprKind::Block(block) if block.stmts.is_empty() => match &block.tail {
                Some(tail) => self.residue(tail),
                None => Order::Free,
            },
            ExprKind::If(..) | ExprKind::Block(_) | ExprKind::Local(_) => Order::Free,
            ExprKind::Slice(memory, ..) => self.residue(memory),
            ExprKind::Field(base, _) => self.residue(base),
            ExprKind::Index(base, index, site) => {
                let index = if self.checked() && site.is_some() {
                    Order::Free
                } else {
                    self.order(index)
                };
                index.max(self.residue(base))
            }
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
        let checked = |checks: bool| {
            if checks && self.checked() {
                Order::Ordered
            } else {
                Order::Free
            }
        };
        let own = match &expr.kind {
            ExprKind::Neg(inner, _) => self.arithmetic(inner.ty, BinOp::Sub),
            ExprKind::Binary(op, a, _, _) => self.arithmetic(a.ty, *op),
            ExprKind::Load(_) => Order::Reads,
            ExprKind::At(_, _, site) | ExprKind::Index(_, _, site) => checked(site.is_some()),
            ExprKind::Slice(..) => checked(true),
            ExprKind::Method(method, ..) => match method.panics {
                Panics::Never => Order::Free,
                Panics::Overflow(_) => checked(self.overflow() == Overflow::Panics),
                Panics::Arguments(_) | Panics::Text(_) => checked(true),
            },
            ExprKind::Device(Device::P | Device::G | Device::Quiet | Device::Fence, ..)
            | ExprKind::Store(..)
            | ExprKind::Panic(..)
            | ExprKind::Print(..)
            | ExprKind::Call(..)
            | ExprKind::Swap(..)
            | ExprKind::If(..)
            | ExprKind::Block(_) => Order::Ordered,
            _ => Order::Free,
        };
        expr.parts()
            .into_iter()
            .map(|part| self.order(part))
            .fold(own, Order::max)
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
        let own = match &expr.kind {
            ExprKind::At(_, _, site) | ExprKind::Index(_, _, site) => {
                self.checked() && site.is_some()
            }
            ExprKind::Ref(inner, _) => reads_changing_locals(self.kernel, inner),
            ExprKind::Device(Device::P | Device::G, ..) => self.checked(),
            ExprKind::Slice(..)
            | ExprKind::If(..)
            | ExprKind::Block(_)
            | ExprKind::Panic(..)
            | ExprKind::Print(..) => true,
            _ => false,
        };
        let parts = expr.parts();
        // The sides of && and || are not operands: the right one may not be evaluated.
        let kept = !matches!(expr.kind, ExprKind::Logical(..))
            && self.plan(&parts, Order::Free).contains(&true);
        own || kept || parts.into_iter().any(|part| self.prints_before(part))
    }
}

/// Whether the text of `expr` assigns to a local, the statements before it apart: through a reference that is given.
fn writes(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Call(_, arguments) if arguments.iter().any(is_written) => true,
        ExprKind::If(..) => false,
        ExprKind::Block(block) => {
            block.stmts.is_empty() && block.tail.as_deref().is_some_and(writes)
        }
        _ => expr.parts().into_iter().any(writes),
    }
}

fn is_written(argument: &Expr) -> bool {
    matches!(argument.kind, ExprKind::Ref(_, true))
}

/// Whether evaluating `expr` assigns to a local: blocks in it can, and calls through the references that they are
/// given.
pub(super) fn assigns(expr: &Expr) -> bool {
    let blocks = match &expr.kind {
        ExprKind::Call(_, arguments) => arguments.iter().any(is_written),
        ExprKind::Swap(..) => true,
        ExprKind::If(_, then, otherwise) => block_assigns(then) || block_assigns(otherwise),
        ExprKind::Block(block) => block_assigns(block),
        _ => false,
    };
    blocks || expr.parts().into_iter().any(assigns)
}

fn block_assigns(block: &Block) -> bool {
    block.tail.as_deref().is_some_and(assigns) || block.stmts.iter().any(statement_assigns)
}

fn statement_assigns(stmt: &Stmt) -> bool {
    match &stmt.kind {
        StmtKind::Assign(..) => true,
        StmtKind::Let(_, value) | StmtKind::Expr(value) | StmtKind::Return(Some(value)) => {
            assigns(value)
        }
        StmtKind::If(condition, then, otherwise) => {
            assigns(condition)
                || block_assigns(then)
                || otherwise.as_ref().is_some_and(block_assigns)
        }
        StmtKind::Several(stmts) => stmts.iter().any(statement_assigns),
        StmtKind::Block(inner) | StmtKind::Loop(_, inner) | StmtKind::Labelled(_, inner) => {
            block_assigns(inner)
        }
        StmtKind::While(_, condition, body) => assigns(condition) || block_assigns(body),
        StmtKind::For {
            start,
            end,
            step,
            body,
            ..
        } => {
            let step = step.as_ref().is_some_and(|step| assigns(&step.0));
            assigns(start) || assigns(end) || step || block_assigns(body)
        }
        StmtKind::Declare(_)
        | StmtKind::Break(..)
        | StmtKind::Continue(..)
        | StmtKind::Return(None) => false,
    }
}

/// Whether the value of `expr` depends on a local that may change.
pub(super) fn reads_changing_locals(kernel: &Kernel, expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) => false,
        ExprKind::Local(id) => kernel.locals[id.0].mutable,
        ExprKind::Field(base, _) => reads_changing_locals(kernel, base),
        ExprKind::Deref(reference) => matches!(reference.ty, Ty::Ref(_, true)),
        ExprKind::Index(base, index, _) => {
            reads_changing_locals(kernel, base) || reads_changing_locals(kernel, index)
        }
        _ => true,
    }
}

/// Whether the value of `expr` depends on a local.
fn reads_locals(expr: &Expr) -> bool {
    !matches!(
        expr.kind,
        ExprKind::Int(_) | ExprKind::Float(_) | ExprKind::Bool(_)
    )
}
