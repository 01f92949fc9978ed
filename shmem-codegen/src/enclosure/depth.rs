//! How deeply a function may be nested: syntax trees are built, walked and dropped by recursion, in the compiler's own
//! process, where no thread with a larger stack can be started. Looked at before anything is parsed.

use proc_macro2::{Delimiter, Spacing, Span, TokenStream, TokenTree};

/// How much may nest. In a debug build a bracket takes up to 40 KiB of stack, a sign up to 10: together less than the
/// 8 MiB that rustc's own thread has.
pub const LIMIT: usize = 600;

/// Where `tokens` may be nested more deeply than [`LIMIT`], if anywhere.
///
/// It counts what may nest: brackets, and in one statement or argument the signs and words that take an expression.
pub fn too_deep(tokens: TokenStream) -> Option<Span> {
    let mut groups = vec![(tokens, 0)];
    while let Some((group, around)) = groups.pop() {
        let tokens: Vec<TokenTree> = group.into_iter().collect();
        let mut start = 0;
        while start < tokens.len() {
            let end = run(&tokens, start);
            let mut depth = around;
            for index in start..end {
                depth += weight(&tokens[start..=index]);
                if depth > LIMIT {
                    return Some(tokens[index].span());
                }
            }
            for token in &tokens[start..end] {
                if let TokenTree::Group(group) = token {
                    groups.push((group.stream(), depth + 3));
                }
            }
            start = end;
        }
    }
    None
}

/// The end of the statement or argument that begins at `start`, or of more than one.
fn run(tokens: &[TokenTree], start: usize) -> usize {
    let ends = |index: usize| match &tokens[index] {
        TokenTree::Punct(punct) => matches!(punct.as_char(), ';' | ','),
        TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
            match tokens.get(index + 1) {
                Some(TokenTree::Ident(next)) => next != "else" && next != "as",
                Some(TokenTree::Punct(next)) => next.as_char() == '#',
                _ => true,
            }
        }
        _ => false,
    };
    (start..tokens.len())
        .find(|&index| ends(index))
        .map_or(tokens.len(), |index| index + 1)
}

/// What the last of `tokens` adds.
fn weight(tokens: &[TokenTree]) -> usize {
    match tokens {
        [.., TokenTree::Punct(before), TokenTree::Punct(_)]
            if before.spacing() == Spacing::Joint =>
        {
            0
        }
        [.., TokenTree::Punct(sign)] => match sign.as_char() {
            ';' | ',' => 0,
            // It may open the arguments of a type.
            '<' => 8,
            _ => 1,
        },
        [.., TokenTree::Group(_)] => 1,
        [.., TokenTree::Ident(word)] => {
            let words = ["as", "break", "else", "return", "unsafe"];
            usize::from(words.iter().any(|nests| word == nests))
        }
        _ => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deep(text: &str) -> bool {
        too_deep(text.parse().unwrap()).is_some()
    }

    #[test]
    fn what_nests_is_counted() {
        for (open, close, most) in [
            ("(", ")", 150),
            ("if true {", "}", 150),
            ("loop {", "}", 150),
            ("shmem::g(c, ", ")", 120),
            ("- ", "", 600),
            ("x = ", "", 600),
            ("Vec<", ">", 75),
            ("1 + ", "", 600),
            ("return ", "", 600),
        ] {
            let nested = |n: usize| format!("{}1{}", open.repeat(n), close.repeat(n));
            assert!(!deep(&nested(most / 2)), "{open}");
            assert!(deep(&nested(most + 1)), "{open}");
        }
        assert!(deep(
            &format!("(1{}", ")").replace('1', &"(1)+".repeat(601))
        ));
    }

    #[test]
    fn what_stands_side_by_side_is_not() {
        assert!(!deep(&"x = (x + 1) * 2;".repeat(10_000)));
        assert!(!deep(
            &"if x == 1 { x += 1 } loop { break; } ".repeat(10_000)
        ));
        assert!(!deep(&format!("f({})", "x + 1, ".repeat(10_000))));
        assert!(!deep(&format!(
            "if a {{}} {}",
            "else if a == 1 { b; } ".repeat(190)
        )));
    }

    #[test]
    fn very_deep_text_is_looked_at_without_recursion() {
        let n = 200_000;
        assert!(deep(&format!("{}{}", "(".repeat(n), ")".repeat(n))));
    }
}
