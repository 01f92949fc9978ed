//! IR to AscendC. The text is printed from the IR alone, for a reader who knows AscendC.
//!
//! Where plain C++ would differ from Rust, a function of `shmem_rust.h` says what is meant. Evaluation order is
//! Rust's: see `order`.

mod aggregate;
mod bug;
mod expr;
mod launcher;
mod literal;
mod memory;
mod operator;
mod order;
mod print;
mod reached;
mod stmt;
mod unit;

pub use bug::Bug;

use crate::ir::{Kernel, LocalId, SiteId};
use crate::mangle::{self, Named, Names};
use crate::ty::Ty;

use reached::Reached;

pub use unit::unit;

/// How a kernel is emitted.
#[derive(Clone, Debug)]
pub struct EmitOptions<'a> {
    /// The kernel's symbol.
    pub symbol: &'a str,
    /// The source file as `#line` names it.
    pub file: &'a str,
    /// Whether arithmetic overflow panics; without, it wraps.
    pub overflow_checks: bool,
    /// Whether `debug_assert!` asserts.
    pub debug_assertions: bool,
    /// The contract hash.
    pub contract: u64,
    /// A mistake to make, for the test of the tests.
    #[doc(hidden)]
    pub bug: Option<Bug>,
}

/// The text of one kernel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Emitted {
    /// The types that it and they compute with, by name, each after those of its parts.
    pub types: Vec<(String, String)>,
    /// The device functions that it calls, by name, each after those that it calls itself.
    pub functions: Vec<(String, String)>,
    /// The kernel; its last lines are under `#line` of the Rust file.
    pub kernel: String,
    /// The launcher and the contract.
    pub launcher: String,
}

/// Emits a kernel that has no mistakes; where what it calls has some, it has no text.
pub fn kernel(kernel: &Kernel, options: &EmitOptions<'_>) -> Emitted {
    if kernel.calls_mistaken() {
        return Emitted {
            types: Vec::new(),
            functions: Vec::new(),
            kernel: "// Not lowered: a device function that it calls has mistakes.\n".to_owned(),
            launcher: String::new(),
        };
    }
    let (mut types, mut functions) = (Vec::new(), Vec::new());
    device_functions(kernel, options, &mut types, &mut functions);
    aggregate::definitions(kernel, &mut types);
    Emitted {
        types,
        functions,
        kernel: one(kernel, options),
        launcher: launcher::text(kernel, options),
    }
}

fn device_functions(
    kernel: &Kernel,
    options: &EmitOptions<'_>,
    types: &mut Vec<(String, String)>,
    functions: &mut Vec<(String, String)>,
) {
    for callee in &kernel.callees {
        device_functions(&callee.function, options, types, functions);
        aggregate::definitions(&callee.function, types);
        let name = mangle::form(&callee.function, options.overflow_checks);
        if functions.iter().all(|(known, _)| *known != name) {
            functions.push((name, one(&callee.function, options)));
        }
    }
}

/// The text of one function.
fn one(kernel: &Kernel, options: &EmitOptions<'_>) -> String {
    let mut names = Names::default();
    let named = kernel
        .locals
        .iter()
        .map(|local| {
            if options.bug == Some(Bug::ShadowedNameReused) {
                names = Names::default();
            }
            names.add(&local.name)
        })
        .collect();
    let mut emit = Emit {
        kernel,
        options,
        named,
        text: String::new(),
        indent: 1,
        temps: 0,
        reached: Vec::new(),
        rust_line: None,
        last_line: 0,
    };
    // The body first: what it does not mention is marked as unused in what stands before it.
    emit.block(&kernel.body);
    let body = std::mem::take(&mut emit.text);
    if !kernel.device {
        emit.guards();
        emit.parameters(&body);
    }
    let start = std::mem::take(&mut emit.text);
    let head = emit.head(&body);
    format!("{head}{{\n{start}{body}}}\n")
}

struct Emit<'a> {
    kernel: &'a Kernel,
    options: &'a EmitOptions<'a>,
    /// C++ names by local.
    named: Vec<Named>,
    text: String,
    indent: usize,
    temps: u32,
    /// What was checked on every way to here.
    reached: Vec<Reached>,
    /// The Rust line that the next C++ line stands for, once a `#line` was printed.
    rust_line: Option<usize>,
    /// The Rust line of the statement printed last.
    last_line: usize,
}

/// What an arithmetic operator does on overflow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Overflow {
    Panics,
    Wraps,
    /// The caller promised that there is none.
    Undefined,
}

impl Emit<'_> {
    fn overflow(&self) -> Overflow {
        match (self.kernel.options.unchecked, self.options.overflow_checks) {
            (true, _) => Overflow::Undefined,
            (false, true) => Overflow::Panics,
            (false, false) => Overflow::Wraps,
        }
    }

    fn checked(&self) -> bool {
        !self.kernel.options.unchecked
    }

    /// The two arguments of every check: the fault records and the site.
    fn fault(&self, site: SiteId) -> String {
        format!(
            "t_fault, {}",
            self.number(site.0 + u32::from(self.has(Bug::NextSite)))
        )
    }

    /// The number of a site in the kernel's table. Those of a device function begin where its caller says.
    fn number(&self, site: u32) -> String {
        match (self.kernel.device, site) {
            (false, site) => site.to_string(),
            (true, 0) => "t_site".to_owned(),
            (true, site) => format!("t_site + {site}"),
        }
    }

    /// The Rust file of the function.
    fn file(&self) -> &str {
        if self.kernel.device {
            &self.kernel.home.file
        } else {
            self.options.file
        }
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.indent {
            self.text.push_str("    ");
        }
        self.text.push_str(text);
        self.text.push('\n');
        self.rust_line = self.rust_line.map(|line| line + 1);
    }

    /// Makes the next line stand for `line` of the Rust file. What one Rust line became is not numbered again inside.
    fn at(&mut self, line: usize) {
        if self.last_line == line {
            return;
        }
        self.last_line = line;
        match self.rust_line {
            Some(next) if next == line => {}
            // A short gap is left as it is in the source.
            Some(next) if next < line && line - next <= 4 => {
                self.text.push_str(&"\n".repeat(line - next))
            }
            _ => self
                .text
                .push_str(&format!("#line {line} \"{}\"\n", c_string(self.file()))),
        }
        self.rust_line = Some(line);
    }

    fn fresh(&mut self) -> String {
        self.temps += 1;
        format!("t_{}", self.temps - 1)
    }

    fn name(&self, local: LocalId) -> String {
        self.named[local.0].value.clone()
    }

    fn len_name(&self, local: LocalId) -> String {
        self.named[local.0].len.clone()
    }

    fn guards(&mut self) {
        if !self.kernel.options.vector {
            self.line("if ASCEND_IS_AIC {");
            self.line("    return;");
            self.line("}");
        }
        if !self.kernel.options.all_blocks {
            self.line("if (AscendC::GetBlockIdx() > 0) {");
            self.line("    return;");
            self.line("}");
        }
    }

    /// What travels as bits becomes what the body computes with.
    fn parameters(&mut self, body: &str) {
        for index in 0..self.kernel.params.len() {
            let ty = self.kernel.params[index].ty;
            if ty.cpp() == ty.cpp_in_signature() {
                continue;
            }
            let Named { value, bits, .. } = self.named[index].clone();
            let unused = unused(body, &value);
            let constant = if self.kernel.locals[index].mutable {
                ""
            } else {
                "const "
            };
            let cpp = ty.cpp();
            self.line(&match ty {
                Ty::Memory(_) => {
                    format!("{unused}__gm__ {cpp} *{constant}{value} = reinterpret_cast<__gm__ {cpp} *>({bits});")
                }
                Ty::Bool => format!("{unused}{constant}bool {value} = {bits} != 0;"),
                _ => format!("{unused}{constant}{cpp} {value} = __builtin_bit_cast({cpp}, {bits});"),
            });
        }
    }

    /// The signature.
    fn head(&self, body: &str) -> String {
        let mut parameters = Vec::new();
        for (index, param) in self.kernel.params.iter().enumerate() {
            let named = &self.named[index];
            let cpp = if self.kernel.device {
                param.ty.cpp()
            } else {
                param.ty.cpp_in_signature()
            };
            let (name, unused) = if cpp == param.ty.cpp() {
                (&named.value, unused(body, &named.value))
            } else {
                (&named.bits, "")
            };
            match param.ty {
                Ty::Memory(memory) => {
                    parameters.push(format!("{unused}__gm__ {cpp} *{name}"));
                    if memory.slice {
                        let len = &named.len;
                        let unused = self::unused(body, len);
                        parameters.push(format!("{unused}uint64_t {len}"));
                    }
                }
                Ty::Ref(_, mutable) => {
                    let constant = if mutable { "" } else { "const " };
                    let refers = if self.has(Bug::ReferenceCopied) {
                        ""
                    } else {
                        "&"
                    };
                    parameters.push(format!("{unused}{constant}{cpp} {refers}{name}"));
                }
                _ => parameters.push(format!("{unused}{cpp} {name}")),
            }
        }
        if self.checked() {
            let unused = unused(body, "t_fault");
            parameters.push(format!("{unused}__gm__ shmem_rust_fault *t_fault"));
        }
        if self.kernel.needs.prints {
            parameters.push("__gm__ shmem_rust_prints *t_prints".to_owned());
        }
        if self.kernel.device {
            if self.checked() || self.kernel.needs.prints {
                let unused = unused(body, "t_site");
                parameters.push(format!("{unused}uint32_t t_site"));
            }
            let name = mangle::form(self.kernel, self.options.overflow_checks);
            let returns = self.kernel.returns.cpp();
            return format!(
                "static __aicore__ __inline__ {returns} {name}({})\n",
                parameters.join(", ")
            );
        }
        let vector = if self.kernel.options.vector {
            "SHMEM_RUST_VECTOR_KERNEL "
        } else {
            ""
        };
        let open = format!(
            "{vector}extern \"C\" __global__ __aicore__ void {}(",
            self.options.symbol
        );
        let one_line = format!("{open}{})\n", parameters.join(", "));
        if one_line.len() <= 121 {
            return one_line;
        }
        format!("{open}\n    {})\n", parameters.join(",\n    "))
    }
}

/// The mark of a declaration whose name `body` does not mention; a field or variant may have the same name.
fn unused(body: &str, name: &str) -> &'static str {
    let is_part = |before: &str| before.ends_with('.') || before.ends_with("::");
    let is_word = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let mentioned = body.match_indices(name).any(|(at, _)| {
        let before = &body[..at];
        !is_part(before)
            && !before.ends_with(is_word)
            && !body[at + name.len()..].starts_with(is_word)
    });
    if mentioned { "" } else { "[[maybe_unused]] " }
}

/// The inside of a C string literal.
fn c_string(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}
