//! Attributes in a body: those that mean nothing to a kernel are passed over, others refused. What a `cfg` takes away is
//! not here any more.

use super::Lower;
use crate::diag::SpanRange;
use crate::rules;

impl Lower<'_> {
    pub(super) fn no_attributes(&mut self, attrs: &[syn::Attribute]) {
        if let Some(attr) = attrs.iter().find(|attr| !is_for_readers(attr)) {
            self.refuse(&rules::ATTRIBUTE, SpanRange::over(attr), &[]);
        }
    }
}

/// Whether an attribute speaks to lints, tools and readers only.
pub fn is_for_readers(attr: &syn::Attribute) -> bool {
    let path = attr.path();
    let lints = ["allow", "expect", "warn", "deny", "forbid", "doc"];
    let tool = path.segments.len() > 1
        && path
            .segments
            .first()
            .is_some_and(|tool| tool.ident == "rustfmt" || tool.ident == "clippy");
    tool || lints.iter().any(|lint| path.is_ident(lint))
}

macro_rules! attributes {
    (@kinds $expr:ident, $reference:tt; $($kind:ident)*) => {
        match $expr {
            $(syn::Expr::$kind(expr) => attributes!(@one expr, $reference),)*
            _ => None,
        }
    };
    (@one $node:ident, [$($reference:tt)+]) => {
        Some($($reference)+ $node.attrs)
    };
    ($expr:ident, $reference:tt) => {
        attributes!(@kinds $expr, $reference; Array Assign Async Await Binary Block Break Call Cast Closure Const
            Continue Field ForLoop Group If Index Infer Let Lit Loop Macro Match MethodCall Paren Path Range RawAddr
            Reference Repeat Return Struct Try TryBlock Tuple Unary Unsafe While Yield)
    };
}

/// The attributes of any expression.
pub(super) fn of(expr: &syn::Expr) -> &[syn::Attribute] {
    let attrs: Option<&Vec<syn::Attribute>> = attributes!(expr, [&]);
    attrs.map_or(&[], Vec::as_slice)
}

/// The same, to be changed.
pub fn of_mut(expr: &mut syn::Expr) -> Option<&mut Vec<syn::Attribute>> {
    attributes!(expr, [&mut])
}
