//! No name that is generated begins a name of `kernel_operator.h` or `shmem.h`, and none is a macro.

mod support;

use std::collections::HashSet;

use support::{Form, emit};

fn reserved() -> HashSet<&'static str> {
    include_str!("data/reserved_names.txt").lines().collect()
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
        "shmem_k_",
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
fn every_name_of_a_kernel_carries_its_prefix() {
    let hostile = [
        "int",
        "template",
        "half",
        "GetBlockIdx",
        "ASSERT",
        "stream",
        "slot",
        "args",
        "t_fault",
        "k_x",
        "main",
    ];
    for name in hostile {
        let source = format!(
            "#[shmem_kernel] fn {name}({name}: Symmetric<[i32]>) {{ let {name} = {name}.at(1).load(); let {name} = {name} + 1; shmem::quiet(); let _ = {name}; }}"
        );
        let kernel = emit(&source, "k.rs", Form::Wrapping).remove(0).1.kernel;
        for (prefix, what) in [
            ("k_", "parameter"),
            ("k2_", "local"),
            ("k3_", "shadowing local"),
            ("len_", "length"),
        ] {
            assert!(
                kernel.contains(&format!(" {prefix}{name}"))
                    || kernel.contains(&format!("*{prefix}{name}")),
                "{what} {name}: {kernel}"
            );
        }
    }
}
