//! The C++ headers that generated kernels are compiled against, as embedded text.
//!
//! - [`ASCENDC`]: `kernel_operator.h`, the twin of AscendC's.
//! - [`SHMEM`]: `shmem.h` and below, the twins of SHMEM's device headers.
//! - [`RUST`]: `shmem_rust.h` and below, shared by the simulator and bisheng.
//! - [`SIM`]: `shmem_sim.h`, what a kernel library and the simulator say to each other.
//!
//! Each is an include directory of its own, so that CANN's headers can stand in for the twins. This crate is data:
//! it reads and writes nothing.

/// One header: its path inside its include directory, and its text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Header {
    /// Path relative to the include directory, with `/`.
    pub path: &'static str,
    /// The text.
    pub text: &'static str,
}

/// One include directory: its name and its headers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Directory {
    /// `ascendc`, `shmem`, `rust` or `sim`.
    pub name: &'static str,
    /// What lies in it.
    pub headers: &'static [Header],
}

macro_rules! directory {
    ($name:literal: $($path:literal),+ $(,)?) => {
        Directory {
            name: $name,
            headers: &[$(Header { path: $path, text: include_str!(concat!("../include/", $name, "/", $path)) }),+],
        }
    };
}

/// The twin of AscendC's `kernel_operator.h`.
pub const ASCENDC: Directory = directory!("ascendc": "kernel_operator.h");

/// The twins of SHMEM's device headers.
pub const SHMEM: Directory = directory!(
    "shmem":
    "shmem.h",
    "shmem_twin_order.h",
    "shmem_twin_rma.h",
    "shmem_twin_state.h",
    "shmem_twin_team.h",
);

/// What makes C++ mean what Rust means.
pub const RUST: Directory = directory!(
    "rust":
    "shmem_rust.h",
    "shmem_rust_aggregate.h",
    "shmem_rust_arith.h",
    "shmem_rust_check.h",
    "shmem_rust_fault.h",
    "shmem_rust_float.h",
    "shmem_rust_float_arith.h",
    "shmem_rust_float_bits.h",
    "shmem_rust_float_compare.h",
    "shmem_rust_float_convert.h",
    "shmem_rust_float_fma.h",
    "shmem_rust_float_rem.h",
    "shmem_rust_float_root.h",
    "shmem_rust_float_round.h",
    "shmem_rust_int.h",
    "shmem_rust_launch.h",
    "shmem_rust_print.h",
    "shmem_rust_range.h",
);

/// The interface between a kernel library and the simulator.
pub const SIM: Directory = directory!("sim": "shmem_sim.h");

/// The include directories of a build for the simulator, in the order of the command line.
pub const SIMULATOR: [Directory; 4] = [RUST, ASCENDC, SHMEM, SIM];
