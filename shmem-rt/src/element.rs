//! The types that memory cells and kernel arguments have.

use half::{bf16, f16};

mod sealed {
    pub trait Sealed {}
}
pub(crate) use sealed::Sealed;

/// A type that memory cells have: the 13 of the device API.
///
/// `f16`, `bf16` (crate `half`), `f32`, `f64`, `i8` to `i64`, `u8` to `u64`; `c_char` is one of these.
///
/// # Safety
/// The type has no padding, every bit pattern is a value of it, and it is 1, 2, 4 or 8 bytes long and aligned to its
/// size. The trait is sealed.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not an element type of SHMEM memory",
    label = "not an element type",
    note = "element types are f16, bf16, f32, f64, i8, i16, i32, i64, u8, u16, u32, u64 and c_char"
)]
pub unsafe trait Element: Sealed + Copy + Send + Sync + 'static {}

/// A type that a kernel takes by value: the element types, `bool`, `usize` and `isize`.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be given to a kernel by value",
    label = "not a scalar",
    note = "scalars are f16, bf16, f32, f64, the integers of 8 to 64 bits, usize, isize and bool"
)]
pub trait Scalar: Sealed + Copy + 'static {
    /// The value's bits, zero-extended.
    #[doc(hidden)]
    fn slot(self) -> u64;
}

macro_rules! elements {
    ($($t:ty: |$v:ident| $slot:expr),* $(,)?) => {$(
        impl Sealed for $t {}
        // SAFETY: a number of 1, 2, 4 or 8 bytes without padding, of which every bit pattern is a value.
        unsafe impl Element for $t {}
        impl Scalar for $t {
            fn slot(self) -> u64 {
                let $v = self;
                $slot
            }
        }
        const _: () = assert!(align_of::<$t>() == size_of::<$t>());
    )*};
}

elements! {
    f16: |v| v.to_bits().into(),
    bf16: |v| v.to_bits().into(),
    f32: |v| v.to_bits().into(),
    f64: |v| v.to_bits(),
    i8: |v| (v as u8).into(),
    i16: |v| (v as u16).into(),
    i32: |v| (v as u32).into(),
    i64: |v| v as u64,
    u8: |v| v.into(),
    u16: |v| v.into(),
    u32: |v| v.into(),
    u64: |v| v,
}

impl Sealed for bool {}
impl Scalar for bool {
    fn slot(self) -> u64 {
        self.into()
    }
}

impl Sealed for usize {}
impl Scalar for usize {
    fn slot(self) -> u64 {
        self as u64
    }
}

impl Sealed for isize {}
impl Scalar for isize {
    fn slot(self) -> u64 {
        // Sign and all: the kernel has 64 bits as well.
        self as i64 as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slot_has_the_bits_and_zeros_above_them() {
        assert_eq!((-1_i8).slot(), 0xff);
        assert_eq!((-1_i16).slot(), 0xffff);
        assert_eq!((-2_i32).slot(), 0xffff_fffe);
        assert_eq!((-1_i64).slot(), u64::MAX);
        assert_eq!(200_u8.slot(), 200);
        assert_eq!(u64::MAX.slot(), u64::MAX);
        assert_eq!(1.0_f32.slot(), 0x3f80_0000);
        assert_eq!((-0.0_f64).slot(), 1 << 63);
        assert_eq!(f16::ONE.slot(), 0x3c00);
        assert_eq!(bf16::NEG_ONE.slot(), 0xbf80);
        assert_eq!((true.slot(), false.slot()), (1, 0));
        assert_eq!((7_usize.slot(), (-1_isize).slot()), (7, u64::MAX));
    }
}
