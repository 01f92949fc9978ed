//! Large kernels: what the front end and the emitter take grows with the kernel, and no faster.

use std::time::Duration;

use rustix::time::{ClockId, clock_gettime};
use shmem_codegen::{EmitOptions, analyse, emit_kernel};

/// A statement, given its number.
type Statement = fn(usize) -> String;

/// Statements by what they are about.
const STATEMENTS: [(&str, Statement); 13] = [
    ("shadowing", |_| "let x = x + 1;".to_owned()),
    ("assignments", |i| format!("x = x * 3 + {i};")),
    ("stores", |i| {
        format!("out.at({} % out.len()).store(x + {i});", i % 7)
    }),
    ("branches", |i| {
        format!("if x > {i} {{ x -= 1; }} else {{ y = (x as u8) & c; f += 1.5; }}")
    }),
    ("values", |i| {
        format!("x = if x > {i} {{ x - 1 }} else {{ out.at(0).load() + 1 }};")
    }),
    ("matches", |i| {
        format!("match x {{ 0 => y = 1, 1..=9 => x += 1, n if n == {i} => f *= 2.0, _ => x ^= 5 }}")
    }),
    ("loops", |i| {
        format!("for i in 0..{i} {{ if i == x {{ continue; }} x = i; }}")
    }),
    ("device calls", |_| {
        "shmem::p(cell, shmem::g(cell, 0) + 1, y as i32);".to_owned()
    }),
    ("values that come later", |i| {
        format!("let v{i}; v{i} = x; x = v{i} & 7;")
    }),
    ("chains of locals", |i| match i {
        0 => "let v0 = x;".to_owned(),
        i => format!("let v{i} = v{} ^ {i};", i - 1),
    }),
    ("open types", |i| match i {
        0 => "let v0 = 0;".to_owned(),
        i => format!("let mut v{i} = v{}; v{i} += {i};", i - 1),
    }),
    ("assertions", |i| {
        format!("assert!(x != {i} || y > 3, \"no {{}}\", x);")
    }),
    ("blocks", |i| format!("{{ let y = x; x = y + {i}; }}")),
];

/// A kernel of `count` statements.
fn kernel(statement: Statement, count: usize) -> syn::ItemFn {
    let statements: Vec<String> = (0..count).map(statement).collect();
    let text = format!(
        "fn k(out: Global<[i64]>, cell: Symmetric<i32>, a: i64, b: f32, c: u8) {{ let mut x = a; let mut y = 0_u8; \
         let mut f = b;\n{}\nout.at(0).store(x + y as i64 + f as i64); }}",
        statements.join("\n")
    );
    syn::parse_str(&text).expect("it is Rust")
}

/// What the analysis and the emission of a kernel take of this thread's time: the least of two.
fn time(kernel: &syn::ItemFn) -> Duration {
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::from_secs(time.tv_sec as u64) + Duration::from_nanos(time.tv_nsec as u64)
    };
    let once = || {
        let start = now();
        let analysis = analyse(Default::default(), kernel);
        let texts: Vec<String> = analysis.diagnostics.iter().map(|one| one.text()).collect();
        assert!(texts.is_empty(), "{texts:?}");
        let options = EmitOptions {
            symbol: "shmem_k_large",
            file: "k.rs",
            overflow_checks: true,
            debug_assertions: true,
            contract: 0,
            bug: None,
        };
        assert!(!emit_kernel(&analysis.kernel, &options).kernel.is_empty());
        now() - start
    };
    once().min(once())
}

#[test]
fn five_thousand_statements_take_four_times_what_a_quarter_takes() {
    for (about, statement) in STATEMENTS {
        let few = time(&kernel(statement, 1250));
        let many = time(&kernel(statement, 5000));
        println!("{about}: {few:?}, {many:?}");
        assert!(many < few * 8, "{about}: {few:?}, then {many:?}");
    }
}
