//! Kernel source to AscendC: the front end that the macro and the build script share.
//!
//! ```text
//! tokens --signature, lower--> kernel IR --check--> IR --emit--> AscendC
//! ```
//!
//! Every stage is a pure function over whole values and collects all of its errors. Nothing here prints, reads the
//! environment or touches files, except [`mod@build`], which build scripts call:
//!
//! ```no_run
//! // The body of `main` in build.rs:
//! shmem_codegen::build();
//! ```

mod aggregate;
mod analyse;
mod check;
pub mod configure;
mod constant;
mod diag;
mod emit;
pub mod enclosure;
mod evaluate;
mod infer;
mod ir;
pub mod items;
mod lower;
mod mangle;
pub mod manifest;
mod naming;
mod nfc;
mod number;
mod options;
// Some mistakes only a build script sees.
#[cfg_attr(not(feature = "build"), allow(dead_code))]
#[allow(missing_docs)]
mod rules;
mod signature;
mod stack;
mod tokens;
mod ty;
mod types;
mod walk;

#[cfg(feature = "build")]
pub mod build;
pub mod source;

pub use aggregate::{Array, Enum, Field, Struct, Tuple, Variant};
pub use analyse::{
    Analysis, Annotations, Arguments, NodeId, Use, analyse, analyse_among, analyse_device,
};
#[cfg(feature = "build")]
pub use build::{Build, build};
pub use diag::{Diagnostic, SpanRange};
#[doc(hidden)]
pub use emit::Bug;
pub use emit::{EmitOptions, Emitted, kernel as emit_kernel, unit as emit_unit};
pub use evaluate::Value;
pub use ir::{Fault, Kernel, Needs, Param, Shown, Site};
pub use mangle::{contract, symbols};
pub use nfc::parse_file;
pub use options::Options;
pub use rules::{
    ANOTHER_CONSTANT, ANOTHER_FUNCTION, CFG_DIFFERS, DEVICE_OPTION, IN_MACRO, NOT_A_FUNCTION,
    RECEIVER, Rule,
};
pub use stack::{AICORE_STACK, check as check_stack, stack};
pub use tokens::{Flat, flatten, hash, item_tokens};
pub use ty::{Elem, Float, Int, Memory, Space, Ty};

/// The version of this generator: part of every contract hash and manifest.
pub const VERSION: &str = env!("CARGO_PKG_VERSION");
