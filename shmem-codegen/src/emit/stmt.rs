//! Statements.

use super::Emit;
use super::bug::Bug;
use super::expr::{Cpp, Value};
use super::memory::View;
use super::order::{Order, assigns};
use crate::ir::{BinOp, Block, Expr, ExprKind, LocalId, LoopId, SiteId, Stmt, StmtKind};
use crate::ty::Ty;

impl Emit<'_> {
    /// The statements of a block, its value being of no use.
    pub(super) fn block(&mut self, block: &Block) {
        for stmt in &block.stmts {
            self.stmt(stmt);
        }
        if let Some(tail) = &block.tail {
            self.expression(tail);
        }
    }

    fn indented(&mut self, block: &Block) {
        self.inside(|emit| emit.block(block));
    }

    pub(super) fn stmt(&mut self, stmt: &Stmt) {
        self.at(stmt.span.start().line);
        match &stmt.kind {
            StmtKind::Let(local, init) => self.bind(*local, init),
            StmtKind::Declare(local) => self.declare_local(*local),
            StmtKind::Expr(expr) => self.expression(expr),
            StmtKind::Assign(place, None, value) => self.store(place, value),
            StmtKind::Assign(place, Some((op, site)), value) => {
                self.compound(place, *op, *site, value)
            }
            StmtKind::If(
                Expr {
                    kind: ExprKind::DebugAssertions,
                    ..
                },
                then,
                None,
            ) => {
                if self.options.debug_assertions {
                    self.block(then);
                }
            }
            StmtKind::If(condition, then, otherwise) => {
                let condition = self.scalar_of(condition);
                self.line(&format!("if ({}) {{", condition.text));
                self.indented(then);
                self.otherwise(otherwise.as_ref());
            }
            StmtKind::Several(stmts) => stmts.iter().for_each(|stmt| self.stmt(stmt)),
            StmtKind::Block(block) => {
                self.line("{");
                self.indented(block);
                self.line("}");
            }
            StmtKind::Labelled(id, body) => {
                self.line("{");
                self.indented(body);
                self.close_loop(*id);
            }
            StmtKind::While(id, condition, body) => self.while_loop(*id, condition, body),
            StmtKind::Loop(id, body) => {
                self.check_before_loop("", None, body);
                self.line("while (true) {");
                self.loop_body(*id, body);
                self.close_loop(*id);
            }
            StmtKind::For { .. } => self.for_loop(&stmt.kind),
            StmtKind::Break(id, true) if !self.has(Bug::BreakLabelLost) => {
                self.line(&format!("goto l_{}_break;", id.0));
            }
            StmtKind::Break(..) => self.line("break;"),
            StmtKind::Continue(id, true) if !self.has(Bug::ContinueLabelLost) => {
                self.line(&format!("goto l_{}_continue;", id.0));
            }
            StmtKind::Continue(..) => self.line("continue;"),
            StmtKind::Return(None) => self.line("return;"),
            StmtKind::Return(Some(value)) => {
                let value = self.initializer(value).scalar();
                self.line(&format!("return {};", value.text));
            }
        }
    }

    /// The rest of an `if`: an `else if` whose condition prints nothing before stays on the chain.
    fn otherwise(&mut self, otherwise: Option<&Block>) {
        let Some(block) = otherwise else {
            return self.line("}");
        };
        if let (
            [
                Stmt {
                    kind: StmtKind::If(condition, then, rest),
                    ..
                },
            ],
            None,
        ) = (&block.stmts[..], &block.tail)
            && !self.prints_before(condition)
        {
            let condition = self.scalar_of(condition);
            self.line(&format!("}} else if ({}) {{", condition.text));
            self.indented(then);
            return self.otherwise(rest.as_ref());
        }
        self.line("} else {");
        self.indented(block);
        self.line("}");
    }

    fn bind(&mut self, local: LocalId, init: &Expr) {
        let info = &self.kernel.locals[local.0];
        let (ty, mutable, unread, unnamed) =
            (info.ty, info.mutable, info.reads == 0, info.name.is_empty());
        if unnamed {
            return self.expression(init);
        }
        let branches = match &init.kind {
            ExprKind::If(..) => true,
            ExprKind::Block(block) => !block.stmts.is_empty(),
            _ => false,
        };
        if branches && !matches!(ty, Ty::Memory(_) | Ty::Unit | Ty::Never) {
            self.declare_local(local);
            let name = Cpp::atom(self.name(local));
            return self.value_into(init, &Value::Scalar(name));
        }
        let value = self.initializer(init);
        let name = self.name(local);
        let slice = matches!(ty, Ty::Memory(memory) if memory.slice);
        let unused = if unread || slice {
            "[[maybe_unused]] "
        } else {
            ""
        };
        let constant = if mutable { "" } else { "const " };
        match value {
            Value::Scalar(cpp) => self.line(&format!(
                "{unused}{constant}{} {name} = {};",
                ty.cpp(),
                cpp.text
            )),
            Value::View(view) => {
                let (pointer, len) = (view.pointer().text, view.len.text);
                self.line(&format!(
                    "{unused}__gm__ {} *{constant}{name} = {pointer};",
                    ty.cpp()
                ));
                if !len.is_empty() {
                    let len_name = self.named[local.0].len.clone();
                    self.line(&format!(
                        "[[maybe_unused]] {constant}uint64_t {len_name} = {len};"
                    ));
                }
            }
            Value::Unit => {}
        }
    }

    /// An expression as a statement.
    fn expression(&mut self, expr: &Expr) {
        match self.value(expr) {
            Value::Scalar(cpp) => self.line(&format!("static_cast<void>({});", cpp.text)),
            Value::View(view) => self.line(&format!("static_cast<void>({});", view.pointer().text)),
            Value::Unit => {}
        }
    }

    fn store(&mut self, place: &Expr, value: &Expr) {
        let ty = place.ty;
        if let (Ty::Memory(memory), ExprKind::Local(local)) = (ty, &place.kind) {
            let mut printed = self.initializer(value);
            if !matches!(value.kind, ExprKind::Local(_)) {
                // Pointer and length are two assignments: the second may not see the first.
                printed = self.keep(ty, printed);
            }
            let len = if memory.slice {
                self.len_name(*local)
            } else {
                String::new()
            };
            let name = Cpp::atom(self.name(*local));
            return self.assign(&Value::View(View::new(name, Cpp::atom(len))), printed);
        }
        // The value first, then the place.
        let value = self.first(value, place);
        let target = self.place(place, false);
        self.line(&format!("{} = {};", target.text, value.text));
    }

    /// A value that is assigned to `place`, kept where the place could tell.
    fn first(&mut self, value: &Expr, place: &Expr) -> Cpp {
        let keep = self.plan(&[value, place], Order::Free)[0];
        let printed = self.initializer(value);
        if keep && !matches!(place.kind, ExprKind::Local(_)) {
            self.keep(value.ty, printed).scalar()
        } else {
            printed.scalar()
        }
    }

    fn compound(&mut self, place: &Expr, op: BinOp, site: SiteId, value: &Expr) {
        let ty = place.ty;
        let early = self.has(Bug::CompoundLeftFirst).then(|| {
            let before = self.place(place, false);
            self.keep(ty, Value::Scalar(before)).scalar()
        });
        // An operator of the language has its value first; those of f16 and bf16 are methods of the place.
        let method = matches!(ty, Ty::Float(float) if float.small());
        let (target, mut printed) = if method {
            let moves = assigns(value);
            let target = self.place(place, moves);
            (target, self.initializer(value).scalar())
        } else {
            let printed = self.first(value, place);
            (self.place(place, false), printed)
        };
        if assigns(value) {
            printed = self.keep(value.ty, Value::Scalar(printed)).scalar();
        }
        if op.shifts() {
            printed = self.amount(op, ty, value, printed);
        }
        if self.assigns_plainly(op, ty) && early.is_none() {
            self.line(&format!("{} {}= {};", target.text, op.sign(), printed.text));
        } else {
            let before = early.unwrap_or_else(|| target.clone());
            let result = self.operator(op, ty, before, printed, site);
            self.line(&format!("{} = {};", target.text, result.text));
        }
    }

    fn while_loop(&mut self, id: LoopId, condition: &Expr, body: &Block) {
        if self.prints_before(condition) {
            self.line("while (true) {");
            self.indent += 1;
            let condition = self.scalar_of(condition);
            self.line(&format!("if (!{}) {{", condition.operand()));
            self.line("    break;");
            self.line("}");
            self.indent -= 1;
        } else {
            let condition = self.scalar_of(condition);
            self.line(&format!("while ({}) {{", condition.text));
        }
        self.loop_body(id, body);
        self.close_loop(id);
    }

    fn for_loop(&mut self, kind: &StmtKind) {
        let StmtKind::For {
            id,
            local,
            start,
            end,
            inclusive,
            reversed,
            step,
            body,
        } = kind
        else {
            return;
        };
        let info = &self.kernel.locals[local.0];
        let (cpp, copied, unnamed, unread) = (
            info.ty.cpp(),
            info.mutable,
            info.name.is_empty(),
            info.reads == 0,
        );
        let mut operands = vec![start, end];
        operands.extend(step.as_ref().map(|step| &step.0));
        let mut values: Vec<Cpp> = self
            .initializers(&operands, Order::Free)
            .into_iter()
            .map(Value::scalar)
            .collect();
        // Evaluated once: a constant may stand in the condition, everything else is kept. Downwards it is the start
        // that the condition asks for.
        let asked = usize::from(!reversed);
        for index in 0..values.len() {
            let constant = match operands[index].kind {
                ExprKind::Int(_) => true,
                ExprKind::Local(bound) => !self.kernel.locals[bound.0].mutable,
                _ => false,
            };
            let asked = index == asked && !self.has(Bug::EndEachTurn);
            if !constant && (asked || index == 2 || *reversed) {
                let kept = self.keep(operands[index].ty, Value::Scalar(values[index].clone()));
                values[index] = kept.scalar();
            }
        }
        let (start, end) = (values[0].clone(), values[1].clone());
        let step = match (step, values.get(2)) {
            (Some(step), Some(value)) => {
                if self.checked() {
                    let fault = self.fault(step.1);
                    self.line(&format!("shmem_rust::check_step({fault}, {});", value.text));
                }
                Some(value.text.clone())
            }
            _ => None,
        };
        let counter = if unnamed || copied {
            self.fresh()
        } else {
            self.name(*local)
        };
        let (low, high) = (start.operand(), end.operand());
        let known = self.reached.len();
        let inclusive = &(*inclusive && !self.has(Bug::InclusiveOffByOne));
        let reversed = &(*reversed && !self.has(Bug::ReverseLost));
        let any = if *inclusive { "<=" } else { "<" };
        let runs = match (&operands[0].kind, &operands[1].kind) {
            (ExprKind::Int(start), ExprKind::Int(end)) if start < end => String::new(),
            _ => format!("{low} {any} {high}"),
        };
        self.check_before_loop(&runs, Some(*local), body);
        let head = match (reversed, step) {
            (false, None) if !inclusive => {
                format!(
                    "{cpp} {counter} = {}; {counter} < {high}; ++{counter}",
                    start.text
                )
            }
            (false, step) => {
                self.line(&format!("{cpp} {counter} = {};", start.text));
                let more = self.fresh();
                // The last value may be the largest of its type: the counter never passes it.
                let next = match step {
                    None => format!("{counter} < {high} && (++{counter}, true)"),
                    Some(step) => {
                        format!(
                            "shmem_rust::step_up<{cpp}>({counter}, {}, {step}, {inclusive})",
                            end.text
                        )
                    }
                };
                format!("bool {more} = {counter} {any} {high}; {more}; {more} = {next}")
            }
            (true, step) => {
                let last = if *inclusive {
                    end.text.clone()
                } else {
                    format!("shmem_rust::wrapping_sub<{cpp}>({}, 1)", end.text)
                };
                self.line(&format!("{cpp} {counter} = {last};"));
                let more = self.fresh();
                let step = step.unwrap_or_else(|| "1".to_owned());
                let next = format!(
                    "shmem_rust::step_down<{cpp}>({counter}, {}, {step})",
                    start.text
                );
                format!("bool {more} = {low} {any} {high}; {more}; {more} = {next}")
            }
        };
        self.line(&format!("for ({head}) {{"));
        if copied && !unnamed {
            let unused = if unread { "[[maybe_unused]] " } else { "" };
            let name = self.name(*local);
            self.line(&format!("    {unused}{cpp} {name} = {counter};"));
        }
        self.loop_body(*id, body);
        self.close_loop(*id);
        self.reached.truncate(known);
    }

    fn declare_local(&mut self, local: LocalId) {
        let ty = self.kernel.locals[local.0].ty;
        let name = self.name(local);
        match ty {
            Ty::Memory(memory) => {
                self.line(&format!("__gm__ {} *{name};", ty.cpp()));
                if memory.slice {
                    let len = self.named[local.0].len.clone();
                    self.line(&format!("[[maybe_unused]] uint64_t {len};"));
                }
            }
            _ => {
                let unread = self.kernel.locals[local.0].reads == 0;
                let unused = if unread { "[[maybe_unused]] " } else { "" };
                self.line(&format!("{unused}{} {name};", ty.cpp()));
            }
        }
    }

    fn loop_body(&mut self, id: LoopId, body: &Block) {
        if self.kernel.loops[id.0].outer_continue {
            // A block of its own: a jump to its end passes no declaration.
            self.indent += 1;
            self.line("{");
            self.indented(body);
            self.line("}");
            self.line(&format!("l_{}_continue:;", id.0));
            self.indent -= 1;
        } else {
            self.indented(body);
        }
    }

    fn close_loop(&mut self, id: LoopId) {
        self.line("}");
        if self.kernel.loops[id.0].outer_break {
            self.line(&format!("l_{}_break:;", id.0));
        }
    }
}
