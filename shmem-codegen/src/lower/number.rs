//! Methods and constants of numbers.

use syn::ext::IdentExt;

use super::Lower;
use super::call::{count, given};
use super::expr::error;
use crate::analyse::NodeId;
use crate::diag::SpanRange;
use crate::ir::{Expr, ExprKind, Fault, Shown};
use crate::number::{self, Constant, METHODS, Method, Panics, Shape};
use crate::rules;
use crate::ty::{Elem, Float, Int, Ty};

impl Lower<'_> {
    /// `receiver.method(...)` on what is no view of memory.
    pub(super) fn number_method(
        &mut self,
        receiver: Expr,
        call: &syn::ExprMethodCall,
        at: SpanRange,
        range: SpanRange,
    ) -> Expr {
        let name = call.method.unraw().to_string();
        let ty = self.infer.shallow(receiver.ty);
        let of = self.infer.describe(ty);
        if let Ty::Infer(_) = ty {
            let known = METHODS.iter().any(|method| method.name == name);
            let help = if known {
                "its type is not known yet: write a suffix, as in `1_i32`, or the type of the local"
            } else {
                "numbers have the methods that docs/language.md lists"
            };
            return self.refused(&rules::METHOD, at, &[&of, &name, &help]);
        }
        if let Some(pair) = self.overflowing(&receiver, call, range) {
            return pair;
        }
        // What the `overflowing_` methods are made of has no name of its own.
        let named = Method::find(&name, ty).filter(|_| !name.starts_with("overflows_"));
        let Some(method) = named else {
            let help = match ty {
                Ty::Int(_) | Ty::Float(_) => "numbers have the methods that docs/language.md lists",
                _ => "it has operators and `as`",
            };
            return self.refused(&rules::METHOD, at, &[&of, &name, &help]);
        };
        if call.turbofish.is_some() {
            let help = "remove it: the type is known";
            return self.refused(&rules::STATEMENT, at, &[&"a turbofish on a call", &help]);
        }
        let arguments: Vec<&syn::Expr> = call.args.iter().collect();
        // These panic inside the standard library, except where it passes the caller's place on.
        self.apply(method, receiver, &arguments, at, range)
    }

    fn apply(
        &mut self,
        method: &'static Method,
        receiver: Expr,
        arguments: &[&syn::Expr],
        at: SpanRange,
        range: SpanRange,
    ) -> Expr {
        let wanted = method.arguments.len();
        if arguments.len() != wanted {
            let (takes, given) = (count(wanted), given(arguments.len()));
            return self.refused(
                &rules::ARGUMENTS,
                range,
                &[&method.name, &takes, &given, &"correct the call"],
            );
        }
        let ty = receiver.ty;
        let mut values = vec![receiver];
        for (argument, shape) in arguments.iter().zip(method.arguments) {
            let value = self.value_of(argument, shape.ty(ty));
            values.push(value);
        }
        let fault = match method.panics {
            Panics::Never => Fault::Check,
            Panics::Overflow(verb) | Panics::Arguments(verb) => {
                Fault::Arithmetic { verb, signed: true }
            }
            Panics::Text(text) => {
                let shown = values[1..].iter().map(|value| Shown {
                    ty: value.ty,
                    debug: true,
                });
                Fault::Text(text.to_owned(), shown.collect())
            }
        };
        let site = self.site(at, fault);
        let result = method.result.ty(self.infer.shallow(ty));
        Expr {
            kind: ExprKind::Method(method, values, site),
            ty: result,
            range,
        }
    }

    /// `core::cmp::min(a, b)` and `max`.
    pub(super) fn min_max(
        &mut self,
        function: &str,
        call: &syn::ExprCall,
        range: SpanRange,
    ) -> Expr {
        if call.args.len() != 2 {
            let (takes, given) = (count(2), given(call.args.len()));
            let name = format!("core::cmp::{function}");
            return self.refused(
                &rules::ARGUMENTS,
                range,
                &[&name, &takes, &given, &"correct the call"],
            );
        }
        let left = self.value(&call.args[0]);
        let right = self.value(&call.args[1]);
        if !self.infer.unify(left.ty, right.ty) {
            let (a, b) = (self.infer.describe(left.ty), self.infer.describe(right.ty));
            let help = self.one_type(left.ty, right.ty);
            self.refuse(&rules::OPERANDS, range, &[&function, &a, &b, &help]);
            return error(range);
        }
        // An integer whose type is decided later is an integer all the same.
        let method = Method::find(function, Ty::Int(Int::I32));
        match (self.infer.shallow(left.ty), method) {
            (Ty::Int(_) | Ty::Infer(_), Some(method)) if !self.is_float(left.ty) => {
                let site = self.site(range, Fault::Check);
                Expr {
                    ty: left.ty,
                    kind: ExprKind::Method(method, vec![left, right], site),
                    range,
                }
            }
            (Ty::Error, _) => error(range),
            (ty, _) => {
                let of = self.infer.describe(ty);
                let help = "it takes integers; floats have the methods `min` and `max`";
                self.refused(
                    &rules::OPERATOR,
                    range,
                    &[&format!("core::cmp::{function}"), &of, &help],
                )
            }
        }
    }

    fn is_float(&self, ty: Ty) -> bool {
        matches!(self.infer.resolve(ty), Ty::Float(_))
    }

    /// `f32::from_bits(bits)`
    pub(super) fn float_of_bits(
        &mut self,
        ty: &str,
        call: &syn::ExprCall,
        range: SpanRange,
    ) -> Expr {
        let Some(Elem::Float(float)) = Elem::parse(ty) else {
            return error(range);
        };
        if call.args.len() != 1 {
            let (takes, given) = (count(1), given(call.args.len()));
            let name = format!("{ty}::from_bits");
            return self.refused(
                &rules::ARGUMENTS,
                range,
                &[&name, &takes, &given, &"correct the call"],
            );
        }
        let bits = self.value_of(&call.args[0], Shape::Bits.ty(Ty::Float(float)));
        Expr {
            kind: ExprKind::FromBits(Box::new(bits)),
            ty: Ty::Float(float),
            range,
        }
    }

    /// `f16::from_f32(x)`
    pub(super) fn small_float(
        &mut self,
        ty: &str,
        from: &str,
        call: &syn::ExprCall,
        range: SpanRange,
    ) -> Expr {
        let Some(Elem::Float(float)) = Elem::parse(ty) else {
            return error(range);
        };
        if call.args.len() != 1 {
            let (takes, given) = (count(1), given(call.args.len()));
            let name = format!("{ty}::{from}");
            return self.refused(
                &rules::ARGUMENTS,
                range,
                &[&name, &takes, &given, &"correct the call"],
            );
        }
        let wide = if from == "from_f32" {
            Float::F32
        } else {
            Float::F64
        };
        let value = self.value_of(&call.args[0], Ty::Float(wide));
        Expr {
            kind: ExprKind::Convert(Box::new(value)),
            ty: Ty::Float(float),
            range,
        }
    }

    /// `i32::MAX`, `core::f32::consts::PI`.
    pub(super) fn constant(&mut self, path: &syn::ExprPath, range: SpanRange) -> Option<Expr> {
        if path.qself.is_some()
            || path
                .path
                .segments
                .iter()
                .any(|segment| !segment.arguments.is_none())
        {
            return None;
        }
        let names: Vec<String> = path
            .path
            .segments
            .iter()
            .map(|segment| segment.ident.unraw().to_string())
            .collect();
        if let [ty @ ("f16" | "bf16"), name] =
            names.iter().map(String::as_str).collect::<Vec<_>>()[..]
        {
            let Some(Elem::Float(float)) = Elem::parse(ty) else {
                return None;
            };
            let bits = number::small(float, name)?;
            let bits = Expr {
                kind: ExprKind::Int(bits.into()),
                ty: Ty::Int(Int::U16),
                range,
            };
            return Some(Expr {
                kind: ExprKind::FromBits(Box::new(bits)),
                ty: Ty::Float(float),
                range,
            });
        }
        let (constant, ty) = match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [ty, name] => number::constant(scalar(ty)?, name)?,
            ["core" | "std", "f32", "consts", name] => {
                (number::math(Float::F32, name)?, Ty::Float(Float::F32))
            }
            ["core" | "std", "f64", "consts", name] => {
                (number::math(Float::F64, name)?, Ty::Float(Float::F64))
            }
            _ => return None,
        };
        self.types.push((NodeId::of(path), ty));
        let kind = match constant {
            Constant::Int(value) => ExprKind::Int(value),
            Constant::Float(digits) => ExprKind::Float(digits),
        };
        Some(Expr { kind, ty, range })
    }
}

fn scalar(name: &str) -> Option<Ty> {
    match name {
        "isize" => Some(Ty::Int(Int::Isize)),
        "usize" => Some(Ty::Int(Int::Usize)),
        "c_char" => None,
        _ => Elem::parse(name).map(Elem::ty),
    }
}
