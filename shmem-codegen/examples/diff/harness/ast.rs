//! Generated kernels as trees: what is printed, run and shrunk.

use std::fmt;

/// Types of values.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Scalar {
    Bool,
    I8,
    I16,
    I32,
    I64,
    Isize,
    U8,
    U16,
    U32,
    U64,
    Usize,
    F32,
    F64,
    F16,
    Bf16,
    CChar,
}

/// The types with all operators.
pub const INTS: [Scalar; 10] = [
    Scalar::I8,
    Scalar::I16,
    Scalar::I32,
    Scalar::I64,
    Scalar::Isize,
    Scalar::U8,
    Scalar::U16,
    Scalar::U32,
    Scalar::U64,
    Scalar::Usize,
];

/// The types of memory cells.
pub const ELEMENTS: [Scalar; 13] = [
    Scalar::I8,
    Scalar::I16,
    Scalar::I32,
    Scalar::I64,
    Scalar::U8,
    Scalar::U16,
    Scalar::U32,
    Scalar::U64,
    Scalar::F32,
    Scalar::F64,
    Scalar::F16,
    Scalar::Bf16,
    Scalar::CChar,
];

impl Scalar {
    /// In Rust.
    pub fn name(self) -> &'static str {
        match self {
            Scalar::Bool => "bool",
            Scalar::I8 => "i8",
            Scalar::I16 => "i16",
            Scalar::I32 => "i32",
            Scalar::I64 => "i64",
            Scalar::Isize => "isize",
            Scalar::U8 => "u8",
            Scalar::U16 => "u16",
            Scalar::U32 => "u32",
            Scalar::U64 => "u64",
            Scalar::Usize => "usize",
            Scalar::F32 => "f32",
            Scalar::F64 => "f64",
            Scalar::F16 => "f16",
            Scalar::Bf16 => "bf16",
            Scalar::CChar => "c_char",
        }
    }

    /// Whether all operators apply.
    pub fn is_int(self) -> bool {
        INTS.contains(&self)
    }

    /// `f32` or `f64`.
    pub fn is_float(self) -> bool {
        matches!(self, Scalar::F32 | Scalar::F64)
    }

    /// `f32`, `f64`, `f16` or `bf16`.
    pub fn is_any_float(self) -> bool {
        self.is_float() || matches!(self, Scalar::F16 | Scalar::Bf16)
    }

    /// An integer with a sign.
    pub fn signed(self) -> bool {
        matches!(
            self,
            Scalar::I8 | Scalar::I16 | Scalar::I32 | Scalar::I64 | Scalar::Isize
        )
    }

    /// Bytes in memory.
    pub fn size(self) -> usize {
        match self {
            Scalar::Bool | Scalar::I8 | Scalar::U8 | Scalar::CChar => 1,
            Scalar::I16 | Scalar::U16 | Scalar::F16 | Scalar::Bf16 => 2,
            Scalar::I32 | Scalar::U32 | Scalar::F32 => 4,
            _ => 8,
        }
    }

    /// Smallest and largest value of an integer.
    pub fn range(self) -> (i128, i128) {
        let bits = self.size() * 8;
        if self.signed() {
            (-(1 << (bits - 1)), (1 << (bits - 1)) - 1)
        } else {
            (0, (1 << bits) - 1)
        }
    }
}

/// Types.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Ty {
    /// A number or bool.
    Scalar(Scalar),
    /// `Symmetric` or `Global`, of one cell or a slice.
    Memory {
        /// `Symmetric`
        symmetric: bool,
        /// Of the cells.
        elem: Scalar,
        /// `[T]`
        slice: bool,
    },
    /// `(A, B, ...)`
    Tuple(Vec<Ty>),
    /// `[T; n]`
    Array(Box<Ty>, usize),
    /// A struct or enum of the kernel's module, by name.
    Named(String),
    /// `&T`, `&mut T`: of a parameter.
    Ref(bool, Box<Ty>),
    /// `()`
    Unit,
}

impl Ty {
    /// The scalar that it is.
    pub fn scalar(&self) -> Option<Scalar> {
        match self {
            Ty::Scalar(scalar) => Some(*scalar),
            _ => None,
        }
    }

    /// Whether it is `scalar`.
    pub fn is(&self, scalar: Scalar) -> bool {
        *self == Ty::Scalar(scalar)
    }

    /// An integer type.
    pub fn int(&self) -> Option<Scalar> {
        self.scalar().filter(|scalar| scalar.is_int())
    }
}

impl fmt::Display for Ty {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Ty::Scalar(scalar) => f.write_str(scalar.name()),
            Ty::Memory {
                symmetric,
                elem,
                slice,
            } => {
                let space = if *symmetric { "Symmetric" } else { "Global" };
                let elem = elem.name();
                if *slice {
                    write!(f, "{space}<[{elem}]>")
                } else {
                    write!(f, "{space}<{elem}>")
                }
            }
            Ty::Tuple(parts) => {
                f.write_str("(")?;
                for part in parts {
                    write!(f, "{part}, ")?;
                }
                f.write_str(")")
            }
            Ty::Array(elem, len) => write!(f, "[{elem}; {len}]"),
            Ty::Named(name) => f.write_str(name),
            Ty::Ref(false, to) => write!(f, "&{to}"),
            Ty::Ref(true, to) => write!(f, "&mut {to}"),
            Ty::Unit => f.write_str("()"),
        }
    }
}

/// Binary operators, tightest first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum Op {
    Mul,
    Div,
    Rem,
    Add,
    Sub,
    Shl,
    Shr,
    BitAnd,
    BitXor,
    BitOr,
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
    And,
    Or,
}

impl Op {
    /// Its sign.
    pub fn sign(self) -> &'static str {
        match self {
            Op::Mul => "*",
            Op::Div => "/",
            Op::Rem => "%",
            Op::Add => "+",
            Op::Sub => "-",
            Op::Shl => "<<",
            Op::Shr => ">>",
            Op::BitAnd => "&",
            Op::BitXor => "^",
            Op::BitOr => "|",
            Op::Eq => "==",
            Op::Ne => "!=",
            Op::Lt => "<",
            Op::Le => "<=",
            Op::Gt => ">",
            Op::Ge => ">=",
            Op::And => "&&",
            Op::Or => "||",
        }
    }

    /// Larger binds tighter.
    pub fn precedence(self) -> u8 {
        match self {
            Op::Mul | Op::Div | Op::Rem => 10,
            Op::Add | Op::Sub => 9,
            Op::Shl | Op::Shr => 8,
            Op::BitAnd => 7,
            Op::BitXor => 6,
            Op::BitOr => 5,
            Op::Eq | Op::Ne | Op::Lt | Op::Le | Op::Gt | Op::Ge => 4,
            Op::And => 3,
            Op::Or => 2,
        }
    }
}

/// An expression.
#[derive(Clone, Debug, PartialEq)]
pub struct Expr {
    /// What it is.
    pub kind: Kind,
    /// Its type.
    pub ty: Ty,
}

/// Expressions.
#[derive(Clone, Debug, PartialEq)]
pub enum Kind {
    /// By its text.
    Literal(String),
    /// A local, as it is written.
    Var(String),
    /// `-e`, `!e`
    Unary(char, Box<Expr>),
    /// `a op b`
    Binary(Op, Box<Expr>, Box<Expr>),
    /// `e as T`, T being the type of the expression.
    Cast(Box<Expr>),
    /// `(e)`
    Paren(Box<Expr>),
    /// `if c { a } else { b }`
    If(Box<Expr>, Block, Block),
    /// `{ ... }`, or `unsafe { ... }`
    Block(Block, bool),
    /// `recv.name(args)`
    Method(Box<Expr>, String, Vec<Expr>),
    /// `a..b`, as an argument of `slice`.
    Range(Box<Expr>, Box<Expr>),
    /// `path(args)`, `path!(args)`
    Call(String, Vec<Expr>),
    /// `match e { ... }`
    Match(Box<Expr>, Vec<Arm>),
    /// `(a, b)`
    Tuple(Vec<Expr>),
    /// `[a, b]`
    Array(Vec<Expr>),
    /// `[a; 3]`
    Repeat(Box<Expr>, usize),
    /// `&e`, `&mut e`
    Ref(bool, Box<Expr>),
    /// `e.0`, `e.x`
    Field(Box<Expr>, String),
    /// `a[i]`
    Index(Box<Expr>, Box<Expr>),
    /// `Name { x: e }`, `Name(e)`
    Struct(String, Vec<(String, Expr)>),
    /// `let pattern = e`, as a condition.
    Let(String, Box<Expr>),
    /// `'label: { ... break 'label value; }`
    Labelled(String, Block),
    /// `'label: loop { ... break value; }`
    Loop(Option<String>, Block),
    /// A jump in the place of a value: `return`, `break`, ...
    Jump(Box<Stmt>),
}

/// One arm of a `match`.
#[derive(Clone, Debug, PartialEq)]
pub struct Arm {
    /// The pattern, as it is written.
    pub pattern: String,
    /// `if` guard.
    pub guard: Option<Expr>,
    /// What it gives.
    pub body: Expr,
}

/// Statements, then perhaps a value.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Block {
    /// In order.
    pub stmts: Vec<Stmt>,
    /// The value.
    pub tail: Option<Box<Expr>>,
}

/// Statements.
#[derive(Clone, Debug, PartialEq)]
pub enum Stmt {
    /// `let pattern: ty = init;`
    Let {
        /// As it is written, with `mut`.
        pattern: String,
        /// Written out.
        ty: Option<Ty>,
        /// Its value; none where it is assigned later.
        init: Option<Expr>,
    },
    /// `let pattern: ty = init else { ... };`
    LetElse(String, Ty, Expr, Block),
    /// `place = value;`, `place op= value;`
    Assign(Expr, Option<Op>, Expr),
    /// `e;`
    Expr(Expr),
    /// `if c { } else { }`
    If(Expr, Block, Option<Block>),
    /// `{ }`, `unsafe { }`
    Block(Block, bool),
    /// `while c { }`
    While(Option<String>, Expr, Block),
    /// `loop { }`
    Loop(Option<String>, Block),
    /// `for pattern in start..end { }`
    For {
        /// `'label:`
        label: Option<String>,
        /// As it is written.
        pattern: String,
        /// First value.
        start: Expr,
        /// End.
        end: Expr,
        /// `..=`
        inclusive: bool,
        /// What comes after the range: `.rev()`, `.step_by(2)`.
        adapter: String,
        /// What runs.
        body: Block,
    },
    /// `for pattern in array { }`
    Each(Option<String>, String, Expr, Block),
    /// `break 'label value;`
    Break(Option<String>, Option<Expr>),
    /// `continue 'label;`
    Continue(Option<String>),
    /// `return value;`
    Return(Option<Expr>),
}

/// A parameter of a kernel or a helper.
#[derive(Clone, Debug, PartialEq)]
pub struct Param {
    /// As it is written.
    pub name: String,
    /// `mut`
    pub mutable: bool,
    /// Its type.
    pub ty: Ty,
}

/// A `#[shmem_device]` function.
#[derive(Clone, Debug, PartialEq)]
pub struct Helper {
    /// As it is written.
    pub name: String,
    /// Its parameters.
    pub params: Vec<Param>,
    /// What it returns.
    pub ty: Ty,
    /// Its body.
    pub body: Block,
}

/// A kernel.
#[derive(Clone, Debug, PartialEq)]
pub struct Kernel {
    /// As it is written.
    pub name: String,
    /// `vector`
    pub vector: bool,
    /// `all_blocks`
    pub all_blocks: bool,
    /// Its parameters.
    pub params: Vec<Param>,
    /// Its body.
    pub body: Block,
    /// Items that stand before it, as they are written: consts, structs.
    pub items: Vec<String>,
    /// Functions that it calls.
    pub helpers: Vec<Helper>,
    /// Seeds the breaking of lines; 0: none.
    pub layout: u64,
}

impl Kernel {
    /// The floats whose arithmetic occurs: their NaNs may differ in bits.
    pub fn float_arithmetic(&self) -> Vec<Scalar> {
        let mut copy = self.clone();
        let mut found = Vec::new();
        let mut mark = |ty: &Ty| {
            found.extend(ty.scalar().filter(|scalar| scalar.is_any_float()));
        };
        copy.for_each_stmt(&mut |stmt| {
            if let Stmt::Assign(place, Some(_), _) = stmt {
                mark(&place.ty);
            }
        });
        copy.for_each_expr(&mut |expr| match &expr.kind {
            Kind::Binary(op, ..) if op.precedence() >= 9 => mark(&expr.ty),
            Kind::Cast(inner)
                if inner.ty != expr.ty && inner.ty.scalar().is_some_and(Scalar::is_any_float) =>
            {
                mark(&expr.ty)
            }
            Kind::Method(_, name, _) if !matches!(name.as_str(), "load" | "abs" | "copysign") => {
                mark(&expr.ty)
            }
            Kind::Call(name, _) if name.contains("from_f") => mark(&expr.ty),
            _ => {}
        });
        found
    }

    /// Number of nodes: what the shrinker makes smaller.
    pub fn size(&self) -> usize {
        let mut copy = self.clone();
        let mut size = copy.params.len() + copy.helpers.len() * 3 + copy.items.len();
        copy.for_each_expr(&mut |expr| {
            size += match &expr.kind {
                Kind::Literal(text) => text.len().min(20),
                _ => 4,
            }
        });
        copy.for_each_stmt(&mut |_| size += 6);
        size
    }

    /// Every expression, outer ones first.
    pub fn for_each_expr(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        for helper in &mut self.helpers {
            helper.body.for_each_expr(f);
        }
        self.body.for_each_expr(f);
    }

    /// Every block, outer ones first.
    pub fn for_each_block(&mut self, f: &mut dyn FnMut(&mut Block)) {
        for helper in &mut self.helpers {
            helper.body.for_each_block(f);
        }
        self.body.for_each_block(f);
    }

    /// Every statement.
    pub fn for_each_stmt(&mut self, f: &mut dyn FnMut(&mut Stmt)) {
        self.for_each_block(&mut |block| block.stmts.iter_mut().for_each(&mut *f));
    }
}

impl Block {
    fn for_each_expr(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        for stmt in &mut self.stmts {
            stmt.exprs(&mut |expr| expr.for_each(f));
            stmt.blocks(&mut |block| block.for_each_expr(f));
        }
        if let Some(tail) = &mut self.tail {
            tail.for_each(f);
        }
    }

    fn for_each_block(&mut self, f: &mut dyn FnMut(&mut Block)) {
        f(self);
        for stmt in &mut self.stmts {
            stmt.exprs(&mut |expr| expr.for_each_block(f));
            stmt.blocks(&mut |block| block.for_each_block(f));
        }
        if let Some(tail) = &mut self.tail {
            tail.for_each_block(f);
        }
    }
}

impl Stmt {
    /// Its own expressions.
    pub fn exprs(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        match self {
            Stmt::Let { init, .. } => init.iter_mut().for_each(f),
            Stmt::Assign(place, _, value) => {
                f(place);
                f(value);
            }
            Stmt::Expr(expr)
            | Stmt::If(expr, ..)
            | Stmt::While(_, expr, _)
            | Stmt::LetElse(_, _, expr, _)
            | Stmt::Each(_, _, expr, _) => f(expr),
            Stmt::For { start, end, .. } => {
                f(start);
                f(end);
            }
            Stmt::Break(_, value) | Stmt::Return(value) => value.iter_mut().for_each(f),
            Stmt::Block(..) | Stmt::Loop(..) | Stmt::Continue(_) => {}
        }
    }

    /// Its own blocks.
    pub fn blocks(&mut self, f: &mut dyn FnMut(&mut Block)) {
        match self {
            Stmt::If(_, then, otherwise) => {
                f(then);
                otherwise.iter_mut().for_each(f);
            }
            Stmt::Block(body, _)
            | Stmt::While(_, _, body)
            | Stmt::Loop(_, body)
            | Stmt::LetElse(_, _, _, body)
            | Stmt::Each(_, _, _, body)
            | Stmt::For { body, .. } => f(body),
            _ => {}
        }
    }
}

impl Expr {
    /// Of a type that is a scalar.
    pub fn new(kind: Kind, ty: Ty) -> Expr {
        Expr { kind, ty }
    }

    /// Its own operands.
    pub fn operands(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        match &mut self.kind {
            Kind::Literal(_)
            | Kind::Var(_)
            | Kind::Block(..)
            | Kind::Labelled(..)
            | Kind::Loop(..) => {}
            Kind::Unary(_, inner)
            | Kind::Cast(inner)
            | Kind::Paren(inner)
            | Kind::Field(inner, _)
            | Kind::Repeat(inner, _)
            | Kind::Ref(_, inner)
            | Kind::Let(_, inner)
            | Kind::If(inner, ..) => f(inner),
            Kind::Binary(_, a, b) | Kind::Range(a, b) | Kind::Index(a, b) => {
                f(a);
                f(b);
            }
            Kind::Method(receiver, _, arguments) => {
                f(receiver);
                arguments.iter_mut().for_each(f);
            }
            Kind::Call(_, parts) | Kind::Tuple(parts) | Kind::Array(parts) => {
                parts.iter_mut().for_each(f)
            }
            Kind::Struct(_, fields) => fields.iter_mut().for_each(|(_, value)| f(value)),
            Kind::Match(scrutinee, arms) => {
                f(scrutinee);
                for arm in arms {
                    arm.guard.iter_mut().for_each(&mut *f);
                    f(&mut arm.body);
                }
            }
            Kind::Jump(stmt) => stmt.exprs(f),
        }
    }

    /// Its own blocks.
    pub fn blocks(&mut self, f: &mut dyn FnMut(&mut Block)) {
        match &mut self.kind {
            Kind::If(_, then, otherwise) => {
                f(then);
                f(otherwise);
            }
            Kind::Block(block, _) | Kind::Labelled(_, block) | Kind::Loop(_, block) => f(block),
            _ => {}
        }
    }

    /// It and every expression in it, outer ones first.
    pub fn for_each(&mut self, f: &mut dyn FnMut(&mut Expr)) {
        f(self);
        self.operands(&mut |operand| operand.for_each(f));
        self.blocks(&mut |block| block.for_each_expr(f));
    }

    fn for_each_block(&mut self, f: &mut dyn FnMut(&mut Block)) {
        self.operands(&mut |operand| operand.for_each_block(f));
        self.blocks(&mut |block| block.for_each_block(f));
    }
}
