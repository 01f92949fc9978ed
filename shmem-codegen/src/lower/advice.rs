//! What to write instead: the help that depends on the types or the names at hand.

use syn::ext::IdentExt;

use super::Lower;
use crate::ir::Device;
use crate::items::Found;
use crate::ty::{Memory, Ty};

impl Lower<'_> {
    /// How a value of type `got` becomes one of type `want`.
    pub(super) fn conversion(&self, want: Ty, got: Ty) -> String {
        let (want, got) = (self.infer.shallow(want), self.infer.shallow(got));
        let to = self.infer.resolve(want);
        let open = matches!(got, Ty::Infer(_));
        match (to, self.infer.resolve(got)) {
            (Ty::Memory(Memory { slice: false, .. }), Ty::Memory(Memory { slice: true, .. })) => {
                "pick one cell with `.at(i)`".to_owned()
            }
            (Ty::Memory(_), Ty::Memory(_)) => {
                "what a view reaches does not change: declare the parameter with this type"
                    .to_owned()
            }
            (Ty::Memory(memory), _) => written(memory),
            (_, Ty::Memory(memory)) => read(memory),
            (Ty::Bool, Ty::Float(_)) => "compare it, for example with `!= 0.0`".to_owned(),
            (Ty::Bool, _) => "compare it, for example with `!= 0`".to_owned(),
            (Ty::Float(float), _) if float.small() => {
                format!("convert it with `{to}::from_f32(...)`")
            }
            (_, from @ Ty::Float(float)) if float.small() => {
                format!("convert it with `.to_f32()`, then with `as` ({from} has none)")
            }
            (Ty::Float(_), Ty::Bool) => format!("convert it with `as i32 as {to}`"),
            (Ty::Float(_), Ty::Int(_)) if open => {
                "write the number with a point, as in `1.0`".to_owned()
            }
            (Ty::Int(_), Ty::Float(_)) if open => {
                format!("write the number without a point, or convert it with `as {to}`")
            }
            (Ty::CChar, Ty::Float(_) | Ty::Bool) => "convert it with `as u8 as c_char`".to_owned(),
            (Ty::Float(_), Ty::CChar) => format!("convert it with `as i8 as {to}`"),
            _ => format!("convert it with `as {to}`"),
        }
    }

    /// How the two sides of an operator come to one type.
    pub(super) fn one_type(&self, left: Ty, right: Ty) -> String {
        let sides = [left, right].map(|ty| self.infer.shallow(ty));
        let known = sides.map(|ty| self.infer.resolve(ty));
        let any = |is: fn(&Ty) -> bool| known.iter().any(is);
        if let Some(Ty::Memory(memory)) = known.iter().find(|ty| matches!(ty, Ty::Memory(_))) {
            return read(*memory);
        }
        if any(|ty| matches!(ty, Ty::Bool)) {
            return "compare the other side, or convert the bool with `as`".to_owned();
        }
        if any(|ty| matches!(ty, Ty::Float(float) if float.small())) {
            return "f16 and bf16 have no `as`: write `.to_f32()`, or `f16::from_f32(...)`"
                .to_owned();
        }
        let literal = sides.iter().any(|ty| matches!(ty, Ty::Infer(_)));
        if literal && any(|ty| matches!(ty, Ty::Int(_))) && any(|ty| matches!(ty, Ty::Float(_))) {
            return "write the number as the other side has it: `1.0` is a float, `1` an integer"
                .to_owned();
        }
        "convert one of them with `as`".to_owned()
    }
}

fn read(memory: Memory) -> String {
    let how = if memory.slice {
        "pick one cell with `.at(i)`, and read it with `.load()`"
    } else {
        "a view of memory is read with `.load()`"
    };
    how.to_owned()
}

fn written(memory: Memory) -> String {
    let how = if memory.slice {
        "memory is written with `.at(i).store(value)`"
    } else {
        "memory is written with `.store(value)`"
    };
    how.to_owned()
}

/// In place of the macro `name`.
pub(super) fn instead_of_macro(name: &str) -> &'static str {
    match name.rsplit("::").next().unwrap_or(name) {
        "println" | "print" | "eprintln" | "eprint" => {
            "write `shmem::print!`, which prints a line on the host"
        }
        "dbg" | "write" | "writeln" => {
            "write `shmem::print!` with a text, which prints a line on the host"
        }
        "vec" | "format" | "format_args" | "concat" | "stringify" => {
            "a device has no heap and no strings: use locals and device memory"
        }
        _ => "write out what it stands for",
    }
}

/// In place of a name that is no local.
pub(super) fn instead_of_name(path: &syn::Path, found: &Found) -> String {
    let names: Vec<String> = path
        .segments
        .iter()
        .map(|segment| segment.ident.unraw().to_string())
        .collect();
    let text = names.join("::");
    match (names.iter().map(String::as_str).collect::<Vec<_>>().as_slice(), found) {
        (["shmem", name], _) if Device::parse(name).is_some() => {
            format!("it is a function: call it, `shmem::{name}(...)`")
        }
        (_, Found::Device(_)) => format!("it is a function: call it, `{text}(...)`"),
        (_, Found::Other(what)) => {
            format!("it is {what}: a kernel sees constants and the functions under #[shmem_device]")
        }
        (_, Found::Outside) => {
            "a kernel sees the constants of its own crate: pass others as parameters".to_owned()
        }
        _ => "a kernel sees its own parameters and locals, the constants of its crate, and the functions of `shmem::`"
            .to_owned(),
    }
}
