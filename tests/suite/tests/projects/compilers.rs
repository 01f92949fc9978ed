//! C++ compilers: missing, failing, another one.

use std::process::Command;

use crate::scratch::{Scratch, kernel};

fn project(name: &str) -> Scratch {
    let project = Scratch::new(name);
    let main = format!(
        "#[macro_use]\nmod show;\n{}fn main() {{\n    show!(k);\n}}\n",
        kernel("k", "7")
    );
    project.write("src/main.rs", &main);
    project
}

#[test]
fn without_a_working_compiler_the_build_says_what_to_do() {
    let project = project("compilers");
    let missing = project
        .cargo_with(&["build"], &[("SHMEM_CXX", "/nonexistent/c++")])
        .failed();
    missing.says("no C++ compiler", 1);
    missing.says(
        "`/nonexistent/c++` cannot be run (No such file or directory",
        1,
    );
    missing.says("apt-get install g++", 1);
    missing.says("set SHMEM_CXX to its path", 1);
    missing.says("panicked", 0);

    // The cc crate's variable.
    let missing = project
        .cargo_with(&["build"], &[("CXX", "/nonexistent/g++")])
        .failed();
    missing.says("error: no C++ compiler", 1);
    missing.says("`/nonexistent/g++` cannot be run", 1);

    let text = "first line of the compiler\nsrc/main.rs:5: a second one\n    on standard output";
    let failing = project.script("failing", "echo 'first line of the compiler' >&2\necho 'src/main.rs:5: a second one' >&2\necho '    on standard output'\nexit 1\n");
    let failed = project
        .cargo_with(&["build"], &[("SHMEM_CXX", failing.to_str().unwrap())])
        .failed();
    failed.says(
        "error: the C++ compiler failed on the generated kernels (exit status: 1)",
        1,
    );
    for line in text.lines() {
        failed.says(line, 1);
    }
    failed.says("-ffp-contract=off", 1);

    // It leaves an object that is not one and dies: nothing of it may be linked later.
    let dying = project.script(
        "dying",
        "while [ $# -gt 0 ]; do [ \"$1\" = -o ] && echo rubbish > \"$2\"; shift; done\nkill -9 $$\n",
    );
    let died = project
        .cargo_with(&["build"], &[("SHMEM_CXX", dying.to_str().unwrap())])
        .failed();
    died.says(
        "error: the C++ compiler failed on the generated kernels (signal: 9 (SIGKILL))",
        1,
    );

    assert_eq!(project.prints(), "k = 7\n");
    assert_eq!(project.compiled(), ["src_main", "link"]);
}

#[test]
fn an_interrupted_compilation_is_done_again() {
    let project = project("interrupted");
    let main = "#[macro_use]\nmod show;\nmod a;\nmod b;\nfn main() {\n    show!(a::k);\n    show!(b::k);\n}\n";
    project.write("src/main.rs", main);
    project.write("src/a.rs", &kernel("k", "1"));
    project.write("src/b.rs", &kernel("k", "2"));
    // A compiler that is one, until it is told to die halfway.
    let compiler = project.script(
        "halfway",
        &format!(
            "[ -e '{}' ] || exec c++ \"$@\"\n\
             while [ $# -gt 0 ]; do [ \"$1\" = -o ] && echo rubbish > \"$2\"; shift; done\nkill -9 $$\n",
            project.outside("die").display()
        ),
    );
    let build = || project.cargo_with(&["build"], &[("SHMEM_CXX", compiler.to_str().unwrap())]);
    build().succeeded();
    std::fs::write(project.outside("die"), "").unwrap();
    project.write("src/a.rs", &kernel("k", "11"));
    build().failed();
    std::fs::remove_file(project.outside("die")).unwrap();
    // The text is again what the last good object was made of; the object is not.
    project.write("src/a.rs", &kernel("k", "1"));
    project.write("src/b.rs", &kernel("k", "22"));
    build().succeeded();
    assert_eq!(
        project.run("interrupted", &[]).succeeded().stdout,
        "a::k = 1\nb::k = 22\n"
    );
}

#[test]
fn clang_compiles_kernels_too() {
    let there = Command::new("clang++")
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success());
    if !there {
        assert!(
            std::env::var_os("SHMEM_TEST_ALL").is_none_or(|all| all != "1"),
            "SHMEM_TEST_ALL=1 and there is no clang++"
        );
        println!("skipped: there is no clang++");
        return;
    }
    let project = project("clang");
    project
        .cargo_with(&["build"], &[("SHMEM_CXX", "clang++")])
        .succeeded();
    assert_eq!(project.run("clang", &[]).succeeded().stdout, "k = 7\n");
}
