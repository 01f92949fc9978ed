//! Random kernels: well typed, ending by construction, full of what compilers get wrong.
//!
//! A production is a function in a table with its weight (`expr::PRODUCTIONS`, `stmt::PRODUCTIONS`): to extend the
//! language that is tested, write one more.

mod aggregate;
mod control;
mod device;
mod expr;
mod literal;
mod name;
mod number;
mod pattern;
mod place;
mod repeat;
mod stmt;
mod trap;

pub use literal::edge_bits;

use super::ast::{Block, Expr, Helper, Kernel, Kind, Op, Param, Scalar, Stmt, Ty};
use super::rng::Rng;
use aggregate::{Enum, Struct};

/// Cells of the slice that takes results.
pub const OUT_CELLS: usize = 24;

/// A name in scope.
#[derive(Clone, Debug)]
struct Var {
    name: String,
    ty: Ty,
    mutable: bool,
}

/// A loop around the statement, or a block with a label.
#[derive(Clone, Debug)]
struct Frame {
    label: Option<String>,
    /// A `loop` that gives a value: its breaks need one.
    value: Option<Ty>,
    /// A block with a label, out of which jumps name theirs.
    block: bool,
}

struct Gen {
    rng: Rng,
    /// Of the kernel.
    index: u64,
    scopes: Vec<Vec<Var>>,
    frames: Vec<Frame>,
    /// Where `break`, `continue` and `return` may not stand: the condition of a `while`.
    no_jumps: usize,
    /// Names that nothing shadows.
    reserved: Vec<String>,
    /// Views of memory that a method borrows while its arguments are made: not to be assigned to.
    borrowed: Vec<String>,
    /// What a reference to it makes unreadable.
    hidden: Vec<String>,
    structs: Vec<Struct>,
    enums: Vec<Enum>,
    /// Statements that may still be made.
    budget: usize,
    depth: usize,
    all_blocks: bool,
    /// How often operators are chosen that may panic, in percent.
    risk: usize,
    /// Mostly of floats.
    floaty: bool,
    /// Floats are moved only, so that every bit of a NaN counts.
    exact: bool,
    out: String,
    fuel: String,
    /// Tells the way that the kernel took.
    trace: String,
    steps: usize,
    /// Next cell of `out`.
    cell: usize,
    fresh: usize,
    helpers: Vec<Helper>,
    returns: Option<Ty>,
    /// A helper is made: it has no `out`.
    in_helper: bool,
    /// Constants of the module, with their text.
    constants: Vec<(String, Ty, String)>,
}

/// The kernel of `(seed, index)`.
pub fn kernel(seed: u64, index: u64) -> Kernel {
    let rng = Rng::new(seed, index);
    let mut g = Gen {
        rng,
        index,
        scopes: vec![Vec::new()],
        frames: Vec::new(),
        no_jumps: 0,
        reserved: Vec::new(),
        borrowed: Vec::new(),
        hidden: Vec::new(),
        structs: Vec::new(),
        enums: Vec::new(),
        budget: 0,
        depth: 0,
        all_blocks: false,
        risk: 0,
        floaty: false,
        exact: false,
        out: String::new(),
        fuel: String::new(),
        trace: String::new(),
        steps: 0,
        cell: 0,
        fresh: 0,
        helpers: Vec::new(),
        returns: None,
        in_helper: false,
        constants: Vec::new(),
    };
    g.kernel()
}

impl Gen {
    fn kernel(&mut self) -> Kernel {
        self.all_blocks = self.rng.chance(15);
        let vector = self.rng.chance(20);
        self.exact = self.rng.chance(35);
        self.floaty = self.rng.chance(25);
        self.risk = *self.rng.pick(&[5, 20, 50, 90]);
        self.budget = 4 + self.rng.below(22);
        self.out = self.reserve();
        self.fuel = self.reserve();
        self.trace = self.reserve();
        let name = self.kernel_name();
        self.module_items(&name);
        let mut params = self.params();
        let at = self.rng.below(params.len() + 1);
        let out = Ty::Memory {
            symmetric: false,
            elem: Scalar::I64,
            slice: true,
        };
        params.insert(
            at,
            Param {
                name: self.out.clone(),
                mutable: false,
                ty: out,
            },
        );
        for param in &params {
            self.declare(&param.name, param.ty.clone(), param.mutable);
        }
        self.scopes.push(Vec::new());
        let mut stmts = Vec::new();
        let fuel = 20 + self.rng.below(120);
        stmts.push(Stmt::Let {
            pattern: format!("mut {}", self.fuel),
            ty: None,
            init: Some(Expr::new(
                Kind::Literal(fuel.to_string()),
                Ty::Scalar(Scalar::I32),
            )),
        });
        let i64 = Ty::Scalar(Scalar::I64);
        stmts.push(Stmt::Let {
            pattern: format!("mut {}", self.trace),
            ty: None,
            init: Some(Expr::new(Kind::Literal("1i64".to_owned()), i64.clone())),
        });
        while self.budget > 0 {
            self.statement(&mut stmts);
        }
        let trace = Expr::new(Kind::Var(self.trace.clone()), i64);
        stmts.push(self.result(trace));
        self.dump(&mut stmts);
        self.scopes.pop();
        let layout = if self.rng.chance(25) {
            self.rng.next() | 1
        } else {
            0
        };
        Kernel {
            name,
            vector,
            all_blocks: self.all_blocks,
            params,
            body: Block { stmts, tail: None },
            items: self.items(),
            helpers: std::mem::take(&mut self.helpers),
            layout,
        }
    }

    fn items(&self) -> Vec<String> {
        let constants = self.constants.iter();
        let constants = constants.map(|(name, ty, value)| format!("const {name}: {ty} = {value};"));
        let enums = self.enums.iter().map(Enum::text);
        let structs = self.structs.iter().map(Struct::text);
        constants.chain(enums).chain(structs).collect()
    }

    fn params(&mut self) -> Vec<Param> {
        let mut params: Vec<Param> = Vec::new();
        let floats = self.rng.chance(60);
        let count = self.rng.below(7) + if self.floaty { 2 } else { 0 };
        for _ in 0..count {
            let ty = if self.rng.chance(55) {
                let elem = self.element(floats);
                Ty::Memory {
                    symmetric: self.rng.chance(50),
                    elem,
                    slice: self.rng.chance(65),
                }
            } else {
                Ty::Scalar(self.scalar(floats))
            };
            let Some(name) = self.name(|name| params.iter().all(|param| param.name != *name))
            else {
                continue;
            };
            params.push(Param {
                name,
                mutable: self.rng.chance(20),
                ty,
            });
        }
        params
    }

    fn element(&mut self, floats: bool) -> Scalar {
        if self.floaty && self.rng.chance(65) {
            return *self
                .rng
                .weighted(&[(6, Scalar::F32), (3, Scalar::F64), (1, Scalar::F16)]);
        }
        match self.rng.below(10) {
            0 => *self.rng.pick(&[Scalar::F16, Scalar::Bf16, Scalar::CChar]),
            1..=3 if floats => *self.rng.pick(&[Scalar::F32, Scalar::F64]),
            _ => super::ast::ELEMENTS[self.rng.below(8)],
        }
    }

    fn scalar(&mut self, floats: bool) -> Scalar {
        if self.floaty && self.rng.chance(65) {
            return *self
                .rng
                .weighted(&[(6, Scalar::F32), (3, Scalar::F64), (1, Scalar::F16)]);
        }
        match self.rng.below(12) {
            0 => *self.rng.pick(&[Scalar::F16, Scalar::Bf16, Scalar::CChar]),
            1 => Scalar::Bool,
            2..=4 if floats => *self.rng.pick(&[Scalar::F32, Scalar::F64]),
            _ => *self.rng.pick(&super::ast::INTS),
        }
    }

    /// The type of a new local, or of an operand whose type is free.
    fn some_scalar(&mut self) -> Ty {
        // What there is already is more interesting than what is new.
        let known: Vec<Ty> = self
            .visible()
            .into_iter()
            .filter(|var| var.ty.scalar().is_some())
            .map(|var| var.ty.clone())
            .collect();
        if !known.is_empty() && self.rng.chance(50) {
            return self.rng.pick(&known).clone();
        }
        let floats = self.rng.chance(30);
        Ty::Scalar(self.scalar(floats))
    }

    fn some_int(&mut self) -> Ty {
        let known: Vec<Ty> = self
            .visible()
            .into_iter()
            .filter(|var| var.ty.int().is_some())
            .map(|var| var.ty.clone())
            .collect();
        if !known.is_empty() && self.rng.chance(60) {
            return self.rng.pick(&known).clone();
        }
        Ty::Scalar(*self.rng.pick(&super::ast::INTS))
    }

    fn declare(&mut self, name: &str, ty: Ty, mutable: bool) {
        let var = Var {
            name: name.to_owned(),
            ty,
            mutable,
        };
        if let Some(scope) = self.scopes.last_mut() {
            scope.push(var);
        }
    }

    /// What can be named here: a shadowed name stands for the last one only.
    fn visible(&self) -> Vec<&Var> {
        let mut seen: Vec<&Var> = Vec::new();
        for var in self
            .scopes
            .iter()
            .rev()
            .flat_map(|scope| scope.iter().rev())
        {
            if !seen.iter().any(|known| same(&known.name, &var.name)) {
                seen.push(var);
            }
        }
        seen
    }

    fn find(&mut self, fits: impl Fn(&Var) -> bool) -> Option<Var> {
        let vars: Vec<Var> = self
            .visible()
            .into_iter()
            .filter(|var| fits(var) && !self.hidden.contains(&var.name))
            .cloned()
            .collect();
        if vars.is_empty() {
            return None;
        }
        // The newer, the likelier.
        let at = self.rng.below(vars.len()).min(self.rng.below(vars.len()));
        Some(vars[at].clone())
    }

    fn scoped<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(Vec::new());
        self.depth += 1;
        let result = run(self);
        self.depth -= 1;
        self.scopes.pop();
        result
    }

    /// `out.at(k).store(value as i64)`
    fn result(&mut self, value: Expr) -> Stmt {
        let i64 = Ty::Scalar(Scalar::I64);
        let cell = if self.cell < OUT_CELLS {
            self.cell
        } else {
            self.rng.below(OUT_CELLS)
        };
        self.cell += 1;
        let value = if value.ty.is(Scalar::I64) && self.rng.chance(80) {
            value
        } else if value.ty.scalar().is_some_and(Scalar::is_any_float) {
            self.float_bits(value)
        } else {
            Expr::new(Kind::Cast(Box::new(value)), i64)
        };
        let out = Ty::Memory {
            symmetric: false,
            elem: Scalar::I64,
            slice: true,
        };
        let one = Ty::Memory {
            symmetric: false,
            elem: Scalar::I64,
            slice: false,
        };
        let index = Expr::new(Kind::Literal(cell.to_string()), Ty::Scalar(Scalar::Usize));
        let out = Expr::new(Kind::Var(self.out.clone()), out);
        let at = Expr::new(
            Kind::Method(Box::new(out), "at".to_owned(), vec![index]),
            one,
        );
        Stmt::Expr(Expr::new(
            Kind::Method(Box::new(at), "store".to_owned(), vec![value]),
            Ty::Unit,
        ))
    }

    /// The bits of a float as an i64, those of a NaN where no arithmetic makes one.
    fn float_bits(&mut self, value: Expr) -> Expr {
        let i64 = Ty::Scalar(Scalar::I64);
        let ty = value.ty.clone();
        let method = |object: Expr, name: &str, ty: Ty| {
            Expr::new(
                Kind::Method(Box::new(object), name.to_owned(), Vec::new()),
                ty,
            )
        };
        let bits = |object: Expr| {
            let bits = method(object, "to_bits", Ty::Scalar(Scalar::U64));
            Expr::new(Kind::Cast(Box::new(bits)), Ty::Scalar(Scalar::I64))
        };
        if self.exact {
            return bits(value);
        }
        let local = || Expr::new(Kind::Var("float_value".to_owned()), ty.clone());
        let branch = |value: Expr| Block {
            stmts: Vec::new(),
            tail: Some(Box::new(value)),
        };
        let choice = Kind::If(
            Box::new(method(local(), "is_nan", Ty::Scalar(Scalar::Bool))),
            branch(Expr::new(Kind::Literal("-1".to_owned()), i64.clone())),
            branch(bits(local())),
        );
        let keep = Stmt::Let {
            pattern: "float_value".to_owned(),
            ty: None,
            init: Some(value),
        };
        let block = Block {
            stmts: vec![keep],
            tail: Some(Box::new(Expr::new(choice, i64.clone()))),
        };
        Expr::new(Kind::Block(block, false), i64)
    }

    /// Adds a step to the trace: the way so far, and where it leads.
    fn step(&mut self) -> Stmt {
        self.steps += 1;
        let number = self.steps.to_string();
        self.step_of(Expr::new(Kind::Literal(number), Ty::Scalar(Scalar::I64)))
    }

    /// Adds a value to the trace.
    fn step_of(&mut self, value: Expr) -> Stmt {
        let i64 = || Ty::Scalar(Scalar::I64);
        let trace = || Expr::new(Kind::Var(self.trace.clone()), i64());
        let number = |value: usize| Expr::new(Kind::Literal(value.to_string()), i64());
        let binary =
            |op: Op, a: Expr, b: Expr| Expr::new(Kind::Binary(op, Box::new(a), Box::new(b)), i64());
        let times = binary(
            Op::Mul,
            binary(Op::BitAnd, trace(), number(0xffff_ffff)),
            number(31),
        );
        Stmt::Assign(trace(), None, binary(Op::BitXor, times, value))
    }

    /// Stores what is in scope, so that it is seen.
    fn dump(&mut self, stmts: &mut Vec<Stmt>) {
        let vars: Vec<Var> = self.visible().into_iter().cloned().collect();
        let mut values = Vec::new();
        for var in vars {
            let value = Expr::new(Kind::Var(var.name), var.ty);
            self.leaves(value, &mut values);
        }
        for value in values.into_iter().take(OUT_CELLS - 4) {
            stmts.push(self.result(value));
        }
    }

    fn fuel_check(&self) -> [Stmt; 2] {
        let i32 = || Ty::Scalar(Scalar::I32);
        let fuel = || Expr::new(Kind::Var(self.fuel.clone()), i32());
        let number = |text: &str| Expr::new(Kind::Literal(text.to_owned()), i32());
        let empty = Expr::new(
            Kind::Binary(Op::Eq, Box::new(fuel()), Box::new(number("0"))),
            Ty::Scalar(Scalar::Bool),
        );
        let end = Block {
            stmts: vec![Stmt::Break(None, None)],
            tail: None,
        };
        [
            Stmt::If(empty, end, None),
            Stmt::Assign(fuel(), Some(Op::Sub), number("1")),
        ]
    }
}

/// Whether two names are one to Rust.
fn same(a: &str, b: &str) -> bool {
    a.trim_start_matches("r#") == b.trim_start_matches("r#")
}
