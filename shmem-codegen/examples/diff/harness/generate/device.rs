//! What stands beside a kernel: device functions and constants.

use super::Gen;
use crate::harness::ast::{Block, Expr, Helper, Kind, Scalar, Stmt, Ty};

impl Gen {
    /// Makes constants, then functions, for the kernel `name`.
    pub(super) fn module_items(&mut self, name: &str) {
        self.reserved.push(name.to_owned());
        self.named_types();
        if self.rng.chance(25) {
            for number in 0..1 + self.rng.below(3) {
                self.module_constant(number);
            }
        }
        if self.rng.chance(35) {
            for number in 0..1 + self.rng.below(3) {
                self.helper(number);
            }
        }
    }

    fn module_constant(&mut self, number: usize) {
        let floats = self.rng.chance(20);
        let ty = match self.scalar(floats) {
            Scalar::F16 | Scalar::Bf16 | Scalar::CChar => return,
            scalar => Ty::Scalar(scalar),
        };
        let Some(Kind::Literal(value)) = self.literal_of(&ty, true).map(|literal| literal.kind)
        else {
            return;
        };
        let value = match (ty.int(), self.rng.below(4)) {
            (Some(int), 0) => format!("{value} & {}::MAX", int.name()),
            (Some(int), 1) => format!("({value} | 1 as {}) >> 1", int.name()),
            _ => value,
        };
        let name = if self.rng.chance(30) {
            (*self.rng.pick(&["NULL", "EOF", "INT_MAX", "M_PI", "TRUE"])).to_owned()
        } else {
            format!("LIMIT_{number}")
        };
        if self.reserved.contains(&name) {
            return;
        }
        self.reserved.push(name.clone());
        self.constants.push((name, ty, value));
    }

    /// The name of a constant of the module.
    pub(super) fn named_constant(&mut self, ty: &Ty, _: usize) -> Option<Expr> {
        let fitting: Vec<String> = self
            .constants
            .iter()
            .filter(|(_, of, _)| of == ty)
            .map(|(name, ..)| name.clone())
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let name = self.rng.pick(&fitting).clone();
        Some(Expr::new(Kind::Literal(name), ty.clone()))
    }

    fn helper(&mut self, number: usize) {
        let name = match self.rng.chance(20) {
            true => self.name(|name| !matches!(name.as_str(), "shmem" | "u8" | "i32" | "main")),
            false => None,
        };
        let name = name.unwrap_or_else(|| format!("helper_{number}"));
        self.reserved.push(name.clone());
        let scopes = std::mem::replace(&mut self.scopes, vec![Vec::new()]);
        let budget = std::mem::replace(&mut self.budget, 2 + number);
        self.in_helper = true;
        let mut params = self.params();
        // Who calls it has not always such memory.
        params.retain(|param| !matches!(param.ty, Ty::Memory { .. }) || self.rng.chance(30));
        self.aggregate_params(&mut params);
        for param in &params {
            self.declare(&param.name, param.ty.clone(), param.mutable);
        }
        let ty = match self.rng.below(8) {
            0 | 1 => Ty::Unit,
            2 | 3 => self.aggregate(2),
            _ => self.some_scalar(),
        };
        self.returns = (ty != Ty::Unit).then(|| ty.clone());
        self.scopes.push(Vec::new());
        let mut stmts = vec![Stmt::Let {
            pattern: format!("mut {}", self.fuel),
            ty: None,
            init: Some(Expr::new(
                Kind::Literal("9".to_owned()),
                Ty::Scalar(Scalar::I32),
            )),
        }];
        for param in &params {
            if let Ty::Ref(true, to) = &param.ty
                && self.rng.chance(70)
                && let Some(value) = self.expr(to, 2)
            {
                let reference = Expr::new(Kind::Var(param.name.clone()), param.ty.clone());
                let place = Kind::Unary('*', Box::new(reference));
                let place = Expr::new(place, (**to).clone());
                stmts.push(Stmt::Assign(place, None, value));
            }
        }
        while self.budget > 0 {
            self.statement(&mut stmts);
        }
        let tail = if ty == Ty::Unit {
            None
        } else {
            self.expr(&ty, 3)
        };
        let complete = ty == Ty::Unit || tail.is_some();
        self.returns = None;
        self.in_helper = false;
        self.scopes = scopes;
        self.budget = budget;
        if complete {
            let body = Block {
                stmts,
                tail: tail.map(Box::new),
            };
            self.helpers.push(Helper {
                name,
                params,
                ty,
                body,
            });
        }
    }

    /// A call of a helper that gives `ty`.
    pub(super) fn helper_call(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let fitting: Vec<usize> = (0..self.helpers.len())
            .filter(|&at| self.helpers[at].ty == *ty)
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let at = *self.rng.pick(&fitting);
        self.call_of(at, depth)
    }

    fn call_of(&mut self, at: usize, depth: usize) -> Option<Expr> {
        let (name, ty) = (self.helpers[at].name.clone(), self.helpers[at].ty.clone());
        let types: Vec<Ty> = self.helpers[at]
            .params
            .iter()
            .map(|param| param.ty.clone())
            .collect();
        let arguments = self.arguments(&types, depth.saturating_sub(1))?;
        Some(Expr::new(Kind::Call(name, arguments), ty))
    }

    /// A call for what it does: what its references lead to is shown.
    pub(super) fn helper_statement(&mut self) -> Option<Vec<Stmt>> {
        if self.helpers.is_empty() {
            return None;
        }
        let known = self.scopes.last().map_or(0, Vec::len);
        for _ in 0..3 {
            let made = self.call_with_places();
            if made.is_some() {
                return made;
            }
            if let Some(scope) = self.scopes.last_mut() {
                scope.truncate(known);
            }
        }
        None
    }

    fn call_with_places(&mut self) -> Option<Vec<Stmt>> {
        let at = self.rng.below(self.helpers.len());
        let mut stmts = Vec::new();
        let mut places = Vec::new();
        for param in self.helpers[at].params.clone() {
            if let Ty::Ref(mutable, to) = param.ty
                && (mutable || self.rng.chance(40))
            {
                self.fresh += 1;
                let name = format!("r{}", self.fresh);
                let init = self.expr(&to, 2)?;
                self.declare(&name, (*to).clone(), true);
                places.push(Expr::new(Kind::Var(name.clone()), (*to).clone()));
                stmts.push(Stmt::Let {
                    pattern: format!("mut {name}"),
                    ty: Some(*to),
                    init: Some(init),
                });
            }
        }
        let call = self.call_of(at, 3)?;
        if call.ty == Ty::Unit {
            stmts.push(Stmt::Expr(call));
        } else {
            let name = self.name(|_| true)?;
            self.declare(&name, call.ty.clone(), false);
            stmts.push(Stmt::Let {
                pattern: name,
                ty: None,
                init: Some(call),
            });
        }
        if !self.in_helper {
            let shadowed = |g: &Self, name: &str| {
                let visible = g.visible();
                visible.iter().any(|var| var.name == name && !var.mutable)
            };
            let mut values = Vec::new();
            for place in places {
                if let Kind::Var(name) = &place.kind
                    && !shadowed(self, name)
                {
                    self.leaves(place, &mut values);
                }
            }
            for value in values.into_iter().take(4) {
                stmts.push(self.result(value));
            }
        }
        Some(stmts)
    }
}
