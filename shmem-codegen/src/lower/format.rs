//! The texts of panics and prints: a literal with placeholders, and the values that stand in it.
//!
//! As in `format_args!`, each argument is evaluated once, from left to right, then the names that the text captures.

use std::collections::BTreeSet;

use syn::ext::IdentExt;
use syn::parse::Parser;

use super::Lower;
use super::call::{count, given};
use crate::diag::SpanRange;
use crate::ir::{Block, Expr, ExprKind, Fault, LocalId, Shown, SiteId, Stmt, StmtKind};
use crate::rules::{self, Rule};
use crate::ty::Ty;

/// A text and its values.
#[derive(Default)]
pub(super) struct Text {
    /// A `{}` for each value, literal braces doubled.
    pub template: String,
    /// In the order of the placeholders.
    pub values: Vec<Expr>,
    /// How each is written; the types are filled in after inference.
    pub shown: Vec<Shown>,
    /// What is evaluated before: arguments that do not stand once each and in order.
    lets: Vec<(LocalId, Expr)>,
}

impl Text {
    /// A text without values, as it is read.
    pub fn plain(text: &str) -> Text {
        Text {
            template: doubled(text),
            ..Text::default()
        }
    }

    /// Adds a value at the end.
    pub fn show(&mut self, value: Expr, debug: bool) {
        self.shown.push(Shown {
            ty: value.ty,
            debug,
        });
        self.values.push(value);
    }
}

/// An argument of a placeholder.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Wanted {
    /// An argument, by its position.
    Argument(usize),
    /// What has this name.
    Name(String),
}

/// The arguments behind the text.
struct Arguments<'a> {
    values: Vec<&'a syn::Expr>,
    names: Vec<Option<String>>,
}

impl<'a> Arguments<'a> {
    fn of(arguments: &'a [syn::Expr]) -> Self {
        let mut read = Arguments {
            values: Vec::new(),
            names: Vec::new(),
        };
        for argument in arguments {
            let (name, value) = match argument {
                syn::Expr::Assign(assign) => match &*assign.left {
                    syn::Expr::Path(path) => (path.path.get_ident(), &*assign.right),
                    _ => (None, argument),
                },
                _ => (None, argument),
            };
            read.values.push(value);
            read.names.push(name.map(|name| name.unraw().to_string()));
        }
        read
    }

    fn named(&self, name: &str) -> Option<usize> {
        self.names
            .iter()
            .position(|known| known.as_deref() == Some(name))
    }
}

impl Lower<'_> {
    /// A panic or a print with this text.
    pub(super) fn say(
        &mut self,
        text: Text,
        range: SpanRange,
        kind: fn(SiteId, Vec<Expr>) -> ExprKind,
        ty: Ty,
    ) -> Expr {
        let site = self.site(range, Fault::Text(text.template, text.shown));
        let kind = kind(site, text.values);
        let said = Expr { kind, ty, range };
        if text.lets.is_empty() {
            return said;
        }
        let lets = text.lets.into_iter();
        let kinds = lets
            .map(|(id, value)| StmtKind::Let(id, value))
            .chain([StmtKind::Expr(said)]);
        let stmts = kinds
            .map(|kind| Stmt {
                kind,
                span: range.first,
            })
            .collect();
        Expr {
            kind: ExprKind::Block(Block { stmts, tail: None }),
            ty,
            range,
        }
    }

    /// The text that `literal` and `arguments` give; `rule` is for what it may not have.
    pub(super) fn text(
        &mut self,
        literal: &syn::Expr,
        arguments: &[syn::Expr],
        rule: &Rule,
    ) -> Option<Text> {
        let range = SpanRange::over(literal);
        let syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(literal),
            ..
        }) = literal
        else {
            self.refuse(rule, range, &[&"what is not a string literal"]);
            return None;
        };
        let (pieces, specs) = match split(&literal.value()) {
            Ok(split) => split,
            Err(what) => {
                self.refuse(rule, range, &[&format!("`{what}`")]);
                return None;
            }
        };
        let arguments = Arguments::of(arguments);
        let specs: Vec<(Wanted, bool)> = specs
            .into_iter()
            .map(|(wanted, debug)| match wanted {
                Wanted::Name(name) => match arguments.named(&name) {
                    Some(index) => (Wanted::Argument(index), debug),
                    None => (Wanted::Name(name), debug),
                },
                wanted => (wanted, debug),
            })
            .collect();
        if !self.all_used(&arguments, &specs, range) {
            return None;
        }
        let mut values = Vec::new();
        for argument in &arguments.values {
            // Through a reference, as in Rust.
            let value = self.base(argument);
            values.push(self.showable(value)?);
        }
        let mut text = Text::default();
        if !once_each(&specs, values.len()) {
            for value in &mut values {
                let id = self.hidden("value", value.ty, false);
                let kept = local(id, value.ty, value.range);
                text.lets.push((id, std::mem::replace(value, kept)));
            }
        }
        let mut pieces = pieces.iter();
        text.template
            .push_str(&doubled(pieces.next().map_or("", String::as_str)));
        for ((wanted, debug), piece) in specs.iter().zip(pieces) {
            let value = match wanted {
                Wanted::Argument(index) => values[*index].clone(),
                Wanted::Name(name) => self.captured(name, literal, rule)?,
            };
            text.show(value, *debug);
            text.template.push_str("{}");
            text.template.push_str(&doubled(piece));
        }
        Some(text)
    }

    /// What a name in the text stands for.
    fn captured(&mut self, name: &str, literal: &syn::LitStr, rule: &Rule) -> Option<Expr> {
        let range = SpanRange::of(literal.span());
        // A keyword names a raw identifier.
        let Ok(mut ident) = syn::Ident::parse_any.parse_str(name) else {
            self.refuse(rule, range, &[&format!("`{{{name}}}`")]);
            return None;
        };
        ident.set_span(literal.span());
        let path = syn::Expr::Path(syn::ExprPath {
            attrs: Vec::new(),
            qself: None,
            path: ident.into(),
        });
        // This node is not in the source.
        let known = self.types.len();
        let value = self.base(&path);
        self.types.truncate(known);
        self.showable(value)
    }

    /// Whether each placeholder has its argument, and each argument a placeholder.
    fn all_used(
        &mut self,
        arguments: &Arguments<'_>,
        specs: &[(Wanted, bool)],
        range: SpanRange,
    ) -> bool {
        let used: BTreeSet<usize> = specs
            .iter()
            .filter_map(|(wanted, _)| match wanted {
                Wanted::Argument(index) => Some(*index),
                Wanted::Name(_) => None,
            })
            .collect();
        let takes = used.last().map_or(0, |last| last + 1);
        let there = arguments.values.len();
        if takes == there && used.len() == takes {
            return true;
        }
        if let Some(unused) = (0..there).find(|index| !used.contains(index)) {
            let range = SpanRange::over(arguments.values[unused]);
            self.refuse(&rules::UNUSED_VALUE, range, &[]);
        } else {
            let (takes, given) = (count(takes), given(there));
            self.refuse(&rules::PLACEHOLDERS, range, &[&takes, &given]);
        }
        false
    }

    /// `value`, if it is one that a text can show.
    fn showable(&mut self, value: Expr) -> Option<Expr> {
        let help = match self.infer.shallow(value.ty) {
            Ty::Int(_) | Ty::Float(_) | Ty::Bool | Ty::Infer(_) | Ty::CChar => return Some(value),
            Ty::Error => return None,
            Ty::Memory(memory) if memory.slice => "pick one cell and read it: `.at(i).load()`",
            Ty::Memory(_) => "read it: `.load()`",
            Ty::Enum(_) => "show its number: `as i32`",
            ty if ty.is_aggregate() => "show its parts, one by one",
            _ => "a text shows numbers and bools",
        };
        let ty = self.infer.describe(value.ty);
        self.refuse(&rules::SHOWN, value.range, &[&ty, &help]);
        None
    }
}

pub(super) fn local(id: LocalId, ty: Ty, range: SpanRange) -> Expr {
    Expr {
        kind: ExprKind::Local(id),
        ty,
        range,
    }
}

/// Whether the arguments stand in the text once each, in order, before all captured names.
fn once_each(specs: &[(Wanted, bool)], arguments: usize) -> bool {
    let in_order = specs
        .iter()
        .take(arguments)
        .enumerate()
        .all(|(index, (wanted, _))| *wanted == Wanted::Argument(index));
    let names = specs
        .iter()
        .skip(arguments)
        .all(|(wanted, _)| matches!(wanted, Wanted::Name(_)));
    in_order && names
}

fn doubled(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// A format string as the texts around its values, and for each value its argument and whether it is `{:?}`.
type Split = (Vec<String>, Vec<(Wanted, bool)>);

fn split(format: &str) -> Result<Split, String> {
    let mut pieces = Vec::new();
    let mut specs = Vec::new();
    let mut piece = String::new();
    let mut next = 0;
    let mut rest = format;
    while let Some(at) = rest.find(['{', '}']) {
        let brace = &rest[at..=at];
        piece.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(brace) {
            piece.push_str(brace);
            rest = after;
            continue;
        }
        let (true, Some(end)) = (brace == "{", rest.find('}')) else {
            return Err(brace.to_owned());
        };
        let spec = &rest[..end];
        rest = &rest[end + 1..];
        let (name, how) = spec.split_once(':').unwrap_or((spec, ""));
        let debug = match how.trim_end() {
            "" => false,
            "?" => true,
            _ => return Err(format!("{{{spec}}}")),
        };
        let wanted = match name.trim_end() {
            "" => {
                next += 1;
                Wanted::Argument(next - 1)
            }
            name => match name.parse() {
                Ok(index) => Wanted::Argument(index),
                Err(_) => Wanted::Name(name.trim_start_matches("r#").to_owned()),
            },
        };
        specs.push((wanted, debug));
        pieces.push(std::mem::take(&mut piece));
    }
    piece.push_str(rest);
    pieces.push(piece);
    Ok((pieces, specs))
}

#[cfg(test)]
mod tests {
    use super::{Wanted, once_each, split};

    fn name(name: &str) -> Wanted {
        Wanted::Name(name.to_owned())
    }

    #[test]
    fn a_format_string_is_taken_apart() {
        let (pieces, specs) = split("a {{b}} {} c {me:?}{0}{ :? }").unwrap();
        assert_eq!(pieces, ["a {b} ", " c ", "", "", ""]);
        let expected = [
            (Wanted::Argument(0), false),
            (name("me"), true),
            (Wanted::Argument(0), false),
            (Wanted::Argument(1), true),
        ];
        assert_eq!(specs, expected);
        for (text, wrong) in [
            ("{:x}", "{:x}"),
            ("{x:5}", "{x:5}"),
            ("{:#?}", "{:#?}"),
            ("}", "}"),
            ("a } b", "}"),
            ("{", "{"),
            ("{a", "{"),
        ] {
            assert_eq!(split(text), Err(wrong.to_owned()), "{text}");
        }
    }

    #[test]
    fn arguments_that_stand_once_and_in_order_need_no_locals() {
        for (text, arguments, expected) in [
            ("", 0, true),
            ("{}{}", 2, true),
            ("{0}{1}{x}{x}", 2, true),
            ("{x}", 0, true),
            ("{x}{}", 1, false),
            ("{}{0}", 1, false),
            ("{1}{0}", 2, false),
        ] {
            let (_, specs) = split(text).unwrap();
            assert_eq!(once_each(&specs, arguments), expected, "{text}");
        }
    }
}
