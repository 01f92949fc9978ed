//! Types that are made of others: tuples, arrays, structs and enums without fields.
//!
//! A [`Ty`] is copied all over the front end, so the parts of these live as long as the process, each kept once: what
//! grows is the number of different types, not of kernels.

use std::collections::HashSet;
use std::hash::Hash;
use std::sync::{LazyLock, Mutex, PoisonError};

use crate::mangle;
use crate::ty::{Int, Ty};

/// `(A, B)`; never empty.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Tuple {
    /// Its elements.
    pub elems: Vec<Ty>,
    cpp: String,
}

/// `[T; N]`
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Array {
    /// Of what.
    pub elem: Ty,
    /// How many.
    pub len: u64,
    cpp: String,
}

/// A struct that is `Copy`.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Struct {
    /// Rust name, without `r#`.
    pub name: String,
    /// The scope of its definition; empty for the root of a crate.
    pub place: String,
    /// In the order of the declaration.
    pub fields: Vec<Field>,
    /// Whether it derives PartialEq.
    pub equals: bool,
    cpp: String,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// Rust name, without `r#`; the number of a field without one.
    pub name: String,
    /// Its type.
    pub ty: Ty,
}

/// An enum whose variants have no fields.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Enum {
    /// Rust name, without `r#`.
    pub name: String,
    /// The scope of its definition; empty for the root of a crate.
    pub place: String,
    /// In the order of the declaration.
    pub variants: Vec<Variant>,
    /// What C++ holds it in: what `repr` says, or i32, or i64 for what does not fit there.
    pub held: Int,
    /// Whether it derives PartialEq.
    pub equals: bool,
    /// Whether it derives PartialOrd.
    pub compares: bool,
    cpp: String,
}

/// A variant of an enum.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Variant {
    /// Rust name, without `r#`.
    pub name: String,
    /// Its discriminant.
    pub value: i128,
}

type Known<T> = LazyLock<Mutex<HashSet<&'static T>>>;

fn keep<T: Eq + Hash>(known: &Known<T>, value: T) -> &'static T {
    // A set in the middle of an insertion that panicked is still a set.
    let mut known = known.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(kept) = known.get(&value) {
        return kept;
    }
    let kept: &'static T = Box::leak(Box::new(value));
    known.insert(kept);
    kept
}

impl Ty {
    /// The tuple of `elems`.
    pub fn tuple(elems: Vec<Ty>) -> Ty {
        static KNOWN: Known<Tuple> = LazyLock::new(Mutex::default);
        let cpp = mangle::tuple(&elems);
        Ty::Tuple(keep(&KNOWN, Tuple { elems, cpp }))
    }

    /// `[elem; len]`
    pub fn array(elem: Ty, len: u64) -> Ty {
        static KNOWN: Known<Array> = LazyLock::new(Mutex::default);
        let cpp = format!("shmem_rust::Array<{}, {len}>", elem.cpp());
        Ty::Array(keep(&KNOWN, Array { elem, len, cpp }))
    }

    /// The struct of this name, in the scope `place`.
    pub fn structure(name: String, place: &str, fields: Vec<Field>, equals: bool) -> Ty {
        static KNOWN: Known<Struct> = LazyLock::new(Mutex::default);
        let cpp = mangle::nominal(&name, place);
        let made = Struct {
            name,
            place: place.to_owned(),
            fields,
            equals,
            cpp,
        };
        Ty::Struct(keep(&KNOWN, made))
    }

    /// The enum of this name, in the scope `place`; `held` is what its `repr` says.
    pub fn enumeration(
        name: String,
        place: &str,
        variants: Vec<Variant>,
        held: Option<Int>,
        equals: bool,
        compares: bool,
    ) -> Ty {
        static KNOWN: Known<Enum> = LazyLock::new(Mutex::default);
        let fits = |variant: &Variant| i32::try_from(variant.value).is_ok();
        let held = held.unwrap_or(if variants.iter().all(fits) {
            Int::I32
        } else {
            Int::I64
        });
        let cpp = mangle::nominal(&name, place);
        let made = Enum {
            name,
            place: place.to_owned(),
            variants,
            held,
            equals,
            compares,
            cpp,
        };
        Ty::Enum(keep(&KNOWN, made))
    }

    /// Name and place of a struct or enum.
    pub fn nominal(&self) -> Option<(&String, &String)> {
        match self {
            Ty::Struct(of) => Some((&of.name, &of.place)),
            Ty::Enum(of) => Some((&of.name, &of.place)),
            _ => None,
        }
    }

    /// A reference to `to`.
    pub fn reference(to: Ty, mutable: bool) -> Ty {
        static KNOWN: Known<Ty> = LazyLock::new(Mutex::default);
        Ty::Ref(keep(&KNOWN, to), mutable)
    }

    /// The types and names of the parts of a tuple or struct.
    pub fn fields(self) -> Option<Vec<(String, Ty)>> {
        match self {
            Ty::Tuple(tuple) => {
                let named = tuple.elems.iter().enumerate();
                Some(named.map(|(at, ty)| (at.to_string(), *ty)).collect())
            }
            Ty::Struct(of) => {
                let named = of.fields.iter();
                Some(named.map(|field| (field.name.clone(), field.ty)).collect())
            }
            _ => None,
        }
    }

    /// The type with all that it is made of: no two types share it.
    pub fn structure_text(self) -> String {
        match self {
            Ty::Tuple(_) | Ty::Struct(_) => {
                let fields = self.fields().unwrap_or_default();
                let texts = fields
                    .into_iter()
                    .map(|(name, ty)| format!("{name}: {}", ty.structure_text()));
                let texts: Vec<String> = texts.collect();
                format!("{} {{{}}}", self.cpp(), texts.join(", "))
            }
            Ty::Array(of) => format!("[{}; {}]", of.elem.structure_text(), of.len),
            Ty::Enum(of) => {
                let variants = of.variants.iter();
                let texts: Vec<String> = variants
                    .map(|variant| format!("{} = {}", variant.name, variant.value))
                    .collect();
                format!("{} {} {{{}}}", of.name, of.held.rust(), texts.join(", "))
            }
            other => other.to_string(),
        }
    }

    /// Whether it is made of others.
    pub fn is_aggregate(self) -> bool {
        matches!(self, Ty::Tuple(_) | Ty::Array(_) | Ty::Struct(_))
    }

    /// Size and alignment in C++, in bytes. A view of memory counts as a pointer and a length.
    pub fn layout(self) -> (u64, u64) {
        let scalar = |size: u64| (size, size);
        match self {
            Ty::Unit | Ty::Never | Ty::Infer(_) | Ty::Error => (0, 1),
            Ty::Bool | Ty::CChar => scalar(1),
            Ty::Int(int) => scalar(u64::from(int.bits() / 8)),
            Ty::Float(float) => scalar(float.bytes()),
            Ty::Memory(memory) => (if memory.slice { 16 } else { 8 }, 8),
            Ty::Ref(..) => scalar(8),
            Ty::Enum(of) => Ty::Int(of.held).layout(),
            Ty::Array(array) => {
                let (size, align) = array.elem.layout();
                (size.saturating_mul(array.len.max(1)), align)
            }
            Ty::Tuple(_) | Ty::Struct(_) => {
                let (offsets, align) = self.offsets();
                let end = offsets.last().map_or(1, |&(offset, size)| offset + size);
                (end.max(1).next_multiple_of(align), align)
            }
        }
    }

    /// Offset and size of each part of a tuple or struct in C++, and the alignment of the whole.
    pub fn offsets(self) -> (Vec<(u64, u64)>, u64) {
        let (mut end, mut most) = (0_u64, 1);
        let mut offsets = Vec::new();
        for (_, ty) in self.fields().unwrap_or_default() {
            let (size, align) = ty.layout();
            let offset = end.next_multiple_of(align);
            offsets.push((offset, size));
            end = offset.saturating_add(size);
            most = most.max(align);
        }
        (offsets, most)
    }
}

impl Tuple {
    /// C++ name.
    pub fn cpp(&'static self) -> &'static str {
        &self.cpp
    }
}

impl Array {
    /// C++ name.
    pub fn cpp(&'static self) -> &'static str {
        &self.cpp
    }
}

impl Struct {
    /// C++ name.
    pub fn cpp(&'static self) -> &'static str {
        &self.cpp
    }

    /// Whether its fields have numbers for names.
    pub fn positional(&self) -> bool {
        self.fields.first().is_some_and(|field| field.name == "0")
    }
}

impl Enum {
    /// C++ name.
    pub fn cpp(&'static self) -> &'static str {
        &self.cpp
    }

    /// The variant with this discriminant.
    pub fn variant(&self, value: i128) -> Option<&Variant> {
        self.variants.iter().find(|variant| variant.value == value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ty::Float;

    #[test]
    fn a_type_is_kept_once() {
        let make = || Ty::tuple(vec![Ty::Bool, Ty::array(Ty::Int(Int::U8), 3)]);
        let (Ty::Tuple(a), Ty::Tuple(b)) = (make(), make()) else {
            panic!()
        };
        assert!(std::ptr::eq(a, b));
        assert_eq!(make().to_string(), "(bool, [u8; 3])");
        assert_eq!(Ty::tuple(vec![Ty::Bool]).to_string(), "(bool,)");
    }

    #[test]
    fn the_layout_is_that_of_c() {
        let inner = Ty::tuple(vec![Ty::Bool, Ty::Float(Float::F16), Ty::Bool]);
        assert_eq!(inner.layout(), (6, 2));
        let ty = Ty::tuple(vec![Ty::Bool, Ty::Int(Int::I64), inner, Ty::Bool]);
        assert_eq!(ty.offsets(), (vec![(0, 1), (8, 8), (16, 6), (22, 1)], 8));
        assert_eq!(ty.layout(), (24, 8));
        assert_eq!(Ty::array(ty, 3).layout(), (72, 8));
    }
}
