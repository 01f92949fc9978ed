//! Every name of Rust can be that of a kernel, a device function, a parameter, a local, a type, a field or a variant: words of C++, names of
//! `kernel_operator.h` and `shmem.h`, raw names, names of any script. No name that is generated meets one of theirs.

#[path = "support/scan.rs"]
mod scan;
mod support;

use std::collections::{BTreeSet, HashSet};

use shmem_codegen::emit_unit;
use support::compiler::Compiler;
use support::{FORMS, Form, emit};
use unicode_normalization::UnicodeNormalization;

/// The words of C++ up to C++20, those with a meaning in places, and the alternative tokens.
const KEYWORDS: &str = "alignas alignof and and_eq asm auto bitand bitor bool break case catch char char8_t char16_t \
    char32_t class co_await co_return co_yield compl concept const const_cast consteval constexpr constinit continue \
    decltype default delete do double dynamic_cast else enum explicit export extern false final float for friend goto \
    if import inline int long module mutable namespace new noexcept not not_eq nullptr operator or or_eq override \
    private protected public register reinterpret_cast requires restrict return short signed sizeof static \
    static_assert static_cast struct switch template this thread_local throw true try typedef typeid typename union \
    unsigned using virtual void volatile wchar_t while xor xor_eq __asm__ __attribute__ __inline__ __thread typeof";

/// Names of ours, of the machine's, and what looks like the form that other names are given.
const HOSTILE: &str = "k_x k2_x k_k_x len_x len2_x b_x x t_0 t_1 t_fault t_site l_0_break l_0_continue slot slots args \
    n_args stream blocks main errno linux unix i386 NULL EOF stdin M_PI __func__ __VA_ARGS__ shmem_rust shmem_sim_bound \
    kernel launch contract instance _unchecked _u6_ _uf6_ _x0 a__b __ a_ _a";

/// Names of other scripts. Some differ by a letter that only looks like another, some by the order of their parts.
const SCRIPTS: &str = "größe straße ſ ß µ µ_ Ω é è 变量 名 幅 ширина длина مرحبا שלום नाम ชื่อ 이름 ñandú ℮ ᚠ 𝒜 \
    e\u{301} o\u{308}l x\u{30a}";

/// The names that `kernel_operator.h`, `shmem.h` and `acl.h` bring into sight.
fn reserved() -> HashSet<&'static str> {
    include_str!("data/reserved_names.txt").lines().collect()
}

/// A word as a name in Rust: as it is, raw, or not at all.
fn as_name(word: &str) -> Option<String> {
    let raw = format!("r#{word}");
    let is_name = |text: &String| syn::parse_str::<syn::Ident>(text).is_ok();
    [word.to_owned(), raw].into_iter().find(is_name)
}

/// All names that are tried, each once, composed.
fn names() -> Vec<String> {
    let lists = [KEYWORDS, HOSTILE, SCRIPTS].map(str::split_whitespace);
    let words = lists.into_iter().flatten().chain(reserved());
    let names: BTreeSet<String> = words
        // What a kernel of the name would hide from others is refused.
        .filter(|word| !["Global", "Symmetric", "bool"].contains(word))
        .filter_map(as_name)
        .map(|name| name.nfc().collect())
        .collect();
    names.into_iter().collect()
}

/// A kernel, a device function, a struct with a field and an enum with a variant of each name; parameters and locals
/// have it too. Modules end in `number`.
fn source(names: &[String], number: usize) -> String {
    let mut kernels = String::new();
    let mut devices = String::new();
    let mut calls = String::new();
    let mut types = String::new();
    let mut uses = String::new();
    for (at, name) in names.iter().enumerate() {
        kernels.push_str(&format!(
            "#[shmem_kernel] fn {name}({name}: Global<[i32]>, neutral_x: i32) {{ let neutral_cells = {name}; \
             let {name} = neutral_x + 1; for {name} in {name}..{name} + 2 {{ neutral_cells.at(0).store({name}); }} \
             neutral_cells.at(1).store({name}); }}\n"
        ));
        devices.push_str(&format!(
            "#[shmem_device] fn {name}({name}: i32) -> i32 {{ let {name} = {name} * 3; {name} }}\n"
        ));
        types.push_str(&format!(
            "#[derive(Clone, Copy)] struct {name} {{ {name}: i32 }}\n\
             #[derive(Clone, Copy)] enum Neutral{number}_{at} {{ {name} }}\n"
        ));
        uses.push_str(&format!(
            "neutral_sum += {name} {{ {name}: 1 }}.{name} + Neutral{number}_{at}::{name} as i32; "
        ));
        calls.push_str(&format!("neutral_sum += {name}(neutral_sum); "));
    }
    format!(
        "mod neutral_kernels_{number} {{\n{kernels}}}\nmod neutral_devices_{number} {{\n{devices}#[shmem_kernel] \
         fn neutral_caller(mut neutral_sum: i32) {{ {calls} }}\n}}\nmod neutral_types_{number} {{\n{types}#[shmem_kernel] \
         fn neutral_user(mut neutral_sum: i32) {{ {uses} }}\n}}\n"
    )
}

#[test]
fn every_name_is_a_name_of_everything() {
    let names = names();
    assert!(names.len() > 6500, "{}", names.len());
    // Those of one module are looked through for each of them.
    let chunks = names.chunks(400).enumerate();
    let emitted: Vec<_> = chunks
        .flat_map(|(number, names)| emit(&source(names, number), "names.rs", Form::Checked))
        .collect();
    let callers = 2 * names.len().div_ceil(400);
    assert_eq!(emitted.len(), names.len() + callers);
    let text = emit_unit("", "names.cpp", emitted.iter().map(|(_, emitted)| emitted));
    assert_eq!(text.matches("\nstruct s_").count(), names.len());
    assert_eq!(text.matches("\nenum class s_").count(), names.len());
    // Kernel, launcher and contract of each, its device function, and those of the callers.
    let functions = scan::scan(&text, &|_, _| true).functions;
    let different: HashSet<&String> = functions.iter().collect();
    assert_eq!(functions.len(), names.len() * 4 + callers * 3);
    assert_eq!(different.len(), functions.len());
    let text = poisoned(&text);
    for program in ["g++", "clang++"] {
        if let Some(compiler) = Compiler::new(program) {
            compiler.accepts(&["-std=c++17", "-fsyntax-only", "-w"], "names", &text);
        }
    }
}

/// `text` where every reserved name that our own headers do without is a macro that no compiler takes.
fn poisoned(text: &str) -> String {
    let is_word = |c: char| c == '_' || c.is_ascii_alphanumeric();
    let neutral = emit(
        &source(&["neutral".to_owned()], 0),
        "names.rs",
        Form::Checked,
    );
    let neutral = neutral.iter().map(|(_, emitted)| emitted);
    let headers = shmem_headers::SIMULATOR
        .iter()
        .flat_map(|part| part.headers)
        .map(|header| header.text);
    let ours = headers.collect::<String>() + &emit_unit("", "names.cpp", neutral);
    let ours: HashSet<&str> = ours.split(|c| !is_word(c)).collect();
    let mut poison = String::new();
    let names: BTreeSet<&str> = reserved().difference(&ours).copied().collect();
    for name in names {
        if !["defined", "__VA_ARGS__"].contains(&name) {
            poison.push_str(&format!("#undef {name}\n#define {name} 1 1\n"));
        }
    }
    assert!(
        poison.lines().count() > 12_000,
        "{}",
        poison.lines().count()
    );
    let last = "#include \"shmem_rust.h\"\n";
    text.replacen(last, &format!("{last}{poison}"), 1)
}

#[test]
fn no_reserved_name_has_one_of_the_prefixes_of_generated_names() {
    let ours = [
        "k_",
        "len_",
        "b_",
        "t_",
        "l_",
        "s_",
        "tuple",
        "s_",
        "shmem_k_",
        "shmem_d_",
        "shmem_rust",
        "SHMEM_RUST",
        "shmem_sim",
        "SHMEM_SIM",
        "shmem_twin",
    ];
    let numbered = |name: &str, letter: &str| {
        name.strip_prefix(letter).is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_ascii_digit())
                && rest
                    .trim_start_matches(|c: char| c.is_ascii_digit())
                    .starts_with('_')
        })
    };
    for name in reserved() {
        assert!(
            !ours.iter().any(|prefix| name.starts_with(prefix)),
            "{name}"
        );
        assert!(
            !["k", "len", "b", "tuple"]
                .iter()
                .any(|letter| numbered(name, letter)),
            "{name}"
        );
    }
}

#[test]
fn generated_text_is_ascii() {
    let names: Vec<String> = SCRIPTS.split_whitespace().filter_map(as_name).collect();
    assert!(names.len() > 20, "{names:?}");
    for form in FORMS {
        for (name, emitted) in emit(&source(&names, 0), "größe.rs", form) {
            let functions = emitted.functions.iter().map(|(_, text)| text.as_str());
            for text in functions.chain([emitted.kernel.as_str(), &emitted.launcher]) {
                // The file's name in `#line` is the one that it has.
                let code = text.lines().filter(|line| !line.starts_with("#line"));
                for line in code {
                    assert!(line.is_ascii(), "{name}: {line}");
                }
            }
        }
    }
}
