//! What generated code calls. Not for people: it changes without notice.

pub use crate::kernel::{Args, KernelInfo, Site};
pub use crate::stream::launch;

/// Shows that a path leads to this crate.
#[derive(Clone, Copy, Debug)]
pub struct Facade;

/// See [`Facade`].
pub const FACADE: Facade = Facade;

/// The value itself. Generated code calls it as `same::<T>(value)`, so that rustc confirms the type that was inferred.
#[inline(always)]
pub fn same<T>(value: T) -> T {
    value
}
