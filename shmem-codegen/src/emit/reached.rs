//! Checks of PEs that need not be made again: a cell and a PE that do not change were found good, and stay it. A check
//! that a loop begins with stands before the loop, where it is made as often as it can fail: once.

use super::Emit;
use super::bug::Bug;
use super::order::Order;
use crate::ir::{Block, Device, Expr, ExprKind, LocalId, SiteId, Stmt, StmtKind};

/// A cell and a PE, by their locals.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Reached {
    cell: LocalId,
    pe: LocalId,
}

impl Emit<'_> {
    /// The cell and the PE of a p or g, where neither changes.
    pub(super) fn reached(&self, arguments: &[Expr]) -> Option<Reached> {
        let fixed = |expr: &Expr| match expr.kind {
            ExprKind::Local(local) if !self.kernel.locals[local.0].mutable => Some(local),
            _ => None,
        };
        Some(Reached {
            cell: fixed(arguments.first()?)?,
            pe: fixed(arguments.last()?)?,
        })
    }

    /// Prints the check that `body` begins with, under the condition that the body runs; `counter` is new in each turn.
    pub(super) fn check_before_loop(&mut self, runs: &str, counter: Option<LocalId>, body: &Block) {
        let Some((arguments, site)) = first_access(body) else {
            return;
        };
        let Some(reached) = self.reached(arguments) else {
            return;
        };
        let before = arguments.iter().map(|argument| self.order(argument)).max();
        let lost = self.has(Bug::PeCheckLost);
        let stays = counter.is_none_or(|counter| reached.pe != counter && reached.cell != counter);
        if !self.checked()
            || lost
            || !stays
            || before == Some(Order::Ordered)
            || self.is_reached(reached)
        {
            return;
        }
        let (cell, pe) = (self.name(reached.cell), self.name(reached.pe));
        if runs.is_empty() {
            self.check_pe(site, &cell, &pe);
        } else {
            self.line(&format!("if ({runs}) {{"));
            self.inside(|emit| emit.check_pe(site, &cell, &pe));
            self.line("}");
        }
        self.reached.push(reached);
    }

    /// Prints what is between braces: what is checked there is not checked after it.
    pub(super) fn inside<T>(&mut self, print: impl FnOnce(&mut Self) -> T) -> T {
        let known = self.reached.len();
        self.indent += 1;
        let printed = print(self);
        self.indent -= 1;
        self.reached.truncate(known);
        printed
    }

    pub(super) fn is_reached(&self, reached: Reached) -> bool {
        self.reached.contains(&reached)
    }

    pub(super) fn check_pe(&mut self, site: SiteId, cell: &str, pe: &str) {
        let fault = self.fault(site);
        self.line(&format!("shmem_rust::check_pe({fault}, {cell}, {pe});"));
    }
}

/// The p or g that `body` begins with, whatever it does next.
fn first_access(body: &Block) -> Option<(&[Expr], SiteId)> {
    let first = match body.stmts.first() {
        Some(Stmt {
            kind: StmtKind::Expr(expr) | StmtKind::Let(_, expr),
            ..
        }) => expr,
        _ => return None,
    };
    match &first.kind {
        ExprKind::Device(Device::P | Device::G, arguments, site) => Some((arguments, *site)),
        _ => None,
    }
}
