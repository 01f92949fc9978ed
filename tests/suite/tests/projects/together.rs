//! Profiles, and builds at the same time.

use std::thread;

use crate::scratch::{Scratch, forget, kernel, run, shared_target};

const OVERFLOWS: &str = r#"
#[macro_use]
mod show;
#[shmem::shmem_kernel]
pub fn add(out: shmem::Global<i32>) {
    let big = out.load() + 2147483647;
    out.store(big + 1);
}
#[shmem::shmem_kernel]
pub fn one(out: shmem::Global<i32>) {
    out.store(1);
}
fn main() {
    show!(add);
}
"#;

/// Debug assertions off in this package alone: its dependencies are compiled already.
const NO_ASSERTIONS: &str = "[profile.dev]\ndebug-assertions = false\n[profile.dev.package.\"*\"]\ndebug-assertions = true\n\
                             [profile.dev.build-override]\ndebug-assertions = true\n";

#[test]
fn overflow_is_checked_as_the_profile_or_the_build_script_says() {
    let project = Scratch::new("profiles");
    project.write("src/main.rs", OVERFLOWS);
    let printed = project.prints();
    assert!(
        printed.contains("attempt to add with overflow") && printed.contains("src/main.rs:7:15"),
        "{printed}"
    );

    project.manifest(NO_ASSERTIONS);
    let refused = project.cargo(&["build"]).failed();
    for text in [
        "kernels were compiled with overflow checks on, but this profile sets debug-assertions otherwise",
        "call `.overflow_checks(false)` on the Build in build.rs",
        " --> src/main.rs:5:8\n",
    ] {
        assert!(refused.stderr.contains(text), "{}", refused.stderr);
    }

    project.write(
        "build.rs",
        "fn main() {\n    shmem_codegen::Build::new().overflow_checks(false).run();\n}\n",
    );
    assert_eq!(project.prints(), "add = -2147483648\n");
}

const ASSERTS: &str = r#"
#[macro_use]
mod show;
#[shmem::shmem_kernel]
pub fn one(out: shmem::Global<i32>) {
    out.store(1);
}
#[shmem::shmem_kernel]
pub fn five(out: shmem::Global<i32>) {
    debug_assert_eq!(out.load(), 3);
    out.store(5);
}
fn main() {
    show!(five);
}
"#;

#[test]
fn debug_assertions_are_on_as_the_profile_or_the_build_script_says() {
    let project = Scratch::new("assertions");
    project.write("src/main.rs", ASSERTS);
    let printed = project.prints();
    assert!(
        printed
            .contains("src/main.rs:10:5: assertion `left == right` failed\n  left: 0\n right: 3"),
        "{printed}"
    );

    let build = |settings: &str| {
        let text = format!("fn main() {{\n    shmem_codegen::Build::new(){settings}.run();\n}}\n");
        project.write("build.rs", &text);
    };
    project.manifest(NO_ASSERTIONS);
    build(".overflow_checks(true)");
    let refused = project.cargo(&["build"]).failed();
    for text in [
        "kernels were compiled with debug assertions on, but this profile sets debug-assertions otherwise",
        "call `.debug_assertions(false)` on the Build in build.rs",
        " --> src/main.rs:9:8\n",
    ] {
        assert!(refused.stderr.contains(text), "{}", refused.stderr);
    }
    refused.says("error[E0080]", 1);

    build(".overflow_checks(true).debug_assertions(false)");
    assert_eq!(project.prints(), "five = 5\n");
}

#[test]
fn two_target_directories_are_built_at_once() {
    let project = Scratch::new("two-targets");
    project.write("src/main.rs", OVERFLOWS);
    // The second one in release, where overflow wraps.
    let second = shared_target().with_extension("2");
    forget(&second, "two-targets");
    let target = [("CARGO_TARGET_DIR", second.to_str().unwrap())];
    let release = || project.cargo_with(&["build", "--release"], &target);
    thread::scope(|scope| {
        let other = scope.spawn(release);
        project.build();
        other.join().unwrap().succeeded();
    });
    let checked = project.run("two-targets", &[]).succeeded().stdout;
    assert!(
        checked.contains("attempt to add with overflow"),
        "{checked}"
    );
    let wraps = run(&second.join("release/two-targets"), &[])
        .succeeded()
        .stdout;
    assert_eq!(wraps, "add = -2147483648\n");
    project.build().says("Compiling", 0);
    release().succeeded().says("Compiling", 0);
}

#[test]
fn a_build_and_a_test_of_one_project_run_at_once() {
    let project = Scratch::new("at-once");
    project.write(
        "src/lib.rs",
        &format!(
            "#[macro_use]\npub mod show;\n{}#[test]\nfn launches() {{\n    \
             assert_eq!(show::value(|stream, out| k::launch(stream, 1, out)), \"7\");\n}}\n",
            kernel("k", "7")
        ),
    );
    project.write(
        "src/main.rs",
        "use at_once::*;\nfn main() {\n    show!(k);\n}\n",
    );
    thread::scope(|scope| {
        let test = scope.spawn(|| project.cargo(&["test", "--lib"]));
        project.build();
        let test = test.join().unwrap().succeeded();
        assert!(
            test.stdout.contains("test launches ... ok"),
            "{}",
            test.stdout
        );
    });
    assert_eq!(project.compiled(), ["src_lib", "link"]);
    assert_eq!(project.run("at-once", &[]).succeeded().stdout, "k = 7\n");
}
