//! Where the check of a PE stands, and where it need not stand again.

#![allow(clippy::unwrap_used)]

mod support;

use support::Form;

/// The lines of a kernel with this body that check a PE or access one, or open and close a block.
fn lines(body: &str) -> Vec<String> {
    let text = format!(
        "#[shmem_kernel] fn k(c: Symmetric<i32>, d: Symmetric<i32>, pe: i32, n: i32, on: bool) {{ {body} }}"
    );
    let emitted = support::emit(&text, "k.rs", Form::Wrapping);
    let kernel = &emitted[0].1.kernel;
    let after = kernel.lines().skip_while(|line| !line.starts_with("#line"));
    let shown = after.filter_map(|line| {
        let line = line.trim();
        let kept = [
            "check_pe", "int32_p", "int32_g", "if (", "for (", "while (", "}",
        ];
        let line = line.replace("shmem_rust::", "").replace("aclshmem_", "");
        kept.iter().any(|part| line.contains(part)).then_some(line)
    });
    let mut shown: Vec<String> = shown.collect();
    // The end of the kernel.
    shown.pop();
    shown
}

#[test]
fn a_pe_that_was_found_good_is_not_checked_again() {
    assert_eq!(
        lines("shmem::p(c, 1, pe); shmem::p(c, 2, pe); shmem::p(d, 3, pe);"),
        [
            "check_pe(t_fault, 0, k_c, k_pe);",
            "int32_p(k_c, 1, k_pe);",
            "int32_p(k_c, 2, k_pe);",
            "check_pe(t_fault, 2, k_d, k_pe);",
            "int32_p(k_d, 3, k_pe);",
        ]
    );
}

#[test]
fn what_one_branch_checks_the_other_and_what_follows_do_not_know() {
    assert_eq!(
        lines("if on { shmem::p(c, 1, pe); } else { shmem::p(c, 2, pe); } shmem::p(c, 3, pe);"),
        [
            "if (k_on) {",
            "check_pe(t_fault, 0, k_c, k_pe);",
            "int32_p(k_c, 1, k_pe);",
            "} else {",
            "check_pe(t_fault, 1, k_c, k_pe);",
            "int32_p(k_c, 2, k_pe);",
            "}",
            "check_pe(t_fault, 2, k_c, k_pe);",
            "int32_p(k_c, 3, k_pe);",
        ]
    );
}

#[test]
fn a_variable_is_checked_each_time() {
    assert_eq!(
        lines("let mut to = pe; shmem::p(c, 1, to); to = 0; shmem::p(c, 2, to);"),
        [
            "check_pe(t_fault, 0, k_c, k_to);",
            "int32_p(k_c, 1, k_to);",
            "check_pe(t_fault, 1, k_c, k_to);",
            "int32_p(k_c, 2, k_to);",
        ]
    );
}

#[test]
fn a_loop_that_begins_with_an_access_checks_before_it() {
    assert_eq!(
        lines("for _ in 0..10 { shmem::p(c, 1, pe); }"),
        [
            "check_pe(t_fault, 0, k_c, k_pe);",
            "for (int32_t t_0 = 0; t_0 < 10; ++t_0) {",
            "int32_p(k_c, 1, k_pe);",
            "}",
        ]
    );
}

#[test]
fn a_loop_that_may_not_run_checks_where_it_runs_only() {
    assert_eq!(
        lines("for _ in 0..n { shmem::p(c, 1, pe); } shmem::p(c, 2, pe);"),
        [
            "if (0 < k_n) {",
            "check_pe(t_fault, 0, k_c, k_pe);",
            "}",
            "for (int32_t t_0 = 0; t_0 < k_n; ++t_0) {",
            "int32_p(k_c, 1, k_pe);",
            "}",
            "check_pe(t_fault, 1, k_c, k_pe);",
            "int32_p(k_c, 2, k_pe);",
        ]
    );
}

#[test]
fn a_loop_that_does_something_else_first_or_counts_pes_checks_inside() {
    for body in [
        "for i in 0..n { shmem::p(c, 1, i); }",
        "for _ in 0..10 { shmem::quiet(); shmem::p(c, 1, pe); }",
        "for _ in 0..10 { shmem::p(c, 1 / n, pe); }",
        "while on { shmem::p(c, 1, pe); }",
    ] {
        let lines = lines(body);
        let open = lines.iter().position(|line| line.starts_with(['f', 'w']));
        let check = lines.iter().position(|line| line.starts_with("check_pe"));
        assert!(open.unwrap() < check.unwrap(), "{body}: {lines:?}");
    }
}
