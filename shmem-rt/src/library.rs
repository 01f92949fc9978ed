//! Kernel libraries: loaded once, from memory, and kept for the life of the process.

use core::ffi::c_void;
use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Write};
use std::os::fd::AsRawFd;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use rustix::fs::MemfdFlags;
use shmem_sim::kernel_abi::{ABI_VERSION, Binding};

use crate::Error;
use crate::api::Api;
use crate::kernel::KernelInfo;

/// The launcher of one kernel in its library.
pub(crate) type LaunchFn =
    unsafe extern "C" fn(blocks: u32, stream: *mut c_void, args: *const u64, n_args: u32) -> i32;
type ContractFn = unsafe extern "C" fn() -> u64;
type BindFn = unsafe extern "C" fn(*const Binding) -> i32;

/// A library that is bound to the simulator.
#[derive(Debug)]
struct Loaded {
    library: Library,
    /// The file that it was loaded from. A second library at the same `/proc/self/fd` path would be taken for it.
    _memory: Option<File>,
}

#[derive(Default)]
struct Libraries {
    /// By their bytes.
    loaded: Vec<(&'static [u8], Arc<Loaded>)>,
    /// By the address of the kernel's description.
    launchers: HashMap<usize, LaunchFn>,
}

static LIBRARIES: Mutex<Option<Libraries>> = Mutex::new(None);

/// The kernel's launcher, from a library that fits.
pub(crate) fn launcher(kernel: &'static KernelInfo, api: &Api) -> Result<LaunchFn, Error> {
    let bytes = kernel.library.ok_or(Error::NotBuilt {
        kernel: kernel.name,
    })?;
    let mut libraries = LIBRARIES.lock().unwrap_or_else(PoisonError::into_inner);
    let libraries = libraries.get_or_insert_default();
    let key = core::ptr::from_ref(kernel).addr();
    if let Some(launcher) = libraries.launchers.get(&key) {
        return Ok(*launcher);
    }
    let same = |known: &[u8]| std::ptr::eq(known, bytes) || known == bytes;
    let loaded = match libraries.loaded.iter().find(|(known, _)| same(known)) {
        Some((_, loaded)) => loaded.clone(),
        None => {
            let loaded = Arc::new(load(kernel, bytes, api)?);
            libraries.loaded.push((bytes, loaded.clone()));
            loaded
        }
    };
    let launcher = resolve(kernel, &loaded)?;
    libraries.launchers.insert(key, launcher);
    Ok(launcher)
}

fn load(kernel: &KernelInfo, bytes: &[u8], api: &Api) -> Result<Loaded, Error> {
    let failed = |reason: String| Error::Library {
        kernel: kernel.name,
        reason,
    };
    let (path, memory) = match std::env::var_os("SHMEM_KERNEL_DIR").filter(|dir| !dir.is_empty()) {
        Some(dir) => (
            write(Path::new(&dir), bytes).map_err(|e| {
                failed(format!(
                    "SHMEM_KERNEL_DIR is `{}`, where it cannot be written: {e}",
                    dir.display()
                ))
            })?,
            None,
        ),
        None => {
            let memory = in_memory(bytes).map_err(|e| failed(e.to_string()))?;
            (
                PathBuf::from(format!("/proc/self/fd/{}", memory.as_raw_fd())),
                Some(memory),
            )
        }
    };
    // SAFETY: the library was built by shmem-codegen; its initialisers do nothing.
    let library = unsafe { Library::open(Some(&path), RTLD_NOW | RTLD_LOCAL) }.map_err(|e| {
        let hint = if memory.is_some() {
            " (SHMEM_KERNEL_DIR=<directory> loads it from a file instead)"
        } else {
            ""
        };
        failed(format!("{}{hint}", text(&e)))
    })?;
    tracing::debug!(kernel = kernel.name, path = %path.display(), bytes = bytes.len(), "kernel library loaded");
    // SAFETY: the symbol has this type in every version of the interface.
    let bind =
        unsafe { library.get::<BindFn>(b"shmem_sim_bind\0") }.map_err(|e| failed(text(&e)))?;
    // SAFETY: the binding lives as long as the process.
    match unsafe { bind((api.kernel_binding)()) } {
        0 => Ok(Loaded {
            library,
            _memory: memory,
        }),
        version => Err(Error::LibraryVersion {
            kernel: kernel.name,
            library: version as u32,
            runtime: ABI_VERSION,
        }),
    }
}

fn resolve(kernel: &KernelInfo, loaded: &Loaded) -> Result<LaunchFn, Error> {
    let failed = |e: libloading::Error| Error::Library {
        kernel: kernel.name,
        reason: text(&e),
    };
    let symbol = |suffix: &str| format!("{}_{suffix}\0", kernel.symbol);
    // SAFETY: shmem-codegen gives the symbol this type.
    let contract = unsafe {
        loaded
            .library
            .get::<ContractFn>(symbol("contract").as_bytes())
    }
    .map_err(failed)?;
    // SAFETY: it returns a constant.
    let library = unsafe { contract() };
    if library != kernel.contract {
        return Err(Error::Contract {
            kernel: kernel.name,
            library,
            code: kernel.contract,
        });
    }
    // SAFETY: shmem-codegen gives the symbol this type.
    let launcher =
        unsafe { loaded.library.get::<LaunchFn>(symbol("launch").as_bytes()) }.map_err(failed)?;
    Ok(*launcher)
}

/// The loader's own words; `libloading` keeps them apart from the name of the call.
fn text(error: &libloading::Error) -> String {
    std::error::Error::source(error).map_or_else(|| error.to_string(), ToString::to_string)
}

fn in_memory(bytes: &[u8]) -> io::Result<File> {
    let mut file = File::from(rustix::fs::memfd_create(
        "shmem-kernels",
        MemfdFlags::CLOEXEC,
    )?);
    file.write_all(bytes)?;
    Ok(file)
}

/// `lib<hash>.so` in `dir`. Other PEs write the same file: it appears whole or not at all.
fn write(dir: &Path, bytes: &[u8]) -> io::Result<PathBuf> {
    fs::create_dir_all(dir)?;
    let dir = dir.canonicalize()?;
    let path = dir.join(format!("lib{:016x}.so", hash(bytes)));
    if fs::read(&path).is_ok_and(|there| there == bytes) {
        return Ok(path);
    }
    let part = dir.join(format!(
        "lib{:016x}.{}.part",
        hash(bytes),
        std::process::id()
    ));
    fs::write(&part, bytes)?;
    fs::rename(&part, &path)?;
    Ok(path)
}

/// FNV-1a: a name for the bytes, the same in every process.
fn hash(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_library_file_is_named_by_its_bytes_and_written_whole() {
        let dir = tempfile::tempdir().unwrap();
        let inner = dir.path().join("made");
        let path = write(&inner, b"bytes").unwrap();
        assert_eq!(write(&inner, b"bytes").unwrap(), path);
        assert_ne!(write(&inner, b"other").unwrap(), path);
        assert_eq!(fs::read(&path).unwrap(), b"bytes");
        assert_eq!(fs::read_dir(&inner).unwrap().count(), 2);
    }
}
