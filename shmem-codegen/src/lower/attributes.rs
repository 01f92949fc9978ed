//! Attributes in a body: none is supported, as the macro and the build script see other ones.

use super::Lower;
use crate::diag::SpanRange;
use crate::rules;

impl Lower<'_> {
    pub(super) fn no_attributes(&mut self, attrs: &[syn::Attribute]) {
        if let Some(attr) = attrs.first() {
            self.refuse(&rules::ATTRIBUTE, SpanRange::over(attr), &[]);
        }
    }
}

macro_rules! attributes {
    ($expr:expr, $($kind:ident)*) => {
        match $expr {
            $(syn::Expr::$kind(expr) => &expr.attrs,)*
            _ => &[],
        }
    };
}

/// The attributes of any expression.
pub(super) fn of(expr: &syn::Expr) -> &[syn::Attribute] {
    attributes!(expr, Array Assign Async Await Binary Block Break Call Cast Closure Const Continue Field ForLoop Group
        If Index Infer Let Lit Loop Macro Match MethodCall Paren Path Range RawAddr Reference Repeat Return Struct Try
        TryBlock Tuple Unary Unsafe While Yield)
}
