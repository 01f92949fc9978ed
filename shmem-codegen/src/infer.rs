//! Type inference for numbers: a literal without suffix has a variable, which what it meets decides, and which falls
//! back to i32 or f64 as in rustc. All other types are known where they are written, up to such numbers in tuples and
//! arrays.

use crate::ty::{Float, Int, Ty};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Any,
    Int,
    Float,
}

#[derive(Clone, Copy, Debug)]
enum Var {
    /// With the number of variables that are bound to it, itself included.
    Free(Kind, u32),
    Bound(Ty),
}

/// The variables of one kernel.
#[derive(Debug, Default)]
pub struct Infer {
    vars: Vec<Var>,
}

impl Infer {
    /// A new integer variable.
    pub fn int(&mut self) -> Ty {
        self.fresh(Kind::Int)
    }

    /// A new variable for any type: of a local that gets its value later.
    pub fn any(&mut self) -> Ty {
        self.fresh(Kind::Any)
    }

    /// A new float variable.
    pub fn float(&mut self) -> Ty {
        self.fresh(Kind::Float)
    }

    fn fresh(&mut self, kind: Kind) -> Ty {
        self.vars.push(Var::Free(kind, 1));
        Ty::Infer(u32::try_from(self.vars.len() - 1).unwrap_or(u32::MAX))
    }

    /// What is known of `ty` now.
    pub fn shallow(&self, mut ty: Ty) -> Ty {
        while let Ty::Infer(var) = ty {
            match self.vars[var as usize] {
                Var::Bound(to) => ty = to,
                Var::Free(..) => break,
            }
        }
        ty
    }

    /// How a message names `ty`: rustc's words for what is still open.
    pub fn describe(&self, ty: Ty) -> String {
        match self.shallow(ty) {
            Ty::Infer(var) => match self.vars[var as usize] {
                Var::Free(Kind::Float, _) => "{float}".to_owned(),
                Var::Free(Kind::Any, _) => "_".to_owned(),
                _ => "{integer}".to_owned(),
            },
            Ty::Tuple(tuple) => {
                let elems = tuple.elems.iter().map(|&ty| self.describe(ty));
                let texts: Vec<String> = elems.collect();
                let comma = if texts.len() == 1 { "," } else { "" };
                format!("({}{comma})", texts.join(", "))
            }
            Ty::Array(array) => format!("[{}; {}]", self.describe(array.elem), array.len),
            known => known.to_string(),
        }
    }

    /// Makes the two types one; false where they cannot be.
    #[must_use]
    pub fn unify(&mut self, a: Ty, b: Ty) -> bool {
        match (self.shallow(a), self.shallow(b)) {
            (Ty::Error, _) | (_, Ty::Error) | (Ty::Never, _) | (_, Ty::Never) => true,
            (a, b) if a == b => true,
            (Ty::Infer(var), Ty::Infer(other)) => {
                let (Var::Free(a, count), Var::Free(b, others)) =
                    (self.vars[var as usize], self.vars[other as usize])
                else {
                    return false;
                };
                let kind = match (a, b) {
                    (Kind::Any, kind) | (kind, Kind::Any) => kind,
                    (a, b) if a == b => a,
                    _ => return false,
                };
                // The few are bound to the many: no chain gets long.
                let (from, to) = if count > others {
                    (other, var)
                } else {
                    (var, other)
                };
                self.vars[from as usize] = Var::Bound(Ty::Infer(to));
                self.vars[to as usize] = Var::Free(kind, count + others);
                true
            }
            (Ty::Infer(var), known) | (known, Ty::Infer(var)) => {
                let fits = match (self.vars[var as usize], known) {
                    (Var::Free(Kind::Any, _), _) => true,
                    (Var::Free(Kind::Int, _), Ty::Int(_) | Ty::CChar) => true,
                    (Var::Free(Kind::Float, _), Ty::Float(float)) => !float.small(),
                    _ => false,
                };
                if fits {
                    self.vars[var as usize] = Var::Bound(known);
                }
                fits
            }
            (Ty::Tuple(a), Ty::Tuple(b)) => {
                a.elems.len() == b.elems.len()
                    && (a.elems.iter().zip(&b.elems)).all(|(&a, &b)| self.unify(a, b))
            }
            (Ty::Array(a), Ty::Array(b)) => a.len == b.len && self.unify(a.elem, b.elem),
            _ => false,
        }
    }

    /// The type at the end: i32 and f64 for what nothing decided.
    pub fn resolve(&self, ty: Ty) -> Ty {
        match self.shallow(ty) {
            Ty::Infer(var) => match self.vars[var as usize] {
                Var::Free(Kind::Float, _) => Ty::Float(Float::F64),
                Var::Free(Kind::Any, _) => Ty::Error,
                _ => Ty::Int(Int::I32),
            },
            Ty::Tuple(tuple) => Ty::tuple(tuple.elems.iter().map(|&ty| self.resolve(ty)).collect()),
            Ty::Array(array) => Ty::array(self.resolve(array.elem), array.len),
            known => known,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_variable_takes_the_type_that_it_meets_last() {
        let mut infer = Infer::default();
        let (a, b) = (infer.int(), infer.int());
        assert!(infer.unify(a, b));
        assert!(infer.unify(b, Ty::Int(Int::U64)));
        assert_eq!(infer.resolve(a), Ty::Int(Int::U64));
        assert!(!infer.unify(a, Ty::Int(Int::I8)));
    }

    #[test]
    fn open_variables_fall_back_as_in_rustc() {
        let mut infer = Infer::default();
        let (int, float) = (infer.int(), infer.float());
        assert!(!infer.unify(int, float));
        assert_eq!(infer.describe(int), "{integer}");
        assert_eq!(infer.resolve(int), Ty::Int(Int::I32));
        assert_eq!(infer.resolve(float), Ty::Float(Float::F64));
    }

    #[test]
    fn an_integer_literal_is_never_a_float() {
        let mut infer = Infer::default();
        let int = infer.int();
        assert!(!infer.unify(int, Ty::Float(Float::F32)));
        assert!(!infer.unify(int, Ty::Bool));
    }
}
