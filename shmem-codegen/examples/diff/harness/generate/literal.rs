//! Values at the edges: as literals, and as bits for inputs.

use super::Gen;
use crate::harness::ast::{Expr, Kind, Scalar, Ty};
use crate::harness::rng::Rng;

const F32: [&str; 24] = [
    "0.0",
    "1.0",
    "1.5",
    "0.1",
    "0.5",
    "2.0",
    "3.0",
    "1e-45",
    "3.4028235e38",
    "16777217.0",
    "1e10",
    "2147483648.0",
    "1e-8",
    "255.5",
    "1.",
    "1e3",
    "9.223372e18",
    "1.8446744e19",
    "1.1754944e-38",
    "0.3333333",
    "1_000.25",
    "65504.0",
    "4294967296.0",
    "127.99999",
];

const F64: [&str; 22] = [
    "0.0",
    "1.0",
    "1.5",
    "0.1",
    "0.2",
    "0.3",
    "5e-324",
    "1.7976931348623157e308",
    "9007199254740993.0",
    "1e39",
    "1e-46",
    "4294967296.5",
    "2147483647.5",
    "9.223372036854775e18",
    "1.8446744073709552e19",
    "1.0000000596046448",
    "255.999",
    "3.",
    "1e300",
    "2.2250738585072014e-308",
    "0.30000000000000004",
    "33554433.0",
];

/// Bits of an interesting value; `tame` ones are small.
pub fn edge_bits(rng: &mut Rng, scalar: Scalar, tame: bool) -> u64 {
    match scalar {
        Scalar::Bool => rng.next() & 1,
        Scalar::F32 => {
            if rng.chance(25) {
                return u64::from(*rng.pick(&[0x7f80_0001_u32, 0xff80_1234, 0x7fc0_0001]));
            }
            if tame || rng.chance(30) {
                return u64::from((rng.below(40) as f32 / 10.0 - 0.7).to_bits());
            }
            u64::from(*rng.pick(&[
                0x0000_0000,
                0x8000_0000,
                0x3f80_0000,
                0xbf80_0000,
                0x3dcc_cccd,
                0x0000_0001,
                0x8000_0001,
                0x007f_ffff,
                0x0080_0000,
                0x7f7f_ffff,
                0xff7f_ffff,
                0x7f80_0000,
                0xff80_0000,
                0x7fc0_0000,
                0xffc0_0000,
                0x7f80_0001,
                0xffc1_2345,
                0x7fff_ffff,
                0x4b80_0001,
                0x4f00_0000,
                0xcf00_0000,
                0x4f80_0000,
                0x5f00_0000,
                0x5f80_0000,
                0xdf00_0000,
                0x437f_8000,
                0xbfc0_0000,
                0x4effffff_u32,
                0xc300_0000,
                0x4b7f_ffff,
                0x33d6_bf95,
            ]))
        }
        Scalar::F64 => {
            if rng.chance(8) {
                return *rng.pick(&[
                    0x7ff0_0000_0000_0001,
                    0xfff0_0000_1234_0000,
                    0x7ff8_0000_0000_0001,
                ]);
            }
            if tame || rng.chance(30) {
                return (rng.below(40) as f64 / 10.0 - 0.7).to_bits();
            }
            *rng.pick(&[
                0,
                1 << 63,
                0x3ff0_0000_0000_0000,
                0xbff8_0000_0000_0000,
                0x3fb9_9999_9999_999a,
                1,
                0x8000_0000_0000_0001,
                0x000f_ffff_ffff_ffff,
                0x0010_0000_0000_0000,
                0x7fef_ffff_ffff_ffff,
                0xffef_ffff_ffff_ffff,
                0x7ff0_0000_0000_0000,
                0xfff0_0000_0000_0000,
                0x7ff8_0000_0000_0000,
                0xfff8_0000_0000_0000,
                0x7ff0_0000_0000_0001,
                0xfff8_0000_1234_5678,
                0x41df_ffff_ffc0_0000,
                0x41e0_0000_0000_0000,
                0xc1e0_0000_0000_0000,
                0xc1e0_0000_0020_0000,
                0x41ef_ffff_ffff_ffff,
                0x43e0_0000_0000_0000,
                0xc3e0_0000_0000_0000,
                0x43f0_0000_0000_0000,
                0x43ef_ffff_ffff_ffff,
                0x406f_f000_0000_0000,
                0x3ff0_0000_1000_0000,
                0x47f0_0000_0000_0000,
                0x36a0_0000_0000_0000,
                0x4340_0000_0000_0001,
            ])
        }
        Scalar::F16 | Scalar::Bf16 => *rng.pick(&[
            0x0000, 0x8000, 0x3c00, 0xbc00, 0x0001, 0x7c00, 0xfc00, 0x7c01, 0x7e00, 0xfe55, 0x7f80,
            0x7f81, 0xffff, 0x3f80,
        ]),
        Scalar::CChar => *rng.pick(&[0, 1, 65, 127, 128, 200, 255]),
        int => {
            let (min, max) = int.range();
            let mask = if int.size() == 8 {
                u64::MAX
            } else {
                (1 << (int.size() * 8)) - 1
            };
            let value = if tame {
                rng.below(9) as i128 - if min < 0 && rng.chance(20) { 3 } else { 0 }
            } else {
                edge(rng, min, max)
            };
            (value as u64) & mask
        }
    }
}

fn edge(rng: &mut Rng, min: i128, max: i128) -> i128 {
    match rng.below(14) {
        0 => min,
        1 => max,
        2 => min + 1,
        3 => max - 1,
        4 => max / 2 + 1,
        5 => max / 2,
        6 => (-1_i128).max(min),
        7 => {
            let power = 1_i128 << rng.below(64);
            (power - rng.below(3) as i128 + 1).clamp(min, max)
        }
        8 => {
            let power = 1_i128 << rng.below(64);
            (-power + rng.below(2) as i128).clamp(min, max)
        }
        9 => (i128::from(rng.next()) & max).clamp(min, max),
        _ => (rng.below(12) as i128 - 2).clamp(min, max),
    }
}

impl Gen {
    /// An integer at an edge of its type, or a small one.
    pub(super) fn edge_of(&mut self, int: Scalar) -> i128 {
        let (min, max) = int.range();
        edge(&mut self.rng, min, max).clamp(min, max)
    }

    /// A literal of type `ty`; `bare` ones may leave their suffix to the context.
    pub(super) fn literal_of(&mut self, ty: &Ty, bare: bool) -> Option<Expr> {
        let scalar = ty.scalar()?;
        let bare = bare && self.rng.chance(70);
        let text = match scalar {
            Scalar::Bool => if self.rng.chance(50) { "true" } else { "false" }.to_owned(),
            Scalar::F32 | Scalar::F64 => {
                let digits = if scalar == Scalar::F32 {
                    *self.rng.pick(&F32)
                } else {
                    *self.rng.pick(&F64)
                };
                let suffix = if bare || digits.ends_with('.') {
                    ""
                } else {
                    scalar.name()
                };
                if suffix.is_empty() && !bare {
                    return None;
                }
                if !bare && self.rng.chance(15) {
                    format!("{}{}", self.rng.below(20), scalar.name())
                } else {
                    format!("{digits}{suffix}")
                }
            }
            Scalar::F16 | Scalar::Bf16 => return None,
            Scalar::CChar => {
                let value = self.rng.below(128).to_string();
                let cast = Expr::new(
                    Kind::Literal(format!(
                        "{value}{}",
                        self.rng.pick(&["i8", "u8", "u32", ""])
                    )),
                    Ty::Scalar(Scalar::U8),
                );
                return Some(Expr::new(Kind::Cast(Box::new(cast)), ty.clone()));
            }
            int => {
                let (min, max) = int.range();
                let value = if self.rng.chance(55) {
                    self.rng.below(10) as i128
                } else {
                    edge(&mut self.rng, min, max)
                };
                self.spell(value, if bare { "" } else { int.name() })
            }
        };
        Some(Expr::new(Kind::Literal(text), ty.clone()))
    }

    /// An integer as someone may write it.
    fn spell(&mut self, value: i128, suffix: &str) -> String {
        let sign = if value < 0 { "-" } else { "" };
        let value = value.unsigned_abs();
        match self.rng.below(12) {
            0 => format!(
                "{sign}{value:#x}{}{suffix}",
                if suffix.is_empty() { "" } else { "_" }
            ),
            1 => format!(
                "{sign}{value:#b}{}{suffix}",
                if suffix.is_empty() { "" } else { "_" }
            ),
            2 => format!(
                "{sign}{value:#o}{}{suffix}",
                if suffix.is_empty() { "" } else { "_" }
            ),
            3 => format!("{sign}{value}_{suffix}"),
            4 if value > 999 => {
                let (high, low) = (value / 1000, value % 1000);
                format!("{sign}{high}_{low:03}{suffix}")
            }
            5 => format!("{sign}0{value}{suffix}"),
            _ => format!("{sign}{value}{suffix}"),
        }
    }
}
