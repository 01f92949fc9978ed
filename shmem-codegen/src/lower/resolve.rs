//! After inference: every variable in the IR becomes the type that was found for it.

use crate::infer::Infer;
use crate::ir::{Block, Expr, ExprKind, Fault, Kernel, Site, SiteId, Stmt, StmtKind};
use crate::ty::Ty;
use crate::walk::{self, Visit};

/// Replaces the inference variables of `block`.
pub fn block(block: &mut Block, infer: &Infer) {
    struct Types<'a>(&'a Infer);
    impl Visit for Types<'_> {
        fn expr(&mut self, expr: &mut Expr) {
            expr.ty = self.0.resolve(expr.ty);
        }
    }
    walk::block(block, &mut Types(infer));
}

/// Notes the types that C++ has to be told of.
pub fn types(kernel: &mut Kernel) {
    struct Made(Vec<Ty>);
    impl Made {
        fn note(&mut self, ty: Ty) {
            let known = matches!(ty, Ty::Enum(_) | Ty::Ref(..)) || ty.is_aggregate();
            if known && !self.0.contains(&ty) {
                self.0.push(ty);
            }
        }
    }
    impl Visit for Made {
        fn expr(&mut self, expr: &mut Expr) {
            self.note(expr.ty);
        }
    }
    let mut made = Made(Vec::new());
    kernel.params.iter().for_each(|param| made.note(param.ty));
    kernel.locals.iter().for_each(|local| made.note(local.ty));
    made.note(kernel.returns);
    walk::block(&mut kernel.body, &mut made);
    kernel.types = made.0;
}

/// Tells each arithmetic site whether its operands have a sign, so that the host prints them right.
pub fn signs(kernel: &mut Kernel) {
    struct Signs<'a> {
        sites: &'a mut [Site],
    }
    impl Signs<'_> {
        fn set(&mut self, site: SiteId, ty: Ty) {
            if let Fault::Arithmetic { signed, .. } = &mut self.sites[site.0 as usize].fault {
                *signed = matches!(ty, Ty::Int(int) if int.signed());
            }
        }
    }
    impl Signs<'_> {
        fn show(&mut self, site: SiteId, values: &[Expr]) {
            if let Fault::Text(_, shown) = &mut self.sites[site.0 as usize].fault {
                for (shown, value) in shown.iter_mut().zip(values) {
                    shown.ty = value.ty;
                }
            }
        }
    }
    impl Visit for Signs<'_> {
        fn expr(&mut self, expr: &mut Expr) {
            match &expr.kind {
                ExprKind::Neg(inner, site) | ExprKind::Binary(_, inner, _, site) => {
                    self.set(*site, inner.ty)
                }
                ExprKind::Method(_, arguments, site) => {
                    if let [receiver, values @ ..] = &arguments[..] {
                        self.set(*site, receiver.ty);
                        self.show(*site, values);
                    }
                }
                ExprKind::Panic(site, values) | ExprKind::Print(site, values) => {
                    self.show(*site, values)
                }
                _ => {}
            }
        }
        fn stmt(&mut self, stmt: &mut Stmt) {
            if let StmtKind::Assign(place, Some((_, site)), _) = &stmt.kind {
                self.set(*site, place.ty);
            }
        }
    }
    walk::block(
        &mut kernel.body,
        &mut Signs {
            sites: &mut kernel.sites,
        },
    );
}
