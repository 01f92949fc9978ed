//! Token trees as text: what mutations cut and join. A sign of several characters, and a lifetime, is one token.

use std::fmt;
use std::ops::Range;

use proc_macro2::{Delimiter, Spacing, TokenStream, TokenTree};

/// A token, or a pair of delimiters with what is between them.
#[derive(Clone, Debug)]
pub enum Tree {
    Token(String),
    Group(Delimiter, Vec<Tree>),
}

/// A source; shown as its text.
#[derive(Clone)]
pub struct Source(pub Vec<Tree>);

impl fmt::Debug for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl Source {
    /// Its statements on lines of their own.
    pub fn text(&self) -> String {
        let mut text = String::new();
        write(&self.0, &mut text);
        text
    }
}

/// The trees of `tokens`.
pub fn of(tokens: TokenStream) -> Vec<Tree> {
    let mut trees = Vec::new();
    let mut sign = String::new();
    for token in tokens {
        match token {
            TokenTree::Punct(punct) => {
                sign.push(punct.as_char());
                if punct.spacing() == Spacing::Joint {
                    continue;
                }
                trees.push(Tree::Token(std::mem::take(&mut sign)));
            }
            TokenTree::Group(group) => {
                trees.push(Tree::Group(group.delimiter(), of(group.stream())));
            }
            other => {
                // The name of a lifetime comes after its quote.
                let text = std::mem::take(&mut sign) + &other.to_string();
                trees.push(Tree::Token(text));
            }
        }
    }
    trees
}

/// What may stand for each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    Group(Delimiter),
    Word,
    Literal,
    Sign,
}

impl Tree {
    pub fn kind(&self) -> Kind {
        match self {
            Tree::Group(delimiter, _) => Kind::Group(*delimiter),
            Tree::Token(text) => match text.chars().next() {
                Some(c) if c == '_' || c.is_alphabetic() => Kind::Word,
                Some(c) if c == '"' || c.is_ascii_digit() => Kind::Literal,
                _ => Kind::Sign,
            },
        }
    }
}

/// The trees of a kind, those in groups among them.
pub fn of_kind<'a>(trees: &'a [Tree], kind: Kind, found: &mut Vec<&'a Tree>) {
    for tree in trees {
        if tree.kind() == kind {
            found.push(tree);
        }
        if let Tree::Group(_, inner) = tree {
            of_kind(inner, kind, found);
        }
    }
}

/// The statements of a block: up to a semicolon, or a block that nothing goes on after.
fn split(block: &[Tree]) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    let mut start = 0;
    for (index, tree) in block.iter().enumerate() {
        let ends = match tree {
            Tree::Token(text) => text == ";",
            Tree::Group(Delimiter::Brace, _) => match block.get(index + 1) {
                Some(next @ Tree::Token(text)) => next.kind() == Kind::Word && text != "else",
                _ => false,
            },
            Tree::Group(..) => false,
        };
        if ends || index + 1 == block.len() {
            found.push(start..index + 1);
            start = index + 1;
        }
    }
    found
}

/// How many statements there are, those in blocks among them.
pub fn statements(trees: &[Tree]) -> usize {
    let inside = |tree: &Tree| match tree {
        Tree::Group(Delimiter::Brace, inner) => split(inner).len() + statements(inner),
        Tree::Group(_, inner) => statements(inner),
        Tree::Token(_) => 0,
    };
    trees.iter().map(inside).sum()
}

/// Calls `edit` with the block that holds the statement of number `number`, and its range in that block.
pub fn edit_statement(
    trees: &mut [Tree],
    mut number: usize,
    edit: &mut dyn FnMut(&mut Vec<Tree>, Range<usize>),
) {
    for tree in trees {
        let Tree::Group(delimiter, inner) = tree else {
            continue;
        };
        if *delimiter == Delimiter::Brace {
            let here = split(inner);
            if let Some(range) = here.get(number) {
                return edit(inner, range.clone());
            }
            number -= here.len();
        }
        let within = statements(inner);
        if number < within {
            return edit_statement(inner, number, edit);
        }
        number -= within;
    }
}

/// How many trees there are, those in groups among them.
pub fn count(trees: &[Tree]) -> usize {
    let inside = |tree: &Tree| match tree {
        Tree::Token(_) => 1,
        Tree::Group(_, inner) => 1 + count(inner),
    };
    trees.iter().map(inside).sum()
}

/// Calls `edit` with the list that holds the tree of number `number`, and its place in that list.
pub fn edit_at(
    trees: &mut Vec<Tree>,
    number: usize,
    edit: &mut dyn FnMut(&mut Vec<Tree>, usize),
) -> bool {
    let mut passed = 0;
    for place in 0..trees.len() {
        if passed == number {
            edit(trees, place);
            return true;
        }
        passed += 1;
        if let Tree::Group(_, inner) = &mut trees[place] {
            let within = count(inner);
            if number < passed + within {
                return edit_at(inner, number - passed, edit);
            }
            passed += within;
        }
    }
    false
}

fn write(trees: &[Tree], text: &mut String) {
    for tree in trees {
        match tree {
            Tree::Token(token) => {
                text.push_str(token);
                text.push_str(if token == ";" { "\n" } else { " " });
            }
            Tree::Group(delimiter, inner) => {
                let (open, close) = match delimiter {
                    Delimiter::Parenthesis => ("(", ") "),
                    Delimiter::Bracket => ("[", "] "),
                    Delimiter::Brace => ("{\n", "}\n"),
                    Delimiter::None => ("", ""),
                };
                text.push_str(open);
                write(inner, text);
                text.push_str(close);
            }
        }
    }
}
