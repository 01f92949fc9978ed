//! Arithmetic: plain C++ where it means the same, a function of `shmem_rust.h` where it does not.

use super::bug::Bug;
use super::expr::Cpp;
use super::order::Order;
use super::{Emit, Overflow, literal};
use crate::ir::{BinOp, Expr, ExprKind, SiteId};
use crate::number::{Method, Panics, Shape};
use crate::ty::{Float, Int, Ty};

impl Emit<'_> {
    /// `left op right` on values that are already in order.
    pub(super) fn operator(
        &mut self,
        op: BinOp,
        ty: Ty,
        left: Cpp,
        right: Cpp,
        site: SiteId,
    ) -> Cpp {
        let adds = match ty {
            Ty::Float(float) => float != Float::F32 && self.has(Bug::FloatSubAdds),
            _ => self.has(Bug::SubAdds),
        };
        let op = if adds && op == BinOp::Sub {
            BinOp::Add
        } else {
            op
        };
        let lost = self.has(Bug::ParenthesesLost);
        let plain = |left: &Cpp, right: &Cpp| {
            let right = if lost {
                right.text.clone()
            } else {
                right.operand()
            };
            Cpp::compound(format!("{} {} {right}", left.operand(), op.sign()))
        };
        let int = match ty {
            Ty::Int(int) => int,
            Ty::Float(float) if float != Float::F32 || op == BinOp::Rem => {
                return float_operator(op, &left, &right);
            }
            Ty::Bool if op == BinOp::BitXor => {
                return Cpp::compound(format!("{} != {}", left.operand(), right.operand()));
            }
            Ty::Bool if !op.compares() => {
                return Cpp::atom(format!("static_cast<bool>({})", plain(&left, &right).text));
            }
            _ => return plain(&left, &right),
        };
        let cpp = int.cpp();
        let narrow = |value: Cpp| {
            if int.promotes() {
                Cpp::atom(format!("static_cast<{cpp}>({})", value.text))
            } else {
                value
            }
        };
        let (name, wraps_as_it_is) = match op {
            BinOp::Add => ("add", true),
            BinOp::Sub => ("sub", true),
            BinOp::Mul => ("mul", true),
            BinOp::Shl => ("shl", false),
            BinOp::Shr => ("shr", false),
            BinOp::Div | BinOp::Rem => {
                if !self.checked() || self.has(Bug::DivisorCheckLost) {
                    return narrow(plain(&left, &right));
                }
                let name = if op == BinOp::Div { "div" } else { "rem" };
                let fault = self.fault(site);
                return Cpp::atom(format!(
                    "shmem_rust::{name}<{cpp}>({fault}, {}, {})",
                    left.text, right.text
                ));
            }
            BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor => return narrow(plain(&left, &right)),
            _ if self.has(Bug::ComparedAsSigned) && !int.signed() && !int.promotes() => {
                let signed =
                    |side: &Cpp| Cpp::atom(format!("static_cast<{}>({})", &cpp[1..], side.text));
                return plain(&signed(&left), &signed(&right));
            }
            _ => return plain(&left, &right),
        };
        if op == BinOp::Shr && int.signed() && self.has(Bug::ShiftWithoutSign) {
            let left = format!("static_cast<u{cpp}>({})", left.text);
            return Cpp::atom(format!(
                "shmem_rust::wrapping_shr<u{cpp}>({left}, {})",
                right.text
            ));
        }
        if op == BinOp::Add
            && self.overflow() == Overflow::Wraps
            && self.has(Bug::WrappingSaturates)
        {
            let (left, right) = (&left.text, &right.text);
            return Cpp::atom(format!(
                "shmem_rust::saturating_add<{cpp}>({left}, {right})"
            ));
        }
        let wide_unsigned = !int.signed() && !int.promotes();
        match self.overflow() {
            Overflow::Panics => {
                let fault = self.fault(site);
                Cpp::atom(format!(
                    "shmem_rust::{name}<{cpp}>({fault}, {}, {})",
                    left.text, right.text
                ))
            }
            Overflow::Wraps if wide_unsigned && wraps_as_it_is => plain(&left, &right),
            // A left shift of a negative number is not C++17.
            Overflow::Undefined if op != BinOp::Shl || wide_unsigned => {
                narrow(plain(&left, &right))
            }
            Overflow::Wraps | Overflow::Undefined => Cpp::atom(format!(
                "shmem_rust::wrapping_{name}<{cpp}>({}, {})",
                left.text, right.text
            )),
        }
    }

    /// `local op= value` for an operator that is plain C++: as the expert writes it.
    pub(super) fn assigns_plainly(&self, op: BinOp, ty: Ty) -> bool {
        match ty {
            Ty::Float(float) => float == Float::F32 && op != BinOp::Rem,
            Ty::Int(int) if int.promotes() => false,
            Ty::Int(int) => match op {
                BinOp::BitAnd | BinOp::BitOr | BinOp::BitXor => true,
                BinOp::Div | BinOp::Rem => !self.checked(),
                BinOp::Shl => self.overflow() == Overflow::Undefined && !int.signed(),
                BinOp::Shr => self.overflow() == Overflow::Undefined,
                _ => match self.overflow() {
                    Overflow::Undefined => true,
                    Overflow::Wraps => !int.signed(),
                    Overflow::Panics => false,
                },
            },
            _ => false,
        }
    }

    /// A method of a number.
    pub(super) fn method(
        &mut self,
        method: &Method,
        arguments: &[Expr],
        ty: Ty,
        site: SiteId,
    ) -> Cpp {
        let operands: Vec<&Expr> = arguments.iter().collect();
        let mut texts: Vec<String> = self
            .initializers(&operands, Order::Free)
            .into_iter()
            .map(|value| value.scalar().text)
            .collect();
        let receiver = arguments[0].ty.cpp();
        if method.name == "to_bits" {
            return Cpp::atom(format!("__builtin_bit_cast({}, {})", ty.cpp(), texts[0]));
        }
        let fails = match method.panics {
            Panics::Never => false,
            Panics::Overflow(_) => self.overflow() == Overflow::Panics,
            Panics::Arguments(_) | Panics::Text(_) => self.checked(),
        };
        if fails {
            texts.insert(0, self.fault(site));
        }
        let function = if fails {
            method.function
        } else {
            method.infallible
        };
        let types = if matches!(method.result, Shape::Bits | Shape::F32 | Shape::F64) {
            format!("{}, {receiver}", ty.cpp())
        } else {
            receiver.to_owned()
        };
        Cpp::atom(format!(
            "shmem_rust::{function}<{types}>({})",
            texts.join(", ")
        ))
    }

    pub(super) fn negate(&mut self, ty: Ty, inner: Cpp, site: SiteId) -> Cpp {
        let plain = Cpp::compound(format!("-{}", inner.operand()));
        let int = match ty {
            Ty::Int(int) => int,
            Ty::Float(float) if float != Float::F32 => {
                return Cpp::atom(format!("shmem_rust::fneg({})", inner.text));
            }
            _ => return plain,
        };
        let cpp = int.cpp();
        match self.overflow() {
            Overflow::Panics if !self.has(Bug::NegationUnchecked) => {
                let fault = self.fault(site);
                Cpp::atom(format!("shmem_rust::neg<{cpp}>({fault}, {})", inner.text))
            }
            Overflow::Panics | Overflow::Wraps => {
                Cpp::atom(format!("shmem_rust::wrapping_neg<{cpp}>({})", inner.text))
            }
            Overflow::Undefined if int.promotes() => {
                Cpp::atom(format!("static_cast<{cpp}>({})", plain.text))
            }
            Overflow::Undefined => plain,
        }
    }

    pub(super) fn not(&self, ty: Ty, inner: &Cpp) -> Cpp {
        match ty {
            Ty::Int(int) if int.promotes() && !self.has(Bug::PromotionStays) => {
                Cpp::atom(format!("static_cast<{}>(~{})", int.cpp(), inner.operand()))
            }
            Ty::Int(_) => Cpp::compound(format!("~{}", inner.operand())),
            _ => Cpp::compound(format!("!{}", inner.operand())),
        }
    }

    pub(super) fn cast(&self, from: Ty, to: Ty, inner: Cpp) -> Cpp {
        let cpp = to.cpp();
        match (from, to) {
            (Ty::Float(Float::F32), Ty::Int(_)) if self.has(Bug::PlainFloatCast) => {
                Cpp::atom(format!("static_cast<{cpp}>({})", inner.text))
            }
            (from, to) if from == to => inner,
            // usize is uint64_t there.
            (Ty::Int(_), Ty::Int(_)) if from.cpp() == cpp => inner,
            // The device casts between float and integers of 32 bits; the rest is integer code.
            (Ty::Float(Float::F32), Ty::Int(int)) if int.bits() <= 32 => Cpp::atom(format!(
                "shmem_rust::saturating_cast<{cpp}>({})",
                inner.text
            )),
            (Ty::Float(_), Ty::Int(_)) => {
                Cpp::atom(format!("shmem_rust::fto_int<{cpp}>({})", inner.text))
            }
            (Ty::Int(int), Ty::Float(Float::F32)) if int.bits() <= 32 => {
                Cpp::atom(format!("static_cast<{cpp}>({})", inner.text))
            }
            // A literal has the type that its value needs: the conversion is from the type that it has in Rust.
            (_, Ty::Float(_)) => Cpp::atom(format!(
                "shmem_rust::fcast<{cpp}, {}>({})",
                from.cpp(),
                inner.text
            )),
            _ => Cpp::atom(format!("static_cast<{cpp}>({})", inner.text)),
        }
    }

    /// An operand as text: a literal beside a variable takes its type from it, two literals have their own.
    pub(super) fn beside(expr: &Expr, other: &Expr, value: Cpp) -> Cpp {
        match expr.kind {
            ExprKind::Int(number)
                if !matches!(other.kind, ExprKind::Int(_))
                    && number >= 0
                    && !matches!(expr.ty, Ty::Enum(_)) =>
            {
                Cpp::atom(literal::plain(number, expr.ty))
            }
            _ => value,
        }
    }

    /// A shift amount as the functions of `shmem_rust.h` take it.
    pub(super) fn amount(&self, op: BinOp, left: Ty, right: &Expr, value: Cpp) -> Cpp {
        let plain = match left {
            Ty::Int(int) => {
                self.overflow() == Overflow::Undefined
                    && (op != BinOp::Shl || (!int.signed() && !int.promotes()))
            }
            _ => true,
        };
        // A literal is of a type that holds it.
        let fits = matches!(right.kind, ExprKind::Int(number) if number <= i128::from(i64::MAX));
        match right.ty {
            Ty::Int(Int::U64 | Int::Usize) if !plain && !fits => {
                Cpp::atom(format!("static_cast<int64_t>({})", value.text))
            }
            _ => value,
        }
    }
}

/// Arithmetic and comparisons of what the device does not compute with: functions on the bits.
fn float_operator(op: BinOp, left: &Cpp, right: &Cpp) -> Cpp {
    let (left, right) = (&left.text, &right.text);
    let call = |name: &str, a: &str, b: &str| format!("shmem_rust::{name}({a}, {b})");
    Cpp::atom(match op {
        BinOp::Add => call("fadd", left, right),
        BinOp::Sub => call("fsub", left, right),
        BinOp::Mul => call("fmul", left, right),
        BinOp::Div => call("fdiv", left, right),
        BinOp::Rem => call("frem", left, right),
        BinOp::Eq => call("feq", left, right),
        BinOp::Ne => return Cpp::compound(format!("!{}", call("feq", left, right))),
        BinOp::Lt => call("flt", left, right),
        BinOp::Le => call("fle", left, right),
        BinOp::Gt => call("flt", right, left),
        _ => call("fle", right, left),
    })
}
