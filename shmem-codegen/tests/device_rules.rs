//! Device code has no std header, no string, no variable that outlives a call, no libm, no recursion, no virtual
//! function; every function of it is `__aicore__` and inline, and those of `shmem_rust.h` are at most two calls deep.

#[path = "../examples/diff/harness/mod.rs"]
mod harness;
#[path = "support/ir.rs"]
mod ir;
#[path = "support/scan.rs"]
mod scan;
mod support;
#[path = "support/units.rs"]
mod units;

use std::collections::BTreeSet;

use ir::Program;
use scan::{Broken, scan};
use support::compiler::Compiler;
use units::{random_units, units};

/// What the host runs: a launcher, and what it needs.
const HOST_HEADER: &str = "shmem_rust_launch.h";

/// Kept out of line: each check is one branch, and neither a panic nor a print needs speed.
const OUT_OF_LINE: [&str; 2] = ["fail", "print_words"];

/// The headers of `shmem_rust.h` that device code calls, scanned.
fn headers() -> Vec<(&'static str, scan::Scan)> {
    let headers = shmem_headers::RUST.headers.iter();
    let device = headers.filter(|header| header.path != HOST_HEADER);
    let exempt =
        |name: &str, head: &[&str]| OUT_OF_LINE.contains(&name) && head.contains(&"__aicore__");
    device
        .map(|header| (header.path, scan(header.text, &exempt)))
        .collect()
}

#[test]
fn the_headers_hold_to_the_rules() {
    let ours: BTreeSet<&str> = shmem_headers::RUST
        .headers
        .iter()
        .map(|header| header.path)
        .collect();
    let mut functions = 0;
    for (path, scan) in headers() {
        assert_eq!(scan.broken, [], "{path}");
        let other = scan
            .includes
            .iter()
            .find(|include| !ours.contains(include.as_str()));
        assert_eq!(other, None, "{path}");
        functions += scan.functions.len();
    }
    // The scanner sees something.
    assert!(functions > 100, "{functions}");
}

#[test]
fn the_generated_text_holds_to_the_rules() {
    for (name, text) in units().iter().chain(random_units()) {
        let host = |_: &str, head: &[&str]| head.contains(&"SHMEM_RUST_EXPORT");
        let scan = scan(text, &host);
        assert_eq!(scan.broken, [], "{name}\n{text}");
        assert_eq!(
            scan.includes,
            ["kernel_operator.h", "shmem.h", "shmem_rust.h"],
            "{name}"
        );
        assert!(!scan.functions.is_empty(), "{name}");
    }
}

/// A function of `shmem_rust.h`, by its symbol.
fn is_ours(symbol: &str) -> bool {
    symbol.starts_with("_ZN10shmem_rust")
}

#[test]
fn nothing_is_called_that_a_device_does_not_have() {
    let Some(compiler) = Compiler::new("clang++") else {
        return;
    };
    let mut program = Program::default();
    // The last one calls what kernels do not call yet.
    let floats = (
        "floats".to_owned(),
        include_str!("floats/floats.cpp").to_owned(),
    );
    let texts = units().iter().chain(random_units());
    for (name, text) in texts.chain([&floats]) {
        program.read(&compiler.ir(name, text));
    }
    // Only what the compiler writes out itself. A fused multiply-add would be contraction.
    let selected = |name: &str| {
        let overflow = ["sadd", "ssub", "smul", "uadd", "usub", "umul"];
        let kinds: &[&str] = &[
            "memcpy.",
            "memset.",
            "eh.sjlj.",
            "frameaddress",
            "stacksave",
        ];
        let Some(name) = name.strip_prefix("llvm.") else {
            return false;
        };
        overflow
            .iter()
            .any(|kind| name.starts_with(&format!("{kind}.with.overflow.")))
            || kinds.iter().any(|kind| name.starts_with(kind))
    };
    let other: Vec<&String> = program
        .declared
        .iter()
        .filter(|name| !selected(name))
        .collect();
    assert_eq!(other, [""; 0]);
    // Those of the simulator's interface, and the values that locals and their parts begin with.
    let known = ["shmem_sim_bound", "shmem_sim_current"];
    let other: Vec<&String> = program
        .variables
        .iter()
        .filter(|name| !known.contains(&name.as_str()))
        .filter(|name| !name.starts_with("__const.") && !name.starts_with("constinit"))
        .collect();
    assert_eq!(other, [""; 0]);
    for name in program.calls.keys() {
        assert!(
            program.chain(name, &|_| true).is_some(),
            "{name} calls itself"
        );
        if is_ours(name) {
            let chain = program.chain(name, &is_ours).expect("no recursion");
            assert!(chain.len() <= 3, "more than two calls deep: {chain:?}");
        }
    }
    // All functions of the headers were among them.
    for (path, scan) in headers() {
        for function in scan.functions {
            let mangled = format!("{}{function}", function.len());
            let called = program.calls.keys().any(|name| {
                let rest = name.strip_prefix("_ZN10shmem_rust").unwrap_or_default();
                rest.trim_start_matches('L').starts_with(&mangled)
            });
            assert!(called, "{path}: nothing calls {function}");
        }
    }
}

#[test]
fn what_breaks_a_rule_is_found() {
    let cases = [
        ("#include <math.h>\n", scan::STANDARD),
        ("#define TEXT \"a\"\n", scan::STRING),
        ("static_assert(true, \"a\");\n", scan::STRING),
        (
            "__aicore__ __inline__ void f()\n{ g(\"a\"); }\n",
            scan::STRING,
        ),
        ("const char *text = nullptr;\n", scan::VARIABLE),
        (
            "namespace n {\nconstexpr int table[] = {1, 2};\n}\n",
            scan::VARIABLE,
        ),
        ("struct s {\n    static int count;\n};\n", scan::VARIABLE),
        (
            "__aicore__ __inline__ int f()\n{ static int a = 0; return ++a; }\n",
            scan::STATIC,
        ),
        ("__inline__ int f()\n{ return 0; }\n", scan::UNMARKED),
        (
            "template <typename T>\n__aicore__ T f(T a)\n{ return a; }\n",
            scan::OUTLINE,
        ),
        (
            "struct s {\n    virtual __aicore__ __inline__ int f() { return 0; }\n};\n",
            scan::WORD,
        ),
        (
            "__aicore__ __inline__ int f()\n{ return std::max(1, 2); }\n",
            scan::WORD,
        ),
        (
            "__aicore__ __inline__ float f(float a)\n{ return sqrtf(a); }\n",
            scan::MATH,
        ),
        (
            "__aicore__ __inline__ float f(float a)\n{ return __builtin_sqrtf(a); }\n",
            scan::MATH,
        ),
    ];
    for (text, rule) in cases {
        let broken = scan(text, &|_, _| false).broken;
        let rules: Vec<&str> = broken.iter().map(|broken: &Broken| broken.rule).collect();
        assert_eq!(rules, [rule], "{text}");
        assert!(broken[0].line <= 3, "{text}");
    }
    for text in [
        "// \"a\", std::move\n/* virtual */ struct s { static constexpr int a = 1; int b; };\n",
        "extern \"C\" __global__ __aicore__ void k(int a)\n{\n    if (a) { return; }\n}\n",
        "__attribute__((noinline)) __aicore__ __inline__ static void f(int a)\n{ while (a) {} }\n",
        "template <>\n__aicore__ __inline__ float f<float, int>(int a)\n{ return g<s{1}>(a); }\n",
    ] {
        let read = scan(text, &|_, _| false);
        assert_eq!(read.broken, [], "{text}");
        assert!(
            read.functions.iter().all(|name| name == "f" || name == "k"),
            "{read:?}"
        );
    }
}

#[test]
fn a_chain_of_calls_is_followed_to_its_end() {
    let mut program = Program::default();
    program.read(
        "@text = private constant i8 0\ndeclare float @sqrtf(float)\n\
         define void @a() {\n  call void @b()\n  %1 = call float @sqrtf(float 0.0)\n}\n\
         define linkonce_odr void @b() #0 {\n  invoke void @c()\n}\n\
         define void @c() {\n}\ndefine void @d() {\n  call void @d()\n}\n",
    );
    assert_eq!(
        program.chain("a", &|_| true),
        Some(vec!["a".into(), "b".into(), "c".into()])
    );
    assert_eq!(
        program.chain("a", &|name| name != "b"),
        Some(vec!["a".into()])
    );
    assert_eq!(program.chain("d", &|_| true), None);
    assert_eq!(Vec::from_iter(&program.declared), ["sqrtf"]);
    assert_eq!(Vec::from_iter(&program.variables), ["text"]);
}
