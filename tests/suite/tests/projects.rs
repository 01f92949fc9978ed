//! The build script and its hand-over to the macro, from the outside: cargo projects as users have them.
//!
//! All projects share one target directory, so that the crates of this workspace are compiled for them once.
#![allow(
    clippy::unwrap_used,
    reason = "helpers of tests are tests, to clippy only functions under #[test] are"
)]

#[path = "projects/scratch.rs"]
mod scratch;

#[path = "projects/compilers.rs"]
mod compilers;
#[path = "projects/example.rs"]
mod example;
#[path = "projects/handover.rs"]
mod handover;
#[path = "projects/large.rs"]
mod large;
#[path = "projects/mistakes.rs"]
mod mistakes;
#[path = "projects/modules.rs"]
mod modules;
#[path = "projects/places.rs"]
mod places;
#[path = "projects/rebuilds.rs"]
mod rebuilds;
#[path = "projects/together.rs"]
mod together;
