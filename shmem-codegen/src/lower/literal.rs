//! Literals: values and types, and the suffixes that the host stub repeats.

use super::Lower;
use crate::analyse::NodeId;
use crate::diag::SpanRange;
use crate::ir::{Expr, ExprKind};
use crate::rules;
use crate::ty::{Float, Int, Ty};

impl Lower<'_> {
    /// A literal; `hint` is the type of a cast around it, which an unsuffixed number takes where it can.
    pub(super) fn literal(&mut self, lit: &syn::Lit, hint: Option<Ty>) -> Expr {
        let range = SpanRange::of(lit.span());
        match lit {
            syn::Lit::Int(lit) => self.int_literal(lit, false, hint, range),
            syn::Lit::Float(lit) => self.float_literal(lit, hint, range),
            syn::Lit::Bool(lit) => Expr {
                kind: ExprKind::Bool(lit.value),
                ty: Ty::Bool,
                range,
            },
            syn::Lit::Char(_) => self.refused(&rules::LITERAL, range, &[&"char"]),
            syn::Lit::Byte(_) => self.refused(&rules::LITERAL, range, &[&"byte"]),
            _ => self.refused(&rules::LITERAL, range, &[&"string"]),
        }
    }

    /// An integer literal, with the minus sign in front of it when `negative`.
    pub(super) fn int_literal(
        &mut self,
        lit: &syn::LitInt,
        negative: bool,
        hint: Option<Ty>,
        range: SpanRange,
    ) -> Expr {
        let ty = match lit.suffix() {
            "" => match hint {
                Some(Ty::Int(int)) => Ty::Int(int),
                _ => self.infer.int(),
            },
            "f32" => return self.number_as_float(lit.base10_digits(), Float::F32, negative, range),
            "f64" => return self.number_as_float(lit.base10_digits(), Float::F64, negative, range),
            suffix => match Int::parse(suffix) {
                Some(int) => Ty::Int(int),
                None => {
                    let suffix = suffix.to_owned();
                    return self.refused(&rules::TYPE, range, &[&suffix]);
                }
            },
        };
        // In a pattern the sign is part of the literal.
        let digits = lit.base10_digits();
        let negative = negative || digits.starts_with('-');
        let Ok(value) = digits
            .trim_start_matches('-')
            .parse::<u128>()
            .map(i128::try_from)
        else {
            return self.refused(
                &rules::LITERAL_RANGE,
                range,
                &[&"u64", &"use a smaller number"],
            );
        };
        let Ok(value) = value else {
            return self.refused(
                &rules::LITERAL_RANGE,
                range,
                &[&"u64", &"use a smaller number"],
            );
        };
        self.types.push((NodeId::of(lit), ty));
        Expr {
            kind: ExprKind::Int(if negative { -value } else { value }),
            ty,
            range,
        }
    }

    fn float_literal(&mut self, lit: &syn::LitFloat, hint: Option<Ty>, range: SpanRange) -> Expr {
        let ty = match lit.suffix() {
            "" => match hint {
                Some(Ty::Float(float)) if !float.small() => Ty::Float(float),
                _ => self.infer.float(),
            },
            "f32" => Ty::Float(Float::F32),
            "f64" => Ty::Float(Float::F64),
            suffix => {
                let suffix = suffix.to_owned();
                return self.refused(&rules::TYPE, range, &[&suffix]);
            }
        };
        self.types.push((NodeId::of(lit), ty));
        Expr {
            kind: ExprKind::Float(lit.base10_digits().to_owned()),
            ty,
            range,
        }
    }

    /// `1f32`: an integer to the lexer, a float by its suffix.
    fn number_as_float(
        &mut self,
        digits: &str,
        float: Float,
        negative: bool,
        range: SpanRange,
    ) -> Expr {
        let sign = if negative { "-" } else { "" };
        Expr {
            kind: ExprKind::Float(format!("{sign}{digits}")),
            ty: Ty::Float(float),
            range,
        }
    }
}
