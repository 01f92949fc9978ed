//! The C functions of a kernel that the host calls: launcher and contract.

use super::EmitOptions;
use crate::ir::Kernel;
use crate::ty::{Memory, Ty};

/// Launcher and contract of `kernel`.
pub(super) fn text(kernel: &Kernel, options: &EmitOptions<'_>) -> String {
    let mut arguments = Vec::new();
    let mut slots = 0;
    let mut layouts = String::new();
    for param in &kernel.params {
        let cpp = param.ty.cpp_in_signature();
        let slot = slots;
        match param.ty {
            Ty::Memory(Memory { slice, .. }) => {
                arguments.push(format!("SHMEM_RUST_POINTER({cpp}, {slot})"));
                slots += 1;
                if slice {
                    arguments.push(format!("SHMEM_RUST_SCALAR(uint64_t, {slots})"));
                    slots += 1;
                }
            }
            ty => {
                if ty.is_aggregate() {
                    layouts.push_str(&super::aggregate::layout_assertions(ty));
                }
                // A comma in the name of a type would end an argument of the macro.
                let cpp = if cpp.contains(',') {
                    format!("decltype({cpp}{{}})")
                } else {
                    cpp.to_owned()
                };
                arguments.push(format!("SHMEM_RUST_SCALAR({cpp}, {slot})"));
                slots += ty.layout().0.div_ceil(8);
            }
        }
    }
    if !kernel.options.unchecked {
        arguments.push(format!("SHMEM_RUST_POINTER(shmem_rust_fault, {slots})"));
        slots += 1;
    }
    if kernel.needs.prints {
        arguments.push(format!("SHMEM_RUST_POINTER(shmem_rust_prints, {slots})"));
        slots += 1;
    }
    if !layouts.is_empty() {
        layouts.push('\n');
    }
    let kind = if kernel.options.vector {
        "SHMEM_RUST_VECTOR"
    } else {
        "SHMEM_RUST_MIXED"
    };
    let kind = if kernel.options.all_blocks {
        format!("{kind} | SHMEM_RUST_ALL_BLOCKS")
    } else {
        kind.to_owned()
    };
    let count = slots;
    let arguments: String = arguments
        .iter()
        .map(|argument| format!(",\n                      {argument}"))
        .collect();
    let (symbol, contract) = (options.symbol, options.contract);
    format!(
        "{layouts}SHMEM_RUST_EXPORT int32_t {symbol}_launch(uint32_t blocks, void *stream, const uint64_t *args, uint32_t n_args)\n\
         {{\n    if (n_args != {count}) {{\n        return SHMEM_RUST_WRONG_SLOTS;\n    }}\n    \
         SHMEM_RUST_LAUNCH({kind}, {symbol}{arguments});\n}}\n\n\
         SHMEM_RUST_EXPORT uint64_t {symbol}_contract(void)\n{{\n    return {contract:#018x}u;\n}}\n"
    )
}
