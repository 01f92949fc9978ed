//! Generated C++ files: the golden kernels, those of the suite, and random ones.

use std::path::Path;
use std::sync::OnceLock;

use shmem_codegen::emit_unit;

use crate::harness;
use crate::support::{FORMS, emit};

/// Random kernels to a file, and files.
const RANDOM: (u64, u64) = (25, 10);

/// A name and a text.
type Unit = (String, String);

/// Generated C++ files.
pub fn units() -> &'static [Unit] {
    static UNITS: OnceLock<Vec<Unit>> = OnceLock::new();
    UNITS.get_or_init(written)
}

/// C++ files of random kernels in all forms.
pub fn random_units() -> &'static [Unit] {
    static UNITS: OnceLock<Vec<Unit>> = OnceLock::new();
    UNITS.get_or_init(random)
}

fn written() -> Vec<Unit> {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden");
    // What the suite runs.
    let suite = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/suite/src/kernels");
    let mut units = Vec::new();
    for directory in [golden, suite] {
        for entry in std::fs::read_dir(directory).expect("the directory is there") {
            let path = entry.expect("an entry").path();
            // A directory of modules is no file of its own.
            if path.is_dir() {
                continue;
            }
            let text = std::fs::read_to_string(&path).expect("a source");
            if !text.contains("#[shmem_kernel") {
                continue;
            }
            let file = path.file_name().expect("a name").to_string_lossy();
            for form in FORMS {
                let emitted = emit(&text, &file, form);
                let name = format!("{}_{form:?}", file.trim_end_matches(".rs"));
                let text = emit_unit(&name, &name, emitted.iter().map(|(_, emitted)| emitted));
                units.push((name, text));
            }
        }
    }
    assert!(units.len() >= 8 * FORMS.len(), "{}", units.len());
    units
}

fn random() -> Vec<Unit> {
    let (count, files) = RANDOM;
    let file = |file: u64| {
        let indices = file * count..(file + 1) * count;
        let kernels: Vec<_> = indices
            .map(|index| harness::generate::kernel(11, index))
            .collect();
        let lowering = harness::front::lower(&kernels.iter().collect::<Vec<_>>());
        let lowered: Vec<_> = lowering.iter().flatten().flatten().collect();
        assert!(lowered.len() as u64 > count * 2, "{}", lowered.len());
        let name = format!("random_{file}");
        let text = harness::front::unit(&name, &lowered);
        (name, text)
    };
    (0..files).map(file).collect()
}
