//! Where a function stands, what the build script has left about it, and the items around it.

use std::path::{Path, PathBuf};

use proc_macro2::{Span, TokenStream};
use shmem_codegen::configure::{Configured, configure};
use shmem_codegen::enclosure::{Enclosure, enclosure};
use shmem_codegen::items::{File, Items, Position, ScopeId, World};
use shmem_codegen::manifest::{self, Entry, Manifest};
use shmem_codegen::source::{self, Scan};
use shmem_codegen::{flatten, item_tokens};

/// The place of a function's name.
pub struct Place {
    /// As the compiler opens it.
    path: PathBuf,
    /// Relative to the package, with links resolved, as the manifest has it.
    pub file: String,
    /// As the compiler shows it.
    shown: String,
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
            shown: span.unwrap().file(),
            line: start.line,
            column: start.column,
        })
    }

    /// What encloses the function's name.
    pub fn enclosure(&self, name: &proc_macro2::Ident) -> Option<Enclosure> {
        let text = std::fs::read_to_string(&self.path).ok()?;
        enclosure(&text, self.line, self.column, &name.to_string())
    }

    /// Another file of the package as the compiler shows it.
    pub fn shown(&self, file: &str) -> String {
        let before = self.shown.strip_suffix(&self.file).unwrap_or_default();
        format!("{before}{file}")
    }

    fn key(&self) -> (&str, usize, usize) {
        (&self.file, self.line, self.column)
    }

    /// Without the build script it is not known where a file hangs in its crate, except where cargo finds crate roots.
    fn position(&self) -> Position {
        let path = Path::new(&self.file);
        let is = |name: &str| path.file_name().is_some_and(|file| file == name);
        if !path.starts_with("src") || path.starts_with("src/bin") || is("lib.rs") || is("main.rs")
        {
            Position::Root
        } else {
            Position::Unknown
        }
    }
}

/// What is known when a function is expanded.
pub struct Context {
    /// Where its name stands.
    pub place: Option<Place>,
    /// What the build script has left.
    pub manifest: Option<Manifest>,
    world: World,
    scope: ScopeId,
}

impl Context {
    /// A function as its `cfg`s leave it, as far as they are known.
    pub fn configured(&self, item: &syn::ItemFn) -> Configured {
        let cfgs = self
            .manifest
            .as_ref()
            .map_or(&[][..], |manifest| &manifest.cfgs);
        configure(item, &|predicate| known_cfg(predicate, cfgs))
    }

    /// Of the function `name`, whose tokens have this hash.
    pub fn of(name: &proc_macro2::Ident, hash: u64) -> Context {
        let place = Place::of(name.span());
        let manifest = manifest();
        let known = place
            .as_ref()
            .zip(manifest.as_ref())
            .and_then(|(place, manifest)| known(place, manifest, name, hash));
        let alone = || alone(place.as_ref()?, name, hash);
        let unknown = || {
            let file = File::unread(String::new(), Position::Unknown);
            let world = World::new(String::new(), vec![file], Box::new(|_| None));
            (world, ScopeId { file: 0, scope: 0 })
        };
        let (world, scope) = known.or_else(alone).unwrap_or_else(unknown);
        Context {
            place,
            manifest,
            world,
            scope,
        }
    }

    /// What the function may name.
    pub fn items(&self) -> Items<'_> {
        self.world.items(self.scope)
    }

    /// The manifest's entry of the kernel with these tokens.
    pub fn entry(&self, hash: u64) -> Option<&Entry> {
        self.manifest
            .as_ref()?
            .find(self.place.as_ref().map(Place::key), hash)
    }
}

/// The world as the build script saw it.
fn known(
    place: &Place,
    manifest: &Manifest,
    name: &proc_macro2::Ident,
    hash: u64,
) -> Option<(World, ScopeId)> {
    let root = PathBuf::from(std::env::var_os("CARGO_MANIFEST_DIR")?);
    let cfgs = manifest.cfgs.clone();
    let files = manifest.files.iter().map(|(path, of)| {
        let position = of.map_or(Position::Root, |(file, module)| {
            Position::Module(file, module)
        });
        File::unread(path.clone(), position)
    });
    let read = move |file: &File| {
        let text = std::fs::read_to_string(root.join(&file.path)).ok()?;
        scan(&text, &cfgs)
    };
    let krate = std::env::var("CARGO_PKG_NAME").ok()?.replace('-', "_");
    let world = World::new(krate, files.collect(), Box::new(read));
    let key = Some(place.key());
    let entry = manifest
        .find(key, hash)
        .filter(|entry| entry.hash == hash)
        .or_else(|| manifest.device(key, hash));
    let scope = match entry {
        Some(entry) => ScopeId {
            file: entry.home.0,
            scope: entry.home.1,
        },
        // Edited since.
        None => {
            let mut files = manifest.files.iter();
            let file = files.position(|(path, _)| *path == place.file)?;
            let scope = scope(&*world.scan(file)?, name, hash)?;
            ScopeId { file, scope }
        }
    };
    Some((world, scope))
}

/// The world of the file that the function stands in.
fn alone(place: &Place, name: &proc_macro2::Ident, hash: u64) -> Option<(World, ScopeId)> {
    let text = std::fs::read_to_string(&place.path).ok()?;
    let scan = scan(&text, &[])?;
    let scope = scope(&scan, name, hash)?;
    let world = World::one_file(place.file.clone(), place.position(), scan);
    Some((world, ScopeId { file: 0, scope }))
}

/// The places of these nodes are not known: the compiler parses a text without.
fn scan(text: &str, cfgs: &[(String, bool)]) -> Option<Scan> {
    let file = shmem_codegen::parse_file(text).ok()?;
    Some(source::scan(&file, &|predicate| known_cfg(predicate, cfgs)))
}

fn known_cfg(predicate: &syn::Meta, cfgs: &[(String, bool)]) -> Option<bool> {
    let text = source::predicate(predicate);
    let known = cfgs.iter().find(|(known, _)| *known == text);
    known.map(|(_, holds)| *holds)
}

/// The scope of the function with these tokens; none where there are several.
fn scope(scan: &Scan, name: &proc_macro2::Ident, hash: u64) -> Option<usize> {
    let nothing = TokenStream::new();
    let kernels = scan
        .kernels
        .iter()
        .map(|kernel| (kernel.scope, &kernel.item, &kernel.arguments));
    let devices = scan
        .devices
        .iter()
        .map(|device| (device.scope, &*device.item, &nothing));
    let mut found = kernels
        .chain(devices)
        .filter(|(_, item, _)| item.sig.ident == *name)
        .filter(|(_, item, arguments)| {
            shmem_codegen::hash(&flatten(item_tokens(arguments, item))) == hash
        })
        .map(|(scope, ..)| scope);
    let first = found.next()?;
    found.all(|scope| scope == first).then_some(first)
}

/// The manifest of this package's build script, if there is one of this version.
fn manifest() -> Option<Manifest> {
    let out = std::env::var_os("OUT_DIR")?;
    let text = std::fs::read_to_string(Path::new(&out).join(manifest::PATH)).ok()?;
    Manifest::parse(&text).filter(|manifest| manifest.version == shmem_codegen::VERSION)
}
