//! `match`, loops with a value, assertions and panics, locals that get their value later, steps of ranges.

use super::pattern::Bound;
use super::{Frame, Gen};
use crate::harness::ast::{Arm, Block, Expr, Kind, Op, Scalar, Stmt, Ty};

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

impl Gen {
    /// `match` with a value.
    pub(super) fn match_value(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if self.depth > 5 {
            return None;
        }
        let (scrutinee, patterns) = self.patterns(depth)?;
        let mut arms = Vec::new();
        for (pattern, bound, last) in patterns {
            let leaves = !last && self.rng.chance(6);
            let arm = self.scoped(|g| {
                g.declare_all(&bound);
                let mutable = bound.iter().any(|bound| bound.2);
                let guard = if !last && !mutable && g.rng.chance(25) {
                    Some(g.borrowing(&scrutinee, |g| {
                        g.expr(&Ty::Scalar(Scalar::Bool), depth.min(2))
                    })?)
                } else {
                    None
                };
                let body = if leaves && let Some(jump) = g.leave() {
                    jump
                } else {
                    g.expr(ty, depth - 1)?
                };
                Some(Arm {
                    pattern,
                    guard,
                    body,
                })
            })?;
            arms.push(arm);
        }
        Some(Expr::new(Kind::Match(boxed(scrutinee), arms), ty.clone()))
    }

    /// What leaves in the place of a value.
    fn leave(&mut self) -> Option<Expr> {
        if self.rng.chance(30) {
            return Some(self.panic_call());
        }
        let jump = self.jump()?;
        let block = Block {
            stmts: vec![jump],
            tail: None,
        };
        Some(Expr::new(Kind::Block(block, false), Ty::Unit))
    }

    /// `match` as a statement.
    pub(super) fn match_statement(&mut self) -> Option<Vec<Stmt>> {
        if self.depth > 4 {
            return None;
        }
        let (scrutinee, patterns) = self.patterns(3)?;
        let mut arms = Vec::new();
        for (pattern, bound, last) in patterns {
            let arm = self.scoped(|g| {
                g.declare_all(&bound);
                let mutable = bound.iter().any(|bound| bound.2);
                let guard = if !last && !mutable && g.rng.chance(25) {
                    Some(g.borrowing(&scrutinee, |g| g.expr(&Ty::Scalar(Scalar::Bool), 2))?)
                } else {
                    None
                };
                let body = Expr::new(Kind::Block(g.body(&[], true), false), Ty::Unit);
                Some(Arm {
                    pattern,
                    guard,
                    body,
                })
            })?;
            arms.push(arm);
        }
        let matched = Expr::new(Kind::Match(boxed(scrutinee), arms), Ty::Unit);
        Some(vec![Stmt::Expr(matched)])
    }

    /// A scrutinee and patterns that cover it: text, names bound, whether it is the last.
    #[allow(clippy::type_complexity)]
    fn patterns(&mut self, depth: usize) -> Option<(Expr, Vec<(String, Vec<Bound>, bool)>)> {
        if self.rng.chance(35) {
            return self.whole_patterns(depth);
        }
        if self.rng.chance(15) {
            let scrutinee = self.expr(&Ty::Scalar(Scalar::Bool), depth.max(2) - 1)?;
            let texts = *self
                .rng
                .pick(&[["true", "false"], ["false", "true"], ["true", "_"]]);
            let patterns = vec![
                (texts[0].to_owned(), Vec::new(), texts[1] != "_"),
                (texts[1].to_owned(), Vec::new(), true),
            ];
            return Some((scrutinee, patterns));
        }
        let of = self.some_int();
        let int = of.int()?;
        let (min, max) = int.range();
        let scrutinee = self.expr(&of, depth.max(2) - 1)?;
        let mut patterns = Vec::new();
        if self.rng.chance(12) && !matches!(int, Scalar::Isize | Scalar::Usize) {
            // Without a last arm that takes all.
            let middle = self.edge_of(int).clamp(min, max - 1);
            patterns.push((format!("{}::MIN..={middle}", int.name()), Vec::new(), true));
            let upper = format!("{}..={}::MAX", middle + 1, int.name());
            patterns.push((upper, Vec::new(), true));
            return Some((scrutinee, patterns));
        }
        for _ in 0..1 + self.rng.below(4) {
            let mut pattern = self.pattern(int);
            if self.rng.chance(20) {
                pattern = format!("{pattern} | {}", self.pattern(int));
            }
            let mut bound = Vec::new();
            if self.rng.chance(20)
                && let Some(name) =
                    self.name(|name| !matches!(name.as_str(), "u8" | "i32" | "shmem"))
            {
                let mutable = self.rng.chance(20);
                let inner = if pattern.contains('|') || self.rng.chance(30) {
                    format!("({pattern})")
                } else {
                    pattern
                };
                pattern = format!("{}{name} @ {inner}", if mutable { "mut " } else { "" });
                bound.push((name, of.clone(), mutable));
            }
            patterns.push((pattern, bound, false));
        }
        if self.rng.chance(45)
            && let Some(name) = self.name(|_| true)
        {
            patterns.push((name.clone(), vec![(name, of, false)], true));
        } else {
            patterns.push(("_".to_owned(), Vec::new(), true));
        }
        Some((scrutinee, patterns))
    }

    pub(super) fn pattern(&mut self, int: Scalar) -> String {
        let (min, max) = int.range();
        let low = self.edge_of(int);
        let suffix = if self.rng.chance(20) { int.name() } else { "" };
        let number = |value: i128| {
            if value == min && suffix.is_empty() {
                format!("{}::MIN", int.name())
            } else {
                format!("{value}{suffix}")
            }
        };
        let high = low.saturating_add(self.rng.below(6) as i128).min(max);
        match self.rng.below(8) {
            0 => format!("{}..={}", number(low), number(high)),
            1 if high > low => format!("{}..{}", number(low), number(high)),
            2 => format!("..={}", number(low)),
            3 => format!("{}..", number(low)),
            4 if low > min => format!("..{}", number(low)),
            5 if low < max => format!("{}..{}::MAX", number(low), int.name()),
            6 => format!("{}::MAX", int.name()),
            _ => number(low),
        }
    }

    /// `loop { ... break value; }`
    pub(super) fn loop_value(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if self.frames.len() > 2 || self.budget < 2 || self.depth > 4 {
            return None;
        }
        let label = self.label();
        self.frames.push(Frame {
            label: label.clone(),
            value: Some(ty.clone()),
            block: false,
        });
        let no_jumps = std::mem::take(&mut self.no_jumps);
        let body = self.scoped(|g| {
            let at_end = g.expr(ty, 1)?;
            let mut first = g.fuel_check();
            if let Stmt::If(_, block, _) = &mut first[0] {
                block.stmts = vec![Stmt::Break(None, Some(at_end))];
            }
            let mut body = g.body(&first, false);
            let value = g.expr(ty, depth - 1)?;
            let end = Stmt::Break(label.clone().filter(|_| g.rng.chance(30)), Some(value));
            if g.rng.chance(60) {
                let condition = g.expr(&Ty::Scalar(Scalar::Bool), 2)?;
                let then = Block {
                    stmts: vec![end],
                    tail: None,
                };
                body.stmts.push(Stmt::If(condition, then, None));
            } else {
                body.stmts.push(end);
            }
            Some(body)
        });
        self.no_jumps = no_jumps;
        self.frames.pop();
        Some(Expr::new(Kind::Loop(label, body?), ty.clone()))
    }

    /// `let x; if c { x = a; } else { x = b; }`
    pub(super) fn let_later(&mut self) -> Option<Vec<Stmt>> {
        let ty = self.some_scalar();
        let name = self.name(|_| true)?;
        let shadows = self
            .visible()
            .into_iter()
            .any(|var| super::same(&var.name, &name));
        // The values may not name it yet.
        if shadows {
            return None;
        }
        let place = || Expr::new(Kind::Var(name.clone()), ty.clone());
        let set = |value: Expr| Stmt::Assign(place(), None, value);
        let condition = self.expr(&Ty::Scalar(Scalar::Bool), 3)?;
        let one = self.valued_block(&ty, 3)?;
        let two = self.valued_block(&ty, 3)?;
        let branch = |block: Block| {
            let mut stmts = block.stmts;
            stmts.extend(block.tail.map(|tail| set(*tail)));
            Block { stmts, tail: None }
        };
        let mutable = self.rng.chance(30);
        let declare = Stmt::Let {
            pattern: if mutable {
                format!("mut {name}")
            } else {
                name.clone()
            },
            ty: Some(ty.clone()),
            init: None,
        };
        let choose = Stmt::If(condition, branch(one), Some(branch(two)));
        self.declare(&name, ty, mutable);
        Some(vec![declare, choose])
    }

    /// An assertion, which mostly holds.
    pub(super) fn assertion(&mut self) -> Option<Vec<Stmt>> {
        self.all_borrowed(Self::some_assertion)
    }

    /// Where nothing is assigned to: the arguments of these macros borrow what they name.
    fn all_borrowed<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        let names: Vec<String> = self
            .visible()
            .into_iter()
            .map(|var| var.name.clone())
            .collect();
        let before = self.borrowed.len();
        self.borrowed.extend(names);
        let made = run(self);
        self.borrowed.truncate(before);
        made
    }

    fn some_assertion(&mut self) -> Option<Vec<Stmt>> {
        let bool = Ty::Scalar(Scalar::Bool);
        let mut arguments = Vec::new();
        let name = if self.rng.chance(50) {
            let mut condition = self.expr(&bool, 2)?;
            if !self.rng.chance(self.risk) {
                let held = Expr::new(Kind::Literal("true".to_owned()), bool.clone());
                condition = Expr::new(Kind::Binary(Op::Or, boxed(held), boxed(condition)), bool);
            }
            arguments.push(condition);
            *self.rng.pick(&["assert!", "assert!", "debug_assert!"])
        } else {
            if !self.rng.chance(self.risk) {
                return None;
            }
            let of = self.some_scalar();
            let left = self.expr(&of, 2)?;
            let right = if self.rng.chance(30) {
                left.clone()
            } else {
                self.beside(&of, 2)?
            };
            arguments.extend([left, right]);
            let names = [
                "assert_eq!",
                "assert_ne!",
                "debug_assert_eq!",
                "debug_assert_ne!",
            ];
            *self.rng.pick(&names)
        };
        let one = arguments.len() == 1;
        if self.rng.chance(40) || one && !simple(&arguments[0]) {
            let most = if one { 3 } else { 1 };
            self.text(&mut arguments, most);
        }
        Some(vec![Stmt::Expr(Expr::new(
            Kind::Call(name.to_owned(), arguments),
            Ty::Unit,
        ))])
    }

    /// `shmem::print!("...", values)`
    pub(super) fn print_statement(&mut self) -> Option<Vec<Stmt>> {
        let mut arguments = Vec::new();
        self.all_borrowed(|g| g.text(&mut arguments, 6));
        Some(vec![Stmt::Expr(Expr::new(
            Kind::Call("shmem::print!".to_owned(), arguments),
            Ty::Unit,
        ))])
    }

    /// A panic under a condition.
    pub(super) fn panic_statement(&mut self) -> Option<Vec<Stmt>> {
        if !self.rng.chance(self.risk) {
            return None;
        }
        let condition = self.expr(&Ty::Scalar(Scalar::Bool), 3)?;
        let block = Block {
            stmts: vec![Stmt::Expr(self.panic_call())],
            tail: None,
        };
        Some(vec![Stmt::If(condition, block, None)])
    }

    fn panic_call(&mut self) -> Expr {
        let names = ["panic!", "unreachable!", "todo!", "unimplemented!"];
        let name = *self.rng.pick(&names);
        let mut arguments = Vec::new();
        if self.rng.chance(75) {
            self.all_borrowed(|g| g.text(&mut arguments, 3));
        }
        Expr::new(Kind::Call(name.to_owned(), arguments), Ty::Unit)
    }

    /// Adds the text of a panic, with some values.
    fn text(&mut self, arguments: &mut Vec<Expr>, most: usize) {
        // Who leaves from here does not panic.
        self.no_jumps += 1;
        let mut text =
            (*self
                .rng
                .pick(&["no", "a {{ b", "50% \\\" \\\\", "line\\n", "größe", "?"]))
            .to_owned();
        let (mut values, mut again) = (Vec::new(), 0);
        for _ in 0..self.rng.below(most + 1) {
            let of = self.some_scalar();
            if self.rng.chance(30)
                && let Some(var) = self.variable(&of, 1)
                && let Kind::Var(name) = var.kind
                && !name.starts_with("r#")
            {
                text.push_str(&format!(" {{{name}{}}}", self.rng.pick(&["", ":?"])));
                // It counts as a value too.
                if values.len() + again + 1 >= most {
                    break;
                }
                continue;
            }
            if !values.is_empty() && self.rng.chance(15) {
                // One of those before, once more.
                let position = self.rng.below(values.len());
                text.push_str(&format!(" {{{position}{}}}", self.rng.pick(&["", ":?"])));
                again += 1;
            } else if let Some(value) = self.expr(&of, 2) {
                text.push_str(&format!(" {}", self.rng.pick(&["{}", "{:?}"])));
                values.push(value);
            }
        }
        arguments.push(Expr::new(Kind::Literal(format!("\"{text}\"")), Ty::Unit));
        arguments.extend(values);
        self.no_jumps -= 1;
    }

    /// `.rev()`, `.step_by(n)`
    pub(super) fn adapter(&mut self) -> String {
        match self.rng.below(8) {
            0 => ".rev()".to_owned(),
            1 => format!(".step_by({})", 1 + self.rng.below(5)),
            2 => format!(".rev().step_by({})", 1 + self.rng.below(5)),
            4 => format!(
                ".step_by({})",
                self.rng.pick(&["usize::MAX", "1 << 40", "256", "128"])
            ),
            _ => String::new(),
        }
    }
}

/// Whether rustc's words for a failed assertion are the source's but for line breaks: no blocks.
fn simple(condition: &Expr) -> bool {
    let mut simple = true;
    let mut copy = condition.clone();
    copy.for_each(&mut |expr| {
        simple &= matches!(
            expr.kind,
            Kind::Literal(_)
                | Kind::Var(_)
                | Kind::Binary(..)
                | Kind::Unary(..)
                | Kind::Paren(_)
                | Kind::Method(..)
        );
    });
    simple
}
