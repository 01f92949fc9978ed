//! What is made of the pool: kernels with some trees deleted, doubled, swapped, replaced; and tokens in any order.

use std::ops::Range;

use proc_macro2::Delimiter;
use proptest::prelude::*;
use proptest::sample::Index;

use super::trees::{self, Source, Tree};

/// Tokens that mean something to the front end, and some that mean nothing.
const TOKENS: &str = r#"
    a b i x k _ self Self crate super shmem core std f32 i8 u8 i16 i32 u32 i64 u64 f64 f16 bf16 bool usize isize
    i128 char str c_char Symmetric Global Option Some None my_pe n_pes block_idx block_num p g quiet fence load
    store at len at_unchecked slice rev step_by wrapping_add overflowing_mul pow abs to_f32 from_f32 from_bits
    to_bits min max clamp swap mem cmp MAX MIN BITS EPSILON NAN INFINITY shmem_kernel shmem_device unchecked
    all_blocks vector derive Clone Copy PartialEq PartialOrd cfg test assert assert_eq debug_assert panic
    unreachable print todo vec let mut ref if else match loop while for in break continue return fn const static
    struct enum impl trait mod use pub unsafe as move async await dyn where type true false r#fn 'a 'b 'static 'x'
    b'x' "" "{}" "{x}{:?}{{" "é" c"c" b"b" 0 1 -1 2 3 7 255 256 0x7fff_ffff 2147483648 9223372036854775808
    18446744073709551615 340282366920938463463374607431768211455 99999999999999999999999999999999999999999999 1u8
    300u8 0b12 1i128 0.0 1e400 1e-400 2.5f32 1f64 1_f16 é + - * / % ^ ! & | && || << >> += -= <<= == != < > <= >=
    = => -> .. ..= ... ::
"#;

/// Signs that stand between other things.
const SIGNS: [&str; 8] = [".", ",", ";", ":", "?", "@", "#", "$"];

fn token() -> impl Strategy<Value = String> {
    prop_oneof![
        4 => prop::sample::select(TOKENS.split_whitespace().collect::<Vec<_>>()),
        1 => prop::sample::select(&SIGNS[..]),
    ]
    .prop_map(str::to_owned)
}

fn delimiter() -> impl Strategy<Value = Delimiter> {
    prop::sample::select(vec![
        Delimiter::Parenthesis,
        Delimiter::Bracket,
        Delimiter::Brace,
    ])
}

/// Tokens in any order, nested.
fn any_trees() -> impl Strategy<Value = Vec<Tree>> {
    let leaf = token().prop_map(Tree::Token);
    let tree = leaf.prop_recursive(6, 64, 8, |inner| {
        (delimiter(), prop::collection::vec(inner, 0..8))
            .prop_map(|(delimiter, inner)| Tree::Group(delimiter, inner))
    });
    prop::collection::vec(tree, 0..16)
}

/// Kernels with such tokens where rustc takes any: `@` stands for them.
const HOLES: [&str; 9] = [
    "@",
    "#[shmem_kernel(@)] fn k(x: i32) {}",
    "#[shmem_device(@)] #[allow(@)] fn k(#[doc(@)] x: i32) -> i32 { #[inline(@)] x }",
    "#[shmem_kernel] fn k(x: i32, f: f32) { assert!(@); }",
    "#[shmem_kernel] fn k(x: i32, f: f32) { assert_eq!(x, @); debug_assert!(x == @) }",
    "#[shmem_kernel] fn k(x: i32, f: f32) { shmem::print!(@); panic!(@) }",
    "#[shmem_kernel] fn k(x: i32, f: f32) { shmem::print!(\"{} {x:?}\", @); unreachable!(@) }",
    "#[shmem_kernel] fn k(x: i32) { vec![@]; let y = x + m!{@}; }",
    "#[derive(@)] #[repr(@)] struct S { #[serde(@)] a: i32 } const N: usize = n!(@); #[shmem_kernel] fn k(s: S) { s.a + N; }",
];

/// Tokens in any order, at a place where rustc takes any.
pub fn any_tokens() -> impl Strategy<Value = Source> {
    let hole = prop::sample::select(&HOLES[..]);
    (hole, any_trees()).prop_map(|(text, tokens)| {
        let mut trees = trees::of(text.parse().expect("tokens"));
        fill(&mut trees, &tokens);
        Source(trees)
    })
}

fn fill(trees: &mut Vec<Tree>, tokens: &[Tree]) {
    for tree in std::mem::take(trees) {
        match tree {
            Tree::Token(text) if text == "@" => trees.extend_from_slice(tokens),
            Tree::Group(delimiter, mut inner) => {
                fill(&mut inner, tokens);
                trees.push(Tree::Group(delimiter, inner));
            }
            other => trees.push(other),
        }
    }
}

/// One change. Places are numbers of trees, `donor` is another kernel of the pool.
#[derive(Clone, Debug)]
enum Mutation {
    /// A tree becomes another of its kind, of the kernel itself: a part may come to hold a copy of the whole.
    Own(Index, Index),
    /// A tree becomes another of its kind, of the donor.
    Foreign(Index, Index, Index),
    /// A token becomes another one of its kind.
    Token(Index, Index),
    /// A statement is taken out, and put in at another place or not at all.
    Statement(Index, Option<Index>),
    /// A statement of the donor is put in.
    Graft(Index, Index, Index),
    Delete(Index),
    Insert(Index, String),
    Wrap(Index, Delimiter),
    Unwrap(Index),
}

fn mutation() -> impl Strategy<Value = Mutation> {
    let at = any::<Index>;
    prop_oneof![
        4 => (at(), at()).prop_map(|(place, from)| Mutation::Own(place, from)),
        4 => (at(), at(), at()).prop_map(|(place, donor, from)| Mutation::Foreign(place, donor, from)),
        6 => (at(), at()).prop_map(|(place, token)| Mutation::Token(place, token)),
        2 => (at(), prop::option::of(at())).prop_map(|(from, to)| Mutation::Statement(from, to)),
        3 => (at(), at(), at()).prop_map(|(place, donor, from)| Mutation::Graft(place, donor, from)),
        1 => at().prop_map(Mutation::Delete),
        1 => (at(), token()).prop_map(|(place, token)| Mutation::Insert(place, token)),
        1 => (at(), delimiter()).prop_map(|(place, delimiter)| Mutation::Wrap(place, delimiter)),
        1 => at().prop_map(Mutation::Unwrap),
    ]
}

/// A kernel of the pool, changed in a few places.
pub fn mutated(pool: &[Vec<Tree>]) -> impl Strategy<Value = Source> + '_ {
    let mutations = prop::collection::vec(mutation(), 1..6);
    (any::<Index>(), mutations).prop_map(move |(base, mutations)| {
        let mut trees = base.get(pool).clone();
        for mutation in &mutations {
            mutation.apply(&mut trees, pool);
        }
        Source(trees)
    })
}

/// Larger kernels are let be.
const LARGEST: usize = 20_000;

impl Mutation {
    fn apply(&self, trees: &mut Vec<Tree>, pool: &[Vec<Tree>]) {
        let count = trees::count(trees);
        if count == 0 || count > LARGEST {
            return;
        }
        match self {
            Mutation::Own(place, from) => {
                let own = trees.clone();
                alike(trees, place, from, &own);
            }
            Mutation::Foreign(place, donor, from) => {
                alike(trees, place, from, donor.get::<Vec<Tree>>(pool))
            }
            Mutation::Token(place, token) => {
                let tokens = TOKENS.split_whitespace();
                let tokens: Vec<Tree> = tokens.map(|token| Tree::Token(token.to_owned())).collect();
                alike(trees, place, token, &tokens);
            }
            Mutation::Statement(from, to) => {
                let Some(taken) = statement(trees, from) else {
                    return;
                };
                match to {
                    Some(to) => before_statement(trees, to, taken),
                    None => at_statement(trees, from, &mut |list, range| drop(list.drain(range))),
                }
            }
            Mutation::Graft(place, donor, from) => {
                if let Some(taken) = statement(donor.get::<Vec<Tree>>(pool), from) {
                    before_statement(trees, place, taken);
                }
            }
            Mutation::Delete(place) => put(trees, place, Vec::new()),
            Mutation::Insert(place, token) => at(trees, place, |list, place| {
                list.insert(place, Tree::Token(token.clone()));
            }),
            Mutation::Wrap(place, delimiter) => at(trees, place, |list, place| {
                let inner = vec![list[place].clone()];
                list[place] = Tree::Group(*delimiter, inner);
            }),
            Mutation::Unwrap(place) => at(trees, place, |list, place| {
                if let Tree::Group(_, inner) = &mut list[place] {
                    let inner = std::mem::take(inner);
                    list.splice(place..=place, inner);
                }
            }),
        }
    }
}

fn at(trees: &mut Vec<Tree>, place: &Index, mut edit: impl FnMut(&mut Vec<Tree>, usize)) {
    let count = trees::count(trees);
    if count > 0 {
        trees::edit_at(trees, place.index(count), &mut edit);
    }
}

fn put(trees: &mut Vec<Tree>, place: &Index, new: Vec<Tree>) {
    at(trees, place, |list, place| {
        list.splice(place..=place, new.clone());
    });
}

/// Puts one of `others` that is of the same kind at `place`.
fn alike(trees: &mut Vec<Tree>, place: &Index, from: &Index, others: &[Tree]) {
    at(trees, place, |list, place| {
        let mut found = Vec::new();
        trees::of_kind(others, list[place].kind(), &mut found);
        if !found.is_empty() {
            list[place] = found[from.index(found.len())].clone();
        }
    });
}

/// Calls `edit` with a list that holds a statement, and the statement's range.
fn at_statement(
    trees: &mut [Tree],
    number: &Index,
    edit: &mut dyn FnMut(&mut Vec<Tree>, Range<usize>),
) {
    let count = trees::statements(trees);
    if count > 0 {
        trees::edit_statement(trees, number.index(count), edit);
    }
}

fn statement(trees: &[Tree], number: &Index) -> Option<Vec<Tree>> {
    let mut taken = None;
    at_statement(&mut trees.to_vec(), number, &mut |list, range| {
        taken = Some(list[range].to_vec());
    });
    taken
}

fn before_statement(trees: &mut [Tree], number: &Index, new: Vec<Tree>) {
    at_statement(trees, number, &mut |list, range| {
        list.splice(range.start..range.start, new.clone());
    });
}
