//! Tuples, arrays, structs and enums in C++: their types, how they are made, and the places in them.

use super::Emit;
use super::bug::Bug;
use super::expr::{Cpp, Value};
use super::order::{Order, assigns, reads_changing_locals};
use crate::ir::{Expr, ExprKind, Kernel, SiteId};
use crate::mangle;
use crate::ty::{Int, Ty};

/// The definitions of all types of `kernel`, each after those of its parts, by name.
pub(super) fn definitions(kernel: &Kernel, known: &mut Vec<(String, String)>) {
    for ty in &kernel.types {
        define(*ty, known);
    }
}

fn define(ty: Ty, known: &mut Vec<(String, String)>) {
    let name = ty.cpp();
    if known.iter().any(|(known, _)| known == name) {
        return;
    }
    let text = match ty {
        Ty::Array(of) => return define(of.elem, known),
        Ty::Ref(to, _) => return define(*to, known),
        Ty::Tuple(_) | Ty::Struct(_) => {
            let mut text = format!("struct {name} {{\n");
            for (field, ty) in ty.fields().unwrap_or_default() {
                define(ty, known);
                text.push_str(&format!("    {} {};\n", ty.cpp(), mangle::field(&field)));
            }
            text + "};\n"
        }
        Ty::Enum(of) => {
            let variants = of.variants.iter().map(|variant| {
                let value = super::literal::plain(variant.value, Ty::Int(of.held));
                format!("    {} = {value},\n", mangle::field(&variant.name))
            });
            let variants: String = variants.collect();
            format!("enum class {name} : {} {{\n{variants}}};\n", of.held.cpp())
        }
        _ => return,
    };
    known.push((name.to_owned(), text));
}

/// What the host packs by: sizes and offsets of an argument's type, said to the C++ compiler.
pub(super) fn layout_assertions(ty: Ty) -> String {
    let name = ty.cpp();
    let mut text = format!("static_assert(sizeof({name}) == {});\n", ty.layout().0);
    let mut inner = ty;
    while let Ty::Array(of) = inner {
        inner = of.elem;
    }
    if inner != ty && inner.is_aggregate() {
        text.push_str(&layout_assertions(inner));
    }
    let fields = ty.fields().unwrap_or_default();
    for ((field, ty), (offset, _)) in fields.into_iter().zip(ty.offsets().0) {
        let field = mangle::field(&field);
        text.push_str(&format!(
            "static_assert(__builtin_offsetof({name}, {field}) == {offset});\n"
        ));
        if ty.is_aggregate() {
            text.push_str(&layout_assertions(ty));
        }
    }
    text
}

impl Emit<'_> {
    /// A tuple, struct or array where the context gives its type: in braces.
    pub(super) fn braced(&mut self, expr: &Expr) -> Option<Cpp> {
        match &expr.kind {
            ExprKind::Parts(parts) => Some(self.parts(parts)),
            ExprKind::Elements(elements) => Some(self.elements(elements)),
            _ => None,
        }
    }

    /// A tuple or struct: evaluated as written, given in the order of the fields.
    fn parts(&mut self, parts: &[(usize, Expr)]) -> Cpp {
        let operands: Vec<&Expr> = parts.iter().map(|(_, part)| part).collect();
        let values = self.initializers(&operands, Order::Free).into_iter();
        let mut texts: Vec<(usize, String)> = (parts.iter().zip(values))
            .map(|((index, _), value)| (*index, value.scalar().text))
            .collect();
        texts.sort_by_key(|(index, _)| *index);
        let texts: Vec<String> = texts.into_iter().map(|(_, text)| text).collect();
        Cpp::atom(format!("{{{}}}", texts.join(", ")))
    }

    /// An array of these elements.
    fn elements(&mut self, elements: &[Expr]) -> Cpp {
        let operands: Vec<&Expr> = elements.iter().collect();
        let values = self.initializers(&operands, Order::Free).into_iter();
        let texts: Vec<String> = values.map(|value| value.scalar().text).collect();
        if texts.is_empty() {
            return Cpp::atom("{}".to_owned());
        }
        Cpp::atom(format!("{{{{{}}}}}", texts.join(", ")))
    }

    /// An array of one value, many times.
    pub(super) fn repeat(&mut self, value: &Expr, ty: Ty) -> Cpp {
        let value = self.initializer(value).scalar().text;
        let Ty::Array(of) = ty else {
            return Cpp::atom(value);
        };
        Cpp::atom(format!(
            "shmem_rust::repeat<{}, {}>({value})",
            of.elem.cpp(),
            of.len
        ))
    }

    /// The variant of an enum with this discriminant.
    pub(super) fn variant(value: i128, ty: Ty) -> Option<Cpp> {
        let Ty::Enum(of) = ty else { return None };
        let variant = of.variant(value)?;
        Some(Cpp::atom(format!(
            "{}::{}",
            ty.cpp(),
            mangle::field(&variant.name)
        )))
    }

    /// A place, or a part of a value. Checks go out first; with `fixed`, what is printed stays the same place whatever
    /// is assigned after.
    pub(super) fn place(&mut self, expr: &Expr, fixed: bool) -> Cpp {
        match &expr.kind {
            ExprKind::Local(local) => Cpp::atom(self.name(*local)),
            ExprKind::Deref(inner) | ExprKind::Ref(inner, _) => self.place(inner, fixed),
            ExprKind::Field(base, index) => {
                let name = match base.ty {
                    Ty::Struct(of) => mangle::field(&of.fields[*index].name),
                    _ => mangle::field(&index.to_string()),
                };
                let base = self.place(base, fixed);
                Cpp::atom(format!("{}.{name}", base.operand()))
            }
            ExprKind::Index(base, index, site) => self.element(base, index, *site, fixed),
            _ => self.value(expr).scalar(),
        }
    }

    fn element(&mut self, base: &Expr, index: &Expr, site: Option<SiteId>, fixed: bool) -> Cpp {
        let site = site.filter(|_| self.checked());
        let (base_text, mut at) = if base.is_place() {
            let moves = fixed || assigns(index);
            let text = self.place(base, moves);
            (text, self.initializer(index).scalar())
        } else {
            let after = if site.is_some() {
                Order::Ordered
            } else {
                Order::Free
            };
            let mut values = self
                .operands(&[base, index], after)
                .into_iter()
                .map(Value::scalar);
            match (values.next(), values.next()) {
                (Some(base), Some(index)) => (base, index),
                _ => return Cpp::atom("0".to_owned()),
            }
        };
        if fixed && reads_changing_locals(self.kernel, index) {
            at = self.keep(Ty::Int(Int::Usize), Value::Scalar(at)).scalar();
        }
        if let (Some(site), Ty::Array(of)) = (site, base.ty) {
            at = self.simple(at, "uint64_t");
            let fault = self.fault(site);
            if !self.has(Bug::ElementCheckLost) {
                self.line(&format!(
                    "shmem_rust::check_index({fault}, {}, {});",
                    at.text, of.len
                ));
            }
        }
        Cpp::atom(format!("{}.at[{}]", base_text.operand(), at.text))
    }
}
