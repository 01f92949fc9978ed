//! Device functions and constants in other files.

use crate::scratch::Scratch;

const KERNEL: &str = "\
use shmem::prelude::*;
#[shmem_kernel]
pub fn k(out: Global<i32>) {
    out.store(crate::tools::value(crate::tools::N));
}
";

fn tools(n: &str, value: &str) -> String {
    format!(
        "use shmem::prelude::*;\npub const N: i32 = {n};\n#[shmem_device]\npub fn value(x: i32) -> i32 {{\n    {value}\n}}\n"
    )
}

#[test]
fn an_edit_in_another_file_reaches_the_kernel() {
    let project = Scratch::new("far-edits");
    project.write(
        "src/main.rs",
        "#[macro_use]\nmod show;\nmod kernels;\nmod tools;\nfn main() {\n    show!(kernels::k);\n}\n",
    );
    project.write("src/kernels.rs", KERNEL);
    project.write("src/tools.rs", &tools("3", "x + 1"));
    assert_eq!(project.prints(), "kernels::k = 4\n");
    assert_eq!(project.compiled(), ["src_kernels", "link"]);
    project.write("src/tools.rs", &tools("3", "x * 20"));
    assert_eq!(project.prints(), "kernels::k = 60\n");
    project.write("src/tools.rs", &tools("super::M + 1", "x * 20"));
    let main = "#[macro_use]\nmod show;\nmod kernels;\nmod tools;\nconst M: i32 = 4;\nfn main() {\n    show!(kernels::k);\n}\n";
    project.write("src/main.rs", main);
    assert_eq!(project.prints(), "kernels::k = 100\n");
    project.compiled();
    // A mistake there is told there, once, and the kernel has none.
    project.write("src/tools.rs", &tools("3", "x + true"));
    let told = project.cargo(&["build"]).failed();
    told.says("[SHM", 1);
    told.says(" --> src/tools.rs:5:5\n", 1);
    assert_eq!(project.compiled(), [""; 0]);
    // A panic there is told with its file.
    project.write("src/tools.rs", &tools("i32::MAX", "x + 1"));
    let printed = project.prints();
    assert!(
        printed.contains("src/tools.rs:5:5: attempt to add with overflow"),
        "{printed}"
    );
    // Without a build script the kernel is plain Rust, and a launch says so.
    project.remove("build.rs");
    let printed = project.prints();
    assert!(
        printed.starts_with("kernels::k = kernel `k` was not built"),
        "{printed}"
    );
}

#[test]
fn a_file_of_two_crates_means_one_thing_or_does_not_compile() {
    let project = Scratch::new("two-crates");
    let main = "#[macro_use]\nmod show;\nmod kernels;\nmod tools;\nfn main() {\n    show!(two_crates::kernels::k);\n    show!(kernels::k);\n}\n";
    project.write("src/lib.rs", "pub mod kernels;\nmod tools;\n");
    project.write("src/main.rs", main);
    project.write("src/kernels.rs", KERNEL);
    project.write("src/tools.rs", &tools("3", "x + 1"));
    let printed = "two_crates::kernels::k = 4\nkernels::k = 4\n";
    assert_eq!(project.prints(), printed);
    // In the binary `crate::tools` is another module now: its kernel would not be the one that was built.
    project.write(
        "src/main.rs",
        &main.replace("mod tools;", "#[path = \"other.rs\"]\nmod tools;"),
    );
    project.write("src/other.rs", &tools("3", "x + 2"));
    let told = project.cargo(&["build"]).failed();
    told.says(
        "to the compiler `crate::tools::value` is another function",
        1,
    );
    told.says("--> src/kernels.rs:4:15\n", 1);
    project.write("src/other.rs", &tools("4", "x + 1"));
    let told = project.cargo(&["build"]).failed();
    told.says("to the compiler `crate::tools::N` is another constant", 1);
    told.says("--> src/kernels.rs:4:35\n", 1);
    project.write("src/other.rs", &tools("1 + 2", "x + 1"));
    assert_eq!(project.prints(), printed);
}
