//! p and g of every element type: a value goes to the next PE and comes back from there.

use shmem::prelude::*;

/// `aclshmem_half_p` and `aclshmem_half_g`.
#[shmem_kernel]
pub fn put_get_half(cell: Symmetric<f16>, value: Global<f16>, got: Global<f16>) {
    let next = (shmem::my_pe() + 1) % shmem::n_pes();
    shmem::p(cell, value.load(), next);
    shmem::quiet();
    got.store(shmem::g(cell, next));
}

/// `aclshmem_bfloat16_p` and `aclshmem_bfloat16_g`.
#[shmem_kernel]
pub fn put_get_bfloat16(cell: Symmetric<bf16>, value: Global<bf16>, got: Global<bf16>) {
    let next = (shmem::my_pe() + 1) % shmem::n_pes();
    shmem::p(cell, value.load(), next);
    shmem::quiet();
    got.store(shmem::g(cell, next));
}

/// `aclshmem_float_p` and `aclshmem_float_g`.
#[shmem_kernel]
pub fn put_get_float(cell: Symmetric<f32>, value: Global<f32>, got: Global<f32>) {
    let next = (shmem::my_pe() + 1) % shmem::n_pes();
    shmem::p(cell, value.load(), next);
    shmem::quiet();
    got.store(shmem::g(cell, next));
}

/// `aclshmem_double_p` and `aclshmem_double_g`.
#[shmem_kernel]
pub fn put_get_double(cell: Symmetric<f64>, value: Global<f64>, got: Global<f64>) {
    let next = (shmem::my_pe() + 1) % shmem::n_pes();
    shmem::p(cell, value.load(), next);
    shmem::quiet();
    got.store(shmem::g(cell, next));
}

/// `aclshmem_int8_p` and `aclshmem_int8_g`.
#[shmem_kernel]
pub fn put_get_int8(cell: Symmetric<i8>, value: Global<i8>, got: Global<i8>) {
    let next = (shmem::my_pe() + 1) % shmem::n_pes();
    shmem::p(cell, value.load(), next);
    shmem::quiet();
    got.store(shmem::g(cell, next));
}

/// `aclshmem_int16_p` and `aclshmem_int16_g`.
#[shmem_kernel]
pub fn put_get_int16(cell: Symmetric<i16>, value: Global<i16>, got: Global<i16>) {
    let next = (shmem::my_pe() + 1) % shmem::n_pes();
    shmem::p(cell, value.load(), next);
    shmem::quiet();
    got.store(shmem::g(cell, next));
}

/// `aclshmem_int32_p` and `aclshmem_int32_g`.
#[shmem_kernel]
pub fn put_get_int32(cell: Symmetric<i32>, value: Global<i32>, got: Global<i32>) {
    let next = (shmem::my_pe() + 1) % shmem::n_pes();
    shmem::p(cell, value.load(), next);
    shmem::quiet();
    got.store(shmem::g(cell, next));
}

/// `aclshmem_int64_p` and `aclshmem_int64_g`.
#[shmem_kernel]
pub fn put_get_int64(cell: Symmetric<i64>, value: Global<i64>, got: Global<i64>) {
    let next = (shmem::my_pe() + 1) % shmem::n_pes();
    shmem::p(cell, value.load(), next);
    shmem::quiet();
    got.store(shmem::g(cell, next));
}

/// `aclshmem_uint8_p` and `aclshmem_uint8_g`.
#[shmem_kernel]
pub fn put_get_uint8(cell: Symmetric<u8>, value: Global<u8>, got: Global<u8>) {
    let next = (shmem::my_pe() + 1) % shmem::n_pes();
    shmem::p(cell, value.load(), next);
    shmem::quiet();
    got.store(shmem::g(cell, next));
}

/// `aclshmem_uint16_p` and `aclshmem_uint16_g`.
#[shmem_kernel]
pub fn put_get_uint16(cell: Symmetric<u16>, value: Global<u16>, got: Global<u16>) {
    let next = (shmem::my_pe() + 1) % shmem::n_pes();
    shmem::p(cell, value.load(), next);
    shmem::quiet();
    got.store(shmem::g(cell, next));
}

/// `aclshmem_uint32_p` and `aclshmem_uint32_g`.
#[shmem_kernel]
pub fn put_get_uint32(cell: Symmetric<u32>, value: Global<u32>, got: Global<u32>) {
    let next = (shmem::my_pe() + 1) % shmem::n_pes();
    shmem::p(cell, value.load(), next);
    shmem::quiet();
    got.store(shmem::g(cell, next));
}

/// `aclshmem_uint64_p` and `aclshmem_uint64_g`.
#[shmem_kernel]
pub fn put_get_uint64(cell: Symmetric<u64>, value: Global<u64>, got: Global<u64>) {
    let next = (shmem::my_pe() + 1) % shmem::n_pes();
    shmem::p(cell, value.load(), next);
    shmem::quiet();
    got.store(shmem::g(cell, next));
}

/// `aclshmem_char_p` and `aclshmem_char_g`.
#[shmem_kernel]
pub fn put_get_char(cell: Symmetric<c_char>, value: Global<c_char>, got: Global<c_char>) {
    let next = (shmem::my_pe() + 1) % shmem::n_pes();
    shmem::p(cell, value.load(), next);
    shmem::quiet();
    got.store(shmem::g(cell, next));
}

/// Every scalar type as an argument arrives whole.
#[shmem_kernel]
#[allow(clippy::too_many_arguments)]
pub fn scalars(
    a: i8,
    out_a: Global<i8>,
    b: i64,
    out_b: Global<i64>,
    c: f16,
    out_c: Global<f16>,
    d: u16,
    out_d: Global<u16>,
    e: f32,
    out_e: Global<f32>,
    f: bool,
    out_f: Global<u8>,
    g: usize,
    out_g: Global<u64>,
    h: f64,
    out_h: Global<f64>,
    i: bf16,
    out_i: Global<bf16>,
    j: c_char,
    out_j: Global<c_char>,
) {
    out_a.store(a);
    out_b.store(b);
    out_c.store(c);
    out_d.store(d);
    out_e.store(e);
    out_f.store(f as u8);
    out_g.store(g as u64);
    out_h.store(h);
    out_i.store(i);
    out_j.store(j);
}
