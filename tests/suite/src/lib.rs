//! Kernels that the tests of this package launch, and what they share.

pub mod jobs;
pub mod kernels;
