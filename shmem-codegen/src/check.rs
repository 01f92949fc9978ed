//! Rules that need the types: what an operator applies to, what a cast converts, whether a literal fits, which
//! functions a kernel of this kind may call.

use crate::diag::{Diagnostic, SpanRange};
use crate::ir::{BinOp, Device, Expr, ExprKind, Kernel, Stmt, StmtKind};
use crate::options::Options;
use crate::rules::{self, Rule};
use crate::ty::{Float, Ty};
use crate::walk::{self, Visit};

struct Check<'a> {
    options: Options,
    diags: &'a mut Vec<Diagnostic>,
}

/// Checks a lowered kernel.
pub fn kernel(kernel: &mut Kernel, diags: &mut Vec<Diagnostic>) {
    let mut check = Check {
        options: kernel.options,
        diags,
    };
    walk::block(&mut kernel.body, &mut check);
}

impl Visit for Check<'_> {
    fn expr(&mut self, expr: &mut Expr) {
        let range = expr.range;
        match &expr.kind {
            ExprKind::Int(value) => self.int_literal(*value, expr.ty, range),
            ExprKind::Float(digits) => self.float_literal(digits, expr.ty, range),
            ExprKind::Neg(inner, _) => match inner.ty {
                Ty::Int(int) if int.signed() => {}
                Ty::Float(_) => {}
                Ty::Error => {}
                ty => self.operator("-", ty, range),
            },
            ExprKind::Not(inner) => match inner.ty {
                Ty::Int(_) | Ty::Bool | Ty::Error => {}
                ty => self.operator("!", ty, range),
            },
            ExprKind::Binary(op, left, right, _) => self.binary(*op, left.ty, right.ty, range),
            ExprKind::Cast(inner) => self.cast(inner.ty, expr.ty, range),
            ExprKind::Device(device @ (Device::BlockIdx | Device::BlockNum), ..)
                if !self.options.all_blocks =>
            {
                self.refuse(&rules::BLOCKS, range, &[&device.name()]);
            }
            _ => {}
        }
    }

    fn stmt(&mut self, stmt: &mut Stmt) {
        match &stmt.kind {
            StmtKind::Assign(place, Some((op, _)), value) => {
                let range = SpanRange {
                    first: stmt.span,
                    last: value.range.last,
                };
                self.binary(*op, place.ty, value.ty, range);
            }
            StmtKind::For { start, end, .. } => match start.ty {
                Ty::Int(_) | Ty::Error => {}
                ty => {
                    let range = SpanRange {
                        first: start.range.first,
                        last: end.range.last,
                    };
                    self.operator("..", ty, range);
                }
            },
            _ => {}
        }
    }
}

impl Check<'_> {
    fn refuse(&mut self, rule: &Rule, range: SpanRange, values: &[&dyn std::fmt::Display]) {
        self.diags.push(Diagnostic::new(rule, range, values));
    }

    fn operator(&mut self, sign: &str, ty: Ty, range: SpanRange) {
        match ty {
            Ty::CChar => self.refuse(&rules::CHAR_ARITHMETIC, range, &[]),
            _ => {
                let help = match (sign, ty) {
                    ("-", Ty::Int(_)) => {
                        "an unsigned number has no negative: convert it to a signed type with `as`"
                    }
                    ("..", _) => "a range counts in an integer type",
                    (_, Ty::Memory(_)) => "read the memory first, with `.load()`",
                    (_, Ty::Bool) => "bool has `!`, `&`, `|`, `^`, `&&`, `||` and comparisons",
                    (_, Ty::Float(_)) => "floats have `+`, `-`, `*`, `/`, `%` and comparisons",
                    (_, Ty::Enum(_)) => {
                        "an enum has comparisons, if it derives PartialEq and PartialOrd, and `as`"
                    }
                    (_, ty) if ty.is_aggregate() => {
                        "it has `==` and `!=`: a struct if it derives PartialEq. Compute with its parts"
                    }
                    _ => "use another type",
                };
                self.refuse(&rules::OPERATOR, range, &[&sign, &ty, &help]);
            }
        }
    }

    fn binary(&mut self, op: BinOp, left: Ty, right: Ty, range: SpanRange) {
        if left == Ty::Error || right == Ty::Error {
            return;
        }
        match (op, left) {
            (BinOp::Add | BinOp::Sub | BinOp::Mul | BinOp::Div | BinOp::Rem, Ty::Float(_)) => {}
            (BinOp::Eq | BinOp::Ne, Ty::CChar) => {}
            (op, Ty::Int(_) | Ty::Bool | Ty::Float(_)) if op.compares() => {}
            (op, Ty::Enum(_)) if op.compares() => {}
            (BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor, Ty::Int(_) | Ty::Bool) => {}
            (BinOp::Shl | BinOp::Shr, Ty::Int(_)) => {
                if !matches!(right, Ty::Int(_)) {
                    self.operator(op.sign(), right, range);
                }
            }
            (op, Ty::Int(_)) if !op.compares() => {}
            (op, ty) => self.operator(op.sign(), ty, range),
        }
    }

    fn cast(&mut self, from: Ty, to: Ty, range: SpanRange) {
        let help = match (from, to) {
            (Ty::Error, _) | (_, Ty::Error) => return,
            (Ty::Int(_) | Ty::CChar, Ty::Int(_) | Ty::CChar) => return,
            (
                Ty::Int(_) | Ty::Float(Float::F32 | Float::F64),
                Ty::Float(Float::F32 | Float::F64),
            ) => return,
            (Ty::Float(Float::F32 | Float::F64), Ty::Int(_)) => return,
            (Ty::Bool | Ty::Enum(_), Ty::Int(_)) | (Ty::Bool, Ty::Bool) => return,
            (from, to) if from == to && !matches!(from, Ty::Float(_) | Ty::Memory(_)) => return,
            (ty, _) if ty.is_aggregate() => "convert its parts",
            (Ty::Memory(_), _) => "read the memory first, with `.load()`",
            (Ty::Float(float), _) | (_, Ty::Float(float)) if float.small() => {
                "f16 and bf16 have no `as`: write `.to_f32()`, and `f16::from_f32(x)`"
            }
            (Ty::Float(_), Ty::Bool) => "compare instead: `!= 0.0`",
            (_, Ty::Bool) => "compare instead: `!= 0`",
            (Ty::Bool, _) => "convert to an integer first",
            _ => "convert to an integer first",
        };
        self.refuse(&rules::CAST, range, &[&from, &to, &help]);
    }

    fn float_literal(&mut self, digits: &str, ty: Ty, range: SpanRange) {
        let infinite = match ty {
            Ty::Float(Float::F32) => digits.parse().is_ok_and(f32::is_infinite),
            _ => digits.parse().is_ok_and(f64::is_infinite),
        };
        // `f32::INFINITY` is meant.
        let constant = digits.ends_with("inf");
        if infinite && !constant {
            let help = "write a smaller number: this one would be infinite";
            self.refuse(&rules::LITERAL_RANGE, range, &[&ty, &help]);
        }
    }

    fn int_literal(&mut self, value: i128, ty: Ty, range: SpanRange) {
        let (min, max) = match ty {
            Ty::Int(int) => {
                let max = i128::try_from(int.max()).unwrap_or(i128::MAX);
                (if int.signed() { -max - 1 } else { 0 }, max)
            }
            // Its range differs between machines: only what fits on all of them.
            Ty::CChar => (0, 127),
            _ => return,
        };
        if value < min || value > max {
            let help = if ty == Ty::CChar {
                "it holds 0 to 127 on every machine: convert another number with `as c_char`"
                    .to_owned()
            } else if min == 0 && value < 0 {
                format!("`{ty}` is unsigned: it holds 0 to {max}")
            } else {
                format!("it holds {min} to {max}")
            };
            self.refuse(&rules::LITERAL_RANGE, range, &[&ty, &help]);
        }
    }
}
