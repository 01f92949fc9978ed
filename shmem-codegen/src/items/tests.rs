//! Paths lead where rustc finds them.

use super::*;
use crate::source::{scan, segments};

/// A crate of these files; each after the first says which module of which file it is.
fn world(files: &[(&str, Option<(usize, usize)>)]) -> World {
    let files = files.iter().enumerate().map(|(number, (text, of))| {
        let file = syn::parse_file(text).unwrap();
        let holds = |predicate: &syn::Meta| match predicate.path().get_ident() {
            Some(ident) if ident == "on" => Some(true),
            Some(ident) if ident == "off" => Some(false),
            _ => None,
        };
        let position = of.map_or(Position::Root, |(file, module)| {
            Position::Module(file, module)
        });
        File::read(
            format!("{number}.rs"),
            position,
            Rc::new(scan(&file, &holds)),
        )
    });
    World::new("krate".to_owned(), files.collect(), Box::new(|_| None))
}

/// The scope in which the kernel `name` stands.
fn place(world: &World, name: &str) -> ScopeId {
    for file in 0..world.files().len() {
        for kernel in &world.scan(file).unwrap().kernels {
            if kernel.item.sig.ident == name {
                let scope = kernel.scope;
                return ScopeId { file, scope };
            }
        }
    }
    panic!("there is no kernel {name}")
}

/// What a path means to the kernel `from`: a device function by its path, a constant by its value.
fn found(world: &World, from: &str, path: &str) -> String {
    let path: syn::Path = syn::parse_str(path).unwrap();
    let items = world.items(place(world, from));
    match items.value(path.leading_colon.is_some(), &segments(&path)) {
        Found::Device(device) => {
            let modules = world.path(device.home).join("::");
            format!("{modules}::{}", device.item.sig.ident)
        }
        Found::Constant(constant) => quote::ToTokens::to_token_stream(&constant.value).to_string(),
        Found::Type(of) => format!("type {}", of.name),
        Found::Variant(of, name) => format!("{}::{name}", of.name),
        Found::Module(_) => "a module".to_owned(),
        Found::Other(what) => what.to_owned(),
        Found::Outside => "outside".to_owned(),
        Found::Nothing => "nothing".to_owned(),
        Found::Hidden => "hidden".to_owned(),
        Found::Unseen => "unseen".to_owned(),
    }
}

#[track_caller]
fn all(world: &World, from: &str, cases: &[(&str, &str)]) {
    for (path, expected) in cases {
        assert_eq!(found(world, from, path), *expected, "{path} in {from}");
    }
}

#[test]
fn modules_of_files_and_of_blocks_of_text_are_followed() {
    let world = world(&[
        (
            "mod a; mod r#loop { #[shmem_device] fn f() {} }
             #[shmem_kernel] fn k() {}
             #[shmem_device] fn f() {} fn plain() {} static S: u8 = 1; struct Unit;",
            None,
        ),
        (
            "mod b; mod inner { #[shmem_kernel] fn in_inner() {} const N: u8 = 1; }
             const N: u8 = 2; #[shmem::shmem_device] fn f() {}",
            Some((0, 0)),
        ),
        (
            "#[shmem_kernel] fn deep() {} const N: u8 = 3; mod missing;",
            Some((1, 0)),
        ),
    ]);
    all(
        &world,
        "k",
        &[
            ("f", "krate::f"),
            ("self::f", "krate::f"),
            ("crate::f", "krate::f"),
            ("a::f", "krate::a::f"),
            ("r#loop::f", "krate::loop::f"),
            ("a::b::N", "3"),
            ("a::inner::super::N", "2"),
            ("a::b::super::inner::N", "1"),
            ("super::f", "nothing"),
            ("a::g", "nothing"),
            ("a", "nothing"),
            ("b::N", "outside"),
            ("::a::f", "outside"),
            ("plain", "a function without #[shmem_device]"),
            ("k", "a kernel"),
            ("S", "a static"),
            ("Unit", "type Unit"),
            ("a::b::missing::x", "nothing"),
        ],
    );
    all(
        &world,
        "in_inner",
        &[
            ("N", "1"),
            ("super::N", "2"),
            ("super::super::f", "krate::f"),
            ("f", "nothing"),
            ("super::f", "krate::a::f"),
            ("crate::a::b::N", "3"),
        ],
    );
    all(
        &world,
        "deep",
        &[
            ("super::super::r#loop::f", "krate::loop::f"),
            ("super::N", "2"),
            ("self::super::super::a::f", "krate::a::f"),
        ],
    );
}

#[test]
fn imports_bring_their_names() {
    let world = world(&[(
        "mod a { #[shmem_device] pub fn f() {} #[shmem_device] pub fn g() {} pub const N: u8 = 1; pub const M: u8 = 2;
                 pub mod g { pub const N: u8 = 3; } pub use self::g as h; }
         mod b { pub use super::a::*; pub const N: u8 = 4; pub use super::c::*; }
         mod c { pub use super::b::*; pub const IN_A_CIRCLE: u8 = 5; }
         mod d { pub use crate::a::{self as a_again, g::{self, N as INNER}, f as r#fn}; pub use crate::a as _; }
         mod names { use super::a::f; #[shmem_kernel] fn single() {} }
         mod globs { use super::b::*; use half::*; #[shmem_kernel] fn glob() {} }
         mod given { use super::d::*; use super::a::g; #[shmem_kernel] fn given_on() {} }
         mod other { use half::f16 as f; use super::a::*; #[shmem_kernel] fn explicit() {} }
         mod circle { use self::x as y; use self::y as x; #[shmem_kernel] fn circle() {} }",
        None,
    )]);
    all(&world, "single", &[("f", "krate::a::f"), ("g", "nothing")]);
    // A definition goes before a glob, and circles end.
    all(
        &world,
        "glob",
        &[
            ("f", "krate::a::f"),
            ("N", "4"),
            ("M", "2"),
            ("IN_A_CIRCLE", "5"),
            ("g", "krate::a::g"),
            ("g::N", "3"),
            ("h", "krate::a::g"),
            ("missing", "nothing"),
        ],
    );
    all(
        &world,
        "given_on",
        &[
            ("a_again::f", "krate::a::f"),
            ("INNER", "3"),
            ("r#fn", "krate::a::f"),
            ("g", "krate::a::g"),
            ("g::N", "3"),
        ],
    );
    // An import goes before a glob, whatever it brings.
    all(&world, "explicit", &[("f", "outside"), ("N", "1")]);
    all(&world, "circle", &[("x", "nothing"), ("y::z", "outside")]);
}

#[test]
fn blocks_are_looked_through_outwards() {
    let world = world(&[(
        "#[shmem_device] fn f() {} const N: u8 = 1; const M: u8 = 2;
         fn body() {
             const N: u8 = 3;
             #[shmem_device] fn g() {}
             #[shmem_kernel] fn outer() {}
             { use self::f as same; const N: u8 = 4; #[shmem_kernel] fn inner() {} }
             { m!(); #[shmem_kernel] fn after_macro() {} }
             mod module { #[shmem_kernel] fn in_module() {} }
         }",
        None,
    )]);
    all(
        &world,
        "outer",
        &[
            ("N", "3"),
            ("M", "2"),
            ("f", "krate::f"),
            ("g", "krate::g"),
            ("self::N", "1"),
        ],
    );
    all(
        &world,
        "inner",
        &[("N", "4"), ("same", "krate::f"), ("g", "krate::g")],
    );
    // The macro might define another `g`; another `f` or `N` rustc would tell from these.
    all(
        &world,
        "after_macro",
        &[("g", "hidden"), ("f", "krate::f"), ("N", "3")],
    );
    all(
        &world,
        "in_module",
        &[
            ("g", "nothing"),
            ("super::g", "nothing"),
            ("super::f", "krate::f"),
        ],
    );
}

#[test]
fn types_have_constants_of_their_own() {
    let world = world(&[(
        "pub struct S; impl S { const N: u8 = 1; #[cfg(off)] const M: u8 = 2; } impl S { pub const M: u8 = 3; }
         impl Default for S { const D: u8 = 4; } impl<T> G<T> { const N: u8 = 5; } struct G<T>(T);
         pub enum E { A } impl E { const N: u8 = 6; }
         mod m { pub use super::{S as T, E::*}; #[shmem_kernel] fn k() {} }",
        None,
    )]);
    all(
        &world,
        "k",
        &[
            ("T::N", "1"),
            ("super::S::M", "3"),
            ("super::E::N", "6"),
            ("super::E::A", "E::A"),
            ("A", "E::A"),
            ("T::D", "nothing"),
            ("super::G::N", "nothing"),
            ("T", "type S"),
        ],
    );
}

#[test]
fn what_a_cfg_decides_is_taken_or_not_seen() {
    let world = world(&[(
        "#[cfg(off)] const A: u8 = 1; #[cfg(on)] const A: u8 = 2; #[cfg(other)] const B: u8 = 3;
         #[cfg(other)] mod m { pub const C: u8 = 4; } #[cfg(other)] use self::n::*;
         mod n { #![cfg(on)] pub const D: u8 = 5; #[cfg_attr(other, shmem_device)] fn f() {} }
         #[shmem_kernel] fn k() {}",
        None,
    )]);
    all(
        &world,
        "k",
        &[
            ("A", "2"),
            ("B", "unseen"),
            ("m::C", "unseen"),
            ("n::D", "5"),
            ("n::f", "unseen"),
            ("D", "unseen"),
        ],
    );
}

#[test]
fn a_file_alone_knows_what_it_does_not_see() {
    let file = syn::parse_file(
        "mod child; const N: u8 = 1; mod inner { use super::*; #[shmem_kernel] fn k() {} }",
    )
    .unwrap();
    let alone =
        |position| World::one_file("x.rs".to_owned(), position, scan(&file, &|_| Some(true)));
    let root = alone(Position::Root);
    let cases = [
        ("N", "1"),
        ("crate::N", "1"),
        ("super::child::f", "unseen"),
        ("super::super::x", "nothing"),
        ("other", "nothing"),
    ];
    all(&root, "k", &cases);
    let part = alone(Position::Unknown);
    let cases = [
        ("N", "1"),
        ("crate::N", "unseen"),
        ("super::child::f", "unseen"),
        ("super::super::x", "unseen"),
        ("other", "nothing"),
    ];
    all(&part, "k", &cases);
}
