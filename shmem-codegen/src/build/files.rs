//! Files under OUT_DIR: written when their bytes change, so that nothing is built again for nothing.

use std::path::{Path, PathBuf};

use super::BuildError;

/// Writes `bytes` to `path` unless it holds them.
pub(super) fn write(path: &Path, bytes: &[u8]) -> Result<(), BuildError> {
    if std::fs::read(path).is_ok_and(|old| old == bytes) {
        return Ok(());
    }
    let fail = |source| BuildError::File {
        action: "write",
        path: path.to_owned(),
        source,
    };
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(fail)?;
    }
    // A reader sees the old bytes or the new ones.
    let mut temporary = path.as_os_str().to_owned();
    temporary.push(".new");
    std::fs::write(&temporary, bytes).map_err(fail)?;
    std::fs::rename(&temporary, path).map_err(fail)
}

/// Removes the generated sources and objects in `directory` that are not in `keep`: of kernels that are gone.
pub(super) fn remove_others(directory: &Path, keep: &[PathBuf]) -> Result<(), BuildError> {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return Ok(());
    };
    for entry in entries.flatten() {
        let path = entry.path();
        let generated = path
            .extension()
            .is_some_and(|extension| extension == "cpp" || extension == "o" || extension == "key");
        let library = path.file_name().is_some_and(|name| name == "libkernels.so");
        if (generated || library) && !keep.contains(&path) {
            remove(&path)?;
        }
    }
    Ok(())
}

/// Removes a file that may be there.
pub(super) fn remove(path: &Path) -> Result<(), BuildError> {
    match std::fs::remove_file(path) {
        Err(source) if source.kind() != std::io::ErrorKind::NotFound => Err(BuildError::File {
            action: "remove",
            path: path.to_owned(),
            source,
        }),
        _ => Ok(()),
    }
}
