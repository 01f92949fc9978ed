//! Operands as bits: edge values, all pairs of them, and random ones whose exponents interact.

/// Where the fields of a float type lie.
#[derive(Clone, Copy)]
pub struct Format {
    pub mantissa: u32,
    pub exponent: u32,
}

pub const F16: Format = Format {
    mantissa: 10,
    exponent: 5,
};
pub const BF16: Format = Format {
    mantissa: 7,
    exponent: 8,
};
pub const F32: Format = Format {
    mantissa: 23,
    exponent: 8,
};
pub const F64: Format = Format {
    mantissa: 52,
    exponent: 11,
};

/// Columns of operands; a function of fewer takes the first columns.
#[derive(Clone, Default)]
pub struct Operands {
    pub a: Vec<u64>,
    pub b: Vec<u64>,
    pub c: Vec<u64>,
    /// How many of them, from the start, a slow library is given.
    pub few: usize,
}

impl Operands {
    pub fn push(&mut self, a: u64, b: u64, c: u64) {
        self.a.push(a);
        self.b.push(b);
        self.c.push(c);
    }

    /// The rows that `keep` keeps.
    pub fn filter(&self, keep: impl Fn(u64, u64, u64) -> bool) -> Self {
        let mut kept = Self::default();
        for i in 0..self.a.len() {
            if i == self.few {
                kept.few = kept.a.len();
            }
            if keep(self.a[i], self.b[i], self.c[i]) {
                kept.push(self.a[i], self.b[i], self.c[i]);
            }
        }
        kept
    }
}

/// xorshift64*, from a fixed seed.
pub struct Random(pub u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 >> 12;
        self.0 ^= self.0 << 25;
        self.0 ^= self.0 >> 27;
        self.0.wrapping_mul(0x2545_F491_4F6C_DD1D)
    }

    fn below(&mut self, end: i64) -> i64 {
        ((self.next() >> 33) as i64) % end
    }

    /// From `-reach` to `reach`.
    fn around(&mut self, reach: i64) -> i64 {
        self.below(2 * reach + 1) - reach
    }

    /// An exponent between zero's and the infinities' where there is one.
    fn float(&mut self, format: Format, exponent: i64) -> u64 {
        let most = (1i64 << format.exponent) - 1;
        let exponent = exponent.clamp(0, most) as u64;
        let mantissa_mask = (1u64 << format.mantissa) - 1;
        let mantissa = match self.below(4) {
            // Few leading bits, few trailing bits (and their complement), to meet ties and carries.
            0 => self.next() << self.below(64),
            1 => self.next() >> self.below(64),
            2 => !(self.next() >> self.below(64)),
            _ => self.next(),
        } & mantissa_mask;
        let sign = self.next() & 1;
        (sign << (format.mantissa + format.exponent)) | (exponent << format.mantissa) | mantissa
    }
}

/// About 200 values: every class, both ends of it, and where a conversion or an addition changes its way.
pub fn edges(format: Format) -> Vec<u64> {
    let (mantissa, most) = (i64::from(format.mantissa), (1i64 << format.exponent) - 1);
    let bias = most >> 1;
    let ones = (1u64 << format.mantissa) - 1;
    let mut exponents: Vec<i64> = vec![0, 1, 2, mantissa, most - 2, most - 1];
    for power in [
        -mantissa - 2,
        -mantissa - 1,
        -mantissa,
        -2,
        -1,
        0,
        1,
        mantissa,
        mantissa + 1,
        31,
        63,
    ] {
        exponents.push((bias + power).clamp(0, most - 1));
    }
    exponents.sort_unstable();
    exponents.dedup();
    let mut values = Vec::new();
    for exponent in exponents {
        for low in [0, 1, ones / 2, ones / 2 + 1, ones - 1, ones] {
            values.push(((exponent as u64) << format.mantissa) | low);
        }
    }
    let infinity = (most as u64) << format.mantissa;
    values.extend([
        infinity,
        infinity | 1,
        infinity | (ones / 2 + 1),
        infinity | ones,
    ]);
    let sign = 1u64 << (format.mantissa + format.exponent);
    for i in 0..values.len() {
        values.push(values[i] | sign);
    }
    values
}

/// All pairs of edge values, then `count` random triples.
pub fn floats(format: Format, seed: u64, count: usize) -> Operands {
    let mut operands = Operands::default();
    let mut random = Random(seed);
    let edges = edges(format);
    for &a in &edges {
        for &b in &edges {
            operands.push(a, b, edges[random.below(edges.len() as i64) as usize]);
        }
    }
    operands.few = operands.a.len() + count / 10;
    let (mantissa, most) = (i64::from(format.mantissa), (1i64 << format.exponent) - 1);
    let bias = most >> 1;
    for _ in 0..count {
        let a_exponent = match random.below(4) {
            0 => bias + random.around(70),
            _ => random.below(most + 1),
        }
        .clamp(0, most);
        let b_exponent = match random.below(8) {
            0 => random.below(most + 1),
            1 | 2 => a_exponent + random.around(1),
            3 => a_exponent + random.around(mantissa + 3),
            // A product, or a quotient, about to overflow or underflow.
            4 => most + bias - a_exponent + random.around(2),
            5 => bias - a_exponent - random.below(mantissa + 4),
            6 => a_exponent - bias + random.around(2),
            _ => a_exponent + bias + random.below(mantissa + 4),
        };
        let product = a_exponent + b_exponent - bias;
        let c_exponent = match random.below(4) {
            0 => random.below(most + 1),
            1 => product + random.around(2),
            2 => product + random.around(2 * mantissa + 4),
            _ => b_exponent + random.around(2),
        };
        let (a, b) = (
            random.float(format, a_exponent),
            random.float(format, b_exponent),
        );
        operands.push(a, b, random.float(format, c_exponent));
    }
    operands
}

/// Replaces the third operand by about the negated product in every fourth row, so that sums cancel.
pub fn cancel(mut operands: Operands, negated_product: impl Fn(u64, u64) -> u64) -> Operands {
    for i in (0..operands.a.len()).step_by(4) {
        let product = negated_product(operands.a[i], operands.b[i]);
        operands.c[i] = product.wrapping_add((i as u64 >> 2) % 3).wrapping_sub(1);
    }
    operands
}

/// Each value of a 16-bit type.
pub fn all_16() -> Operands {
    let mut operands = Operands::default();
    for bits in 0..=0xFFFF {
        operands.push(bits, 0, 0);
    }
    operands.few = operands.a.len();
    operands
}

/// Integers of `bits` bits: about every power of two, then `count` of random lengths.
pub fn integers(bits: u32, seed: u64, count: usize) -> Operands {
    let mut operands = Operands::default();
    let mut random = Random(seed);
    for power in 0..bits {
        for other in 0..=power {
            for change in [0, 1, u64::MAX] {
                let value = ((1u64 << power) | (1u64 << other)).wrapping_add(change);
                operands.push(value, 0, 0);
                operands.push(value.wrapping_neg(), 0, 0);
            }
        }
    }
    operands.few = operands.a.len() + count / 10;
    for _ in 0..count {
        let value = random.next() >> random.below(64);
        operands.push(
            if random.below(2) == 0 {
                value
            } else {
                value.wrapping_neg()
            },
            0,
            0,
        );
    }
    operands
}
