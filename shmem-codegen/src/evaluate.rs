//! The value of a constant, computed from its IR as rustc computes it. What overflows or divides by zero is an error to
//! rustc too, so its value does not matter.

use crate::diag::SpanRange;
use crate::ir::{BinOp, Block, Expr, ExprKind};
use crate::ty::{Float, Int, Ty};

/// The value of a constant.
#[derive(Clone, Debug)]
pub enum Value {
    /// An integer of any type, a `c_char`, or a variant of an enum.
    Int(i128),
    /// A bool.
    Bool(bool),
    /// An `f32`.
    F32(f32),
    /// An `f64`.
    F64(f64),
    /// The bits of an `f16` or a `bf16`.
    Small(u16),
    /// The fields of a tuple or a struct in their order, or the elements of an array.
    Parts(Vec<Value>),
    /// An array of equal elements.
    Repeat(Box<Value>, u64),
}

impl Value {
    /// As an expression of type `ty` at `range`, made of literals.
    pub fn literal(&self, ty: Ty, range: SpanRange) -> Expr {
        let at = |kind, ty| Expr { kind, ty, range };
        let bits = |bits: i128, int: Int| {
            ExprKind::FromBits(Box::new(at(ExprKind::Int(bits), Ty::Int(int))))
        };
        let kind = match self {
            Value::Int(value) => ExprKind::Int(*value),
            Value::Bool(value) => ExprKind::Bool(*value),
            Value::F32(value) if value.is_nan() => bits(value.to_bits().into(), Int::U32),
            Value::F64(value) if value.is_nan() => bits(value.to_bits().into(), Int::U64),
            Value::F32(value) => ExprKind::Float(format!("{value:?}")),
            Value::F64(value) => ExprKind::Float(format!("{value:?}")),
            Value::Small(value) => bits((*value).into(), Int::U16),
            Value::Parts(parts) => match ty {
                Ty::Array(of) => {
                    let elems = parts.iter().map(|part| part.literal(of.elem, range));
                    ExprKind::Elements(elems.collect())
                }
                _ => {
                    let fields = ty.fields().unwrap_or_default();
                    let parts = parts.iter().zip(fields).enumerate();
                    ExprKind::Parts(
                        parts
                            .map(|(index, (part, (_, ty)))| (index, part.literal(ty, range)))
                            .collect(),
                    )
                }
            },
            Value::Repeat(value, _) => {
                let elem = match ty {
                    Ty::Array(of) => of.elem,
                    other => other,
                };
                ExprKind::Repeat(Box::new(value.literal(elem, range)))
            }
        };
        at(kind, ty)
    }

    fn part(self, index: usize) -> Option<Value> {
        match self {
            Value::Parts(mut parts) if index < parts.len() => Some(parts.swap_remove(index)),
            Value::Repeat(value, len) if (index as u64) < len => Some(*value),
            _ => None,
        }
    }
}

/// The value of `expr`; none where it is made of more than numbers, operators, casts, conditions, and tuples, arrays
/// and structs of these.
pub fn value(expr: &Expr) -> Option<Value> {
    Some(match &expr.kind {
        ExprKind::Int(value) => Value::Int(wrapped(*value, expr.ty)),
        ExprKind::Bool(value) => Value::Bool(*value),
        ExprKind::Float(digits) => match expr.ty {
            Ty::Float(Float::F32) => Value::F32(digits.parse().ok()?),
            Ty::Float(Float::F64) => Value::F64(digits.parse().ok()?),
            _ => return None,
        },
        ExprKind::FromBits(bits) => match (expr.ty, value(bits)?) {
            (Ty::Float(Float::F32), Value::Int(bits)) => {
                Value::F32(f32::from_bits(u32::try_from(bits).ok()?))
            }
            (Ty::Float(Float::F64), Value::Int(bits)) => {
                Value::F64(f64::from_bits(u64::try_from(bits).ok()?))
            }
            (Ty::Float(_), Value::Int(bits)) => Value::Small(u16::try_from(bits).ok()?),
            _ => return None,
        },
        ExprKind::Neg(inner, _) => match value(inner)? {
            Value::Int(value) => Value::Int(wrapped(value.wrapping_neg(), expr.ty)),
            Value::F32(value) => Value::F32(-value),
            Value::F64(value) => Value::F64(-value),
            _ => return None,
        },
        ExprKind::Not(inner) => match value(inner)? {
            Value::Int(value) => Value::Int(wrapped(!value, expr.ty)),
            Value::Bool(value) => Value::Bool(!value),
            _ => return None,
        },
        ExprKind::Logical(and, left, right) => match (value(left)?, and) {
            (Value::Bool(false), true) => Value::Bool(false),
            (Value::Bool(true), false) => Value::Bool(true),
            _ => value(right)?,
        },
        ExprKind::Binary(op, left, right, _) => binary(*op, value(left)?, value(right)?, left.ty)?,
        ExprKind::Cast(inner) => cast(value(inner)?, expr.ty)?,
        ExprKind::If(condition, then, otherwise) => match value(condition)? {
            Value::Bool(true) => block(then)?,
            _ => block(otherwise)?,
        },
        ExprKind::Block(inner) => block(inner)?,
        ExprKind::Method(method, arguments, _) => {
            let values: Option<Vec<Value>> = arguments.iter().map(value).collect();
            self::method(method.name, &values?, arguments.first()?.int()?)?
        }
        ExprKind::Elements(elems) => Value::Parts(elems.iter().map(value).collect::<Option<_>>()?),
        ExprKind::Repeat(elem) => match expr.ty {
            Ty::Array(of) => Value::Repeat(Box::new(value(elem)?), of.len),
            _ => return None,
        },
        ExprKind::Parts(parts) => {
            let mut parts: Vec<&(usize, Expr)> = parts.iter().collect();
            parts.sort_by_key(|(index, _)| *index);
            let values = parts.into_iter().map(|(_, part)| value(part));
            Value::Parts(values.collect::<Option<_>>()?)
        }
        ExprKind::Field(base, index) => value(base)?.part(*index)?,
        ExprKind::Index(base, index, _) => match value(index)? {
            Value::Int(index) => value(base)?.part(usize::try_from(index).ok()?)?,
            _ => return None,
        },
        _ => return None,
    })
}

fn block(block: &Block) -> Option<Value> {
    value(block.tail.as_ref().filter(|_| block.stmts.is_empty())?)
}

/// `value` in two's complement of the width of `ty`.
fn wrapped(value: i128, ty: Ty) -> i128 {
    let Ty::Int(int) = ty else { return value };
    let above = 128 - int.bits();
    if int.signed() {
        (value << above) >> above
    } else {
        (value as u128 & int.max()) as i128
    }
}

fn binary(op: BinOp, left: Value, right: Value, ty: Ty) -> Option<Value> {
    macro_rules! floats {
        ($kind:path, $a:expr, $b:expr) => {
            match op {
                BinOp::Add => $kind($a + $b),
                BinOp::Sub => $kind($a - $b),
                BinOp::Mul => $kind($a * $b),
                BinOp::Div => $kind($a / $b),
                BinOp::Rem => $kind($a % $b),
                _ => compare(op, $a.partial_cmp(&$b)),
            }
        };
    }
    Some(match (left, right) {
        (Value::Int(a), Value::Int(b)) => ints(op, a, b, ty)?,
        (Value::Bool(a), Value::Bool(b)) => match op {
            BinOp::BitAnd => Value::Bool(a & b),
            BinOp::BitOr => Value::Bool(a | b),
            BinOp::BitXor => Value::Bool(a ^ b),
            _ => compare(op, a.partial_cmp(&b)),
        },
        (Value::F32(a), Value::F32(b)) => floats!(Value::F32, a, b),
        (Value::F64(a), Value::F64(b)) => floats!(Value::F64, a, b),
        _ => return None,
    })
}

fn ints(op: BinOp, a: i128, b: i128, ty: Ty) -> Option<Value> {
    let shift = || u32::try_from(b).ok().filter(|&by| by < 64);
    let value = match op {
        BinOp::Add => a.wrapping_add(b),
        BinOp::Sub => a.wrapping_sub(b),
        BinOp::Mul => a.wrapping_mul(b),
        BinOp::Div => a.checked_div(b)?,
        BinOp::Rem => a.checked_rem(b)?,
        BinOp::Shl => a << shift()?,
        BinOp::Shr => a >> shift()?,
        BinOp::BitAnd => a & b,
        BinOp::BitOr => a | b,
        BinOp::BitXor => a ^ b,
        _ => return Some(compare(op, Some(a.cmp(&b)))),
    };
    Some(Value::Int(wrapped(value, ty)))
}

/// A comparison; of what has no order, as with NaN, only `!=` holds.
fn compare(op: BinOp, order: Option<std::cmp::Ordering>) -> Value {
    use std::cmp::Ordering::{Equal, Greater, Less};
    Value::Bool(match op {
        BinOp::Eq => order == Some(Equal),
        BinOp::Ne => order != Some(Equal),
        BinOp::Lt => order == Some(Less),
        BinOp::Le => matches!(order, Some(Less | Equal)),
        BinOp::Gt => order == Some(Greater),
        _ => matches!(order, Some(Greater | Equal)),
    })
}

fn cast(from: Value, to: Ty) -> Option<Value> {
    /// Towards zero, saturating, NaN to 0: through a type that holds every integer of the device.
    fn int(value: f64, to: Int) -> i128 {
        let max = i128::try_from(to.max()).unwrap_or(i128::MAX);
        (value as i128).clamp(if to.signed() { -max - 1 } else { 0 }, max)
    }
    Some(match (from, to) {
        (Value::Int(value), Ty::Int(_)) => Value::Int(wrapped(value, to)),
        (Value::Int(value), Ty::Float(Float::F32)) => Value::F32(value as f32),
        (Value::Int(value), Ty::Float(Float::F64)) => Value::F64(value as f64),
        (Value::Bool(value), Ty::Int(_)) => Value::Int(value.into()),
        (Value::Bool(value), Ty::Bool) => Value::Bool(value),
        (Value::F32(value), Ty::Float(Float::F32)) => Value::F32(value),
        (Value::F32(value), Ty::Float(Float::F64)) => Value::F64(value.into()),
        (Value::F64(value), Ty::Float(Float::F32)) => Value::F32(value as f32),
        (Value::F64(value), Ty::Float(Float::F64)) => Value::F64(value),
        (Value::F32(value), Ty::Int(to)) => Value::Int(int(value.into(), to)),
        (Value::F64(value), Ty::Int(to)) => Value::Int(int(value, to)),
        _ => return None,
    })
}

/// The methods of integers that constants are made with.
fn method(name: &str, values: &[Value], ty: Int) -> Option<Value> {
    let of = |value: i128| Value::Int(wrapped(value, Ty::Int(ty)));
    let bits = |value: i128| value as u128 & (u128::MAX >> (128 - ty.bits()));
    let count = |count: u32| Value::Int(count.into());
    Some(match (name, values) {
        ("pow", [Value::Int(base), Value::Int(by)]) => {
            let mut product = 1_i128;
            for _ in 0..*by {
                product = wrapped(product.wrapping_mul(*base), Ty::Int(ty));
                if product == 0 || (product == 1 && *base == 1) {
                    break;
                }
            }
            of(product)
        }
        ("wrapping_add", [Value::Int(a), Value::Int(b)]) => of(a.wrapping_add(*b)),
        ("wrapping_sub", [Value::Int(a), Value::Int(b)]) => of(a.wrapping_sub(*b)),
        ("wrapping_mul", [Value::Int(a), Value::Int(b)]) => of(a.wrapping_mul(*b)),
        ("rem_euclid", [Value::Int(a), Value::Int(b)]) => of(a.checked_rem_euclid(*b)?),
        ("div_euclid", [Value::Int(a), Value::Int(b)]) => of(a.checked_div_euclid(*b)?),
        ("abs_diff", [Value::Int(a), Value::Int(b)]) => {
            Value::Int(a.wrapping_sub(*b).wrapping_abs())
        }
        ("abs", [Value::Int(a)]) => of(a.wrapping_abs()),
        ("count_ones", [Value::Int(a)]) => count(bits(*a).count_ones()),
        ("leading_zeros", [Value::Int(a)]) => count(bits(*a).leading_zeros() - (128 - ty.bits())),
        ("trailing_zeros", [Value::Int(a)]) => count(bits(*a).trailing_zeros().min(ty.bits())),
        ("is_power_of_two", [Value::Int(a)]) => Value::Bool(bits(*a).is_power_of_two()),
        _ => return None,
    })
}
