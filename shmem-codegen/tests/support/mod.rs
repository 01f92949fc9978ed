//! Source text to AscendC, as the build script does it.

use std::collections::HashSet;

use shmem_codegen::{EmitOptions, analyse_among, emit_kernel, source};

/// The kernels of `text` as (name, AscendC, launcher).
pub fn emit(text: &str, file: &str, overflow_checks: bool) -> Vec<(String, String, String)> {
    let parsed = syn::parse_file(text).expect("the source parses");
    let scan = source::scan(&parsed, &|_| true);
    assert!(!scan.kernels.is_empty(), "{file} has kernels");
    let mut known = HashSet::new();
    scan.kernels
        .iter()
        .map(|found| {
            let siblings = scan.siblings(&found.path);
            let analysis = analyse_among(found.arguments.clone(), &found.item, &siblings);
            let texts: Vec<String> = analysis
                .diagnostics
                .iter()
                .map(|diag| diag.text())
                .collect();
            assert!(texts.is_empty(), "{file}: {texts:?}");
            let symbol = format!("shmem_k_test_{}", analysis.kernel.name);
            let options = EmitOptions {
                symbol: &symbol,
                file,
                overflow_checks,
                contract: 0x1234,
            };
            let emitted = emit_kernel(&analysis.kernel, &options);
            // Its device functions first, each once in the file.
            let functions = emitted
                .functions
                .into_iter()
                .filter(|(name, _)| known.insert(name.clone()));
            let text: String = functions.map(|(_, text)| format!("{text}\n")).collect();
            (
                analysis.kernel.name,
                text + &emitted.kernel,
                emitted.launcher,
            )
        })
        .collect()
}
