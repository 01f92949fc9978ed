//! Integers that are known before a kernel runs: the lengths of arrays, the values of variants.

use syn::ext::IdentExt;

use crate::source::Siblings;
use crate::ty::Ty;
use crate::types;

/// How many constants may name each other; those of a circle are none.
const DEEPEST: usize = 64;

/// The value of `expr`, of numbers, operators and the constants beside it.
pub fn integer(expr: &syn::Expr, siblings: &Siblings) -> Option<i128> {
    value(expr, siblings, 0)
}

fn value(expr: &syn::Expr, siblings: &Siblings, depth: usize) -> Option<i128> {
    let of = |expr: &syn::Expr| value(expr, siblings, depth);
    match expr {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(lit),
            ..
        }) => lit.base10_parse().ok(),
        syn::Expr::Paren(paren) => of(&paren.expr),
        syn::Expr::Group(group) => of(&group.expr),
        syn::Expr::Block(block) if block.label.is_none() => match &block.block.stmts[..] {
            [syn::Stmt::Expr(tail, None)] => of(tail),
            _ => None,
        },
        syn::Expr::Unary(syn::ExprUnary {
            op: syn::UnOp::Neg(_),
            expr,
            ..
        }) => of(expr)?.checked_neg(),
        syn::Expr::Cast(cast) => {
            let Some(Ty::Int(int)) = types::scalar(&cast.ty) else {
                return None;
            };
            // What a cast would change is left to those who write the number itself.
            let inner = of(&cast.expr)?;
            let max = i128::try_from(int.max()).ok()?;
            let min = if int.signed() { -max - 1 } else { 0 };
            (min..=max).contains(&inner).then_some(inner)
        }
        syn::Expr::Binary(binary) => {
            let (a, b) = (of(&binary.left)?, of(&binary.right)?);
            match binary.op {
                syn::BinOp::Add(_) => a.checked_add(b),
                syn::BinOp::Sub(_) => a.checked_sub(b),
                syn::BinOp::Mul(_) => a.checked_mul(b),
                syn::BinOp::Div(_) => a.checked_div(b),
                syn::BinOp::Rem(_) => a.checked_rem(b),
                syn::BinOp::Shl(_) => {
                    let shifted = a.checked_shl(u32::try_from(b).ok().filter(|b| *b < 64)?)?;
                    (shifted >> b == a).then_some(shifted)
                }
                syn::BinOp::Shr(_) => a.checked_shr(u32::try_from(b).ok()?),
                _ => None,
            }
        }
        syn::Expr::Path(path) if path.qself.is_none() && depth < DEEPEST => {
            let ident = path.path.get_ident()?.unraw();
            let constants = &siblings.constants;
            let constant = constants
                .iter()
                .find(|constant| constant.ident.unraw() == ident)?;
            let Some(Ty::Int(_)) = types::scalar(&constant.ty) else {
                return None;
            };
            value(&constant.expr, siblings, depth + 1)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_and_constants_are_computed() {
        let siblings = Siblings {
            constants: vec![
                syn::parse_quote!(
                    const N: usize = 4;
                ),
                syn::parse_quote!(
                    const M: usize = N * 2 - 1;
                ),
                syn::parse_quote!(
                    const CIRCLE: usize = CIRCLE;
                ),
            ],
            ..Siblings::default()
        };
        let of = |text: &str| integer(&syn::parse_str(text).unwrap(), &siblings);
        assert_eq!(of("(M + 1) << 2 | 0"), None);
        assert_eq!(of("(M + 1) << 2"), Some(32));
        assert_eq!(of("{ -0x10_i32 as i64 }"), Some(-16));
        assert_eq!(of("300 as u8"), None);
        assert_eq!(of("CIRCLE"), None);
        assert_eq!(of("1 / 0"), None);
    }
}
