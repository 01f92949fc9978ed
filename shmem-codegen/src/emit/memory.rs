//! Views of memory in C++: a pointer, and a length where the view is a slice.

use super::bug::Bug;
use super::expr::{Cpp, Value};
use super::order::Order;
use super::{Emit, literal};
use crate::ir::{Expr, ExprKind, SiteId};

/// A view of memory as C++ text.
#[derive(Clone, Debug)]
pub(super) struct View {
    /// The pointer.
    base: Cpp,
    /// The element that it is moved by.
    index: Option<Cpp>,
    /// The length; empty for a cell.
    pub len: Cpp,
}

impl View {
    pub fn new(base: Cpp, len: Cpp) -> View {
        View {
            base,
            index: None,
            len,
        }
    }

    /// The pointer as a value.
    pub fn pointer(&self) -> Cpp {
        match &self.index {
            None => self.base.clone(),
            Some(index) => Cpp::compound(format!("{} + {}", self.base.operand(), index.operand())),
        }
    }

    /// The cell as a place.
    pub fn cell(&self) -> Cpp {
        match &self.index {
            None => Cpp::compound(format!("*{}", self.base.operand())),
            Some(index) => Cpp::atom(format!("{}[{}]", self.base.operand(), index.text)),
        }
    }
}

impl Emit<'_> {
    /// The length of a slice; a slice that only its length is asked of is not used otherwise.
    pub(super) fn len(&mut self, memory: &Expr) -> Cpp {
        match memory.kind {
            ExprKind::Local(local) => Cpp::atom(self.len_name(local)),
            _ => self.view(memory).len,
        }
    }

    /// Prints a view; what it needs before goes out first.
    pub(super) fn view(&mut self, expr: &Expr) -> View {
        match &expr.kind {
            ExprKind::Local(local) => {
                let name = Cpp::atom(self.name(*local));
                let slice = expr.memory().is_some_and(|memory| memory.slice);
                let len = if slice {
                    self.len_name(*local)
                } else {
                    String::new()
                };
                View::new(name, Cpp::atom(len))
            }
            ExprKind::At(memory, index, site) => {
                let after = if self.checked() && site.is_some() {
                    Order::Ordered
                } else {
                    Order::Free
                };
                let (view, mut values) = self.view_and(memory, &[index], after);
                let mut index = values.remove(0);
                if let (true, Some(site)) = (self.checked(), site) {
                    index = self.simple(index, "uint64_t");
                    let fault = self.fault(*site);
                    let more = if self.has(Bug::IndexOffByOne) {
                        " + 1"
                    } else {
                        ""
                    };
                    self.line(&format!(
                        "shmem_rust::check_index({fault}, {}, {}{more});",
                        index.text, view.len.text
                    ));
                }
                let pointer = view.pointer();
                View {
                    base: pointer,
                    index: Some(index),
                    len: Cpp::atom(String::new()),
                }
            }
            ExprKind::Slice(memory, start, end, site) => self.slice(memory, start, end, *site),
            _ => match self.value(expr) {
                Value::View(view) => view,
                Value::Scalar(_) | Value::Unit => {
                    View::new(Cpp::atom("nullptr".to_owned()), Cpp::atom("0".to_owned()))
                }
            },
        }
    }

    fn slice(&mut self, memory: &Expr, start: &Expr, end: &Expr, site: SiteId) -> View {
        let after = if self.checked() {
            Order::Ordered
        } else {
            Order::Free
        };
        let (view, mut values) = self.view_and(memory, &[start, end], after);
        // Where the end is before the start the length is of no use.
        let known = match (&start.kind, &end.kind) {
            (ExprKind::Int(from), ExprKind::Int(to)) => {
                Some(literal::plain((to - from).max(0), end.ty))
            }
            _ => None,
        };
        let end = values.remove(1);
        let start = self.simple(values.remove(0), "uint64_t");
        let end = self.simple(end, "uint64_t");
        if self.checked() && !self.has(Bug::RangeCheckLost) {
            let fault = self.fault(site);
            self.line(&format!(
                "shmem_rust::check_range({fault}, {}, {}, {});",
                start.text, end.text, view.len.text
            ));
        }
        let len = if let Some(len) = known {
            Cpp::atom(len)
        } else if start.text == "0" {
            end
        } else {
            Cpp::compound(format!("{} - {}", end.operand(), start.operand()))
        };
        let base = view.pointer();
        let base = if start.text == "0" || self.has(Bug::SliceBaseLost) {
            base
        } else {
            Cpp::compound(format!("{} + {}", base.operand(), start.operand()))
        };
        View::new(base, len)
    }

    /// A view and the scalars after it, in Rust's order.
    fn view_and(&mut self, memory: &Expr, scalars: &[&Expr], after: Order) -> (View, Vec<Cpp>) {
        let mut operands = vec![memory];
        operands.extend_from_slice(scalars);
        let mut values = self.initializers(&operands, after).into_iter();
        let view = match values.next() {
            Some(Value::View(view)) => view,
            _ => View::new(Cpp::atom("nullptr".to_owned()), Cpp::atom("0".to_owned())),
        };
        (view, values.map(Value::scalar).collect())
    }
}
