//! The macros that kernels may call: panics, assertions, and `shmem::print!`.

use syn::parse::Parser;
use syn::punctuated::Punctuated;

use super::Lower;
use super::call::{count, given};
use super::expr::error;
use super::format::{Text, local};
use super::quoted::quoted;
use crate::analyse::{Arguments, NodeId};
use crate::diag::SpanRange;
use crate::ir::{BinOp, Block, Expr, ExprKind, Fault, LocalId, Stmt, StmtKind};
use crate::rules::{self, Rule};
use crate::ty::Ty;

/// The values that a fault record has room for.
const MOST_VALUES: usize = 3;

/// A macro of a kernel.
#[derive(Clone, Copy)]
enum Macro {
    /// What it says without arguments, and before a text.
    Panic(&'static str, &'static str),
    Print,
    /// Whether it is on in every profile.
    Assert(bool),
    /// `_eq` or `_ne`, and whether it is on in every profile.
    AssertSides(BinOp, bool),
}

impl Macro {
    fn parse(path: &str) -> Option<Macro> {
        let name = path
            .strip_prefix("core::")
            .or_else(|| path.strip_prefix("std::"))
            .unwrap_or(path);
        Some(match name {
            "shmem::print" => Macro::Print,
            "panic" => Macro::Panic("explicit panic", ""),
            "unreachable" => Macro::Panic(
                "internal error: entered unreachable code",
                "internal error: entered unreachable code: ",
            ),
            "todo" => Macro::Panic("not yet implemented", "not yet implemented: "),
            "unimplemented" => Macro::Panic("not implemented", "not implemented: "),
            "assert" => Macro::Assert(true),
            "debug_assert" => Macro::Assert(false),
            "assert_eq" => Macro::AssertSides(BinOp::Eq, true),
            "debug_assert_eq" => Macro::AssertSides(BinOp::Eq, false),
            "assert_ne" => Macro::AssertSides(BinOp::Ne, true),
            "debug_assert_ne" => Macro::AssertSides(BinOp::Ne, false),
            _ => return None,
        })
    }

    /// What its text may not have.
    fn rule(self) -> &'static Rule {
        match self {
            Macro::Print => &rules::PRINT_TEXT,
            _ => &rules::PANIC_TEXT,
        }
    }
}

impl Lower<'_> {
    /// A macro call, as an expression: a panic has no value, the others are `()`.
    pub(super) fn macro_call(&mut self, mac: &syn::Macro, range: SpanRange) -> Expr {
        let path = super::call::path_text(&mac.path);
        let Some(known) = Macro::parse(&path) else {
            let help = super::advice::instead_of_macro(&path);
            return self.refused(&rules::MACRO, range, &[&path, &help]);
        };
        let arguments = match Punctuated::<syn::Expr, syn::Token![,]>::parse_terminated
            .parse2(mac.tokens.clone())
        {
            Ok(arguments) => arguments.into_iter().collect::<Vec<_>>(),
            Err(_) => return self.refused(known.rule(), range, &[&"what is no expression"]),
        };
        let lowered = match known {
            Macro::Panic(alone, before) => self.panic(&arguments, alone, before, range),
            Macro::Print => self.print(&arguments, range),
            Macro::Assert(always) => {
                self.asserted(always, range, |lower| lower.assert(&arguments, range))
            }
            Macro::AssertSides(op, always) => self.asserted(always, range, |lower| {
                lower.assert_sides(op, &arguments, range)
            }),
        };
        let said = match (known, &arguments[..]) {
            (Macro::Assert(_), [condition]) => Some(failed(condition)),
            _ => None,
        };
        // The nodes are kept: the types found in them are known by their addresses.
        let arguments = Arguments {
            nodes: arguments,
            said,
        };
        self.macros.push((NodeId::of(mac), arguments));
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
            [] => Some(Text::plain(alone)),
            [literal, values @ ..] => self.panic_text(literal, values).map(|mut text| {
                text.template.insert_str(0, before);
                text
            }),
        };
        match text {
            Some(text) => self.panic_with(text, range),
            None => error(range),
        }
    }

    /// The text of a panic.
    fn panic_text(&mut self, literal: &syn::Expr, values: &[syn::Expr]) -> Option<Text> {
        let text = self.text(literal, values, &rules::PANIC_TEXT)?;
        if text.values.len() > MOST_VALUES {
            let range = SpanRange::over(literal);
            self.refuse(&rules::PANIC_TEXT, range, &[&"a fourth value"]);
            return None;
        }
        Some(text)
    }

    fn panic_with(&mut self, text: Text, range: SpanRange) -> Expr {
        self.say(text, range, ExprKind::Panic, Ty::Never)
    }

    fn print(&mut self, arguments: &[syn::Expr], range: SpanRange) -> Expr {
        self.needs.prints = true;
        let text = match arguments {
            [] => Some(Text::plain("")),
            [literal, values @ ..] => self.text(literal, values, &rules::PRINT_TEXT),
        };
        match text {
            Some(text) => self.say(text, range, ExprKind::Print, Ty::Unit),
            None => error(range),
        }
    }

    /// An assertion, which in some profiles is only checked by rustc.
    fn asserted(
        &mut self,
        always: bool,
        range: SpanRange,
        assert: impl FnOnce(&mut Self) -> Expr,
    ) -> Expr {
        if always {
            return assert(self);
        }
        self.needs.debug_assertions = true;
        let asserted = assert(self);
        if asserted.ty == Ty::Error {
            return asserted;
        }
        let on = Expr {
            kind: ExprKind::DebugAssertions,
            ty: Ty::Bool,
            range,
        };
        statement(only_if(on, asserted), range)
    }

    fn assert(&mut self, arguments: &[syn::Expr], range: SpanRange) -> Expr {
        let [condition, rest @ ..] = arguments else {
            let help = "write the condition first";
            let (takes, given) = (count(1), given(0));
            return self.refused(
                &rules::ARGUMENTS,
                range,
                &[&"assert!", &takes, &given, &help],
            );
        };
        let text = Text::plain(&failed(condition));
        let condition = self.value_of(condition, Ty::Bool);
        let panic = match rest {
            [] => self.panic_with(text, range),
            _ => self.panic(rest, "", "", range),
        };
        let failing = Expr {
            range: condition.range,
            kind: ExprKind::Not(Box::new(condition)),
            ty: Ty::Bool,
        };
        statement(only_if(failing, panic), range)
    }

    fn assert_sides(&mut self, op: BinOp, arguments: &[syn::Expr], range: SpanRange) -> Expr {
        let [left, right, rest @ ..] = arguments else {
            let name = if op == BinOp::Eq {
                "assert_eq!"
            } else {
                "assert_ne!"
            };
            let help = "write both sides first";
            let (takes, given) = (count(2), given(arguments.len()));
            return self.refused(&rules::ARGUMENTS, range, &[&name, &takes, &given, &help]);
        };
        let left = self.value(left);
        let right = self.value(right);
        if !self.operands(op, &left, &right, range) {
            return error(range);
        }
        let ty = self.infer.shallow(left.ty);
        if ty.is_aggregate() || matches!(ty, Ty::Enum(_)) {
            let (ty, help) = (self.infer.describe(ty), "compare its parts, one by one");
            return self.refused(&rules::SHOWN, left.range, &[&ty, &help]);
        }
        let text = match rest {
            [] => Some(Text::default()),
            [literal, values @ ..] => self.panic_text(literal, values),
        };
        let Some(mut text) = text else {
            return error(range);
        };
        let said = if rest.is_empty() {
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
        for id in [a, b] {
            text.show(local(id, ty, range), true);
        }
        let panic = self.panic_with(text, range);
        let site = self.site(range, Fault::Check);
        let differ = match op {
            BinOp::Eq => BinOp::Ne,
            _ => BinOp::Eq,
        };
        let [a_read, b_read] = [a, b].map(|id| Box::new(local(id, ty, range)));
        let failing = Expr {
            kind: ExprKind::Binary(differ, a_read, b_read, site),
            ty: Ty::Bool,
            range,
        };
        let lets = [(a, left), (b, right)].map(|(id, value)| StmtKind::Let(id, value));
        let kinds = lets.into_iter().chain([only_if(failing, panic)]);
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
}

/// What an assertion without a text of its own says.
fn failed(condition: &syn::Expr) -> String {
    format!("assertion failed: {}", quoted(condition))
}

/// `if condition { then }`
fn only_if(condition: Expr, then: Expr) -> StmtKind {
    let span = then.range.first;
    let then = Block {
        stmts: vec![Stmt {
            kind: StmtKind::Expr(then),
            span,
        }],
        tail: None,
    };
    StmtKind::If(condition, then, None)
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
