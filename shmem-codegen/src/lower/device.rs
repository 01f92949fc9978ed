//! Device functions: their calls, and what is particular to their bodies.

use proc_macro2::TokenStream;
use syn::ext::IdentExt;

use super::call::{count, given};
use super::{Function, Lower, function};
use crate::analyse::Use;
use crate::check;
use crate::diag::SpanRange;
use crate::ir::{Block, Callee, Expr, ExprKind, Stmt, StmtKind};
use crate::items::Device;
use crate::rules;
use crate::signature;
use crate::tokens;
use crate::ty::Ty;

impl Lower<'_> {
    /// A call of a device function.
    pub(super) fn device_call(
        &mut self,
        device: &Device,
        call: &syn::ExprCall,
        path: &syn::Path,
        range: SpanRange,
    ) -> Expr {
        let at = SpanRange::over(path);
        let name = device.item.sig.ident.unraw().to_string();
        let key = (device.home, name.clone());
        if self.callers.contains(&key) {
            return self.refused(&rules::RECURSION, at, &[]);
        }
        let (written, item) = (&*device.item, &device.configured.item);
        if device.configured.unknown {
            self.items.world.set_unseen();
        }
        self.uses.push(Use::Device {
            path: path.clone(),
            tokens: tokens::hash(&tokens::flatten(tokens::item_tokens(
                &TokenStream::new(),
                written,
            ))),
            in_body: device.in_body,
        });
        // Its mistakes are told where it stands.
        let mut elsewhere = Vec::new();
        let parameters = signature::read(
            item,
            self.options,
            true,
            &self.items.world.items(device.home),
            &mut elsewhere,
        );
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
        let callee = match self.callees.iter().position(|(known, _)| *known == key) {
            Some(known) => known,
            None => {
                let mut callers = self.callers.clone();
                callers.push(key.clone());
                let options = self.options;
                let unit = Function {
                    item,
                    options,
                    parameters,
                    device: true,
                    items: self.items.world.items(device.home),
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
                lowered.mistaken = !elsewhere.is_empty();
                let first_site = u32::try_from(self.sites.len()).unwrap_or(u32::MAX);
                self.sites.extend(lowered.sites.iter().cloned());
                let callee = Callee {
                    function: lowered,
                    first_site,
                };
                self.callees.push((key, callee));
                self.callees.len() - 1
            }
        };
        let ty = self.callees[callee].1.function.returns;
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
}
