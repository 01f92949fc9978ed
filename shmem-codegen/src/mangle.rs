//! Names. Every pattern of a generated name is here:
//!
//! | what | name |
//! |---|---|
//! | kernel | `shmem_k_<crate>_<module path>_<name>`, then `_x<hash>` where two paths of a package would meet |
//! | its launcher | `<kernel>_launch` |
//! | its contract | `<kernel>_contract` |
//! | a device function | `shmem_d_<crate>_<module path>_<name>`, then `_x<hash>` where two paths could read alike, then `_unchecked` or `_wrapping`, and `_vector`, for such kernels |
//! | where its sites begin | `t_site` |
//! | a parameter or local `x` | `k_x`; what shadows it `k2_x`, `k3_x`, ... |
//! | the length of a slice `x` | `len_x`, `len2_x`, ... as the pointer |
//! | the bits of a scalar parameter `x` | `b_x` |
//! | a temporary | `t_<number>` |
//! | the fault records | `t_fault` |
//! | a struct or enum `X` | `s_X`, then `_x<hash>` in a module below the root |
//! | its fields, variants and those of tuples | `k_<name>`, `k_0`, `k_1`, ... |
//! | a tuple type | `tuple<count>_<types>` |
//! | a label | `l_<loop>_break`, `l_<loop>_continue` |
//!
//! A character that C does not allow in names becomes `_u<hex>_`. None of the prefixes begins a macro or a name of
//! `kernel_operator.h` or `shmem.h`; a test reads the list.

use std::collections::{HashMap, HashSet};

use crate::ir::Kernel;
use crate::options::Options;
use crate::ty::Ty;
use crate::{VERSION, tokens};

/// Makes one identifier part of a Rust name. No two names share one: what looks like an escape is escaped as well.
pub(crate) fn escape(name: &str) -> String {
    let mut escaped = String::new();
    for (at, c) in name.char_indices() {
        let plain = c.is_ascii_alphanumeric() || c == '_';
        if plain && !is_escape(&name[at..]) {
            escaped.push(c);
        } else {
            escaped.push_str(&format!("_u{:x}_", u32::from(c)));
        }
    }
    escaped
}

/// Whether `text` begins with what an escaped character looks like: also once what follows is escaped.
fn is_escape(text: &str) -> bool {
    let digits = text.strip_prefix("_u").unwrap_or_default();
    let rest = digits.trim_start_matches(|c: char| c.is_ascii_hexdigit());
    rest.len() < digits.len() && rest.starts_with(|c: char| !c.is_ascii_alphanumeric())
}

/// The symbols of all kernels of a package, from their paths: crate, modules, name.
pub fn symbols(paths: &[Vec<String>]) -> Vec<String> {
    let plain = |path: &Vec<String>| {
        let parts: Vec<String> = path.iter().map(|part| escape(part)).collect();
        format!("shmem_k_{}", parts.join("_"))
    };
    let mut counts: HashMap<String, HashSet<&Vec<String>>> = HashMap::new();
    for path in paths {
        counts.entry(plain(path)).or_default().insert(path);
    }
    paths
        .iter()
        .map(|path| {
            let name = plain(path);
            if counts[&name].len() == 1 {
                name
            } else {
                format!(
                    "{name}_x{:08x}",
                    tokens::fnv(path.iter().map(String::as_str)) >> 32
                )
            }
        })
        .collect()
}

/// The name of the device function of this path: crate, modules, name. Where the names have a `_` of their own, two
/// paths could read alike; in the body of a function, where `block` is the number of the block, they could be the same.
pub(crate) fn device(path: &[String], block: Option<usize>) -> String {
    let named = path.iter().filter(|part| !part.is_empty());
    let parts: Vec<String> = named.map(|part| escape(part)).collect();
    let name = format!("shmem_d_{}", parts.join("_"));
    if block.is_some() || path.iter().skip(1).any(|part| escape(part).contains('_')) {
        let block = block.map(|block| block.to_string());
        let parts = path.iter().chain(&block).map(String::as_str);
        let hash = tokens::fnv(parts) >> 32;
        return format!("{name}_x{hash:08x}");
    }
    name
}

/// The name of the form of a device function that the options of a kernel ask for.
pub(crate) fn form(function: &Kernel, overflow_checks: bool) -> String {
    let mut name = function.home.symbol.clone();
    if function.options.unchecked {
        name.push_str("_unchecked");
    } else if !overflow_checks {
        name.push_str("_wrapping");
    }
    if function.options.vector {
        name.push_str("_vector");
    }
    name
}

/// The hash that the library and the host stub must agree on: version, target, options, overflow checks, signature.
pub fn contract(
    options: Options,
    overflow_checks: bool,
    target: &str,
    params: &[Ty],
    sites: usize,
) -> u64 {
    let flags = format!("{options:?} {overflow_checks} {sites}");
    let params: Vec<String> = params.iter().map(|ty| ty.structure_text()).collect();
    let texts = [VERSION, target, &flags]
        .into_iter()
        .chain(params.iter().map(String::as_str));
    tokens::fnv(texts)
}

/// The name of a struct or enum in the scope `place`, which is empty for the root of a crate.
pub(crate) fn nominal(name: &str, place: &str) -> String {
    let name = format!("s_{}", escape(name));
    if place.is_empty() {
        return name;
    }
    format!("{name}_x{:08x}", tokens::fnv([place].into_iter()) >> 32)
}

/// The name of a field or variant.
pub(crate) fn field(name: &str) -> String {
    format!("k_{}", escape(name))
}

/// The name of the tuple of `elems`: no two tuples share it.
pub(crate) fn tuple(elems: &[Ty]) -> String {
    let parts: Vec<String> = elems.iter().map(|&ty| part(ty)).collect();
    format!("tuple{}_{}", elems.len(), parts.join("_"))
}

/// One type in the name of a tuple: where it ends is told by what it begins with.
fn part(ty: Ty) -> String {
    match ty {
        Ty::Tuple(of) => tuple(&of.elems),
        Ty::Array(of) => format!("array{}_{}", of.len, part(of.elem)),
        Ty::Struct(_) | Ty::Enum(_) => {
            let name = ty.cpp();
            format!("{}{name}", name.len())
        }
        Ty::CChar => "char".to_owned(),
        scalar => escape(&scalar.to_string()),
    }
}

/// Names of locals that no two locals share.
#[derive(Debug, Default)]
pub(crate) struct Names {
    /// How many there are of each name.
    counts: HashMap<String, u32>,
}

/// The names of one local.
#[derive(Clone, Debug, Default)]
pub(crate) struct Named {
    /// The value, or the pointer.
    pub value: String,
    /// The length of a slice.
    pub len: String,
    /// The bits of a parameter.
    pub bits: String,
}

impl Names {
    /// The names for a local called `name` in Rust.
    pub fn add(&mut self, name: &str) -> Named {
        let escaped = escape(name);
        let count = self.counts.entry(escaped.clone()).or_default();
        *count += 1;
        let number = if *count == 1 {
            String::new()
        } else {
            count.to_string()
        };
        Named {
            value: format!("k{number}_{escaped}"),
            len: format!("len{number}_{escaped}"),
            bits: format!("b{number}_{escaped}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aggregate::Field;

    fn path(text: &str) -> Vec<String> {
        text.split("::").map(str::to_owned).collect()
    }

    #[test]
    fn a_symbol_reads_like_the_path() {
        assert_eq!(
            symbols(&[path("rma_d2h::kernels::ring")]),
            ["shmem_k_rma_d2h_kernels_ring"]
        );
    }

    #[test]
    fn paths_that_would_meet_are_told_apart() {
        let symbols = symbols(&[path("c::a_b::k"), path("c::a::b_k"), path("c::k")]);
        assert_ne!(symbols[0], symbols[1]);
        assert!(
            symbols[0].starts_with("shmem_k_c_a_b_k_x"),
            "{}",
            symbols[0]
        );
        assert_eq!(symbols[2], "shmem_k_c_k");
    }

    #[test]
    fn a_contract_knows_what_its_structs_hold() {
        let of = |name: &str, ty| {
            let name = name.to_owned();
            Ty::structure("S".to_owned(), "", vec![Field { name, ty }], false)
        };
        let types = [
            of("a", Ty::Bool),
            of("b", Ty::Bool),
            of("a", Ty::CChar),
            Ty::array(of("a", Ty::Bool), 2),
        ];
        let contracts: HashSet<u64> = types
            .iter()
            .map(|ty| contract(Options::default(), true, "sim", &[*ty], 0))
            .collect();
        assert_eq!(contracts.len(), 4);
    }

    #[test]
    fn names_that_c_does_not_allow_are_escaped() {
        assert_eq!(escape("größe"), "gr_uf6__udf_e");
        assert_eq!(escape("gr_uf6__udf_e"), "gr_u5f_uf6__u5f_udf_e");
        assert_eq!(escape("öuf6_"), "_uf6_uf6_");
        assert_eq!(escape("_uf6ö"), "_u5f_uf6_uf6_");
    }

    #[test]
    fn shadowing_and_escapes_never_meet() {
        let mut names = Names::default();
        let all: Vec<String> = ["x", "x", "ö", "_uf6_", "x"]
            .iter()
            .map(|name| names.add(name).value)
            .collect();
        assert_eq!(all, ["k_x", "k2_x", "k__uf6_", "k__u5f_uf6_", "k3_x"]);
    }
}
