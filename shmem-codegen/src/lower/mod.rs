//! Syntax to IR: names are resolved, types inferred, everything unsupported refused at its span.
//!
//! rustc does the same again on the host stub; where the two differ, the stub does not compile.

mod advice;
mod aggregate;
mod assign;
pub mod attributes;
mod call;
mod constant;
mod device;
mod each;
mod expr;
mod format;
mod literal;
mod loops;
mod macros;
mod matching;
mod number;
mod pattern;
mod place;
mod quoted;
mod refutable;
mod resolve;
mod stmt;
mod tuple;

use std::collections::HashMap;
use std::rc::Rc;

use quote::ToTokens;
use syn::ext::IdentExt;

use crate::analyse::{Annotations, Arguments, NodeId, Use};
use crate::diag::{Diagnostic, SpanRange};
use crate::enclosure::depth;
use crate::infer::Infer;
use crate::ir::{
    Block, Callee, Expr, ExprKind, Fault, Home, Kernel, Local, LocalId, Loop, LoopId, Needs, Site,
    SiteId,
};
use crate::items::{Items, ScopeId};
use crate::options::Options;
use crate::rules::{self, Rule};
use crate::signature::{self, Parameter};
use crate::ty::Ty;

/// A loop around the statement that is being lowered.
struct Frame {
    id: LoopId,
    label: Option<String>,
    /// Where the values of its `break`s go, when it is a value itself.
    result: Option<LocalId>,
    /// A block with a label: what has no label passes it by.
    block: bool,
}

/// A device function: the scope that it stands in, and its name.
pub type Key = (ScopeId, String);

/// What a body is lowered with.
struct Start<'a> {
    name: String,
    options: Options,
    items: Items<'a>,
    callers: Vec<Key>,
}

struct Lower<'a> {
    kernel_name: String,
    options: Options,
    /// The file of its sites.
    file: Rc<str>,
    /// What the function may name.
    items: Items<'a>,
    /// The device functions that led here, itself the last.
    callers: Vec<Key>,
    callees: Vec<(Key, Callee)>,
    /// What was found by name, for rustc to confirm.
    uses: Vec<Use>,
    /// The constants whose values are being lowered.
    constants: Vec<String>,
    unsafe_depth: usize,
    infer: Infer,
    locals: Vec<Local>,
    scopes: Vec<HashMap<String, LocalId>>,
    frames: Vec<Frame>,
    loops: Vec<Loop>,
    /// Whether some `break` leaves the loop, by loop.
    broken: Vec<bool>,
    /// The function has a return type, which was refused: its values are no mistakes of their own.
    returns: bool,
    /// What a device function returns; none in a kernel.
    returned: Option<Ty>,
    sites: Vec<Site>,
    types: Vec<(NodeId, Ty)>,
    /// The arguments of each macro.
    macros: Vec<(NodeId, Arguments)>,
    needs: Needs,
    /// Locals that get their value after their `let`.
    deferred: Vec<(LocalId, SpanRange)>,
    diags: &'a mut Vec<Diagnostic>,
}

/// What is lowered, and among what it stands.
pub struct Function<'a> {
    /// The function.
    pub item: &'a syn::ItemFn,
    /// The kernel's options, or those of the kernel that calls it.
    pub options: Options,
    /// Its parameters, as they were read.
    pub parameters: Vec<Parameter<'a>>,
    /// Whether it is a device function.
    pub device: bool,
    /// What it may name.
    pub items: Items<'a>,
    /// The device functions that led here, itself the last.
    pub callers: Vec<Key>,
}

/// Lowers a function whose signature has been read.
pub fn function(function: Function<'_>, diags: &mut Vec<Diagnostic>) -> (Kernel, Annotations) {
    let Function {
        item,
        options,
        parameters,
        device,
        items,
        callers,
    } = function;
    let name = item.sig.ident.unraw().to_string();
    let home = Home::new(&items, &name);
    let returns = if device {
        signature::returned(&item.sig, &items)
    } else {
        Ty::Unit
    };
    let start = Start {
        name: name.clone(),
        options,
        items,
        callers,
    };
    let mut lower = Lower::new(start, diags);
    lower.unsafe_depth = usize::from(options.unchecked && !device);
    lower.returns = !device && signature::returns_a_value(&item.sig);
    lower.returned = device.then_some(returns);
    let mut params = Vec::new();
    let mut refused_names = Vec::new();
    for Parameter {
        param,
        mutable,
        ident,
        refused,
    } in parameters
    {
        let id = lower.local(param.name.clone(), param.ty, mutable);
        if ident.is_some() {
            lower.bind(param.name.clone(), id);
        }
        params.push(param);
        refused_names.extend(refused);
    }
    lower.bind_refused(refused_names);
    let body = if let Some(span) = depth::too_deep(item.block.to_token_stream()) {
        lower.diags.push(Diagnostic::too_deep(span));
        Block::default()
    } else if lower.returns {
        lower.value_block(&item.block).0
    } else if returns == Ty::Unit {
        lower.unit_block(&item.block)
    } else {
        lower.returning_block(&item.block, returns)
    };
    for (id, range) in std::mem::take(&mut lower.deferred) {
        let local = &lower.locals[id.0];
        if lower.infer.describe(local.ty) == "_" {
            let name = local.name.clone();
            lower.refuse(&rules::TYPE_NEEDED, range, &[&name, &name]);
        }
    }
    let Lower {
        infer,
        mut locals,
        sites,
        types,
        macros,
        needs,
        loops,
        callees,
        uses,
        ..
    } = lower;
    for local in &mut locals {
        local.ty = infer.resolve(local.ty);
    }
    let needs = callees
        .iter()
        .fold(needs, |needs, callee| needs.or(callee.1.function.needs));
    let mut kernel = Kernel {
        name,
        home,
        span: item.sig.ident.span(),
        options,
        params,
        locals,
        body,
        returns,
        device,
        callees: callees.into_iter().map(|(_, callee)| callee).collect(),
        sites,
        loops,
        needs,
        types: Vec::new(),
        mistaken: false,
    };
    resolve::block(&mut kernel.body, &infer);
    resolve::types(&mut kernel);
    resolve::signs(&mut kernel);
    let types = types
        .into_iter()
        .map(|(node, ty)| (node, infer.resolve(ty)))
        .collect();
    let annotations = Annotations {
        types,
        macros: macros.into_iter().collect(),
        uses,
        ..Annotations::default()
    };
    (kernel, annotations)
}

impl<'a> Lower<'a> {
    fn new(start: Start<'a>, diags: &'a mut Vec<Diagnostic>) -> Lower<'a> {
        let Start {
            name,
            options,
            items,
            callers,
        } = start;
        Lower {
            kernel_name: name,
            options,
            file: items.file(),
            items,
            callers,
            callees: Vec::new(),
            uses: Vec::new(),
            constants: Vec::new(),
            unsafe_depth: 0,
            infer: Infer::default(),
            locals: Vec::new(),
            scopes: vec![HashMap::new()],
            frames: Vec::new(),
            loops: Vec::new(),
            broken: Vec::new(),
            returns: false,
            returned: None,
            sites: Vec::new(),
            types: Vec::new(),
            macros: Vec::new(),
            needs: Needs::default(),
            deferred: Vec::new(),
            diags,
        }
    }
}

impl Lower<'_> {
    fn refuse(&mut self, rule: &Rule, range: SpanRange, values: &[&dyn std::fmt::Display]) {
        self.diags.push(Diagnostic::new(rule, range, values));
    }

    /// A mistake of what stands elsewhere, told where it is named.
    fn refuse_at(&mut self, range: SpanRange, diag: Diagnostic) {
        self.diags.push(Diagnostic { range, ..diag });
    }

    /// Refuses, and stands in for the expression.
    fn refused(
        &mut self,
        rule: &Rule,
        range: SpanRange,
        values: &[&dyn std::fmt::Display],
    ) -> Expr {
        self.refuse(rule, range, values);
        Expr {
            kind: ExprKind::Error,
            ty: Ty::Error,
            range,
        }
    }

    fn local(&mut self, name: String, ty: Ty, mutable: bool) -> LocalId {
        self.locals.push(Local {
            name,
            ty,
            mutable,
            reads: 0,
        });
        LocalId(self.locals.len() - 1)
    }

    fn bind(&mut self, name: String, id: LocalId) {
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name, id);
        }
    }

    /// Names of what was refused: known from here on, so that their uses are not mistakes as well.
    fn bind_refused(&mut self, names: Vec<String>) {
        for name in names {
            let id = self.local(name.clone(), Ty::Error, true);
            self.bind(name, id);
        }
    }

    /// Whether `expr` names something that was refused.
    fn is_refused(&self, expr: &syn::Expr) -> bool {
        match expr {
            syn::Expr::Paren(paren) => self.is_refused(&paren.expr),
            syn::Expr::Path(path) => path
                .path
                .get_ident()
                .and_then(|ident| self.lookup(&ident.unraw().to_string()))
                .is_some_and(|id| self.infer.shallow(self.locals[id.0].ty) == Ty::Error),
            _ => false,
        }
    }

    fn is_local(&self, ident: &syn::Ident) -> bool {
        self.lookup(&ident.unraw().to_string()).is_some()
    }

    fn lookup(&self, name: &str) -> Option<LocalId> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.get(name).copied())
    }

    fn site(&mut self, range: SpanRange, fault: Fault) -> SiteId {
        self.sites.push(Site {
            file: self.file.clone(),
            span: range.first,
            fault,
        });
        SiteId(u32::try_from(self.sites.len() - 1).unwrap_or(u32::MAX))
    }

    fn scoped<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.scopes.push(HashMap::new());
        let result = run(self);
        self.scopes.pop();
        result
    }

    /// A block whose value must be `()`.
    fn unit_block(&mut self, block: &syn::Block) -> Block {
        let block = self.scoped(|lower| lower.statements(block, false, None)).0;
        debug_assert!(block.tail.is_none());
        block
    }

    /// A block that may have a value.
    fn value_block(&mut self, block: &syn::Block) -> (Block, Ty) {
        self.scoped(|lower| lower.statements(block, true, None))
    }
}
