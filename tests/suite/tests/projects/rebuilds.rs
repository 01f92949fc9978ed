//! What is compiled again, and what is not.

use crate::scratch::{Scratch, kernel};

#[test]
fn only_what_changed_is_compiled() {
    let project = Scratch::new("rebuilds");
    let main = "#[macro_use]\nmod show;\nmod a;\nmod b;\nfn main() {\n    show!(a::one);\n    show!(b::two);\n}\n";
    project.write("src/main.rs", main);
    project.write("src/a.rs", &kernel("one", "1"));
    project.write("src/b.rs", &kernel("two", "2"));
    let before = project.files();

    project.cargo(&["check"]).succeeded();
    assert_eq!(project.compiled(), ["src_a", "src_b", "link"]);
    project.build();
    assert_eq!(project.compiled(), [""; 0], "a build after a check");
    project.build().says("Compiling", 0);
    project.cargo(&["check"]).succeeded().says("Checking", 0);
    assert_eq!(project.compiled(), [""; 0], "a check after a build");
    assert_eq!(project.prints(), "a::one = 1\nb::two = 2\n");
    assert_eq!(project.files(), before, "only OUT_DIR is written to");

    project.touch("src/a.rs");
    project.build().says("Compiling rebuilds", 1);
    assert_eq!(project.compiled(), [""; 0], "a source with a new time");
    project.build().says("Compiling", 0);

    // Lines move in the whole file: `#line` has to follow.
    project.write("src/a.rs", &format!("\n\n{}", kernel("one", "1")));
    project.build();
    assert_eq!(project.compiled(), ["src_a", "link"]);

    project.write("src/b.rs", &kernel("two", "22"));
    assert_eq!(project.prints(), "a::one = 1\nb::two = 22\n");
    assert_eq!(project.compiled(), ["src_b", "link"]);

    let all = [
        "libkernels.so",
        "libkernels.so.key",
        "manifest",
        "src_a.cpp",
        "src_a.o",
        "src_a.o.key",
    ];
    let both = [&all[..], &["src_b.cpp", "src_b.o", "src_b.o.key"]].concat();
    assert_eq!(project.outputs(), both);
    project.write(
        "src/main.rs",
        "#[macro_use]\nmod show;\nmod a;\nfn main() {\n    show!(a::one);\n}\n",
    );
    project.remove("src/b.rs");
    assert_eq!(project.prints(), "a::one = 1\n");
    assert_eq!(project.compiled(), ["link"]);
    assert_eq!(
        project.outputs(),
        all,
        "what was made of a deleted kernel is gone"
    );

    // Without any kernel.
    project.write("src/main.rs", "mod a;\nfn main() {}\n");
    project.write("src/a.rs", "");
    assert_eq!(project.prints(), "");
    assert_eq!(project.compiled(), [""; 0]);
    assert_eq!(project.outputs(), ["manifest"]);
}

#[test]
fn new_files_are_seen_without_an_edit_of_the_old_ones() {
    let project = Scratch::new("new-files");
    project.write(
        "src/main.rs",
        "#[macro_use]\nmod show;\nmod late;\nfn main() {\n    show!(late::k);\n}\n",
    );
    project.cargo(&["build"]).failed().says("error[E0583]", 1);
    project.write("src/late.rs", &kernel("k", "1"));
    assert_eq!(project.prints(), "late::k = 1\n");
    project.build().says("Compiling", 0);

    // The first file under src/bin, and a module that moves.
    let tool = format!(
        "#[macro_use]\n#[path = \"../show.rs\"]\nmod show;\n{}fn main() {{\n    show!(t);\n}}\n",
        kernel("t", "2")
    );
    project.write("src/bin/tool.rs", &tool);
    std::fs::create_dir(project.root().join("src/late")).unwrap();
    std::fs::rename(
        project.root().join("src/late.rs"),
        project.root().join("src/late/mod.rs"),
    )
    .unwrap();
    project.build();
    assert_eq!(project.run("tool", &[]).stdout, "t = 2\n");
    assert_eq!(project.run("new-files", &[]).stdout, "late::k = 1\n");
    project.build().says("Compiling", 0);

    // The build script may have any name.
    project.manifest("[package.metadata]\n");
    let manifest = std::fs::read_to_string(project.root().join("Cargo.toml")).unwrap();
    project.write(
        "Cargo.toml",
        &manifest.replace("edition", "build = \"prepare.rs\"\nedition"),
    );
    std::fs::rename(
        project.root().join("build.rs"),
        project.root().join("prepare.rs"),
    )
    .unwrap();
    assert_eq!(project.prints(), "late::k = 1\n");
    project.build().says("Compiling", 0);
}
