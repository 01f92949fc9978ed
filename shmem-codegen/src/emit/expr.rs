//! Expressions. Each returns C++ text; statements that must come before are printed first.

use super::bug::Bug;
use super::memory::View;
use super::order::Order;
use super::{Emit, literal};
use crate::ir::{Block, Device, Expr, ExprKind, SiteId};
use crate::ty::{Float, Memory, Ty};

/// C++ text of a value, and whether it needs parentheses beside an operator.
#[derive(Clone, Debug)]
pub(super) struct Cpp {
    pub text: String,
    atom: bool,
}

impl Cpp {
    pub fn atom(text: String) -> Cpp {
        Cpp { text, atom: true }
    }

    pub fn compound(text: String) -> Cpp {
        Cpp { text, atom: false }
    }

    /// The text as an operand.
    pub fn operand(&self) -> String {
        if self.atom {
            self.text.clone()
        } else {
            format!("({})", self.text)
        }
    }

    /// A name or a number: it may stand twice.
    fn is_simple(&self) -> bool {
        self.text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || c == '_')
    }
}

/// A printed value.
#[derive(Clone, Debug)]
pub(super) enum Value {
    Scalar(Cpp),
    View(View),
    Unit,
}

impl Value {
    pub fn scalar(self) -> Cpp {
        match self {
            Value::Scalar(cpp) => cpp,
            Value::View(view) => view.pointer(),
            Value::Unit => Cpp::atom(String::new()),
        }
    }
}

impl Emit<'_> {
    /// Operands from left to right, kept in temporaries where C++ could tell.
    pub(super) fn operands(&mut self, exprs: &[&Expr], after: Order) -> Vec<Value> {
        self.in_order(exprs, after, Self::value)
    }

    /// Operands whose types the context gives: numbers are plain.
    pub(super) fn initializers(&mut self, exprs: &[&Expr], after: Order) -> Vec<Value> {
        self.in_order(exprs, after, Self::initializer)
    }

    fn in_order(
        &mut self,
        exprs: &[&Expr],
        after: Order,
        print: fn(&mut Self, &Expr) -> Value,
    ) -> Vec<Value> {
        let keep = self.plan(exprs, after);
        let mut values = Vec::new();
        for (expr, keep) in exprs.iter().zip(keep) {
            let value = print(self, expr);
            values.push(if keep {
                self.keep(expr.ty, value)
            } else {
                value
            });
        }
        values
    }

    fn scalars<const N: usize>(&mut self, exprs: [&Expr; N]) -> [Cpp; N] {
        let mut values = self.operands(&exprs, Order::Free).into_iter();
        std::array::from_fn(|_| {
            values
                .next()
                .map_or_else(|| Cpp::atom(String::new()), Value::scalar)
        })
    }

    /// Keeps a value in a temporary.
    pub(super) fn keep(&mut self, ty: Ty, value: Value) -> Value {
        match value {
            Value::Scalar(cpp) => Value::Scalar(self.keep_scalar(cpp, ty.cpp())),
            Value::View(view) => {
                let pointer = self.fresh();
                let text = view.pointer().text;
                self.line(&format!("__gm__ {} *const {pointer} = {text};", ty.cpp()));
                let len = if matches!(ty, Ty::Memory(Memory { slice: true, .. })) {
                    self.keep_scalar(view.len, "uint64_t")
                } else {
                    view.len
                };
                Value::View(View::new(Cpp::atom(pointer), len))
            }
            Value::Unit => Value::Unit,
        }
    }

    fn keep_scalar(&mut self, cpp: Cpp, ty: &str) -> Cpp {
        let name = self.fresh();
        self.line(&format!("const {ty} {name} = {};", cpp.text));
        Cpp::atom(name)
    }

    /// The value itself where it may stand twice, a temporary otherwise.
    pub(super) fn simple(&mut self, cpp: Cpp, ty: &str) -> Cpp {
        if cpp.is_simple() {
            cpp
        } else {
            self.keep_scalar(cpp, ty)
        }
    }

    pub(super) fn value(&mut self, expr: &Expr) -> Value {
        match (&expr.kind, expr.ty) {
            (ExprKind::If(condition, then, otherwise), ty) => {
                self.if_value(condition, then, otherwise, ty)
            }
            (ExprKind::Block(block), ty) => self.block_value(block, ty),
            (ExprKind::Local(_) | ExprKind::At(..) | ExprKind::Slice(..), Ty::Memory(_)) => {
                Value::View(self.view(expr))
            }
            (_, Ty::Unit | Ty::Never) => {
                self.unit(expr);
                Value::Unit
            }
            _ => Value::Scalar(self.scalar(expr)),
        }
    }

    /// A value where the context gives the type: numbers are plain, and aggregates are in braces.
    pub(super) fn initializer(&mut self, expr: &Expr) -> Value {
        match expr.kind {
            ExprKind::Int(number) if !matches!(expr.ty, Ty::Enum(_)) => {
                Value::Scalar(Cpp::atom(literal::plain(number, expr.ty)))
            }
            _ => match self.braced(expr) {
                Some(braced) => Value::Scalar(braced),
                None => self.value(expr),
            },
        }
    }

    fn scalar(&mut self, expr: &Expr) -> Cpp {
        match &expr.kind {
            ExprKind::Int(number) => {
                if let Some(variant) = Self::variant(*number, expr.ty) {
                    return variant;
                }
                let text = if self.has(Bug::SuffixLost) {
                    literal::plain(*number, expr.ty)
                } else {
                    literal::typed(*number, expr.ty)
                };
                if text.starts_with('-') {
                    Cpp::compound(text)
                } else {
                    Cpp::atom(text)
                }
            }
            ExprKind::Float(digits) => {
                let text = literal::float(digits, expr.ty);
                if text.starts_with('-') {
                    Cpp::compound(text)
                } else {
                    Cpp::atom(text)
                }
            }
            ExprKind::Bool(value) => Cpp::atom(value.to_string()),
            ExprKind::DebugAssertions => Cpp::atom(self.options.debug_assertions.to_string()),
            ExprKind::Local(local) => Cpp::atom(self.name(*local)),
            ExprKind::Neg(inner, site) => {
                let [value] = self.scalars([inner]);
                self.negate(inner.ty, value, *site)
            }
            ExprKind::Not(inner) => {
                let [value] = self.scalars([inner]);
                self.not(inner.ty, &value)
            }
            ExprKind::Cast(inner) => {
                let [value] = self.scalars([inner]);
                self.cast(inner.ty, expr.ty, value)
            }
            ExprKind::Binary(op, left, right, site) => {
                let [a, b] = self.scalars([left, right]);
                let (a, b) = if op.shifts() {
                    let b = Self::beside(right, left, b);
                    (a, self.amount(*op, left.ty, right, b))
                } else {
                    (Self::beside(left, right, a), Self::beside(right, left, b))
                };
                self.operator(*op, left.ty, a, b, *site)
            }
            ExprKind::Method(method, arguments, site) => {
                self.method(method, arguments, expr.ty, *site)
            }
            ExprKind::Call(callee, arguments) => self.call(*callee, arguments),
            ExprKind::Convert(inner) => {
                let [value] = self.scalars([inner]);
                self.cast(inner.ty, expr.ty, value)
            }
            ExprKind::FromBits(inner) => {
                let [value] = self.scalars([inner]);
                // A literal is an int to C++.
                let bits = if is_number(inner) {
                    format!("static_cast<{}>({})", inner.ty.cpp(), value.text)
                } else {
                    value.text
                };
                Cpp::atom(format!("__builtin_bit_cast({}, {bits})", expr.ty.cpp()))
            }
            ExprKind::Logical(and, left, right) => self.logical(*and, left, right),
            ExprKind::Load(memory)
                if self.has(Bug::NanLost) && expr.ty == Ty::Float(Float::F32) =>
            {
                let cell = self.view(memory).cell().text;
                Cpp::atom(format!("__builtin_copysignf({cell} + 0.0f, {cell})"))
            }
            ExprKind::Load(memory) => self.view(memory).cell(),
            ExprKind::Len(memory) => self.len(memory),
            ExprKind::Device(device, arguments, site) => self.device(*device, arguments, *site),
            ExprKind::Parts(_) | ExprKind::Elements(_) => {
                let braced = self
                    .braced(expr)
                    .map_or_else(String::new, |braced| braced.text);
                Cpp::atom(format!("{}{braced}", expr.ty.cpp()))
            }
            ExprKind::Repeat(value) => self.repeat(value, expr.ty),
            // A reference is an argument: what stands after it may move the index in it.
            ExprKind::Ref(inner, _) => self.place(inner, true),
            ExprKind::Field(..) | ExprKind::Index(..) | ExprKind::Deref(_) => {
                self.place(expr, false)
            }
            ExprKind::Swap(..)
            | ExprKind::Store(..)
            | ExprKind::Panic(..)
            | ExprKind::Print(..)
            | ExprKind::At(..)
            | ExprKind::Slice(..)
            | ExprKind::If(..)
            | ExprKind::Block(_)
            | ExprKind::Error => Cpp::atom("0".to_owned()),
        }
    }

    /// An expression of type `()`, as a statement.
    fn unit(&mut self, expr: &Expr) {
        match &expr.kind {
            ExprKind::Store(memory, value) => {
                let mut values = self.initializers(&[memory, value], Order::Free).into_iter();
                if let (Some(Value::View(view)), Some(value)) = (values.next(), values.next()) {
                    let text = match value {
                        Value::Scalar(cpp) => cpp.text,
                        _ => return,
                    };
                    self.line(&format!("{} = {text};", view.cell().text));
                }
            }
            ExprKind::Device(device, arguments, site) => {
                let call = self.device(*device, arguments, *site);
                self.line(&format!("{};", call.text));
            }
            ExprKind::Swap(a, b) => {
                let a = self.place(a, true).text;
                let b = self.place(b, false).text;
                self.line(&format!("shmem_rust::swap({a}, {b});"));
            }
            ExprKind::Panic(site, values) => self.panic(values, *site),
            ExprKind::Print(site, values) => self.print(values, *site),
            ExprKind::Call(callee, arguments) => {
                let call = self.call(*callee, arguments);
                self.line(&format!("{};", call.text));
            }
            _ => {}
        }
    }

    /// A device function.
    fn call(&mut self, callee: usize, arguments: &[Expr]) -> Cpp {
        let operands: Vec<&Expr> = arguments.iter().collect();
        let mut texts = Vec::new();
        for (value, argument) in self
            .initializers(&operands, Order::Free)
            .into_iter()
            .zip(arguments)
        {
            match value {
                Value::View(view) => {
                    texts.push(view.pointer().text);
                    if matches!(argument.ty, Ty::Memory(Memory { slice: true, .. })) {
                        texts.push(view.len.text);
                    }
                }
                other => texts.push(other.scalar().text),
            }
        }
        let kernel = self.kernel;
        let callee = &kernel.callees[callee];
        let prints = callee.function.needs.prints;
        if self.checked() {
            texts.push("t_fault".to_owned());
        }
        if prints {
            texts.push("t_prints".to_owned());
        }
        if self.checked() || prints {
            texts.push(self.number(callee.first_site));
        }
        let name = crate::mangle::form(&callee.function, self.options.overflow_checks);
        Cpp::atom(format!("{name}({})", texts.join(", ")))
    }

    fn device(&mut self, device: Device, arguments: &[Expr], site: SiteId) -> Cpp {
        let call = |name: &str| Cpp::atom(format!("{name}()"));
        match device {
            Device::MyPe => call("aclshmem_my_pe"),
            Device::NPes => call("aclshmem_n_pes"),
            Device::Quiet => call("aclshmem_quiet"),
            Device::Fence => call("aclshmem_fence"),
            Device::BlockIdx => {
                Cpp::atom("static_cast<uint64_t>(AscendC::GetBlockIdx())".to_owned())
            }
            Device::BlockNum if self.kernel.options.vector => {
                Cpp::atom("static_cast<uint64_t>(AscendC::GetBlockNum())".to_owned())
            }
            Device::BlockNum => Cpp::atom(
                "static_cast<uint64_t>(AscendC::GetBlockNum() * AscendC::GetTaskRation())"
                    .to_owned(),
            ),
            Device::P | Device::G => self.single(device, arguments, site),
        }
    }

    /// `aclshmem_<name>_p` and `_g`, after the check of the PE.
    fn single(&mut self, device: Device, arguments: &[Expr], site: SiteId) -> Cpp {
        let operands: Vec<&Expr> = arguments.iter().collect();
        let after = if self.checked() {
            Order::Ordered
        } else {
            Order::Free
        };
        let values = self.initializers(&operands, after);
        let Some(memory) = arguments.first().and_then(Expr::memory) else {
            return Cpp::atom("0".to_owned());
        };
        let mut texts: Vec<Cpp> = values.into_iter().map(Value::scalar).collect();
        if self.checked() {
            let last = texts.len() - 1;
            if !texts[0].is_simple() {
                let pointer = self.fresh();
                self.line(&format!(
                    "__gm__ {} *const {pointer} = {};",
                    memory.elem.cpp(),
                    texts[0].text
                ));
                texts[0] = Cpp::atom(pointer);
            }
            texts[last] = self.simple(texts[last].clone(), "int32_t");
            let reached = self.reached(arguments);
            let known = reached.is_some_and(|reached| self.is_reached(reached));
            if !known && !self.has(Bug::PeCheckLost) {
                self.check_pe(site, &texts[0].text, &texts[last].text);
                self.reached.extend(reached);
            }
        }
        let texts: Vec<String> = texts.into_iter().map(|cpp| cpp.text).collect();
        let letter = device.name();
        Cpp::atom(format!(
            "aclshmem_{}_{letter}({})",
            memory.elem.shmem(),
            texts.join(", ")
        ))
    }

    fn logical(&mut self, and: bool, left: &Expr, right: &Expr) -> Cpp {
        if !self.prints_before(right) {
            let sign = if and { "&&" } else { "||" };
            let left = self.scalar_of(left).operand();
            let right = self.scalar_of(right).operand();
            return Cpp::compound(format!("{left} {sign} {right}"));
        }
        let left = self.scalar_of(left);
        let name = self.fresh();
        self.line(&format!("bool {name} = {};", left.text));
        if self.has(Bug::ShortCircuitLost) {
            self.line("{");
        } else {
            self.line(&format!("if ({}{name}) {{", if and { "" } else { "!" }));
        }
        self.inside(|emit| {
            let right = emit.scalar_of(right);
            emit.line(&format!("{name} = {};", right.text));
        });
        self.line("}");
        Cpp::atom(name)
    }

    pub(super) fn scalar_of(&mut self, expr: &Expr) -> Cpp {
        self.value(expr).scalar()
    }

    fn if_value(&mut self, condition: &Expr, then: &Block, otherwise: &Block, ty: Ty) -> Value {
        // What the condition prints comes before the temporary.
        let condition = self.scalar_of(condition);
        let target = self.declare(ty);
        self.if_into(condition, then, otherwise, &target);
        target
    }

    fn if_into(&mut self, condition: Cpp, then: &Block, otherwise: &Block, target: &Value) {
        self.line(&format!("if ({}) {{", condition.text));
        self.block_into(then, target);
        let mut otherwise = otherwise;
        // An `else if` whose condition prints nothing before stays on the chain.
        while let ([], Some(tail)) = (&otherwise.stmts[..], &otherwise.tail)
            && let ExprKind::If(condition, then, rest) = &tail.kind
            && !self.prints_before(condition)
        {
            let condition = self.scalar_of(condition);
            self.line(&format!("}} else if ({}) {{", condition.text));
            self.block_into(then, target);
            otherwise = rest;
        }
        self.line("} else {");
        self.block_into(otherwise, target);
        self.line("}");
    }

    fn block_value(&mut self, block: &Block, ty: Ty) -> Value {
        if block.stmts.is_empty() {
            return match &block.tail {
                Some(tail) => self.value(tail),
                None => Value::Unit,
            };
        }
        let target = self.declare(ty);
        self.line("{");
        self.block_into(block, &target);
        self.line("}");
        target
    }

    /// `target = expr`, the ends of blocks in it assigning themselves.
    pub(super) fn value_into(&mut self, expr: &Expr, target: &Value) {
        match &expr.kind {
            ExprKind::If(condition, then, otherwise) => {
                let condition = self.scalar_of(condition);
                self.if_into(condition, then, otherwise, target);
            }
            ExprKind::Block(block) if !block.stmts.is_empty() => {
                self.line("{");
                self.block_into(block, target);
                self.line("}");
            }
            _ => {
                let value = self.initializer(expr);
                self.assign(target, value);
            }
        }
    }

    /// A temporary that the ends of blocks assign to.
    fn declare(&mut self, ty: Ty) -> Value {
        match ty {
            Ty::Unit | Ty::Never | Ty::Error | Ty::Infer(_) => Value::Unit,
            Ty::Memory(memory) => {
                let pointer = self.fresh();
                self.line(&format!("__gm__ {} *{pointer};", memory.elem.cpp()));
                let len = if memory.slice {
                    let len = self.fresh();
                    self.line(&format!("uint64_t {len};"));
                    len
                } else {
                    String::new()
                };
                Value::View(View::new(Cpp::atom(pointer), Cpp::atom(len)))
            }
            _ => {
                let name = self.fresh();
                self.line(&format!("{} {name};", ty.cpp()));
                Value::Scalar(Cpp::atom(name))
            }
        }
    }

    fn block_into(&mut self, block: &Block, target: &Value) {
        self.inside(|emit| {
            for stmt in &block.stmts {
                emit.stmt(stmt);
            }
            if let Some(tail) = &block.tail {
                emit.at(tail.range.first.start().line);
                emit.value_into(tail, target);
            }
        });
    }

    /// `target = value`.
    pub(super) fn assign(&mut self, target: &Value, value: Value) {
        match (target, value) {
            (Value::Scalar(target), Value::Scalar(value)) => {
                self.line(&format!("{} = {};", target.text, value.text));
            }
            (Value::View(target), Value::View(value)) => {
                let (pointer, len) = (value.pointer().text, value.len.text);
                self.line(&format!("{} = {pointer};", target.pointer().text));
                if !target.len.text.is_empty() {
                    self.line(&format!("{} = {len};", target.len.text));
                }
            }
            _ => {}
        }
    }
}

/// Whether `expr` is printed as a number.
fn is_number(expr: &Expr) -> bool {
    match &expr.kind {
        ExprKind::Int(_) => true,
        ExprKind::Block(block) if block.stmts.is_empty() => {
            block.tail.as_deref().is_some_and(is_number)
        }
        _ => false,
    }
}
