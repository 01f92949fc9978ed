//! The manifest that the build script leaves, and the macro without it.

use std::fs;

use crate::scratch::{Ended, Scratch, kernel};

/// `note.txt` is part of the crate, and nothing to the build script.
fn project(name: &str, value: &str) -> Scratch {
    let project = Scratch::new(name);
    let main = format!(
        "#[macro_use]\nmod show;\n{}fn main() {{\n    let _ = include_str!(\"../note.txt\");\n    show!(k);\n}}\n",
        kernel("k", value)
    );
    project.write("src/main.rs", &main);
    project.write("note.txt", "");
    project
}

/// The errors of the compiler.
fn errors(ended: &Ended) -> String {
    let text = &ended.stderr;
    let start = text.find("\nerror").unwrap_or_else(|| panic!("{text}"));
    let end = text
        .find("\nerror: could not compile")
        .unwrap_or_else(|| panic!("{text}"));
    text[start..end].to_owned()
}

#[test]
fn the_macro_finds_the_same_mistakes_without_the_build_script() {
    let project = project("own-words", "{ let x = 1; wrong(x) } + true");
    let told = errors(&project.cargo(&["build"]).failed());
    assert!(told.contains("[SHM0"), "{told}");
    let manifest = project.out().join("manifest");
    let good = fs::read_to_string(&manifest).unwrap();
    let version = good.lines().next().unwrap();
    let hash = good
        .lines()
        .find_map(|line| line.strip_prefix("kernel\t"))
        .unwrap()
        .split('\t')
        .nth(3)
        .unwrap();
    let versions = [
        ("garbage", "\u{0}garbage\tof any kind\n".to_owned()),
        ("nothing", String::new()),
        ("half of it", good[..good.len() / 2].to_owned()),
        (
            "another version",
            good.replace(version, "shmem-manifest\t0.0.9"),
        ),
        (
            "a later version",
            good.replace(version, "shmem-manifest\t99.0.0\tmore"),
        ),
        ("another text", good.replace(hash, "0123456789abcdef")),
        (
            "no such kernel",
            good.replace("src/main.rs", "src/other.rs"),
        ),
    ];
    for (what, text) in versions {
        assert_ne!(text, good, "{what}");
        fs::write(&manifest, text).unwrap();
        let found = project.cargo(&["build"]).failed();
        assert_eq!(errors(&found), told, "{what}");
        assert_eq!(
            project.compiled(),
            [""; 0],
            "{what}: the build script did not run"
        );
    }
    fs::remove_file(&manifest).unwrap();
    assert_eq!(errors(&project.cargo(&["build"]).failed()), told);
}

#[test]
fn a_file_that_only_the_compiler_understands_is_an_error_at_its_kernels() {
    let project = project("unread", "7");
    project.build();
    // As the build script leaves it for Rust that is newer than its parser.
    project.edit_manifest(|text| {
        let of_kernel = |line: &&str| !line.starts_with("kernel\t") && !line.starts_with("home\t");
        let kept = text.lines().filter(of_kernel);
        let mut lines: Vec<&str> = kept.collect();
        lines.push(
            "unread\tsrc/main.rs\ndiagnostic\t0\t0\tSHM0001\tsrc/main.rs:9:5: expected `;`\thelp\n",
        );
        lines.join("\n")
    });
    project.touch("note.txt");
    let unread = project.cargo(&["build"]).failed();
    unread.says("src/main.rs:9:5: expected `;` [SHM0001]", 1);
    unread.says(" --> src/main.rs:4:1\n", 1);
}

#[test]
fn without_a_build_script_a_launch_says_what_to_add() {
    let project = project("no-script", "7");
    project.remove("build.rs");
    let printed = project.prints();
    assert!(
        printed.starts_with("k = kernel `k` was not built: add a build.rs"),
        "{printed}"
    );
    assert!(printed.contains("shmem_codegen::build();"), "{printed}");
    assert!(printed.contains("[build-dependencies]"), "{printed}");
    assert_eq!(project.compiled(), [""; 0]);
}

#[test]
fn a_library_of_another_build_is_refused() {
    let project = project("contracts", "7");
    assert_eq!(project.prints(), "k = 7\n");
    project.compiled();
    let mut contract = String::new();
    project.edit_manifest(|text| {
        let line = text
            .lines()
            .find(|line| line.starts_with("kernel\t"))
            .unwrap();
        contract = line.split('\t').nth(6).unwrap().to_owned();
        text.replace(&contract, "00000000deadbeef")
    });
    project.touch("note.txt");
    assert_eq!(
        project.prints(),
        format!(
            "k = the library of kernel `k` has contract 0x{contract}, and the code that launches it 0x00000000deadbeef: \
             they come from two builds; build the package again\n"
        )
    );

    // An old manifest, of another text: what was built is not for this kernel.
    project.edit_manifest(|text| {
        let line = text
            .lines()
            .find(|line| line.starts_with("kernel\t"))
            .unwrap();
        let hash = line.split('\t').nth(4).unwrap().to_owned();
        text.replace(&hash, "0123456789abcdef")
    });
    project.touch("note.txt");
    let printed = project.prints();
    assert!(
        printed.starts_with("k = kernel `k` was not built"),
        "{printed}"
    );
    assert_eq!(project.compiled(), [""; 0]);

    // The build script sets it right again.
    project.touch("src/main.rs");
    assert_eq!(project.prints(), "k = 7\n");
    assert_eq!(project.compiled(), [""; 0]);
}
