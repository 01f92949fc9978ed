//! Panics and prints of a device reach the host: each cache line that they write is cleaned before what tells of it.

#[path = "support/compiler.rs"]
#[allow(dead_code)]
mod compiler;

use std::process::Command;

use compiler::available;

/// What the program says where every line is cleaned in time.
const SEEN: &str = "\
after a line: 1 0
over two cache lines: 9 0
words: 7 700000008 a b c d e f 10 0
too long: 9 1
after it: 9 2
another launch: 2 0 0 0 0 0 0 0 10000000b aa
counters too early: 0
a panic: b00000001 3 1 5 6 7
";

#[test]
fn what_a_device_writes_is_seen_by_the_host() {
    for program in ["g++", "clang++"] {
        if !available(program) {
            continue;
        }
        let directory = tempfile::tempdir().expect("a directory");
        for header in shmem_headers::RUST.headers {
            std::fs::write(directory.path().join(header.path), header.text).expect("written");
        }
        let source = directory.path().join("main.cpp");
        std::fs::write(&source, include_str!("device_cache/main.cpp")).expect("written");
        let binary = directory.path().join("main");
        let output = Command::new(program)
            .args(["-std=c++17", "-O2", "-Wall", "-Wextra", "-Wconversion"])
            .args(["-Werror", "-I"])
            .arg(directory.path())
            .arg("-o")
            .args([&binary, &source])
            .output()
            .expect("the compiler runs");
        assert!(output.status.success(), "{program}: {output:?}");
        let output = Command::new(&binary).output().expect("the program runs");
        assert_eq!(String::from_utf8_lossy(&output.stdout), SEEN, "{program}");
        assert!(output.status.success(), "{program}: no trap");
    }
}
