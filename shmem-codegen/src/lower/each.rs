//! What goes over all parts of an aggregate: equality, and `for` over an array.

use super::Lower;
use super::aggregate::{block, local, stmts};
use super::expr::error;
use super::pattern::logical;
use crate::diag::SpanRange;
use crate::ir::{BinOp, Block, Expr, ExprKind, Fault, LocalId, LoopId, StmtKind};
use crate::rules;
use crate::ty::{Int, Ty};

const USIZE: Ty = Ty::Int(Int::Usize);

impl Lower<'_> {
    /// `a == b` of aggregates, part by part.
    pub(super) fn equality(
        &mut self,
        equal: bool,
        left: Expr,
        right: Expr,
        range: SpanRange,
    ) -> Expr {
        let mut stmts = Vec::new();
        let left = self.held("left", left, &mut stmts);
        let right = self.held("right", right, &mut stmts);
        let mut same = self.same(left, right, range);
        if !equal {
            same = Expr {
                kind: ExprKind::Not(Box::new(same)),
                ty: Ty::Bool,
                range,
            };
        }
        block(stmts, same)
    }

    fn same(&mut self, left: Expr, right: Expr, range: SpanRange) -> Expr {
        let ty = self.infer.shallow(left.ty);
        let count = match ty {
            Ty::Tuple(of) => of.elems.len(),
            Ty::Struct(of) if of.equals => of.fields.len(),
            Ty::Array(of) => return self.same_elements(left, right, of.elem, of.len, range),
            Ty::Error => return error(range),
            Ty::Int(_) | Ty::Float(_) | Ty::Bool | Ty::CChar | Ty::Infer(_) => 0,
            Ty::Enum(of) if of.equals => 0,
            _ => {
                let help = "derive PartialEq for it, beside Clone and Copy";
                return self.refused(&rules::OPERATOR, range, &[&"==", &ty, &help]);
            }
        };
        if count == 0 {
            let site = self.site(range, Fault::Check);
            return Expr {
                kind: ExprKind::Binary(BinOp::Eq, Box::new(left), Box::new(right), site),
                ty: Ty::Bool,
                range,
            };
        }
        let mut all: Option<Expr> = None;
        for index in 0..count {
            let (a, b) = (self.part_of(&left, index), self.part_of(&right, index));
            let same = self.same(a, b, range);
            if same.ty == Ty::Error {
                return same;
            }
            all = super::pattern::both(all, Some(same));
        }
        all.unwrap_or_else(|| error(range))
    }

    fn same_elements(
        &mut self,
        left: Expr,
        right: Expr,
        elem: Ty,
        len: u64,
        range: SpanRange,
    ) -> Expr {
        let counter = self.hidden("index", USIZE, false);
        let result = self.hidden("same", Ty::Bool, true);
        let at = |array: &Expr| Expr {
            kind: ExprKind::Index(
                Box::new(array.clone()),
                Box::new(local(counter, USIZE, range)),
                None,
            ),
            ty: elem,
            range,
        };
        let one = self.same(at(&left), at(&right), range);
        if one.ty == Ty::Error {
            return one;
        }
        let both = logical(true, local(result, Ty::Bool, range), one);
        let assign = StmtKind::Assign(local(result, Ty::Bool, range), None, both);
        let yes = Expr {
            kind: ExprKind::Bool(true),
            ty: Ty::Bool,
            range,
        };
        let id = self.new_loop();
        let body = Block {
            stmts: stmts([assign], range),
            tail: None,
        };
        let turns = counted(id, counter, len, body, range);
        let kinds = [StmtKind::Let(result, yes), turns];
        block(stmts(kinds, range), local(result, Ty::Bool, range))
    }

    /// The `for` over an array: over its indices, each turn with a copy of the element.
    pub(super) fn for_array(
        &mut self,
        for_loop: &syn::ExprForLoop,
        range: SpanRange,
    ) -> Option<StmtKind> {
        let array = self.base(&for_loop.expr);
        let of = match self.infer.shallow(array.ty) {
            Ty::Array(of) => of,
            ty => {
                if ty != Ty::Error {
                    self.refuse(&rules::FOR_RANGE, array.range, &[]);
                }
                self.refused_turns(for_loop);
                return None;
            }
        };
        let at = array.range;
        let mut before = Vec::new();
        let array = self.held("array", array, &mut before);
        let counter = self.hidden("index", USIZE, false);
        let value = Expr {
            kind: ExprKind::Index(Box::new(array), Box::new(local(counter, USIZE, at)), None),
            ty: of.elem,
            range: at,
        };
        let mut fits = true;
        let (id, body) = self.loop_body(for_loop.label.as_ref(), None, |lower| {
            lower.scoped(|lower| {
                let mut stmts = Vec::new();
                let mut names = Vec::new();
                fits = lower
                    .take_apart(&for_loop.pat, value, &mut stmts, &mut names)
                    .is_some();
                if !fits {
                    lower.bind_refused(crate::signature::bound_names(&for_loop.pat));
                }
                stmts.extend(lower.bind_all(&names));
                let inner = lower.unit_block(&for_loop.body);
                stmts.extend(inner.stmts);
                Block { stmts, tail: None }
            })
        });
        if !fits {
            return None;
        }
        let turns = counted(id, counter, of.len, body, at);
        if before.is_empty() {
            return Some(turns);
        }
        before.extend(stmts([turns], range));
        Some(StmtKind::Block(Block {
            stmts: before,
            tail: None,
        }))
    }
}

/// `for counter in 0..len { body }`
fn counted(id: LoopId, counter: LocalId, len: u64, body: Block, range: SpanRange) -> StmtKind {
    let number = |value: u64| Expr {
        kind: ExprKind::Int(i128::from(value)),
        ty: USIZE,
        range,
    };
    StmtKind::For {
        id,
        local: counter,
        start: number(0),
        end: number(len),
        inclusive: false,
        reversed: false,
        step: None,
        body,
    }
}
