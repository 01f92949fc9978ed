//! Source text to AscendC, as the build script does it.

use shmem_codegen::{EmitOptions, analyse, emit_kernel, source};

/// The kernels of `text` as (name, AscendC, launcher).
pub fn emit(text: &str, file: &str, overflow_checks: bool) -> Vec<(String, String, String)> {
    let parsed = syn::parse_file(text).expect("the source parses");
    let scan = source::scan(&parsed, &|_| true);
    assert!(!scan.kernels.is_empty(), "{file} has kernels");
    scan.kernels
        .into_iter()
        .map(|found| {
            let analysis = analyse(found.arguments, &found.item);
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
            (analysis.kernel.name, emitted.kernel, emitted.launcher)
        })
        .collect()
}
