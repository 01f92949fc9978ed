//! How much stack a kernel needs: on an AI core, which has little of it, and on the simulator's threads.

use crate::diag::{Diagnostic, SpanRange};
use crate::ir::Kernel;
use crate::rules;
use crate::ty::Ty;

/// What an AI core has where nothing else is said, in bytes.
pub const AICORE_STACK: u64 = 32 << 10;

/// What any kernel may take, in bytes: the simulator's threads have 4 MiB, and what C++ keeps beside the locals is a
/// part of it.
pub const MOST: u64 = 1 << 20;

/// What the locals of `kernel` take, in bytes, together with those of the functions that it calls: along the deepest
/// chain of calls, as one call's locals are gone before the next one begins. Locals of one function count together,
/// whatever blocks they stand in, and each begins at a multiple of 8.
pub fn stack(kernel: &Kernel) -> u64 {
    let own = kernel
        .locals
        .iter()
        .map(|local| slot(local.ty))
        .fold(0, u64::saturating_add);
    let called = kernel
        .callees
        .iter()
        .map(|callee| slot(callee.function.returns).saturating_add(stack(&callee.function)));
    own.saturating_add(called.max().unwrap_or(0))
}

fn slot(ty: Ty) -> u64 {
    ty.layout().0.div_ceil(8).saturating_mul(8)
}

/// The mistake of a function whose locals no stack holds.
pub fn check_any(function: &Kernel) -> Option<Diagnostic> {
    let needed = stack(function);
    // Of a function that is called it is told there.
    let elsewhere = (function.callees.iter()).any(|callee| stack(&callee.function) > MOST);
    let range = SpanRange::of(function.span);
    let values: [&dyn std::fmt::Display; 3] = [&function.name, &needed, &MOST];
    (needed > MOST && !elsewhere).then(|| Diagnostic::new(&rules::NO_STACK, range, &values))
}

/// The mistake of a kernel that needs more stack than `limit`.
pub fn check(kernel: &Kernel, limit: u64) -> Option<Diagnostic> {
    let needed = stack(kernel);
    let range = SpanRange::of(kernel.span);
    let values: [&dyn std::fmt::Display; 4] = [&kernel.name, &needed, &limit, &needed];
    (needed > limit).then(|| Diagnostic::new(&rules::STACK, range, &values))
}
