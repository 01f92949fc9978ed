//! What is told to the user: a message, where, and what to write instead.

use proc_macro2::{Span, TokenStream};
use quote::ToTokens;

use crate::rules::{self, Rule};

/// The first and the last token of the place that a diagnostic is about.
#[derive(Clone, Copy, Debug)]
pub struct SpanRange {
    /// Span of the first token.
    pub first: Span,
    /// Span of the last token.
    pub last: Span,
}

impl SpanRange {
    /// The range of one token.
    pub fn of(span: Span) -> Self {
        SpanRange {
            first: span,
            last: span,
        }
    }

    /// From the first to the last token of a syntax node.
    pub fn over(node: &impl ToTokens) -> Self {
        let mut spans = node.to_token_stream().into_iter().map(|token| token.span());
        let first = spans.next().unwrap_or_else(Span::call_site);
        SpanRange {
            first,
            last: spans.last().unwrap_or(first),
        }
    }
}

/// Tokens as a user would write them, on one line: the compiler gives the text of one token only.
pub fn written(tokens: TokenStream) -> String {
    let mut text = String::new();
    let is_word = |c: char| c == '_' || c == '"' || c.is_alphanumeric();
    for token in crate::tokens::flatten(tokens) {
        let word = token.text.starts_with(is_word);
        let keyword = ["mut", "dyn", "impl", "const"]
            .iter()
            .any(|keyword| text.ends_with(keyword));
        let apart = match text.chars().last() {
            None => false,
            Some(',' | ';' | '+' | '=') => true,
            Some('>') if text.ends_with("->") => true,
            Some(':') => !text.ends_with("::") && token.text != ":",
            Some(last) => (is_word(last) && word) || (keyword && token.text != ">"),
        };
        let around = matches!(token.text.as_str(), "+" | "=")
            || (token.text == "-" && !text.ends_with(['<', '[', '(']));
        if apart || (around && !text.ends_with(' ')) {
            text.push(' ');
        }
        if matches!(token.text.as_str(), ">" | ")" | "]") {
            // No comma before the end.
            text.truncate(text.trim_end_matches([',', ' ']).len());
        }
        text.push_str(&token.text);
    }
    text
}

/// One mistake.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Stable code of the rule, such as `SHM0201`.
    pub code: String,
    /// What is wrong.
    pub message: String,
    /// What to write instead; empty where the message says it.
    pub help: String,
    /// Where.
    pub range: SpanRange,
}

impl Diagnostic {
    /// A mistake against `rule`, its `{}` filled from `values` in order, first in the message, then in the help.
    pub fn new(rule: &Rule, range: SpanRange, values: &[&dyn std::fmt::Display]) -> Self {
        let mut values = values.iter();
        let mut fill = |text: &str| {
            let mut parts = text.split("{}");
            let mut filled = parts.next().unwrap_or_default().to_owned();
            for part in parts {
                if let Some(value) = values.next() {
                    filled.push_str(&value.to_string());
                }
                filled.push_str(part);
            }
            filled
        };
        let message = fill(rule.message);
        let help = fill(rule.help);
        Diagnostic {
            code: rule.code.to_owned(),
            message,
            help,
            range,
        }
    }

    /// The mistake of nesting more deeply than [`depth::too_deep`](crate::enclosure::depth::too_deep) lets pass.
    pub fn too_deep(span: Span) -> Self {
        Self::new(&rules::TOO_DEEP, SpanRange::of(span), &[])
    }

    /// The mistake of a second `#[shmem_kernel]`, at `attribute`.
    pub fn kernel_twice(attribute: SpanRange) -> Self {
        Self::new(&rules::KERNEL_TWICE, attribute, &[])
    }

    /// A syntax error found by the parser.
    pub fn from_syn(error: &syn::Error) -> Self {
        Diagnostic {
            code: "SHM0001".to_owned(),
            message: error.to_string(),
            help: String::new(),
            range: SpanRange::of(error.span()),
        }
    }

    /// The text shown to the user: message, code, and the help on lines of its own.
    pub fn text(&self) -> String {
        let mut text = format!("{} [{}]", self.message, self.code);
        if !self.help.is_empty() {
            text.push_str("\n\nhelp: ");
            text.push_str(&self.help);
        }
        text
    }

    /// `compile_error!` at the user's span.
    pub fn to_compile_error(&self) -> TokenStream {
        let text = self.text();
        let SpanRange { first, last } = self.range;
        let path = quote::quote_spanned!(first=> ::core::compile_error!);
        let mut group = proc_macro2::Group::new(
            proc_macro2::Delimiter::Brace,
            quote::quote_spanned!(first=> #text),
        );
        group.set_span(last);
        let mut tokens = path;
        tokens.extend([proc_macro2::TokenTree::Group(group)]);
        tokens
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_shown_as_they_are_written() {
        for text in [
            "Vec<i32>",
            "&'static mut [f32]",
            "*const u8",
            "[i32; 4]",
            "(i32, std::string::String)",
            "Box<dyn Fn(i32) -> u8 + Send>",
            "impl Copy",
            "<i32>::MAX",
            "Result<Option<u8>, &str>",
        ] {
            assert_eq!(written(text.parse().unwrap()), text);
        }
        let long = "Result<\n    i32, // comment\n    String,\n>";
        assert_eq!(written(long.parse().unwrap()), "Result<i32, String>");
    }
}
