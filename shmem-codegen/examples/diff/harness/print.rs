//! Kernels as Rust text: as few parentheses as the grammar allows, so that precedence is tested too.

use super::ast::{Block, Expr, Kernel, Kind, Op, Param, Scalar, Stmt, Ty};
use super::rng::Rng;

/// Who reads the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reader {
    /// The front end: with `#[shmem_kernel]`.
    Kernel,
    /// The front end: with `#[shmem_kernel(unchecked)]`.
    Unchecked,
    /// rustc and the shim: the attribute's line holds nothing.
    Plain,
}

/// `kernel` in a module of its own. All readers see each expression at the same line and column.
pub fn module(kernel: &Kernel, module: &str, reader: Reader) -> String {
    let mut printer = Printer {
        text: String::new(),
        indent: 1,
        layout: (kernel.layout != 0).then(|| Rng::new(kernel.layout, 0)),
    };
    let marked = |attribute: &str| match reader {
        Reader::Plain => String::new(),
        _ => format!("#[{attribute}]"),
    };
    printer.text.push_str(&format!(
        "pub mod {module} {{\n    use shmem::prelude::*;\n"
    ));
    for item in &kernel.items {
        printer.line(item);
    }
    for helper in &kernel.helpers {
        printer.line(&marked("shmem_device"));
        let returns = if helper.ty == Ty::Unit {
            String::new()
        } else {
            format!(" -> {}", helper.ty)
        };
        let params = params(&helper.params);
        printer.start(&format!("fn {}({params}){returns} {{\n", helper.name));
        printer.block(&helper.body);
        printer.line("}");
    }
    let mut options = Vec::new();
    if kernel.vector {
        options.push("vector");
    }
    if kernel.all_blocks {
        options.push("all_blocks");
    }
    if reader == Reader::Unchecked {
        options.push("unchecked");
    }
    let attribute = if options.is_empty() {
        "shmem_kernel".to_owned()
    } else {
        format!("shmem_kernel({})", options.join(", "))
    };
    printer.line(&marked(&attribute));
    let qualifier = if reader == Reader::Unchecked {
        "unsafe "
    } else {
        ""
    };
    let params = params(&kernel.params);
    printer.start(&format!("pub {qualifier}fn {}({params}) {{\n", kernel.name));
    printer.block(&kernel.body);
    printer.line("}");
    printer.text.push_str("}\n");
    printer.text
}

/// The call of the kernel from 8-byte slots.
pub fn call(kernel: &Kernel, module: &str) -> String {
    let mut slot = 0;
    let mut next = || {
        slot += 1;
        format!("s[{}]", slot - 1)
    };
    let arguments: Vec<String> = kernel
        .params
        .iter()
        .map(|param| match &param.ty {
            Ty::Memory {
                symmetric, slice, ..
            } => {
                let space = if *symmetric { "Symmetric" } else { "Global" };
                let base = next();
                if *slice {
                    format!("shmem::{space}::slice_at({base}, {})", next())
                } else {
                    format!("shmem::{space}::cell_at({base})")
                }
            }
            Ty::Scalar(Scalar::Bool) => format!("{} as u8 != 0", next()),
            Ty::Scalar(Scalar::F32) => format!("f32::from_bits({} as u32)", next()),
            Ty::Scalar(Scalar::F64) => format!("f64::from_bits({})", next()),
            Ty::Scalar(Scalar::F16) => format!("shmem::f16::from_bits({} as u16)", next()),
            Ty::Scalar(Scalar::Bf16) => format!("shmem::bf16::from_bits({} as u16)", next()),
            Ty::Scalar(Scalar::CChar) => format!("{} as core::ffi::c_char", next()),
            other => format!("{} as {other}", next()),
        })
        .collect();
    format!(
        "kernels::{module}::{}({})",
        kernel.name,
        arguments.join(", ")
    )
}

fn params(params: &[Param]) -> String {
    let texts: Vec<String> = params
        .iter()
        .map(|param| {
            let mutable = if param.mutable { "mut " } else { "" };
            format!("{mutable}{}: {}", param.name, param.ty)
        })
        .collect();
    texts.join(", ")
}

struct Printer {
    text: String,
    indent: usize,
    layout: Option<Rng>,
}

const POSTFIX: u8 = 14;
const UNARY: u8 = 13;
const CAST: u8 = 11;

fn precedence(expr: &Expr) -> u8 {
    match &expr.kind {
        Kind::Literal(text) if text.starts_with('-') => UNARY,
        Kind::Unary(..) | Kind::Ref(..) => UNARY,
        Kind::Cast(_) => CAST,
        Kind::Binary(op, ..) => op.precedence(),
        Kind::Range(..) | Kind::Jump(_) => 1,
        _ => POSTFIX,
    }
}

/// Ends in what would be a statement at the beginning of one.
fn block_like(expr: &Expr) -> bool {
    matches!(
        expr.kind,
        Kind::If(..) | Kind::Block(..) | Kind::Labelled(..) | Kind::Match(..) | Kind::Loop(..)
    )
}

/// Whether the text begins with a block.
pub fn begins_with_block(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Cast(inner)
        | Kind::Method(inner, ..)
        | Kind::Field(inner, _)
        | Kind::Index(inner, _) => begins_with_block(inner),
        Kind::Binary(_, left, _) | Kind::Range(left, _) => begins_with_block(left),
        _ => block_like(expr),
    }
}

/// Whether braces of a struct are to be seen where a block could begin.
fn shows_struct(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Struct(_, fields) => fields.first().is_none_or(|(name, _)| !positional(name)),
        Kind::Cast(inner)
        | Kind::Unary(_, inner)
        | Kind::Ref(_, inner)
        | Kind::Method(inner, ..)
        | Kind::Field(inner, _)
        | Kind::Index(inner, _) => shows_struct(inner),
        Kind::Binary(_, left, right) | Kind::Range(left, right) => {
            shows_struct(left) || shows_struct(right)
        }
        _ => false,
    }
}

/// Whether a field is one of a tuple.
pub fn positional(field: &str) -> bool {
    field.starts_with(|first: char| first.is_ascii_digit())
}

/// Whether the text begins with the label of a loop.
fn begins_with_label(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Cast(inner)
        | Kind::Method(inner, ..)
        | Kind::Field(inner, _)
        | Kind::Index(inner, _)
        | Kind::Binary(_, inner, _) => begins_with_label(inner),
        Kind::Loop(label, _) => label.is_some(),
        Kind::Labelled(..) => true,
        _ => false,
    }
}

/// Whether the text ends with the type of a cast, after which `<` would open generics.
fn ends_with_cast(expr: &Expr) -> bool {
    match &expr.kind {
        Kind::Cast(_) => true,
        Kind::Binary(_, _, right) => ends_with_cast(right),
        _ => false,
    }
}

impl Printer {
    fn tabs(&mut self) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
    }

    fn line(&mut self, text: &str) {
        self.tabs();
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn start(&mut self, text: &str) {
        self.tabs();
        self.text.push_str(text);
    }

    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    /// Breaks the line, now and then, where the layout says so.
    fn may_break(&mut self) -> bool {
        let breaks = self.layout.as_mut().is_some_and(|rng| rng.chance(15));
        if breaks {
            self.push("\n");
            self.tabs();
        }
        breaks
    }

    fn block(&mut self, block: &Block) {
        self.indent += 1;
        for stmt in &block.stmts {
            self.tabs();
            self.stmt(stmt);
            self.push("\n");
        }
        if let Some(tail) = &block.tail {
            self.tabs();
            self.leading(tail);
            self.push("\n");
        }
        self.indent -= 1;
    }

    fn braces(&mut self, block: &Block) {
        if let (true, Some(tail)) = (block.stmts.is_empty(), &block.tail)
            && !block_like(tail)
        {
            self.push("{ ");
            self.leading(tail);
            self.push(" }");
            return;
        }
        self.push("{\n");
        self.block(block);
        self.tabs();
        self.push("}");
    }

    /// An expression where a statement could begin.
    fn leading(&mut self, expr: &Expr) {
        let wrap = !block_like(expr) && begins_with_block(expr);
        self.wrapped(expr, wrap);
    }

    fn wrapped(&mut self, expr: &Expr, wrap: bool) {
        if wrap {
            self.push("(");
        }
        self.expr(expr);
        if wrap {
            self.push(")");
        }
    }

    fn label(&mut self, label: Option<&String>) {
        if let Some(label) = label {
            self.push(&format!("{label}: "));
        }
    }

    fn stmt(&mut self, stmt: &Stmt) {
        match stmt {
            Stmt::Let { pattern, ty, init } => {
                self.push(&format!("let {pattern}"));
                if let Some(ty) = ty {
                    self.push(&format!(": {ty}"));
                }
                if let Some(init) = init {
                    self.push(" = ");
                    self.expr(init);
                }
                self.push(";");
            }
            Stmt::LetElse(pattern, ty, init, otherwise) => {
                self.push(&format!("let {pattern}: {ty} = "));
                // No brace before `else`, and no lazy boolean.
                self.wrapped(init, true);
                self.push(" else ");
                self.statement_braces(otherwise);
                self.push(";");
            }
            Stmt::Assign(place, op, value) => {
                self.expr(place);
                let sign = op.map_or("", Op::sign);
                self.push(&format!(" {sign}= "));
                self.expr(value);
                self.push(";");
            }
            Stmt::Expr(expr) if block_like(expr) && expr.ty == Ty::Unit => self.expr(expr),
            Stmt::Expr(expr) => {
                // A block that gives a value is no statement.
                let wrap = begins_with_block(expr);
                self.wrapped(expr, wrap);
                self.push(";");
            }
            Stmt::If(condition, then, otherwise) => {
                self.push("if ");
                self.condition(condition);
                self.push(" ");
                self.statement_braces(then);
                self.otherwise(otherwise.as_ref());
            }
            Stmt::Block(block, is_unsafe) => {
                self.push(if *is_unsafe { "unsafe " } else { "" });
                self.statement_braces(block);
            }
            Stmt::While(label, condition, body) => {
                self.label(label.as_ref());
                self.push("while ");
                self.condition(condition);
                self.push(" ");
                self.statement_braces(body);
            }
            Stmt::Loop(label, body) => {
                self.label(label.as_ref());
                self.push("loop ");
                self.statement_braces(body);
            }
            Stmt::For {
                label,
                pattern,
                start,
                end,
                inclusive,
                adapter,
                body,
            } => {
                self.label(label.as_ref());
                self.push(&format!("for {pattern} in "));
                let wrap = !adapter.is_empty();
                self.push(if wrap { "(" } else { "" });
                // `0..{` would open the body.
                let (first, last) = (
                    begins_with_block(start) || shows_struct(start),
                    begins_with_block(end) || shows_struct(end),
                );
                self.wrapped(start, first);
                self.push(if *inclusive { "..=" } else { ".." });
                self.wrapped(end, last);
                self.push(if wrap { ")" } else { "" });
                self.push(adapter);
                self.push(" ");
                self.statement_braces(body);
            }
            Stmt::Each(label, pattern, array, body) => {
                self.label(label.as_ref());
                self.push(&format!("for {pattern} in "));
                self.condition(array);
                self.push(" ");
                self.statement_braces(body);
            }
            Stmt::Break(..) | Stmt::Continue(_) | Stmt::Return(_) => {
                self.jump(stmt);
                self.push(";");
            }
        }
    }

    fn jump(&mut self, stmt: &Stmt) {
        let (word, label, value) = match stmt {
            Stmt::Break(label, value) => ("break", label.as_ref(), value.as_ref()),
            Stmt::Continue(label) => ("continue", label.as_ref(), None),
            Stmt::Return(value) => ("return", None, value.as_ref()),
            _ => return,
        };
        self.push(word);
        if let Some(label) = label {
            self.push(&format!(" {label}"));
        }
        if let Some(value) = value {
            self.push(" ");
            let wrap = begins_with_label(value);
            self.wrapped(value, wrap);
        }
    }

    fn condition(&mut self, condition: &Expr) {
        let wrap = shows_struct(condition);
        self.wrapped(condition, wrap);
    }

    fn otherwise(&mut self, otherwise: Option<&Block>) {
        let Some(block) = otherwise else { return };
        if let ([Stmt::If(condition, then, rest)], None) = (&block.stmts[..], &block.tail) {
            self.push(" else if ");
            self.condition(condition);
            self.push(" ");
            self.statement_braces(then);
            return self.otherwise(rest.as_ref());
        }
        self.push(" else ");
        self.statement_braces(block);
    }

    fn statement_braces(&mut self, block: &Block) {
        if block.stmts.is_empty() && block.tail.is_none() {
            return self.push("{}");
        }
        self.push("{\n");
        self.block(block);
        self.tabs();
        self.push("}");
    }

    /// An operand of something that binds with `at_least`.
    fn operand(&mut self, expr: &Expr, at_least: u8) {
        self.wrapped(expr, precedence(expr) < at_least);
    }

    fn list(&mut self, parts: &[Expr]) {
        for (index, part) in parts.iter().enumerate() {
            if index > 0 {
                self.push(", ");
                self.may_break();
            }
            self.expr(part);
        }
    }

    fn expr(&mut self, expr: &Expr) {
        match &expr.kind {
            Kind::Literal(text) | Kind::Var(text) => self.push(text),
            Kind::Unary(sign, inner) => {
                self.push(&sign.to_string());
                self.operand(inner, UNARY);
            }
            Kind::Binary(op, left, right) => {
                let level = op.precedence();
                let compares = level == Op::Eq.precedence();
                let left_level = if compares { level + 1 } else { level };
                let cast = matches!(op, Op::Lt | Op::Shl) && ends_with_cast(left);
                self.wrapped(left, cast || precedence(left) < left_level);
                if !self.may_break() {
                    self.push(" ");
                }
                self.push(op.sign());
                self.push(" ");
                self.operand(right, level + 1);
            }
            Kind::Cast(inner) => {
                self.operand(inner, CAST);
                self.push(&format!(" as {}", expr.ty));
            }
            Kind::Paren(inner) => self.wrapped(inner, true),
            Kind::If(condition, then, otherwise) => {
                self.push("if ");
                self.condition(condition);
                self.push(" ");
                self.braces(then);
                self.push(" else ");
                if let (true, Some(tail)) = (otherwise.stmts.is_empty(), &otherwise.tail)
                    && matches!(tail.kind, Kind::If(..))
                {
                    return self.expr(tail);
                }
                self.braces(otherwise);
            }
            Kind::Block(block, is_unsafe) => {
                self.push(if *is_unsafe { "unsafe " } else { "" });
                self.braces(block);
            }
            Kind::Method(receiver, name, arguments) => {
                self.operand(receiver, POSTFIX);
                self.may_break();
                self.push(&format!(".{name}("));
                self.list(arguments);
                self.push(")");
            }
            Kind::Range(start, end) => {
                self.operand(start, 2);
                self.push("..");
                self.operand(end, 2);
            }
            Kind::Call(path, arguments) => {
                self.push(&format!("{path}("));
                self.list(arguments);
                self.push(")");
            }
            Kind::Match(scrutinee, arms) => {
                self.push("match ");
                self.condition(scrutinee);
                self.push(" {\n");
                self.indent += 1;
                for arm in arms {
                    self.start(&arm.pattern);
                    if let Some(guard) = &arm.guard {
                        self.push(" if ");
                        self.expr(guard);
                    }
                    self.push(" => ");
                    self.leading(&arm.body);
                    self.push(",\n");
                }
                self.indent -= 1;
                self.tabs();
                self.push("}");
            }
            Kind::Tuple(parts) => {
                self.push("(");
                self.list(parts);
                self.push(if parts.len() == 1 { ",)" } else { ")" });
            }
            Kind::Array(parts) => {
                self.push("[");
                self.list(parts);
                self.push("]");
            }
            Kind::Repeat(part, count) => {
                self.push("[");
                self.expr(part);
                self.push(&format!("; {count}]"));
            }
            Kind::Ref(mutable, place) => {
                self.push(if *mutable { "&mut " } else { "&" });
                self.operand(place, UNARY);
            }
            Kind::Field(inner, name) => {
                self.operand(inner, POSTFIX);
                self.push(&format!(".{name}"));
            }
            Kind::Index(array, index) => {
                self.operand(array, POSTFIX);
                self.push("[");
                self.expr(index);
                self.push("]");
            }
            Kind::Struct(name, fields) => {
                let tuple = fields.first().is_some_and(|(field, _)| positional(field));
                self.push(&format!("{name}{}", if tuple { "(" } else { " { " }));
                for (index, (field, value)) in fields.iter().enumerate() {
                    self.push(if index > 0 { ", " } else { "" });
                    if !tuple {
                        self.push(&format!("{field}: "));
                    }
                    self.expr(value);
                }
                self.push(if tuple { ")" } else { " }" });
            }
            Kind::Let(pattern, value) => {
                self.push(&format!("let {pattern} = "));
                let wrap = shows_struct(value) || precedence(value) <= Op::And.precedence();
                self.wrapped(value, wrap);
            }
            Kind::Labelled(label, block) => {
                self.push(&format!("{label}: "));
                self.statement_braces(block);
            }
            Kind::Loop(label, body) => {
                self.label(label.as_ref());
                self.push("loop ");
                self.statement_braces(body);
            }
            Kind::Jump(stmt) => self.jump(stmt),
        }
    }
}
