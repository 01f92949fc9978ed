//! Literals in C++: exact bits, and a type that computes as Rust's does.

use crate::ty::{Float, Int, Ty};

/// An integer literal that has its type whatever stands beside it.
pub(super) fn typed(value: i128, ty: Ty) -> String {
    let Ty::Int(int) = ty else {
        return small(value);
    };
    match int {
        // Computed in int, as variables of these types are.
        Int::I8 | Int::I16 | Int::U8 | Int::U16 | Int::I32 => small(value),
        Int::U32 => format!("{value}u"),
        Int::I64 | Int::Isize if value == i128::from(i64::MIN) => {
            "(-int64_t{9223372036854775807} - 1)".to_owned()
        }
        Int::I64 | Int::Isize => format!("int64_t{{{value}}}"),
        Int::U64 | Int::Usize => format!(
            "uint64_t{{{value}{}}}",
            if value > i128::from(i64::MAX) {
                "u"
            } else {
                ""
            }
        ),
    }
}

/// An integer literal where the context gives the type.
pub(super) fn plain(value: i128, ty: Ty) -> String {
    if value < i128::from(i32::MIN) || value > i128::from(u32::MAX) {
        typed(value, ty)
    } else {
        small(value)
    }
}

/// An integer literal of at most 32 bits.
fn small(value: i128) -> String {
    if value == i128::from(i32::MIN) {
        "(-2147483647 - 1)".to_owned()
    } else if value > i128::from(i32::MAX) {
        format!("{value}u")
    } else {
        value.to_string()
    }
}

/// A float literal: the shortest text that reads back as the same bits, rounded once from the digits.
pub(super) fn float(digits: &str, ty: Ty) -> String {
    // What has no decimal digits is given by its bits.
    match ty {
        Ty::Float(Float::F32) => match digits.parse::<f32>().unwrap_or(f32::NAN) {
            value if value.is_finite() => format!("{value:?}f"),
            value => format!("__builtin_bit_cast(float, {:#x}u)", value.to_bits()),
        },
        _ => match digits.parse::<f64>().unwrap_or(f64::NAN) {
            value if value.is_finite() => format!("{value:?}"),
            value => format!(
                "__builtin_bit_cast(double, uint64_t{{{:#x}u}})",
                value.to_bits()
            ),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integers_keep_their_type_and_value() {
        let cases = [
            (5, Int::I32, "5"),
            (-5, Int::I8, "-5"),
            (i128::from(i32::MIN), Int::I32, "(-2147483647 - 1)"),
            (5, Int::U32, "5u"),
            (-7, Int::I64, "int64_t{-7}"),
            (
                i128::from(i64::MIN),
                Int::I64,
                "(-int64_t{9223372036854775807} - 1)",
            ),
            (
                i128::from(u64::MAX),
                Int::U64,
                "uint64_t{18446744073709551615u}",
            ),
            (9, Int::Usize, "uint64_t{9}"),
        ];
        for (value, int, text) in cases {
            assert_eq!(typed(value, Ty::Int(int)), text);
        }
        assert_eq!(plain(9, Ty::Int(Int::Usize)), "9");
        // What does not fit is refused elsewhere: it ends all the same.
        assert_eq!(plain(-2147483649, Ty::Int(Int::I32)), "-2147483649");
        assert_eq!(plain(1 << 40, Ty::CChar), "1099511627776u");
        assert_eq!(plain(1 << 40, Ty::Int(Int::I64)), "int64_t{1099511627776}");
        assert_eq!(
            plain(i128::from(u32::MAX), Ty::Int(Int::U64)),
            "4294967295u"
        );
    }

    #[test]
    fn floats_are_rounded_once_and_read_back() {
        let f32 = Ty::Float(Float::F32);
        assert_eq!(float("0.1", f32), "0.1f");
        assert_eq!(float("16777217", f32), "16777216.0f");
        assert_eq!(float("1e-45", f32), "1e-45f");
        assert_eq!(float("1e300", Ty::Float(Float::F64)), "1e300");
        assert_eq!(float("inf", f32), "__builtin_bit_cast(float, 0x7f800000u)");
        assert_eq!(float("NaN", f32), "__builtin_bit_cast(float, 0x7fc00000u)");
        assert_eq!(float("1.", Ty::Float(Float::F64)), "1.0");
    }
}
