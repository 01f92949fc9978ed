//! Following a path.

use std::rc::Rc;

use syn::ext::IdentExt;

use super::{Constant, Device, Items, Nominal, ScopeId, Type, Unseen, World};
use crate::source::{Import, Kind};

/// What a path leads to.
#[derive(Clone)]
pub enum Found {
    /// A device function.
    Device(Device),
    /// A constant, of a module or of a type.
    Constant(Rc<Constant>),
    /// A struct or an enum.
    Type(Type),
    /// A variant of an enum.
    Variant(Type, String),
    /// A module.
    Module(ScopeId),
    /// What kernels cannot name, in these words.
    Other(&'static str),
    /// Another crate.
    Outside,
    /// Nothing.
    Nothing,
    /// Something, unless a macro in a block between defines another of that name.
    Hidden,
    /// It lies outside of the files that this reader has.
    Unseen,
}

impl From<Unseen> for Found {
    fn from(Unseen: Unseen) -> Found {
        Found::Unseen
    }
}

/// A name that is being looked up, so that `use` in circles ends.
type Visited = Vec<(ScopeId, String, bool)>;

impl Items<'_> {
    /// What the path of these names leads to, as a value. `absolute`: it begins with `::`.
    pub fn value(&self, absolute: bool, names: &[String]) -> Found {
        self.find(absolute, names, true)
    }

    /// What the path of these names leads to, as a type.
    pub fn ty(&self, absolute: bool, names: &[String]) -> Found {
        self.find(absolute, names, false)
    }

    fn find(&self, absolute: bool, names: &[String], values: bool) -> Found {
        let world = self.world;
        let found = match (names, &self.of) {
            ([first, name], Some(of)) if first == "Self" => world.associated(of, name),
            _ => world.follow(self.scope, absolute, names, values, &mut Vec::new()),
        };
        if matches!(found, Found::Unseen) {
            world.unseen.set(true);
        }
        found
    }
}

impl World {
    /// Follows a path from the scope `from`; the last name is a value or a type.
    fn follow(
        &self,
        from: ScopeId,
        absolute: bool,
        names: &[String],
        values: bool,
        visited: &mut Visited,
    ) -> Found {
        let Some((first, mut rest)) = names.split_first().filter(|_| !absolute) else {
            return Found::Outside;
        };
        let start = match first.as_str() {
            "crate" => self.root(from).map(Found::Module),
            "self" => Ok(Found::Module(self.module(from))),
            "super" => self.above(self.module(from)),
            _ => Ok(self.lexical(from, first, values && rest.is_empty(), visited)),
        };
        let mut found = start.unwrap_or_else(Found::from);
        while let Some((name, more)) = rest.split_first() {
            let here = match found {
                Found::Module(here) => here,
                Found::Type(of) if values && more.is_empty() => {
                    return self.associated(&of, name);
                }
                Found::Unseen | Found::Outside | Found::Nothing | Found::Hidden => return found,
                _ => return Found::Nothing,
            };
            found = if name == "super" {
                self.above(here).unwrap_or_else(Found::from)
            } else {
                self.member(here, name, values && more.is_empty(), visited)
            };
            rest = more;
        }
        found
    }

    fn above(&self, module: ScopeId) -> Result<Found, Unseen> {
        Ok(self.parent(module)?.map_or(Found::Nothing, Found::Module))
    }

    /// A name as it is written, without a path: in the blocks around, then in the module.
    fn lexical(&self, from: ScopeId, name: &str, values: bool, visited: &mut Visited) -> Found {
        let mut here = from;
        let mut hidden = false;
        loop {
            let found = self.member(here, name, values, visited);
            let around = self.scope(here, |scope| (scope.block, scope.parent, scope.macros));
            match (found, around) {
                // A macro in this block may define the name as well.
                (Found::Nothing, Some((true, Some(parent), macros))) => {
                    hidden |= macros;
                    here.scope = parent;
                }
                // What a module defines is confirmed by rustc.
                (Found::Device(device), _) if device.in_body && hidden => return Found::Hidden,
                // The names of other crates are known everywhere.
                (Found::Nothing, _) if !values => return Found::Outside,
                (found, _) => return found,
            }
        }
    }

    /// A name that a module or a block defines or imports.
    fn member(&self, home: ScopeId, name: &str, values: bool, visited: &mut Visited) -> Found {
        let key = (home, name.to_owned(), values);
        if visited.contains(&key) {
            return Found::Nothing;
        }
        visited.push(key);
        let found = self.defined(home, name, values, visited);
        visited.pop();
        found
    }

    fn defined(&self, home: ScopeId, name: &str, values: bool, visited: &mut Visited) -> Found {
        let Some(scan) = self.scan(home.file) else {
            return Found::Unseen;
        };
        let Some(scope) = scan.scopes.get(home.scope) else {
            return Found::Unseen;
        };
        let named = |item: &&crate::source::Item| item.name == name && item.kind.is_in(values);
        for item in scope.items.iter().filter(named) {
            if item.unsure {
                return Found::Unseen;
            }
            let found = match &item.kind {
                Kind::Inline(scope) => Found::Module(ScopeId {
                    scope: *scope,
                    ..home
                }),
                Kind::File(module) => match self.child(home.file, *module) {
                    Ok(child) => child.map_or(Found::Nothing, Found::Module),
                    Err(unseen) => unseen.into(),
                },
                Kind::Import(import) => self.imported(home, import, values, visited),
                kind => {
                    let in_body = scope.block;
                    kind.found(name, home, in_body).unwrap_or(Found::Nothing)
                }
            };
            match found {
                // It may be there in the other namespace only.
                Found::Nothing => {}
                found => return found,
            }
        }
        let mut outside = Found::Nothing;
        for glob in &scope.globs {
            let target = match self.imported(home, glob, false, visited) {
                Found::Module(target) => self.member(target, name, values, visited),
                Found::Type(of) if values => of.variant(name),
                Found::Unseen => Found::Unseen,
                // Another crate gives nothing that a kernel can name.
                _ => Found::Nothing,
            };
            match target {
                Found::Nothing => {}
                _ if glob.unsure => return Found::Unseen,
                Found::Unseen => outside = Found::Unseen,
                found => return found,
            }
        }
        outside
    }

    fn imported(
        &self,
        home: ScopeId,
        import: &Import,
        values: bool,
        visited: &mut Visited,
    ) -> Found {
        self.follow(home, import.absolute, &import.path, values, visited)
    }

    /// The variant `name` of a type, or its constant, which an `impl` in the type's module has.
    fn associated(&self, of: &Type, name: &str) -> Found {
        if let variant @ Found::Variant(..) = of.variant(name) {
            return variant;
        }
        let home = of.home;
        let Some(scan) = self.scan(home.file) else {
            return Found::Unseen;
        };
        let impls = scan.scopes[home.scope].impls.iter();
        for found in impls.filter(|found| found.of == [of.name.as_str()]) {
            let mut constants = found.constants.iter();
            let Some(constant) = constants.find(|constant| constant.ident == name) else {
                continue;
            };
            if found.unsure {
                return Found::Unseen;
            }
            return Found::Constant(Rc::new(Constant {
                name: format!("{}::{name}", of.name),
                ty: constant.ty.clone(),
                value: constant.expr.clone(),
                home,
                of: Some(of.clone()),
            }));
        }
        Found::Nothing
    }
}

impl Type {
    fn variant(&self, name: &str) -> Found {
        match &self.what {
            Nominal::Enum(item)
                if item
                    .variants
                    .iter()
                    .any(|known| known.ident.unraw() == name) =>
            {
                Found::Variant(self.clone(), name.to_owned())
            }
            _ => Found::Nothing,
        }
    }
}
