//! Reading C++ for what a device does not allow: a scanner of tokens, enough for headers and generated text.

/// What is wrong with a text, by line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Broken {
    pub line: usize,
    pub rule: &'static str,
}

/// A text as it was read.
#[derive(Debug, Default)]
pub struct Scan {
    pub broken: Vec<Broken>,
    /// Functions that are defined.
    pub functions: Vec<String>,
    /// The files that it includes.
    pub includes: Vec<String>,
}

pub const STANDARD: &str = "a header of the standard library";
pub const STRING: &str = "a string literal";
pub const VARIABLE: &str = "a variable outside of functions";
pub const STATIC: &str = "a static variable";
pub const UNMARKED: &str = "a function without __aicore__";
pub const OUTLINE: &str = "a function without __inline__";
pub const WORD: &str = "a word that devices do not know";
pub const MATH: &str = "a function of libm";

/// Words that stand for what devices do not have.
const WORDS: [&str; 10] = [
    "virtual",
    "std",
    "new",
    "delete",
    "throw",
    "try",
    "dynamic_cast",
    "typeid",
    "thread_local",
    "__thread",
];

/// What would be found in libm, under its own name or as a builtin. Names that headers of ours have are not here: the
/// calls in the compiled text tell those apart.
const LIBM: [&str; 14] = [
    "sqrt", "sqrtf", "floor", "ceil", "round", "trunc", "fma", "fmaf", "fmod", "exp", "log", "sin",
    "cos", "ldexp",
];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Scope {
    Namespace,
    Type,
    Function,
    Value,
}

/// Reads `text`. A function whose name or head `is_exempt` may be written as it likes.
pub fn scan(text: &str, is_exempt: &dyn Fn(&str, &[&str]) -> bool) -> Scan {
    let mut scan = Scan::default();
    let tokens = tokens(text, &mut scan);
    let mut scopes = vec![Scope::Namespace];
    let mut head: Vec<&str> = Vec::new();
    for (index, &(line, token)) in tokens.iter().enumerate() {
        let mut breaks = |rule| scan.broken.push(Broken { line, rule });
        let scope = *scopes.last().unwrap_or(&Scope::Namespace);
        if WORDS.contains(&token) {
            breaks(WORD);
        }
        let bare = token.strip_prefix("__builtin_").unwrap_or(token);
        let called = tokens.get(index + 1).is_some_and(|next| next.1 == "(");
        if LIBM.contains(&bare) && called {
            breaks(MATH);
        }
        // The language linkage is no string.
        if token.starts_with('"') && head.last() != Some(&"extern") {
            breaks(STRING);
        }
        if scope == Scope::Function && token == "static" {
            breaks(STATIC);
        }
        match token {
            "{" => {
                let inner = opens(scope, &head);
                if inner == Scope::Function && scope != Scope::Function {
                    let name = function(&head);
                    if !is_exempt(&name, &head) {
                        if !head.contains(&"__aicore__") {
                            breaks(UNMARKED);
                        }
                        if !head.contains(&"__inline__") && !head.contains(&"__global__") {
                            breaks(OUTLINE);
                        }
                    }
                    scan.functions.push(name);
                }
                scopes.push(inner);
                if inner != Scope::Value {
                    head.clear();
                }
            }
            "}" => {
                scopes.pop();
                if scope != Scope::Value {
                    head.clear();
                }
            }
            ";" => {
                if is_variable(scope, &head) {
                    breaks(VARIABLE);
                }
                head.clear();
            }
            _ => head.push(token),
        }
    }
    scan
}

/// What a brace after `head` opens.
fn opens(outside: Scope, head: &[&str]) -> Scope {
    let says = |word: &str| head.contains(&word);
    if matches!(outside, Scope::Function | Scope::Value) {
        outside
    } else if says("=") {
        Scope::Value
    } else if says("(") {
        Scope::Function
    } else if says("struct") || says("enum") || says("class") || says("union") {
        Scope::Type
    } else {
        Scope::Namespace
    }
}

/// Whether a statement outside of functions makes a variable. Constants of types have no storage.
fn is_variable(scope: Scope, head: &[&str]) -> bool {
    let says = |word: &str| head.contains(&word);
    let Some(&first) = head.first() else {
        return false;
    };
    match scope {
        Scope::Namespace => {
            let declares = [
                "typedef",
                "using",
                "static_assert",
                "struct",
                "enum",
                "template",
            ];
            !declares.contains(&first) && (says("=") || !says("("))
        }
        Scope::Type => says("static") && !says("constexpr"),
        Scope::Function | Scope::Value => false,
    }
}

/// The name of the function whose definition begins with `head`.
fn function(head: &[&str]) -> String {
    let mut depth = 0;
    let mut last = "";
    let mut tokens = head.iter();
    while let Some(&token) = tokens.next() {
        match token {
            "__attribute__" => {
                let mut open = 0;
                for &inner in tokens.by_ref() {
                    open += i32::from(inner == "(") - i32::from(inner == ")");
                    if open == 0 {
                        break;
                    }
                }
            }
            "<" => depth += 1,
            ">" => depth -= 1,
            "(" if depth == 0 => break,
            _ if depth == 0 => last = token,
            _ => {}
        }
    }
    last.to_owned()
}

/// The tokens of `text` with their lines; comments and directives are left out, the latter having been looked at.
fn tokens<'a>(text: &'a str, scan: &mut Scan) -> Vec<(usize, &'a str)> {
    let mut tokens = Vec::new();
    let mut rest = text;
    let mut line = 1;
    let mut fresh = true;
    while let Some(c) = rest.chars().next() {
        let is_word = |c: char| c == '_' || c.is_alphanumeric();
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("/*") {
            rest.find("*/").map_or(rest.len(), |end| end + 2)
        } else if c == '#' && fresh {
            let length = directive(rest);
            look_at(&rest[..length], line, scan);
            length
        } else if is_word(c) {
            rest.find(|c| !is_word(c)).unwrap_or(rest.len())
        } else if c == '"' || c == '\'' {
            let mut escaped = false;
            let end = rest[1..].find(|inner| {
                let ends = inner == c && !escaped;
                escaped = inner == '\\' && !escaped;
                ends
            });
            end.map_or(rest.len(), |end| end + 2)
        } else {
            c.len_utf8()
        };
        let token = &rest[..length];
        let blank = c.is_whitespace() || token.starts_with("//") || token.starts_with("/*");
        if !(blank || c == '#' && fresh) {
            tokens.push((line, token));
        }
        let newlines = token.matches('\n').count();
        line += newlines;
        fresh = c == '\n' || (fresh && blank);
        rest = &rest[length..];
    }
    tokens
}

/// The length of a directive, its continued lines included.
fn directive(text: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.trim_end_matches('\n').len();
        if !line.trim_end().ends_with('\\') {
            break;
        }
        length += 1;
    }
    length
}

fn look_at(directive: &str, line: usize, scan: &mut Scan) {
    let mut words = directive.trim_start_matches('#').split_whitespace();
    match words.next() {
        Some("include") => {
            let file = words.next().unwrap_or_default();
            if file.starts_with('<') {
                scan.broken.push(Broken {
                    line,
                    rule: STANDARD,
                });
            }
            scan.includes.push(file.trim_matches('"').to_owned());
        }
        Some("define") if directive.replace("extern \"C\"", "").contains('"') => {
            scan.broken.push(Broken { line, rule: STRING });
        }
        _ => {}
    }
}
