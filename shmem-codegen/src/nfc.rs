//! Names as rustc compares them: composed, in Unicode's form NFC. A file may write `é` as one character or as two; the
//! macro gets the tokens composed, and a build script has to see the same.

use proc_macro2::{Group, Ident, TokenStream, TokenTree};
use quote::ToTokens;
use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// Parses a source file; its names are composed, and stand where they stood.
///
/// # Errors
///
/// What the parser says.
pub fn parse_file(text: &str) -> syn::Result<syn::File> {
    let file = syn::parse_file(text)?;
    if is_composed(text) {
        return Ok(file);
    }
    syn::parse2(tokens(file.into_token_stream()))
}

/// A name as rustc has it.
pub(crate) fn composed(name: &str) -> String {
    name.nfc().collect()
}

fn is_composed(text: &str) -> bool {
    text.is_ascii() || is_nfc_quick(text.chars()) == IsNormalized::Yes
}

fn tokens(stream: TokenStream) -> TokenStream {
    stream
        .into_iter()
        .map(|token| match token {
            TokenTree::Ident(ident) => ident_composed(&ident).into(),
            TokenTree::Group(group) => {
                let mut inner = Group::new(group.delimiter(), tokens(group.stream()));
                inner.set_span(group.span());
                inner.into()
            }
            other => other,
        })
        .collect()
}

fn ident_composed(ident: &Ident) -> Ident {
    let text = ident.to_string();
    if is_composed(&text) {
        return ident.clone();
    }
    match text.strip_prefix("r#") {
        Some(name) => Ident::new_raw(&composed(name), ident.span()),
        None => Ident::new(&composed(&text), ident.span()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tokens::flatten;

    #[test]
    fn names_are_composed_and_stand_where_they_stood() {
        let text = "fn gro\u{308}\u{df}e() { 'e\u{301}: loop { m!(r#e\u{301}, \"e\u{301}\"); } }";
        let file = parse_file(text).expect("it is Rust");
        let flat = flatten(file.into_token_stream());
        let texts: Vec<&str> = flat.iter().map(|token| token.text.as_str()).collect();
        assert!(texts.contains(&"gr\u{f6}\u{df}e"), "{texts:?}");
        assert!(texts.contains(&"\u{e9}"), "{texts:?}");
        assert!(texts.contains(&"r#\u{e9}"), "{texts:?}");
        // What is no name stays.
        assert!(texts.contains(&"\"e\u{301}\""), "{texts:?}");
        for (token, written) in [("loop", "loop"), ("r#\u{e9}", "r#e\u{301}"), ("}", "} }")] {
            let found = flat.iter().find(|flat| flat.text == token);
            let before = text.find(written).map(|at| text[..at].chars().count());
            assert_eq!(
                found.map(|flat| flat.span.start().column),
                before,
                "{token}"
            );
        }
    }

    #[test]
    fn names_that_only_look_alike_stay_apart() {
        // U+017F is a letter of its own, whatever its compatibility form is.
        let file = parse_file("fn \u{17f}() { fn s() {} e\u{301}(); }").expect("it is Rust");
        let text = file.to_token_stream().to_string();
        assert!(
            text.contains("fn \u{17f} ()") && text.contains("\u{e9} ()"),
            "{text}"
        );
    }
}
