//! Kernels on several PEs: processes started by the launcher.

use std::io::{BufRead, BufReader};
use std::process::{Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::Duration;

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

/// `<n> PEs print`, on this standard output.
fn printing(n_pes: u32, stdout: impl Into<Stdio>) -> ExitStatus {
    Command::new(env!("CARGO_BIN_EXE_launch"))
        .args([&n_pes.to_string(), env!("CARGO_BIN_EXE_pe"), "prints"])
        .stdout(stdout)
        .status()
        .expect("the launcher starts")
}

/// Whether `text` has the lines of all blocks of all PEs, whole and in order, then a last line of each PE.
fn assert_whole(text: &str, n_pes: usize) {
    let mut next = vec![[0; 4]; n_pes];
    let mut done = vec![false; n_pes];
    for line in text.lines() {
        if let Some(pe) = line
            .strip_prefix("PE ")
            .and_then(|rest| rest.strip_suffix(" is done"))
        {
            let pe: usize = pe.parse().expect("a PE");
            assert_eq!(next[pe], [1000; 4], "PE {pe} is not done");
            done[pe] = true;
            continue;
        }
        let tag = line
            .strip_prefix("[pe ")
            .and_then(|rest| rest.split_once("] "));
        let numbers = tag.and_then(|(tag, _)| tag.split_once(" block "));
        let (pe, block) = numbers.unwrap_or_else(|| panic!("a torn line: `{line}`"));
        let (pe, block): (usize, usize) = (pe.parse().expect(line), block.parse().expect(line));
        let number = next[pe][block];
        assert_eq!(
            line,
            format!("[pe {pe} block {block}] line {number} of block {block} on PE {pe}")
        );
        next[pe][block] += 1;
    }
    assert_eq!(done, vec![true; n_pes]);
}

#[test]
fn lines_of_all_pes_and_blocks_are_whole_and_in_order_in_a_pipe() {
    let output = Command::new(env!("CARGO_BIN_EXE_launch"))
        .args(["4", env!("CARGO_BIN_EXE_pe"), "prints"])
        .output()
        .expect("the launcher starts");
    assert!(output.status.success(), "{output:?}");
    let text = String::from_utf8(output.stdout).expect("text");
    assert_eq!(text.lines().count(), 4 * 4 * 1000 + 4);
    assert_whole(&text, 4);
}

#[test]
fn lines_of_all_pes_and_blocks_are_whole_and_in_order_in_a_file() {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    let stdout = file.as_file().try_clone().expect("a descriptor");
    assert!(printing(4, stdout).success());
    let mut text = String::new();
    std::io::Seek::rewind(file.as_file_mut()).expect("rewinds");
    std::io::Read::read_to_string(file.as_file_mut(), &mut text).expect("reads");
    assert_whole(&text, 4);
}

#[test]
fn nobody_has_to_read_what_kernels_print() {
    // A pipe without a reader.
    let (reader, writer) = std::io::pipe().expect("a pipe");
    drop(reader);
    assert!(printing(2, writer).success());
    // No standard output at all.
    let status = Command::new("sh")
        .args(["-c", "exec \"$0\" prints >&-", env!("CARGO_BIN_EXE_pe")])
        .status()
        .expect("the PE starts");
    assert!(status.success());
}

#[test]
fn lines_appear_while_the_kernel_runs() {
    let mut pe = Command::new(env!("CARGO_BIN_EXE_pe"))
        .arg("hang")
        .stdout(Stdio::piped())
        .spawn()
        .expect("the PE starts");
    let stdout = BufReader::new(pe.stdout.take().expect("a pipe"));
    let (sender, lines) = mpsc::channel();
    let reader = std::thread::spawn(move || {
        for line in stdout.lines().map_while(Result::ok) {
            let _ = sender.send(line);
        }
    });
    let seen: Vec<String> = (0..3)
        .map_while(|_| lines.recv_timeout(Duration::from_secs(20)).ok())
        .collect();
    let running = pe.try_wait().expect("the PE is ours").is_none();
    pe.kill().expect("the PE is killed");
    pe.wait().expect("the PE ends");
    reader.join().expect("the reader ends");
    let expected = ["0", "1", "about to wait"].map(|text| format!("[pe 0 block 0] {text}"));
    assert_eq!(seen, expected);
    assert!(running);
}
