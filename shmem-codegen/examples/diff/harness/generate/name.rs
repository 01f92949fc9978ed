//! Names: plain ones, which shadow each other often, and hostile ones.

use super::{Gen, same};

const PLAIN: [&str; 10] = ["a", "b", "c", "x", "y", "i", "n", "sum", "value", "cell"];

/// Words of C++, of AscendC, of our own prefixes, of Rust's types; raw and non-ASCII ones.
const HOSTILE: [&str; 66] = [
    "int",
    "class",
    "new",
    "delete",
    "template",
    "namespace",
    "double",
    "float",
    "register",
    "volatile",
    "this",
    "operator",
    "auto",
    "half",
    "bfloat16_t",
    "int32_t",
    "uint64_t",
    "NULL",
    "nullptr",
    "goto",
    "switch",
    "default",
    "case",
    "public",
    "private",
    "signed",
    "unsigned",
    "short",
    "long",
    "void",
    "char_",
    "wchar_t",
    "typedef",
    "union_",
    "t_0",
    "t_1",
    "k_x",
    "k2_x",
    "len_x",
    "t_fault",
    "l_0_break",
    "b_x",
    "_x",
    "__x",
    "_X",
    "errno",
    "stdin",
    "main",
    "EOF",
    "M_PI",
    "linux",
    "unix",
    "i386",
    "asm",
    "and",
    "or",
    "not",
    "xor",
    "r#type",
    "r#match",
    "größe",
    "名",
    "x_u6_",
    "u8",
    "i32",
    "shmem",
];

impl Gen {
    /// A name that `fits`.
    pub(super) fn name(&mut self, fits: impl Fn(&String) -> bool) -> Option<String> {
        for _ in 0..8 {
            let name = if self.rng.chance(78) {
                (*self.rng.pick(&PLAIN)).to_owned()
            } else {
                (*self.rng.pick(&HOSTILE)).to_owned()
            };
            if fits(&name) && !self.reserved.iter().any(|known| same(known, &name)) {
                return Some(name);
            }
        }
        None
    }

    /// A name that nothing shadows.
    pub(super) fn reserve(&mut self) -> String {
        self.fresh += 1;
        let name = if self.rng.chance(30) {
            self.name(|_| true)
        } else {
            None
        };
        let name = name.unwrap_or_else(|| format!("v{}", self.fresh));
        self.reserved.push(name.clone());
        name
    }

    pub(super) fn kernel_name(&mut self) -> String {
        let name = if self.rng.chance(25) {
            self.name(|name| !matches!(name.as_str(), "shmem" | "u8" | "i32" | "main"))
        } else {
            None
        };
        name.unwrap_or_else(|| "kernel".to_owned())
    }

    pub(super) fn label(&mut self) -> Option<String> {
        if !self.rng.chance(55) {
            return None;
        }
        // One label twice, inside one another: the inner one counts. rustc warns, no more.
        Some(
            (*self
                .rng
                .pick(&["'a", "'b", "'outer", "'int", "'r#loop", "'l_0_break"]))
            .to_owned(),
        )
    }
}
