//! Statements.

use super::Gen;
use crate::harness::ast::{Block, Expr, Kind, Op, Scalar, Stmt, Ty};

type Production = fn(&mut Gen) -> Option<Vec<Stmt>>;

/// What makes statements; each gives nothing where it does not apply.
const PRODUCTIONS: &[(u32, Production)] = &[
    (16, Gen::let_scalar),
    (6, Gen::let_memory),
    (3, Gen::let_tuple),
    (3, Gen::let_overflowing),
    (7, Gen::let_aggregate),
    (2, Gen::let_apart),
    (2, Gen::assign_apart),
    (2, Gen::swap),
    (3, Gen::each_statement),
    (3, Gen::if_let),
    (2, Gen::while_let),
    (2, Gen::let_else),
    (14, Gen::assign),
    (14, Gen::compound),
    (8, Gen::store),
    (6, Gen::put),
    (8, Gen::show),
    (8, Gen::show_product),
    (2, Gen::order),
    (9, Gen::if_statement),
    (3, Gen::block),
    (9, Gen::for_statement),
    (3, Gen::moving_end),
    (4, Gen::while_statement),
    (4, Gen::loop_statement),
    (4, Gen::nest),
    (8, Gen::jump_sometimes),
    (9, Gen::moves),
    (3, Gen::bare),
    (4, Gen::match_statement),
    (3, Gen::let_later),
    (4, Gen::assertion),
    (12, Gen::helper_statement),
    (2, Gen::panic_statement),
    (4, Gen::print_statement),
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
    (1, Gen::swap),
    (1, Gen::assign_apart),
];

/// Depth of a usual expression.
pub(super) const DEPTH: usize = 4;

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
        let init = if !ascribed && self.rng.chance(8) {
            // What it meets later says its type.
            self.literal_of(&ty, true)?
        } else if ascribed {
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

    /// The names of a tuple pattern, all different.
    fn tuple_pattern(&mut self, types: &[Ty]) -> Option<String> {
        let mut names: Vec<String> = Vec::new();
        let mut parts = Vec::new();
        for ty in types {
            if self.rng.chance(15) {
                parts.push("_".to_owned());
                continue;
            }
            let name = self.name(|name| names.iter().all(|known| !super::same(known, name)))?;
            let mutable = self.rng.chance(40);
            parts.push(if mutable {
                format!("mut {name}")
            } else {
                name.clone()
            });
            self.declare(&name, ty.clone(), mutable);
            names.push(name);
        }
        Some(format!("({})", parts.join(", ")))
    }

    /// `let (a, b) = (b, a);`
    fn let_tuple(&mut self) -> Option<Vec<Stmt>> {
        let count = 2 + self.rng.below(2);
        let mut values = Vec::new();
        for _ in 0..count {
            let ty = self.some_scalar();
            values.push(self.expr(&ty, 3)?);
        }
        let types: Vec<Ty> = values.iter().map(|value| value.ty.clone()).collect();
        let pattern = self.tuple_pattern(&types)?;
        Some(vec![Stmt::Let {
            pattern,
            ty: None,
            init: Some(Expr::new(Kind::Tuple(values), Ty::Tuple(types))),
        }])
    }

    /// `let (value, overflowed) = a.overflowing_add(b);`
    fn let_overflowing(&mut self) -> Option<Vec<Stmt>> {
        let ty = self.some_int();
        let object = self.expr(&ty, 3)?;
        let names = [
            "overflowing_add",
            "overflowing_sub",
            "overflowing_mul",
            "overflowing_neg",
        ];
        let name = *self.rng.pick(&names);
        let arguments = if name == "overflowing_neg" {
            Vec::new()
        } else {
            vec![self.beside(&ty, 3)?]
        };
        let types = vec![ty, Ty::Scalar(Scalar::Bool)];
        let pattern = self.tuple_pattern(&types)?;
        let call = Kind::Method(boxed(object), name.to_owned(), arguments);
        Some(vec![Stmt::Let {
            pattern,
            ty: None,
            init: Some(Expr::new(call, Ty::Tuple(types))),
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

    pub(super) fn target(&mut self) -> Option<Expr> {
        self.target_where(|_| true)
    }

    /// A place of type `ty` that may be assigned to.
    pub(super) fn target_of(&mut self, ty: &Ty) -> Option<Expr> {
        self.target_where(|of| of == ty)
    }

    fn target_where(&mut self, fits: impl Fn(&Ty) -> bool) -> Option<Expr> {
        if self.rng.chance(35)
            && let Some(place) = self.part_to_assign(&fits)
        {
            return Some(place);
        }
        let own = [self.fuel.clone(), self.trace.clone()];
        let borrowed = self.borrowed.clone();
        let var = self.find(|var| {
            var.mutable
                && fits(&var.ty)
                && !own.contains(&var.name)
                && !borrowed.contains(&var.name)
        })?;
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
            // The value changes the place before the place is read.
            _ if self.rng.chance(20) => {
                let early = self.given(&place.ty, 2)?;
                let tail = self.expr(&place.ty, 2)?;
                let block = Block {
                    stmts: vec![Stmt::Assign(place.clone(), None, early)],
                    tail: Some(boxed(tail)),
                };
                Expr::new(Kind::Block(block, false), place.ty.clone())
            }
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
        let block = self.frames.last().is_some_and(|frame| frame.block);
        if block && labels.is_empty() {
            return None;
        }
        let label = if !labels.is_empty() && (block || self.rng.chance(60)) {
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
