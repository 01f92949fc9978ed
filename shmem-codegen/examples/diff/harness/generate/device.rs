//! What stands beside a kernel: device functions and constants.

use super::Gen;
use crate::harness::ast::{Block, Expr, Helper, Kind, Scalar, Stmt, Ty};

impl Gen {
    /// Makes constants, then functions, for the kernel `name`.
    pub(super) fn module_items(&mut self, name: &str) {
        self.reserved.push(name.to_owned());
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
        let params = self.params();
        for param in &params {
            self.declare(&param.name, param.ty.clone(), param.mutable);
        }
        let ty = if self.rng.chance(75) {
            self.some_scalar()
        } else {
            Ty::Unit
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
        let name = self.helpers[at].name.clone();
        let types: Vec<Ty> = self.helpers[at]
            .params
            .iter()
            .map(|param| param.ty.clone())
            .collect();
        let mut arguments = Vec::new();
        for ty in types {
            arguments.push(self.given(&ty, depth.saturating_sub(1))?);
        }
        Some(Expr::new(Kind::Call(name, arguments), ty.clone()))
    }

    /// A call for what it does.
    pub(super) fn helper_statement(&mut self) -> Option<Vec<Stmt>> {
        let call = self.helper_call(&Ty::Unit, 3)?;
        Some(vec![Stmt::Expr(call)])
    }
}
