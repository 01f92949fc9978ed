//! Expressions of a wanted type.

use super::Gen;
use crate::harness::ast::{Block, Expr, Kind, Op, Scalar, Stmt, Ty};

type Production = fn(&mut Gen, &Ty, usize) -> Option<Expr>;

/// What makes an expression; each gives nothing where it does not apply to the type.
const PRODUCTIONS: &[(u32, Production)] = &[
    (10, Gen::literal),
    (22, Gen::variable),
    (16, Gen::arithmetic),
    (6, Gen::multiply_add),
    (8, Gen::bits),
    (6, Gen::shift),
    (8, Gen::cast),
    (12, Gen::comparison),
    (6, Gen::logical),
    (4, Gen::not),
    (5, Gen::negate),
    (9, Gen::load),
    (5, Gen::get),
    (5, Gen::length),
    (4, Gen::is_empty),
    (2, Gen::device),
    (10, Gen::cell),
    (6, Gen::slice),
    (5, Gen::if_value),
    (6, Gen::block_value),
    (2, Gen::parenthesised),
    (14, Gen::method),
    (9, Gen::helper_call),
    (4, Gen::named_constant),
    (3, Gen::min_max),
    (3, Gen::constant),
    (5, Gen::convert),
    (3, Gen::bits_as_float),
    (3, Gen::float_as_bits),
    (3, Gen::copysign),
    (4, Gen::match_value),
    (2, Gen::loop_value),
    (5, Gen::changed_behind),
    (3, Gen::small_not),
    (4, Gen::float_to_int),
    (2, Gen::cast_twice),
    (2, Gen::negated_least),
    (9, Gen::part),
    (4, Gen::part_of_value),
    (4, Gen::build),
    (2, Gen::enum_cast),
    (3, Gen::whole_comparison),
    (3, Gen::labelled_block),
    (2, Gen::if_let_value),
];

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

fn scalar(scalar: Scalar) -> Ty {
    Ty::Scalar(scalar)
}

impl Gen {
    /// An expression of type `ty`, `depth` operators deep at most.
    pub(super) fn expr(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if depth > 0 {
            for _ in 0..24 {
                let production = *self.rng.weighted(PRODUCTIONS);
                if let Some(expr) = production(self, ty, depth) {
                    return Some(expr);
                }
            }
        }
        self.leaf(ty, depth)
    }

    fn leaf(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if self.rng.chance(65)
            && let Some(expr) = self.variable(ty, depth)
        {
            return Some(expr);
        }
        self.literal(ty, depth)
            .or_else(|| self.variable(ty, depth))
            .or_else(|| self.load(ty, 1))
            .or_else(|| self.cell(ty, 1))
            .or_else(|| self.build(ty, depth))
    }

    /// An operand beside another one that says its type.
    pub(super) fn beside(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if self.rng.chance(25)
            && let Some(literal) = self.literal_of(ty, true)
        {
            return Some(literal);
        }
        self.expr(ty, depth)
    }

    /// A value where the context says its type.
    pub(super) fn given(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if self.rng.chance(20)
            && let Some(literal) = self.literal_of(ty, true)
        {
            return Some(literal);
        }
        self.expr(ty, depth)
    }

    fn literal(&mut self, ty: &Ty, _: usize) -> Option<Expr> {
        self.literal_of(ty, false)
    }

    pub(super) fn variable(&mut self, ty: &Ty, _: usize) -> Option<Expr> {
        let fuel = self.fuel.clone();
        let var = self.find(|var| var.ty == *ty && var.name != fuel)?;
        Some(Expr::new(Kind::Var(var.name), var.ty))
    }

    pub(super) fn pair(&mut self, ty: &Ty, depth: usize) -> Option<(Box<Expr>, Box<Expr>)> {
        let left = self.expr(ty, depth - 1)?;
        let right = self.beside(ty, depth - 1)?;
        // The literal may stand on either side.
        if self.rng.chance(20)
            && matches!(right.kind, Kind::Literal(_))
            && !matches!(left.kind, Kind::Literal(_))
        {
            return Some((boxed(right), boxed(left)));
        }
        Some((boxed(left), boxed(right)))
    }

    fn arithmetic(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let scalar = ty.scalar()?;
        if scalar.is_any_float() {
            if self.exact {
                return None;
            }
            let op = *self.rng.weighted(&[
                (3, Op::Add),
                (3, Op::Sub),
                (2, Op::Mul),
                (1, Op::Div),
                (1, Op::Rem),
            ]);
            let (left, right) = self.pair(ty, depth)?;
            return Some(Expr::new(Kind::Binary(op, left, right), ty.clone()));
        }
        ty.int()?;
        if !self.rng.chance(self.risk) {
            return None;
        }
        let op = *self.rng.weighted(&[
            (4, Op::Add),
            (4, Op::Sub),
            (3, Op::Mul),
            (2, Op::Div),
            (2, Op::Rem),
        ]);
        let (left, mut right) = self.pair(ty, depth)?;
        if matches!(op, Op::Div | Op::Rem) && self.rng.chance(70) {
            // A divisor that is not zero.
            let one = Expr::new(Kind::Literal("1".to_owned()), ty.clone());
            right = boxed(Expr::new(
                Kind::Binary(Op::BitOr, right, boxed(one)),
                ty.clone(),
            ));
        }
        Some(Expr::new(Kind::Binary(op, left, right), ty.clone()))
    }

    /// `a * b + c`: what a compiler may round once where Rust rounds twice.
    fn multiply_add(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if self.exact || !ty.scalar()?.is_float() {
            return None;
        }
        let (a, b) = (
            self.variable(ty, 1).or_else(|| self.load(ty, 1))?,
            self.leaf(ty, 1)?,
        );
        let product = Expr::new(Kind::Binary(Op::Mul, boxed(a), boxed(b)), ty.clone());
        let other = self.expr(ty, depth - 1)?;
        let op = *self.rng.pick(&[Op::Add, Op::Sub]);
        let (left, right) = if self.rng.chance(50) {
            (product, other)
        } else {
            (other, product)
        };
        Some(Expr::new(
            Kind::Binary(op, boxed(left), boxed(right)),
            ty.clone(),
        ))
    }

    fn bits(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if ty.int().is_none() && !ty.is(Scalar::Bool) {
            return None;
        }
        let op = *self.rng.pick(&[Op::BitAnd, Op::BitOr, Op::BitXor]);
        let (left, right) = self.pair(ty, depth)?;
        Some(Expr::new(Kind::Binary(op, left, right), ty.clone()))
    }

    fn shift(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let int = ty.int()?;
        let bits = int.size() * 8;
        let op = *self.rng.pick(&[Op::Shl, Op::Shr]);
        let left = self.expr(ty, depth - 1)?;
        let by = self.some_int();
        let right = if self.rng.chance(self.risk / 2) {
            self.expr(&by, depth - 1)?
        } else if self.rng.chance(50) {
            let by = self.rng.below(bits);
            let text = if self.rng.chance(50) {
                by.to_string()
            } else {
                format!("{by}{}", self.rng.pick(&["u8", "i64", "usize", "i32"]))
            };
            Expr::new(Kind::Literal(text), scalar(Scalar::I32))
        } else {
            let amount = self.expr(&by, depth - 1)?;
            let mask = Expr::new(Kind::Literal((bits - 1).to_string()), by.clone());
            Expr::new(Kind::Binary(Op::BitAnd, boxed(amount), boxed(mask)), by)
        };
        Some(Expr::new(
            Kind::Binary(op, boxed(left), boxed(right)),
            ty.clone(),
        ))
    }

    fn cast(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let to = ty.scalar()?;
        let from = match to {
            Scalar::Bool => Ty::Scalar(Scalar::Bool),
            Scalar::F16 | Scalar::Bf16 => return None,
            Scalar::F32 | Scalar::F64 => match self.rng.below(3) {
                0 if !self.exact => scalar(*self.rng.pick(&[Scalar::F32, Scalar::F64])),
                _ => self.some_int(),
            },
            Scalar::CChar => match self.rng.below(4) {
                0 => scalar(Scalar::CChar),
                _ => self.some_int(),
            },
            _ => match self.rng.below(8) {
                0 => scalar(Scalar::Bool),
                1 => scalar(Scalar::CChar),
                2 | 3 => scalar(*self.rng.pick(&[Scalar::F32, Scalar::F32, Scalar::F64])),
                _ => self.some_int(),
            },
        };
        // The type of the cast is what an open literal takes.
        if self.rng.chance(6)
            && to.is_int()
            && let Some(literal) = self.literal_of(ty, true)
        {
            return Some(Expr::new(Kind::Cast(boxed(literal)), ty.clone()));
        }
        let inner = self.expr(&from, depth - 1)?;
        Some(Expr::new(Kind::Cast(boxed(inner)), ty.clone()))
    }

    fn comparison(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if !ty.is(Scalar::Bool) {
            return None;
        }
        let of = self.some_scalar();
        let ops: &[Op] = match of.scalar()? {
            Scalar::CChar => &[Op::Eq, Op::Ne],
            _ => &[Op::Eq, Op::Ne, Op::Lt, Op::Le, Op::Gt, Op::Ge],
        };
        let op = *self.rng.pick(ops);
        let (left, right) = if of.scalar()?.is_float() || of.int().is_some() {
            self.pair(&of, depth)?
        } else {
            // Of f16 and bf16 it is a method that borrows.
            let left = self.expr(&of, depth - 1)?;
            let right = self.borrowing(&left, |g| g.beside(&of, depth - 1))?;
            (boxed(left), boxed(right))
        };
        Some(Expr::new(Kind::Binary(op, left, right), ty.clone()))
    }

    fn logical(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if !ty.is(Scalar::Bool) {
            return None;
        }
        let op = *self.rng.pick(&[Op::And, Op::Or]);
        let left = self.expr(ty, depth - 1)?;
        let right = self.expr(ty, depth - 1)?;
        Some(Expr::new(
            Kind::Binary(op, boxed(left), boxed(right)),
            ty.clone(),
        ))
    }

    fn not(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if ty.int().is_none() && !ty.is(Scalar::Bool) {
            return None;
        }
        let inner = self.expr(ty, depth - 1)?;
        Some(Expr::new(Kind::Unary('!', boxed(inner)), ty.clone()))
    }

    fn negate(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let scalar = ty.scalar()?;
        if !scalar.signed() && !scalar.is_any_float() {
            return None;
        }
        let inner = self.expr(ty, depth - 1)?;
        // The minus and the literal are one number, which fits already.
        let mut bare = &inner;
        loop {
            match &bare.kind {
                Kind::Paren(next) | Kind::Unary('-', next) => bare = next,
                Kind::Block(block, _) if block.stmts.is_empty() => match &block.tail {
                    Some(tail) => bare = tail,
                    None => break,
                },
                _ => break,
            }
        }
        if matches!(bare.kind, Kind::Literal(_)) && scalar.signed() {
            return None;
        }
        Some(Expr::new(Kind::Unary('-', boxed(inner)), ty.clone()))
    }

    fn one_of(&mut self, elem: Scalar, symmetric: Option<bool>) -> Ty {
        let symmetric = symmetric.unwrap_or_else(|| self.rng.chance(50));
        Ty::Memory {
            symmetric,
            elem,
            slice: false,
        }
    }

    pub(super) fn load(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let elem = ty.scalar()?;
        let cell = self.one_of(elem, None);
        let cell = self.cell(&cell, depth)?;
        Some(Expr::new(
            Kind::Method(boxed(cell), "load".to_owned(), Vec::new()),
            ty.clone(),
        ))
    }

    fn get(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let elem = ty.scalar()?;
        let cell = self.one_of(elem, Some(true));
        let cell = self.cell(&cell, depth)?;
        let pe = self.pe(depth)?;
        Some(Expr::new(
            Kind::Call("shmem::g".to_owned(), vec![cell, pe]),
            ty.clone(),
        ))
    }

    /// A PE number: mostly this one's.
    pub(super) fn pe(&mut self, depth: usize) -> Option<Expr> {
        let i32 = scalar(Scalar::I32);
        let kind = match self.rng.below(10) {
            0 if self.rng.chance(self.risk) => return self.expr(&i32, depth.saturating_sub(1)),
            1 if self.rng.chance(self.risk) => {
                Kind::Literal((*self.rng.pick(&["-1", "1", "-2147483648"])).to_owned())
            }
            2..=4 => Kind::Call("shmem::my_pe".to_owned(), Vec::new()),
            5 => {
                let me = Expr::new(
                    Kind::Call("shmem::my_pe".to_owned(), Vec::new()),
                    i32.clone(),
                );
                let one = Expr::new(Kind::Literal("1".to_owned()), i32.clone());
                let n = Expr::new(
                    Kind::Call("shmem::n_pes".to_owned(), Vec::new()),
                    i32.clone(),
                );
                let next = Expr::new(Kind::Binary(Op::Add, boxed(me), boxed(one)), i32.clone());
                Kind::Binary(Op::Rem, boxed(next), boxed(n))
            }
            _ => Kind::Literal("0".to_owned()),
        };
        Some(Expr::new(kind, i32))
    }

    fn some_slice(&mut self, depth: usize) -> Option<Expr> {
        let var = self.find(|var| matches!(var.ty, Ty::Memory { slice: true, .. }))?;
        if self.rng.chance(80) {
            return Some(Expr::new(Kind::Var(var.name), var.ty));
        }
        self.expr(&var.ty, depth.saturating_sub(1))
    }

    fn length(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if !ty.is(Scalar::Usize) {
            return None;
        }
        let slice = self.some_slice(depth)?;
        Some(Expr::new(
            Kind::Method(boxed(slice), "len".to_owned(), Vec::new()),
            ty.clone(),
        ))
    }

    fn is_empty(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if !ty.is(Scalar::Bool) {
            return None;
        }
        let slice = self.some_slice(depth)?;
        Some(Expr::new(
            Kind::Method(boxed(slice), "is_empty".to_owned(), Vec::new()),
            ty.clone(),
        ))
    }

    fn device(&mut self, ty: &Ty, _: usize) -> Option<Expr> {
        let names: &[&str] = match ty.scalar()? {
            Scalar::I32 => &["my_pe", "n_pes"],
            Scalar::Usize if self.all_blocks => &["block_idx", "block_num"],
            _ => return None,
        };
        let name = format!("shmem::{}", self.rng.pick(names));
        Some(Expr::new(Kind::Call(name, Vec::new()), ty.clone()))
    }

    /// A cell of memory: a name, or one of a slice.
    pub(super) fn cell(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let Ty::Memory {
            symmetric,
            elem,
            slice: false,
        } = *ty
        else {
            return None;
        };
        if self.rng.chance(40)
            && let Some(expr) = self.variable(ty, depth)
        {
            return Some(expr);
        }
        let slice = Ty::Memory {
            symmetric,
            elem,
            slice: true,
        };
        let slice = if depth > 1 && self.rng.chance(15) {
            self.expr(&slice, depth - 1)?
        } else {
            self.variable(&slice, depth)?
        };
        if self.rng.chance(10) {
            return self.unchecked_cell(slice, ty, depth);
        }
        let index = self.borrowing(&slice, |g| g.index(&slice, depth.saturating_sub(1)))?;
        let at = Expr::new(
            Kind::Method(boxed(slice), "at".to_owned(), vec![index]),
            ty.clone(),
        );
        Some(at)
    }

    /// Makes the arguments of a method of `receiver`.
    pub(super) fn borrowing<T>(
        &mut self,
        receiver: &Expr,
        run: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let mut place = receiver;
        while let Kind::Paren(inner)
        | Kind::Field(inner, _)
        | Kind::Index(inner, _)
        | Kind::Unary('*', inner) = &place.kind
        {
            place = inner;
        }
        let name = match &place.kind {
            Kind::Var(name) => name.clone(),
            _ => String::new(),
        };
        self.borrowed.push(name);
        let made = run(self);
        self.borrowed.pop();
        made
    }

    /// `unsafe { slice.at_unchecked(i % slice.len()) }`: in range, or a panic before.
    fn unchecked_cell(&mut self, slice: Expr, ty: &Ty, depth: usize) -> Option<Expr> {
        let usize = scalar(Scalar::Usize);
        let index = self.borrowing(&slice, |g| g.expr(&usize, depth.saturating_sub(1)))?;
        let len = self.len_of(&slice);
        let index = Expr::new(Kind::Binary(Op::Rem, boxed(index), boxed(len)), usize);
        let at = Kind::Method(boxed(slice), "at_unchecked".to_owned(), vec![index]);
        let block = Block {
            stmts: Vec::new(),
            tail: Some(boxed(Expr::new(at, ty.clone()))),
        };
        Some(Expr::new(Kind::Block(block, true), ty.clone()))
    }

    /// An index, mostly in range.
    fn index(&mut self, slice: &Expr, depth: usize) -> Option<Expr> {
        let usize = scalar(Scalar::Usize);
        match self.rng.below(10) {
            0..=4 => {
                let text = self.rng.below(5).to_string();
                Some(Expr::new(Kind::Literal(text), usize))
            }
            5 if self.rng.chance(self.risk) => self.expr(&usize, depth),
            6 => {
                let len = self.len_of(slice);
                let index = self.expr(&usize, depth)?;
                Some(Expr::new(
                    Kind::Binary(Op::Rem, boxed(index), boxed(len)),
                    usize,
                ))
            }
            7 => {
                let len = self.len_of(slice);
                let one = Expr::new(Kind::Literal("1".to_owned()), usize.clone());
                Some(Expr::new(
                    Kind::Binary(Op::Sub, boxed(len), boxed(one)),
                    usize,
                ))
            }
            _ => {
                let int = self.some_int();
                let inner = self.expr(&int, depth)?;
                let index = Expr::new(Kind::Cast(boxed(inner)), usize.clone());
                let mask = Expr::new(Kind::Literal("3".to_owned()), usize.clone());
                Some(Expr::new(
                    Kind::Binary(Op::BitAnd, boxed(index), boxed(mask)),
                    usize,
                ))
            }
        }
    }

    fn len_of(&mut self, slice: &Expr) -> Expr {
        Expr::new(
            Kind::Method(boxed(slice.clone()), "len".to_owned(), Vec::new()),
            scalar(Scalar::Usize),
        )
    }

    fn slice(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let Ty::Memory { slice: true, .. } = ty else {
            return None;
        };
        let receiver = if self.rng.chance(80) {
            self.variable(ty, depth)?
        } else {
            self.expr(ty, depth - 1)?
        };
        let usize = scalar(Scalar::Usize);
        let number =
            |value: usize| Expr::new(Kind::Literal(value.to_string()), scalar(Scalar::Usize));
        let (start, end) = self.borrowing(&receiver, |g| {
            Some(match g.rng.below(6) {
                0 => (number(0), g.len_of(&receiver)),
                1 | 2 => {
                    let start = g.rng.below(3);
                    (number(start), g.len_of(&receiver))
                }
                3 => {
                    let start = g.rng.below(3);
                    (number(start), number(start + g.rng.below(4)))
                }
                4 if g.rng.chance(g.risk) => {
                    (g.expr(&usize, depth - 1)?, g.expr(&usize, depth - 1)?)
                }
                _ => {
                    let inner = g.expr(&usize, depth - 1)?;
                    let one = Expr::new(Kind::Literal("1".to_owned()), usize.clone());
                    let start =
                        Expr::new(Kind::Binary(Op::BitAnd, boxed(inner), boxed(one)), usize);
                    (start, g.len_of(&receiver))
                }
            })
        })?;
        let range = Expr::new(Kind::Range(boxed(start), boxed(end)), Ty::Unit);
        Some(Expr::new(
            Kind::Method(boxed(receiver), "slice".to_owned(), vec![range]),
            ty.clone(),
        ))
    }

    fn parenthesised(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let inner = self.expr(ty, depth - 1)?;
        Some(Expr::new(Kind::Paren(boxed(inner)), ty.clone()))
    }

    fn if_value(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let condition = self.expr(&scalar(Scalar::Bool), depth - 1)?;
        let then = self.value_branch(ty, depth - 1)?;
        let otherwise = if self.rng.chance(25)
            && let Some(inner) = self.if_value(ty, depth.max(2) - 1)
        {
            Block {
                stmts: Vec::new(),
                tail: Some(boxed(inner)),
            }
        } else {
            // One branch at least has a value.
            self.valued_block(ty, depth - 1)?
        };
        let (then, otherwise) = if self.rng.chance(50)
            && otherwise
                .tail
                .as_ref()
                .is_none_or(|tail| !matches!(tail.kind, Kind::If(..)))
        {
            (otherwise, then)
        } else {
            (then, otherwise)
        };
        Some(Expr::new(
            Kind::If(boxed(condition), then, otherwise),
            ty.clone(),
        ))
    }

    /// A branch with a value, or one that leaves.
    fn value_branch(&mut self, ty: &Ty, depth: usize) -> Option<Block> {
        if self.rng.chance(8) && self.no_jumps == 0 {
            let block = self.scoped(|g| {
                let mut stmts = Vec::new();
                g.effects(&mut stmts);
                stmts.push(g.jump()?);
                Some(Block { stmts, tail: None })
            });
            if block.is_some() {
                return block;
            }
        }
        self.valued_block(ty, depth)
    }

    pub(super) fn valued_block(&mut self, ty: &Ty, depth: usize) -> Option<Block> {
        self.scoped(|g| {
            let mut stmts = Vec::new();
            if g.rng.chance(30) {
                g.effects(&mut stmts);
            }
            let tail = g.expr(ty, depth)?;
            Some(Block {
                stmts,
                tail: Some(boxed(tail)),
            })
        })
    }

    /// A block that does something before it gives its value: the trap for evaluation order.
    fn block_value(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let block = self.scoped(|g| {
            let mut stmts: Vec<Stmt> = Vec::new();
            if g.rng.chance(85) {
                g.effects(&mut stmts);
            }
            let tail = g.expr(ty, depth - 1)?;
            Some(Block {
                stmts,
                tail: Some(boxed(tail)),
            })
        })?;
        let is_unsafe = self.rng.chance(8);
        Some(Expr::new(Kind::Block(block, is_unsafe), ty.clone()))
    }
}
