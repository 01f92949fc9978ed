//! Kernels of any length: what the speed of the front end is measured on.

#![allow(dead_code)]

use std::fmt::Write;

/// Statements as kernels have them, `count` in all: arithmetic, branches, loops, memory, p and g.
pub fn statements(count: usize) -> String {
    let mut body = String::from("    let mut total = 0;\n");
    let mut written = 1;
    let mut index = 0;
    while written < count {
        let pe = format!("(shmem::my_pe() + {index}) % shmem::n_pes()");
        let _ = write!(
            body,
            "    let peer = {pe};
    for i in 0..data.len() {{
        let old = data.at(i).load();
        if old > {index} && total != old {{
            total += old * 3 - (i as i32 ^ {index});
        }} else {{
            total = total.wrapping_mul(31).rotate_left(7);
        }}
        data.at(i).store(total >> 2);
    }}
    shmem::p(cell, total, peer);
    total -= shmem::g(cell, peer);
"
        );
        written += 9;
        index += 1;
    }
    kernel(&body)
}

/// A kernel with this body.
pub fn kernel(body: &str) -> String {
    format!("#[shmem_kernel]\nfn long(cell: Symmetric<i32>, data: Global<[i32]>) {{\n{body}}}\n")
}
