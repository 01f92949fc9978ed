//! What a kernel needs of the stack of an AI core, and the refusal of one that needs too much.

#![allow(clippy::unwrap_used)]

mod support;

use shmem_codegen::{AICORE_STACK, check_stack, stack};
use support::last_kernel as kernel;

/// What a kernel with this body needs beside its parameter, a cell.
fn body(body: &str) -> u64 {
    let text = format!("#[shmem_kernel] fn k(out: Global<i32>) {{ {body} }}");
    stack(&kernel(&text)) - 8
}

#[test]
fn locals_take_their_size_in_steps_of_eight() {
    assert_eq!(body(""), 0);
    assert_eq!(body("let a = 1_u8;"), 8);
    assert_eq!(body("let a = 1_u8; let b = a as f64; let c = out;"), 24);
    assert_eq!(body("let a = [0_u16; 5];"), 16);
    assert_eq!(body("let a = (1_u8, 2_u64, 3_u8);"), 24);
    assert_eq!(body("let a = [[0_i32; 4]; 1000];"), 16_000);
    // In blocks that are not there at the same time as well.
    assert_eq!(body("{ let a = [0_u8; 64]; } { let b = [0_u8; 64]; }"), 128);
}

const DEVICES: &str = "
#[shmem_device]
fn leaf(x: i32) -> i32 {
    let cells = [x; 256];
    cells[7]
}
#[shmem_device]
fn inner(x: i32) -> i32 {
    let cells = [x; 512];
    cells[7] + leaf(x)
}
#[shmem_device]
fn made(x: i32) -> [i32; 128] {
    [x; 128]
}
";

#[test]
fn the_deepest_chain_of_calls_counts() {
    let of = |body: &str| {
        let text = format!("{DEVICES} #[shmem_kernel] fn k(out: Global<i32>) {{ {body} }}");
        stack(&kernel(&text)) - 8
    };
    // The array, the parameter and the value that is returned.
    let leaf = 1024 + 8 + 8;
    let inner = 2048 + 8 + 8 + leaf;
    assert_eq!(of("out.store(leaf(1));"), leaf);
    assert_eq!(of("out.store(inner(1));"), inner);
    assert_eq!(
        of("out.store(leaf(1) + inner(2) + leaf(3) + leaf(4));"),
        inner
    );
    assert_eq!(
        of("let a = [0_u8; 100]; out.store(inner(1)); let b = 1;"),
        104 + 8 + inner
    );
    assert_eq!(of("out.store(made(1)[3]);"), 512 + 8);
}

#[test]
fn what_the_stack_does_not_hold_is_refused_at_the_name() {
    let text = "#[shmem_kernel] fn wide(out: Global<i32>) { let cells = [1_i32; 8190]; out.store(cells[3]); }";
    let fits = kernel(text);
    assert_eq!(stack(&fits), AICORE_STACK);
    assert!(check_stack(&fits, AICORE_STACK).is_none());
    let wide = kernel(&text.replace("8190", "8191"));
    let diag = check_stack(&wide, AICORE_STACK).unwrap();
    assert_eq!(
        diag.text(),
        "the locals of `wide` and of what it calls take 32776 bytes, and the stack of an AI core has 32768 [SHM0501]\n\n\
         help: make its arrays smaller, or raise the limit with `.aicore_stack(32776)` on the Build in build.rs"
    );
    let start = diag.range.first.start();
    assert_eq!((start.line, start.column), (1, 19));
    assert!(check_stack(&wide, 32776).is_none());
    // A megabyte goes through on the simulator; tests/lower.rs has what does not.
    let most = kernel(&text.replace("8190", "262_142"));
    assert_eq!(stack(&most), 1 << 20);
}
