//! The kernel IR: typed, structured, every node with its place. `lower` makes it, `emit` prints it.

use std::rc::Rc;

use proc_macro2::Span;

use crate::diag::SpanRange;
use crate::items::Items;
use crate::mangle;
use crate::number::Method;
use crate::options::Options;
use crate::ty::{Int, Memory, Ty};

/// A kernel.
#[derive(Clone, Debug)]
pub struct Kernel {
    /// Rust name, without `r#`.
    pub name: String,
    /// The module that it stands in.
    pub home: Home,
    /// Where the name stands.
    pub span: Span,
    /// The attribute's options.
    pub options: Options,
    /// Parameters; each is the local of the same index.
    pub params: Vec<Param>,
    /// Parameters, then the variables in the order of their `let`.
    pub locals: Vec<Local>,
    /// What runs.
    pub body: Block,
    /// What a device function returns; `()` for a kernel.
    pub returns: Ty,
    /// Whether it is a device function.
    pub device: bool,
    /// The device functions that it calls.
    pub callees: Vec<Callee>,
    /// Where it may panic or prints.
    pub sites: Vec<Site>,
    /// How each loop is left by labelled jumps.
    pub loops: Vec<Loop>,
    /// What it, or a device function that it calls, asks of the host.
    pub needs: Needs,
    /// Whether it is known to have mistakes, which are told where it stands: of a device function that is called.
    pub mistaken: bool,
    /// The tuples, arrays, structs, enums and references that it computes with.
    pub types: Vec<Ty>,
}

impl Kernel {
    /// Whether there are mistakes in what it calls: then it has no text.
    pub fn calls_mistaken(&self) -> bool {
        let called = |callee: &Callee| callee.function.mistaken || callee.function.calls_mistaken();
        self.callees.iter().any(called)
    }
}

/// What a kernel takes beside its arguments and the fault records.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Needs {
    /// Room for what it prints.
    pub prints: bool,
    /// The profile's word on debug assertions.
    pub debug_assertions: bool,
}

impl Needs {
    /// What two pieces of code need together.
    #[must_use]
    pub fn or(self, other: Needs) -> Needs {
        Needs {
            prints: self.prints || other.prints,
            debug_assertions: self.debug_assertions || other.debug_assertions,
        }
    }
}

/// Where a function stands.
#[derive(Clone, Debug)]
pub struct Home {
    /// The file, as messages name it.
    pub file: Rc<str>,
    /// What its name in C++ begins with.
    pub symbol: String,
}

impl Home {
    /// Of the function `name` among `items`.
    pub fn new(items: &Items<'_>, name: &str) -> Home {
        let mut path = items.world.path(items.scope);
        path.push(name.to_owned());
        Home {
            file: items.file(),
            symbol: mangle::device(&path, items.block()),
        }
    }
}

/// A device function that is called.
#[derive(Clone, Debug)]
pub struct Callee {
    /// The function.
    pub function: Kernel,
    /// Where its sites begin among those of the caller.
    pub first_site: u32,
}

/// A parameter.
#[derive(Clone, Debug)]
pub struct Param {
    /// Rust name, without `r#`.
    pub name: String,
    /// A scalar or a view of memory.
    pub ty: Ty,
}

/// Index into [`Kernel::locals`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LocalId(pub usize);

/// Index into [`Kernel::sites`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SiteId(pub u32);

/// Index of an enclosing loop, counted over the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct LoopId(pub usize);

/// Jumps to a loop from inside another one: they need a label in C++.
#[derive(Clone, Copy, Debug, Default)]
pub struct Loop {
    /// Some inner loop breaks out of it.
    pub outer_break: bool,
    /// Some inner loop continues it.
    pub outer_continue: bool,
}

/// A variable.
#[derive(Clone, Debug)]
pub struct Local {
    /// Rust name, without `r#`; empty for `_`.
    pub name: String,
    /// Its type.
    pub ty: Ty,
    /// `mut`.
    pub mutable: bool,
    /// How often it is read; unread ones are marked in C++.
    pub reads: u32,
}

/// What a fault site is about; the rest of the text is in the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// Indexing, slicing, PE numbers: the record says it all.
    Check,
    /// Arithmetic: the words of rustc's "attempt to {} with overflow", and whether the operands are signed.
    Arithmetic {
        /// `add`, `subtract`, ...
        verb: &'static str,
        /// Signed operands.
        signed: bool,
    },
    /// A panic or a print: a text with a `{}` for each value, literal braces doubled, and how the values are written.
    Text(String, Vec<Shown>),
}

/// How a value stands in the text of a panic or a print.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shown {
    /// Its type.
    pub ty: Ty,
    /// `{:?}`
    pub debug: bool,
}

/// A place in the source that may panic, or prints.
#[derive(Clone, Debug)]
pub struct Site {
    /// The file.
    pub file: Rc<str>,
    /// Where.
    pub span: Span,
    /// Of what kind.
    pub fault: Fault,
}

/// Statements, then perhaps a value.
#[derive(Clone, Debug, Default)]
pub struct Block {
    /// In order.
    pub stmts: Vec<Stmt>,
    /// The value.
    pub tail: Option<Box<Expr>>,
}

/// A statement and the line that it begins on.
#[derive(Clone, Debug)]
pub struct Stmt {
    /// What it does.
    pub kind: StmtKind,
    /// Where it begins.
    pub span: Span,
}

/// Statements.
#[derive(Clone, Debug)]
pub enum StmtKind {
    /// `let local = init;`
    Let(LocalId, Expr),
    /// `let local;`
    Declare(LocalId),
    /// `expr;`
    Expr(Expr),
    /// `place = value;`, or `place op= value;`
    Assign(Expr, Option<(BinOp, SiteId)>, Expr),
    /// `if`, without a value.
    If(Expr, Block, Option<Block>),
    /// `{ ... }`, without a value.
    Block(Block),
    /// Several statements that one was taken apart to, in the scope that it stood in.
    Several(Vec<Stmt>),
    /// `while condition { ... }`
    While(LoopId, Expr, Block),
    /// `loop { ... }`
    Loop(LoopId, Block),
    /// A block that labelled `break`s leave.
    Labelled(LoopId, Block),
    /// `for local in start..end`, or `..=` when inclusive.
    For {
        /// The loop.
        id: LoopId,
        /// The variable.
        local: LocalId,
        /// First value.
        start: Expr,
        /// End, evaluated once.
        end: Expr,
        /// `..=`
        inclusive: bool,
        /// `.rev()`
        reversed: bool,
        /// `.step_by(n)`, and the site of its check
        step: Option<Box<(Expr, SiteId)>>,
        /// What runs.
        body: Block,
    },
    /// `break`; labelled where it leaves more than the innermost loop.
    Break(LoopId, bool),
    /// `continue`; labelled where it continues another than the innermost loop.
    Continue(LoopId, bool),
    /// `return`, with the value of a device function
    Return(Option<Expr>),
}

/// An expression.
#[derive(Clone, Debug)]
pub struct Expr {
    /// What it computes.
    pub kind: ExprKind,
    /// Its type.
    pub ty: Ty,
    /// Where it stands.
    pub range: SpanRange,
}

/// Binary operators on scalars.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum BinOp {
    Add,
    Sub,
    Mul,
    Div,
    Rem,
    Shl,
    Shr,
    BitAnd,
    BitOr,
    BitXor,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl BinOp {
    /// The sign, the same in Rust and C++.
    pub fn sign(self) -> &'static str {
        match self {
            BinOp::Add => "+",
            BinOp::Sub => "-",
            BinOp::Mul => "*",
            BinOp::Div => "/",
            BinOp::Rem => "%",
            BinOp::Shl => "<<",
            BinOp::Shr => ">>",
            BinOp::BitAnd => "&",
            BinOp::BitOr => "|",
            BinOp::BitXor => "^",
            BinOp::Eq => "==",
            BinOp::Ne => "!=",
            BinOp::Lt => "<",
            BinOp::Le => "<=",
            BinOp::Gt => ">",
            BinOp::Ge => ">=",
        }
    }

    /// rustc's verb in "attempt to ... with overflow".
    pub fn verb(self) -> &'static str {
        match self {
            BinOp::Add => "add",
            BinOp::Sub => "subtract",
            BinOp::Mul => "multiply",
            BinOp::Div => "divide",
            BinOp::Rem => "calculate the remainder",
            BinOp::Shl => "shift left",
            BinOp::Shr => "shift right",
            _ => "",
        }
    }

    /// Whether the result is bool.
    pub fn compares(self) -> bool {
        matches!(
            self,
            BinOp::Eq | BinOp::Ne | BinOp::Lt | BinOp::Le | BinOp::Gt | BinOp::Ge
        )
    }

    /// Whether the right side has a type of its own.
    pub fn shifts(self) -> bool {
        matches!(self, BinOp::Shl | BinOp::Shr)
    }
}

/// Functions of the device API.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Device {
    MyPe,
    NPes,
    BlockIdx,
    BlockNum,
    P,
    G,
    Quiet,
    Fence,
}

impl Device {
    const TABLE: [(&'static str, Device); 8] = [
        ("my_pe", Device::MyPe),
        ("n_pes", Device::NPes),
        ("block_idx", Device::BlockIdx),
        ("block_num", Device::BlockNum),
        ("p", Device::P),
        ("g", Device::G),
        ("quiet", Device::Quiet),
        ("fence", Device::Fence),
    ];

    /// The function of this name in `shmem::`.
    pub fn parse(name: &str) -> Option<Device> {
        Self::TABLE
            .iter()
            .find(|row| row.0 == name)
            .map(|row| row.1)
    }

    /// Its name in `shmem::`.
    pub fn name(self) -> &'static str {
        Self::TABLE[self as usize].0
    }
}

/// Expressions.
#[derive(Clone, Debug)]
pub enum ExprKind {
    /// An integer; the bits of a negative one are in two's complement.
    Int(i128),
    /// A float, by its decimal digits: an f32 is rounded once, from them.
    Float(String),
    /// `true`, `false`
    Bool(bool),
    /// A variable.
    Local(LocalId),
    /// `-e`
    Neg(Box<Expr>, SiteId),
    /// `!e`
    Not(Box<Expr>),
    /// `a op b`; the site where it may panic.
    Binary(BinOp, Box<Expr>, Box<Expr>, SiteId),
    /// `a && b` (true) or `a || b` (false)
    Logical(bool, Box<Expr>, Box<Expr>),
    /// `e as T`, T being the type of the expression.
    Cast(Box<Expr>),
    /// `if c { a } else { b }` with a value.
    If(Box<Expr>, Block, Block),
    /// `{ ... }` with a value.
    Block(Block),
    /// A function of the device API.
    Device(Device, Vec<Expr>, SiteId),
    /// A method of a number, on receiver and arguments.
    Method(&'static Method, Vec<Expr>, SiteId),
    /// A float of another float, where Rust has no `as` for it.
    Convert(Box<Expr>),
    /// A float of these bits.
    FromBits(Box<Expr>),
    /// A device function, by its index among the callees, on arguments.
    Call(usize, Vec<Expr>),
    /// The parts of a tuple or struct, as they are written: each with its index.
    Parts(Vec<(usize, Expr)>),
    /// The elements of an array.
    Elements(Vec<Expr>),
    /// `[e; N]`, N being in the type.
    Repeat(Box<Expr>),
    /// A part of a tuple or struct, by its index.
    Field(Box<Expr>, usize),
    /// `array[index]`; without a site, the index is known to be in range.
    Index(Box<Expr>, Box<Expr>, Option<SiteId>),
    /// `&e`, or `&mut e` where true: an argument of a device function.
    Ref(Box<Expr>, bool),
    /// What a parameter refers to.
    Deref(Box<Expr>),
    /// `core::mem::swap`, of two places.
    Swap(Box<Expr>, Box<Expr>),
    /// A panic with a text and values; it has no value itself.
    Panic(SiteId, Vec<Expr>),
    /// A line for the host: a text and values.
    Print(SiteId, Vec<Expr>),
    /// Whether debug assertions are on, which the build script decides.
    DebugAssertions,
    /// `m.load()`
    Load(Box<Expr>),
    /// `m.store(v)`
    Store(Box<Expr>, Box<Expr>),
    /// `m.at(i)`; with no site, `m.at_unchecked(i)`.
    At(Box<Expr>, Box<Expr>, Option<SiteId>),
    /// `m.len()`
    Len(Box<Expr>),
    /// `m.slice(a..b)`
    Slice(Box<Expr>, Box<Expr>, Box<Expr>, SiteId),
    /// A refused expression.
    Error,
}

impl Expr {
    /// The expressions that it is made of, from left to right; blocks in it apart.
    pub fn parts(&self) -> Vec<&Expr> {
        match &self.kind {
            ExprKind::Int(_)
            | ExprKind::Float(_)
            | ExprKind::Bool(_)
            | ExprKind::Local(_)
            | ExprKind::Block(_)
            | ExprKind::DebugAssertions
            | ExprKind::Error => Vec::new(),
            ExprKind::Neg(inner, _)
            | ExprKind::Not(inner)
            | ExprKind::Cast(inner)
            | ExprKind::Convert(inner)
            | ExprKind::FromBits(inner)
            | ExprKind::Load(inner)
            | ExprKind::Len(inner)
            | ExprKind::Repeat(inner)
            | ExprKind::Field(inner, _)
            | ExprKind::Ref(inner, _)
            | ExprKind::Deref(inner)
            | ExprKind::If(inner, ..) => vec![inner],
            ExprKind::Parts(parts) => parts.iter().map(|(_, part)| part).collect(),
            ExprKind::Binary(_, a, b, _)
            | ExprKind::Logical(_, a, b)
            | ExprKind::Store(a, b)
            | ExprKind::Swap(a, b)
            | ExprKind::Index(a, b, _)
            | ExprKind::At(a, b, _) => vec![a, b],
            ExprKind::Slice(a, b, c, _) => vec![a, b, c],
            ExprKind::Device(_, arguments, _)
            | ExprKind::Method(_, arguments, _)
            | ExprKind::Panic(_, arguments)
            | ExprKind::Print(_, arguments)
            | ExprKind::Elements(arguments)
            | ExprKind::Call(_, arguments) => arguments.iter().collect(),
        }
    }

    /// Whether it is a place in a local, rather than a value.
    pub fn is_place(&self) -> bool {
        match &self.kind {
            ExprKind::Local(_) => true,
            ExprKind::Field(base, _) | ExprKind::Index(base, ..) | ExprKind::Deref(base) => {
                base.is_place()
            }
            _ => false,
        }
    }

    /// The memory that the expression is a view of.
    pub fn memory(&self) -> Option<Memory> {
        match self.ty {
            Ty::Memory(memory) => Some(memory),
            _ => None,
        }
    }

    /// The integer type of the expression.
    pub fn int(&self) -> Option<Int> {
        match self.ty {
            Ty::Int(int) => Some(int),
            _ => None,
        }
    }
}
