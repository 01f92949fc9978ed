//! Kernels that name what stands in other modules and files.

use shmem::prelude::*;

mod math;
pub use math::shapes;
/// Takes the same names from elsewhere, and gives them on.
pub mod through {
    pub use super::math::CUBE as THIRD;
    pub(super) use super::math::cube as third_power;
    pub use super::math::deep::{self, *};

    /// In the way of nothing: a name that is defined goes before one that a glob brings.
    pub const SHADOWED: i32 = 1;
}

use math::deep::inner as renamed;
use math::{Table, clamped, deep};
use through::*;

const OFFSET: i32 = math::CUBE - crate::kernels::modules::math::deep::TWO;

#[shmem_device]
fn local(x: i32) -> i32 {
    self::math::cube(x % 100) + OFFSET
}

/// Every way to a function and to a constant.
#[shmem_kernel]
pub fn ways(x: i32, out: Global<[i64]>) {
    let small = x % 50;
    let values = math::cube(small)
        + crate::kernels::modules::math::cube(1)
        + self::math::deep::inner(small)
        + deep::inner(2)
        + renamed(3)
        + third_power(2)
        + through::third_power(3)
        + through::deep::inner(4)
        + inner(5)
        + local(small);
    out.at(0).store(values as i64);
    out.at(1)
        .store((OFFSET + THIRD + TWO + math::deep::TWO + SHADOWED) as i64);
    out.at(2)
        .store(Table::ROWS as i64 * 1000 + Table::CELLS as i64);
    out.at(3).store(clamped(x as i64 * 1000));
    out.at(4).store(match small {
        through::THIRD => 1,
        deep::TWO => 2,
        SHADOWED => 3,
        math::Table::LOW..=math::Table::HIGH => 4,
        _ => 5,
    });
    out.at(5).store(math::quotient(x, small) as i64);
}

/// In a module of its own, with all that is above it.
pub mod below {
    use super::*;

    /// Names that a glob of the module above brings.
    #[shmem_kernel]
    pub fn from_above(x: i32, out: Global<[i64]>) {
        let y = super::local(x % 50) + math::cube(OFFSET % 7) + super::super::modules::inner(x % 9);
        out.at(0).store(y as i64);
        out.at(1).store(clamped(x as i64));
    }
}

/// Constants of all kinds of types and values.
pub mod constants {
    use shmem::prelude::*;

    const BYTES: usize = 4 * LANES + (1 << 4);
    const LANES: usize = 2_usize.pow(3);
    const MASK: u8 = !0 ^ 0b1010;
    const MINUS: i16 = -(i16::MAX as i32 / 3) as i16;
    const WRAPPED: u32 = 3_u32.wrapping_sub(5);
    const THIRD: f32 = 1.0 / 3.0;
    const TINY: f64 = -1e-310 * 0.5;
    const ROUND: f32 = 16_777_217_i32 as f32;
    const CUT: i8 = -1e9_f32 as i8;
    const NOT_A_NUMBER: f64 = f64::INFINITY * 0.0;
    const CHOSEN: i64 = if LANES > 4 && !OFF { -1 } else { 1 };
    const OFF: bool = BYTES == 0;
    const HALF: f16 = f16::ONE;
    const BITS: u32 = MASK.count_ones() + LANES.leading_zeros() + LANES.trailing_zeros();
    const BYTE: c_char = 65;

    /// A type with a value of its own.
    pub struct Plan;

    impl Plan {
        const STEP: u64 = 1 + Self::HALF;
        const HALF: u64 = LANES as u64 / 2;
    }

    /// Stores each of them.
    #[shmem_kernel]
    pub fn all(out: Global<[f64]>, ints: Global<[i64]>) {
        ints.at(0).store(BYTES as i64);
        ints.at(1).store(MASK as i64);
        ints.at(2).store(MINUS as i64);
        ints.at(3).store(WRAPPED as i64);
        ints.at(4).store(CUT as i64);
        ints.at(5).store(CHOSEN);
        ints.at(6).store(OFF as i64);
        ints.at(7).store(BITS as i64);
        ints.at(8).store((Plan::STEP * Plan::HALF) as i64);
        ints.at(9).store(HALF.to_bits() as i64);
        ints.at(10).store(BYTE as i64);
        out.at(0).store(THIRD as f64);
        out.at(1).store(TINY);
        out.at(2).store(ROUND as f64);
        out.at(3)
            .store(if NOT_A_NUMBER.is_nan() { 1.0 } else { 2.0 });
    }
}

/// Structs and enums of other modules, and one that no `use` brings here.
pub mod types {
    use super::math::shapes::{self, Box2, Side::*, corner};
    use shmem::prelude::*;

    const UNIT: Box2 = Box2 {
        low: [0; 2],
        high: shapes::ONES,
        side: Right,
    };
    const TABLE: [(i64, shapes::Side); 2] = [(5, Left), (-7, shapes::Side::Right)];

    /// Another type of a name that stands above, with other fields.
    #[derive(Clone, Copy)]
    pub struct Point(pub u8, pub bool);

    #[shmem_device]
    fn of(point: Point) -> i64 {
        if point.1 { point.0 as i64 } else { -1 }
    }

    /// Both `Point`s in one kernel: the other one comes from a call.
    #[shmem_kernel]
    pub fn boxes(x: i32, given: shapes::Box2, out: Global<[i64]>) {
        let mut all = [UNIT, given, UNIT];
        all[2].low[1] = x;
        let mut at = 0;
        while at < 3 {
            let point = corner(all[at]);
            let own = Point(at as u8, point.x > point.y);
            out.at(at).store((point.x * 10 + point.y) as i64 + of(own));
            at += 1;
        }
        out.at(3).store(match given.side {
            Left => TABLE[0].0,
            shapes::Side::Right => TABLE[1].0,
        });
        let (_, side) = TABLE[1];
        out.at(4).store(side as i64);
    }
}
