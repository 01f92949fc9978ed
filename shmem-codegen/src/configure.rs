//! `#[cfg]` and `#[cfg_attr]` inside of a function: what they take away is taken away, for both readers alike. rustc
//! confirms each predicate on the host stub.

use syn::Meta;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};

use crate::diag::{Diagnostic, SpanRange};
use crate::lower::attributes;
use crate::rules;
use crate::source;

/// A function as its `cfg`s leave it.
#[derive(Clone)]
pub struct Configured {
    /// What is left.
    pub item: syn::ItemFn,
    /// The predicates, and whether they hold.
    pub checks: Vec<(Meta, bool)>,
    /// Some predicate is not known: what depends on it is still there, with its attribute.
    pub unknown: bool,
    /// Predicates that no kernel has.
    pub diagnostics: Vec<Diagnostic>,
}

/// Takes away from `item` what is off; `known` says which names and values of `cfg` hold.
pub fn configure(item: &syn::ItemFn, known: &dyn Fn(&Meta) -> Option<bool>) -> Configured {
    let mut configured = Configured {
        item: item.clone(),
        checks: Vec::new(),
        unknown: false,
        diagnostics: Vec::new(),
    };
    let mut left = item.clone();
    let mut visit = Configure {
        known,
        configured: &mut configured,
    };
    visit.visit_signature_mut(&mut left.sig);
    visit.visit_block_mut(&mut left.block);
    configured.item = left;
    configured
}

struct Configure<'a> {
    known: &'a dyn Fn(&Meta) -> Option<bool>,
    configured: &'a mut Configured,
}

impl Configure<'_> {
    /// Whether what has these attributes is there.
    fn keep(&mut self, attrs: &mut Vec<syn::Attribute>) -> bool {
        let mut left = Vec::new();
        let mut keep = true;
        for attr in std::mem::take(attrs) {
            keep &= self.attribute(attr, &mut left);
        }
        *attrs = left;
        keep
    }

    fn attribute(&mut self, attr: syn::Attribute, left: &mut Vec<syn::Attribute>) -> bool {
        let conditional = attr.path().is_ident("cfg_attr");
        let Meta::List(list) = &attr.meta else {
            left.push(attr);
            return true;
        };
        if !conditional && !attr.path().is_ident("cfg") {
            left.push(attr);
            return true;
        }
        let metas = source::list(list);
        let Some((predicate, given)) = metas.split_first() else {
            left.push(attr);
            return true;
        };
        match self.holds(predicate, &attr) {
            None => {
                left.push(attr);
                true
            }
            Some(holds) if !conditional => holds,
            Some(holds) => given.iter().filter(|_| holds).fold(true, |keep, meta| {
                let meta = meta.clone();
                let given = syn::Attribute {
                    meta,
                    ..attr.clone()
                };
                self.attribute(given, left) && keep
            }),
        }
    }

    fn holds(&mut self, predicate: &Meta, attr: &syn::Attribute) -> Option<bool> {
        if source::predicate(predicate)
            .split(' ')
            .any(|word| word == "test")
        {
            let range = SpanRange::over(attr);
            let mistake = Diagnostic::new(&rules::CFG_TEST_INSIDE, range, &[]);
            self.configured.diagnostics.push(mistake);
            return Some(false);
        }
        let holds = source::holds(predicate, self.known);
        match holds {
            Some(holds) => self.configured.checks.push((predicate.clone(), holds)),
            None => self.configured.unknown = true,
        }
        holds
    }

    /// The elements of a list that are there.
    fn list<T, P: Default>(
        &mut self,
        list: &mut Punctuated<T, P>,
        attrs: impl Fn(&mut T) -> Option<&mut Vec<syn::Attribute>>,
    ) {
        let before = list.len();
        let elements = std::mem::take(list).into_pairs().filter_map(|mut pair| {
            let keep = attrs(pair.value_mut()).is_none_or(|attrs| self.keep(attrs));
            keep.then_some(pair)
        });
        *list = elements.collect();
        if list.len() < before && list.len() == 1 && !list.trailing_punct() {
            // `(a,)` is still a tuple.
            list.push_punct(P::default());
        }
    }
}

fn of_expr(expr: &mut syn::Expr) -> Option<&mut Vec<syn::Attribute>> {
    attributes::of_mut(expr)
}

impl VisitMut for Configure<'_> {
    fn visit_signature_mut(&mut self, sig: &mut syn::Signature) {
        self.list(&mut sig.inputs, |input| match input {
            syn::FnArg::Typed(typed) => Some(&mut typed.attrs),
            syn::FnArg::Receiver(receiver) => Some(&mut receiver.attrs),
        });
    }

    fn visit_block_mut(&mut self, block: &mut syn::Block) {
        block.stmts.retain_mut(|stmt| {
            let attrs = match stmt {
                syn::Stmt::Local(local) => Some(&mut local.attrs),
                syn::Stmt::Macro(mac) => Some(&mut mac.attrs),
                syn::Stmt::Expr(expr, _) => of_expr(expr),
                syn::Stmt::Item(_) => None,
            };
            attrs.is_none_or(|attrs| self.keep(attrs))
        });
        visit_mut::visit_block_mut(self, block);
    }

    fn visit_expr_match_mut(&mut self, matched: &mut syn::ExprMatch) {
        matched.arms.retain_mut(|arm| self.keep(&mut arm.attrs));
        visit_mut::visit_expr_match_mut(self, matched);
    }

    fn visit_expr_call_mut(&mut self, call: &mut syn::ExprCall) {
        self.list(&mut call.args, of_expr);
        visit_mut::visit_expr_call_mut(self, call);
    }

    fn visit_expr_method_call_mut(&mut self, call: &mut syn::ExprMethodCall) {
        self.list(&mut call.args, of_expr);
        visit_mut::visit_expr_method_call_mut(self, call);
    }

    fn visit_expr_tuple_mut(&mut self, tuple: &mut syn::ExprTuple) {
        self.list(&mut tuple.elems, of_expr);
        visit_mut::visit_expr_tuple_mut(self, tuple);
    }

    fn visit_expr_array_mut(&mut self, array: &mut syn::ExprArray) {
        self.list(&mut array.elems, of_expr);
        visit_mut::visit_expr_array_mut(self, array);
    }

    fn visit_expr_struct_mut(&mut self, literal: &mut syn::ExprStruct) {
        self.list(&mut literal.fields, |field| Some(&mut field.attrs));
        visit_mut::visit_expr_struct_mut(self, literal);
    }

    fn visit_pat_struct_mut(&mut self, pat: &mut syn::PatStruct) {
        self.list(&mut pat.fields, |field| Some(&mut field.attrs));
        visit_mut::visit_pat_struct_mut(self, pat);
    }
}
