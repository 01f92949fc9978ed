//! The rest of the language gives in the simulator what it gives as plain Rust: values, panics, texts and lines.

// Also in the functions that the tests share.
#![allow(clippy::unwrap_used)]

use shmem::prelude::*;
use shmem_suite::jobs::{Ending, alone, both, on_device, on_host};
use shmem_suite::kernels::{device, more};

#[test]
fn matches_take_the_arm_that_rust_takes() {
    for x in [
        i32::MIN,
        i32::MAX,
        -300,
        -6,
        -5,
        -1,
        0,
        1,
        2,
        3,
        4,
        5,
        6,
        7,
        9,
        10,
        11,
        50,
        53,
        100,
        101,
        102,
        104,
    ] {
        let ending = both::<i64, 4>(
            &format!("{x}"),
            |out| more::matches(x, out),
            |stream, out| more::matches::launch(stream, 1, x, out),
        );
        assert!(matches!(ending, Ending::Values(_)));
    }
}

#[test]
fn loops_have_values_and_locals_get_them_later() {
    for limit in [0, 5, 10, 11, 1000, 5000] {
        both::<i64, 5>(
            &format!("{limit}"),
            |out| more::later(limit, out),
            |stream, out| more::later::launch(stream, 1, limit, out),
        );
    }
}

#[test]
fn ranges_run_downwards_and_in_steps() {
    for step in [1, 2, 7, 99, 100, 255, 256, usize::MAX] {
        let ending = both::<i64, 5>(
            &format!("{step}"),
            |out| more::steps(step, out),
            |stream, out| more::steps::launch(stream, 1, step, out),
        );
        assert!(matches!(ending, Ending::Values(_)));
    }
    let ending = both::<i64, 5>(
        "0",
        |out| more::steps(0, out),
        |stream, out| more::steps::launch(stream, 1, 0, out),
    );
    assert!(matches!(ending, Ending::Panic { text, .. } if text == "assertion failed: step != 0"));
}

#[test]
fn assertions_fail_with_their_texts_and_values() {
    let mut texts = Vec::new();
    for (x, y) in [
        (0, 0.0),
        (1, 0.0),
        (2, 0.5),
        (3, 0.0),
        (12, 1.5),
        (4, 0.0),
        (6, -0.0),
        (8, 1.0),
        (10, 1.0),
        (12, 2.0),
    ] {
        let mut cell = 0;
        let host = on_host(|| more::asserts(x, y, Global::from_mut(&mut cell)));
        let mut device = None;
        alone(|world| {
            let out = world.device_value(0).unwrap();
            let stream = world.stream().unwrap();
            let result =
                more::asserts::launch(&stream, 1, x, y, &out).and_then(|()| stream.synchronize());
            device = Some(on_device(result, || assert_eq!(out.read().unwrap(), cell)));
        });
        // To the letter, line and column included.
        assert_eq!(device.as_ref(), Some(&host), "{x} {y}");
        if let Ending::Panic { text, .. } = host {
            texts.push(text);
        }
    }
    assert_eq!(
        texts,
        [
            "assertion failed: x != 1",
            "x is 2, y is 0.5 and {braces}",
            "assertion `left == right` failed\n  left: 1\n right: 0",
            "assertion `left != right` failed: y of 12\n  left: 1.5\n right: 1.5",
            "four",
            "internal error: entered unreachable code: not -0.0",
            "internal error: entered unreachable code",
            "explicit panic",
        ]
    );
}

#[test]
fn methods_of_signed_numbers_mean_what_rustc_says() {
    let edges = [
        i8::MIN,
        i8::MIN + 1,
        -77,
        -7,
        -1,
        0,
        1,
        3,
        64,
        i8::MAX - 1,
        i8::MAX,
    ];
    let (mut values, mut panics) = (0, 0);
    for op in 0..=29 {
        for a in edges {
            for b in edges {
                let n = u32::from(b as u8) % 19;
                let ending = both::<i64, 1>(
                    &format!("op {op} {a} {b} {n}"),
                    |out| more::methods_i8(op, a, b, n, out),
                    |stream, out| more::methods_i8::launch(stream, 1, op, a, b, n, out),
                );
                match ending {
                    Ending::Values(_) => values += 1,
                    Ending::Panic { .. } => panics += 1,
                }
            }
        }
    }
    assert!(values > 1000 && panics > 50, "{values} {panics}");
}

#[test]
fn methods_of_unsigned_numbers_mean_what_rustc_says() {
    let edges = [
        0,
        1,
        2,
        3,
        255,
        1 << 32,
        (1 << 32) + 1,
        u64::MAX / 3,
        u64::MAX / 2,
        u64::MAX - 1,
        u64::MAX,
    ];
    for op in 0..=30 {
        for a in edges {
            for b in edges {
                let n = (b % 70) as u32;
                both::<i64, 1>(
                    &format!("op {op} {a} {b} {n}"),
                    |out| more::methods_u64(op, a, b, n, out),
                    |stream, out| more::methods_u64::launch(stream, 1, op, a, b, n, out),
                );
            }
        }
    }
}

#[test]
fn bits_and_constants_of_floats_are_exact() {
    for bits in [0, 1, 0x7f80_0001, 0xffff_ffff, 0x3f80_0000] {
        let (x, y) = (
            f32::from_bits(bits),
            f64::from_bits(u64::from(bits) << 32 | 5),
        );
        both::<u64, 8>(
            &format!("{bits:#x}"),
            |out| more::floats(x, y, out),
            |stream, out| more::floats::launch(stream, 1, x, y, out),
        );
    }
}

/// Floats by bits, a NaN being any NaN where arithmetic made it.
fn same_floats<T: Copy>(
    what: &str,
    device: &[T],
    host: &[T],
    bits: fn(T) -> u64,
    is_nan: fn(T) -> bool,
) {
    for (index, (&device, &host)) in device.iter().zip(host).enumerate() {
        let same = bits(device) == bits(host) || (is_nan(device) && is_nan(host));
        assert!(
            same,
            "{what}, value {index}: {:#x}, not {:#x}",
            bits(device),
            bits(host)
        );
    }
}

macro_rules! float_methods {
    ($($test:ident: $kernel:ident, $ty:ty, $edges:expr;)+) => {
        $(#[test]
        fn $test() {
            let edges: &[$ty] = &$edges;
            alone(|world| {
                let out = world.device_slice(&[0.0; 14]).unwrap();
                let bools = world.device_slice(&[0_u8; 1]).unwrap();
                let stream = world.stream().unwrap();
                for &x in edges {
                    for &y in edges {
                        let z = edges[(x.to_bits() % edges.len() as <$ty as Bits>::Bits) as usize];
                        let (mut host, mut told) = ([0.0; 14], [0_u8; 1]);
                        more::$kernel(x, y, z, Global::from_mut(&mut host[..]), Global::from_mut(&mut told[..]));
                        more::$kernel::launch(&stream, 1, x, y, z, &out, &bools).unwrap();
                        stream.synchronize().unwrap();
                        let what = format!("{x:?} {y:?} {z:?}");
                        same_floats(&what, &out.read_vec().unwrap(), &host, |v| v.to_bits().into(), |v| v.is_nan());
                        assert_eq!(bools.read_vec().unwrap(), told, "{what}");
                    }
                }
            });
        })+
    };
}

/// The unsigned type of a float's width.
trait Bits {
    type Bits;
}
impl Bits for f32 {
    type Bits = u32;
}
impl Bits for f64 {
    type Bits = u64;
}

float_methods! {
    methods_of_f32_mean_what_rustc_says: methods_f32, f32, [
        0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999997, 8388609.0, -3.0, 7.25, 1e-45, -1e-40, 3e38, f32::MIN_POSITIVE,
        f32::INFINITY, f32::NEG_INFINITY, f32::NAN, f32::from_bits(0x7f80_0001), 1e9, 16_777_217.0,
    ];
    methods_of_f64_mean_what_rustc_says: methods_f64, f64, [
        0.0, -0.0, 0.5, -0.5, 1.5, 2.5, -2.5, 0.49999999999999994, 4503599627370497.0, -3.0, 7.25, 5e-324, -1e-310, 1e308,
        f64::MIN_POSITIVE, f64::INFINITY, f64::NEG_INFINITY, f64::NAN, f64::from_bits(0x7ff0_0000_0000_0001), 1e9, 1e17,
    ];
}

macro_rules! small_floats {
    ($($test:ident: $kernel:ident, $ty:ty;)+) => {
        $(#[test]
        fn $test() {
            let bits = [0, 1, 0x8000, 0x3ff, 0x400, 0x3c00, 0x3c01, 0xbc00, 0x4248, 0x7bff, 0x7c00, 0xfc00, 0x7e00, 0x7d01, 0x3f80, 0x4049, 0x7f7f, 0x7f80, 0x7f81, 0x0080, 0x5555];
            alone(|world| {
                let out = world.device_slice(&[<$ty>::ZERO; 10]).unwrap();
                let wide = world.device_slice(&[0.0_f32; 2]).unwrap();
                let bools = world.device_slice(&[0_u8; 2]).unwrap();
                let stream = world.stream().unwrap();
                for a in bits {
                    for b in bits {
                        let (x, y) = (<$ty>::from_bits(a), <$ty>::from_bits(b));
                        let w = f32::from_bits(u32::from(a) << 16 | u32::from(b));
                        let (mut host, mut floats, mut told) = ([<$ty>::ZERO; 10], [0.0; 2], [0_u8; 2]);
                        more::$kernel(x, y, w, Global::from_mut(&mut host[..]), Global::from_mut(&mut floats[..]), Global::from_mut(&mut told[..]));
                        more::$kernel::launch(&stream, 1, x, y, w, &out, &wide, &bools).unwrap();
                        stream.synchronize().unwrap();
                        let what = format!("{a:#x} {b:#x}");
                        same_floats(&what, &out.read_vec().unwrap(), &host, |v| v.to_bits().into(), |v| v.is_nan());
                        same_floats(&what, &wide.read_vec().unwrap(), &floats, |v| v.to_bits().into(), f32::is_nan);
                        assert_eq!(bools.read_vec().unwrap(), told, "{what}");
                    }
                }
            });
        })+
    };
}

small_floats! {
    f16_computes_as_its_crate_does: small_f16, f16;
    bf16_computes_as_its_crate_does: small_bf16, bf16;
}

#[test]
fn device_functions_and_constants_mean_what_rustc_says() {
    let edges = [i32::MIN, -5, -1, 0, 1, 7, i32::MAX];
    for a in edges {
        for b in edges {
            let mut host = [0_i64; 7];
            let told = on_host(|| {
                device::calls(7, a, b, Global::from_mut(&mut host[..]));
                host.to_vec()
            });
            alone(|world| {
                let out = world.device_slice(&[0_i64; 7]).unwrap();
                let stream = world.stream().unwrap();
                let result = device::calls::launch(&stream, 1, 7, a, b, &out)
                    .and_then(|()| stream.synchronize());
                // A panic in a device function has its place there, line and column.
                assert_eq!(
                    on_device(result, || out.read_vec().unwrap()),
                    told,
                    "{a} {b}"
                );
            });
        }
    }
}

#[test]
fn device_functions_follow_the_kernel_that_calls_them() {
    alone(|world| {
        let out = world.device_slice(&[0_i64; 2]).unwrap();
        let stream = world.stream().unwrap();
        // SAFETY: 3 is not 0.
        unsafe { device::calls_unchecked::launch(&stream, 1, 10, 3, &out) }.unwrap();
        stream.synchronize().unwrap();
        assert_eq!(out.read_vec().unwrap(), [3, 3]);
        let half = world.device_value(f16::ZERO).unwrap();
        device::doubles::launch(&stream, 1, f16::from_f32(1.5), true, &half).unwrap();
        stream.synchronize().unwrap();
        assert_eq!(half.read().unwrap(), f16::from_f32(3.0));
    });
}

#[test]
fn tuples_are_taken_apart_as_rust_does() {
    for a in [i8::MIN, -1, 0, 1, 77, i8::MAX] {
        for b in [i8::MIN, -1, 0, 1, 77, i8::MAX] {
            both::<i64, 5>(
                &format!("{a} {b}"),
                |out| more::tuples(a, b, out),
                |stream, out| more::tuples::launch(stream, 1, a, b, out),
            );
        }
    }
}
