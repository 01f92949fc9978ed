//! Tuples, arrays, structs and enums: how they are made, and how their parts are reached.

use syn::ext::IdentExt;

use super::Lower;
use super::expr::error;
use super::pattern::logical;
use crate::analyse::Use;
use crate::diag::SpanRange;
use crate::ir::{BinOp, Block, Expr, ExprKind, Fault, LocalId, Loop, LoopId, Stmt, StmtKind};
use crate::items::{Found, Type};
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
                let help = "a kernel sees the structs of its own module by their plain names";
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

    /// Through a reference, what it refers to.
    pub(super) fn through(&mut self, expr: Expr) -> Expr {
        match self.infer.shallow(expr.ty) {
            Ty::Ref(to, _) => Expr {
                ty: *to,
                range: expr.range,
                kind: ExprKind::Deref(Box::new(expr)),
            },
            _ => expr,
        }
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

    /// `*x`, of a parameter that is a reference.
    pub(super) fn dereferenced(&mut self, inner: &syn::Expr, range: SpanRange) -> Expr {
        let inner = self.expr(inner, None);
        match self.infer.shallow(inner.ty) {
            Ty::Ref(..) => Expr {
                range,
                ..self.through(inner)
            },
            Ty::Error => error(range),
            Ty::Memory(_) => {
                let help = "memory is read with `.load()` and written with `.store(value)`";
                self.refused(&rules::STATEMENT, range, &[&"a dereference", &help])
            }
            ty => {
                let of = self.infer.describe(ty);
                let help = "it is a value, not a reference: remove the `*`";
                self.refused(&rules::OPERATOR, range, &[&"*", &of, &help])
            }
        }
    }

    /// A place in a local that is written to: by an assignment, or through `&mut`.
    pub(super) fn place(&mut self, expr: &syn::Expr) -> Option<Expr> {
        let range = SpanRange::over(expr);
        self.no_attributes(super::attributes::of(expr));
        match expr {
            syn::Expr::Paren(paren) => self.place(&paren.expr),
            syn::Expr::Group(group) => self.place(&group.expr),
            syn::Expr::Path(path) if path.qself.is_none() && path.path.get_ident().is_some() => {
                let ident = path.path.get_ident()?;
                let name = ident.unraw().to_string();
                let Some(id) = self.lookup(&name) else {
                    let help = super::advice::instead_of_name(&path.path, &Found::Nothing);
                    self.refuse(&rules::NAME, range, &[&name, &help]);
                    return None;
                };
                Some(Expr {
                    kind: ExprKind::Local(id),
                    ty: self.locals[id.0].ty,
                    range,
                })
            }
            syn::Expr::Field(field) => {
                let base = self.place(&field.base)?;
                let base = self.through(base);
                Some(self.field(base, field, range)).filter(Expr::is_place)
            }
            syn::Expr::Index(index) => {
                let base = self.place(&index.expr)?;
                let base = self.through(base);
                Some(self.index(base, index, range)).filter(Expr::is_place)
            }
            syn::Expr::Unary(syn::ExprUnary {
                op: syn::UnOp::Deref(_),
                expr,
                ..
            }) => Some(self.dereferenced(expr, range)).filter(Expr::is_place),
            _ => {
                self.refuse(&rules::ASSIGN_TARGET, range, &[]);
                None
            }
        }
    }

    /// Whether the place can be written to; says why not. `given` is the type of what is written.
    pub(super) fn writable(&mut self, place: &Expr, given: Option<Ty>) -> bool {
        let mut root = place;
        let (id, through) = loop {
            match &root.kind {
                ExprKind::Field(base, _) | ExprKind::Index(base, ..) => root = base,
                ExprKind::Deref(base) => match base.kind {
                    ExprKind::Local(id) => break (id, true),
                    _ => return true,
                },
                ExprKind::Local(id) => break (*id, false),
                _ => return true,
            }
        };
        let name = self.locals[id.0].name.clone();
        let ty = self.infer.shallow(self.locals[id.0].ty);
        let help = match (ty, through) {
            (Ty::Error, _) | (Ty::Ref(_, true), true) => return true,
            (Ty::Ref(..), true) => format!("declare it as `{name}: &mut ...`"),
            _ if self.locals[id.0].mutable => return true,
            (ty @ Ty::Memory(_), _)
                if given
                    .is_some_and(|given| !matches!(self.infer.shallow(given), Ty::Memory(_))) =>
            {
                self.conversion(ty, given.unwrap_or(Ty::Error))
            }
            (Ty::Ref(..), false) => format!("what it refers to is `*{name}`"),
            _ => format!("declare it as `mut {name}`"),
        };
        self.refuse(&rules::NOT_MUTABLE, place.range, &[&name, &help]);
        false
    }

    /// `core::mem::swap(&mut a, &mut b)`
    pub(super) fn swap(&mut self, call: &syn::ExprCall, range: SpanRange) -> Expr {
        if call.args.len() != 2 {
            let (takes, given) = (super::call::count(2), super::call::given(call.args.len()));
            let help = "write `core::mem::swap(&mut a, &mut b)`";
            return self.refused(
                &rules::ARGUMENTS,
                range,
                &[&"core::mem::swap", &takes, &given, &help],
            );
        }
        let mut places = Vec::new();
        for argument in &call.args {
            let place = match argument {
                syn::Expr::Reference(reference) if reference.mutability.is_some() => {
                    self.place(&reference.expr)
                }
                other => {
                    let value = self.expr(other, None);
                    let is_reference = matches!(self.infer.shallow(value.ty), Ty::Ref(_, true));
                    if !is_reference && value.ty != Ty::Error {
                        let found = self.infer.describe(value.ty);
                        let help = "write `&mut` and the local";
                        self.refuse(&rules::MISMATCH, value.range, &[&"&mut _", &found, &help]);
                    }
                    is_reference.then(|| self.through(value))
                }
            };
            let Some(place) = place.filter(|place| self.writable(place, None)) else {
                return error(range);
            };
            places.push(place);
        }
        let (Some(b), Some(a)) = (places.pop(), places.pop()) else {
            return error(range);
        };
        if let ty @ Ty::Memory(_) = self.infer.shallow(a.ty) {
            let help = "bind them the other way round with `let`";
            return self.refused(&rules::OPERATOR, range, &[&"core::mem::swap", &ty, &help]);
        }
        self.expect(&b, a.ty);
        self.read(&a);
        self.read(&b);
        Expr {
            kind: ExprKind::Swap(Box::new(a), Box::new(b)),
            ty: Ty::Unit,
            range,
        }
    }

    /// Notes that the local of a place is read as well.
    pub(super) fn read(&mut self, place: &Expr) {
        match &place.kind {
            ExprKind::Local(id) => self.locals[id.0].reads += 1,
            ExprKind::Field(base, _) | ExprKind::Index(base, ..) | ExprKind::Deref(base) => {
                self.read(base);
            }
            _ => {}
        }
    }

    /// An argument for a parameter of type `ty`, which may be a reference.
    pub(super) fn argument(&mut self, argument: &syn::Expr, ty: Ty) -> Expr {
        let Ty::Ref(to, mutable) = ty else {
            return self.value_of(argument, ty);
        };
        let range = SpanRange::over(argument);
        let mut bare = argument;
        while let syn::Expr::Paren(paren) = bare {
            bare = &paren.expr;
        }
        let (inner, writes) = match bare {
            syn::Expr::Reference(reference) => {
                let writes = reference.mutability.is_some();
                let inner = if writes {
                    let place = self.place(&reference.expr);
                    place.filter(|place| self.writable(place, None))
                } else {
                    Some(self.value(&reference.expr))
                };
                let Some(inner) = inner else {
                    return error(range);
                };
                if writes {
                    self.read(&inner);
                }
                (inner, writes)
            }
            other => {
                // A reference that was given is given on.
                let value = self.expr(other, None);
                match self.infer.shallow(value.ty) {
                    Ty::Ref(_, writes) => (self.through(value), writes),
                    Ty::Error => return error(range),
                    found => {
                        let found = self.infer.describe(found);
                        let sign = if mutable { "&mut " } else { "&" };
                        let help = format!("write `{}` before it", sign.trim_end());
                        return self.refused(&rules::MISMATCH, range, &[&ty, &found, &help]);
                    }
                }
            }
        };
        if mutable && !writes {
            let found = format!("&{}", self.infer.describe(inner.ty));
            let help = "write `&mut`";
            return self.refused(&rules::MISMATCH, range, &[&ty, &found, &help]);
        }
        self.expect(&inner, *to);
        Expr {
            kind: ExprKind::Ref(Box::new(inner), mutable),
            ty,
            range,
        }
    }

    /// `a == b` of aggregates, part by part.
    pub(super) fn equality(
        &mut self,
        equal: bool,
        left: Expr,
        right: Expr,
        range: SpanRange,
    ) -> Expr {
        let mut stmts = Vec::new();
        let left = self.held("left", left, &mut stmts);
        let right = self.held("right", right, &mut stmts);
        let mut same = self.same(left, right, range);
        if !equal {
            same = Expr {
                kind: ExprKind::Not(Box::new(same)),
                ty: Ty::Bool,
                range,
            };
        }
        block(stmts, same)
    }

    fn same(&mut self, left: Expr, right: Expr, range: SpanRange) -> Expr {
        let ty = self.infer.shallow(left.ty);
        let count = match ty {
            Ty::Tuple(of) => of.elems.len(),
            Ty::Struct(of) if of.equals => of.fields.len(),
            Ty::Array(of) => return self.same_elements(left, right, of.elem, of.len, range),
            Ty::Error => return error(range),
            Ty::Int(_) | Ty::Float(_) | Ty::Bool | Ty::CChar | Ty::Infer(_) => 0,
            Ty::Enum(of) if of.equals => 0,
            _ => {
                let help = "derive PartialEq for it, beside Clone and Copy";
                return self.refused(&rules::OPERATOR, range, &[&"==", &ty, &help]);
            }
        };
        if count == 0 {
            let site = self.site(range, Fault::Check);
            return Expr {
                kind: ExprKind::Binary(BinOp::Eq, Box::new(left), Box::new(right), site),
                ty: Ty::Bool,
                range,
            };
        }
        let mut all: Option<Expr> = None;
        for index in 0..count {
            let (a, b) = (self.part_of(&left, index), self.part_of(&right, index));
            let same = self.same(a, b, range);
            if same.ty == Ty::Error {
                return same;
            }
            all = super::pattern::both(all, Some(same));
        }
        all.unwrap_or_else(|| error(range))
    }

    fn same_elements(
        &mut self,
        left: Expr,
        right: Expr,
        elem: Ty,
        len: u64,
        range: SpanRange,
    ) -> Expr {
        let counter = self.hidden("index", USIZE, false);
        let result = self.hidden("same", Ty::Bool, true);
        let at = |array: &Expr| Expr {
            kind: ExprKind::Index(
                Box::new(array.clone()),
                Box::new(local(counter, USIZE, range)),
                None,
            ),
            ty: elem,
            range,
        };
        let one = self.same(at(&left), at(&right), range);
        if one.ty == Ty::Error {
            return one;
        }
        let number = |value: u64| Expr {
            kind: ExprKind::Int(i128::from(value)),
            ty: USIZE,
            range,
        };
        let both = logical(true, local(result, Ty::Bool, range), one);
        let assign = StmtKind::Assign(local(result, Ty::Bool, range), None, both);
        let yes = Expr {
            kind: ExprKind::Bool(true),
            ty: Ty::Bool,
            range,
        };
        let turns = self.counted(counter, number(0), number(len), vec![assign], range);
        let kinds = [StmtKind::Let(result, yes), turns];
        block(stmts(kinds, range), local(result, Ty::Bool, range))
    }

    /// `for counter in start..end { body }`
    fn counted(
        &mut self,
        counter: LocalId,
        start: Expr,
        end: Expr,
        body: Vec<StmtKind>,
        range: SpanRange,
    ) -> StmtKind {
        let id = LoopId(self.loops.len());
        self.loops.push(Loop::default());
        self.broken.push(false);
        StmtKind::For {
            id,
            local: counter,
            start,
            end,
            inclusive: false,
            reversed: false,
            step: None,
            body: Block {
                stmts: stmts(body, range),
                tail: None,
            },
        }
    }

    /// The `for` over an array: over its indices, each turn with a copy of the element.
    pub(super) fn for_array(
        &mut self,
        for_loop: &syn::ExprForLoop,
        range: SpanRange,
    ) -> Option<StmtKind> {
        let array = self.base(&for_loop.expr);
        let of = match self.infer.shallow(array.ty) {
            Ty::Array(of) => of,
            ty => {
                if ty != Ty::Error {
                    self.refuse(&rules::FOR_RANGE, array.range, &[]);
                }
                self.refused_turns(for_loop);
                return None;
            }
        };
        let at = array.range;
        let mut before = Vec::new();
        let array = self.held("array", array, &mut before);
        let counter = self.hidden("index", USIZE, false);
        let value = Expr {
            kind: ExprKind::Index(Box::new(array), Box::new(local(counter, USIZE, at)), None),
            ty: of.elem,
            range: at,
        };
        let mut fits = true;
        let (id, body) = self.loop_body(for_loop.label.as_ref(), None, |lower| {
            lower.scoped(|lower| {
                let mut stmts = Vec::new();
                let mut names = Vec::new();
                fits = match &*for_loop.pat {
                    syn::Pat::Ident(ident) if ident.by_ref.is_none() && ident.subpat.is_none() => {
                        names.push(super::pattern::Binding::new(ident, value));
                        true
                    }
                    pat => lower
                        .take_apart(pat, value, &mut stmts, &mut names)
                        .is_some(),
                };
                if !fits {
                    lower.bind_refused(crate::signature::bound_names(&for_loop.pat));
                }
                stmts.extend(lower.bind_all(&names));
                let inner = lower.unit_block(&for_loop.body);
                stmts.extend(inner.stmts);
                Block { stmts, tail: None }
            })
        });
        if !fits {
            return None;
        }
        let number = |value: u64| Expr {
            kind: ExprKind::Int(i128::from(value)),
            ty: USIZE,
            range: at,
        };
        let turns = StmtKind::For {
            id,
            local: counter,
            start: number(0),
            end: number(of.len),
            inclusive: false,
            reversed: false,
            step: None,
            body,
        };
        if before.is_empty() {
            return Some(turns);
        }
        before.extend(stmts([turns], range));
        Some(StmtKind::Block(Block {
            stmts: before,
            tail: None,
        }))
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
