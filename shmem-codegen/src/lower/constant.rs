//! Constants of the crate: found by their path, computed, and in the IR a literal. rustc confirms type and value.

use super::expr::error;
use super::{Lower, Start};
use crate::analyse::Use;
use crate::diag::{Diagnostic, SpanRange};
use crate::evaluate::{self, Value};
use crate::ir::{Block, Expr};
use crate::items::{Constant, Found, Items};
use crate::options::Options;
use crate::rules;
use crate::source::segments;
use crate::ty::Ty;
use crate::types::{self, Refusal};

/// What became of a constant.
enum Computed {
    Value(Value, Ty),
    /// Its type is none of a kernel's.
    Foreign,
    /// Its type has this mistake.
    Mistake(Box<Diagnostic>),
    /// Its value is made of more than kernels know.
    Unknown,
    /// It lies, or something in it lies, where this reader does not look.
    Unseen,
}

impl Lower<'_> {
    /// What a path leads to, as a value.
    pub(super) fn find(&self, path: &syn::Path) -> Found {
        if let Some(ident) = path.get_ident()
            && self.is_local(ident)
        {
            return Found::Nothing;
        }
        self.items
            .value(path.leading_colon.is_some(), &segments(path))
    }

    /// Whether a path of one name is a constant, as in a pattern.
    pub(super) fn names_constant(&self, ident: &syn::Ident) -> bool {
        let path = syn::Path::from(ident.clone());
        matches!(
            self.items.value(false, &segments(&path)),
            Found::Constant(_) | Found::Variant(..)
        )
    }

    /// The value of the constant `constant`, named by `path`.
    pub(super) fn constant_value(
        &mut self,
        constant: &Constant,
        path: &syn::Path,
        range: SpanRange,
    ) -> Expr {
        let computed = compute(constant, &self.items, &self.constants);
        match computed {
            Computed::Value(value, ty) => {
                let literal = value.literal(ty, range);
                let path = path.clone();
                self.uses.push(Use::Constant { path, ty, value });
                literal
            }
            Computed::Unseen => error(range),
            Computed::Mistake(diag) => {
                self.refuse_at(range, *diag);
                error(range)
            }
            Computed::Foreign => {
                let ty = types::text(&constant.ty);
                self.refused(&rules::CONSTANT_TYPE, range, &[&constant.name, &ty])
            }
            Computed::Unknown => {
                let text = types::text(&constant.value);
                let text = format!("the value of this constant, `{text}`,");
                let help = "make it of numbers, operators and other constants";
                self.refused(&rules::STATEMENT, range, &[&text, &help])
            }
        }
    }
}

/// Computes a constant in the scope where it is written. `around`: the constants whose values ask for it.
fn compute(constant: &Constant, items: &Items<'_>, around: &[String]) -> Computed {
    let key = format!("{:?} {}", constant.home, constant.name);
    if around.contains(&key) {
        // rustc says that it is made of itself.
        return Computed::Unseen;
    }
    let items = items.within(constant);
    let ty = match types::read(&constant.ty, &items) {
        Ok(Ty::Error) => return Computed::Unseen,
        Ok(Ty::Memory(_)) | Err(Refusal::Unknown) => return Computed::Foreign,
        Ok(ty) => ty,
        Err(Refusal::Mistake(diag)) => return Computed::Mistake(diag),
    };
    let mut diags = Vec::new();
    let mut lower = Lower::new(
        Start {
            name: String::new(),
            options: Options::default(),
            items,
            callers: Vec::new(),
        },
        &mut diags,
    );
    lower.constants = around.to_vec();
    lower.constants.push(key);
    let value = lower.value_of(&constant.value, ty);
    let infer = std::mem::take(&mut lower.infer);
    let mut block = Block {
        stmts: Vec::new(),
        tail: Some(Box::new(value)),
    };
    super::resolve::block(&mut block, &infer);
    let value = block.tail.as_deref().and_then(evaluate::value);
    match value.filter(|_| diags.is_empty()) {
        Some(value) => Computed::Value(value, ty),
        None => Computed::Unknown,
    }
}
