//! A kernel as a flat list of tokens: what the macro and the build script number and hash alike.

use proc_macro2::{Delimiter, Span, TokenStream, TokenTree};
use quote::ToTokens;

/// One token, a delimiter being a token of its own.
#[derive(Clone, Debug)]
pub struct Flat {
    /// The token as text.
    pub text: String,
    /// Where it stands.
    pub span: Span,
}

/// The tokens that identify a kernel: the arguments of its attribute, then signature and body. Other attributes and
/// doc comments are left out: the compiler hands them over in another form than the file has.
pub fn item_tokens(arguments: &TokenStream, item: &syn::ItemFn) -> TokenStream {
    let mut tokens = arguments.clone();
    item.vis.to_tokens(&mut tokens);
    item.sig.to_tokens(&mut tokens);
    item.block.to_tokens(&mut tokens);
    tokens
}

/// Flattens `tokens` in source order.
pub fn flatten(tokens: TokenStream) -> Vec<Flat> {
    let mut flat = Vec::new();
    push(tokens, &mut flat);
    flat
}

fn push(tokens: TokenStream, flat: &mut Vec<Flat>) {
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    Delimiter::Parenthesis => ("(", ")"),
                    Delimiter::Brace => ("{", "}"),
                    Delimiter::Bracket => ("[", "]"),
                    Delimiter::None => ("<none", "none>"),
                };
                flat.push(Flat {
                    text: open.to_owned(),
                    span: group.span_open(),
                });
                push(group.stream(), flat);
                flat.push(Flat {
                    text: close.to_owned(),
                    span: group.span_close(),
                });
            }
            other => flat.push(Flat {
                text: other.to_string(),
                span: other.span(),
            }),
        }
    }
}

/// The text of a node, spaced as it stands in the source: compilers and build scripts give it alike.
pub fn spaced(node: &impl ToTokens) -> String {
    let mut text = String::new();
    let mut end = None;
    for token in flatten(node.to_token_stream()) {
        // The delimiters of a node that was parsed have the place of the whole group.
        let inside = text.ends_with(['(', '[']) || matches!(token.text.as_str(), ")" | "]");
        if !inside && end.is_some_and(|end| end != token.span.start()) {
            text.push(' ');
        }
        text.push_str(&token.text);
        end = Some(token.span.end());
    }
    text
}

/// FNV-1a over the texts. Not for secrets: it tells two versions of one kernel apart.
pub fn hash(flat: &[Flat]) -> u64 {
    fnv(flat.iter().map(|token| token.text.as_str()))
}

pub(crate) fn fnv<'a>(texts: impl Iterator<Item = &'a str>) -> u64 {
    let mut hash = 0xcbf2_9ce4_8422_2325_u64;
    let mut eat = |byte: u8| hash = (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    for text in texts {
        text.bytes().for_each(&mut eat);
        eat(0);
    }
    hash
}
