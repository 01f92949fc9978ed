//! One kernel from tokens to checked IR, with everything that is wrong with it.

use std::collections::HashMap;
use std::fmt;

use proc_macro2::TokenStream;
use syn::ext::IdentExt;

use crate::diag::Diagnostic;
use crate::ir::Kernel;
use crate::options::Options;
use crate::source::Siblings;
use crate::ty::Ty;
use crate::{check, lower, signature};

/// A syntax node by its address: it means something while the item it lies in stays where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(usize);

impl NodeId {
    /// The identity of `node`.
    pub fn of<T>(node: &T) -> NodeId {
        NodeId(std::ptr::from_ref(node).addr())
    }
}

/// The inferred types that the host stub repeats, so that rustc confirms them.
#[derive(Debug, Default)]
pub struct Annotations {
    /// By `syn::Local`, `syn::ExprCast`, `syn::LitInt`, `syn::LitFloat`.
    pub types: HashMap<NodeId, Ty>,
    /// The arguments of macros, by `syn::Macro`: the nodes that types are known of, which its tokens are not.
    pub macros: HashMap<NodeId, Arguments>,
}

/// The arguments of a macro.
pub struct Arguments {
    /// As they were parsed.
    pub nodes: Vec<syn::Expr>,
    /// What an assertion without a text of its own says: rustc would break the line of a long condition.
    pub said: Option<String>,
}

impl fmt::Debug for Arguments {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} arguments", self.nodes.len())
    }
}

/// What the front end says about a kernel.
#[derive(Debug)]
pub struct Analysis {
    /// The kernel; complete only where there are no diagnostics.
    pub kernel: Kernel,
    /// For the host stub.
    pub annotations: Annotations,
    /// All mistakes, in the order of the source.
    pub diagnostics: Vec<Diagnostic>,
}

/// Analyses `item` under `#[shmem_kernel(arguments)]`, on its own.
pub fn analyse(arguments: TokenStream, item: &syn::ItemFn) -> Analysis {
    analyse_among(arguments, item, &Siblings::default())
}

/// Analyses `item` under `#[shmem_kernel(arguments)]` among what stands beside it.
pub fn analyse_among(arguments: TokenStream, item: &syn::ItemFn, siblings: &Siblings) -> Analysis {
    let mut diagnostics = Vec::new();
    let options = Options::parse(arguments, &mut diagnostics);
    finish(item, options, false, siblings, diagnostics)
}

/// Analyses `item` under `#[shmem_device]` among what stands beside it. Which kernels call it is not asked.
pub fn analyse_device(item: &syn::ItemFn, siblings: &Siblings) -> Analysis {
    let options = Options {
        all_blocks: true,
        ..Options::default()
    };
    finish(item, options, true, siblings, Vec::new())
}

fn finish(
    item: &syn::ItemFn,
    options: Options,
    device: bool,
    siblings: &Siblings,
    mut diagnostics: Vec<Diagnostic>,
) -> Analysis {
    let parameters = signature::read(item, options, device, siblings, &mut diagnostics);
    let callers = vec![item.sig.ident.unraw().to_string()];
    let function = lower::Function {
        item,
        options,
        parameters,
        device,
        siblings,
        callers,
    };
    let (mut kernel, annotations) = lower::function(function, &mut diagnostics);
    check::kernel(&mut kernel, &mut diagnostics);
    // In the order of the source, as far as the compiler tells positions.
    diagnostics.sort_by_key(|diag| {
        let start = diag.range.first.start();
        (start.line, start.column)
    });
    Analysis {
        kernel,
        annotations,
        diagnostics,
    }
}
