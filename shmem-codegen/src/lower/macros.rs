//! The macros that kernels may call: `panic!`, `unreachable!`, `assert!`, `assert_eq!` and `assert_ne!`.

use syn::parse::Parser;
use syn::punctuated::Punctuated;

use super::Lower;
use super::expr::error;
use crate::diag::SpanRange;
use crate::ir::{BinOp, Block, Expr, ExprKind, Fault, LocalId, Shown, Stmt, StmtKind};
use crate::rules;
use crate::ty::Ty;

/// The values that a fault record has room for.
const MOST_VALUES: usize = 3;

/// The text of a panic and its values.
struct Text {
    template: String,
    values: Vec<Expr>,
    shown: Vec<bool>,
}

impl Lower<'_> {
    /// A macro call, as an expression: a panic has no value, an assertion is `()`.
    pub(super) fn macro_call(&mut self, mac: &syn::Macro, range: SpanRange) -> Expr {
        let path = super::call::path_text(&mac.path);
        let name = path
            .trim_start_matches("core::")
            .trim_start_matches("std::");
        if !matches!(
            name,
            "panic" | "unreachable" | "assert" | "assert_eq" | "assert_ne"
        ) {
            let help = super::advice::instead_of_macro(&path);
            return self.refused(&rules::MACRO, range, &[&path, &help]);
        }
        let arguments = match Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated
            .parse2(mac.tokens.clone())
        {
            Ok(arguments) => arguments.into_iter().collect::<Vec<_>>(),
            Err(_) => return self.refused(&rules::PANIC_TEXT, range, &[&"what stands here"]),
        };
        // The nodes of the arguments are gone after this: they are no part of the function's syntax.
        let known = self.types.len();
        let lowered = match name {
            "panic" => self.panic(&arguments, "explicit panic", "", range),
            "unreachable" => {
                let text = "internal error: entered unreachable code";
                self.panic(
                    &arguments,
                    text,
                    "internal error: entered unreachable code: ",
                    range,
                )
            }
            "assert" => self.assert(&arguments, range),
            name => self.assert_operands(&arguments, name == "assert_eq", range),
        };
        self.types.truncate(known);
        lowered
    }

    fn panic(
        &mut self,
        arguments: &[syn::Expr],
        alone: &str,
        before: &str,
        range: SpanRange,
    ) -> Expr {
        let text = match arguments {
            [] => Some(Text {
                template: alone.to_owned(),
                values: Vec::new(),
                shown: Vec::new(),
            }),
            [literal, values @ ..] => self.text(literal, values).map(|text| Text {
                template: format!("{before}{}", text.template),
                ..text
            }),
        };
        match text {
            Some(text) => self.panic_with(text, range),
            None => error(range),
        }
    }

    fn panic_with(&mut self, text: Text, range: SpanRange) -> Expr {
        let Text {
            template,
            values,
            shown,
        } = text;
        let shown = values
            .iter()
            .zip(shown)
            .map(|(value, debug)| Shown {
                ty: value.ty,
                debug,
            })
            .collect();
        let site = self.site(range, Fault::Text(template, shown));
        Expr {
            kind: ExprKind::Panic(site, values),
            ty: Ty::Never,
            range,
        }
    }

    fn assert(&mut self, arguments: &[syn::Expr], range: SpanRange) -> Expr {
        let [condition, rest @ ..] = arguments else {
            return self.refused(&rules::PANIC_TEXT, range, &[&"an assertion of nothing"]);
        };
        let source = crate::tokens::spaced(condition);
        let condition = self.value_of(condition, Ty::Bool);
        let failed = format!("assertion failed: {}", doubled(&source));
        let panic = match rest {
            [] => self.panic(&[], &failed, "", range),
            _ => self.panic(rest, "", "", range),
        };
        let failing = Expr {
            range: condition.range,
            kind: ExprKind::Not(Box::new(condition)),
            ty: Ty::Bool,
        };
        statement(test(failing, panic), range)
    }

    fn assert_operands(&mut self, arguments: &[syn::Expr], equal: bool, range: SpanRange) -> Expr {
        let [left, right, rest @ ..] = arguments else {
            return self.refused(
                &rules::PANIC_TEXT,
                range,
                &[&"an assertion without two sides"],
            );
        };
        let left = self.value(left);
        let right = self.value(right);
        let op = if equal { BinOp::Eq } else { BinOp::Ne };
        if !self.operands(op, &left, &right, range) {
            return error(range);
        }
        let text = match rest {
            [] => Some(Text {
                template: String::new(),
                values: Vec::new(),
                shown: Vec::new(),
            }),
            [literal, values @ ..] => self.text(literal, values),
        };
        let Some(mut text) = text else {
            return error(range);
        };
        let said = if text.template.is_empty() {
            String::new()
        } else {
            format!(": {}", text.template)
        };
        text.template = format!(
            "assertion `left {} right` failed{said}\n  left: {{}}\n right: {{}}",
            op.sign()
        );
        if text.values.len() + 2 > MOST_VALUES {
            return self.refused(
                &rules::PANIC_TEXT,
                range,
                &[&"more than one value beside the two sides"],
            );
        }
        let ty = left.ty;
        let (a, b) = (
            self.hidden("left", ty, false),
            self.hidden("right", ty, false),
        );
        let local = |id: LocalId| Expr {
            kind: ExprKind::Local(id),
            ty,
            range,
        };
        text.values.extend([local(a), local(b)]);
        text.shown.extend([true, true]);
        let panic = self.panic_with(text, range);
        let site = self.site(range, Fault::Check);
        let differ = if equal { BinOp::Ne } else { BinOp::Eq };
        let failing = Expr {
            kind: ExprKind::Binary(differ, Box::new(local(a)), Box::new(local(b)), site),
            ty: Ty::Bool,
            range,
        };
        let lets = [(a, left), (b, right)].map(|(id, value)| StmtKind::Let(id, value));
        let kinds = lets.into_iter().chain([test(failing, panic)]);
        let stmts = kinds
            .map(|kind| Stmt {
                kind,
                span: range.first,
            })
            .collect();
        Expr {
            kind: ExprKind::Block(Block { stmts, tail: None }),
            ty: Ty::Unit,
            range,
        }
    }

    /// A local of our own.
    pub(super) fn hidden(&mut self, name: &str, ty: Ty, mutable: bool) -> LocalId {
        let id = self.local(name.to_owned(), ty, mutable);
        self.locals[id.0].reads = 1;
        id
    }

    /// A format string with its values.
    fn text(&mut self, literal: &syn::Expr, arguments: &[syn::Expr]) -> Option<Text> {
        let range = SpanRange::over(literal);
        let syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Str(literal),
            ..
        }) = literal
        else {
            self.refuse(
                &rules::PANIC_TEXT,
                range,
                &[&"what is not a string literal"],
            );
            return None;
        };
        let (pieces, specs) = match split(&literal.value()) {
            Ok(split) => split,
            Err(what) => {
                self.refuse(&rules::PANIC_TEXT, range, &[&format!("`{what}`")]);
                return None;
            }
        };
        let mut text = Text {
            template: String::new(),
            values: Vec::new(),
            shown: Vec::new(),
        };
        let mut next = 0;
        let mut pieces = pieces.into_iter();
        text.template
            .push_str(&doubled(&pieces.next().unwrap_or_default()));
        for ((name, debug), piece) in specs.into_iter().zip(pieces) {
            let value = if name.is_empty() {
                next += 1;
                arguments.get(next - 1).map(|argument| self.value(argument))
            } else if let Ok(ident) = syn::parse_str::<syn::Ident>(&name) {
                let path = syn::Expr::Path(syn::ExprPath {
                    attrs: Vec::new(),
                    qself: None,
                    path: syn::Ident::new(&ident.to_string(), literal.span()).into(),
                });
                Some(self.value(&path))
            } else {
                name.parse::<usize>()
                    .ok()
                    .and_then(|index| arguments.get(index))
                    .map(|argument| self.value(argument))
            };
            let Some(value) = value else {
                self.refuse(
                    &rules::PANIC_TEXT,
                    range,
                    &[&"a placeholder without a value"],
                );
                return None;
            };
            match self.infer.shallow(value.ty) {
                Ty::Int(_) | Ty::Bool | Ty::Infer(_) | Ty::CChar | Ty::Error => {}
                Ty::Float(float) if !float.small() => {}
                other => {
                    self.refuse(&rules::PANIC_TEXT, value.range, &[&format!("a `{other}`")]);
                    return None;
                }
            }
            text.values.push(value);
            text.shown.push(debug);
            text.template.push_str("{}");
            text.template.push_str(&doubled(&piece));
        }
        if text.values.len() > MOST_VALUES {
            self.refuse(&rules::PANIC_TEXT, range, &[&"a fourth value"]);
            return None;
        }
        Some(text)
    }
}

/// `if failing { panic }`
fn test(failing: Expr, panic: Expr) -> StmtKind {
    let span = panic.range.first;
    let then = Block {
        stmts: vec![Stmt {
            kind: StmtKind::Expr(panic),
            span,
        }],
        tail: None,
    };
    StmtKind::If(failing, then, None)
}

fn statement(kind: StmtKind, range: SpanRange) -> Expr {
    let block = Block {
        stmts: vec![Stmt {
            kind,
            span: range.first,
        }],
        tail: None,
    };
    Expr {
        kind: ExprKind::Block(block),
        ty: Ty::Unit,
        range,
    }
}

fn doubled(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}")
}

/// A format string as the texts around its values, and for each value its name or number and whether it is `{:?}`.
type Split = (Vec<String>, Vec<(String, bool)>);

fn split(format: &str) -> Result<Split, String> {
    let mut pieces = vec![String::new()];
    let mut specs = Vec::new();
    let mut chars = format.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '{' | '}' if chars.peek() == Some(&c) => {
                chars.next();
                pieces
                    .last_mut()
                    .into_iter()
                    .for_each(|piece: &mut String| piece.push(c));
            }
            '{' => {
                let spec: String = chars.by_ref().take_while(|c| *c != '}').collect();
                let (name, how) = spec.split_once(':').unwrap_or((&spec, ""));
                let debug = match how {
                    "" => false,
                    "?" => true,
                    _ => return Err(format!("{{{spec}}}")),
                };
                specs.push((name.to_owned(), debug));
                pieces.push(String::new());
            }
            '}' => return Err("}".to_owned()),
            c => pieces
                .last_mut()
                .into_iter()
                .for_each(|piece| piece.push(c)),
        }
    }
    Ok((pieces, specs))
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn a_format_string_is_taken_apart() {
        let (pieces, specs) = split("a {{b}} {} c {me:?}{0}").unwrap();
        assert_eq!(pieces, ["a {b} ", " c ", "", ""]);
        let specs: Vec<(&str, bool)> = specs
            .iter()
            .map(|(name, debug)| (name.as_str(), *debug))
            .collect();
        assert_eq!(specs, [("", false), ("me", true), ("0", false)]);
        assert_eq!(split("{:x}"), Err("{:x}".to_owned()));
        assert_eq!(split("}"), Err("}".to_owned()));
    }
}
