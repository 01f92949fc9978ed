//! Tuples, arrays, structs and enums: how they are made, and how their parts are reached.

use syn::ext::IdentExt;

use super::Lower;
use super::expr::error;
use crate::analyse::Use;
use crate::diag::SpanRange;
use crate::ir::{Block, Expr, ExprKind, Fault, LocalId, Stmt, StmtKind};
use crate::items::Type;
use crate::rules;
use crate::ty::{Int, Ty};
use crate::types::{self, Refusal};

const USIZE: Ty = Ty::Int(Int::Usize);

impl Lower<'_> {
    /// A part of an aggregate: a value that is no view of memory.
    fn element(&mut self, expr: &syn::Expr) -> Expr {
        let value = self.value(expr);
        if let ty @ Ty::Memory(_) = self.infer.shallow(value.ty) {
            let help = "bind it with a `let` of its own";
            let what = format!("`{ty}` in a tuple, array or struct");
            return self.refused(&rules::STATEMENT, value.range, &[&what, &help]);
        }
        value
    }

    /// `(a, b)`
    pub(super) fn tuple(&mut self, tuple: &syn::ExprTuple, range: SpanRange) -> Expr {
        if tuple.elems.is_empty() {
            let help = "what returns nothing stands as a statement of its own";
            return self.refused(&rules::STATEMENT, range, &[&"`()` as a value", &help]);
        }
        let parts: Vec<Expr> = tuple.elems.iter().map(|elem| self.element(elem)).collect();
        let ty = Ty::tuple(parts.iter().map(|part| part.ty).collect());
        parts_of(ty, parts, range)
    }

    /// `[a, b, c]`
    pub(super) fn array(&mut self, array: &syn::ExprArray, range: SpanRange) -> Expr {
        let elem = self.infer.any();
        let mut elems = Vec::new();
        for value in &array.elems {
            let value = self.element(value);
            self.expect(&value, elem);
            elems.push(value);
        }
        Expr {
            ty: Ty::array(elem, elems.len() as u64),
            kind: ExprKind::Elements(elems),
            range,
        }
    }

    /// `[value; N]`
    pub(super) fn repeat(&mut self, repeat: &syn::ExprRepeat, range: SpanRange) -> Expr {
        let value = self.element(&repeat.expr);
        match types::length(&repeat.len, &self.items) {
            Some(len) => Expr {
                ty: Ty::array(value.ty, len),
                kind: ExprKind::Repeat(Box::new(value)),
                range,
            },
            None => self.refused(&rules::ARRAY_LENGTH, SpanRange::over(&repeat.len), &[]),
        }
    }

    /// The struct or enum of this path; what is wrong with it is told where its type is written.
    pub(super) fn nominal(&self, path: &syn::Path) -> Option<Ty> {
        let ty = syn::Type::Path(syn::TypePath {
            attrs: Vec::new(),
            qself: None,
            path: path.clone(),
        });
        match types::read(&ty, &self.items) {
            Ok(ty @ (Ty::Struct(_) | Ty::Enum(_))) => Some(ty),
            _ => None,
        }
    }

    /// `Point { x: 1, y }`, `Point { x: 1, ..other }`
    pub(super) fn struct_literal(&mut self, literal: &syn::ExprStruct, range: SpanRange) -> Expr {
        let at = SpanRange::over(&literal.path);
        let written = syn::Type::Path(syn::TypePath {
            attrs: Vec::new(),
            qself: literal.qself.clone(),
            path: literal.path.clone(),
        });
        let (ty, of) = match types::read(&written, &self.items) {
            Ok(ty @ Ty::Struct(of)) => (ty, of),
            Err(Refusal::Mistake(diag)) => {
                self.diags.push(*diag);
                return error(range);
            }
            _ => {
                let name = types::text(&literal.path);
                let help = "a kernel sees the structs and enums of its crate, by the paths that lead to them";
                return self.refused(&rules::NAME, at, &[&name, &help]);
            }
        };
        let mut parts: Vec<(usize, Expr)> = Vec::new();
        for field in &literal.fields {
            self.no_attributes(&field.attrs);
            let name = member(&field.member);
            let over = SpanRange::over(&field.member);
            let value = self.element(&field.expr);
            let Some(index) = of.fields.iter().position(|known| known.name == name) else {
                self.refuse(&rules::FIELD, over, &[&ty, &name, &known_fields(ty)]);
                continue;
            };
            if parts.iter().any(|(known, _)| *known == index) {
                let help = "remove one of them";
                let why = format!("`{name}` is given twice");
                self.refuse(&rules::FIELDS, over, &[&ty, &why, &help]);
                continue;
            }
            self.expect(&value, of.fields[index].ty);
            parts.push((index, value));
        }
        let given = |index: usize| parts.iter().any(|(known, _)| *known == index);
        let left: Vec<usize> = (0..of.fields.len())
            .filter(|&index| !given(index))
            .collect();
        let Some(base) = &literal.rest else {
            if let Some(&missing) = left.first() {
                let why = format!("`{}` is missing", of.fields[missing].name);
                let help = "give every field, or the others with `..other`";
                return self.refused(&rules::FIELDS, at, &[&ty, &why, &help]);
            }
            return Expr {
                kind: ExprKind::Parts(parts),
                ty,
                range,
            };
        };
        // The fields, then the value that the others are of.
        let mut stmts = Vec::new();
        for (_, value) in &mut parts {
            let known = value.clone();
            *value = self.held("field", known, &mut stmts);
        }
        let base = self.value_of(base, ty);
        let base = self.held("base", base, &mut stmts);
        parts.extend(
            left.into_iter()
                .map(|index| (index, self.part_of(&base, index))),
        );
        let made = Expr {
            kind: ExprKind::Parts(parts),
            ty,
            range,
        };
        block(stmts, made)
    }

    /// `Point(1, 2)`; none where the path is no struct's.
    pub(super) fn constructor(
        &mut self,
        call: &syn::ExprCall,
        path: &syn::Path,
        range: SpanRange,
    ) -> Option<Expr> {
        let ty = self.nominal(path)?;
        let Ty::Struct(of) = ty else { return None };
        if !of.positional() {
            let help = "write its fields by name, in braces";
            let why = "they have names";
            return Some(self.refused(&rules::FIELDS, range, &[&ty, &why, &help]));
        }
        if call.args.len() != of.fields.len() {
            let takes = super::call::count(of.fields.len());
            let given = super::call::given(call.args.len());
            let help = "give every field";
            return Some(self.refused(&rules::ARGUMENTS, range, &[&ty, &takes, &given, &help]));
        }
        let mut parts = Vec::new();
        for (argument, field) in call.args.iter().zip(&of.fields) {
            let value = self.element(argument);
            self.expect(&value, field.ty);
            parts.push(value);
        }
        Some(parts_of(ty, parts, range))
    }

    /// `Color::Red`; none where the path is no enum's.
    pub(super) fn variant(&mut self, path: &syn::ExprPath, range: SpanRange) -> Option<Expr> {
        let mut owner = path.path.clone();
        let variant = owner.segments.pop()?;
        owner.segments.pop_punct();
        if path.qself.is_some() || owner.segments.is_empty() {
            return None;
        }
        let ty = self.nominal(&owner)?;
        let Ty::Enum(of) = ty else { return None };
        let name = variant.ident.unraw().to_string();
        let names = of.variants.iter().map(|known| format!("`{}`", known.name));
        let help = format!("it has {}", names.collect::<Vec<_>>().join(", "));
        let at = SpanRange::of(variant.ident.span());
        let known = of.variants.iter().find(|known| known.name == name);
        let Some(known) = known else {
            return Some(self.refused(&rules::VARIANT, at, &[&ty, &name, &help]));
        };
        let kind = ExprKind::Int(known.value);
        Some(Expr { kind, ty, range })
    }

    /// A variant that its path leads to, by way of its enum or of `use`.
    pub(super) fn found_variant(
        &mut self,
        of: &Type,
        name: &str,
        path: &syn::Path,
        range: SpanRange,
    ) -> Expr {
        let ty = match types::nominal(of, range, &self.items) {
            Ok(ty) => ty,
            Err(Refusal::Mistake(diag)) => {
                self.diags.push(*diag);
                return error(range);
            }
            Err(Refusal::Unknown) => return error(range),
        };
        let known = match ty {
            Ty::Enum(of) => of.variants.iter().find(|known| known.name == name),
            _ => None,
        };
        let Some(known) = known else {
            return error(range);
        };
        self.uses.push(Use::Variant {
            path: path.clone(),
            value: known.value,
        });
        let kind = ExprKind::Int(known.value);
        Expr { kind, ty, range }
    }

    /// What stands before a `.` or `[`: through a reference, what it refers to.
    pub(super) fn base(&mut self, expr: &syn::Expr) -> Expr {
        let base = self.expr(expr, None);
        let base = self.through(base);
        self.valued(base)
    }

    /// `base.member`
    pub(super) fn field(&mut self, base: Expr, field: &syn::ExprField, range: SpanRange) -> Expr {
        let name = member(&field.member);
        let ty = self.infer.shallow(base.ty);
        let at = SpanRange::over(&field.member);
        let index = match ty {
            Ty::Error => return error(range),
            Ty::Tuple(of) => name.parse().ok().filter(|&index| index < of.elems.len()),
            Ty::Struct(of) => of.fields.iter().position(|known| known.name == name),
            _ => None,
        };
        match index {
            Some(index) => Expr {
                range,
                ..self.part_of(&base, index)
            },
            None => {
                let of = self.infer.describe(ty);
                self.refused(&rules::FIELD, at, &[&of, &name, &known_fields(ty)])
            }
        }
    }

    /// `base[index]`
    pub(super) fn index(&mut self, base: Expr, index: &syn::ExprIndex, range: SpanRange) -> Expr {
        let at = base.range;
        let (elem, len) = match self.infer.shallow(base.ty) {
            Ty::Array(of) => (of.elem, i128::from(of.len)),
            Ty::Error => (Ty::Error, 0),
            ty => {
                let of = self.infer.describe(ty);
                let help = match ty {
                    Ty::Memory(_) => "write `.at(i)`, then `.load()` or `.store(value)`",
                    Ty::Tuple(_) => "write the number of the part after a point, as in `.0`",
                    _ => "only arrays are indexed",
                };
                return self.refused(&rules::INDEX, at, &[&of, &help]);
            }
        };
        if let syn::Expr::Range(_) = &*index.index {
            let at = SpanRange::over(&index.index);
            let help = "index one element at a time";
            return self.refused(&rules::STATEMENT, at, &[&"a part of an array", &help]);
        }
        let value = self.value_of(&index.index, USIZE);
        let known = matches!(value.kind, ExprKind::Int(index) if index < len);
        let site = (!known).then(|| self.site(range, Fault::Check));
        Expr {
            kind: ExprKind::Index(Box::new(base), Box::new(value), site),
            ty: elem,
            range,
        }
    }
}

/// A local as an expression.
pub(super) fn local(id: LocalId, ty: Ty, range: SpanRange) -> Expr {
    Expr {
        kind: ExprKind::Local(id),
        ty,
        range,
    }
}

/// Statements that stand for what is at `range`.
pub(super) fn stmts(kinds: impl IntoIterator<Item = StmtKind>, range: SpanRange) -> Vec<Stmt> {
    let stmt = |kind| Stmt {
        kind,
        span: range.first,
    };
    kinds.into_iter().map(stmt).collect()
}

/// `value` after `stmts`.
pub(super) fn block(stmts: Vec<Stmt>, value: Expr) -> Expr {
    if stmts.is_empty() {
        return value;
    }
    let (ty, range) = (value.ty, value.range);
    let tail = Some(Box::new(value));
    Expr {
        kind: ExprKind::Block(Block { stmts, tail }),
        ty,
        range,
    }
}

/// A tuple or struct of all its parts in order.
pub(super) fn parts_of(ty: Ty, parts: Vec<Expr>, range: SpanRange) -> Expr {
    Expr {
        kind: ExprKind::Parts(parts.into_iter().enumerate().collect()),
        ty,
        range,
    }
}

/// The name of a field as it is written.
pub(super) fn member(member: &syn::Member) -> String {
    match member {
        syn::Member::Named(ident) => ident.unraw().to_string(),
        syn::Member::Unnamed(index) => index.index.to_string(),
    }
}

/// What a type has in the way of fields.
pub(super) fn known_fields(ty: Ty) -> String {
    match ty.fields() {
        Some(fields) => {
            let names: Vec<String> = fields.iter().map(|(name, _)| format!("`{name}`")).collect();
            format!("it has {}", names.join(", "))
        }
        None => match ty {
            Ty::Array(_) => "its elements are reached by `[index]`".to_owned(),
            Ty::Memory(_) => "read the memory first, with `.load()`".to_owned(),
            _ => "only tuples and structs have fields".to_owned(),
        },
    }
}
