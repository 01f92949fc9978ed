//! Parts of locals, to read, to assign to and to refer to.

use super::{Gen, Var};
use crate::harness::ast::{Expr, Kind, Op, Param, Scalar, Stmt, Ty};

/// One step into a value.
#[derive(Clone, Debug)]
pub(super) enum Step {
    /// Of a tuple or struct.
    Field(String, Ty),
    /// Of an array of so many.
    Index(usize, Ty),
}

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

impl Gen {
    /// All ways to the parts of a type, three steps long at most.
    fn ways(&self, ty: &Ty, before: &[Step], ways: &mut Vec<(Vec<Step>, Ty)>) {
        ways.push((before.to_vec(), ty.clone()));
        if before.len() == 3 {
            return;
        }
        let steps: Vec<Step> = match ty {
            Ty::Array(elem, len) => vec![Step::Index(*len, (**elem).clone())],
            _ => self
                .fields(ty)
                .into_iter()
                .map(|(name, ty)| Step::Field(name, ty))
                .collect(),
        };
        for step in steps {
            let (Step::Field(_, part) | Step::Index(_, part)) = step.clone();
            let mut way = before.to_vec();
            way.push(step);
            self.ways(&part, &way, ways);
        }
    }

    /// A part of a local, or what a reference leads to.
    fn some_part(&mut self, fits: impl Fn(&Ty) -> bool, mutable: bool) -> Option<Expr> {
        let own = [self.fuel.clone(), self.trace.clone()];
        let mut found: Vec<(Var, Vec<Step>)> = Vec::new();
        for var in self.visible() {
            let (to, changes) = match &var.ty {
                Ty::Ref(mutable, to) => (&**to, *mutable),
                ty => (ty, var.mutable),
            };
            let taken = own.contains(&var.name)
                || self.hidden.contains(&var.name)
                || mutable && (!changes || self.borrowed.contains(&var.name));
            if taken || matches!(to, Ty::Memory { .. }) {
                continue;
            }
            let mut ways = Vec::new();
            self.ways(to, &[], &mut ways);
            for (way, ty) in ways {
                let whole = way.is_empty() && !matches!(var.ty, Ty::Ref(..));
                if fits(&ty) && !whole {
                    found.push((var.clone(), way));
                }
            }
        }
        if found.is_empty() {
            return None;
        }
        let (var, way) = self.rng.pick(&found).clone();
        self.place(&var, &way)
    }

    fn place(&mut self, var: &Var, way: &[Step]) -> Option<Expr> {
        let mut place = Expr::new(Kind::Var(var.name.clone()), var.ty.clone());
        if let Ty::Ref(_, to) = &var.ty {
            place.ty = (**to).clone();
            if way.is_empty() || self.rng.chance(20) {
                place = Expr::new(Kind::Unary('*', boxed(place)), (**to).clone());
            }
        }
        for step in way {
            place = match step {
                Step::Field(name, ty) => {
                    Expr::new(Kind::Field(boxed(place), name.clone()), ty.clone())
                }
                Step::Index(len, ty) => {
                    let index = self.borrowing(&place, |g| g.array_index(*len))?;
                    Expr::new(Kind::Index(boxed(place), boxed(index)), ty.clone())
                }
            };
        }
        Some(place)
    }

    /// An index of an array of `len`: mostly in range.
    pub(super) fn array_index(&mut self, len: usize) -> Option<Expr> {
        let usize = Ty::Scalar(Scalar::Usize);
        let number = |value: usize| {
            boxed(Expr::new(
                Kind::Literal(value.to_string()),
                Ty::Scalar(Scalar::Usize),
            ))
        };
        if len == 0 || self.rng.chance(50) {
            return Some(*number(self.rng.below(len.max(1))));
        }
        if self.rng.chance(25) && self.rng.chance(self.risk) {
            return self.expr(&usize, 2);
        }
        let inner = if self.rng.chance(50) {
            self.expr(&usize, 2)?
        } else {
            let int = self.some_int();
            let inner = self.expr(&int, 2)?;
            Expr::new(Kind::Cast(boxed(inner)), usize.clone())
        };
        let rest = Kind::Binary(Op::Rem, boxed(inner), number(len));
        Some(Expr::new(rest, usize))
    }

    /// `x.0`, `a[i]`, `*r`
    pub(super) fn part(&mut self, ty: &Ty, _: usize) -> Option<Expr> {
        self.some_part(|part| part == ty, false)
    }

    /// A part that may be assigned to.
    pub(super) fn part_to_assign(&mut self, fits: impl Fn(&Ty) -> bool) -> Option<Expr> {
        self.some_part(fits, true)
    }

    /// Makes some parameters of a device function tuples, arrays, structs, enums, or references.
    pub(super) fn aggregate_params(&mut self, params: &mut Vec<Param>) {
        for number in 0..self.rng.below(3) {
            let name = format!("p{number}");
            let ty = self.part_type(2);
            let ty = match self.rng.below(4) {
                0 => Ty::Ref(false, Box::new(ty)),
                1 | 2 => Ty::Ref(true, Box::new(ty)),
                _ => ty,
            };
            let mutable = !matches!(ty, Ty::Ref(..)) && self.rng.chance(40);
            params.push(Param { name, mutable, ty });
        }
    }

    /// The arguments of a device function: what a mutable reference leads to is not named again.
    pub(super) fn arguments(&mut self, types: &[Ty], depth: usize) -> Option<Vec<Expr>> {
        let (hidden, borrowed) = (self.hidden.len(), self.borrowed.len());
        let mut given: Vec<Option<Expr>> = vec![None; types.len()];
        let made = self.all_arguments(types, depth, &mut given);
        self.hidden.truncate(hidden);
        self.borrowed.truncate(borrowed);
        made?;
        given.into_iter().collect()
    }

    fn all_arguments(
        &mut self,
        types: &[Ty],
        depth: usize,
        given: &mut [Option<Expr>],
    ) -> Option<()> {
        // References first: what they take, the others leave.
        for (at, ty) in types.iter().enumerate() {
            if let Ty::Ref(mutable, to) = ty {
                let place = self.referred(to, *mutable)?;
                given[at] = Some(Expr::new(Kind::Ref(*mutable, boxed(place)), ty.clone()));
            }
        }
        for (at, ty) in types.iter().enumerate() {
            if given[at].is_none() {
                given[at] = Some(self.given(ty, depth)?);
            }
        }
        Some(())
    }

    /// A place for a reference; its local is not to be named while the reference is there.
    fn referred(&mut self, to: &Ty, mutable: bool) -> Option<Expr> {
        let place = if mutable {
            self.target_of(to)?
        } else {
            let whole = if self.rng.chance(60) {
                self.variable(to, 1)
            } else {
                None
            };
            whole
                .or_else(|| self.part(to, 1))
                .or_else(|| self.variable(to, 1))?
        };
        let name = root(&place)?;
        if mutable {
            self.hidden.push(name.clone());
        }
        self.borrowed.push(name);
        Some(place)
    }

    /// `core::mem::swap(&mut a, &mut b);`
    pub(super) fn swap(&mut self) -> Option<Vec<Stmt>> {
        let first = self.target()?;
        if matches!(first.ty, Ty::Memory { .. }) {
            return None;
        }
        let ty = first.ty.clone();
        let name = root(&first)?;
        self.hidden.push(name);
        let second = self.target_of(&ty);
        self.hidden.pop();
        let reference = |place: Expr| {
            let ty = Ty::Ref(true, Box::new(place.ty.clone()));
            Expr::new(Kind::Ref(true, boxed(place)), ty)
        };
        let arguments = vec![reference(first), reference(second?)];
        let name = *self.rng.pick(&["core::mem::swap", "std::mem::swap"]);
        Some(vec![Stmt::Expr(Expr::new(
            Kind::Call(name.to_owned(), arguments),
            Ty::Unit,
        ))])
    }
}

/// The local that a place is part of.
pub(super) fn root(place: &Expr) -> Option<String> {
    match &place.kind {
        Kind::Var(name) => Some(name.clone()),
        Kind::Paren(inner)
        | Kind::Field(inner, _)
        | Kind::Index(inner, _)
        | Kind::Unary('*', inner) => root(inner),
        _ => None,
    }
}
