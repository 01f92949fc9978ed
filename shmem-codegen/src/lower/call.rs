//! Calls: the device API by path, the methods of memory.

use syn::ext::IdentExt;

use super::Lower;
use crate::analyse::NodeId;
use crate::diag::SpanRange;
use crate::ir::{BinOp, Device, Expr, ExprKind, Fault, StmtKind};
use crate::items::Found;
use crate::rules;
use crate::ty::{Int, Memory, Space, Ty};
use crate::types;

const USIZE: Ty = Ty::Int(Int::Usize);

impl Lower<'_> {
    pub(super) fn call(&mut self, call: &syn::ExprCall, range: SpanRange) -> Expr {
        let func = match &*call.func {
            syn::Expr::Path(path) if path.qself.is_none() => &path.path,
            other => {
                let range = SpanRange::over(other);
                return self.refused(&rules::CALL, range, &[&"what is not a plain path"]);
            }
        };
        let at = SpanRange::over(func);
        let text = path_text(func);
        if let ["core" | "std", "mem", "size_of"] = names_of(func)
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>()[..]
        {
            return self.size_of(call, func, range);
        }
        if func
            .segments
            .iter()
            .any(|segment| !segment.arguments.is_none())
        {
            let help = "remove it: the type follows from the memory";
            return self.refused(&rules::STATEMENT, at, &[&"a turbofish on a call", &help]);
        }
        let names = names_of(func);
        let own = match names.first().map(String::as_str) {
            // The device API: rustc confirms that no other `shmem` is meant.
            Some("shmem") if names.len() == 2 => Found::Outside,
            _ => self.find(func),
        };
        let device = match names.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["shmem", name] => match Device::parse(name) {
                Some(device) => device,
                None => return self.refused(&rules::DEVICE_FUNCTION, at, &[&name]),
            },
            [_] if self.is_refused(&call.func) => return super::expr::error(range),
            [name] if name == self.kernel_name => return self.refused(&rules::RECURSION, at, &[]),
            _ if matches!(own, Found::Device(_) | Found::Hidden | Found::Other(_)) => {
                return self.own_call(&own, call, func, range);
            }
            ["core" | "std", "cmp", function @ ("min" | "max")] => {
                return self.min_max(function, call, range);
            }
            ["core" | "std", "mem", "swap"] => return self.swap(call, range),
            [ty @ ("f32" | "f64" | "f16" | "bf16"), "from_bits"] => {
                return self.float_of_bits(ty, call, range);
            }
            [ty @ ("f16" | "bf16"), from @ ("from_f32" | "from_f64")] => {
                return self.small_float(ty, from, call, range);
            }
            [name] if Device::parse(name).is_some() => {
                return self.refused(&rules::IMPORTED, at, &[&name, &name]);
            }
            _ if matches!(own, Found::Unseen) => return super::expr::error(range),
            _ => {
                return match self.constructor(call, func, range) {
                    Some(made) => made,
                    None => self.refused(&rules::CALL, at, &[&format_args!("`{text}`")]),
                };
            }
        };
        let arity = match device {
            Device::P => 3,
            Device::G => 2,
            _ => 0,
        };
        if call.args.len() != arity {
            let takes = count(arity);
            let given = given(call.args.len());
            let help = match device {
                Device::P => "write `shmem::p(cell, value, pe)`",
                Device::G => "write `shmem::g(cell, pe)`",
                _ => "write nothing between the parentheses",
            };
            let name = format!("shmem::{}", device.name());
            return self.refused(&rules::ARGUMENTS, range, &[&name, &takes, &given, &help]);
        }
        let mut arguments = Vec::new();
        let mut ty = match device {
            Device::MyPe | Device::NPes => Ty::Int(Int::I32),
            Device::BlockIdx | Device::BlockNum => USIZE,
            _ => Ty::Unit,
        };
        if let Some(cell) = call.args.first() {
            let cell = self.value(cell);
            let elem = self.cell_of(device, &cell);
            if device == Device::G {
                ty = elem;
            }
            arguments.push(cell);
            if device == Device::P {
                let value = self.value(&call.args[1]);
                if !self.infer.unify(value.ty, elem) {
                    let got = self.infer.describe(value.ty);
                    let of = self.infer.describe(arguments[0].ty);
                    let help = self.conversion(elem, value.ty);
                    self.refuse(
                        &rules::ELEMENT_MISMATCH,
                        value.range,
                        &[&"p", &of, &elem, &got, &help],
                    );
                }
                arguments.push(value);
            }
            let pe = self.value(&call.args[arity - 1]);
            if !self.infer.unify(pe.ty, Ty::Int(Int::I32)) {
                let got = self.infer.describe(pe.ty);
                let help = self.conversion(Ty::Int(Int::I32), pe.ty);
                self.refuse(&rules::PE_TYPE, pe.range, &[&got, &help]);
            }
            arguments.push(pe);
        }
        let site = self.site(range, Fault::Check);
        Expr {
            kind: ExprKind::Device(device, arguments, site),
            ty,
            range,
        }
    }

    /// A call of what stands in this crate.
    fn own_call(
        &mut self,
        own: &Found,
        call: &syn::ExprCall,
        path: &syn::Path,
        range: SpanRange,
    ) -> Expr {
        let (at, text) = (SpanRange::over(path), path_text(path));
        match own {
            Found::Device(device) => self.device_call(device, call, path, range),
            Found::Hidden => self.refused(&rules::HIDDEN, at, &[&text]),
            Found::Other(what) => {
                let what = format!("`{text}`, {what}");
                self.refused(&rules::CALL, at, &[&what])
            }
            _ => self.refused(&rules::CALL, at, &[&format_args!("`{text}`")]),
        }
    }

    /// The element type of the cell that p or g is given.
    fn cell_of(&mut self, device: Device, cell: &Expr) -> Ty {
        match self.infer.shallow(cell.ty) {
            Ty::Memory(Memory {
                space: Space::Symmetric,
                elem,
                slice: false,
            }) => elem.ty(),
            Ty::Memory(
                memory @ Memory {
                    space: Space::Global,
                    elem,
                    ..
                },
            ) => {
                let inner = if memory.slice {
                    format!("[{elem}]")
                } else {
                    elem.to_string()
                };
                let found = Ty::Memory(memory);
                let help = format!("declare the parameter as `Symmetric<{inner}>`");
                self.refuse(
                    &rules::NOT_SYMMETRIC,
                    cell.range,
                    &[&device.name(), &found, &help],
                );
                elem.ty()
            }
            Ty::Memory(memory) => {
                self.refuse(
                    &rules::NOT_ONE_CELL,
                    cell.range,
                    &[&device.name(), &Ty::Memory(memory)],
                );
                memory.elem.ty()
            }
            Ty::Error => Ty::Error,
            other => {
                let found = self.infer.describe(other);
                let help =
                    "give it a parameter of type `Symmetric<T>`, or `.at(i)` of a `Symmetric<[T]>`";
                self.refuse(
                    &rules::NOT_SYMMETRIC,
                    cell.range,
                    &[&device.name(), &found, &help],
                );
                Ty::Error
            }
        }
    }

    pub(super) fn method(&mut self, call: &syn::ExprMethodCall, range: SpanRange) -> Expr {
        let receiver = self.base(&call.receiver);
        let name = call.method.unraw().to_string();
        let at = SpanRange::of(call.method.span());
        if receiver.ty == Ty::Error {
            return Expr {
                kind: ExprKind::Error,
                ty: Ty::Error,
                range,
            };
        }
        let memory = match self.infer.shallow(receiver.ty) {
            Ty::Memory(memory) => memory,
            Ty::Array(array)
                if matches!(name.as_str(), "len" | "is_empty") && call.args.is_empty() =>
            {
                // The array itself has no effect but those of making it.
                let value = Expr {
                    kind: match name.as_str() {
                        "len" => ExprKind::Int(i128::from(array.len)),
                        _ => ExprKind::Bool(array.len == 0),
                    },
                    ty: if name == "len" { USIZE } else { Ty::Bool },
                    range,
                };
                if receiver.is_place() {
                    return value;
                }
                let stmts = super::aggregate::stmts([StmtKind::Expr(receiver)], range);
                return super::aggregate::block(stmts, value);
            }
            _ => return self.number_method(receiver, call, at, range),
        };
        if call.turbofish.is_some() {
            let help = "remove it: the type follows from the memory";
            return self.refused(&rules::STATEMENT, at, &[&"a turbofish on a call", &help]);
        }
        let known: &[(&str, usize)] = if memory.slice {
            &[
                ("at", 1),
                ("at_unchecked", 1),
                ("len", 0),
                ("is_empty", 0),
                ("slice", 1),
            ]
        } else {
            &[("load", 0), ("store", 1)]
        };
        let Some(&(_, arity)) = known.iter().find(|(method, _)| *method == name) else {
            let help = match (memory.slice, name.as_str()) {
                (true, "load" | "store") => format!("pick one cell first: `.at(i).{name}(...)`"),
                (true, _) => "a slice has at, at_unchecked, len, is_empty and slice".to_owned(),
                (false, _) => "a cell has load and store".to_owned(),
            };
            return self.refused(&rules::METHOD, at, &[&receiver.ty, &name, &help]);
        };
        if call.args.len() != arity {
            let (takes, given) = (count(arity), given(call.args.len()));
            let help = match name.as_str() {
                "store" => "write `.store(value)`".to_owned(),
                "slice" => "write `.slice(start..end)`".to_owned(),
                _ if arity == 0 => format!("write `.{name}()`"),
                _ => format!("write `.{name}(i)`"),
            };
            return self.refused(&rules::ARGUMENTS, range, &[&name, &takes, &given, &help]);
        }
        let receiver = Box::new(receiver);
        let one = Memory {
            slice: false,
            ..memory
        };
        let (kind, ty) = match name.as_str() {
            "load" => (ExprKind::Load(receiver), memory.elem.ty()),
            "store" => {
                let value = self.value_of(&call.args[0], memory.elem.ty());
                (ExprKind::Store(receiver, Box::new(value)), Ty::Unit)
            }
            "len" => (ExprKind::Len(receiver), USIZE),
            "is_empty" => {
                let len = Expr {
                    kind: ExprKind::Len(receiver),
                    ty: USIZE,
                    range,
                };
                let zero = Expr {
                    kind: ExprKind::Int(0),
                    ty: USIZE,
                    range,
                };
                let site = self.site(
                    range,
                    Fault::Arithmetic {
                        verb: "",
                        signed: false,
                    },
                );
                (
                    ExprKind::Binary(BinOp::Eq, Box::new(len), Box::new(zero), site),
                    Ty::Bool,
                )
            }
            "slice" => {
                let syn::Expr::Range(syn::ExprRange {
                    start: Some(start),
                    limits: syn::RangeLimits::HalfOpen(_),
                    end: Some(end),
                    ..
                }) = &call.args[0]
                else {
                    let range = SpanRange::over(&call.args[0]);
                    let help = "write `.slice(start..end)`";
                    return self.refused(
                        &rules::STATEMENT,
                        range,
                        &[&"this argument of `slice`", &help],
                    );
                };
                let start = self.value_of(start, USIZE);
                let end = self.value_of(end, USIZE);
                let site = self.site(at, Fault::Check);
                (
                    ExprKind::Slice(receiver, Box::new(start), Box::new(end), site),
                    Ty::Memory(memory),
                )
            }
            unchecked_or_at => {
                let index = Box::new(self.value_of(&call.args[0], USIZE));
                let site = if unchecked_or_at == "at_unchecked" {
                    if self.unsafe_depth == 0 {
                        self.refuse(&rules::UNSAFE_NEEDED, at, &[]);
                    }
                    None
                } else {
                    Some(self.site(at, Fault::Check))
                };
                (ExprKind::At(receiver, index, site), Ty::Memory(one))
            }
        };
        Expr { kind, ty, range }
    }
}

impl Lower<'_> {
    /// `core::mem::size_of::<T>()`, of what has one size in Rust and in C.
    fn size_of(&mut self, call: &syn::ExprCall, func: &syn::Path, range: SpanRange) -> Expr {
        let help = "write `core::mem::size_of::<T>()`, for a number, a bool, or an array of them";
        let argument = match func.segments.last().map(|last| &last.arguments) {
            Some(syn::PathArguments::AngleBracketed(list)) if list.args.len() == 1 => {
                list.args.first()
            }
            _ => None,
        };
        let (Some(syn::GenericArgument::Type(ty)), true) = (argument, call.args.is_empty()) else {
            return self.refused(
                &rules::STATEMENT,
                range,
                &[&"this form of `size_of`", &help],
            );
        };
        let known = types::read(ty, &self.items).ok();
        let mut elem = known;
        while let Some(Ty::Array(array)) = elem {
            elem = Some(array.elem);
        }
        match (known, elem) {
            (Some(known), Some(Ty::Int(_) | Ty::Float(_) | Ty::Bool | Ty::CChar)) => {
                self.types.push((NodeId::of(ty), known));
                let size = match known {
                    // No element takes no room in Rust.
                    Ty::Array(array) if array.len == 0 => 0,
                    known => known.layout().0,
                };
                Expr {
                    kind: ExprKind::Int(i128::from(size)),
                    ty: USIZE,
                    range,
                }
            }
            _ => {
                let what = format!("the size of `{}`", types::text(ty));
                self.refused(&rules::STATEMENT, range, &[&what, &help])
            }
        }
    }
}

/// The names of a path.
fn names_of(path: &syn::Path) -> Vec<String> {
    let names = path.segments.iter();
    names
        .map(|segment| segment.ident.unraw().to_string())
        .collect()
}

pub(super) fn count(arity: usize) -> String {
    match arity {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        n => format!("{n} arguments"),
    }
}

pub(super) fn given(arguments: usize) -> String {
    match arguments {
        0 => "none were".to_owned(),
        1 => "1 was".to_owned(),
        n => format!("{n} were"),
    }
}

/// A path as the user wrote it, for messages.
pub(super) fn path_text(path: &syn::Path) -> String {
    let names: Vec<String> = path
        .segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect();
    names.join("::")
}
