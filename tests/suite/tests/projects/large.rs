//! A kernel of 5,000 statements, and one with more on its stack than a device has.

use crate::scratch::Scratch;

/// The statements of a large kernel, `count` of them: no two alike, each has a part in the result.
fn statements(count: i32) -> String {
    let statement = |i: i32| match i % 8 {
        0 => format!(
            "let y{i} = x.wrapping_mul({}).rotate_left({});",
            i | 1,
            i % 31
        ),
        1 => format!("x ^= y{} >> {};", i - 1, i % 30),
        2 => format!("if x % {} == 0 {{ x = x.wrapping_add({i}); }}", i % 9 + 2),
        3 => format!("cells[{}] = x / {};", i % 64, i % 5 + 1),
        4 => format!("x = x.wrapping_sub(cells[(x as u32 % 64) as usize] + {i} % 7);"),
        5 => format!(
            "x = match x & 7 {{ {} => !x, 4..=7 => x >> 1, _ => x ^ {i} }};",
            i % 4
        ),
        6 => format!(
            "for j in 0..{} {{ x = x.wrapping_add(j * {}); }}",
            i % 5,
            i % 100
        ),
        _ => format!("let x0 = x; x = if x0 > {i} {{ x0 - {i} }} else {{ x0.wrapping_mul(31) }};"),
    };
    (0..count).map(|i| statement(i) + "\n    ").collect()
}

/// 40 KiB on the stack of a kernel, and as much on that of a function that it calls.
const WIDE: &str = "
#[shmem::shmem_device]
fn sum(of: i32) -> i32 {
    let mut cells = [0_i32; 10240];
    let mut total = 0;
    for i in 0..cells.len() {
        cells[i] = of + i as i32;
    }
    for i in (0..cells.len()).rev() {
        total += cells[i] % 7;
    }
    total
}

#[shmem::shmem_kernel]
fn wide(out: shmem::Global<i32>) {
    let mut cells = [1_i32; 10240];
    for i in 1..cells.len() {
        cells[i] = cells[i - 1].wrapping_mul(5) + 1;
    }
    out.store(cells[10239] / 2 + sum(cells[77]));
}
";

#[test]
fn five_thousand_statements_and_wide_locals_build_and_run() {
    let project = Scratch::new("large");
    let main = format!(
        "#[macro_use]\nmod show;\n{WIDE}\n#[shmem::shmem_kernel]\nfn long(out: shmem::Global<i32>) {{\n    \
         let mut x = 1_i32;\n    let mut cells = [0_i32; 64];\n    {}out.store(x);\n}}\n\n\
         fn main() {{\n    let mut host = 0;\n    long(shmem::Global::from_mut(&mut host));\n    \
         println!(\"long = {{host}}\");\n    show!(long);\n    \
         wide(shmem::Global::from_mut(&mut host));\n    println!(\"wide = {{host}}\");\n    show!(wide);\n}}\n",
        statements(5000)
    );
    project.write("src/main.rs", &main);
    let printed = project.prints();
    let lines: Vec<&str> = printed.lines().collect();
    let [long, long_device, wide, wide_device] = lines[..] else {
        panic!("{printed}")
    };
    assert_eq!([long, wide], [long_device, wide_device]);
    assert!(!printed.contains(" = 0\n"), "{printed}");
}

#[test]
fn what_an_npu_has_no_stack_for_is_refused_where_that_is_asked() {
    let project = Scratch::new("stack");
    let main = format!("#[macro_use]\nmod show;\n{WIDE}\nfn main() {{\n    show!(wide);\n}}\n");
    project.write("src/main.rs", &main);
    let build = |settings: &str| {
        let call = format!("shmem_codegen::Build::new(){settings}.run();");
        project.write("build.rs", &format!("fn main() {{\n    {call}\n}}\n"));
    };
    build(".check_npu(true)");
    let refused = project.cargo(&["build"]).failed();
    // Two arrays, and the numbers beside them.
    refused.says(
        "the locals of `wide` and of what it calls take 81976 bytes, and the stack of an AI core has 32768 [SHM0501]",
        1,
    );
    refused.says("`.aicore_stack(81976)` on the Build in build.rs", 1);
    refused.says(" --> src/main.rs:18:4\n", 1);
    refused.says("due to 1 previous error", 1);
    assert_eq!(project.compiled(), [""; 0]);
    for settings in [
        ".check_npu(true).aicore_stack(128 << 10)",
        ".aicore_stack(1)",
        "",
    ] {
        build(settings);
        assert!(project.prints().starts_with("wide = "), "{settings}");
    }
}
