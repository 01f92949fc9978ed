//! What a file defines, by the scopes that it is defined in: modules, and blocks that hold items.

use std::rc::Rc;

use syn::ext::IdentExt;

use crate::configure::Configured;

/// A module or a block.
#[derive(Clone, Default)]
pub struct Scope {
    /// The scope around it, by its number in the file; none for the file itself.
    pub parent: Option<usize>,
    /// It is a block: what it does not define is looked for around it.
    pub block: bool,
    /// Name of the module; empty for a block and for a file.
    pub name: String,
    /// What it defines.
    pub items: Vec<Item>,
    /// `use path::*`
    pub globs: Vec<Import>,
    /// `impl Type` blocks.
    pub impls: Vec<Impl>,
    /// A macro is called among its items or statements: it may define more.
    pub macros: bool,
}

/// A name that a scope defines.
#[derive(Clone)]
pub struct Item {
    /// Without `r#`.
    pub name: String,
    /// What it is.
    pub kind: Kind,
    /// Whether it is there depends on a `cfg` that this reader knows nothing of.
    pub unsure: bool,
}

/// What a name is.
#[derive(Clone)]
pub enum Kind {
    /// A function under `#[shmem_device]`.
    Device(Rc<syn::ItemFn>, Rc<Configured>),
    /// A constant.
    Constant(Rc<syn::ItemConst>),
    /// Another value, in these words.
    Value(&'static str),
    /// A struct.
    Struct(Rc<syn::ItemStruct>),
    /// An enum.
    Enum(Rc<syn::ItemEnum>),
    /// Another type, or a macro's.
    OtherType,
    /// `mod name { ... }`, by the number of its scope.
    Inline(usize),
    /// `mod name;`, by its number among the modules of the file.
    File(usize),
    /// `use path as name`
    Import(Import),
}

impl Kind {
    /// Whether it is in the namespace of values, or in that of types.
    pub fn is_in(&self, values: bool) -> bool {
        match self {
            Kind::Device(..) | Kind::Constant(_) | Kind::Value(_) => values,
            // `Point(1, 2)` is a value.
            Kind::Struct(item) => !values || !matches!(item.fields, syn::Fields::Named(_)),
            Kind::Enum(_) | Kind::OtherType | Kind::Inline(_) | Kind::File(_) => !values,
            Kind::Import(_) => true,
        }
    }
}

/// A path of a `use`.
#[derive(Clone, Debug)]
pub struct Import {
    /// It begins with `::`.
    pub absolute: bool,
    /// Its segments, without `r#`.
    pub path: Vec<String>,
    /// Whether it is there is not known.
    pub unsure: bool,
}

/// `impl Type { const ... }`, without generics and trait.
#[derive(Clone)]
pub struct Impl {
    /// Path of the type.
    pub of: Vec<String>,
    /// Its constants.
    pub constants: Vec<Rc<syn::ImplItemConst>>,
    /// Whether it is there is not known.
    pub unsure: bool,
}

impl Impl {
    /// The constants of `item`, if it is an inherent `impl` of a plain type.
    pub fn of(item: &syn::ItemImpl, active: &dyn Fn(&[syn::Attribute]) -> bool) -> Option<Impl> {
        let syn::Type::Path(path) = &*item.self_ty else {
            return None;
        };
        let plain = item.trait_.is_none()
            && item.generics.params.is_empty()
            && path.qself.is_none()
            && path.path.leading_colon.is_none();
        let constants = item.items.iter().filter_map(|item| match item {
            syn::ImplItem::Const(constant) if active(&constant.attrs) => {
                Some(Rc::new(constant.clone()))
            }
            _ => None,
        });
        plain.then(|| Impl {
            of: segments(&path.path),
            constants: constants.collect(),
            unsure: false,
        })
    }
}

/// The names of a path, without `r#`.
pub fn segments(path: &syn::Path) -> Vec<String> {
    let plain = |segment: &syn::PathSegment| segment.ident.unraw().to_string();
    path.segments.iter().map(plain).collect()
}

impl Scope {
    pub(super) fn define(&mut self, name: &syn::Ident, kind: Kind, unsure: bool) {
        let name = name.unraw().to_string();
        self.items.push(Item { name, kind, unsure });
    }

    /// What `use` brings in.
    pub(super) fn import(&mut self, item: &syn::ItemUse, unsure: bool) {
        let absolute = item.leading_colon.is_some();
        self.tree(&item.tree, &mut Vec::new(), absolute, unsure);
    }

    fn tree(&mut self, tree: &syn::UseTree, path: &mut Vec<String>, absolute: bool, unsure: bool) {
        let mut named = |original: &syn::Ident, name: &syn::Ident, path: &[String]| {
            let mut path = path.to_vec();
            // `use a::b::{self}` is `use a::b`.
            let itself = original == "self";
            if !itself || path.is_empty() {
                path.push(original.unraw().to_string());
            }
            let name = match (itself && name == "self", path.last()) {
                (true, Some(last)) => last.clone(),
                _ => name.unraw().to_string(),
            };
            let import = Import {
                absolute,
                path,
                unsure,
            };
            self.items.push(Item {
                name,
                kind: Kind::Import(import),
                unsure,
            });
        };
        match tree {
            syn::UseTree::Name(tree) => named(&tree.ident, &tree.ident, path),
            syn::UseTree::Rename(tree) => named(&tree.ident, &tree.rename, path),
            syn::UseTree::Glob(_) => self.globs.push(Import {
                absolute,
                path: path.clone(),
                unsure,
            }),
            syn::UseTree::Path(tree) => {
                path.push(tree.ident.unraw().to_string());
                self.tree(&tree.tree, path, absolute, unsure);
                path.pop();
            }
            syn::UseTree::Group(group) => group
                .items
                .iter()
                .for_each(|tree| self.tree(tree, path, absolute, unsure)),
        }
    }
}
