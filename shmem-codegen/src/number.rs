//! The methods and constants of Rust's numbers, in one table: what they take, what they give, what they are in C++.

use crate::ty::{Float, Int, Ty};

/// The numbers that have a method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Receivers {
    /// All integers.
    Ints,
    /// Integers with a sign.
    Signed,
    /// Integers without.
    Unsigned,
    /// `f32` and `f64`.
    Floats,
    /// These, `f16` and `bf16`.
    AllFloats,
    /// `f16` and `bf16`.
    SmallFloats,
}

/// The type of an argument or a result, seen from the receiver.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// The receiver's.
    Same,
    /// `u32`
    U32,
    /// `bool`
    Bool,
    /// The unsigned integer of the receiver's width.
    Bits,
    /// `f32`
    F32,
    /// `f64`
    F64,
}

/// When a method panics.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Panics {
    /// Never.
    Never,
    /// On overflow, where that is checked: rustc's verb.
    Overflow(&'static str),
    /// Always where its arguments are wrong: rustc's verb, should it overflow.
    Arguments(&'static str),
    /// With this text, which has a `{}` for each argument.
    Text(&'static str),
}

/// A method.
#[derive(Debug)]
pub struct Method {
    /// Rust name.
    pub name: &'static str,
    /// Who has it.
    pub receivers: Receivers,
    /// Its arguments after the receiver.
    pub arguments: &'static [Shape],
    /// Its result.
    pub result: Shape,
    /// When it panics.
    pub panics: Panics,
    /// The function of `shmem_rust.h`, a template on the receiver's type; first on the result's where that is `Bits`.
    pub function: &'static str,
    /// The function that never fails, for a method that may.
    pub infallible: &'static str,
}

const fn method(
    name: &'static str,
    receivers: Receivers,
    arguments: &'static [Shape],
    result: Shape,
) -> Method {
    Method {
        name,
        receivers,
        arguments,
        result,
        panics: Panics::Never,
        function: name,
        infallible: name,
    }
}

const fn named(
    name: &'static str,
    function: &'static str,
    receivers: Receivers,
    arguments: &'static [Shape],
    result: Shape,
) -> Method {
    Method {
        function,
        infallible: function,
        ..method(name, receivers, arguments, result)
    }
}

const fn fallible(
    name: &'static str,
    receivers: Receivers,
    arguments: &'static [Shape],
    panics: Panics,
    infallible: &'static str,
) -> Method {
    Method {
        name,
        receivers,
        arguments,
        result: Shape::Same,
        panics,
        function: name,
        infallible,
    }
}

use Panics::{Arguments, Overflow, Text};
use Receivers::{AllFloats, Floats, Ints, Signed, SmallFloats, Unsigned};
use Shape::{Bits, Bool, F32, F64, Same, U32};

/// All methods.
pub const METHODS: &[Method] = &[
    method("wrapping_add", Ints, &[Same], Same),
    method("wrapping_sub", Ints, &[Same], Same),
    method("wrapping_mul", Ints, &[Same], Same),
    method("wrapping_neg", Ints, &[], Same),
    method("wrapping_shl", Ints, &[U32], Same),
    method("wrapping_shr", Ints, &[U32], Same),
    method("wrapping_abs", Signed, &[], Same),
    method("wrapping_pow", Ints, &[U32], Same),
    fallible(
        "wrapping_div",
        Ints,
        &[Same],
        Arguments("divide"),
        "unchecked_wrapping_div",
    ),
    fallible(
        "wrapping_rem",
        Ints,
        &[Same],
        Arguments("calculate the remainder"),
        "unchecked_wrapping_rem",
    ),
    // The second halves of `overflowing_*`.
    method("overflows_add", Ints, &[Same], Bool),
    method("overflows_sub", Ints, &[Same], Bool),
    method("overflows_mul", Ints, &[Same], Bool),
    method("overflows_neg", Ints, &[], Bool),
    method("saturating_add", Ints, &[Same], Same),
    method("saturating_sub", Ints, &[Same], Same),
    method("saturating_mul", Ints, &[Same], Same),
    fallible(
        "rem_euclid",
        Ints,
        &[Same],
        Arguments("calculate the remainder"),
        "unchecked_rem_euclid",
    ),
    fallible(
        "div_euclid",
        Ints,
        &[Same],
        Arguments("divide"),
        "unchecked_div_euclid",
    ),
    fallible("abs", Signed, &[], Overflow("negate"), "wrapping_abs"),
    fallible("pow", Ints, &[U32], Overflow("multiply"), "wrapping_pow"),
    method("signum", Signed, &[], Same),
    method("is_positive", Signed, &[], Bool),
    method("is_negative", Signed, &[], Bool),
    method("is_power_of_two", Unsigned, &[], Bool),
    method("unsigned_abs", Signed, &[], Bits),
    method("abs_diff", Ints, &[Same], Bits),
    method("min", Ints, &[Same], Same),
    method("max", Ints, &[Same], Same),
    fallible(
        "clamp",
        Ints,
        &[Same, Same],
        Text("min > max. min = {}, max = {}"),
        "wrapping_clamp",
    ),
    method("count_ones", Ints, &[], U32),
    method("count_zeros", Ints, &[], U32),
    method("leading_zeros", Ints, &[], U32),
    method("trailing_zeros", Ints, &[], U32),
    method("leading_ones", Ints, &[], U32),
    method("trailing_ones", Ints, &[], U32),
    method("rotate_left", Ints, &[U32], Same),
    method("rotate_right", Ints, &[U32], Same),
    method("swap_bytes", Ints, &[], Same),
    method("reverse_bits", Ints, &[], Same),
    method("to_bits", AllFloats, &[], Bits),
    named("is_nan", "fis_nan", AllFloats, &[], Bool),
    named("is_finite", "fis_finite", AllFloats, &[], Bool),
    named("is_infinite", "fis_infinite", AllFloats, &[], Bool),
    named("to_f32", "fcast", SmallFloats, &[], F32),
    named("to_f64", "fcast", SmallFloats, &[], F64),
    named("abs", "fabs_", Floats, &[], Same),
    named("signum", "fsignum", Floats, &[], Same),
    named("copysign", "fcopysign", Floats, &[Same], Same),
    named("sqrt", "fsqrt", Floats, &[], Same),
    named("floor", "ffloor", Floats, &[], Same),
    named("ceil", "fceil", Floats, &[], Same),
    named("round", "fround", Floats, &[], Same),
    named("trunc", "ftrunc", Floats, &[], Same),
    named("mul_add", "fmul_add", Floats, &[Same, Same], Same),
    named("min", "fmin", Floats, &[Same], Same),
    named("max", "fmax", Floats, &[Same], Same),
    named("rem_euclid", "frem_euclid", Floats, &[Same], Same),
    named("div_euclid", "fdiv_euclid", Floats, &[Same], Same),
];

impl Method {
    /// The method of this name on `receiver`.
    pub fn find(name: &str, receiver: Ty) -> Option<&'static Method> {
        METHODS
            .iter()
            .find(|method| method.name == name && method.receivers.include(receiver))
    }
}

impl Receivers {
    fn include(self, ty: Ty) -> bool {
        match (self, ty) {
            (Receivers::Ints, Ty::Int(_)) => true,
            (Receivers::Signed, Ty::Int(int)) => int.signed(),
            (Receivers::Unsigned, Ty::Int(int)) => !int.signed(),
            (Receivers::Floats, Ty::Float(float)) => !float.small(),
            (Receivers::AllFloats, Ty::Float(_)) => true,
            (Receivers::SmallFloats, Ty::Float(float)) => float.small(),
            _ => false,
        }
    }
}

impl Shape {
    /// The type, for a receiver of type `receiver`.
    pub fn ty(self, receiver: Ty) -> Ty {
        match (self, receiver) {
            (Shape::Same, _) => receiver,
            (Shape::U32, _) => Ty::Int(Int::U32),
            (Shape::Bool, _) => Ty::Bool,
            (Shape::F32, _) => Ty::Float(Float::F32),
            (Shape::F64, _) => Ty::Float(Float::F64),
            (Shape::Bits, Ty::Float(Float::F16 | Float::Bf16)) => Ty::Int(Int::U16),
            (Shape::Bits, Ty::Float(Float::F32)) => Ty::Int(Int::U32),
            (Shape::Bits, Ty::Float(_)) => Ty::Int(Int::U64),
            (Shape::Bits, Ty::Int(int)) => Ty::Int(int.unsigned()),
            (Shape::Bits, other) => other,
        }
    }
}

/// A constant of a number type.
#[derive(Clone, Debug, PartialEq)]
pub enum Constant {
    /// An integer.
    Int(i128),
    /// A float by its digits, `inf` and `NaN` among them.
    Float(String),
}

/// `ty::name`, with its type.
pub fn constant(ty: Ty, name: &str) -> Option<(Constant, Ty)> {
    let (value, of) = match ty {
        Ty::Int(int) => {
            let max = i128::try_from(int.max()).ok()?;
            match name {
                "MAX" => (Constant::Int(max), ty),
                "MIN" => (Constant::Int(if int.signed() { -max - 1 } else { 0 }), ty),
                "BITS" => (Constant::Int(int.bits().into()), Ty::Int(Int::U32)),
                _ => return None,
            }
        }
        Ty::Float(Float::F32) => {
            let value = match name {
                "MAX" => f32::MAX,
                "MIN" => f32::MIN,
                "MIN_POSITIVE" => f32::MIN_POSITIVE,
                "EPSILON" => f32::EPSILON,
                "INFINITY" => f32::INFINITY,
                "NEG_INFINITY" => f32::NEG_INFINITY,
                "NAN" => f32::NAN,
                _ => return None,
            };
            (Constant::Float(format!("{value:?}")), ty)
        }
        Ty::Float(Float::F64) => {
            let value = match name {
                "MAX" => f64::MAX,
                "MIN" => f64::MIN,
                "MIN_POSITIVE" => f64::MIN_POSITIVE,
                "EPSILON" => f64::EPSILON,
                "INFINITY" => f64::INFINITY,
                "NEG_INFINITY" => f64::NEG_INFINITY,
                "NAN" => f64::NAN,
                _ => return None,
            };
            (Constant::Float(format!("{value:?}")), ty)
        }
        _ => return None,
    };
    Some((value, of))
}

/// The bits of the constants that the `half` crate gives its types.
pub fn small(float: Float, name: &str) -> Option<u16> {
    let (f16, bf16) = match name {
        "MAX" => (0x7bff, 0x7f7f),
        "MIN" => (0xfbff, 0xff7f),
        "MIN_POSITIVE" => (0x0400, 0x0080),
        "EPSILON" => (0x1400, 0x3c00),
        "INFINITY" => (0x7c00, 0x7f80),
        "NEG_INFINITY" => (0xfc00, 0xff80),
        "NAN" => (0x7e00, 0x7fc0),
        "ZERO" => (0, 0),
        "NEG_ZERO" => (0x8000, 0x8000),
        "ONE" => (0x3c00, 0x3f80),
        "NEG_ONE" => (0xbc00, 0xbf80),
        _ => return None,
    };
    Some(if float == Float::F16 { f16 } else { bf16 })
}

/// The constants of `core::f32::consts` and `core::f64::consts`: rounded from one value, as they are there.
pub fn math(float: Float, name: &str) -> Option<Constant> {
    use std::f64::consts as c;
    let value = match name {
        "PI" => c::PI,
        "TAU" => c::TAU,
        "E" => c::E,
        "SQRT_2" => c::SQRT_2,
        "LN_2" => c::LN_2,
        "LN_10" => c::LN_10,
        "LOG2_E" => c::LOG2_E,
        "LOG10_E" => c::LOG10_E,
        "FRAC_1_PI" => c::FRAC_1_PI,
        "FRAC_2_PI" => c::FRAC_2_PI,
        "FRAC_1_SQRT_2" => c::FRAC_1_SQRT_2,
        "FRAC_PI_2" => c::FRAC_PI_2,
        "FRAC_PI_3" => c::FRAC_PI_3,
        "FRAC_PI_4" => c::FRAC_PI_4,
        "FRAC_PI_6" => c::FRAC_PI_6,
        "FRAC_PI_8" => c::FRAC_PI_8,
        _ => return None,
    };
    Some(Constant::Float(match float {
        Float::F32 => format!("{:?}", value as f32),
        _ => format!("{value:?}"),
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn constants_have_the_values_of_the_standard_library() {
        let of = |ty, name| constant(ty, name).unwrap();
        assert_eq!(
            of(Ty::Int(Int::I8), "MIN"),
            (Constant::Int(-128), Ty::Int(Int::I8))
        );
        assert_eq!(
            of(Ty::Int(Int::U64), "MAX").0,
            Constant::Int(u64::MAX.into())
        );
        assert_eq!(
            of(Ty::Int(Int::Usize), "BITS"),
            (Constant::Int(64), Ty::Int(Int::U32))
        );
        assert_eq!(
            of(Ty::Float(Float::F32), "NAN").0,
            Constant::Float("NaN".to_owned())
        );
        assert_eq!(constant(Ty::Bool, "MAX"), None);
        let Some(Constant::Float(pi)) = math(Float::F32, "PI") else {
            panic!("PI is there")
        };
        assert_eq!(
            pi.parse::<f32>().unwrap().to_bits(),
            std::f32::consts::PI.to_bits()
        );
    }

    #[test]
    fn the_constants_of_small_floats_are_those_of_the_crate() {
        use half::{bf16, f16};
        for (name, a, b) in [
            ("MAX", f16::MAX, bf16::MAX),
            ("MIN", f16::MIN, bf16::MIN),
            ("MIN_POSITIVE", f16::MIN_POSITIVE, bf16::MIN_POSITIVE),
            ("EPSILON", f16::EPSILON, bf16::EPSILON),
            ("INFINITY", f16::INFINITY, bf16::INFINITY),
            ("NEG_INFINITY", f16::NEG_INFINITY, bf16::NEG_INFINITY),
            ("NAN", f16::NAN, bf16::NAN),
            ("ZERO", f16::ZERO, bf16::ZERO),
            ("NEG_ZERO", f16::NEG_ZERO, bf16::NEG_ZERO),
            ("ONE", f16::ONE, bf16::ONE),
            ("NEG_ONE", f16::NEG_ONE, bf16::NEG_ONE),
        ] {
            assert_eq!(small(Float::F16, name), Some(a.to_bits()), "{name}");
            assert_eq!(small(Float::Bf16, name), Some(b.to_bits()), "{name}");
        }
    }

    #[test]
    fn the_single_precision_constants_are_the_double_ones_rounded() {
        use std::f32::consts as c;
        let all = [
            ("TAU", c::TAU),
            ("E", c::E),
            ("SQRT_2", c::SQRT_2),
            ("LN_2", c::LN_2),
            ("LN_10", c::LN_10),
            ("LOG2_E", c::LOG2_E),
            ("LOG10_E", c::LOG10_E),
            ("FRAC_1_PI", c::FRAC_1_PI),
            ("FRAC_2_PI", c::FRAC_2_PI),
            ("FRAC_1_SQRT_2", c::FRAC_1_SQRT_2),
            ("FRAC_PI_2", c::FRAC_PI_2),
            ("FRAC_PI_3", c::FRAC_PI_3),
            ("FRAC_PI_4", c::FRAC_PI_4),
            ("FRAC_PI_6", c::FRAC_PI_6),
            ("FRAC_PI_8", c::FRAC_PI_8),
        ];
        for (name, value) in all {
            let Some(Constant::Float(digits)) = math(Float::F32, name) else {
                panic!("{name}")
            };
            assert_eq!(
                digits.parse::<f32>().unwrap().to_bits(),
                value.to_bits(),
                "{name}"
            );
        }
    }
}
