//! Kernels on several PEs: processes started by the launcher.

use std::process::Command;

use shmem::launcher::Launcher;

fn run(n_pes: u32, scenario: &str) -> u8 {
    let outcome = Launcher::new(n_pes)
        .program(env!("CARGO_BIN_EXE_pe"))
        .args([scenario])
        .run()
        .expect("the PEs start");
    outcome.exit_code()
}

#[test]
fn every_element_type_keeps_its_bits_on_the_way() {
    for n_pes in [1, 2, 3] {
        assert_eq!(run(n_pes, "elements"), 0, "{n_pes} PEs");
    }
}

#[test]
fn the_left_neighbour_wraps_around() {
    for n_pes in [1, 3, 8] {
        assert_eq!(run(n_pes, "left"), 0, "{n_pes} PEs");
    }
}

#[test]
fn a_panic_on_one_pe_reaches_all() {
    // The launcher in a process of its own, so that the lines of the PEs can be read.
    let output = Command::new(env!("CARGO_BIN_EXE_launch"))
        .args(["3", env!("CARGO_BIN_EXE_pe"), "panic"])
        .output()
        .expect("the launcher starts");
    let stdout = String::from_utf8_lossy(&output.stdout);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(7), "{stdout}{stderr}");
    let text = "PE -1 is out of range: this job has 3 PEs";
    for pe in 0..3 {
        let line = stdout
            .lines()
            .find(|line| line.starts_with(&format!("PE {pe}: ")))
            .unwrap_or_default();
        assert!(
            line.contains(text) && line.contains("faults.rs:"),
            "PE {pe}: {stdout}{stderr}"
        );
    }
    assert!(stderr.contains("PE 0 exited with code 7"), "{stderr}");
}
