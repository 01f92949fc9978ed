//! The stages from source text to C++, each a function of its own to be timed and counted.

#![allow(dead_code)]

use shmem_codegen::items::{Position, ScopeId, World};
use shmem_codegen::source;
use shmem_codegen::{Analysis, EmitOptions, analyse_among, emit_kernel, emit_unit, parse_file};

/// The kernels of a text.
#[inline(never)]
pub fn parse(text: &str) -> World {
    let scan = source::scan(&parse_file(text).expect("the source parses"), &|_| {
        Some(true)
    });
    World::one_file("long.rs".to_owned(), Position::Root, scan)
}

/// Their IR, all of them without mistakes.
#[inline(never)]
pub fn analyse(world: &World) -> Vec<Analysis> {
    let scan = world.scan(0).expect("there is one file");
    let analysed = scan.kernels.iter().map(|found| {
        let items = world.items(ScopeId {
            file: 0,
            scope: found.scope,
        });
        let analysis = analyse_among(found.arguments.clone(), &found.item, items);
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
