//! The arguments of `#[shmem_kernel(...)]`.

use proc_macro2::{TokenStream, TokenTree};

use crate::diag::{Diagnostic, SpanRange};
use crate::rules;

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
        let mut comma_due = false;
        for token in arguments {
            match &token {
                TokenTree::Punct(punct) if punct.as_char() == ',' && comma_due => {
                    comma_due = false;
                    continue;
                }
                TokenTree::Ident(ident) if !comma_due => {
                    comma_due = true;
                    let name = ident.to_string();
                    let flag = match name.as_str() {
                        "all_blocks" => &mut options.all_blocks,
                        "vector" => &mut options.vector,
                        "unchecked" => &mut options.unchecked,
                        _ => {
                            let range = SpanRange::of(ident.span());
                            diags.push(Diagnostic::new(&rules::OPTION, range, &[&name]));
                            continue;
                        }
                    };
                    if *flag {
                        let range = SpanRange::of(ident.span());
                        diags.push(Diagnostic::new(&rules::OPTION_TWICE, range, &[&name]));
                    }
                    *flag = true;
                    continue;
                }
                _ => {}
            }
            diags.push(Diagnostic::new(
                &rules::OPTION,
                SpanRange::of(token.span()),
                &[&token],
            ));
            // One mistake in the list makes the rest of it a guess.
            break;
        }
        options
    }
}
