//! Where kernels may stand.

use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};

use crate::scratch::{Scratch, kernel};

const LIB: &str = r#"
#[macro_use]
pub mod show;
pub mod plain;
pub mod outer;
pub mod shared;
#[path = "elsewhere/odd.rs"]
pub mod odd;
#[path = "../../beside/far.rs"]
pub mod far;
pub mod linked;
#[cfg_attr(unix, path = "on_unix.rs")]
pub mod system;
#[path = "renamed"]
pub mod inline_path {
    pub mod within;
    #[path = "x.rs"]
    pub mod direct;
}
pub mod inline {
    pub mod file;
    pub mod deep {
        KERNEL(same, 40)
    }
    KERNEL(same, 41)
}
#[cfg(feature = "extra-kernels")]
pub mod extra;
#[cfg(not(feature = "extra-kernels"))]
pub mod extra {
    KERNEL(k, 50)
}
pub mod whole;
pub mod r#match;

pub fn body() {
    KERNEL(same, 60)
    show!(same);
    {
        KERNEL(same, 61)
        show!(same);
    }
    const _: () = {
        KERNEL(same, 62)
    };
    #[path = "in_body.rs"]
    mod in_body;
    show!(in_body::k);
    struct Type;
    impl Type {
        fn method() {
            KERNEL(same, 64)
            show!(same);
        }
    }
    Type::method();
}

#[cfg_attr(all(), shmem::shmem_kernel)]
pub fn conditional(out: shmem::Global<i32>) {
    out.store(65);
}

#[cfg(false)]
mod never {
    KERNEL(same, 66)
}
"#;

const MAIN: &str = r#"
use every_where::*;
mod shared;
mod own {
    KERNEL(same, 70)
}
KERNEL(conditional, 71)

fn main() {
    show!(plain::same);
    show!(outer::same);
    show!(outer::inner::same);
    show!(outer::inner::leaf::same);
    show!(every_where::shared::same);
    show!(shared::same);
    show!(odd::same);
    show!(odd::next::same);
    show!(far::same);
    show!(linked::same);
    show!(system::same);
    show!(inline_path::within::same);
    show!(inline_path::direct::same);
    show!(inline::file::same);
    show!(inline::deep::same);
    show!(inline::same);
    show!(extra::k);
    show!(whole::k);
    show!(r#match::r#loop);
    show!(own::same);
    show!(conditional);
    show!(every_where::conditional);
    body();
}
"#;

const PRINTED: &str = "\
plain::same = 1
outer::same = 2
outer::inner::same = 3
outer::inner::leaf::same = 4
every_where::shared::same = 5
shared::same = 5
odd::same = 6
odd::next::same = 7
far::same = 8
linked::same = 9
system::same = 10
inline_path::within::same = 11
inline_path::direct::same = 12
inline::file::same = 13
inline::deep::same = 40
inline::same = 41
extra::k = 50
whole::k = 52
r#match::r#loop = 53
own::same = 70
conditional = 71
every_where::conditional = 65
same = 60
same = 61
in_body::k = 63
same = 64
";

const TEST: &str = r#"
use every_where::show::value;

mod parts;
KERNEL(own, 80)

#[test]
fn kernels_of_tests_are_launched() {
    assert_eq!(value(|stream, out| own::launch(stream, 1, out)), "80");
    assert_eq!(value(|stream, out| parts::k::launch(stream, 1, out)), "81");
    assert_eq!(value(|stream, out| every_where::plain::same::launch(stream, 1, out)), "1");
}
"#;

/// `KERNEL(name, value)` written out.
fn expand(text: &str) -> String {
    let mut parts = text.split("KERNEL(");
    let mut expanded = parts.next().unwrap().to_owned();
    for part in parts {
        let (arguments, rest) = part.split_once(')').unwrap();
        let (name, value) = arguments.split_once(", ").unwrap();
        expanded.push_str(&kernel(name, value));
        expanded.push_str(rest);
    }
    expanded
}

#[test]
fn kernels_may_stand_wherever_functions_may() {
    let project = Scratch::at("every-where", "with space \u{fc} '\u{6f22}'");
    project.manifest("[features]\nextra-kernels = []\n");
    project.write(
        "build.rs",
        "fn main() {\n    shmem_codegen::Build::new().source(\"./tests/kernels.rs\").run();\n}\n",
    );
    let same = |value: &str| kernel("same", value);
    let with = |modules: &str, value: &str| format!("{modules}\n{}", kernel("same", value));
    project.write("src/lib.rs", &expand(LIB));
    project.write("src/main.rs", &expand(MAIN));
    project.write("src/plain.rs", &same("1"));
    project.write("src/outer/mod.rs", &with("pub mod inner;", "2"));
    project.write("src/outer/inner.rs", &with("pub mod leaf;", "3"));
    // Windows line ends and a byte order mark.
    project.write(
        "src/outer/inner/leaf.rs",
        &format!("\u{feff}{}", same("4").replace('\n', "\r\n")),
    );
    project.write("src/shared.rs", &same("5"));
    project.write("src/elsewhere/odd.rs", &with("pub mod next;", "6"));
    project.write("src/elsewhere/next.rs", &same("7"));
    let beside = project.outside("beside");
    fs::create_dir(&beside).unwrap();
    fs::write(beside.join("far.rs"), same("8")).unwrap();
    fs::write(beside.join("target.rs"), same("9")).unwrap();
    symlink(
        beside.join("target.rs"),
        project.root().join("src/linked.rs"),
    )
    .unwrap();
    project.write("src/on_unix.rs", &same("10"));
    project.write("src/renamed/within.rs", &same("11"));
    project.write("src/renamed/x.rs", &same("12"));
    project.write("src/inline/file.rs", &same("13"));
    project.write("src/extra.rs", &kernel("k", "51"));
    project.write(
        "src/whole.rs",
        &format!(
            "#[cfg(feature = \"extra-kernels\")]\nmod off {{\n    #![cfg(not(feature = \"extra-kernels\"))]\n    {}\n}}\n{}",
            same("0"),
            kernel("k", "52")
        ),
    );
    project.write("src/match.rs", &kernel("r#loop", "53"));
    project.write("src/in_body.rs", &kernel("k", "63"));
    let tool = format!(
        "{}\nfn main() {{\n    every_where::show!(same);\n}}\n",
        same("90")
    );
    project.write("src/bin/tool-one.rs", &tool);
    let parts = format!(
        "mod part;\n{}\nfn main() {{\n    every_where::show!(same);\n    every_where::show!(part::same);\n}}\n",
        same("91")
    );
    project.write("src/bin/two/main.rs", &parts);
    project.write("src/bin/two/part.rs", &same("92"));
    project.write("tests/kernels.rs", &expand(TEST));
    project.write("tests/parts/mod.rs", &kernel("k", "81"));
    project.write("tests/other.rs", "#[test]\nfn nothing() {}\n");

    // Nothing of it may be written to.
    let source = project.root().join("src");
    let unwritable = |mode| {
        for path in [source.clone(), project.root().to_owned()] {
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
        }
    };
    unwritable(0o555);
    let before = project.files();
    project.build();
    assert_eq!(project.run("every-where", &[]).succeeded().stdout, PRINTED);
    assert_eq!(
        project.run("tool-one", &[]).succeeded().stdout,
        "same = 90\n"
    );
    assert_eq!(
        project.run("two", &[]).succeeded().stdout,
        "same = 91\npart::same = 92\n"
    );
    project.cargo(&["test", "--test", "kernels"]).succeeded();
    project.cargo(&["build"]).succeeded().says("Compiling", 0);
    assert_eq!(project.files(), before);
    unwritable(0o755);

    project
        .cargo(&[
            "build",
            "--features",
            "extra-kernels",
            "--bin",
            "every-where",
        ])
        .succeeded();
    let printed = PRINTED.replace("extra::k = 50", "extra::k = 51");
    assert_eq!(project.run("every-where", &[]).succeeded().stdout, printed);
}
