//! Statements.

use super::{Frame, Gen};
use crate::harness::ast::{Block, Expr, Kind, Op, Scalar, Stmt, Ty};

use crate::harness::print::begins_with_block;

type Production = fn(&mut Gen) -> Option<Vec<Stmt>>;

/// What makes statements; each gives nothing where it does not apply.
const PRODUCTIONS: &[(u32, Production)] = &[
    (16, Gen::let_scalar),
    (6, Gen::let_memory),
    (14, Gen::assign),
    (14, Gen::compound),
    (8, Gen::store),
    (6, Gen::put),
    (8, Gen::show),
    (2, Gen::order),
    (9, Gen::if_statement),
    (3, Gen::block),
    (9, Gen::for_statement),
    (4, Gen::while_statement),
    (4, Gen::loop_statement),
    (8, Gen::jump_sometimes),
    (4, Gen::moves),
    (3, Gen::bare),
    (4, Gen::match_statement),
    (3, Gen::let_later),
    (4, Gen::assertion),
    (6, Gen::helper_statement),
    (2, Gen::panic_statement),
];

/// What a block in an expression does.
const EFFECTS: &[(u32, Production)] = &[
    (6, Gen::assign),
    (6, Gen::compound),
    (3, Gen::store),
    (2, Gen::put),
    (2, Gen::let_scalar),
    (1, Gen::order),
    (1, Gen::if_statement),
];

/// Depth of a usual expression.
const DEPTH: usize = 4;

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

impl Gen {
    /// One statement, or what belongs together.
    pub(super) fn statement(&mut self, stmts: &mut Vec<Stmt>) {
        self.budget = self.budget.saturating_sub(1);
        for _ in 0..10 {
            let production = *self.rng.weighted(PRODUCTIONS);
            if let Some(made) = production(self) {
                stmts.extend(made);
                return;
            }
        }
    }

    /// What a block in an expression does before its value.
    pub(super) fn effects(&mut self, stmts: &mut Vec<Stmt>) {
        for _ in 0..1 + self.rng.below(2) {
            if self.budget == 0 {
                return;
            }
            self.budget -= 1;
            let production = *self.rng.weighted(EFFECTS);
            stmts.extend(production(self).into_iter().flatten());
        }
    }

    pub(super) fn body(&mut self, first: &[Stmt], jumps: bool) -> Block {
        self.scoped(|g| {
            let mut stmts = first.to_vec();
            if !g.in_helper && g.rng.chance(60) {
                stmts.push(g.step());
            }
            for _ in 0..1 + g.rng.below(4) {
                if g.budget == 0 && stmts.len() > first.len() {
                    break;
                }
                g.statement(&mut stmts);
            }
            if jumps && g.rng.chance(12) {
                stmts.extend(g.jump());
            }
            Block { stmts, tail: None }
        })
    }

    fn let_scalar(&mut self) -> Option<Vec<Stmt>> {
        let ty = match self.rng.below(12) {
            0 => Ty::Scalar(*self.rng.pick(&[Scalar::F16, Scalar::Bf16])),
            1 | 2 => Ty::Scalar(Scalar::Bool),
            _ => self.some_scalar(),
        };
        let ascribed = self.rng.chance(35);
        let init = if ascribed {
            self.given(&ty, DEPTH)?
        } else {
            self.expr(&ty, DEPTH)?
        };
        if self.rng.chance(4) {
            return Some(vec![Stmt::Let {
                pattern: "_".to_owned(),
                ty: ascribed.then_some(ty),
                init: Some(init),
            }]);
        }
        let name = self.name(|_| true)?;
        let mutable = self.rng.chance(55);
        self.declare(&name, ty.clone(), mutable);
        let pattern = if mutable { format!("mut {name}") } else { name };
        Some(vec![Stmt::Let {
            pattern,
            ty: ascribed.then_some(ty),
            init: Some(init),
        }])
    }

    fn let_memory(&mut self) -> Option<Vec<Stmt>> {
        let Ty::Memory {
            symmetric, elem, ..
        } = self.find(|var| matches!(var.ty, Ty::Memory { .. }))?.ty
        else {
            return None;
        };
        let ty = Ty::Memory {
            symmetric,
            elem,
            slice: self.rng.chance(60),
        };
        let init = self.expr(&ty, 3)?;
        let name = self.name(|_| true)?;
        let mutable = self.rng.chance(40);
        self.declare(&name, ty.clone(), mutable);
        let ascribed = self.rng.chance(25);
        let pattern = if mutable { format!("mut {name}") } else { name };
        Some(vec![Stmt::Let {
            pattern,
            ty: ascribed.then_some(ty),
            init: Some(init),
        }])
    }

    fn target(&mut self) -> Option<Expr> {
        let own = [self.fuel.clone(), self.trace.clone()];
        let borrowed = self.borrowed.clone();
        let var = self
            .find(|var| var.mutable && !own.contains(&var.name) && !borrowed.contains(&var.name))?;
        Some(Expr::new(Kind::Var(var.name), var.ty))
    }

    fn assign(&mut self) -> Option<Vec<Stmt>> {
        let place = self.target()?;
        let value = self.given(&place.ty, DEPTH)?;
        if self.rng.chance(3) {
            let hole = Expr::new(Kind::Var("_".to_owned()), place.ty.clone());
            let value = self.expr(&place.ty, DEPTH)?;
            return Some(vec![Stmt::Assign(hole, None, value)]);
        }
        Some(vec![Stmt::Assign(place, None, value)])
    }

    fn compound(&mut self) -> Option<Vec<Stmt>> {
        let place = self.target()?;
        let scalar = place.ty.scalar()?;
        let op = if scalar.is_any_float() {
            if self.exact {
                return None;
            }
            *self
                .rng
                .pick(&[Op::Add, Op::Sub, Op::Mul, Op::Div, Op::Rem])
        } else if scalar.is_int() {
            if self.rng.chance(self.risk) {
                *self.rng.pick(&[
                    Op::Add,
                    Op::Sub,
                    Op::Mul,
                    Op::Div,
                    Op::Rem,
                    Op::Shl,
                    Op::Shr,
                ])
            } else {
                *self
                    .rng
                    .pick(&[Op::BitAnd, Op::BitOr, Op::BitXor, Op::Shr, Op::Shl])
            }
        } else if scalar == Scalar::Bool {
            *self.rng.pick(&[Op::BitAnd, Op::BitOr, Op::BitXor])
        } else {
            return None;
        };
        let value = match op {
            Op::Shl | Op::Shr => {
                let by = self.some_int();
                if self.rng.chance(60) {
                    let by = self.rng.below(scalar.size() * 8);
                    Expr::new(Kind::Literal(by.to_string()), Ty::Scalar(Scalar::I32))
                } else {
                    self.expr(&by, DEPTH)?
                }
            }
            // Of f16 and bf16 it is a method that borrows.
            _ if !scalar.is_int() => self.borrowing(&place, |g| g.given(&place.ty, DEPTH))?,
            _ => self.given(&place.ty, DEPTH)?,
        };
        Some(vec![Stmt::Assign(place, Some(op), value)])
    }

    fn some_cell(&mut self, only_symmetric: bool) -> Option<Expr> {
        let out = self.out.clone();
        let var = self.find(|var| {
            matches!(var.ty, Ty::Memory { symmetric, .. } if symmetric || !only_symmetric)
                && var.name != out
        })?;
        let Ty::Memory {
            symmetric, elem, ..
        } = var.ty
        else {
            return None;
        };
        self.cell(
            &Ty::Memory {
                symmetric,
                elem,
                slice: false,
            },
            3,
        )
    }

    fn store(&mut self) -> Option<Vec<Stmt>> {
        let cell = self.some_cell(false)?;
        let Ty::Memory { elem, .. } = cell.ty else {
            return None;
        };
        let value = self.borrowing(&cell, |g| g.given(&Ty::Scalar(elem), DEPTH))?;
        Some(vec![Stmt::Expr(Expr::new(
            Kind::Method(boxed(cell), "store".to_owned(), vec![value]),
            Ty::Unit,
        ))])
    }

    fn put(&mut self) -> Option<Vec<Stmt>> {
        let cell = self.some_cell(true)?;
        let Ty::Memory { elem, .. } = cell.ty else {
            return None;
        };
        let value = self.given(&Ty::Scalar(elem), DEPTH)?;
        let pe = self.pe(2)?;
        Some(vec![Stmt::Expr(Expr::new(
            Kind::Call("shmem::p".to_owned(), vec![cell, value, pe]),
            Ty::Unit,
        ))])
    }

    /// Stores a value where it is compared.
    /// A float from one place to another, with all bits.
    fn moves(&mut self) -> Option<Vec<Stmt>> {
        let var =
            self.find(|var| matches!(var.ty, Ty::Memory { elem, .. } if elem.is_any_float()))?;
        let Ty::Memory {
            symmetric, elem, ..
        } = var.ty
        else {
            return None;
        };
        let one = Ty::Memory {
            symmetric,
            elem,
            slice: false,
        };
        let cell = self.cell(&one, 2)?;
        let value = self
            .load(&Ty::Scalar(elem), 2)
            .or_else(|| self.variable(&Ty::Scalar(elem), 2))?;
        Some(vec![Stmt::Expr(Expr::new(
            Kind::Method(boxed(cell), "store".to_owned(), vec![value]),
            Ty::Unit,
        ))])
    }

    fn show(&mut self) -> Option<Vec<Stmt>> {
        if self.in_helper {
            return None;
        }
        let ty = self.some_scalar();
        let value = self.expr(&ty, DEPTH + 1)?;
        Some(vec![self.result(value)])
    }

    fn order(&mut self) -> Option<Vec<Stmt>> {
        let name = *self.rng.pick(&["shmem::quiet", "shmem::fence"]);
        Some(vec![Stmt::Expr(Expr::new(
            Kind::Call(name.to_owned(), Vec::new()),
            Ty::Unit,
        ))])
    }

    /// An expression for what it does.
    fn bare(&mut self) -> Option<Vec<Stmt>> {
        let ty = self.some_scalar();
        let value = self.expr(&ty, DEPTH)?;
        // In parentheses as a statement, they are another thing to the front end.
        let parenthesised = begins_with_block(&value) || matches!(value.kind, Kind::Paren(_));
        if parenthesised && !self.known {
            return None;
        }
        Some(vec![Stmt::Expr(value)])
    }

    fn if_statement(&mut self) -> Option<Vec<Stmt>> {
        if self.depth > 7 {
            return None;
        }
        let condition = self.expr(&Ty::Scalar(Scalar::Bool), DEPTH)?;
        let then = self.body(&[], true);
        let otherwise = match self.rng.below(4) {
            0 | 1 => None,
            2 if self.budget > 1 => {
                let inner = self.scoped(Gen::if_statement)?;
                Some(Block {
                    stmts: inner,
                    tail: None,
                })
            }
            _ => Some(self.body(&[], true)),
        };
        Some(vec![Stmt::If(condition, then, otherwise)])
    }

    fn block(&mut self) -> Option<Vec<Stmt>> {
        let body = self.body(&[], true);
        let is_unsafe = self.rng.chance(20);
        Some(vec![Stmt::Block(body, is_unsafe)])
    }

    fn framed(
        &mut self,
        label: &Option<String>,
        first: &[Stmt],
        run: impl FnOnce(&mut Gen),
    ) -> Block {
        self.frames.push(Frame {
            label: label.clone(),
            value: None,
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

    fn for_statement(&mut self) -> Option<Vec<Stmt>> {
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
        // An end that the body changes: it counts as it was.
        let own = [self.fuel.clone(), self.trace.clone()];
        let moving = self.find(|var| var.mutable && var.ty == ty && !own.contains(&var.name));
        let moving = moving.filter(|var| self.rng.chance(25) && !self.borrowed.contains(&var.name));
        let (start, end, short) = match &moving {
            Some(var) => {
                let var = Expr::new(Kind::Var(var.name.clone()), ty.clone());
                let few = Expr::new(
                    Kind::Binary(Op::BitAnd, boxed(var), boxed(number(7, false))),
                    ty.clone(),
                );
                (number(0, false), few, false)
            }
            None => (start, end, short),
        };
        let label = self.label();
        let mut fuel = if short && self.frames.len() < 2 && self.rng.chance(70) {
            Vec::new()
        } else {
            self.fuel_check().to_vec()
        };
        if let Some(var) = moving {
            let place = Expr::new(Kind::Var(var.name), ty.clone());
            let op = *self.rng.pick(&[Op::BitOr, Op::BitXor, Op::BitAnd]);
            fuel.push(Stmt::Assign(
                place,
                Some(op),
                number(4 + self.rng.below(3) as i128, false),
            ));
        }
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
        let body = self.framed(&label, &fuel, |g| {
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

    fn while_statement(&mut self) -> Option<Vec<Stmt>> {
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

    fn loop_statement(&mut self) -> Option<Vec<Stmt>> {
        if self.depth > 5 {
            return None;
        }
        let label = self.label();
        let fuel = self.fuel_check();
        let body = self.framed(&label, &fuel, |_| {});
        Some(vec![Stmt::Loop(label, body)])
    }

    /// `if c { jump }`
    fn jump_sometimes(&mut self) -> Option<Vec<Stmt>> {
        let condition = self.expr(&Ty::Scalar(Scalar::Bool), 3)?;
        let mut stmts = Vec::new();
        let jump = self.scoped(|g| {
            if g.rng.chance(30) {
                g.effects(&mut stmts);
            }
            g.jump()
        })?;
        stmts.push(jump);
        Some(vec![Stmt::If(condition, Block { stmts, tail: None }, None)])
    }

    /// A jump that may stand here.
    pub(super) fn jump(&mut self) -> Option<Stmt> {
        if self.no_jumps > 0 {
            return None;
        }
        if self.frames.is_empty() || self.rng.chance(6) {
            if !self.rng.chance(30) {
                return None;
            }
            return match self.returns.clone() {
                None => Some(Stmt::Return(None)),
                Some(ty) => Some(Stmt::Return(Some(self.given(&ty, 2)?))),
            };
        }
        let mut labels: Vec<String> = Vec::new();
        let mut hidden: Vec<&String> = Vec::new();
        for frame in self.frames.iter().rev() {
            if let Some(label) = &frame.label
                && !hidden.contains(&label)
            {
                hidden.push(label);
                if frame.value.is_none() {
                    labels.push(label.clone());
                }
            }
        }
        let label = if !labels.is_empty() && self.rng.chance(60) {
            Some(self.rng.pick(&labels).clone())
        } else {
            None
        };
        let valued = self
            .frames
            .last()
            .is_some_and(|frame| frame.value.is_some());
        Some(if self.rng.chance(50) || valued && label.is_none() {
            Stmt::Continue(label)
        } else {
            Stmt::Break(label, None)
        })
    }
}
