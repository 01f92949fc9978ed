//! The condition of an assertion as its panic quotes it: one line, spaced as rustc spaces what it prints.

use quote::ToTokens;

use super::call::path_text;
use crate::tokens;

/// The text of `expr`. Blocks and macros in it stand as they do in the source.
pub(super) fn quoted(expr: &syn::Expr) -> String {
    match expr {
        syn::Expr::Binary(binary) => {
            let op = binary.op.to_token_stream();
            format!("{} {op} {}", quoted(&binary.left), quoted(&binary.right))
        }
        syn::Expr::Unary(unary) => {
            let op = unary.op.to_token_stream();
            format!("{op}{}", quoted(&unary.expr))
        }
        syn::Expr::Paren(paren) => format!("({})", quoted(&paren.expr)),
        syn::Expr::Group(group) => quoted(&group.expr),
        syn::Expr::Cast(cast) => {
            format!("{} as {}", quoted(&cast.expr), tokens::spaced(&cast.ty))
        }
        syn::Expr::Call(call) => format!("{}({})", quoted(&call.func), list(&call.args)),
        syn::Expr::MethodCall(call) if call.turbofish.is_none() => {
            let receiver = quoted(&call.receiver);
            format!("{receiver}.{}({})", call.method, list(&call.args))
        }
        syn::Expr::Field(field) => {
            let member = field.member.to_token_stream();
            format!("{}.{member}", quoted(&field.base))
        }
        syn::Expr::Index(index) => format!("{}[{}]", quoted(&index.expr), quoted(&index.index)),
        syn::Expr::Path(path)
            if path.qself.is_none()
                && path.path.leading_colon.is_none()
                && path
                    .path
                    .segments
                    .iter()
                    .all(|part| part.arguments.is_none()) =>
        {
            path_text(&path.path)
        }
        other => tokens::spaced(other),
    }
}

fn list<P>(arguments: &syn::punctuated::Punctuated<syn::Expr, P>) -> String {
    let texts: Vec<String> = arguments.iter().map(quoted).collect();
    texts.join(", ")
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn a_condition_is_spaced_as_rustc_prints_it() {
        for (source, text) in [
            ("a==b", "a == b"),
            ("!(a  &&b)||-x< - 1", "!(a && b) || -x < -1"),
            ("f( a,\n  g(1 ,2),\n)", "f(a, g(1, 2))"),
            (
                "cells . at( i+1 )\n.load()>=0x1F_u8 as i32",
                "cells.at(i + 1).load() >= 0x1F_u8 as i32",
            ),
            (
                "(pair . 0)[ i ] != shmem :: n_pes( )",
                "(pair.0)[i] != shmem::n_pes()",
            ),
            ("matches!(x, 1 | 2)", "matches!(x, 1 | 2)"),
            (
                "r#match<<2==core::f32::consts::PI as _",
                "r#match << 2 == core::f32::consts::PI as _",
            ),
        ] {
            let expr = syn::parse_str(source).unwrap();
            assert_eq!(quoted(&expr), text);
        }
    }
}
