//! Places: what is assigned to, and what a reference is to.

use syn::ext::IdentExt;

use super::Lower;
use super::expr::error;
use crate::diag::SpanRange;
use crate::ir::{Expr, ExprKind};
use crate::items::Found;
use crate::rules;
use crate::ty::Ty;

impl Lower<'_> {
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
}
