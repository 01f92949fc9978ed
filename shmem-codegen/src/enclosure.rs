//! What a place in a source file lies in: plain items, a macro, or an `impl`. The macro asks this of the file that it
//! stands in, as the compiler does not tell it. Works on text alone, brackets and words, so that it is quick.

pub mod depth;

/// What encloses a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Enclosure {
    /// A module.
    Items,
    /// The body of a function, a block.
    Body,
    /// The body of a `macro_rules!` or the arguments of another macro.
    Macro,
    /// An `impl` or a trait.
    Methods,
}

/// What encloses the word `name` at `line` (1-based) and `column` (0-based, in characters); none where the text does
/// not have that word there, as in an editor's unsaved buffer.
pub fn enclosure(text: &str, line: usize, column: usize, name: &str) -> Option<Enclosure> {
    let target = offset(text, line, column)?;
    let rest = &text[target..];
    // The compiler gives names composed, the file may have them otherwise.
    let ends = |c: char| c.is_whitespace() || c == '(' || c == '<';
    let word = &rest[..rest.find(ends).unwrap_or(rest.len())];
    if !rest.starts_with(name) && crate::nfc::composed(word) != name {
        return None;
    }
    let mut scan = Scan {
        text,
        at: 0,
        stack: Vec::new(),
        words: Vec::new(),
    };
    while scan.at < target {
        scan.step();
    }
    let innermost = scan.stack.last().map(|(kind, _)| *kind);
    Some(
        if scan.stack.iter().any(|(kind, _)| *kind == Enclosure::Macro) {
            Enclosure::Macro
        } else {
            innermost.unwrap_or(Enclosure::Items)
        },
    )
}

fn offset(text: &str, line: usize, column: usize) -> Option<usize> {
    let start: usize = text
        .split_inclusive('\n')
        .take(line.checked_sub(1)?)
        .map(str::len)
        .sum();
    let rest = text.get(start..)?;
    let within = rest.char_indices().nth(column)?.0;
    Some(start + within)
}

struct Scan<'a> {
    text: &'a str,
    at: usize,
    /// The brackets around, each with the words before it.
    stack: Vec<(Enclosure, Vec<&'a str>)>,
    /// Words and signs since the last brace or semicolon.
    words: Vec<&'a str>,
}

impl<'a> Scan<'a> {
    fn step(&mut self) {
        let text = self.text;
        let rest = &text[self.at..];
        let Some(c) = rest.chars().next() else {
            self.at = usize::MAX;
            return;
        };
        if rest.starts_with("//") {
            self.at += rest.find('\n').unwrap_or(rest.len());
        } else if rest.starts_with("/*") {
            self.at += block_comment(rest);
        } else if let Some(length) = string(rest) {
            self.at += length;
        } else if c == '_' || c.is_alphanumeric() {
            let length = rest
                .find(|c: char| c != '_' && !c.is_alphanumeric())
                .unwrap_or(rest.len());
            self.words.push(&rest[..length]);
            self.at += length;
        } else {
            match c {
                '{' | '(' | '[' => {
                    let kind = self.opened();
                    self.stack.push((kind, std::mem::take(&mut self.words)));
                }
                ')' | ']' => {
                    // What comes after it still belongs to what came before: `fn f() -> T {`.
                    self.words = self.stack.pop().map_or_else(Vec::new, |(_, words)| words);
                    self.words.push(")");
                }
                '}' => {
                    self.stack.pop();
                    self.words.clear();
                }
                ';' => self.words.clear(),
                '!' => self.words.push("!"),
                _ => {}
            }
            self.at += c.len_utf8();
        }
    }

    /// What the bracket after `words` opens.
    fn opened(&self) -> Enclosure {
        match self.words[..] {
            [.., "macro_rules", "!", _] | [.., _, "!"] => Enclosure::Macro,
            _ if self.words.contains(&"fn") => Enclosure::Body,
            _ if self
                .words
                .iter()
                .any(|word| matches!(*word, "impl" | "trait")) =>
            {
                Enclosure::Methods
            }
            [.., "mod", _] | [.., "mod", "r", _] => Enclosure::Items,
            _ => Enclosure::Body,
        }
    }
}

fn block_comment(text: &str) -> usize {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        if text[at..].starts_with("/*") {
            depth += 1;
            at += 2;
        } else if text[at..].starts_with("*/") {
            depth -= 1;
            at += 2;
            if depth == 0 {
                return at;
            }
        } else {
            at += text[at..].chars().next().map_or(1, char::len_utf8);
        }
    }
    text.len()
}

/// The length of the string or character literal that `text` begins with.
fn string(text: &str) -> Option<usize> {
    let prefix = ["br", "cr", "r", "b", "c", ""].into_iter().find(|prefix| {
        text.strip_prefix(prefix)
            .is_some_and(|rest| rest.starts_with(['"', '#', '\'']))
    })?;
    let rest = &text[prefix.len()..];
    let hashes = rest.len() - rest.trim_start_matches('#').len();
    if prefix.ends_with('r') && rest[hashes..].starts_with('"') {
        let end = format!("\"{}", "#".repeat(hashes));
        let inside = &rest[hashes + 1..];
        let length = inside
            .find(&end)
            .map_or(inside.len(), |found| found + end.len());
        return Some(prefix.len() + hashes + 1 + length);
    }
    let quote = rest
        .chars()
        .next()
        .filter(|c| (*c == '"' || *c == '\'') && !prefix.ends_with('r'))?;
    if quote == '\'' {
        // A lifetime has no closing quote after one character.
        let mut chars = rest[1..].char_indices();
        let (_, first) = chars.next()?;
        if first != '\\' {
            let (next, closing) = chars.next()?;
            return Some(prefix.len() + if closing == '\'' { next + 2 } else { 1 });
        }
    }
    let mut escaped = false;
    for (index, c) in rest.char_indices().skip(1) {
        match (escaped, c) {
            (true, _) => escaped = false,
            (false, '\\') => escaped = true,
            (false, c) if c == quote => return Some(prefix.len() + index + 1),
            _ => {}
        }
    }
    Some(text.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> Option<Enclosure> {
        let offset = text.find("target").unwrap();
        let line = text[..offset].matches('\n').count() + 1;
        let column = text[..offset]
            .rsplit('\n')
            .next()
            .unwrap_or("")
            .chars()
            .count();
        enclosure(text, line, column, "target")
    }

    #[test]
    fn modules_and_bodies_are_plain() {
        assert_eq!(of("#[a(b)]\npub fn target() {}"), Some(Enclosure::Items));
        assert_eq!(
            of("fn f() { #[cfg(x)] pub(crate) mod m { mod r#for { fn target() {} } } }"),
            Some(Enclosure::Items)
        );
        assert_eq!(
            of("mod m { fn f(x: [u8; 3]) { if a != b { fn target() {} } } }"),
            Some(Enclosure::Body)
        );
        assert_eq!(
            of("const _: () = { fn target() {} };"),
            Some(Enclosure::Body)
        );
        assert_eq!(of("m! { x } fn target() {}"), Some(Enclosure::Items));
        assert_eq!(
            of("fn f(x: [u8; 3]) -> impl Sized { fn target() {} }"),
            Some(Enclosure::Body)
        );
        assert_eq!(
            of("fn f() { if m!(a) { fn target() {} } }"),
            Some(Enclosure::Body)
        );
        assert_eq!(
            of("impl T for U { fn f() { fn target() {} } }"),
            Some(Enclosure::Body)
        );
    }

    #[test]
    fn macros_and_methods_are_told() {
        assert_eq!(
            of("macro_rules! m { () => { fn target() {} } }"),
            Some(Enclosure::Macro)
        );
        assert_eq!(
            of("fn f() { m!(a, { fn target() {} }) }"),
            Some(Enclosure::Macro)
        );
        assert_eq!(
            of("impl<T> X<T> { fn target() {} }"),
            Some(Enclosure::Methods)
        );
        assert_eq!(
            of("impl X<(u8, u8)> for [u8; 3] { fn target() {} }"),
            Some(Enclosure::Methods)
        );
        assert_eq!(
            of("trait X { fn f(); fn target() {} }"),
            Some(Enclosure::Methods)
        );
    }

    #[test]
    fn brackets_in_text_do_not_count() {
        let tricky = "// {{{ m!(\n/* { /* ( */ m!{ */ const A: &str = \"m!{\\\"{\"; const B: &str = r#\"\"{m!(\"#;\n\
                      const C: char = '{'; const D: char = '\\''; fn f<'a>(x: &'a u8) {} fn target() {}";
        assert_eq!(of(tricky), Some(Enclosure::Items));
    }

    #[test]
    fn a_name_may_be_written_decomposed() {
        let text = "m! { fn e\u{301}() {} }";
        assert_eq!(enclosure(text, 1, 8, "\u{e9}"), Some(Enclosure::Macro));
        assert_eq!(enclosure(text, 1, 8, "e"), Some(Enclosure::Macro));
        assert_eq!(enclosure(text, 1, 8, "\u{e8}"), None);
    }

    #[test]
    fn another_text_says_nothing() {
        assert_eq!(enclosure("fn other() {}", 1, 3, "target"), None);
        assert_eq!(enclosure("", 7, 0, "target"), None);
    }
}
