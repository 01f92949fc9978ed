//! What the host reads as text: panics and prints. Texts stand in the host's table, values go there as 64 bits.

use super::Emit;
use super::bug::Bug;
use super::expr::{Cpp, Value};
use super::order::Order;
use crate::ir::{Expr, SiteId};
use crate::ty::{Float, Ty};

impl Emit<'_> {
    /// A panic. The instance ends there; an unchecked kernel has promised not to come here.
    pub(super) fn panic(&mut self, values: &[Expr], site: SiteId) {
        if !self.checked() {
            return self.line("__builtin_unreachable();");
        }
        let mut arguments = self.shown(values);
        for _ in values.len()..2 {
            arguments.push_str(", 0");
        }
        let fault = self.fault(site);
        self.line(&format!(
            "shmem_rust::fail({fault}, shmem_rust::FAULT_PANIC{arguments});"
        ));
        // A trap is not known to the compiler as an end.
        let end = match self.kernel.returns {
            Ty::Unit => "return;".to_owned(),
            ty => format!("return {}();", ty.cpp()),
        };
        self.line(&end);
    }

    /// A print.
    pub(super) fn print(&mut self, values: &[Expr], site: SiteId) {
        let arguments = self.shown(values);
        let site = self.number(site.0);
        if self.has(Bug::PrintLost) {
            return;
        }
        self.line(&format!("shmem_rust::print(t_prints, {site}{arguments});"));
    }

    /// The values as further arguments, each the low bits of a 64-bit word.
    fn shown(&mut self, values: &[Expr]) -> String {
        let operands: Vec<&Expr> = values.iter().collect();
        let texts: Vec<Cpp> = self
            .operands(&operands, Order::Free)
            .into_iter()
            .map(Value::scalar)
            .collect();
        let mut arguments = String::new();
        for (value, Cpp { text, .. }) in values.iter().zip(texts) {
            let bits = match value.ty {
                Ty::Float(float) if float.small() => {
                    format!("__builtin_bit_cast(uint16_t, {text})")
                }
                Ty::Float(Float::F32) => format!("__builtin_bit_cast(uint32_t, {text})"),
                Ty::Float(_) => format!("__builtin_bit_cast(uint64_t, {text})"),
                _ => format!("static_cast<uint64_t>({text})"),
            };
            arguments.push_str(&format!(", {bits}"));
        }
        arguments
    }
}
