//! Expressions.

use syn::ext::IdentExt;

use super::Lower;
use crate::analyse::NodeId;
use crate::diag::SpanRange;
use crate::ir::{BinOp, Block, Expr, ExprKind, Fault};
use crate::items::Found;
use crate::rules;
use crate::ty::Ty;
use crate::types;

impl Lower<'_> {
    /// An expression that must have a value.
    pub(super) fn value(&mut self, expr: &syn::Expr) -> Expr {
        let lowered = self.expr(expr, None);
        self.valued(lowered)
    }

    pub(super) fn valued(&mut self, lowered: Expr) -> Expr {
        match lowered.ty {
            Ty::Ref(..) => {
                let help = "write `*` before it for what it refers to";
                self.refused(&rules::REFERENCE, lowered.range, &[&help])
            }
            Ty::Unit => self.refused(&rules::NO_VALUE, lowered.range, &[]),
            // It stands for a value in the branch of an `if` only.
            Ty::Never => self.refused(&rules::NEVER, lowered.range, &[]),
            _ => lowered,
        }
    }

    /// A value of type `expected`.
    pub(super) fn value_of(&mut self, expr: &syn::Expr, expected: Ty) -> Expr {
        let lowered = self.value(expr);
        self.expect(&lowered, expected);
        lowered
    }

    /// Unifies the type of `expr` with `expected`, or says that they differ.
    pub(super) fn expect(&mut self, expr: &Expr, expected: Ty) {
        if !self.infer.unify(expr.ty, expected) {
            let (want, got) = (self.infer.describe(expected), self.infer.describe(expr.ty));
            let help = self.conversion(expected, expr.ty);
            self.refuse(&rules::MISMATCH, expr.range, &[&want, &got, &help]);
        }
    }

    /// Any expression; `hint` is the type of a cast around it.
    pub(super) fn expr(&mut self, expr: &syn::Expr, hint: Option<Ty>) -> Expr {
        self.no_attributes(super::attributes::of(expr));
        self.bare_expr(expr, hint)
    }

    /// An expression whose attributes have been looked at.
    pub(super) fn bare_expr(&mut self, expr: &syn::Expr, hint: Option<Ty>) -> Expr {
        let range = SpanRange::over(expr);
        let name = match expr {
            // Part of a mistake that was told where the local was declared.
            syn::Expr::Index(syn::ExprIndex { expr: base, .. })
            | syn::Expr::Field(syn::ExprField { base, .. })
            | syn::Expr::Reference(syn::ExprReference { expr: base, .. })
            | syn::Expr::Unary(syn::ExprUnary {
                op: syn::UnOp::Deref(_),
                expr: base,
                ..
            })
            | syn::Expr::Try(syn::ExprTry { expr: base, .. })
                if self.is_refused(base) =>
            {
                return error(range);
            }
            syn::Expr::Lit(lit) => return self.literal(&lit.lit, hint),
            syn::Expr::Paren(paren) => return self.parenthesised(&paren.expr, range, hint),
            syn::Expr::Group(group) => {
                return Expr {
                    range,
                    ..self.expr(&group.expr, hint)
                };
            }
            syn::Expr::Path(path) => return self.path(path, range),
            syn::Expr::Unary(unary) => return self.unary(unary, hint, range),
            syn::Expr::Binary(binary) => return self.binary(binary, range),
            syn::Expr::Cast(cast) => return self.cast(cast, range),
            syn::Expr::Call(call) => return self.call(call, range),
            syn::Expr::MethodCall(call) => return self.method(call, range),
            syn::Expr::If(branch) => return self.if_value(branch, range),
            syn::Expr::Block(block) if block.label.is_none() => {
                return self.block_value(&block.block, hint, range);
            }
            syn::Expr::Unsafe(block) => {
                self.unsafe_depth += 1;
                let lowered = self.block_value(&block.block, hint, range);
                self.unsafe_depth -= 1;
                return lowered;
            }
            syn::Expr::Macro(mac) => return self.macro_call(&mac.mac, range),
            syn::Expr::Match(matched) => return self.match_value(matched, true, range),
            syn::Expr::Loop(endless) => return self.loop_value(endless, range),
            syn::Expr::Try(_) => return self.refused(&rules::QUESTION_MARK, range, &[]),
            syn::Expr::Closure(_) => ("a closure", "write its body where it is called"),
            syn::Expr::Array(array) => return self.array(array, range),
            syn::Expr::Repeat(repeat) => return self.repeat(repeat, range),
            syn::Expr::Tuple(tuple) => return self.tuple(tuple, range),
            syn::Expr::Struct(literal) => return self.struct_literal(literal, range),
            syn::Expr::Index(index) => {
                let base = self.base(&index.expr);
                return self.index(base, index, range);
            }
            syn::Expr::Field(field) => {
                let base = self.base(&field.base);
                return self.field(base, field, range);
            }
            syn::Expr::Reference(_) => {
                let help = "a view of memory is passed as it is, and a local by its name";
                return self.refused(&rules::REFERENCE, range, &[&help]);
            }
            syn::Expr::Async(_) | syn::Expr::Await(_) => ("async code", "a kernel runs to its end"),
            syn::Expr::Range(_) => (
                "a range as a value",
                "write it in `for` or in `.slice(start..end)`",
            ),
            syn::Expr::Let(_) => (
                "`let` beside other conditions",
                "write `if let` alone, and the other conditions in it",
            ),
            syn::Expr::Assign(_) => (
                "an assignment as a value",
                "write it as a statement of its own",
            ),
            syn::Expr::Block(block) => return self.labelled(block, true, range),
            syn::Expr::While(_) | syn::Expr::ForLoop(_) => {
                ("a loop as a value", "assign to a local in the loop")
            }
            syn::Expr::Break(_) | syn::Expr::Continue(_) | syn::Expr::Return(_) => {
                ("a jump as a value", "write it as a statement of its own")
            }
            syn::Expr::RawAddr(_) => ("a raw address", "a view of memory is passed as it is"),
            syn::Expr::Const(_) => ("a const block", "write the value"),
            syn::Expr::Infer(_) => ("`_` as a value", "write the value"),
            _ => (
                "this expression",
                "write it with locals, operators, `if` and loops",
            ),
        };
        self.refused(&rules::STATEMENT, range, &[&name.0, &name.1])
    }

    /// To rustc the parentheses are part of what is in them: a panic points at the opening one.
    fn parenthesised(&mut self, inner: &syn::Expr, range: SpanRange, hint: Option<Ty>) -> Expr {
        let inner = self.expr(inner, hint);
        if let ExprKind::Binary(.., site)
        | ExprKind::Neg(_, site)
        | ExprKind::Device(.., site)
        | ExprKind::Index(.., Some(site)) = inner.kind
        {
            self.sites[site.0 as usize].span = range.first;
        }
        Expr { range, ..inner }
    }

    fn path(&mut self, path: &syn::ExprPath, range: SpanRange) -> Expr {
        let name = types::text(path);
        let id = path
            .path
            .get_ident()
            .filter(|_| path.qself.is_none())
            .and_then(|ident| self.lookup(&ident.unraw().to_string()));
        match id {
            Some(id) => {
                self.locals[id.0].reads += 1;
                Expr {
                    kind: ExprKind::Local(id),
                    ty: self.locals[id.0].ty,
                    range,
                }
            }
            None => {
                let found = match path.qself {
                    Some(_) => Found::Nothing,
                    None => self.find(&path.path),
                };
                if let Found::Constant(constant) = &found {
                    return self.constant_value(constant, &path.path, range);
                }
                if let Found::Nothing | Found::Outside | Found::Unseen = found
                    && let Some(constant) = self.constant(path, range)
                {
                    return constant;
                }
                if let Found::Variant(of, variant) = &found {
                    return self.found_variant(of, variant, &path.path, range);
                }
                if let Some(variant) = self.variant(path, range) {
                    return variant;
                }
                if let Found::Unseen = found {
                    return error(range);
                }
                let help = super::advice::instead_of_name(&path.path, &found);
                self.refused(&rules::NAME, range, &[&name, &help])
            }
        }
    }

    fn unary(&mut self, unary: &syn::ExprUnary, hint: Option<Ty>, range: SpanRange) -> Expr {
        match unary.op {
            syn::UnOp::Neg(_) => {
                if let Some(lit) = int_literal(&unary.expr) {
                    return self.int_literal(lit, true, hint, range);
                }
                let inner = self.with_hint(&unary.expr, hint);
                // Signed or a float: the operand is checked when its type is known; its sign is set then too.
                let site = self.site(
                    range,
                    Fault::Arithmetic {
                        verb: "negate",
                        signed: true,
                    },
                );
                Expr {
                    ty: inner.ty,
                    kind: ExprKind::Neg(Box::new(inner), site),
                    range,
                }
            }
            syn::UnOp::Not(_) => {
                let inner = self.with_hint(&unary.expr, hint);
                Expr {
                    ty: inner.ty,
                    kind: ExprKind::Not(Box::new(inner)),
                    range,
                }
            }
            _ => self.dereferenced(&unary.expr, range),
        }
    }

    fn with_hint(&mut self, expr: &syn::Expr, hint: Option<Ty>) -> Expr {
        let lowered = self.expr(expr, hint);
        self.valued(lowered)
    }

    fn binary(&mut self, binary: &syn::ExprBinary, range: SpanRange) -> Expr {
        if let syn::BinOp::And(_) | syn::BinOp::Or(_) = binary.op {
            let and = matches!(binary.op, syn::BinOp::And(_));
            let left = self.value_of(&binary.left, Ty::Bool);
            let right = self.value_of(&binary.right, Ty::Bool);
            return Expr {
                kind: ExprKind::Logical(and, Box::new(left), Box::new(right)),
                ty: Ty::Bool,
                range,
            };
        }
        let Some((op, assigns)) = operator(&binary.op) else {
            return self.refused(
                &rules::STATEMENT,
                range,
                &[&"this operator", &"write it out"],
            );
        };
        if assigns {
            return self.refused(
                &rules::STATEMENT,
                range,
                &[
                    &"an assignment as a value",
                    &"write it as a statement of its own",
                ],
            );
        }
        let left = self.value(&binary.left);
        let right = self.value(&binary.right);
        if !self.operands(op, &left, &right, range) {
            return error(range);
        }
        match self.infer.shallow(left.ty) {
            ty if ty.is_aggregate() && matches!(op, BinOp::Eq | BinOp::Ne) => {
                return self.equality(op == BinOp::Eq, left, right, range);
            }
            Ty::Enum(of) if op.compares() => {
                let equality = matches!(op, BinOp::Eq | BinOp::Ne);
                if !(if equality { of.equals } else { of.compares }) {
                    let what = if equality { "PartialEq" } else { "PartialOrd" };
                    let help = format!("derive {what} for it, beside Clone and Copy");
                    let ty = Ty::Enum(of);
                    return self.refused(&rules::OPERATOR, range, &[&op.sign(), &ty, &help]);
                }
            }
            _ => {}
        }
        let ty = if op.compares() { Ty::Bool } else { left.ty };
        let site = self.site(
            range,
            Fault::Arithmetic {
                verb: op.verb(),
                signed: true,
            },
        );
        Expr {
            kind: ExprKind::Binary(op, Box::new(left), Box::new(right), site),
            ty,
            range,
        }
    }

    /// Both sides of an operator have one type, shifts apart.
    #[must_use]
    pub(super) fn operands(
        &mut self,
        op: BinOp,
        left: &Expr,
        right: &Expr,
        range: SpanRange,
    ) -> bool {
        let fit = op.shifts() || self.infer.unify(left.ty, right.ty);
        if !fit {
            let (a, b) = (self.infer.describe(left.ty), self.infer.describe(right.ty));
            let help = self.one_type(left.ty, right.ty);
            self.refuse(&rules::OPERANDS, range, &[&op.sign(), &a, &b, &help]);
        }
        fit
    }

    fn cast(&mut self, cast: &syn::ExprCast, range: SpanRange) -> Expr {
        let Some(ty) = types::scalar(&cast.ty) else {
            let text = types::text(&cast.ty);
            return self.refused(&rules::TYPE, SpanRange::over(&cast.ty), &[&text]);
        };
        let inner = self.with_hint(&cast.expr, Some(ty));
        self.types.push((NodeId::of(cast), ty));
        Expr {
            kind: ExprKind::Cast(Box::new(inner)),
            ty,
            range,
        }
    }

    fn if_value(&mut self, branch: &syn::ExprIf, range: SpanRange) -> Expr {
        if let syn::Expr::Let(condition) = &*branch.cond {
            return self.if_let(branch, condition, true, range);
        }
        let condition = self.value_of(&branch.cond, Ty::Bool);
        let (then, then_ty) = self.value_block(&branch.then_branch);
        let Some((_, else_branch)) = &branch.else_branch else {
            return self.refused(&rules::IF_NO_ELSE, range, &[]);
        };
        let (otherwise, else_ty) = match &**else_branch {
            syn::Expr::Block(block) => self.value_block(&block.block),
            other => {
                let value = self.expr(other, None);
                let ty = value.ty;
                (
                    Block {
                        stmts: Vec::new(),
                        tail: Some(Box::new(value)),
                    },
                    ty,
                )
            }
        };
        let tail = otherwise.tail.as_ref().map(|tail| tail.range);
        let at = tail.unwrap_or_else(|| SpanRange::over(else_branch));
        let Some(ty) = self.of_both(then_ty, else_ty, at) else {
            return error(range);
        };
        Expr {
            kind: ExprKind::If(Box::new(condition), then, otherwise),
            ty,
            range,
        }
    }

    /// The type of a value that one of two branches gives; that they differ is told at `at`.
    pub(super) fn of_both(&mut self, then: Ty, otherwise: Ty, at: SpanRange) -> Option<Ty> {
        if !self.infer.unify(then, otherwise) {
            let (want, got) = (self.infer.describe(then), self.infer.describe(otherwise));
            let help = "both branches have one type";
            self.refuse(&rules::MISMATCH, at, &[&want, &got, &help]);
            return None;
        }
        Some(if then == Ty::Never { otherwise } else { then })
    }

    fn block_value(&mut self, block: &syn::Block, hint: Option<Ty>, range: SpanRange) -> Expr {
        let (block, ty) = self.scoped(|lower| lower.statements(block, true, hint));
        Expr {
            kind: ExprKind::Block(block),
            ty,
            range,
        }
    }
}

/// Stands in for an expression that is part of a mistake told elsewhere.
pub(super) fn error(range: SpanRange) -> Expr {
    Expr {
        kind: ExprKind::Error,
        ty: Ty::Error,
        range,
    }
}

/// The integer literal that `expr` is, parentheses apart: with the minus before it, one number.
fn int_literal(expr: &syn::Expr) -> Option<&syn::LitInt> {
    match expr {
        syn::Expr::Lit(syn::ExprLit {
            lit: syn::Lit::Int(lit),
            ..
        }) => Some(lit),
        syn::Expr::Paren(paren) => int_literal(&paren.expr),
        syn::Expr::Group(group) => int_literal(&group.expr),
        _ => None,
    }
}

/// The operator, and whether it assigns.
pub(super) fn operator(op: &syn::BinOp) -> Option<(BinOp, bool)> {
    use syn::BinOp as S;
    Some(match op {
        S::Add(_) => (BinOp::Add, false),
        S::Sub(_) => (BinOp::Sub, false),
        S::Mul(_) => (BinOp::Mul, false),
        S::Div(_) => (BinOp::Div, false),
        S::Rem(_) => (BinOp::Rem, false),
        S::BitXor(_) => (BinOp::BitXor, false),
        S::BitAnd(_) => (BinOp::BitAnd, false),
        S::BitOr(_) => (BinOp::BitOr, false),
        S::Shl(_) => (BinOp::Shl, false),
        S::Shr(_) => (BinOp::Shr, false),
        S::Eq(_) => (BinOp::Eq, false),
        S::Lt(_) => (BinOp::Lt, false),
        S::Le(_) => (BinOp::Le, false),
        S::Ne(_) => (BinOp::Ne, false),
        S::Ge(_) => (BinOp::Ge, false),
        S::Gt(_) => (BinOp::Gt, false),
        S::AddAssign(_) => (BinOp::Add, true),
        S::SubAssign(_) => (BinOp::Sub, true),
        S::MulAssign(_) => (BinOp::Mul, true),
        S::DivAssign(_) => (BinOp::Div, true),
        S::RemAssign(_) => (BinOp::Rem, true),
        S::BitXorAssign(_) => (BinOp::BitXor, true),
        S::BitAndAssign(_) => (BinOp::BitAnd, true),
        S::BitOrAssign(_) => (BinOp::BitOr, true),
        S::ShlAssign(_) => (BinOp::Shl, true),
        S::ShrAssign(_) => (BinOp::Shr, true),
        _ => return None,
    })
}
