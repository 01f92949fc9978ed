//! Names that mean something in C++, in the headers, or in generated code, as kernels, parameters, locals and labels.

#![deny(warnings)]
#![allow(non_snake_case)]

use shmem::prelude::*;

#[shmem_kernel]
fn int(template: Global<i32>, class: i32, namespace: i32) {
    let auto = class;
    let register = namespace + auto;
    let operator = register;
    let mut delete = 1;
    'goto: for volatile in 0..3 {
        if volatile == 2 {
            break 'goto;
        }
        delete += volatile;
    }
    let new = operator * delete;
    template.store(new);
}

#[shmem_kernel]
fn r#type(r#match: Global<i32>, r#fn: i32) {
    let r#struct = r#fn;
    'r#loop: loop {
        r#match.store(r#struct);
        break 'r#loop;
    }
}

#[shmem_kernel]
fn größe(länge: Global<i32>, 幅: i32) {
    let ширина = 幅;
    länge.store(ширина);
}

#[shmem_kernel]
fn half(GetBlockIdx: Global<i32>, ASSERT: i32, __gm__: i32) {
    let aclshmem_my_pe = ASSERT;
    let NULL = __gm__;
    GetBlockIdx.store(aclshmem_my_pe + NULL);
}

#[shmem_kernel]
fn launch(stream: i32, blocks: i32, args: i32, slot: i32, arguments: i32, argument_0: Global<i32>) {
    let n_args = stream + blocks;
    argument_0.store(n_args + args + slot + arguments);
}

#[shmem_kernel]
fn k_x(k_x: Global<i32>, t_fault: i32, t_0: i32, x: i32, l_0_break: i32) {
    let k_k_x = t_0;
    let mut t_1 = 0;
    for i in 0..x {
        t_1 += i;
    }
    k_x.store(t_fault + k_k_x + t_1 + l_0_break);
}

#[shmem_kernel]
fn KERNEL(NAME: Global<i32>, SOURCE: i32, KERNEL: i32) {
    NAME.store(SOURCE + KERNEL);
}

#[shmem_kernel]
fn confirm(given: Global<i32>, confirm: i32, core: i32, std: i32) {
    let shmem = confirm + core + std;
    given.store(shmem + shmem::my_pe());
}

#[shmem_kernel]
fn shadowed(x: Global<i32>, y: i32) {
    let z = x;
    let x = y + 1;
    let x = x * 2;
    {
        let x = x + 100;
        z.store(x);
    }
    let y = x;
    for y in y..y + 1 {
        let z = z;
        z.store(z.load() + y + x);
    }
}

fn cell(kernel: impl FnOnce(Global<'_, i32>)) -> i32 {
    let mut cell = 0;
    kernel(Global::from_mut(&mut cell));
    cell
}

fn main() {
    assert_eq!(cell(|out| int(out, 3, 4)), 14);
    assert_eq!(cell(|out| r#type(out, 3)), 3);
    assert_eq!(cell(|out| größe(out, 3)), 3);
    assert_eq!(cell(|out| half(out, 3, 4)), 7);
    assert_eq!(cell(|out| launch(1, 2, 3, 4, 5, out)), 15);
    assert_eq!(cell(|out| k_x(out, 1, 2, 3, 4)), 10);
    assert_eq!(cell(|out| KERNEL(out, 1, 2)), 3);
    assert_eq!(cell(|out| confirm(out, 1, 2, 3)), 6);
    assert_eq!(cell(|out| shadowed(out, 1)), 112);
    assert_eq!(
        [int::NAME, r#type::NAME, größe::NAME, KERNEL::NAME],
        ["int", "type", "größe", "KERNEL"]
    );
}
