//! The items of a crate as kernels name them: device functions, constants, modules, `use`. A path is followed by the
//! rules of rustc, in the scope where it is written, to the item that rustc finds.
//!
//! Both readers of a kernel look things up here. The build script has every file of the package. The macro has the
//! list of files that the build script left in the manifest, and reads those that a path leads to; without a
//! manifest, it has the file that it stands in, and what lies outside of that is [`Found::Unseen`]: such a kernel is
//! plain Rust only, and cannot be launched, as nothing was built.
//!
//! rustc confirms what was found. Beside a device function `f`, `#[shmem_device]` makes a module `f`, so that each path
//! and each `use` that leads to the function leads to this module too. It holds the hash of the function's tokens, and
//! the function itself once more, as `f::item`. The host stub of a caller asserts that `path::TOKENS` is the hash of
//! what was lowered, and that `path` and `path::item` are one function: no two functions have one type. In the body of
//! a function a module cannot name what stands beside it: there the path is one name, found in the blocks around, and a
//! block in between that calls a macro, which might define another, is refused. Of a constant the stub asserts type and
//! value.

mod find;

use std::cell::{Cell, OnceCell};
use std::rc::Rc;

use crate::configure::Configured;
use crate::source::{Kind, Scan, Scope};

pub use find::Found;

/// A scope of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ScopeId {
    /// The file, by its number.
    pub file: usize,
    /// The scope, by its number in the file.
    pub scope: usize,
}

/// Where a file hangs in its crate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Position {
    /// It is the root.
    Root,
    /// It is a module, by the number of the file that declares it and the number of the module there.
    Module(usize, usize),
    /// Not known.
    Unknown,
}

/// A file of a crate.
pub struct File {
    /// As messages name it.
    pub path: String,
    /// Where it hangs.
    pub position: Position,
    scan: OnceCell<Option<Rc<Scan>>>,
}

impl File {
    /// A file that is read when a path leads to it.
    pub fn unread(path: String, position: Position) -> File {
        File {
            path,
            position,
            scan: OnceCell::new(),
        }
    }

    /// A file with what it holds.
    pub fn read(path: String, position: Position, scan: Rc<Scan>) -> File {
        File {
            path,
            position,
            scan: OnceCell::from(Some(scan)),
        }
    }
}

/// Reads and scans the file of a number; none where that fails.
pub type Read = Box<dyn Fn(&File) -> Option<Scan>>;

/// The files of the crates of a package.
pub struct World {
    /// Name of the crates.
    pub krate: String,
    files: Vec<File>,
    /// All files are there: what cannot be found does not exist.
    complete: bool,
    read: Read,
    /// Something was asked for that lies outside of the files.
    unseen: Cell<bool>,
}

impl World {
    /// Remembers that.
    pub fn set_unseen(&self) {
        self.unseen.set(true);
    }

    /// Whether something was asked for that lies outside of the files, since this was asked last.
    pub fn take_unseen(&self) -> bool {
        self.unseen.take()
    }

    /// A world without any item.
    pub fn nothing() -> World {
        World {
            krate: String::new(),
            files: vec![File::read(String::new(), Position::Root, Rc::default())],
            complete: true,
            read: Box::new(|_| None),
            unseen: Cell::default(),
        }
    }

    /// These files, all that there are.
    pub fn new(krate: String, files: Vec<File>, read: Read) -> World {
        World {
            krate,
            files,
            complete: true,
            read,
            unseen: Cell::default(),
        }
    }

    /// One file, which may be a part of a crate.
    pub fn one_file(path: String, position: Position, scan: Scan) -> World {
        World {
            krate: String::new(),
            files: vec![File::read(path, position, Rc::new(scan))],
            complete: false,
            read: Box::new(|_| None),
            unseen: Cell::default(),
        }
    }

    /// The files.
    pub fn files(&self) -> &[File] {
        &self.files
    }

    /// What the file of this number holds.
    pub fn scan(&self, file: usize) -> Option<Rc<Scan>> {
        let file = self.files.get(file)?;
        file.scan
            .get_or_init(|| (self.read)(file).map(Rc::new))
            .clone()
    }

    fn scope<T>(&self, id: ScopeId, look: impl FnOnce(&Scope) -> T) -> Option<T> {
        self.scan(id.file)?.scopes.get(id.scope).map(look)
    }

    /// The items that a kernel in the scope `id` may name.
    pub fn items(&self, id: ScopeId) -> Items<'_> {
        Items {
            world: self,
            scope: id,
            of: None,
        }
    }

    /// The module that a scope is in; itself, if it is one.
    fn module(&self, mut id: ScopeId) -> ScopeId {
        while let Some(Some(parent)) = self.scope(id, |scope| scope.parent.filter(|_| scope.block))
        {
            id.scope = parent;
        }
        id
    }

    /// The module around a module: none around a root, [`Err`] where it is not known.
    fn parent(&self, id: ScopeId) -> Result<Option<ScopeId>, Unseen> {
        let parent = self.scope(id, |scope| scope.parent).ok_or(Unseen)?;
        if let Some(scope) = parent {
            return Ok(Some(self.module(ScopeId { scope, ..id })));
        }
        match self.files[id.file].position {
            Position::Root => Ok(None),
            Position::Unknown => Err(Unseen),
            Position::Module(file, module) => {
                let scan = self.scan(file).ok_or(Unseen)?;
                let scope = scan.modules.get(module).ok_or(Unseen)?.scope;
                Ok(Some(self.module(ScopeId { file, scope })))
            }
        }
    }

    fn root(&self, id: ScopeId) -> Result<ScopeId, Unseen> {
        let mut module = self.module(id);
        while let Some(parent) = self.parent(module)? {
            module = parent;
        }
        Ok(module)
    }

    /// The module of `mod name;`.
    fn child(&self, file: usize, module: usize) -> Result<Option<ScopeId>, Unseen> {
        let is_it = |child: &File| child.position == Position::Module(file, module);
        match self.files.iter().position(is_it) {
            Some(file) if self.scan(file).is_some() => Ok(Some(ScopeId { file, scope: 0 })),
            Some(_) => Err(Unseen),
            None if self.complete => Ok(None),
            None => Err(Unseen),
        }
    }

    /// The crate and the modules around a scope, outermost first; blocks have no name.
    pub fn path(&self, id: ScopeId) -> Vec<String> {
        let mut names = Vec::new();
        let mut module = self.module(id);
        loop {
            let (name, is_file) = self
                .scope(module, |scope| (scope.name.clone(), scope.parent.is_none()))
                .unwrap_or_default();
            if !is_file {
                names.push(name);
            } else if let Position::Module(file, number) = self.files[module.file].position
                && let Some(scan) = self.scan(file)
            {
                let name = scan.modules[number].name.trim_start_matches("r#");
                names.push(name.to_owned());
            }
            match self.parent(module) {
                Ok(Some(parent)) => module = parent,
                _ => break,
            }
        }
        names.push(self.krate.clone());
        names.reverse();
        names
    }
}

/// What is not in the files that this reader has.
#[derive(Clone, Copy, Debug)]
struct Unseen;

/// The items of a crate, as seen from a scope.
#[derive(Clone)]
pub struct Items<'a> {
    /// Where they are.
    pub world: &'a World,
    /// The scope.
    pub scope: ScopeId,
    /// What `Self` is.
    pub of: Option<Type>,
}

impl<'a> Items<'a> {
    /// What the value of a constant may name.
    pub fn within(&self, constant: &Constant) -> Items<'a> {
        Items {
            of: constant.of.clone(),
            ..self.world.items(constant.home)
        }
    }
}

impl Items<'_> {
    /// The scope as a text that no other scope of the package has; empty for the root of a crate.
    pub fn place(&self) -> String {
        let mut path = self.world.path(self.scope);
        path.extend(self.block().map(|block| block.to_string()));
        path.split_off(1).join("::")
    }

    /// The number of the block that they are in, if it is one.
    pub fn block(&self) -> Option<usize> {
        let block = self.world.scope(self.scope, |scope| scope.block);
        block.unwrap_or_default().then_some(self.scope.scope)
    }

    /// The file that they are in.
    pub fn file(&self) -> Rc<str> {
        let file = self.world.files.get(self.scope.file);
        file.map_or_else(|| Rc::from(""), |file| file.path.as_str().into())
    }
}

/// A device function and where it stands.
#[derive(Clone)]
pub struct Device {
    /// The function.
    pub item: Rc<syn::ItemFn>,
    /// The same as its `cfg`s leave it.
    pub configured: Rc<Configured>,
    /// The scope of its definition.
    pub home: ScopeId,
    /// It stands in the body of a function.
    pub in_body: bool,
}

/// A constant and where it stands.
#[derive(Clone)]
pub struct Constant {
    /// Its name.
    pub name: String,
    /// Its type.
    pub ty: syn::Type,
    /// Its value.
    pub value: syn::Expr,
    /// The scope that its value is written in.
    pub home: ScopeId,
    /// What `Self` is in it.
    pub of: Option<Type>,
}

impl Constant {
    fn new(item: &syn::ItemConst, home: ScopeId) -> Constant {
        Constant {
            name: item.ident.to_string(),
            ty: (*item.ty).clone(),
            value: (*item.expr).clone(),
            home,
            of: None,
        }
    }
}

/// A struct or enum and where it stands.
#[derive(Clone)]
pub struct Type {
    /// The scope of its definition.
    pub home: ScopeId,
    /// Its name, without `r#`.
    pub name: String,
    /// Its definition.
    pub what: Nominal,
}

/// A struct or enum.
#[derive(Clone)]
pub enum Nominal {
    /// A struct.
    Struct(Rc<syn::ItemStruct>),
    /// An enum.
    Enum(Rc<syn::ItemEnum>),
}

impl Type {
    fn new(home: ScopeId, name: &str, what: Nominal) -> Type {
        Type {
            home,
            name: name.to_owned(),
            what,
        }
    }
}

impl Kind {
    /// What the name is at the end of a path; none of what leads on.
    fn found(&self, name: &str, home: ScopeId, in_body: bool) -> Option<Found> {
        match self {
            Kind::Device(item, configured) => Some(Found::Device(Device {
                configured: configured.clone(),
                item: item.clone(),
                home,
                in_body,
            })),
            Kind::Constant(item) => Some(Found::Constant(Rc::new(Constant::new(item, home)))),
            Kind::Value(what) => Some(Found::Other(what)),
            Kind::Struct(item) => {
                let what = Nominal::Struct(item.clone());
                Some(Found::Type(Type::new(home, name, what)))
            }
            Kind::Enum(item) => {
                let what = Nominal::Enum(item.clone());
                Some(Found::Type(Type::new(home, name, what)))
            }
            Kind::OtherType => Some(Found::Other("a type")),
            Kind::Inline(_) | Kind::File(_) | Kind::Import(_) => None,
        }
    }
}

#[cfg(test)]
mod tests;
