//! What generated code calls. Not for people: it changes without notice.

pub use crate::kernel::{Args, KernelInfo, Site};
pub use crate::stream::launch;

/// Shows that a path leads to this crate.
#[derive(Clone, Copy, Debug)]
pub struct Facade;

/// See [`Facade`].
pub const FACADE: Facade = Facade;
