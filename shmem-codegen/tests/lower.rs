//! What the front end says of kernels that no compiler stands behind: its own word, without rustc's.

#![allow(clippy::unwrap_used)]

use shmem_codegen::manifest::Report;
use shmem_codegen::{Analysis, analyse, flatten, item_tokens};

fn analysis(arguments: &str, text: &str) -> Analysis {
    analyse(arguments.parse().unwrap(), &syn::parse_str(text).unwrap())
}

/// The codes of what is wrong with `text`, in order.
fn codes(text: &str) -> Vec<String> {
    let diagnostics = analysis("", text).diagnostics;
    diagnostics.into_iter().map(|diag| diag.code).collect()
}

/// The codes of what is wrong with a body.
fn body(body: &str) -> Vec<String> {
    codes(&format!(
        "fn k(out: Global<i32>, cells: Symmetric<[i32]>, other: Symmetric<[i32]>, mut x: i32, y: u8, c: bool) {{ {body} }}"
    ))
}

#[test]
fn blocks_that_never_end_fit_every_type() {
    for accepted in [
        "let a = if c { return; } else { 3_u8 }; out.store(a as i32);",
        "let a = if c { return } else if x == 1 { 3_u8 } else { return; };",
        "let a = if c { { return; } } else { 3 };",
        "let a = if c { if x == 1 { return; } else { return; }; } else { 3 };",
        "let a = if c { loop {} } else { 3 };",
        "let a = if c { loop { if x == 1 { return; } } } else { 3 };",
        "loop { let a = if c { break; } else { 3 }; x = a; }",
        "'a: loop { let b = if c { loop { break 'a; } } else { 3 }; x = b; }",
        "loop {}",
        "return; x = 1;",
        "; let a = if c { return;; } else { 3 };; ;",
    ] {
        assert_eq!(body(accepted), [""; 0], "{accepted}");
    }
    for refused in [
        "let a = if c { loop { break; } } else { 3 };",
        "let a = if c { while c {} } else { 3 };",
        "let a = if c { if x == 1 { return; } } else { 3 };",
    ] {
        assert_eq!(body(refused), ["SHM0301"], "{refused}");
    }
    for never in [
        "let a = { return; };",
        "let a = if c { return; } else { return; };",
        "x = x + { return };",
        "out.store({ return; });",
        "if { return } {}",
    ] {
        assert_eq!(body(never), ["SHM0311"], "{never}");
    }
}

#[test]
fn a_value_after_a_jump_still_has_its_type() {
    assert_eq!(body("let a = if c { return; 5 } else { 3_u64 };"), [""; 0]);
    assert_eq!(
        body("let a: u8 = if c { return; 5_i32 } else { 3 };"),
        ["SHM0301"]
    );
}

#[test]
fn a_literal_under_a_cast_has_the_type_of_the_cast() {
    for accepted in [
        "let a = 4_000_000_000 as u32;",
        "let a = (4_000_000_000) as u32;",
        "let a = { 4_000_000_000 } as u32;",
        "let a = -1 as i64 as u64;",
        "let a = !0 as u64;",
        "let a = -128 as i8;",
        "let a = -(128) as i8;",
        "let a = 1 as f32;",
    ] {
        assert_eq!(body(accepted), [""; 0], "{accepted}");
    }
    for refused in [
        "let a = -1 as u64;",
        "let a = { -1 } as u64;",
        "let a = 300 as u8;",
        "let a = -{ 128 } as i8;",
        "let a = (4_000_000_000 + 0) as u32;",
        "for i in -1..y {}",
        "for i in 0..=256 { let j: u8 = i; }",
    ] {
        assert_eq!(body(refused), ["SHM0217"], "{refused}");
    }
}

#[test]
fn parentheses_mean_nothing() {
    for accepted in [
        "(x) = (1);",
        "((x)) += ((1));",
        "(out).store((((cells).at((0))).load()));",
        "(if c { x = 1; } else { x = 2; });",
        "for i in ((0)..(3)) { x = i; }",
        "_ = (x);",
    ] {
        assert_eq!(body(accepted), [""; 0], "{accepted}");
    }
}

#[test]
fn views_are_values_of_their_own_kind() {
    for accepted in [
        "let mut v = cells; v = other; v.at(0).store(1);",
        "let v = if c { cells } else { other };",
        "let v: Symmetric<[i32]> = cells.slice(0..1);",
        "let v: shmem::Symmetric<'_, [i32]> = cells;",
    ] {
        assert_eq!(body(accepted), [""; 0], "{accepted}");
    }
    assert_eq!(body("let mut v = cells; v = cells.at(0);"), ["SHM0301"]);
    assert_eq!(
        body("let v = if c { cells.at(0) } else { out };"),
        ["SHM0301"]
    );
}

#[test]
fn a_refused_part_is_one_mistake() {
    for (text, code) in [
        ("let (a, ref b) = (1, 2); x = a + b;", "SHM0207"),
        ("let f = |a| a; x = f(1);", "SHM0201"),
        (
            "let v: Vec<i32> = Vec::new(); v.push(1); x = v[0];",
            "SHM0305",
        ),
        ("let a; x = 1;", "SHM0223"),
        ("fn f() {} f();", "SHM0201"),
        ("use shmem::quiet; quiet();", "SHM0201"),
        ("let a = x + y; x = a;", "SHM0303"),
        ("let Some(a) = Some(x) else { return }; x = a;", "SHM0204"),
        ("for (a, b) in 0..3 { x = a + b; }", "SHM0207"),
        ("for a in cells { x = a; }", "SHM0214"),
        ("(x, 1) = (1, 2);", "SHM0208"),
        ("(x, x) = (1, 2, 3);", "SHM0301"),
        ("let p = &x; x = *p;", "SHM0314"),
        ("let t = (cells, 1); x = t.1;", "SHM0201"),
        ("let a = [1, 2.5]; x = a[0];", "SHM0301"),
        ("let a = [1; 2]; x = a[0_u8];", "SHM0301"),
        ("let a = [1; x]; x = a[0];", "SHM0313"),
        ("x = x[0];", "SHM0317"),
        ("let t = (1, 2); x = t.2;", "SHM0315"),
        ("let t = (1, 2); x = t[0];", "SHM0317"),
        ("let t = (1, 2); t.0 = 3;", "SHM0209"),
        ("let (a, b, c) = (1, 2); x = a;", "SHM0301"),
        ("let [a, b] = [1, 2, 3]; x = a;", "SHM0301"),
        ("let a = [1; 2] + [1; 2]; x = a[0];", "SHM0302"),
        ("let a = (1, 2) < (3, 4); x = a as i32;", "SHM0302"),
        ("for a in &[1, 2] { x = a; }", "SHM0214"),
        ("let a = P { x: 1 }; x = a.x;", "SHM0202"),
        ("let a: [Vec<i32>; 2] = [1; 2]; x = a[0];", "SHM0305"),
        ("core::mem::swap(&mut x, &mut 3);", "SHM0208"),
        ("core::mem::swap(&mut x, y);", "SHM0301"),
        ("x = *x;", "SHM0302"),
        ("let a = (); x = 1;", "SHM0201"),
        ("let a = (1, 2) as i64; x = 1;", "SHM0304"),
        ("match (x, 1) { (1, 2, 3) => {} _ => {} }", "SHM0301"),
        (
            "match (x, 1) { (a, 1) | (1, a) => x = a, _ => {} }",
            "SHM0222",
        ),
        (
            "let a = [0_u8; 1_100_000]; x = a[x as usize] as i32;",
            "SHM0502",
        ),
        ("let a = [0_u64; 4_000_000_000]; x = 1;", "SHM0502"),
        (
            "let a = [[0_u64; 4_000_000_000]; 4_000_000_000]; x = 1;",
            "SHM0502",
        ),
        ("assert_eq!((x, 1), (2, 1));", "SHM0227"),
        ("let a = if c { 1 } else { vec![] };", "SHM0203"),
    ] {
        assert_eq!(body(text), [code], "{text}");
    }
    for (text, code) in [
        (
            "fn k((a, b): (i32, i32), out: Global<i32>) { out.store(a + b); }",
            "SHM0111",
        ),
        ("fn k<T>(a: Global<T>) { a.store(1); }", "SHM0107"),
        ("fn k<T>(a: T) where T: Copy {}", "SHM0107"),
        (
            "fn k(x: i32) -> i32 { if x == 1 { return 2; } x }",
            "SHM0108",
        ),
        ("fn k(a: i32, a: i32) {}", "SHM0120"),
        ("fn k(r#a: i32, a: i32) {}", "SHM0120"),
    ] {
        assert_eq!(codes(text), [code], "{text}");
    }
}

#[test]
fn a_mistake_in_a_part_of_a_token_is_reported_with_all_of_it() {
    let item: syn::ItemFn = syn::parse_str("fn k(x: f32) { assert!(x.0.1 == 1); }").unwrap();
    let diagnostics = analyse(Default::default(), &item).diagnostics;
    let flat = flatten(item_tokens(&Default::default(), &item));
    let report = Report::new(&diagnostics[0], &flat);
    let texts = [report.first, report.last].map(|index| flat[index].text.as_str());
    assert_eq!(texts, ["0.1", "0.1"]);
}

#[test]
fn generics_of_nothing_are_none() {
    assert_eq!(
        codes("fn k<>(a: Global<i32>) where { a.store(1); }"),
        [""; 0]
    );
}

#[test]
fn attributes_are_refused_wherever_they_stand() {
    for text in [
        "#[cfg(a)] let a = 1;",
        "#[cfg(a)] (x);",
        "#[cfg(a)] x as u8;",
        "#[cfg(a)] -x;",
        "#[cfg(a)] shmem::quiet();",
        "#[cfg(a)] { x = 1; }",
        "#[cfg(a)] x = 1;",
        "#[cfg(a)] while c {}",
        "out.store(#[cfg(a)] 1);",
        "let a = #[cfg(a)] 1;",
        "loop { #![cfg(a)] }",
    ] {
        assert_eq!(body(text), ["SHM0219"], "{text}");
    }
}

#[test]
fn a_cfg_of_tests_is_refused_as_the_build_script_sees_it() {
    assert_eq!(codes("#[cfg(test)] fn k() {}"), ["SHM0116"]);
    assert_eq!(codes("#[cfg(not(test))] fn k() {}"), ["SHM0116"]);
    assert_eq!(codes("#[cfg(feature = \"test\")] fn k() {}"), [""; 0]);
}

#[test]
fn nesting_is_an_error_before_it_is_a_crash() {
    // As much as the main thread of rustc and of a build script has.
    let thread = std::thread::Builder::new().stack_size(8 << 20);
    thread.spawn(deeply_nested).unwrap().join().unwrap();
}

fn deeply_nested() {
    let nested =
        |open: &str, close: &str, n: usize| format!("{}1{};", open.repeat(n), close.repeat(n));
    for (open, close) in [
        ("(", ")"),
        ("{", "}"),
        ("if c {", "} else { 2 }"),
        ("- ", ""),
    ] {
        let fits = format!("x = {}", nested(open, close, 90));
        assert!(!body(&fits).contains(&"SHM0003".to_owned()), "{open}");
    }
    let item = syn::parse_str(&format!(
        "fn k(mut x: i32) {{ x = {} }}",
        nested("(", ")", 160)
    ));
    let codes: Vec<String> = analyse(Default::default(), &item.unwrap())
        .diagnostics
        .into_iter()
        .map(|diag| diag.code)
        .collect();
    assert_eq!(codes, ["SHM0003"]);
    // Long is not deep.
    assert_eq!(body(&"x = x + 1; if c { x = 2; } ".repeat(3000)), [""; 0]);
}

#[test]
fn a_text_is_a_literal_with_values() {
    for accepted in [
        "shmem::print!();",
        "shmem::print!(\"{{}} {x} {x:?} {} {0} {y}\", c,);",
        "shmem::print!(r#\"{a} {b}\"#, a = x, b = 1.5);",
        "::shmem::print!(\"{}\", x as f32);",
        "core::panic!(\"{x}\");",
        "std::debug_assert_ne!(x, 1, \"{}\", c);",
        "let a = if c { 1 } else { todo!() }; x = a;",
        "match x { 1 => shmem::print!(\"one\"), 2 => unimplemented!(\"{x}\"), _ => {} }",
        // A print has room for any number of values.
        "shmem::print!(\"{x} {x} {x} {x} {x} {x} {x} {x} {x} {x} {x} {x} {x} {x} {x} {x} {x} {x} {x} {x}\");",
    ] {
        assert_eq!(body(accepted), [""; 0], "{accepted}");
    }
    for (refused, code) in [
        ("shmem::print!(\"{}\");", "SHM0225"),
        ("shmem::print!(\"\", x);", "SHM0226"),
        ("shmem::print!(\"{x:?}\", x);", "SHM0226"),
        ("shmem::print!(\"{:.3}\", x);", "SHM0224"),
        ("shmem::print!(\"{out}\");", "SHM0227"),
        ("shmem::print!(\"{cells:?}\");", "SHM0227"),
        ("shmem::print!(\"{:?}\", (x, x));", "SHM0227"),
        ("panic!(\"{:?}\", [x; 3]);", "SHM0227"),
        ("shmem::print!(x);", "SHM0224"),
        ("shmem::print!(\"{z}\");", "SHM0202"),
        ("shmem::print!(\"{}\", x + y);", "SHM0303"),
        ("panic!(\"{x} {x} {x} {x}\");", "SHM0221"),
        ("assert_eq!(x, 1, \"{x} {x}\");", "SHM0221"),
        ("panic!(\"{:x}\", x);", "SHM0221"),
        ("panic!(\"{}\", x, x);", "SHM0226"),
        ("print!(\"\");", "SHM0203"),
        ("shmem::panic!(\"\");", "SHM0203"),
        ("std::print!(\"\");", "SHM0203"),
        // Left out of a release build, and checked all the same.
        ("debug_assert!(x);", "SHM0301"),
        ("debug_assert_eq!(x, y);", "SHM0303"),
        ("debug_assert!(c, \"{}\");", "SHM0225"),
    ] {
        assert_eq!(body(refused), [code], "{refused}");
    }
}

#[test]
fn options_are_names_with_commas_between() {
    let codes = |arguments: &str| -> Vec<String> {
        let text = if arguments.contains("unchecked") {
            "unsafe fn k() {}"
        } else {
            "fn k() {}"
        };
        let diagnostics = analysis(arguments, text).diagnostics;
        diagnostics.into_iter().map(|diag| diag.code).collect()
    };
    for (arguments, expected) in [
        ("", &[][..]),
        ("vector,", &[]),
        ("vector, all_blocks, unchecked", &[]),
        ("vector, vector", &["SHM0102"]),
        ("fast, vector, slow", &["SHM0101", "SHM0101"]),
        ("vector = 3", &["SHM0119"]),
        ("vector(x), vector", &["SHM0119", "SHM0102"]),
        ("vector all_blocks", &["SHM0123"]),
        (",", &["SHM0101"]),
        ("= vector", &["SHM0101"]),
    ] {
        assert_eq!(codes(arguments), expected, "{arguments}");
    }
}

#[test]
fn a_block_in_parentheses_may_have_a_value_that_nobody_takes() {
    let none: [String; 0] = [];
    for source in [
        "(loop { break x; });",
        "({ out.store(1); x });",
        "(if x > 0 { x } else { 0 });",
        "(match x { 0 => 1, n => n });",
        "((unsafe { x }));",
    ] {
        assert_eq!(body(source), none, "{source}");
    }
    assert_eq!(body("loop { break x; }"), ["SHM0212"]);
}

#[test]
fn a_loop_runs_over_whatever_array_it_is_given() {
    let none: [String; 0] = [];
    for array in [
        "[1, 2]",
        "if x > 0 { [1, 2] } else { [x; 2] }",
        "match x { 0 => [1], n => [n] }",
        "loop { break [x]; }",
        "unsafe { [x] }",
    ] {
        let text = format!("for part in {array} {{ out.store(part); }}");
        assert_eq!(body(&text), none, "{array}");
    }
    for other in ["x", "if c { x } else { 2 }", "out"] {
        assert_eq!(
            body(&format!("for part in {other} {{}}")),
            ["SHM0214"],
            "{other}"
        );
    }
}

#[test]
fn a_panic_in_parentheses_is_at_the_opening_one() {
    for statement in [
        "([1, 2][i]);",
        "(x += 1);",
        "((x *= 2));",
        "(x - 1);",
        "(-x);",
    ] {
        let text = format!("fn k(i: usize, mut x: i32) {{ {statement} }}");
        let sites = analysis("", &text).kernel.sites;
        let columns: Vec<usize> = sites.iter().map(|site| site.span.start().column).collect();
        assert_eq!(columns, [text.find('{').unwrap() + 2], "{statement}");
    }
}
