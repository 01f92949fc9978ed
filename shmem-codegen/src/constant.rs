//! Integers that are known before a kernel runs: the lengths of arrays, the values of variants.

use crate::items::{Found, Items};
use crate::source::segments;
use crate::ty::Ty;
use crate::types;

/// How many constants may name each other; those of a circle are none.
const DEEPEST: usize = 64;

/// The value of `expr`, of numbers, operators and constants.
pub fn integer(expr: &syn::Expr, items: &Items<'_>) -> Option<i128> {
    value(expr, items, 0)
}

fn value(expr: &syn::Expr, items: &Items<'_>, depth: usize) -> Option<i128> {
    let of = |expr: &syn::Expr| value(expr, items, depth);
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
            let names = segments(&path.path);
            let Found::Constant(constant) = items.value(path.path.leading_colon.is_some(), &names)
            else {
                return None;
            };
            let Some(Ty::Int(_)) = types::scalar(&constant.ty) else {
                return None;
            };
            value(&constant.value, &items.within(&constant), depth + 1)
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::items::{Position, ScopeId, World};

    #[test]
    fn operators_and_constants_are_computed() {
        let file = syn::parse_quote!(
            const N: usize = 4;
            const M: usize = N * 2 - 1;
            const CIRCLE: usize = CIRCLE;
        );
        let scan = crate::source::scan(&file, &|_| None);
        let world = World::one_file(String::new(), Position::Root, scan);
        let items = world.items(ScopeId { file: 0, scope: 0 });
        let of = |text: &str| integer(&syn::parse_str(text).unwrap(), &items);
        assert_eq!(of("(M + 1) << 2 | 0"), None);
        assert_eq!(of("(M + 1) << 2"), Some(32));
        assert_eq!(of("{ -0x10_i32 as i64 }"), Some(-16));
        assert_eq!(of("300 as u8"), None);
        assert_eq!(of("CIRCLE"), None);
        assert_eq!(of("1 / 0"), None);
    }
}
