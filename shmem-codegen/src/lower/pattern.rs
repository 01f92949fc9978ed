//! Patterns: what they test, what they take apart, and the names that they bind.

use syn::ext::IdentExt;

use super::Lower;
use crate::analyse::NodeId;
use crate::diag::SpanRange;
use crate::ir::{BinOp, Expr, ExprKind, Fault, LocalId, Stmt, StmtKind};
use crate::rules;
use crate::ty::{Int, Ty};

/// A name that a pattern binds.
#[derive(Clone)]
pub(super) struct Binding {
    name: String,
    mutable: bool,
    value: Expr,
}

impl Lower<'_> {
    /// The test of a pattern on `subject`, which is a place: none where it always fits.
    pub(super) fn test(&mut self, pat: &syn::Pat, subject: &Expr) -> Option<Option<Expr>> {
        match pat {
            syn::Pat::Wild(_) | syn::Pat::Rest(_) => Some(None),
            syn::Pat::Paren(paren) => self.test(&paren.pat, subject),
            // A name that is a constant's is its value.
            syn::Pat::Ident(ident) if self.names_a_constant(ident) => {
                let path = syn::Expr::Path(syn::ExprPath {
                    attrs: Vec::new(),
                    qself: None,
                    path: ident.ident.clone().into(),
                });
                // Told to the host stub, where every other name of a pattern is made a new one.
                self.types.push((NodeId::of(ident), subject.ty));
                Some(Some(self.bound(BinOp::Eq, &path, subject)?))
            }
            syn::Pat::Ident(ident) => match &ident.subpat {
                Some((_, inner)) => self.test(inner, subject),
                None => Some(None),
            },
            syn::Pat::Or(or) => {
                let mut test: Option<Expr> = None;
                for case in &or.cases {
                    let Some(next) = self.test(case, subject)? else {
                        return Some(None);
                    };
                    test = Some(match test {
                        Some(test) => logical(false, test, next),
                        None => next,
                    });
                }
                Some(test)
            }
            syn::Pat::Range(between) => {
                let upper = if matches!(between.limits, syn::RangeLimits::Closed(_)) {
                    BinOp::Le
                } else {
                    BinOp::Lt
                };
                let low = match &between.start {
                    Some(start) => Some(self.bound(BinOp::Ge, start, subject)?),
                    None => None,
                };
                let high = match &between.end {
                    Some(end) => Some(self.bound(upper, end, subject)?),
                    None => None,
                };
                Some(both(low, high))
            }
            syn::Pat::Lit(lit) => {
                let value = syn::Expr::Lit(lit.clone());
                Some(Some(self.bound(BinOp::Eq, &value, subject)?))
            }
            syn::Pat::Path(path) => {
                let value = syn::Expr::Path(path.clone());
                Some(Some(self.bound(BinOp::Eq, &value, subject)?))
            }
            syn::Pat::Verbatim(tokens) => match syn::parse2::<syn::Expr>(tokens.clone()) {
                Ok(value) => Some(Some(self.bound(BinOp::Eq, &value, subject)?)),
                Err(_) => {
                    self.refuse(&rules::MATCH_PATTERN, SpanRange::over(pat), &[]);
                    None
                }
            },
            _ => {
                let mut test = None;
                for (inner, part) in self.taken_apart(pat, subject, &rules::MATCH_PATTERN)? {
                    let next = self.test(inner, &part)?;
                    test = both(test, next);
                }
                Some(test)
            }
        }
    }

    fn names_a_constant(&self, ident: &syn::PatIdent) -> bool {
        ident.subpat.is_none() && self.names_constant(&ident.ident)
    }

    /// The names that `pat` binds on `subject`, which is a place. What a `match` tests is passed over; elsewhere
    /// only patterns that always fit are patterns.
    pub(super) fn bindings(
        &mut self,
        pat: &syn::Pat,
        subject: &Expr,
        tested: bool,
        bound: &mut Vec<Binding>,
    ) -> Option<()> {
        let rule = if tested {
            &rules::MATCH_PATTERN
        } else {
            &rules::PATTERN
        };
        match pat {
            syn::Pat::Wild(_) | syn::Pat::Rest(_) => Some(()),
            syn::Pat::Paren(paren) => self.bindings(&paren.pat, subject, tested, bound),
            syn::Pat::Ident(ident) if tested && self.names_a_constant(ident) => Some(()),
            syn::Pat::Ident(ident) if ident.by_ref.is_none() => {
                bound.push(Binding {
                    name: ident.ident.unraw().to_string(),
                    mutable: ident.mutability.is_some(),
                    value: subject.clone(),
                });
                match &ident.subpat {
                    Some((_, inner)) => self.bindings(inner, subject, tested, bound),
                    None => Some(()),
                }
            }
            syn::Pat::Or(or) if tested => {
                // Whichever case fits, a name is the same part.
                let mut first: Option<Vec<Binding>> = None;
                for case in &or.cases {
                    let mut here = Vec::new();
                    self.bindings(case, subject, tested, &mut here)?;
                    match &first {
                        None => first = Some(here),
                        Some(first) if same(first, &here) => {}
                        Some(_) => {
                            self.refuse(&rules::MATCH_PATTERN, SpanRange::over(pat), &[]);
                            return None;
                        }
                    }
                }
                bound.extend(first.unwrap_or_default());
                Some(())
            }
            syn::Pat::Range(_) | syn::Pat::Lit(_) | syn::Pat::Path(_) | syn::Pat::Verbatim(_)
                if tested =>
            {
                Some(())
            }
            _ => {
                for (inner, part) in self.taken_apart(pat, subject, rule)? {
                    self.bindings(inner, &part, tested, bound)?;
                }
                Some(())
            }
        }
    }

    /// The patterns in one of a tuple, struct or array, each with its part of `subject`.
    fn taken_apart<'p>(
        &mut self,
        pat: &'p syn::Pat,
        subject: &Expr,
        rule: &rules::Rule,
    ) -> Option<Vec<(&'p syn::Pat, Expr)>> {
        let range = SpanRange::over(pat);
        let ty = self.infer.shallow(subject.ty);
        let mut parts = Vec::new();
        match (pat, ty) {
            (_, Ty::Error) => return None,
            (syn::Pat::Tuple(tuple), Ty::Tuple(of)) => {
                let at = self.positions(&tuple.elems, of.elems.len(), ty, range)?;
                for (pat, index) in tuple.elems.iter().zip(at) {
                    parts.extend(index.map(|index| (pat, self.part_of(subject, index))));
                }
            }
            (syn::Pat::Slice(slice), Ty::Array(of)) => {
                let len = usize::try_from(of.len).ok()?;
                let at = self.positions(&slice.elems, len, ty, range)?;
                for (pat, index) in slice.elems.iter().zip(at) {
                    parts.extend(index.map(|index| (pat, element(subject, of.elem, index))));
                }
            }
            (syn::Pat::TupleStruct(tuple), Ty::Struct(of))
                if self.nominal(&tuple.path) == Some(ty) && of.positional() =>
            {
                let at = self.positions(&tuple.elems, of.fields.len(), ty, range)?;
                for (pat, index) in tuple.elems.iter().zip(at) {
                    parts.extend(index.map(|index| (pat, self.part_of(subject, index))));
                }
            }
            (syn::Pat::Struct(fields), Ty::Struct(of))
                if self.nominal(&fields.path) == Some(ty) =>
            {
                for field in &fields.fields {
                    self.no_attributes(&field.attrs);
                    let name = super::aggregate::member(&field.member);
                    let index = of.fields.iter().position(|known| known.name == name);
                    let Some(index) = index else {
                        let at = SpanRange::over(&field.member);
                        let help = super::aggregate::known_fields(ty);
                        self.refuse(&rules::FIELD, at, &[&ty, &name, &help]);
                        return None;
                    };
                    parts.push((&*field.pat, self.part_of(subject, index)));
                }
            }
            _ => {
                self.refuse(rule, range, &[]);
                return None;
            }
        }
        Some(parts)
    }

    /// For each of the patterns, which of `len` parts it is for; none for a `..`.
    fn positions(
        &mut self,
        pats: &syn::punctuated::Punctuated<syn::Pat, syn::Token![,]>,
        len: usize,
        ty: Ty,
        range: SpanRange,
    ) -> Option<Vec<Option<usize>>> {
        let rest = pats.iter().position(|pat| matches!(pat, syn::Pat::Rest(_)));
        let named = pats.len() - usize::from(rest.is_some());
        if named > len || (rest.is_none() && named < len) {
            let (ty, parts) = (
                self.infer.describe(ty),
                format!("a pattern of {named} parts"),
            );
            let help = format!("it has {len}; `..` stands for those that are left out");
            self.refuse(&rules::MISMATCH, range, &[&ty, &parts, &help]);
            return None;
        }
        let after = len - named;
        let position = |index: usize| match rest {
            Some(rest) if index == rest => None,
            Some(rest) if index > rest => Some(index - 1 + after),
            _ => Some(index),
        };
        Some((0..pats.len()).map(position).collect())
    }

    /// Part `index` of a tuple or struct.
    pub(super) fn part_of(&self, subject: &Expr, index: usize) -> Expr {
        let ty = match self.infer.shallow(subject.ty) {
            Ty::Tuple(of) => of.elems[index],
            Ty::Struct(of) => of.fields[index].ty,
            _ => Ty::Error,
        };
        Expr {
            kind: ExprKind::Field(Box::new(subject.clone()), index),
            ty,
            range: subject.range,
        }
    }

    /// The copies that the names of a pattern are, from here on in scope; a name for all of an unchanging local is
    /// that local.
    pub(super) fn bind_all(&mut self, bound: &[Binding]) -> Vec<Stmt> {
        let mut stmts = Vec::new();
        for binding in bound {
            let value = binding.value.clone();
            let id = match value.kind {
                ExprKind::Local(id) if !binding.mutable && !self.locals[id.0].mutable => id,
                _ => {
                    let id = self.local(binding.name.clone(), value.ty, binding.mutable);
                    stmts.push(Stmt {
                        span: value.range.first,
                        kind: StmtKind::Let(id, value),
                    });
                    id
                }
            };
            self.bind(binding.name.clone(), id);
        }
        stmts
    }

    /// `subject op value`, for a value that a pattern may have: a number, a bool, a variant, or a constant.
    fn bound(&mut self, op: BinOp, source: &syn::Expr, subject: &Expr) -> Option<Expr> {
        let range = SpanRange::over(source);
        let known = self.types.len();
        let value = self.value(source);
        self.types.truncate(known);
        if !matches!(value.kind, ExprKind::Int(_) | ExprKind::Bool(_)) {
            if value.ty != Ty::Error {
                self.refuse(&rules::MATCH_PATTERN, range, &[]);
            }
            return None;
        }
        if !self.infer.unify(value.ty, subject.ty) {
            let (want, got) = (
                self.infer.describe(subject.ty),
                self.infer.describe(value.ty),
            );
            self.refuse(
                &rules::MISMATCH,
                range,
                &[&want, &got, &"a pattern has the type of what is matched"],
            );
            return None;
        }
        if !matches!(
            self.infer.shallow(subject.ty),
            Ty::Int(_) | Ty::Bool | Ty::Enum(_) | Ty::Infer(_)
        ) {
            self.refuse(&rules::MATCH_PATTERN, range, &[]);
            return None;
        }
        let site = self.site(range, Fault::Check);
        let kind = match (&value.kind, op) {
            (ExprKind::Bool(true), _) => return Some(subject.clone()),
            (ExprKind::Bool(false), _) => ExprKind::Not(Box::new(subject.clone())),
            _ => ExprKind::Binary(op, Box::new(subject.clone()), Box::new(value), site),
        };
        Some(Expr {
            kind,
            ty: Ty::Bool,
            range,
        })
    }

    /// A `let` of a pattern that takes `value` apart: its statements, the names in scope after them.
    pub(super) fn take_apart(
        &mut self,
        pat: &syn::Pat,
        value: Expr,
        stmts: &mut Vec<Stmt>,
        names: &mut Vec<Binding>,
    ) -> Option<()> {
        // A name takes all of it: there is nothing to hold.
        let whole = match pat {
            syn::Pat::Ident(ident) if ident.subpat.is_none() => value,
            _ => self.held("whole", value, stmts),
        };
        self.bindings(pat, &whole, false, names)
    }

    /// A value as a place that does not change: a local of our own, unless it is one.
    pub(super) fn held(&mut self, name: &str, value: Expr, stmts: &mut Vec<Stmt>) -> Expr {
        if matches!(value.kind, ExprKind::Local(id) if !self.locals[id.0].mutable) {
            return value;
        }
        let (ty, range) = (value.ty, value.range);
        let id = self.hidden(name, ty, false);
        stmts.push(Stmt {
            kind: StmtKind::Let(id, value),
            span: range.first,
        });
        Expr {
            kind: ExprKind::Local(id),
            ty,
            range,
        }
    }
}

/// Element `index` of an array, which has it.
pub(super) fn element(array: &Expr, elem: Ty, index: usize) -> Expr {
    let range = array.range;
    let index = Expr {
        kind: ExprKind::Int(index as i128),
        ty: Ty::Int(Int::Usize),
        range,
    };
    Expr {
        kind: ExprKind::Index(Box::new(array.clone()), Box::new(index), None),
        ty: elem,
        range,
    }
}

/// Whether two cases bind the same names to the same parts.
fn same(a: &[Binding], b: &[Binding]) -> bool {
    a.len() == b.len()
        && a.iter().all(|one| {
            b.iter().any(|other| {
                one.name == other.name
                    && one.mutable == other.mutable
                    && same_place(&one.value, &other.value)
            })
        })
}

fn same_place(a: &Expr, b: &Expr) -> bool {
    let local = |expr: &Expr| match expr.kind {
        ExprKind::Local(LocalId(id)) => Some(id),
        _ => None,
    };
    match (&a.kind, &b.kind) {
        (ExprKind::Field(a, i), ExprKind::Field(b, j)) => i == j && same_place(a, b),
        (ExprKind::Index(a, i, _), ExprKind::Index(b, j, _)) => {
            matches!((&i.kind, &j.kind), (ExprKind::Int(i), ExprKind::Int(j)) if i == j)
                && same_place(a, b)
        }
        _ => local(a).is_some() && local(a) == local(b),
    }
}

/// Both tests, where there are two.
pub(super) fn both(a: Option<Expr>, b: Option<Expr>) -> Option<Expr> {
    match (a, b) {
        (Some(a), Some(b)) => Some(logical(true, a, b)),
        (a, b) => a.or(b),
    }
}

/// `left && right`, or `left || right`.
pub(super) fn logical(and: bool, left: Expr, right: Expr) -> Expr {
    let range = SpanRange {
        first: left.range.first,
        last: right.range.last,
    };
    Expr {
        kind: ExprKind::Logical(and, Box::new(left), Box::new(right)),
        ty: Ty::Bool,
        range,
    }
}
