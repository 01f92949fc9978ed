//! Tuples, arrays, structs and enums: types, values, patterns.

use super::pattern::Bound;
use super::stmt::DEPTH;
use super::{Gen, same};
use crate::harness::ast::{Expr, Kind, Op, Scalar, Stmt, Ty};
use crate::harness::print::positional;

/// Kernels that may stand in one C++ file.
const BATCH: u64 = 80;

/// Names of types.
const HOSTILE: [&str; 20] = [
    "FILE",
    "LocalTensor",
    "half",
    "int32_t",
    "Größe",
    "GM_ADDR",
    "bool_",
    "r#union",
    "Class",
    "NULL",
    "EOF",
    "core_",
    "AscendC",
    "int",
    "s_Pair0",
    "k_x",
    "shmem_rust",
    "tuple2_i32_i32",
    "名",
    "TPipe",
];

/// A struct of the kernel's module.
#[derive(Clone, Debug)]
pub(super) struct Struct {
    name: String,
    /// Named `0`, `1` where it is a tuple struct.
    fields: Vec<(String, Ty)>,
    equal: bool,
}

/// An enum of the kernel's module.
#[derive(Clone, Debug)]
pub(super) struct Enum {
    name: String,
    /// With what is written behind: a discriminant.
    variants: Vec<(String, String)>,
    /// What it derives beside `Clone` and `Copy`.
    derives: &'static str,
    repr: &'static str,
}

impl Struct {
    /// As an item.
    pub(super) fn text(&self) -> String {
        let equal = if self.equal { ", PartialEq" } else { "" };
        let tuple = self
            .fields
            .first()
            .is_some_and(|(name, _)| positional(name));
        let fields: Vec<String> = self
            .fields
            .iter()
            .map(|(name, ty)| match tuple {
                true => format!("pub {ty}"),
                false => format!("pub {name}: {ty}"),
            })
            .collect();
        let fields = fields.join(", ");
        let body = if tuple {
            format!("({fields});")
        } else {
            format!(" {{ {fields} }}")
        };
        format!(
            "#[derive(Clone, Copy{equal})] pub struct {}{body}",
            self.name
        )
    }
}

impl Enum {
    /// As an item.
    pub(super) fn text(&self) -> String {
        let variants: Vec<String> = self
            .variants
            .iter()
            .map(|(name, value)| format!("{name}{value}"))
            .collect();
        let Enum {
            name,
            derives,
            repr,
            ..
        } = self;
        let variants = variants.join(", ");
        format!("#[derive(Clone, Copy{derives})] {repr} pub enum {name} {{ {variants} }}")
    }
}

fn boxed(expr: Expr) -> Box<Expr> {
    Box::new(expr)
}

impl Gen {
    /// Makes structs and enums for the kernel's module.
    pub(super) fn named_types(&mut self) {
        if self.rng.chance(30) {
            for number in 0..1 + self.rng.below(2) {
                self.named_enum(number);
            }
        }
        if self.rng.chance(35) {
            for number in 0..1 + self.rng.below(2) {
                self.named_struct(number);
            }
        }
    }

    /// The name of a type: no other kernel of a batch has it.
    fn type_name(&mut self, plain: &str, number: usize) -> String {
        let at = self.index % BATCH;
        let hostile = HOSTILE.get(at as usize).copied();
        let hostile = hostile.filter(|name| !self.reserved.iter().any(|known| same(known, name)));
        let name = match hostile {
            Some(name) => name.to_owned(),
            None => format!("{plain}{number}_{at}"),
        };
        self.reserved.push(name.clone());
        name
    }

    fn named_enum(&mut self, number: usize) {
        let name = self.type_name("Mode", number);
        let mut value = 0;
        let explicit = self.rng.chance(40);
        let mut variants = Vec::new();
        let names = ["A", "B", "NULL", "EOF", "Off"];
        for name in names.iter().take(2 + self.rng.below(4)) {
            let text = if explicit && self.rng.chance(50) {
                value += 1 + self.rng.below(40);
                format!(" = {value}")
            } else {
                value += 1;
                String::new()
            };
            variants.push(((*name).to_owned(), text));
        }
        let derives = *self
            .rng
            .pick(&["", ", PartialEq", ", PartialEq, PartialOrd"]);
        let reprs = ["", "", "#[repr(u8)]", "#[repr(i64)]", "#[repr(u16)]"];
        let repr = *self.rng.pick(&reprs);
        self.enums.push(Enum {
            name,
            variants,
            derives,
            repr,
        });
    }

    fn named_struct(&mut self, number: usize) {
        let name = self.type_name("Pair", number);
        let tuple = self.rng.chance(30);
        let mut fields: Vec<(String, Ty)> = Vec::new();
        for at in 0..1 + self.rng.below(4) {
            let ty = self.part_type(1);
            let field = if tuple {
                at.to_string()
            } else {
                let known: Vec<String> = fields.iter().map(|field| field.0.clone()).collect();
                let free = |name: &String| known.iter().all(|other| !same(other, name));
                let hidden = std::mem::take(&mut self.reserved);
                let made = self.name(free);
                self.reserved = hidden;
                made.unwrap_or_else(|| format!("f{at}"))
            };
            fields.push((field, ty));
        }
        let equal = self.rng.chance(60) && fields.iter().all(|(_, ty)| self.comparable(ty));
        self.structs.push(Struct {
            name,
            fields,
            equal,
        });
    }

    /// The parts of a tuple or struct with their names.
    pub(super) fn fields(&self, ty: &Ty) -> Vec<(String, Ty)> {
        match ty {
            Ty::Tuple(parts) => parts
                .iter()
                .enumerate()
                .map(|(at, part)| (at.to_string(), part.clone()))
                .collect(),
            Ty::Named(name) => self
                .structs
                .iter()
                .find(|known| known.name == *name)
                .map_or_else(Vec::new, |known| known.fields.clone()),
            _ => Vec::new(),
        }
    }

    pub(super) fn variants(&self, ty: &Ty) -> Vec<String> {
        let Ty::Named(name) = ty else {
            return Vec::new();
        };
        let known = self.enums.iter().find(|known| known.name == *name);
        known.map_or_else(Vec::new, |known| {
            let variants = known.variants.iter();
            variants
                .map(|(variant, _)| format!("{name}::{variant}"))
                .collect()
        })
    }

    /// Whether `==` applies.
    fn comparable(&self, ty: &Ty) -> bool {
        match ty {
            Ty::Scalar(_) => true,
            Ty::Tuple(parts) => parts.iter().all(|part| self.comparable(part)),
            Ty::Array(elem, _) => self.comparable(elem),
            Ty::Named(name) => {
                let equal = self
                    .structs
                    .iter()
                    .any(|one| one.name == *name && one.equal);
                equal
                    || self
                        .enums
                        .iter()
                        .any(|one| one.name == *name && !one.derives.is_empty())
            }
            _ => false,
        }
    }

    /// The type of a part: mostly a number.
    pub(super) fn part_type(&mut self, depth: usize) -> Ty {
        if depth == 0 || self.rng.chance(70) {
            self.some_scalar()
        } else {
            self.aggregate(depth - 1)
        }
    }

    /// A tuple, array, struct or enum.
    pub(super) fn aggregate(&mut self, depth: usize) -> Ty {
        let known: Vec<Ty> = self
            .visible()
            .into_iter()
            .map(|var| match &var.ty {
                Ty::Ref(_, to) => (**to).clone(),
                ty => ty.clone(),
            })
            .filter(|ty| matches!(ty, Ty::Tuple(_) | Ty::Array(..) | Ty::Named(_)))
            .collect();
        if !known.is_empty() && self.rng.chance(50) {
            return self.rng.pick(&known).clone();
        }
        let structs: Vec<String> = self.structs.iter().map(|one| one.name.clone()).collect();
        let enums: Vec<String> = self.enums.iter().map(|one| one.name.clone()).collect();
        match self.rng.below(8) {
            0 | 1 if !structs.is_empty() => Ty::Named(self.rng.pick(&structs).clone()),
            2 | 3 if !enums.is_empty() => Ty::Named(self.rng.pick(&enums).clone()),
            4 | 5 => {
                let count = 1 + self.rng.below(3);
                Ty::Tuple((0..count).map(|_| self.part_type(depth)).collect())
            }
            _ => {
                let elem = self.part_type(depth);
                Ty::Array(Box::new(elem), 1 + self.rng.below(6))
            }
        }
    }

    /// A value from its parts.
    pub(super) fn build(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        let depth = depth.saturating_sub(1);
        let kind = match ty {
            Ty::Tuple(parts) => {
                let values: Option<Vec<Expr>> =
                    parts.iter().map(|part| self.expr(part, depth)).collect();
                Kind::Tuple(values?)
            }
            Ty::Array(elem, len) if self.rng.chance(30) => {
                Kind::Repeat(boxed(self.expr(elem, depth)?), *len)
            }
            Ty::Array(elem, len) => {
                let values: Option<Vec<Expr>> = (0..*len).map(|_| self.expr(elem, depth)).collect();
                Kind::Array(values?)
            }
            Ty::Named(name) => {
                let variants = self.variants(ty);
                if !variants.is_empty() {
                    let variant = self.rng.pick(&variants).clone();
                    return Some(Expr::new(Kind::Literal(variant), ty.clone()));
                }
                let mut fields = self.fields(ty);
                // The parts are evaluated as they are written.
                let tuple = fields.first().is_some_and(|(name, _)| positional(name));
                if !tuple && self.rng.chance(50) {
                    fields.reverse();
                }
                let mut values = Vec::new();
                for (field, part) in fields {
                    values.push((field, self.given(&part, depth)?));
                }
                Kind::Struct(name.clone(), values)
            }
            _ => return None,
        };
        Some(Expr::new(kind, ty.clone()))
    }

    /// `(a, b).0`, `[a, b][i]`, `f(x).y`
    pub(super) fn part_of_value(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if depth < 2 || matches!(ty, Ty::Memory { .. }) {
            return None;
        }
        if self.rng.chance(50) {
            let len = 1 + self.rng.below(4);
            let of = Ty::Array(Box::new(ty.clone()), len);
            let array = self.expr(&of, depth - 1)?;
            let index = self.borrowing(&array, |g| g.array_index(len))?;
            return Some(Expr::new(
                Kind::Index(boxed(array), boxed(index)),
                ty.clone(),
            ));
        }
        let structs: Vec<Ty> = self
            .structs
            .iter()
            .map(|one| Ty::Named(one.name.clone()))
            .collect();
        let of = if !structs.is_empty() && self.rng.chance(50) {
            self.rng.pick(&structs).clone()
        } else {
            let other = self.some_scalar();
            Ty::Tuple(if self.rng.chance(50) {
                vec![ty.clone(), other]
            } else {
                vec![other, ty.clone()]
            })
        };
        let fields = self.fields(&of);
        let (name, _) = fields.into_iter().find(|(_, part)| part == ty)?;
        let value = self.expr(&of, depth - 1)?;
        Some(Expr::new(Kind::Field(boxed(value), name), ty.clone()))
    }

    /// `Mode::A as i32`
    pub(super) fn enum_cast(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        ty.int()?;
        if self.enums.is_empty() {
            return None;
        }
        let at = self.rng.below(self.enums.len());
        let of = Ty::Named(self.enums[at].name.clone());
        let inner = self.expr(&of, depth - 1)?;
        Some(Expr::new(Kind::Cast(boxed(inner)), ty.clone()))
    }

    /// `a == b` of whole values.
    pub(super) fn whole_comparison(&mut self, ty: &Ty, depth: usize) -> Option<Expr> {
        if !ty.is(Scalar::Bool) {
            return None;
        }
        let of = self.aggregate(1);
        if !self.comparable(&of) {
            return None;
        }
        let ordered = matches!(&of, Ty::Named(name)
            if self.enums.iter().any(|one| one.name == *name && one.derives.contains("Ord")));
        let op = if ordered {
            *self.rng.pick(&[Op::Lt, Op::Le, Op::Gt, Op::Ge, Op::Eq])
        } else {
            *self.rng.pick(&[Op::Eq, Op::Ne])
        };
        // The operator borrows its sides.
        let left = self.expr(&of, depth - 1)?;
        let right = self.borrowing(&left, |g| g.expr(&of, depth - 1))?;
        Some(Expr::new(
            Kind::Binary(op, boxed(left), boxed(right)),
            ty.clone(),
        ))
    }

    /// `let x = (a, b);`
    pub(super) fn let_aggregate(&mut self) -> Option<Vec<Stmt>> {
        let ty = self.aggregate(2);
        let init = self.expr(&ty, DEPTH)?;
        let name = self.name(|_| true)?;
        let mutable = self.rng.chance(65);
        // A literal in it may leave its type to the context.
        let ascribed = matches!(
            init.kind,
            Kind::Tuple(_) | Kind::Array(_) | Kind::Repeat(..)
        ) || self.rng.chance(30);
        self.declare(&name, ty.clone(), mutable);
        Some(vec![Stmt::Let {
            pattern: if mutable { format!("mut {name}") } else { name },
            ty: ascribed.then_some(ty),
            init: Some(init),
        }])
    }

    /// `let (a, [b, ..]) = value;`
    pub(super) fn let_apart(&mut self) -> Option<Vec<Stmt>> {
        let ty = self.aggregate(2);
        if !self.variants(&ty).is_empty() {
            return None;
        }
        let init = self.expr(&ty, DEPTH)?;
        let mut bound = Vec::new();
        let pattern = self.apart(&ty, &mut bound)?;
        for (name, ty, mutable) in &bound {
            self.declare(name, ty.clone(), *mutable);
        }
        Some(vec![Stmt::Let {
            pattern,
            ty: Some(ty),
            init: Some(init),
        }])
    }

    /// A pattern that takes every value of `ty`.
    pub(super) fn apart(&mut self, ty: &Ty, bound: &mut Vec<Bound>) -> Option<String> {
        let (fields, before) = (self.fields(ty), bound.len());
        let text = match ty {
            Ty::Tuple(_) if self.rng.chance(80) => {
                let mut parts = Vec::new();
                for (_, part) in &fields {
                    parts.push(self.apart(part, bound)?);
                }
                if parts.len() > 1 && self.rng.chance(20) {
                    let last = parts.len() - 1;
                    parts[last] = "..".to_owned();
                }
                let comma = if parts.len() == 1 { "," } else { "" };
                format!("({}{comma})", parts.join(", "))
            }
            Ty::Array(elem, len) if self.rng.chance(60) => {
                let mut parts = Vec::new();
                for _ in 0..*len {
                    parts.push(self.apart(elem, bound)?);
                }
                if *len > 1 && self.rng.chance(30) {
                    let at = self.rng.below(*len);
                    parts[at] = "..".to_owned();
                }
                format!("[{}]", parts.join(", "))
            }
            Ty::Named(name) if !fields.is_empty() && self.rng.chance(80) => {
                let tuple = positional(&fields[0].0);
                let mut parts = Vec::new();
                for (field, part) in &fields {
                    let pattern = self.apart(part, bound)?;
                    parts.push(match tuple {
                        true => pattern,
                        false => format!("{field}: {pattern}"),
                    });
                }
                if self.rng.chance(20) {
                    let last = parts.len() - 1;
                    parts[last] = "..".to_owned();
                }
                match tuple {
                    true => format!("{name}({})", parts.join(", ")),
                    false => format!("{name} {{ {} }}", parts.join(", ")),
                }
            }
            _ if self.rng.chance(20) => "_".to_owned(),
            _ => {
                let free = |name: &String| bound.iter().all(|(known, ..)| !same(known, name));
                let name = self.name(free)?;
                let mutable = self.rng.chance(40);
                bound.push((name.clone(), ty.clone(), mutable));
                if mutable { format!("mut {name}") } else { name }
            }
        };
        // What `..` stands for binds nothing.
        let inner = bound.split_off(before);
        bound.extend(inner.into_iter().filter(|(name, ..)| names(&text, name)));
        Some(text)
    }

    /// `(a, b.0) = (b.0, a);`
    pub(super) fn assign_apart(&mut self) -> Option<Vec<Stmt>> {
        let mut places: Vec<Expr> = Vec::new();
        let hidden = self.hidden.len();
        for _ in 0..2 {
            let place = self.target();
            let root = place.as_ref().and_then(super::place::root);
            self.hidden.extend(root);
            places.extend(place);
        }
        self.hidden.truncate(hidden);
        if places.len() < 2 {
            return None;
        }
        let memory = |place: &Expr| matches!(place.ty, Ty::Memory { .. });
        if places.iter().any(memory) {
            return None;
        }
        let types: Vec<Ty> = places.iter().map(|place| place.ty.clone()).collect();
        let values: Option<Vec<Expr>> = types.iter().map(|ty| self.given(ty, 3)).collect();
        let tuple = Ty::Tuple(types);
        let left = Expr::new(Kind::Tuple(places), tuple.clone());
        let right = Expr::new(Kind::Tuple(values?), tuple);
        Some(vec![Stmt::Assign(left, None, right)])
    }

    /// `for x in [a, b, c] { ... }`
    pub(super) fn each_statement(&mut self) -> Option<Vec<Stmt>> {
        if self.depth > 5 {
            return None;
        }
        let known: Vec<Ty> = self
            .visible()
            .into_iter()
            .map(|var| var.ty.clone())
            .filter(|ty| matches!(ty, Ty::Array(..)))
            .collect();
        let ty = if !known.is_empty() && self.rng.chance(60) {
            self.rng.pick(&known).clone()
        } else {
            let elem = self.part_type(1);
            Ty::Array(Box::new(elem), 1 + self.rng.below(4))
        };
        let Ty::Array(elem, _) = &ty else {
            return None;
        };
        // The array counts as it was, whatever the body does.
        let (array, mut first) = (self.expr(&ty, 3)?, self.fuel_check().to_vec());
        let label = self.label();
        let mut bound = Vec::new();
        let pattern = self.apart(elem, &mut bound)?;
        if let [(name, ty, _)] = &bound[..]
            && ty.int().is_some()
            && !self.in_helper
        {
            let value = Expr::new(Kind::Var(name.clone()), ty.clone());
            let wide = Expr::new(Kind::Cast(boxed(value)), Ty::Scalar(Scalar::I64));
            first.push(self.step_of(wide));
        }
        let body = self.framed(&label, &first, |g| {
            for (name, ty, mutable) in &bound {
                g.declare(name, ty.clone(), *mutable);
            }
        });
        // Its literals need a type.
        let ascribed = Kind::Block(
            crate::harness::ast::Block {
                stmts: vec![Stmt::Let {
                    pattern: "array".to_owned(),
                    ty: Some(ty.clone()),
                    init: Some(array.clone()),
                }],
                tail: Some(boxed(Expr::new(Kind::Var("array".to_owned()), ty.clone()))),
            },
            false,
        );
        let array = match array.kind {
            Kind::Array(_) | Kind::Repeat(..) => Expr::new(ascribed, ty),
            _ => array,
        };
        Some(vec![Stmt::Each(label, pattern, array, body)])
    }

    /// The numbers that a value holds.
    pub(super) fn leaves(&self, value: Expr, leaves: &mut Vec<Expr>) {
        match value.ty.clone() {
            Ty::Scalar(_) => leaves.push(value),
            Ty::Array(elem, len) => {
                for at in 0..len {
                    let index = Kind::Literal(at.to_string());
                    let index = Expr::new(index, Ty::Scalar(Scalar::Usize));
                    let part = Kind::Index(boxed(value.clone()), boxed(index));
                    self.leaves(Expr::new(part, (*elem).clone()), leaves);
                }
            }
            ty if !self.variants(&ty).is_empty() => {
                let number = Expr::new(Kind::Cast(boxed(value)), Ty::Scalar(Scalar::I64));
                leaves.push(number);
            }
            ty => {
                for (name, part) in self.fields(&ty) {
                    let field = Kind::Field(boxed(value.clone()), name);
                    self.leaves(Expr::new(field, part), leaves);
                }
            }
        }
    }
}

/// Whether `name` stands in the text of a pattern.
fn names(text: &str, name: &str) -> bool {
    text.split(|c: char| !(c.is_alphanumeric() || c == '_' || c == '#'))
        .any(|word| word == name)
}
