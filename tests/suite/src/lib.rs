//! Kernels that the tests of this package launch, and what they share.

// What they say of the kernels of `names` holds for a crate only.
#![allow(confusable_idents, mixed_script_confusables, uncommon_codepoints)]

pub mod jobs;
pub mod kernels;
