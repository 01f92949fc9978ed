//! Types as they are written: what each names, among the structs, enums and constants of the crate.

use syn::ext::IdentExt;

use crate::aggregate::{Field, Variant};
use crate::constant;
use crate::diag::{Diagnostic, SpanRange};
use crate::items::{Found, Items, Nominal, ScopeId, Type};
use crate::rules::{self, Rule};
use crate::source::segments;
use crate::ty::{Elem, Int, Memory, Space, Ty};

/// Why a type is none of a kernel's.
pub enum Refusal {
    /// It is none that kernels know.
    Unknown,
    /// It would be one, but for a mistake.
    Mistake(Box<Diagnostic>),
}

/// A type that cannot be had.
pub type Known = Result<Ty, Refusal>;

/// A message about the type at `range`.
fn mistake(rule: &Rule, range: SpanRange, values: &[&dyn std::fmt::Display]) -> Refusal {
    Refusal::Mistake(Box::new(Diagnostic::new(rule, range, values)))
}

/// The type of a struct or enum that was found.
pub fn nominal(of: &Type, range: SpanRange, items: &Items<'_>) -> Known {
    let reader = Reader {
        items: items.clone(),
        inside: Vec::new(),
    };
    reader.nominal(of, range)
}

/// The type that `ty` names.
pub fn read(ty: &syn::Type, items: &Items<'_>) -> Known {
    let reader = Reader {
        items: items.clone(),
        inside: Vec::new(),
    };
    reader.any(ty)
}

struct Reader<'a> {
    items: Items<'a>,
    /// The structs around.
    inside: Vec<(ScopeId, String)>,
}

impl Reader<'_> {
    /// A value, or a view of memory.
    fn any(&self, ty: &syn::Type) -> Known {
        match memory(ty) {
            Some(Ok(ty)) => Ok(ty),
            Some(Err(diag)) => Err(Refusal::Mistake(diag)),
            None => self.value(ty),
        }
    }

    /// A value: what can be part of others.
    fn value(&self, ty: &syn::Type) -> Known {
        if let Some(scalar) = scalar(ty) {
            return Ok(scalar);
        }
        match strip(ty) {
            syn::Type::Tuple(tuple) if !tuple.elems.is_empty() => {
                let elems: Result<_, _> = tuple.elems.iter().map(|ty| self.value(ty)).collect();
                Ok(Ty::tuple(elems?))
            }
            syn::Type::Array(array) => {
                let elem = self.value(&array.elem)?;
                match length(&array.len, &self.items) {
                    Some(len) => Ok(Ty::array(elem, len)),
                    None => Err(mistake(
                        &rules::ARRAY_LENGTH,
                        SpanRange::over(&array.len),
                        &[],
                    )),
                }
            }
            syn::Type::Path(path) if path.qself.is_none() => self.path(&path.path),
            _ => Err(Refusal::Unknown),
        }
    }

    /// The struct or enum of this path.
    fn path(&self, path: &syn::Path) -> Known {
        let mut segments_of = path.segments.iter();
        if segments_of.any(|segment| !segment.arguments.is_none()) {
            return Err(Refusal::Unknown);
        }
        match self.items.ty(path.leading_colon.is_some(), &segments(path)) {
            Found::Type(of) => self.nominal(&of, SpanRange::over(path)),
            // The reader of the kernel knows that there was something.
            Found::Unseen => Ok(Ty::Error),
            _ => Err(Refusal::Unknown),
        }
    }

    fn nominal(&self, of: &Type, range: SpanRange) -> Known {
        let made = match &of.what {
            Nominal::Struct(item) => self.structure(item, of),
            Nominal::Enum(item) => self.enumeration(item, of),
        };
        made.map_err(|(why, help)| mistake(&rules::NOMINAL, range, &[&of.name, &why, &help]))
    }

    fn structure(&self, item: &syn::ItemStruct, of: &Type) -> Result<Ty, (String, String)> {
        let derived = copied(&item.attrs, &item.generics)?;
        let key = (of.home, of.name.clone());
        if self.inside.contains(&key) {
            return Err((
                "it holds itself".to_owned(),
                "take one of them out".to_owned(),
            ));
        }
        if item.fields.is_empty() {
            let help = "give it a field, or use a bool or an enum";
            return Err(("it has no fields".to_owned(), help.to_owned()));
        }
        let items = self.items.world.items(of.home);
        let place = items.place();
        let reader = Reader {
            items,
            inside: self.inside.iter().cloned().chain([key]).collect(),
        };
        let mut fields = Vec::new();
        for (index, field) in item.fields.iter().enumerate() {
            let name = match &field.ident {
                Some(ident) => ident.unraw().to_string(),
                None => index.to_string(),
            };
            unconditional(&field.attrs, &format!("field `{name}`"))?;
            let ty = reader.value(&field.ty).map_err(|refusal| {
                let text = text(&field.ty);
                match refusal {
                    Refusal::Mistake(diag) => (diag.message, diag.help),
                    Refusal::Unknown => (
                        format!("its field `{name}` is of type `{text}`"),
                        "fields are numbers, bools, tuples, arrays, and other such structs and enums"
                            .to_owned(),
                    ),
                }
            })?;
            fields.push(Field { name, ty });
        }
        let equals = derived.iter().any(|name| name == "PartialEq");
        Ok(Ty::structure(of.name.clone(), &place, fields, equals))
    }

    fn enumeration(&self, item: &syn::ItemEnum, of: &Type) -> Result<Ty, (String, String)> {
        let derived = copied(&item.attrs, &item.generics)?;
        let items = self.items.world.items(of.home);
        let mut variants: Vec<Variant> = Vec::new();
        for variant in &item.variants {
            let ident = variant.ident.unraw().to_string();
            unconditional(&variant.attrs, &format!("variant `{ident}`"))?;
            if !matches!(variant.fields, syn::Fields::Unit) {
                let help = "an enum of kernels is one of plain variants: keep the values in a struct beside it";
                return Err((format!("its variant `{ident}` has fields"), help.to_owned()));
            }
            let value = match &variant.discriminant {
                None => variants.last().map_or(0, |last| last.value + 1),
                Some((_, value)) => constant::integer(value, &items).ok_or_else(|| {
                    let help = "write it as a number, or with operators on numbers and constants";
                    (
                        format!("the value of its variant `{ident}` is not known"),
                        help.to_owned(),
                    )
                })?,
            };
            variants.push(Variant { name: ident, value });
        }
        if variants.is_empty() {
            return Err(("it has no variants".to_owned(), "give it some".to_owned()));
        }
        let has = |what: &str| derived.iter().any(|name| name == what);
        let (equals, compares) = (has("PartialEq"), has("PartialOrd"));
        Ok(Ty::enumeration(
            of.name.clone(),
            &items.place(),
            variants,
            held(&item.attrs),
            equals,
            compares,
        ))
    }
}

/// What a struct or enum derives, which must be a copy and of no generic parameters.
fn copied(
    attrs: &[syn::Attribute],
    generics: &syn::Generics,
) -> Result<Vec<String>, (String, String)> {
    if !generics.params.is_empty() {
        let help = "write one for each type that you need";
        return Err(("it is generic".to_owned(), help.to_owned()));
    }
    let mut derived = Vec::new();
    for attr in attrs.iter().filter(|attr| attr.path().is_ident("derive")) {
        let paths = attr.parse_args_with(
            syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated,
        );
        for path in paths.into_iter().flatten() {
            derived.extend(path.segments.last().map(|last| last.ident.to_string()));
        }
    }
    if derived.iter().any(|name| name == "Copy") {
        Ok(derived)
    } else {
        let help = "write #[derive(Clone, Copy)] above it";
        Err(("it does not derive Copy".to_owned(), help.to_owned()))
    }
}

/// A part of a type is there in every build: host and device have to agree on it.
fn unconditional(attrs: &[syn::Attribute], part: &str) -> Result<(), (String, String)> {
    let conditional =
        |attr: &&syn::Attribute| attr.path().is_ident("cfg") || attr.path().is_ident("cfg_attr");
    match attrs.iter().find(conditional) {
        None => Ok(()),
        Some(attr) => Err((
            format!("its {part} is under `{}`", text(attr)),
            "write the whole type once for each `cfg`".to_owned(),
        )),
    }
}

/// What `#[repr(...)]` says that an enum is held in.
fn held(attrs: &[syn::Attribute]) -> Option<Int> {
    let reprs = attrs.iter().filter(|attr| attr.path().is_ident("repr"));
    reprs
        .filter_map(|attr| {
            attr.parse_args_with(
                syn::punctuated::Punctuated::<syn::Path, syn::Token![,]>::parse_terminated,
            )
            .ok()
        })
        .flatten()
        .find_map(|path| Int::parse(&path.get_ident()?.to_string()))
}

/// The length of an array.
pub fn length(len: &syn::Expr, items: &Items<'_>) -> Option<u64> {
    u64::try_from(constant::integer(len, items)?).ok()
}

/// The view of memory that `ty` names; none where it names something else.
pub fn memory(ty: &syn::Type) -> Option<Result<Ty, Box<Diagnostic>>> {
    let syn::Type::Path(path) = strip(ty) else {
        return None;
    };
    let last = path.path.segments.last()?;
    let space = match last.ident.to_string().as_str() {
        "Symmetric" => Space::Symmetric,
        "Global" => Space::Global,
        _ => return None,
    };
    if path.qself.is_some() || !facade_path(&path.path) {
        return None;
    }
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let mut arguments = arguments.args.iter().filter(|argument| {
        // `'_` says no more than its absence.
        !matches!(argument, syn::GenericArgument::Lifetime(lifetime) if lifetime.ident == "_")
    });
    let (Some(syn::GenericArgument::Type(inner)), None) = (arguments.next(), arguments.next())
    else {
        return None;
    };
    let (inner, slice) = match strip(inner) {
        syn::Type::Slice(slice) => (&*slice.elem, true),
        other => (other, false),
    };
    Some(match element(inner) {
        Some(elem) => Ok(Ty::Memory(Memory { space, elem, slice })),
        None => Err(Box::new(Diagnostic::new(
            &rules::ELEMENT_TYPE,
            SpanRange::over(inner),
            &[&text(inner), &space],
        ))),
    })
}

/// The scalar type that `ty` names, if it is one.
pub fn scalar(ty: &syn::Type) -> Option<Ty> {
    match name(ty)?.as_str() {
        "bool" => Some(Ty::Bool),
        "isize" => Some(Ty::Int(Int::Isize)),
        "usize" => Some(Ty::Int(Int::Usize)),
        name => Elem::parse(name).map(Elem::ty),
    }
}

/// The element type that `ty` names.
pub fn element(ty: &syn::Type) -> Option<Elem> {
    Elem::parse(&name(ty)?)
}

/// The last segment of a plain path that may name one of our types: a bare name, or one of `shmem`, `core`, `std`,
/// `half`. rustc confirms in the stub that it names what it seems to.
fn name(ty: &syn::Type) -> Option<String> {
    let syn::Type::Path(path) = strip(ty) else {
        return None;
    };
    let last = path.path.segments.last()?;
    let plain = path.qself.is_none()
        && path
            .path
            .segments
            .iter()
            .all(|segment| segment.arguments.is_none())
        && facade_path(&path.path);
    plain.then(|| last.ident.unraw().to_string())
}

fn facade_path(path: &syn::Path) -> bool {
    (path.segments.len() == 1 && path.leading_colon.is_none())
        || path.segments.len() > 1
            && path.segments.first().is_some_and(|first| {
                ["shmem", "core", "std", "half"]
                    .iter()
                    .any(|name| first.ident == name)
            })
}

/// A type without the parentheses around it.
pub fn strip(ty: &syn::Type) -> &syn::Type {
    match ty {
        syn::Type::Paren(paren) => strip(&paren.elem),
        syn::Type::Group(group) => strip(&group.elem),
        other => other,
    }
}

/// Syntax as the user would write it, for messages.
pub fn text(node: &impl quote::ToTokens) -> String {
    crate::diag::written(node.to_token_stream())
}
