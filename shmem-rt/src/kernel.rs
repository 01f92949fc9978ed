//! What generated code says of a kernel, and the arguments of one launch.

use std::sync::Arc;

use crate::block::Block;
use crate::element::{Scalar, Sealed};
use crate::{DeviceBox, Element, Error, Global, Symmetric, SymmetricBox};

/// A kernel, as its stub describes it.
#[derive(Debug)]
pub struct KernelInfo {
    /// Its function.
    pub name: &'static str,
    /// The Rust file that it stands in.
    pub file: &'static str,
    /// Line of its name.
    pub line: u32,
    /// Stem of its symbols in the library.
    pub symbol: &'static str,
    /// The library's bytes; `None` when nothing was built.
    pub library: Option<&'static [u8]>,
    /// What stub and library have to agree on.
    pub contract: u64,
    /// It has checks and takes the fault area as a slot behind its arguments.
    pub checked: bool,
    /// All blocks run the body.
    pub all_blocks: bool,
    /// It runs on vector cores only.
    pub vector: bool,
    /// It prints, and takes the area for it as its last slot.
    pub prints: bool,
    /// Where it can panic or prints.
    pub sites: &'static [Site],
}

/// A place where a kernel can panic, or prints.
#[derive(Debug)]
pub struct Site {
    /// The Rust file, where it is another than the kernel's; else empty.
    pub file: &'static str,
    /// Line, from 1.
    pub line: u32,
    /// Column, from 1.
    pub column: u32,
    /// The operation, as in "attempt to add with overflow".
    pub op: &'static str,
    /// Whether its values are signed.
    pub signed: bool,
    /// The text of a panic or a print: a `{}` for each value, literal braces doubled.
    pub text: &'static str,
    /// How its values are written, a letter for each: `i` signed, `u` unsigned, `b` bool, `h` and `g` for `f16` and
    /// `bf16`, `f` and `d` floats of 32 and 64 bits, and capital letters for floats as `{:?}` writes them.
    pub values: &'static str,
}

impl KernelInfo {
    /// How many instances a launch of `blocks` has: each block of a mixed kernel has a cube and two vector cores.
    pub(crate) fn instances(&self, blocks: u32) -> usize {
        blocks as usize * if self.vector { 1 } else { 3 }
    }

    /// How many instances run the body, and may print: their numbers are those of `block_idx`.
    pub(crate) fn bodies(&self, blocks: u32) -> usize {
        match (self.all_blocks, self.vector) {
            (false, _) => 1,
            (true, true) => blocks as usize,
            (true, false) => 2 * blocks as usize,
        }
    }
}

/// The arguments of a launch: 8-byte slots, and the memory that they point to.
#[derive(Debug, Default)]
pub struct Args {
    pub(crate) slots: Vec<u64>,
    pub(crate) blocks: Vec<Arc<Block>>,
}

impl Args {
    /// No arguments.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    fn cell(&mut self, block: &Arc<Block>) {
        self.slots.push(block.address().addr() as u64);
        self.blocks.push(block.clone());
    }

    /// Room for a value of `size` bytes; where it begins.
    #[must_use]
    pub fn open(&mut self, size: usize) -> usize {
        let start = self.slots.len() * 8;
        self.slots.resize(self.slots.len() + size.div_ceil(8), 0);
        start
    }

    /// Writes a part of an opened value at the byte `at`, as C has it there.
    ///
    /// # Panics
    /// Where no room was opened.
    pub fn put<T: Scalar>(&mut self, at: usize, value: T) {
        // Parts are aligned: none lies in two slots.
        let bits = u32::try_from(size_of::<T>() * 8).unwrap_or(64);
        let low = value.slot() & (u64::MAX >> (64 - bits));
        self.slots[at / 8] |= low << (at % 8 * 8);
    }

    fn cells(&mut self, block: &Arc<Block>, len: usize) {
        self.cell(block);
        self.slots.push(len as u64);
    }
}

/// The parameter number `INDEX` of a kernel, where it is an aggregate of scalars or an enum.
#[doc(hidden)]
pub trait Parameter<const INDEX: usize> {
    /// Its type.
    type Type;

    /// Adds the slots of the argument: its parts where C has them.
    fn pack(given: Self::Type, args: &mut Args);
}

/// What `launch` takes where the kernel has a parameter of type `P`.
///
/// | parameter | argument |
/// |---|---|
/// | `Symmetric<T>`, `Symmetric<[T]>` | `&SymmetricBox<T>`, `&SymmetricBox<[T]>` |
/// | `Global<T>`, `Global<[T]>` | `&DeviceBox<T>`, `&DeviceBox<[T]>`, or a reference to a `SymmetricBox` |
/// | a scalar, tuple, array, struct or enum | a value of its type |
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be given to a kernel for its parameter of type `{P}`",
    label = "not an argument for `{P}`",
    note = "give `&SymmetricBox<T>` for `Symmetric<T>`, `&DeviceBox<T>` or `&SymmetricBox<T>` for `Global<T>`, and a \
            value of the same type for a scalar"
)]
pub trait KernelArg<P>: sealed::Sealed<P> {
    /// Adds the argument's slots.
    ///
    /// # Errors
    /// None now.
    #[doc(hidden)]
    fn pack(self, args: &mut Args) -> Result<(), Error>;
}

mod sealed {
    pub trait Sealed<P> {}
}

macro_rules! boxes {
    ($($boxed:ident => $memory:ident),*) => {$(
        impl<T: Element> sealed::Sealed<$memory<'static, T>> for &$boxed<'_, T> {}
        #[diagnostic::do_not_recommend]
        impl<T: Element> KernelArg<$memory<'static, T>> for &$boxed<'_, T> {
            fn pack(self, args: &mut Args) -> Result<(), Error> {
                args.cell(self.block());
                Ok(())
            }
        }

        impl<T: Element> sealed::Sealed<$memory<'static, [T]>> for &$boxed<'_, [T]> {}
        #[diagnostic::do_not_recommend]
        impl<T: Element> KernelArg<$memory<'static, [T]>> for &$boxed<'_, [T]> {
            fn pack(self, args: &mut Args) -> Result<(), Error> {
                args.cells(self.block(), self.len());
                Ok(())
            }
        }
    )*};
}

boxes!(SymmetricBox => Symmetric, SymmetricBox => Global, DeviceBox => Global);

impl<T: Scalar + Sealed> sealed::Sealed<T> for T {}
#[diagnostic::do_not_recommend]
impl<T: Scalar> KernelArg<T> for T {
    fn pack(self, args: &mut Args) -> Result<(), Error> {
        args.slots.push(self.slot());
        Ok(())
    }
}
