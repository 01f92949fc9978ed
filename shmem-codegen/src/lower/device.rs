//! Device functions and constants: what a kernel names that stands beside it.

use syn::ext::IdentExt;

use super::call::{count, given};
use super::expr::error;
use super::{Function, Lower, function};
use crate::check;
use crate::diag::SpanRange;
use crate::ir::{Block, Callee, Expr, ExprKind, Stmt, StmtKind};
use crate::rules;
use crate::signature;
use crate::ty::Ty;
use crate::types::{self, Refusal};

impl Lower<'_> {
    /// A call of the device function `name`.
    pub(super) fn device_call(
        &mut self,
        name: &str,
        call: &syn::ExprCall,
        range: SpanRange,
    ) -> Expr {
        let at = SpanRange::over(&call.func);
        if self.callers.iter().any(|caller| caller == name) {
            return self.refused(&rules::RECURSION, at, &[]);
        }
        let siblings = self.siblings;
        let Some(item) = siblings
            .devices
            .iter()
            .find(|device| device.sig.ident.unraw() == name)
        else {
            return error(range);
        };
        // Its mistakes are told where it stands.
        let mut elsewhere = Vec::new();
        let parameters = signature::read(item, self.options, true, siblings, &mut elsewhere);
        let wanted = parameters.len();
        if call.args.len() != wanted {
            let (takes, given) = (count(wanted), given(call.args.len()));
            return self.refused(
                &rules::ARGUMENTS,
                range,
                &[&name, &takes, &given, &"correct the call"],
            );
        }
        let mut arguments = Vec::new();
        for (argument, parameter) in call.args.iter().zip(&parameters) {
            let value = self.argument(argument, parameter.param.ty);
            arguments.push(value);
        }
        let callee = match self
            .callees
            .iter()
            .position(|callee| callee.function.name == name)
        {
            Some(known) => known,
            None => {
                let mut callers = self.callers.clone();
                callers.push(name.to_owned());
                let options = self.options;
                let unit = Function {
                    item,
                    options,
                    parameters,
                    device: true,
                    siblings,
                    callers,
                };
                let (mut lowered, _) = function(unit, &mut elsewhere);
                check::kernel(&mut lowered, &mut elsewhere);
                if elsewhere.iter().any(|diag| diag.code == rules::BLOCKS.code) {
                    return self.refused(&rules::BLOCKS, at, &[&"block_idx"]);
                }
                if elsewhere
                    .iter()
                    .any(|diag| diag.code == rules::RECURSION.code)
                {
                    return self.refused(&rules::RECURSION, at, &[]);
                }
                let first_site = u32::try_from(self.sites.len()).unwrap_or(u32::MAX);
                self.sites.extend(lowered.sites.iter().cloned());
                self.callees.push(Callee {
                    function: lowered,
                    first_site,
                });
                self.callees.len() - 1
            }
        };
        let ty = self.callees[callee].function.returns;
        Expr {
            kind: ExprKind::Call(callee, arguments),
            ty,
            range,
        }
    }

    /// The body of a device function with a value.
    pub(super) fn returning_block(&mut self, block: &syn::Block, ty: Ty) -> Block {
        let (mut lowered, found) = self.value_block(block);
        match lowered.tail.take() {
            Some(tail) => {
                self.expect(&tail, ty);
                let span = tail.range.first;
                lowered.stmts.push(Stmt {
                    kind: StmtKind::Return(Some(*tail)),
                    span,
                });
            }
            None if found == Ty::Unit => {
                let help = "end the function with the value";
                let range = SpanRange::of(block.brace_token.span.close());
                self.refuse(&rules::MISMATCH, range, &[&ty, &"()", &help]);
            }
            None => {}
        }
        lowered
    }

    pub(super) fn return_statement(
        &mut self,
        jump: &syn::ExprReturn,
        range: SpanRange,
    ) -> Option<StmtKind> {
        let wanted = self.returned.unwrap_or(Ty::Unit);
        match (&jump.expr, wanted) {
            (None, Ty::Unit) => Some(StmtKind::Return(None)),
            (None, ty) => {
                self.refuse(
                    &rules::MISMATCH,
                    range,
                    &[&ty, &"()", &"write the value after `return`"],
                );
                None
            }
            (Some(value), Ty::Unit) => {
                if !self.returns {
                    self.refuse(&rules::RETURN_VALUE, SpanRange::over(value), &[]);
                }
                Some(StmtKind::Return(None))
            }
            (Some(value), ty) => {
                let value = self.value_of(value, ty);
                Some(StmtKind::Return(Some(value)))
            }
        }
    }

    /// Whether `expr` is the name of a constant that stands beside the kernel.
    pub(super) fn is_constant(&self, expr: &syn::Expr) -> bool {
        let syn::Expr::Path(path) = expr else {
            return false;
        };
        let Some(ident) = path.path.get_ident() else {
            return false;
        };
        self.siblings
            .constants
            .iter()
            .any(|constant| constant.ident == *ident)
    }

    /// The value of a constant that stands beside the kernel.
    pub(super) fn sibling_constant(
        &mut self,
        path: &syn::ExprPath,
        range: SpanRange,
    ) -> Option<Expr> {
        let ident = path.path.get_ident().filter(|_| path.qself.is_none())?;
        let constant = self
            .siblings
            .constants
            .iter()
            .find(|constant| constant.ident == *ident)?;
        let name = ident.to_string();
        let ty = match types::read(&constant.ty, self.siblings) {
            Ok(Ty::Memory(_)) | Err(Refusal::Unknown) => return None,
            Ok(ty) => ty,
            Err(Refusal::Mistake(diag)) => {
                self.refuse_at(range, *diag);
                return Some(error(range));
            }
        };
        if self.constants.contains(&name) {
            return None;
        }
        self.constants.push(name);
        // Outside of the function: no local is in scope, and no ascription hangs on its nodes.
        let scopes = std::mem::replace(&mut self.scopes, vec![Default::default()]);
        let (types, told) = (self.types.len(), self.diags.len());
        let value = self.value_of(&constant.expr, ty);
        let refused = self.diags.len() > told;
        self.diags.truncate(told);
        self.types.truncate(types);
        self.scopes = scopes;
        self.constants.pop();
        if refused {
            let text = types::text(&constant.expr);
            return Some(self.refused(
                &rules::STATEMENT,
                range,
                &[
                    &format!("the value of this constant, `{text}`,"),
                    &"make it of numbers, operators and other constants",
                ],
            ));
        }
        Some(Expr { range, ..value })
    }
}
