//! The work of the front end and the emitter grows as the kernel does: counted in instructions, which no other load of
//! the machine changes. `large.rs` looks at more kinds of statements, `benches/front_end.rs` at the time.

mod support;

use std::process::Command;

use support::compiler::available;
use support::{long, stages};

/// How many statements the counted kernel has.
const STATEMENTS: &str = "SHMEM_COUNTED_STATEMENTS";

/// All stages, where the environment says on what. Run by the test below.
#[test]
fn stages_on_a_kernel_of_the_environment() {
    let Ok(count) = std::env::var(STATEMENTS) else {
        return;
    };
    let text = long::statements(count.parse().expect("a number"));
    let text = stages::emit(&stages::analyse(&stages::parse(&text)));
    assert!(text.contains("shmem_k_long"));
}

/// The instructions of all stages for each statement of a kernel of `count`.
fn instructions(count: usize) -> f64 {
    let this = std::env::current_exe().expect("the test has a file");
    let output = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg("--collect-atstart=no")
        .args(
            ["parse", "analyse", "emit"].map(|stage| format!("--toggle-collect=*stages::{stage}")),
        )
        .arg(this)
        .args(["--exact", "stages_on_a_kernel_of_the_environment"])
        .env(STATEMENTS, count.to_string())
        .output()
        .expect("valgrind runs");
    let said = String::from_utf8_lossy(&output.stderr);
    let collected = said
        .lines()
        .find_map(|line| line.split_once("Collected : "));
    let (_, number) = collected.expect("the instructions are said");
    let number: f64 = number.trim().parse().expect("a number");
    number / count as f64
}

#[test]
fn five_thousand_statements_take_no_more_each_than_five_hundred() {
    if !available("valgrind") {
        return;
    }
    let (few, many) = (instructions(500), instructions(5000));
    eprintln!("instructions for each statement: {few:.0} of 500, {many:.0} of 5,000");
    assert!(few > 10_000.0, "nothing was counted");
    assert!(many <= few * 1.3, "{few:.0} of 500, {many:.0} of 5,000");
}
