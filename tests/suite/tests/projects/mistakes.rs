//! Mistakes in kernels: the build script passes them on, the macro shows them.

use crate::scratch::{Scratch, kernel};

const MAIN: &str = "#[macro_use]\nmod show;\nmod a;\nmod b;\nmod c;\nfn main() {\n    show!(a::one);\n    show!(b::two);\n    show!(c::three);\n}\n";

#[test]
fn every_mistake_is_shown_once_at_its_place() {
    let project = Scratch::new("mistakes");
    project.write("src/main.rs", MAIN);
    project.write("src/a.rs", &kernel("one", "1"));
    project.write("src/b.rs", &kernel("two", "wrong"));
    project.write("src/c.rs", &kernel("three", "3"));

    let one = project.cargo(&["build"]).failed();
    one.says(
        "`wrong` is not a local or parameter of this kernel [SHM0202]",
        1,
    );
    one.says(" --> src/b.rs:3:15\n", 1);
    one.says("help: ", 1);
    let errors = one.stderr.lines().filter(|line| line.starts_with("error"));
    assert_eq!(errors.count(), 2, "{}", one.stderr);
    one.says("could not compile `mistakes`", 1);
    one.says("due to 1 previous error", 1);
    one.says("custom build command", 0);
    assert_eq!(project.compiled(), [""; 0]);
    project.cargo(&["build"]).failed().says("[SHM0202]", 1);

    // Two files, and two in one kernel.
    project.write(
        "src/c.rs",
        "#[shmem::shmem_kernel]\npub fn three(out: shmem::Global<i32>) {\n    out.store(first);\n    out.store(second);\n}\n",
    );
    let three = project.cargo(&["check"]).failed();
    for (name, place) in [
        ("wrong", "b.rs:3:15"),
        ("first", "c.rs:3:15"),
        ("second", "c.rs:4:15"),
    ] {
        three.says(
            &format!("`{name}` is not a local or parameter of this kernel [SHM0202]"),
            1,
        );
        three.says(&format!(" --> src/{place}\n"), 1);
    }
    three.says("due to 3 previous errors", 1);
    let manifest = std::fs::read_to_string(project.out().join("manifest")).unwrap();
    assert_eq!(manifest.matches("\ndiagnostic\t").count(), 3, "{manifest}");
    assert!(manifest.contains("\nlibrary\tfalse\n"), "{manifest}");

    project.write("src/b.rs", &kernel("two", "2"));
    project.write("src/c.rs", &kernel("three", "3"));
    assert_eq!(project.prints(), "a::one = 1\nb::two = 2\nc::three = 3\n");
    assert_eq!(project.compiled(), ["src_a", "src_b", "src_c", "link"]);

    // What was right meanwhile is not compiled again.
    project.write("src/b.rs", &kernel("two", "wrong"));
    project.cargo(&["build"]).failed().says("[SHM0202]", 1);
    project.write("src/b.rs", &kernel("two", "22"));
    assert_eq!(project.prints(), "a::one = 1\nb::two = 22\nc::three = 3\n");
    assert_eq!(project.compiled(), ["src_b", "link"]);

    // A mistake against Rust itself: rustc's error, once, and nothing of ours.
    project.write("src/b.rs", "pub fn two( {\n");
    let syntax = project.cargo(&["build"]).failed();
    syntax.says("src/b.rs:1", 1);
    syntax.says("SHM", 0);
    project.write("src/b.rs", &kernel("two", "22"));
    assert_eq!(project.prints(), "a::one = 1\nb::two = 22\nc::three = 3\n");
    assert_eq!(
        project.compiled(),
        ["link", "link"],
        "no object was lost meanwhile"
    );
}

#[test]
fn a_kernel_that_only_rustc_sees_is_an_error_that_names_the_cfg() {
    let project = Scratch::new("cfgs");
    project.write(
        "build.rs",
        "fn main() {\n    println!(\"cargo::rustc-check-cfg=cfg(mine)\");\n    println!(\"cargo::rustc-cfg=mine\");\n    \
         shmem_codegen::build();\n}\n",
    );
    project.write(
        "src/main.rs",
        &format!(
            "#[macro_use]\nmod show;\nmod a;\n#[cfg(mine)]\nmod b {{\n{}}}\nfn main() {{\n    show!(a::one);\n}}\n",
            kernel("two", "2")
        ),
    );
    project.write("src/a.rs", &kernel("one", "1"));
    let seen = project.cargo(&["build"]).failed();
    seen.says(
        "the build script takes `#[cfg(mine)]` as off and has left this kernel out [SHM0124]",
        1,
    );
    seen.says(" --> src/main.rs:7:8\n", 1);

    let main = "#[macro_use]\nmod show;\nmod a;\nfn main() {\n    show!(a::one);\n}\n";
    let tests = format!("#[cfg(test)]\nmod tests {{\n{}}}\n", kernel("three", "3"));
    project.write("src/main.rs", &format!("{main}{tests}"));
    assert_eq!(project.prints(), "a::one = 1\n");
    let seen = project.cargo(&["test", "--no-run"]).failed();
    seen.says("a kernel under `cfg(test)` is not supported [SHM0116]", 1);
    seen.says(" --> src/main.rs:10:8\n", 1);
}

const CONDITIONAL: &str = "\
#[macro_use]
mod show;
#[shmem::shmem_kernel]
fn k(out: shmem::Global<i32>, #[cfg(any())] more: i32) {
    let mut x = 1;
    #[cfg(feature = \"two\")]
    {
        x += 1;
    }
    out.store(match x {
        #[cfg(all(unix, not(feature = \"two\")))]
        1 => 10,
        _ => helper(x, #[cfg(feature = \"two\")] 100),
    });
}
#[shmem::shmem_device]
fn helper(x: i32, #[cfg(feature = \"two\")] y: i32) -> i32 {
    #[cfg(feature = \"two\")]
    return x + y;
    #[cfg(not(feature = \"two\"))]
    x
}
fn main() {
    show!(k);
}
";

#[test]
fn what_a_cfg_inside_a_kernel_takes_away_is_gone_on_both_sides() {
    let project = Scratch::new("conditional");
    project.manifest("[features]\ntwo = []\n");
    project.write("src/main.rs", CONDITIONAL);
    assert_eq!(project.prints(), "k = 10\n");
    project.cargo(&["build", "--features", "two"]).succeeded();
    let printed = project.run("conditional", &[]).succeeded().stdout;
    assert_eq!(printed, "k = 102\n");

    // What only rustc knows: an error, once.
    project.write(
        "build.rs",
        "fn main() {\n    println!(\"cargo::rustc-check-cfg=cfg(mine)\");\n    println!(\"cargo::rustc-cfg=mine\");\n    \
         shmem_codegen::build();\n}\n",
    );
    let mine = CONDITIONAL.replace("feature = \"two\"", "mine");
    project.write("src/main.rs", &mine);
    let told = project.cargo(&["build"]).failed();
    told.says(
        "the build script takes `cfg(mine)` otherwise than the compiler [SHM0007]",
        2,
    );
    told.says(" --> src/main.rs:6:11\n", 1);
}
