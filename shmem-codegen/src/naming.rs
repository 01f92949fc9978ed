//! How a function's own code calls the structs and enums that it meets: by a name that leads to them where it stands, or
//! by the path that the user wrote. A value of a type without such a name can come from a call.

use std::collections::HashMap;

use syn::visit::{self, Visit};

use crate::items::{Found, Items};
use crate::source::segments;
use crate::ty::Ty;

/// The names of the structs and enums among `types`, and in those.
pub fn names(item: &syn::ItemFn, items: &Items<'_>, types: &[Ty]) -> HashMap<Ty, syn::Path> {
    let mut made = Vec::new();
    types.iter().for_each(|&ty| gather(ty, &mut made));
    let mut names = HashMap::new();
    if made.is_empty() {
        return names;
    }
    let mut paths = Paths::default();
    for ty in &made {
        paths
            .0
            .extend(ty.nominal().and_then(|(name, _)| syn::parse_str(name).ok()));
    }
    paths.visit_item_fn(item);
    for path in paths.0 {
        let Found::Type(of) = items.ty(path.leading_colon.is_some(), &segments(&path)) else {
            continue;
        };
        let place = items.world.items(of.home).place();
        let is_it = |ty: &&Ty| ty.nominal() == Some((&of.name, &place));
        if let Some(ty) = made.iter().find(is_it) {
            names.entry(*ty).or_insert(path);
        }
    }
    names
}

fn gather(ty: Ty, made: &mut Vec<Ty>) {
    match ty {
        Ty::Array(of) => gather(of.elem, made),
        Ty::Ref(to, _) => gather(*to, made),
        Ty::Tuple(of) => of.elems.iter().for_each(|&ty| gather(ty, made)),
        Ty::Struct(_) | Ty::Enum(_) if !made.contains(&ty) => {
            made.push(ty);
            let fields = ty.fields().unwrap_or_default();
            fields.into_iter().for_each(|(_, ty)| gather(ty, made));
        }
        _ => {}
    }
}

/// The paths of a function, and those without their last name, which may be a variant.
#[derive(Default)]
struct Paths(Vec<syn::Path>);

impl<'ast> Visit<'ast> for Paths {
    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.0.push(path.clone());
        let mut owner = path.clone();
        owner.segments.pop();
        owner.segments.pop_punct();
        if !owner.segments.is_empty() {
            self.0.push(owner);
        }
        visit::visit_path(self, path);
    }
}
