//! Expressions that aim at one mistake each: what random ones hit too seldom.

use super::Gen;
use crate::harness::ast::{Block, Expr, INTS, Kind, Op, Scalar, Stmt, Ty};

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

impl Gen {
    /// `x ^ { x = value; other }`: the left side counts as it was.
    pub(super) fn changed_behind(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let scalar = ty.scalar()?;
        let ops: &[Op] = match scalar {
            Scalar::Bool => &[Op::BitXor, Op::BitAnd],
            Scalar::F32 | Scalar::F64 | Scalar::F16 | Scalar::Bf16 if !self.exact => {
                &[Op::Add, Op::Sub]
            }
            int if int.is_int() && self.rng.chance(self.risk) => &[Op::Add, Op::Sub, Op::Mul],
            int if int.is_int() => &[Op::BitXor, Op::BitAnd, Op::BitOr],
            _ => return None,
        };
        let op = *self.rng.pick(ops);
        let place = self.target_of(ty)?;
        let value = self.given(ty, depth - 1)?;
        let other = if self.rng.chance(50) {
            place.clone()
        } else {
            self.expr(ty, 1)?
        };
        let block = Block {
            stmts: vec![Stmt::Assign(place.clone(), None, value)],
            tail: Some(boxed(other)),
        };
        let block = Expr::new(Kind::Block(block, false), ty.clone());
        let (left, right) = if self.rng.chance(85) {
            (place, block)
        } else {
            (block, place)
        };
        Some(Expr::new(
            Kind::Binary(op, boxed(left), boxed(right)),
            ty.clone(),
        ))
    }

    /// `!x > y` and `!x as u64` of small numbers, which C++ makes wider.
    pub(super) fn small_not(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let small = Ty::Scalar(*self.rng.pick(&[Scalar::U8, Scalar::U16]));
        let wide = ty.int().is_some_and(|int| int.size() > 2);
        if !wide && !ty.is(Scalar::Bool) {
            return None;
        }
        let inner = self
            .variable(&small, 1)
            .or_else(|| self.load(&small, 1))
            .or_else(|| self.expr(&small, 1))?;
        let not = boxed(Expr::new(Kind::Unary('!', boxed(inner)), small.clone()));
        if wide {
            return Some(Expr::new(Kind::Cast(not), ty.clone()));
        }
        let op = *self.rng.pick(&[Op::Eq, Op::Lt, Op::Ge, Op::Gt]);
        let other = self.beside(&small, depth - 1)?;
        Some(Expr::new(Kind::Binary(op, not, boxed(other)), ty.clone()))
    }

    /// A float that does not fit, or is no number, as an integer.
    pub(super) fn float_to_int(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        ty.int()?;
        let from = Ty::Scalar(*self.rng.pick(&[Scalar::F32, Scalar::F32, Scalar::F64]));
        let inner = self
            .variable(&from, 1)
            .or_else(|| self.load(&from, 1))
            .or_else(|| self.constant(&from, 1))?;
        let inner = if self.exact || self.rng.chance(50) {
            inner
        } else {
            let factor = self.expr(&from, depth - 1)?;
            Expr::new(Kind::Binary(Op::Mul, boxed(inner), boxed(factor)), from)
        };
        Some(Expr::new(Kind::Cast(boxed(inner)), ty.clone()))
    }

    /// `(x as u8) as i64`: bits lost, then a sign or none.
    pub(super) fn cast_twice(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        ty.int()?;
        let middle = Ty::Scalar(*self.rng.pick(&INTS));
        let from = self.some_int();
        let inner = self.expr(&from, depth - 1)?;
        let cast = Expr::new(Kind::Cast(boxed(inner)), middle);
        Some(Expr::new(Kind::Cast(boxed(cast)), ty.clone()))
    }

    /// `-x` of what is often the smallest number.
    pub(super) fn negated_least(&mut self, ty: &Ty, _: usize) -> Option<Expr> {
        let int = ty.int().filter(|int| int.signed())?;
        if !self.rng.chance(self.risk) {
            return None;
        }
        let least = Expr::new(Kind::Literal(format!("{}::MIN", int.name())), ty.clone());
        let some = self.variable(ty, 1).or_else(|| self.load(ty, 1))?;
        let op = *self.rng.pick(&[Op::BitOr, Op::BitAnd]);
        let inner = Kind::Binary(op, boxed(some), boxed(least));
        let inner = Expr::new(inner, ty.clone());
        Some(Expr::new(Kind::Unary('-', boxed(inner)), ty.clone()))
    }

    /// `a * 0.1 - b`, shown: rounded once it is another number than rounded twice.
    pub(super) fn show_product(&mut self) -> Option<Vec<Stmt>> {
        if self.in_helper || self.exact {
            return None;
        }
        let f32 = Ty::Scalar(Scalar::F32);
        let some = |g: &mut Self| {
            let known = g.load(&f32, 1).or_else(|| g.variable(&f32, 1));
            known.or_else(|| {
                let int = g.some_int();
                let inner = g.variable(&int, 1)?;
                Some(Expr::new(Kind::Cast(boxed(inner)), f32.clone()))
            })
        };
        let number = |text: &str| Expr::new(Kind::Literal(text.to_owned()), f32.clone());
        let binary =
            |op: Op, a: Expr, b: Expr| Expr::new(Kind::Binary(op, boxed(a), boxed(b)), f32.clone());
        let left = some(self)?;
        let factors = ["0.1", "0.3333333", "1.1f32", "16777217.0"];
        let factor = *self.rng.pick(&factors);
        let right = number(factor);
        let product = binary(Op::Mul, left, right);
        let other = match self.rng.below(3) {
            0 => {
                let summand = *self.rng.pick(&["0.01", "0.23f32", "-0.1"]);
                number(summand)
            }
            1 => product.clone(),
            _ => some(self)?,
        };
        let value = match self.rng.below(3) {
            0 => binary(Op::Add, product, other),
            1 => binary(Op::Sub, product, other),
            _ => binary(Op::Sub, other, product),
        };
        Some(vec![self.result(value)])
    }
}
