//! Loops.

use super::stmt::DEPTH;
use super::{Frame, Gen};
use crate::harness::ast::{Block, Expr, Kind, Op, Scalar, Stmt, Ty};

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

impl Gen {
    pub(super) fn framed(
        &mut self,
        label: &Option<String>,
        first: &[Stmt],
        run: impl FnOnce(&mut Gen),
    ) -> Block {
        self.frames.push(Frame {
            label: label.clone(),
            value: None,
            block: false,
        });
        let no_jumps = std::mem::take(&mut self.no_jumps);
        let body = self.scoped(|g| {
            run(g);
            g.body(first, true)
        });
        self.no_jumps = no_jumps;
        self.frames.pop();
        body
    }

    pub(super) fn for_statement(&mut self) -> Option<Vec<Stmt>> {
        if self.depth > 5 {
            return None;
        }
        let ty = self.some_int();
        let int = ty.int()?;
        let (min, max) = int.range();
        let number = |value: i128, suffix: bool| {
            let suffix = if suffix { int.name() } else { "" };
            Expr::new(Kind::Literal(format!("{value}{suffix}")), ty.clone())
        };
        let inclusive = self.rng.chance(40);
        let few = self.rng.below(5) as i128;
        let (start, end, short) = match self.rng.below(12) {
            0..=3 => (number(0, false), number(few, true), true),
            4 => (number(max - few, false), number(max, true), true),
            5 => (number(min, true), number(min + few, false), true),
            6 => (number(few, true), number(few, false), true),
            7 => (number(few + 3, false), number(few, true), true),
            8 => (number(min, true), number(max, false), false),
            9 => {
                let end = self.expr(&ty, 2)?;
                (number(0, false), end, false)
            }
            _ => (self.expr(&ty, 3)?, self.expr(&ty, 3)?, false),
        };
        let label = self.label();
        let fuel = if short && self.frames.len() < 2 && self.rng.chance(70) {
            Vec::new()
        } else {
            self.fuel_check().to_vec()
        };
        let name = if self.rng.chance(15) {
            None
        } else {
            self.name(|_| true)
        };
        let mutable = self.rng.chance(20);
        let pattern = match &name {
            None => "_".to_owned(),
            Some(name) if mutable => format!("mut {name}"),
            Some(name) => name.clone(),
        };
        let mut first = fuel;
        if let Some(name) = name
            .as_ref()
            .filter(|_| !self.in_helper && self.rng.chance(50))
        {
            let counter = Expr::new(Kind::Var(name.clone()), ty.clone());
            let wide = Expr::new(Kind::Cast(boxed(counter)), Ty::Scalar(Scalar::I64));
            first.push(self.step_of(wide));
        }
        let body = self.framed(&label, &first, |g| {
            if let Some(name) = &name {
                g.declare(name, ty.clone(), mutable);
            }
        });
        Some(vec![Stmt::For {
            label,
            pattern,
            start,
            end,
            inclusive,
            adapter: self.adapter(),
            body,
        }])
    }

    /// A range whose end the body changes: it counts as it was.
    pub(super) fn moving_end(&mut self) -> Option<Vec<Stmt>> {
        if self.depth > 4 || self.in_helper {
            return None;
        }
        let ty = self.some_int();
        let name = self.name(|_| true)?;
        let number = |value: usize| Expr::new(Kind::Literal(value.to_string()), ty.clone());
        let place = || Expr::new(Kind::Var(name.clone()), ty.clone());
        let declare = Stmt::Let {
            pattern: format!("mut {name}"),
            ty: Some(ty.clone()),
            init: Some(number(1 + self.rng.below(6))),
        };
        self.declare(&name, ty.clone(), true);
        let op = *self.rng.pick(&[None, Some(Op::BitXor), Some(Op::BitOr)]);
        let change = Stmt::Assign(place(), op, number(self.rng.below(7)));
        let end = if self.rng.chance(50) {
            place()
        } else {
            let mask = boxed(number(7));
            Expr::new(Kind::Binary(Op::BitAnd, boxed(place()), mask), ty.clone())
        };
        let label = self.label();
        let mut first = self.fuel_check().to_vec();
        first.extend([self.step(), change]);
        let body = self.framed(&label, &first, |_| {});
        let repeat = Stmt::For {
            label,
            pattern: "_".to_owned(),
            start: number(self.rng.below(2)),
            end,
            inclusive: self.rng.chance(30),
            adapter: self.adapter(),
            body,
        };
        Some(vec![declare, repeat])
    }

    pub(super) fn while_statement(&mut self) -> Option<Vec<Stmt>> {
        if self.depth > 5 {
            return None;
        }
        self.no_jumps += 1;
        let condition = self.expr(&Ty::Scalar(Scalar::Bool), DEPTH);
        self.no_jumps -= 1;
        let label = self.label();
        let fuel = self.fuel_check();
        let body = self.framed(&label, &fuel, |_| {});
        Some(vec![Stmt::While(label, condition?, body)])
    }

    pub(super) fn loop_statement(&mut self) -> Option<Vec<Stmt>> {
        if self.depth > 5 {
            return None;
        }
        let label = self.label();
        let fuel = self.fuel_check();
        let body = self.framed(&label, &fuel, |_| {});
        Some(vec![Stmt::Loop(label, body)])
    }

    /// Two loops, the outer one left or continued from the inner one.
    pub(super) fn nest(&mut self) -> Option<Vec<Stmt>> {
        if self.depth > 3 || self.in_helper {
            return None;
        }
        let label = (*self.rng.pick(&["'a", "'outer", "'int"])).to_owned();
        let frame = |label: Option<String>| Frame {
            label,
            value: None,
            block: false,
        };
        let no_jumps = std::mem::take(&mut self.no_jumps);
        self.frames.push(frame(Some(label.clone())));
        let outer = self.scoped(|g| {
            let mut stmts = g.fuel_check().to_vec();
            stmts.push(g.step());
            g.frames.push(frame(None));
            let inner = g.scoped(|g| g.nested(&label));
            g.frames.pop();
            let number =
                |value: usize| Expr::new(Kind::Literal(value.to_string()), Ty::Scalar(Scalar::I32));
            stmts.push(if g.rng.chance(50) {
                Stmt::Loop(None, inner)
            } else {
                Stmt::For {
                    label: None,
                    pattern: "_".to_owned(),
                    start: number(0),
                    end: number(2 + g.rng.below(5)),
                    inclusive: g.rng.chance(50),
                    adapter: String::new(),
                    body: inner,
                }
            });
            stmts.push(g.step());
            Block { stmts, tail: None }
        });
        self.frames.pop();
        self.no_jumps = no_jumps;
        Some(vec![Stmt::Loop(Some(label), outer)])
    }

    /// The body of the inner one.
    fn nested(&mut self, label: &str) -> Block {
        let mut stmts = self.fuel_check().to_vec();
        stmts.push(self.step());
        for _ in 0..self.rng.below(2) {
            self.statement(&mut stmts);
        }
        let i64 = || Ty::Scalar(Scalar::I64);
        let number = |value: usize| Expr::new(Kind::Literal(value.to_string()), i64());
        let trace = Expr::new(Kind::Var(self.trace.clone()), i64());
        let mask = number(1 + self.rng.below(7));
        let some = Expr::new(Kind::Binary(Op::BitAnd, boxed(trace), boxed(mask)), i64());
        let one = number(self.rng.below(2));
        let test = Kind::Binary(Op::Eq, boxed(some), boxed(one));
        let jump = if self.rng.chance(50) {
            Stmt::Break(Some(label.to_owned()), None)
        } else {
            Stmt::Continue(Some(label.to_owned()))
        };
        let then = Block {
            stmts: vec![jump],
            tail: None,
        };
        let test = Expr::new(test, Ty::Scalar(Scalar::Bool));
        stmts.push(Stmt::If(test, then, None));
        stmts.push(self.step());
        Block { stmts, tail: None }
    }
}
