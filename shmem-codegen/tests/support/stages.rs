//! The stages from source text to C++, each a function of its own to be timed and counted.

#![allow(dead_code)]

use shmem_codegen::source::{self, Scan};
use shmem_codegen::{Analysis, EmitOptions, analyse_among, emit_kernel, emit_unit, parse_file};

/// The kernels of a text.
#[inline(never)]
pub fn parse(text: &str) -> Scan {
    source::scan(&parse_file(text).expect("the source parses"), &|_| true)
}

/// Their IR, all of them without mistakes.
#[inline(never)]
pub fn analyse(scan: &Scan) -> Vec<Analysis> {
    let analysed = scan.kernels.iter().map(|found| {
        let siblings = scan.siblings(&found.path);
        let analysis = analyse_among(found.arguments.clone(), &found.item, &siblings);
        let mistake = analysis.diagnostics.first();
        assert!(
            mistake.is_none(),
            "{}",
            mistake.expect("there is one").text()
        );
        analysis
    });
    analysed.collect()
}

/// The text of the C++ file.
#[inline(never)]
pub fn emit(analysed: &[Analysis]) -> String {
    let options = EmitOptions {
        symbol: "shmem_k_long",
        file: "long.rs",
        overflow_checks: true,
        debug_assertions: true,
        contract: 1,
        bug: None,
    };
    let emitted = analysed.iter();
    let emitted: Vec<_> = emitted
        .map(|analysis| emit_kernel(&analysis.kernel, &options))
        .collect();
    emit_unit("Long", "long.cpp", &emitted)
}
