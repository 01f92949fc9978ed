//! Where a kernel stands, and what the build script has left about it.

use std::path::{Path, PathBuf};

use proc_macro2::{Span, TokenStream};
use shmem_codegen::enclosure::{Enclosure, enclosure};
use shmem_codegen::manifest::{self, Entry, Manifest};
use shmem_codegen::source::{self, Siblings};
use shmem_codegen::{flatten, item_tokens};

/// The place of a kernel's name.
pub struct Place {
    /// As the compiler opens it.
    path: PathBuf,
    /// Relative to the package, with links resolved, as the manifest has it.
    pub file: String,
    line: usize,
    column: usize,
}

impl Place {
    /// The place of `span`, where the compiler tells it.
    pub fn of(span: Span) -> Option<Place> {
        let path = span.unwrap().local_file()?;
        let start = span.start();
        let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR")?);
        let absolute = path.canonicalize().ok()?;
        let file = absolute
            .strip_prefix(root.canonicalize().ok()?)
            .unwrap_or(&absolute)
            .to_string_lossy()
            .into_owned();
        Some(Place {
            path,
            file,
            line: start.line,
            column: start.column,
        })
    }

    /// What encloses the kernel's name.
    pub fn enclosure(&self, name: &proc_macro2::Ident) -> Option<Enclosure> {
        let text = std::fs::read_to_string(&self.path).ok()?;
        enclosure(&text, self.line, self.column, &name.to_string())
    }
}

impl Place {
    /// What stands beside the function `name` in this file, found by its tokens; nothing where the file says nothing.
    pub fn siblings(&self, name: &proc_macro2::Ident, hash: u64) -> Siblings {
        self.beside(name, hash).unwrap_or_default()
    }

    fn beside(&self, name: &proc_macro2::Ident, hash: u64) -> Option<Siblings> {
        let text = std::fs::read_to_string(&self.path).ok()?;
        let named = ["shmem_device", "const ", "struct ", "enum "];
        if !named.iter().any(|word| text.contains(word)) {
            return None;
        }
        // The places of these nodes are not known, but their types are.
        let scan = source::scan(&shmem_codegen::parse_file(&text).ok()?, &|_| true);
        let kernels = scan
            .kernels
            .iter()
            .map(|kernel| (&kernel.path, &kernel.item, kernel.arguments.clone()));
        let devices = scan
            .devices
            .iter()
            .map(|(path, item)| (path, item, TokenStream::new()));
        let mut named = kernels
            .chain(devices)
            .filter(|(_, item, _)| item.sig.ident == *name)
            .peekable();
        let first = named.peek().map(|(path, ..)| *path)?;
        let same = named.find(|(_, item, arguments)| {
            shmem_codegen::hash(&flatten(item_tokens(arguments, item))) == hash
        });
        Some(scan.siblings(same.map_or(first, |(path, ..)| path)))
    }
}

/// The manifest of this package's build script, if there is one of this version.
pub fn manifest() -> Option<Manifest> {
    let out = std::env::var_os("OUT_DIR")?;
    let text = std::fs::read_to_string(Path::new(&out).join(manifest::PATH)).ok()?;
    Manifest::parse(&text).filter(|manifest| manifest.version == shmem_codegen::VERSION)
}

/// The entry of the kernel with these tokens at this place.
pub fn entry<'a>(manifest: &'a Manifest, place: Option<&Place>, hash: u64) -> Option<&'a Entry> {
    manifest.find(
        place.map(|place| (place.file.as_str(), place.line, place.column)),
        hash,
    )
}
