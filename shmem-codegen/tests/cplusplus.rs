//! The generated C++ compiles without a warning: g++ and clang++, C++17 and C++20, every form, each file alone.

#[path = "../examples/diff/harness/mod.rs"]
mod harness;
mod support;
#[path = "support/units.rs"]
mod units;

use shmem_codegen::emit_unit;
use support::compiler::Compiler;
use support::{Form, emit};
use units::{random_units, units};

/// What rustc refuses and the generator makes: constants that overflow, divisors of zero.
const CONSTANTS: [&str; 5] = [
    "-Wno-overflow",
    "-Wno-shift-count-overflow",
    "-Wno-shift-count-negative",
    "-Wno-div-by-zero",
    "-Wno-array-bounds",
];

/// What only clang++ knows of it.
const CLANG_CONSTANTS: [&str; 2] = ["-Wno-integer-overflow", "-Wno-division-by-zero"];

/// The flags for random kernels.
fn constants(program: &str) -> Vec<&'static str> {
    let mut flags = CONSTANTS.to_vec();
    if program == "clang++" {
        flags.extend(CLANG_CONSTANTS);
    }
    flags
}

fn compiles_everywhere(program: &'static str) {
    let Some(compiler) = Compiler::new(program) else {
        return;
    };
    for (name, text) in units() {
        compiler.accepts(&["-std=c++17", "-O2"], name, text);
        compiler.accepts(&["-std=c++20", "-fsyntax-only"], name, text);
    }
    let flags = constants(program);
    let standards = ["-std=c++17", "-std=c++20"].iter().cycle();
    for ((name, text), standard) in random_units().iter().zip(standards) {
        compiler.accepts(&[&[*standard], &flags[..]].concat(), name, text);
    }
}

#[test]
fn the_text_compiles_with_gcc() {
    compiles_everywhere("g++");
}

#[test]
fn the_text_compiles_with_clang() {
    compiles_everywhere("clang++");
}

#[test]
fn each_header_says_what_it_needs() {
    let Some(compiler) = Compiler::new("g++") else {
        return;
    };
    for header in ["kernel_operator.h", "shmem.h", "shmem_sim.h"] {
        let text = format!("#include \"{header}\"\nint main() {{ return 0; }}\n");
        compiler.accepts(&["-std=c++17", "-O2"], "alone", &text);
    }
}

/// `__gm__` and `__ubuf__` as types, for clang to check.
const ADDRESS_SPACES: [&str; 3] = ["-std=c++17", "-fsyntax-only", "-DSHMEM_TWIN_ADDRESS_SPACES"];

#[test]
fn pointers_keep_their_address_space() {
    let Some(compiler) = Compiler::new("clang++") else {
        return;
    };
    for (name, text) in units() {
        compiler.accepts(&ADDRESS_SPACES, name, text);
    }
    let flags = [&ADDRESS_SPACES[..], &constants("clang++")].concat();
    for (name, text) in random_units() {
        compiler.accepts(&flags, name, text);
    }
}

#[test]
fn a_pointer_that_loses_its_address_space_is_found() {
    let Some(compiler) = Compiler::new("clang++") else {
        return;
    };
    let source = "#[shmem_kernel] fn k(cell: Symmetric<i32>, cells: Global<[f16]>) {\
                  let one = cells.at(1); one.store(cells.at(0).load()); shmem::p(cell, 1, 0); }";
    let emitted = emit(source, "k.rs", Form::Checked).remove(0).1;
    let text = emit_unit("", "k.cpp", [&emitted]);
    compiler.accepts(&ADDRESS_SPACES, "k", &text);
    // By the name of a type or variable, without its space.
    for (with, without) in [
        ("__gm__ half *const k_one", "half *const k_one"),
        ("__gm__ half *const k_cells", "half *const k_cells"),
        ("__gm__ int32_t *k_cell", "int32_t *k_cell"),
        ("__gm__ int32_t *k_cell", "__ubuf__ int32_t *k_cell"),
        (
            "__gm__ shmem_rust_fault *t_fault",
            "shmem_rust_fault *t_fault",
        ),
        (
            "aclshmem_int32_p(k_cell, ",
            "int32_t cell = 0; aclshmem_int32_p(&cell, ",
        ),
    ] {
        assert!(text.contains(with), "{with}\n{text}");
        let (success, stderr) =
            compiler.compile(&ADDRESS_SPACES, "k", &text.replace(with, without));
        assert!(!success && stderr.contains("error:"), "{without}\n{stderr}");
        let (success, stderr) =
            compiler.compile(&["-std=c++17"], "k", &text.replace(with, without));
        assert!(success, "{without}\n{stderr}");
    }
}
