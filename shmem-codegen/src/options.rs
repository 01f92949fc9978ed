//! The arguments of `#[shmem_kernel(...)]`.

use std::fmt::Display;

use proc_macro2::{TokenStream, TokenTree};

use crate::diag::{Diagnostic, SpanRange};
use crate::rules::{self, Rule};

/// What the attribute asks for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// No block guard: every instance runs the body.
    pub all_blocks: bool,
    /// Vector cores only: no cube instances, no cube skip.
    pub vector: bool,
    /// No checks; the kernel is an `unsafe fn`.
    pub unchecked: bool,
}

impl Options {
    /// Reads the arguments: names with commas between them.
    pub fn parse(arguments: TokenStream, diags: &mut Vec<Diagnostic>) -> Options {
        let mut options = Options::default();
        let mut tokens = arguments.into_iter().peekable();
        while let Some(token) = tokens.next() {
            let mut refuse = |rule: &Rule, range: SpanRange, values: &[&dyn Display]| {
                diags.push(Diagnostic::new(rule, range, values));
            };
            let mut range = SpanRange::of(token.span());
            let TokenTree::Ident(ident) = &token else {
                // One mistake in the list makes the rest of it a guess.
                refuse(&rules::OPTION, range, &[&token]);
                break;
            };
            let name = ident.to_string();
            let mut unknown = false;
            let flag = match name.as_str() {
                "all_blocks" => &mut options.all_blocks,
                "vector" => &mut options.vector,
                "unchecked" => &mut options.unchecked,
                _ => &mut unknown,
            };
            let twice = std::mem::replace(flag, true);
            let value: Vec<TokenTree> =
                std::iter::from_fn(|| tokens.next_if(|token| !is_comma(token))).collect();
            tokens.next();
            if unknown {
                refuse(&rules::OPTION, range, &[&name]);
            } else if let [first, ..] = &value[..] {
                if let TokenTree::Ident(_) = first {
                    refuse(&rules::OPTION_COMMA, SpanRange::of(first.span()), &[&name]);
                } else {
                    range.last = value.last().unwrap_or(first).span();
                    refuse(&rules::OPTION_VALUE, range, &[&name, &name]);
                }
            } else if twice {
                refuse(&rules::OPTION_TWICE, range, &[&name]);
            }
        }
        options
    }
}

fn is_comma(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == ',')
}
