//! One kernel from tokens to checked IR, with everything that is wrong with it.

use std::collections::HashMap;
use std::fmt;

use proc_macro2::TokenStream;
use syn::ext::IdentExt;

use crate::diag::Diagnostic;
use crate::evaluate::Value;
use crate::ir::Kernel;
use crate::items::{Items, ScopeId, World};
use crate::options::Options;
use crate::ty::Ty;
use crate::{check, lower, naming, signature, stack};

/// A syntax node by its address: it means something while the item it lies in stays where it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NodeId(usize);

impl NodeId {
    /// The identity of `node`.
    pub fn of<T>(node: &T) -> NodeId {
        NodeId(std::ptr::from_ref(node).addr())
    }
}

/// What rustc has to confirm.
#[derive(Default)]
pub struct Annotations {
    /// The inferred types that the host stub repeats, by `syn::Local`, `syn::ExprCast`, `syn::LitInt`, `syn::LitFloat`.
    pub types: HashMap<NodeId, Ty>,
    /// The arguments of macros, by `syn::Macro`: the nodes that types are known of, which its tokens are not.
    pub macros: HashMap<NodeId, Arguments>,
    /// What was found by name.
    pub uses: Vec<Use>,
    /// How structs and enums are called here; those that have no name here are left out.
    pub names: HashMap<Ty, syn::Path>,
    /// Something lies outside of the files that this reader has: the types are guesses, and nothing was built.
    pub unseen: bool,
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

/// An item that a path of the user was taken for.
#[derive(Clone)]
pub enum Use {
    /// A device function.
    Device {
        /// As the user wrote it.
        path: syn::Path,
        /// Hash of its tokens.
        tokens: u64,
        /// It stands in the body of a function.
        in_body: bool,
    },
    /// A constant.
    Constant {
        /// As the user wrote it.
        path: syn::Path,
        /// Its type.
        ty: Ty,
        /// Its value.
        value: Value,
    },
    /// A variant of an enum.
    Variant {
        /// As the user wrote it.
        path: syn::Path,
        /// Its discriminant.
        value: i128,
    },
}

/// What the front end says about a kernel.
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
    let nothing = World::nothing();
    let scope = ScopeId { file: 0, scope: 0 };
    analyse_among(arguments, item, nothing.items(scope))
}

/// Analyses `item` under `#[shmem_kernel(arguments)]` among these items.
pub fn analyse_among(arguments: TokenStream, item: &syn::ItemFn, items: Items<'_>) -> Analysis {
    let mut diagnostics = Vec::new();
    let options = Options::parse(arguments, &mut diagnostics);
    finish(item, options, false, items, diagnostics)
}

/// Analyses `item` under `#[shmem_device]` among these items. Which kernels call it is not asked.
pub fn analyse_device(item: &syn::ItemFn, items: Items<'_>) -> Analysis {
    let options = Options {
        all_blocks: true,
        ..Options::default()
    };
    finish(item, options, true, items, Vec::new())
}

fn finish(
    item: &syn::ItemFn,
    options: Options,
    device: bool,
    items: Items<'_>,
    mut diagnostics: Vec<Diagnostic>,
) -> Analysis {
    let parameters = signature::read(item, options, device, &items, &mut diagnostics);
    let signature = diagnostics.len();
    let callers = vec![(items.scope, item.sig.ident.unraw().to_string())];
    let function = lower::Function {
        item,
        options,
        parameters,
        device,
        items,
        callers,
    };
    let world = function.items.world;
    world.take_unseen();
    let scope = function.items.clone();
    let (mut kernel, mut annotations) = lower::function(function, &mut diagnostics);
    annotations.names = naming::names(item, &scope, &kernel.types);
    annotations.unseen = world.take_unseen();
    check::kernel(&mut kernel, &mut diagnostics);
    if annotations.unseen {
        // What the body says may depend on what was not seen. rustc looks at it all the same.
        diagnostics.truncate(signature);
    }
    if diagnostics.is_empty() {
        diagnostics.extend(stack::check_any(&kernel));
    }
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
