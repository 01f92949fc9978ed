//! What generated code calls. Not for people: it changes without notice.

pub use crate::kernel::{Args, KernelInfo, Parameter, Site};
pub use crate::stream::launch;
