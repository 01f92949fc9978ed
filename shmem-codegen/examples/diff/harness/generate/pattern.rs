//! Patterns that may not match, and what takes them: `match` on more than numbers, `if let`, `while let`, `let ... else`;
//! blocks with labels.

use super::{Frame, Gen, same};
use crate::harness::ast::{Block, Expr, Kind, Scalar, Stmt, Ty};
use crate::harness::print::positional;

/// A name that a pattern binds, its type, and whether it is `mut`.
pub(super) type Bound = (String, Ty, bool);

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

impl Gen {
    pub(super) fn declare_all(&mut self, bound: &[Bound]) {
        for (name, ty, mutable) in bound {
            self.declare(name, ty.clone(), *mutable);
        }
    }

    /// A pattern of `ty` that may not match.
    fn refutable(&mut self, ty: &Ty, bound: &mut Vec<Bound>) -> Option<String> {
        let variants = self.variants(ty);
        if !variants.is_empty() {
            let (one, other) = (self.rng.pick(&variants).clone(), self.rng.pick(&variants));
            let either = one != *other && self.rng.chance(25);
            return Some(if either {
                format!("({one} | {other})")
            } else {
                one
            });
        }
        let fields = self.fields(ty);
        let parts: Vec<Ty> = match ty {
            Ty::Array(elem, len) => vec![(**elem).clone(); *len],
            _ => fields.iter().map(|field| field.1.clone()).collect(),
        };
        if parts.is_empty() {
            return self.refutable_number(ty, bound);
        }
        let tested = self.rng.below(parts.len());
        let mut texts = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            let text = if at == tested || self.rng.chance(25) {
                self.refutable(part, bound)?
            } else if self.rng.chance(50) {
                "_".to_owned()
            } else {
                self.apart(part, bound)?
            };
            texts.push(text);
        }
        let tuple = fields.first().is_some_and(|field| positional(&field.0));
        Some(match ty {
            Ty::Array(..) => format!("[{}]", texts.join(", ")),
            Ty::Named(name) if tuple => format!("{name}({})", texts.join(", ")),
            Ty::Named(name) => {
                let fields: Vec<String> = fields
                    .iter()
                    .zip(&texts)
                    .map(|((field, _), text)| format!("{field}: {text}"))
                    .collect();
                format!("{name} {{ {} }}", fields.join(", "))
            }
            _ if texts.len() == 1 => format!("({},)", texts[0]),
            _ => format!("({})", texts.join(", ")),
        })
    }

    fn refutable_number(&mut self, ty: &Ty, bound: &mut Vec<Bound>) -> Option<String> {
        if ty.is(Scalar::Bool) {
            return Some((*self.rng.pick(&["true", "false"])).to_owned());
        }
        let Some(int) = ty.int() else {
            // Floats are in no pattern.
            return self.apart(ty, bound);
        };
        let text = self.pattern(int);
        if self.rng.chance(75) {
            return Some(format!("({text})"));
        }
        let free = |name: &String| bound.iter().all(|(known, ..)| !same(known, name));
        let name = self.name(free)?;
        bound.push((name.clone(), ty.clone(), false));
        Some(format!("{name} @ ({text})"))
    }

    /// A type whose patterns may not match.
    fn tested_type(&mut self) -> Ty {
        if self.rng.chance(40) {
            return self.some_int();
        }
        self.aggregate(1)
    }

    /// A scrutinee that is no number, and patterns that cover it.
    #[allow(clippy::type_complexity)]
    pub(super) fn whole_patterns(
        &mut self,
        depth: usize,
    ) -> Option<(Expr, Vec<(String, Vec<Bound>, bool)>)> {
        let of = self.aggregate(1);
        let scrutinee = self.expr(&of, depth.max(2) - 1)?;
        let variants = self.variants(&of);
        let mut patterns = Vec::new();
        if !variants.is_empty() && self.rng.chance(50) {
            for (at, variant) in variants.iter().enumerate() {
                let last = at + 1 == variants.len();
                patterns.push((variant.clone(), Vec::new(), last));
            }
            // None of them may have a guard.
            patterns.iter_mut().for_each(|row| row.2 = true);
            return Some((scrutinee, patterns));
        }
        for _ in 0..1 + self.rng.below(3) {
            let mut bound = Vec::new();
            let text = self.refutable(&of, &mut bound)?;
            patterns.push((text, bound, false));
        }
        let mut bound = Vec::new();
        let text = match self.rng.chance(40) && variants.is_empty() {
            true => self.apart(&of, &mut bound)?,
            false => "_".to_owned(),
        };
        patterns.push((text, bound, true));
        Some((scrutinee, patterns))
    }

    fn condition_let(&mut self, bound: &mut Vec<Bound>) -> Option<Expr> {
        let of = self.tested_type();
        let value = self.expr(&of, 3)?;
        let pattern = self.refutable(&of, bound)?;
        let condition = Kind::Let(pattern, boxed(value));
        Some(Expr::new(condition, Ty::Scalar(Scalar::Bool)))
    }

    /// `if let pattern = value { ... }`
    pub(super) fn if_let(&mut self) -> Option<Vec<Stmt>> {
        if self.depth > 5 {
            return None;
        }
        let mut bound = Vec::new();
        let condition = self.condition_let(&mut bound)?;
        let then = self.scoped(|g| {
            g.declare_all(&bound);
            g.body(&[], true)
        });
        let otherwise = self.rng.chance(50).then(|| self.body(&[], true));
        Some(vec![Stmt::If(condition, then, otherwise)])
    }

    /// `if let pattern = value { a } else { b }`
    pub(super) fn if_let_value(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if self.depth > 5 {
            return None;
        }
        let mut bound = Vec::new();
        let condition = self.condition_let(&mut bound)?;
        let then = self.scoped(|g| {
            g.declare_all(&bound);
            g.valued_block(ty, depth - 1)
        })?;
        let otherwise = self.valued_block(ty, depth - 1)?;
        let choice = Kind::If(boxed(condition), then, otherwise);
        Some(Expr::new(choice, ty.clone()))
    }

    /// `while let pattern = value { ... }`
    pub(super) fn while_let(&mut self) -> Option<Vec<Stmt>> {
        if self.depth > 4 {
            return None;
        }
        let mut bound = Vec::new();
        self.no_jumps += 1;
        let condition = self.condition_let(&mut bound);
        self.no_jumps -= 1;
        let label = self.label();
        let fuel = self.fuel_check();
        let body = self.framed(&label, &fuel, |g| g.declare_all(&bound));
        Some(vec![Stmt::While(label, condition?, body)])
    }

    /// `let pattern: ty = value else { leave };`
    pub(super) fn let_else(&mut self) -> Option<Vec<Stmt>> {
        let of = self.tested_type();
        let value = self.expr(&of, 3)?;
        let mut bound = Vec::new();
        let pattern = self.refutable(&of, &mut bound)?;
        let otherwise = self.scoped(|g| {
            let mut stmts = Vec::new();
            g.effects(&mut stmts);
            stmts.push(g.jump()?);
            Some(Block { stmts, tail: None })
        })?;
        self.declare_all(&bound);
        Some(vec![Stmt::LetElse(pattern, of, value, otherwise)])
    }

    /// `'block: { ... break 'block value; ... value }`
    pub(super) fn labelled_block(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if self.depth > 5 || matches!(ty, Ty::Memory { .. }) {
            return None;
        }
        self.fresh += 1;
        let label = format!("'block{}", self.fresh);
        self.frames.push(Frame {
            label: None,
            value: None,
            block: true,
        });
        let block = self.scoped(|g| {
            let mut stmts = Vec::new();
            g.effects(&mut stmts);
            for _ in 0..1 + g.rng.below(2) {
                let condition = g.expr(&Ty::Scalar(Scalar::Bool), 2)?;
                let then = g.scoped(|g| {
                    let mut stmts = Vec::new();
                    g.effects(&mut stmts);
                    let value = g.expr(ty, depth - 1)?;
                    stmts.push(Stmt::Break(Some(label.clone()), Some(value)));
                    Some(Block { stmts, tail: None })
                })?;
                stmts.push(Stmt::If(condition, then, None));
                g.effects(&mut stmts);
            }
            if g.rng.chance(30) {
                // From inside of a loop.
                let mut first = g.fuel_check().to_vec();
                let condition = g.expr(&Ty::Scalar(Scalar::Bool), 2)?;
                let value = g.expr(ty, 1)?;
                let then = Block {
                    stmts: vec![Stmt::Break(Some(label.clone()), Some(value))],
                    tail: None,
                };
                first.push(Stmt::If(condition, then, None));
                let body = Block {
                    stmts: first,
                    tail: None,
                };
                stmts.push(Stmt::Loop(None, body));
            }
            let tail = g.expr(ty, depth - 1)?;
            Some(Block {
                stmts,
                tail: Some(boxed(tail)),
            })
        });
        self.frames.pop();
        Some(Expr::new(Kind::Labelled(label, block?), ty.clone()))
    }
}
