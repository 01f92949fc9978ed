//! What Rust makes of the operands: one case per exported function of floats.cpp.

use std::sync::Arc;

use half::{bf16, f16};

use crate::operands::{self, BF16, F16, F32, F64, Format, Operands};

/// One function: its symbol, what it is given and what Rust answers.
pub struct Case {
    pub symbol: String,
    pub operands: Arc<Operands>,
    pub rust: fn(u64, u64, u64) -> u64,
    /// The format of a result of which one NaN is as good as another.
    pub any_nan: Option<Format>,
}

/// A value as the low bits of 64.
trait Bits {
    fn get(bits: u64) -> Self;
    fn put(self) -> u64;
}

macro_rules! bits {
    (floats: $($type:ident $unsigned:ident),+; integers: $($integer:ident),+) => {
        $(impl Bits for $type {
            fn get(bits: u64) -> Self {
                $type::from_bits(bits as $unsigned)
            }
            fn put(self) -> u64 {
                self.to_bits().into()
            }
        })+
        $(impl Bits for $integer {
            fn get(bits: u64) -> Self {
                bits as $integer
            }
            fn put(self) -> u64 {
                self as u64
            }
        })+
    };
}
bits!(floats: f16 u16, bf16 u16, f32 u32, f64 u64; integers: i8, i16, i32, i64, u8, u16, u32, u64);

impl Bits for bool {
    fn get(bits: u64) -> Self {
        bits != 0
    }
    fn put(self) -> u64 {
        self.into()
    }
}

/// The cases of `$cpp`, which is `$type` in Rust: `name: |operands| -> result`.
macro_rules! cases {
    ($cases:ident, $operands:expr, $any_nan:expr, $suffix:literal $type:ident: $($name:literal $rust:expr),+ $(,)?) => {
        $($cases.push(Case {
            symbol: concat!($name, "_", $suffix).to_owned(),
            operands: Arc::clone(&$operands),
            rust: |a, b, c| {
                let function: fn($type, $type, $type) -> _ = $rust;
                function(Bits::get(a), Bits::get(b), Bits::get(c)).put()
            },
            any_nan: $any_nan,
        });)+
    };
}

/// What every float type has. `$one` holds operands of unary functions, `$many` of the others.
macro_rules! of_each_float {
    ($cases:ident, $one:ident, $many:ident, $format:ident, $cpp:literal $type:ident) => {
        cases!($cases, $many, Some($format), $cpp $type:
            "fadd" |a, b, _| a + b,
            "fsub" |a, b, _| a - b,
            "fmul" |a, b, _| a * b,
            "fdiv" |a, b, _| a / b,
            "frem" |a, b, _| a % b,
            "fmin" |a, b, _| a.min(b),
            "fmax" |a, b, _| a.max(b),
        );
        cases!($cases, $many, None, $cpp $type:
            "feq" |a, b, _| a == b,
            "flt" |a, b, _| a < b,
            "fle" |a, b, _| a <= b,
            "fcopysign" |a, b, _| a.copysign(b),
        );
        let ordered = Arc::new($many.filter(|_, b, c| <$type>::get(b) <= <$type>::get(c)));
        cases!($cases, ordered, Some($format), $cpp $type: "fclamp" |a, b, c| a.clamp(b, c));
        cases!($cases, $one, Some($format), $cpp $type: "fsignum" |a, _, _| a.signum());
        cases!($cases, $one, None, $cpp $type:
            "fneg" |a, _, _| -a,
            "fabs_" |a, _, _| a.copysign(<$type>::get(0)),
            "fis_nan" |a, _, _| a.is_nan(),
            "fis_finite" |a, _, _| a.is_finite(),
            "fis_infinite" |a, _, _| a.is_infinite(),
        );
    };
}

macro_rules! of_float_and_double {
    ($cases:ident, $one:ident, $many:ident, $format:ident, $cpp:literal $type:ident) => {
        cases!($cases, $one, Some($format), $cpp $type:
            "fsqrt" |a, _, _| a.sqrt(),
            "ffloor" |a, _, _| a.floor(),
            "fceil" |a, _, _| a.ceil(),
            "fround" |a, _, _| a.round(),
            "ftrunc" |a, _, _| a.trunc(),
        );
        cases!($cases, $many, Some($format), $cpp $type:
            "frem_euclid" |a, b, _| a.rem_euclid(b),
            "fdiv_euclid" |a, b, _| a.div_euclid(b),
            "fmul_add" |a, b, c| a.mul_add(b, c),
        );
    };
}

/// `$wide` takes the value to a type that has `as`.
macro_rules! to_each_integer {
    ($cases:ident, $one:ident, $cpp:literal $type:ident, $wide:expr) => {
        cases!($cases, $one, None, $cpp $type:
            "fto_int_int8_t" |a, _, _| $wide(a) as i8,
            "fto_int_int16_t" |a, _, _| $wide(a) as i16,
            "fto_int_int32_t" |a, _, _| $wide(a) as i32,
            "fto_int_int64_t" |a, _, _| $wide(a) as i64,
            "fto_int_uint8_t" |a, _, _| $wide(a) as u8,
            "fto_int_uint16_t" |a, _, _| $wide(a) as u16,
            "fto_int_uint32_t" |a, _, _| $wide(a) as u32,
            "fto_int_uint64_t" |a, _, _| $wide(a) as u64,
        );
    };
}

/// From `$type` to each float type. The `const` functions of `half` are its portable ones: with its feature `std`, on
/// a CPU with F16C, `f16::from_f64` rounds twice.
macro_rules! to_each_float {
    ($cases:ident, $one:ident, $cpp:literal $type:ident, $f16:expr, $bf16:expr, $f32:expr, $f64:expr) => {
        cases!($cases, $one, Some(F16), $cpp $type: "fcast_half" |a, _, _| $f16(a));
        cases!($cases, $one, Some(BF16), $cpp $type: "fcast_bfloat16_t" |a, _, _| $bf16(a));
        cases!($cases, $one, Some(F32), $cpp $type: "fcast_float" |a, _, _| $f32(a));
        cases!($cases, $one, Some(F64), $cpp $type: "fcast_double" |a, _, _| $f64(a));
    };
}

macro_rules! from_integer {
    ($cases:ident, $count:ident, $cpp:literal $type:ident) => {
        let one = Arc::new(operands::integers($type::BITS, 5, $count / 4));
        to_each_float!($cases, one, $cpp $type,
            |a| f16::from_f32_const(a as f32), |a| bf16::from_f32_const(a as f32), |a| a as f32, |a| a as f64);
    };
}

/// Every case, of `count` random operands each.
pub fn all(count: usize) -> Vec<Case> {
    let mut cases = Vec::new();
    let all_16 = Arc::new(operands::all_16());
    {
        let many = Arc::new(operands::floats(F16, 1, count));
        of_each_float!(cases, all_16, many, F16, "half" f16);
        to_each_integer!(cases, all_16, "half" f16, f16::to_f32_const);
        to_each_float!(cases, all_16, "half" f16,
            f16::from, |a: f16| bf16::from_f32_const(a.to_f32_const()), f16::to_f32_const, f16::to_f64_const);
    }
    {
        let many = Arc::new(operands::floats(BF16, 2, count));
        of_each_float!(cases, all_16, many, BF16, "bfloat16_t" bf16);
        to_each_integer!(cases, all_16, "bfloat16_t" bf16, bf16::to_f32_const);
        to_each_float!(cases, all_16, "bfloat16_t" bf16,
            |a: bf16| f16::from_f32_const(a.to_f32_const()), bf16::from, bf16::to_f32_const, bf16::to_f64_const);
    }
    {
        let one = Arc::new(operands::floats(F32, 6, count / 4));
        let many = Arc::new(operands::cancel(operands::floats(F32, 3, count), |a, b| {
            (-(f32::get(a) * f32::get(b))).put()
        }));
        of_each_float!(cases, one, many, F32, "float" f32);
        of_float_and_double!(cases, one, many, F32, "float" f32);
        to_each_integer!(cases, one, "float" f32, f32::from);
        to_each_float!(cases, one, "float" f32, f16::from_f32_const, bf16::from_f32_const, f32::from, f64::from);
    }
    {
        let one = Arc::new(operands::floats(F64, 7, count / 4));
        let mut many = operands::cancel(operands::floats(F64, 4, count), |a, b| {
            (-(f64::get(a) * f64::get(b))).put()
        });
        // A product of 2^105 + 2^27: just over half a unit of a third operand of 2^158.
        let (a, b) = (
            ((1u64 << 52) + (1 << 26)) as f64,
            ((1u64 << 53) - (1 << 27) + 2) as f64,
        );
        let c = f64::from_bits((1023 + 158) << 52);
        many.push(a.put(), b.put(), c.put());
        many.push(a.put(), b.put(), (-c).put());
        let many = Arc::new(many);
        of_each_float!(cases, one, many, F64, "double" f64);
        of_float_and_double!(cases, one, many, F64, "double" f64);
        to_each_integer!(cases, one, "double" f64, f64::from);
        to_each_float!(cases, one, "double" f64, f16::from_f64_const, bf16::from_f64_const, |a| a as f32, f64::from);
    }
    from_integer!(cases, count, "int8_t" i8);
    from_integer!(cases, count, "int16_t" i16);
    from_integer!(cases, count, "int32_t" i32);
    from_integer!(cases, count, "int64_t" i64);
    from_integer!(cases, count, "uint8_t" u8);
    from_integer!(cases, count, "uint16_t" u16);
    from_integer!(cases, count, "uint32_t" u32);
    from_integer!(cases, count, "uint64_t" u64);
    cases
}
