//! Methods and constants of numbers.

use super::Gen;
use crate::harness::ast::{Block, Expr, INTS, Kind, Op, Scalar, Ty};

/// Types of an argument or a result, seen from the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Of {
    Same,
    U32,
    /// A `u32` that is small.
    Few,
    Bool,
    Unsigned,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Who {
    Ints,
    Signed,
    Unsigned,
    Floats,
}

/// Name, receivers, arguments, result.
type Method = (&'static str, Who, &'static [Of], Of);

const METHODS: &[Method] = &[
    ("wrapping_add", Who::Ints, &[Of::Same], Of::Same),
    ("wrapping_sub", Who::Ints, &[Of::Same], Of::Same),
    ("wrapping_mul", Who::Ints, &[Of::Same], Of::Same),
    ("wrapping_neg", Who::Ints, &[], Of::Same),
    ("wrapping_shl", Who::Ints, &[Of::U32], Of::Same),
    ("wrapping_shr", Who::Ints, &[Of::U32], Of::Same),
    ("wrapping_abs", Who::Signed, &[], Of::Same),
    ("wrapping_pow", Who::Ints, &[Of::U32], Of::Same),
    ("wrapping_div", Who::Ints, &[Of::Same], Of::Same),
    ("wrapping_rem", Who::Ints, &[Of::Same], Of::Same),
    ("saturating_add", Who::Ints, &[Of::Same], Of::Same),
    ("saturating_sub", Who::Ints, &[Of::Same], Of::Same),
    ("saturating_mul", Who::Ints, &[Of::Same], Of::Same),
    ("rem_euclid", Who::Ints, &[Of::Same], Of::Same),
    ("div_euclid", Who::Ints, &[Of::Same], Of::Same),
    ("abs", Who::Signed, &[], Of::Same),
    ("pow", Who::Ints, &[Of::Few], Of::Same),
    ("signum", Who::Signed, &[], Of::Same),
    ("is_positive", Who::Signed, &[], Of::Bool),
    ("is_negative", Who::Signed, &[], Of::Bool),
    ("is_power_of_two", Who::Unsigned, &[], Of::Bool),
    ("unsigned_abs", Who::Signed, &[], Of::Unsigned),
    ("abs_diff", Who::Ints, &[Of::Same], Of::Unsigned),
    ("min", Who::Ints, &[Of::Same], Of::Same),
    ("max", Who::Ints, &[Of::Same], Of::Same),
    ("clamp", Who::Ints, &[Of::Same, Of::Same], Of::Same),
    ("count_ones", Who::Ints, &[], Of::U32),
    ("count_zeros", Who::Ints, &[], Of::U32),
    ("leading_zeros", Who::Ints, &[], Of::U32),
    ("trailing_zeros", Who::Ints, &[], Of::U32),
    ("leading_ones", Who::Ints, &[], Of::U32),
    ("trailing_ones", Who::Ints, &[], Of::U32),
    ("rotate_left", Who::Ints, &[Of::U32], Of::Same),
    ("rotate_right", Who::Ints, &[Of::U32], Of::Same),
    ("swap_bytes", Who::Ints, &[], Of::Same),
    ("reverse_bits", Who::Ints, &[], Of::Same),
    ("is_nan", Who::Floats, &[], Of::Bool),
    ("is_finite", Who::Floats, &[], Of::Bool),
    ("is_infinite", Who::Floats, &[], Of::Bool),
    ("abs", Who::Floats, &[], Of::Same),
    ("signum", Who::Floats, &[], Of::Same),
    ("sqrt", Who::Floats, &[], Of::Same),
    ("floor", Who::Floats, &[], Of::Same),
    ("ceil", Who::Floats, &[], Of::Same),
    ("round", Who::Floats, &[], Of::Same),
    ("trunc", Who::Floats, &[], Of::Same),
    ("mul_add", Who::Floats, &[Of::Same, Of::Same], Of::Same),
    ("min", Who::Floats, &[Of::Same], Of::Same),
    ("max", Who::Floats, &[Of::Same], Of::Same),
    ("rem_euclid", Who::Floats, &[Of::Same], Of::Same),
    ("div_euclid", Who::Floats, &[Of::Same], Of::Same),
];

/// Methods of floats that keep the bits of a NaN, or tell nothing of them.
const EXACT: [&str; 4] = ["is_nan", "is_finite", "is_infinite", "abs"];

/// These may panic, or are mostly there to.
const RISKY: [&str; 7] = [
    "abs",
    "pow",
    "clamp",
    "rem_euclid",
    "div_euclid",
    "wrapping_div",
    "wrapping_rem",
];

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

fn unsigned(scalar: Scalar) -> Scalar {
    match scalar {
        Scalar::I8 => Scalar::U8,
        Scalar::I16 => Scalar::U16,
        Scalar::I32 => Scalar::U32,
        Scalar::I64 => Scalar::U64,
        Scalar::Isize => Scalar::Usize,
        other => other,
    }
}

impl Gen {
    /// `receiver.method(arguments)`
    pub(super) fn method(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let wanted = ty.scalar()?;
        let &(name, who, arguments, result) = self.rng.pick(METHODS);
        let receiver = match result {
            Of::Same => wanted,
            Of::Bool if wanted == Scalar::Bool => self.receiver(who)?,
            Of::U32 if wanted == Scalar::U32 => self.receiver(who)?,
            Of::Unsigned => *INTS
                .iter()
                .find(|int| unsigned(**int) == wanted && (who == Who::Ints || int.signed()))?,
            _ => return None,
        };
        let fits = match who {
            Who::Ints => receiver.is_int(),
            Who::Signed => receiver.signed(),
            Who::Unsigned => receiver.is_int() && !receiver.signed(),
            Who::Floats => receiver.is_float(),
        };
        let risky = receiver.is_int() && RISKY.contains(&name);
        if !fits
            || self.exact && receiver.is_float() && !EXACT.contains(&name)
            || risky && !self.rng.chance(self.risk)
        {
            return None;
        }
        let of = Ty::Scalar(receiver);
        let mut values = Vec::new();
        let object = self.expr(&of, depth - 1)?;
        for argument in arguments {
            values.push(match argument {
                Of::Same => self.beside(&of, depth - 1)?,
                Of::Few => {
                    let few = self.rng.below(6).to_string();
                    Expr::new(Kind::Literal(few), Ty::Scalar(Scalar::U32))
                }
                _ => self.beside(&Ty::Scalar(Scalar::U32), depth - 1)?,
            });
        }
        let call = Expr::new(
            Kind::Method(boxed(object), name.to_owned(), values),
            ty.clone(),
        );
        if receiver.is_float() && matches!(name, "min" | "max") {
            // Of two zeros Rust may give either.
            let zero = Expr::new(Kind::Literal(format!("0.0{}", receiver.name())), ty.clone());
            return Some(Expr::new(
                Kind::Binary(Op::Add, boxed(call), boxed(zero)),
                ty.clone(),
            ));
        }
        Some(call)
    }

    fn receiver(&mut self, who: Who) -> Option<Scalar> {
        match who {
            Who::Floats => Some(*self.rng.pick(&[Scalar::F32, Scalar::F64])),
            _ => self.some_int().scalar(),
        }
    }

    /// `core::cmp::min(a, b)`
    pub(super) fn min_max(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        ty.int()?;
        let (left, right) = self.pair(ty, depth)?;
        let name = *self
            .rng
            .pick(&["core::cmp::min", "core::cmp::max", "std::cmp::min"]);
        Some(Expr::new(
            Kind::Call(name.to_owned(), vec![*left, *right]),
            ty.clone(),
        ))
    }

    /// `i32::MAX`
    pub(super) fn constant(&mut self, ty: &Ty, _: usize) -> Option<Expr> {
        let scalar = ty.scalar()?;
        let name = match scalar {
            Scalar::U32 if self.rng.chance(40) => {
                let int = self.rng.pick(&INTS).name();
                return Some(Expr::new(Kind::Literal(format!("{int}::BITS")), ty.clone()));
            }
            Scalar::F32 | Scalar::F64 => {
                if self.rng.chance(30) {
                    let name = self.rng.pick(&["PI", "E", "SQRT_2", "LN_10", "FRAC_PI_3"]);
                    let text = format!("core::{}::consts::{name}", scalar.name());
                    return Some(Expr::new(Kind::Literal(text), ty.clone()));
                }
                *self.rng.pick(&[
                    "MAX",
                    "MIN",
                    "MIN_POSITIVE",
                    "EPSILON",
                    "INFINITY",
                    "NEG_INFINITY",
                    "NAN",
                ])
            }
            Scalar::F16 | Scalar::Bf16 => *self.rng.pick(&[
                "MAX",
                "MIN",
                "MIN_POSITIVE",
                "EPSILON",
                "INFINITY",
                "NEG_INFINITY",
                "NAN",
                "ZERO",
                "ONE",
                "NEG_ZERO",
                "NEG_ONE",
            ]),
            int if int.is_int() => *self.rng.pick(&["MAX", "MIN"]),
            _ => return None,
        };
        Some(Expr::new(
            Kind::Literal(format!("{}::{name}", scalar.name())),
            ty.clone(),
        ))
    }

    /// `f16::from_f32(x)`, `x.to_f32()`
    pub(super) fn convert(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let scalar = ty.scalar().filter(|_| !self.exact)?;
        match scalar {
            Scalar::F16 | Scalar::Bf16 => {
                let (wide, name) = *self
                    .rng
                    .pick(&[(Scalar::F32, "from_f32"), (Scalar::F64, "from_f64")]);
                let inner = self.beside(&Ty::Scalar(wide), depth - 1)?;
                Some(Expr::new(
                    Kind::Call(format!("{}::{name}", scalar.name()), vec![inner]),
                    ty.clone(),
                ))
            }
            Scalar::F32 | Scalar::F64 => {
                let small = *self.rng.pick(&[Scalar::F16, Scalar::Bf16]);
                let inner = self.expr(&Ty::Scalar(small), depth - 1)?;
                let name = format!("to_{}", scalar.name());
                Some(Expr::new(
                    Kind::Method(boxed(inner), name, Vec::new()),
                    ty.clone(),
                ))
            }
            _ => None,
        }
    }

    /// `f32::from_bits(x)`
    pub(super) fn bits_as_float(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let scalar = ty.scalar().filter(|scalar| scalar.is_any_float())?;
        let bits = bits_of(scalar);
        let inner = self.beside(&Ty::Scalar(bits), depth - 1)?;
        Some(Expr::new(
            Kind::Call(format!("{}::from_bits", scalar.name()), vec![inner]),
            ty.clone(),
        ))
    }

    /// `x.to_bits()`: of a NaN only where none is made by arithmetic.
    pub(super) fn float_as_bits(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let floats = [Scalar::F16, Scalar::Bf16, Scalar::F32, Scalar::F64];
        let wanted = ty.scalar()?;
        let fitting: Vec<Scalar> = floats
            .into_iter()
            .filter(|float| bits_of(*float) == wanted)
            .collect();
        if fitting.is_empty() {
            return None;
        }
        let of = Ty::Scalar(*self.rng.pick(&fitting));
        let bits = |inner: Expr| {
            Expr::new(
                Kind::Method(boxed(inner), "to_bits".to_owned(), Vec::new()),
                ty.clone(),
            )
        };
        if self.exact {
            let inner = self.expr(&of, depth - 1)?;
            return Some(bits(inner));
        }
        let inner = self.variable(&of, depth)?;
        let nan = Expr::new(
            Kind::Method(boxed(inner.clone()), "is_nan".to_owned(), Vec::new()),
            Ty::Scalar(Scalar::Bool),
        );
        let value = |expr: Expr| Block {
            stmts: Vec::new(),
            tail: Some(boxed(expr)),
        };
        let zero = Expr::new(Kind::Literal("0".to_owned()), ty.clone());
        Some(Expr::new(
            Kind::If(boxed(nan), value(zero), value(bits(inner))),
            ty.clone(),
        ))
    }

    /// `x.copysign(y)`: the sign of a NaN counts.
    pub(super) fn copysign(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if !self.exact || !ty.scalar()?.is_float() {
            return None;
        }
        let (left, right) = self.pair(ty, depth)?;
        Some(Expr::new(
            Kind::Method(left, "copysign".to_owned(), vec![*right]),
            ty.clone(),
        ))
    }
}

fn bits_of(float: Scalar) -> Scalar {
    match float {
        Scalar::F16 | Scalar::Bf16 => Scalar::U16,
        Scalar::F32 => Scalar::U32,
        _ => Scalar::U64,
    }
}
