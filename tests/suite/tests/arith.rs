//! Every operator of every integer type on the edges of the type, and every cast: plain Rust and the simulator give the
//! same values, the same panics, at the same line and column.

// Also in the functions that the tests share.
#![allow(clippy::unwrap_used)]

use shmem::prelude::*;
use shmem::{Error, Stream};
use shmem_suite::jobs::{Ending, alone, on_device, on_host};
use shmem_suite::kernels::arith;

/// Runs one operator both ways.
macro_rules! operators {
    ($($test:ident: $kernel:ident, $ty:ty, $edges:expr;)+) => {
        $(#[test]
        fn $test() {
            alone(|world| {
                let out = world.device_value(0_i64).unwrap();
                let mut stream = world.stream().unwrap();
                let (mut panics, mut values) = (0, 0);
                for op in 0..=13_u32 {
                    for a in $edges {
                        for b in $edges {
                            let host = on_host(|| {
                                let mut value = 0_i64;
                                arith::$kernel(op, a, b, Global::from_mut(&mut value));
                                value
                            });
                            let launched = arith::$kernel::launch(&stream, 1, op, a, b, &out);
                            let device = on_device(launched.and_then(|()| stream.synchronize()), || out.read().unwrap());
                            if matches!(device, Ending::Panic { .. }) {
                                panics += 1;
                                stream = world.stream().unwrap();
                            } else {
                                values += 1;
                            }
                            assert_eq!(device, host, "{} {a} op {op} {b}", stringify!($ty));
                        }
                    }
                }
                // Both kinds of ending were really compared.
                assert!(panics > 10 && values > 100, "{panics} panics, {values} values");
            });
        })+
    };
}

operators! {
    i8_operators_mean_what_rustc_says: ops_i8, i8, [i8::MIN, i8::MIN + 1, -7, -1, 0, 1, 2, 9, i8::MAX - 1, i8::MAX];
    i16_operators_mean_what_rustc_says: ops_i16, i16, [i16::MIN, i16::MIN + 1, -7, -1, 0, 1, 2, 9, i16::MAX - 1, i16::MAX];
    i32_operators_mean_what_rustc_says: ops_i32, i32, [i32::MIN, i32::MIN + 1, -7, -1, 0, 1, 2, 9, i32::MAX - 1, i32::MAX];
    i64_operators_mean_what_rustc_says: ops_i64, i64, [i64::MIN, i64::MIN + 1, -7, -1, 0, 1, 2, 9, i64::MAX - 1, i64::MAX];
    isize_operators_mean_what_rustc_says: ops_isize, isize, [isize::MIN, isize::MIN + 1, -7, -1, 0, 1, 2, 9, isize::MAX - 1, isize::MAX];
    u8_operators_mean_what_rustc_says: ops_u8, u8, [0, 1, 2, 7, 8, u8::MAX / 2, u8::MAX / 2 + 1, u8::MAX - 1, u8::MAX];
    u16_operators_mean_what_rustc_says: ops_u16, u16, [0, 1, 2, 7, 8, u16::MAX / 2, u16::MAX / 2 + 1, u16::MAX - 1, u16::MAX];
    u32_operators_mean_what_rustc_says: ops_u32, u32, [0, 1, 2, 7, 8, u32::MAX / 2, u32::MAX / 2 + 1, u32::MAX - 1, u32::MAX];
    u64_operators_mean_what_rustc_says: ops_u64, u64, [0, 1, 2, 7, 8, u64::MAX / 2, u64::MAX / 2 + 1, u64::MAX - 1, u64::MAX];
    usize_operators_mean_what_rustc_says: ops_usize, usize, [0, 1, 2, 7, 8, usize::MAX / 2, usize::MAX / 2 + 1, usize::MAX - 1, usize::MAX];
}

type Launch<T> = fn(
    &Stream<'_>,
    T,
    T,
    &shmem::DeviceBox<'_, [i64]>,
    &shmem::DeviceBox<'_, [T]>,
) -> Result<(), Error>;
type Body<T> = fn(T, T, Global<'_, [i64]>, Global<'_, [T]>);

/// Casts and arithmetic of one float type, compared by bits; a NaN that arithmetic made is any NaN.
fn casts<T: shmem::Scalar + shmem::Element + Default>(
    edges: &[T],
    body: Body<T>,
    launch: Launch<T>,
    bits: fn(T) -> u64,
    is_nan: fn(T) -> bool,
) {
    alone(|world| {
        let out = world.device_slice(&[0_i64; 10]).unwrap();
        let floats = world.device_slice(&[T::default(); 11]).unwrap();
        let stream = world.stream().unwrap();
        for &x in edges {
            for &y in edges {
                let (mut ints, mut host) = ([0_i64; 10], [T::default(); 11]);
                body(
                    x,
                    y,
                    Global::from_mut(&mut ints[..]),
                    Global::from_mut(&mut host[..]),
                );
                launch(&stream, x, y, &out, &floats).unwrap();
                stream.synchronize().unwrap();
                assert_eq!(
                    out.read_vec().unwrap(),
                    ints,
                    "{:#x} and {:#x}",
                    bits(x),
                    bits(y)
                );
                for (index, (device, host)) in
                    floats.read_vec().unwrap().into_iter().zip(host).enumerate()
                {
                    let same = bits(device) == bits(host) || (is_nan(device) && is_nan(host));
                    assert!(
                        same,
                        "float {index} of {:#x} and {:#x}: {:#x}, not {:#x}",
                        bits(x),
                        bits(y),
                        bits(device),
                        bits(host)
                    );
                }
                // Negation keeps every bit but the sign, of a NaN too.
                assert_eq!(bits(floats.read_at(4).unwrap()), bits(host[4]));
            }
        }
    });
}

#[test]
fn f32_casts_saturate_and_round_as_rustc_does() {
    let edges = [
        0.0,
        -0.0,
        1.5,
        -1.5,
        0.1,
        255.5,
        300.0,
        -129.0,
        16_777_217.0,
        2_147_483_648.0,
        3e9,
        -3e9,
        1e20,
        -1e20,
        9.223_372e18,
        1.844_674_4e19,
        f32::MAX,
        f32::MIN,
        f32::MIN_POSITIVE,
        1e-45,
        f32::INFINITY,
        f32::NEG_INFINITY,
        f32::NAN,
        f32::from_bits(0x7f80_0001),
        f32::from_bits(0xffc1_2345),
    ];
    casts(
        &edges,
        arith::casts_f32,
        |s, x, y, o, f| arith::casts_f32::launch(s, 1, x, y, o, f),
        |x| x.to_bits().into(),
        f32::is_nan,
    );
}

#[test]
fn f64_casts_saturate_and_round_as_rustc_does() {
    let edges = [
        0.0,
        -0.0,
        1.5,
        -1.5,
        0.1,
        255.999,
        300.0,
        -129.0,
        4_294_967_296.5,
        2_147_483_648.0,
        -2_147_483_649.0,
        1e20,
        -1e20,
        9.223_372_036_854_775e18,
        1.8e19,
        f64::MAX,
        f64::MIN,
        f64::MIN_POSITIVE,
        5e-324,
        f64::INFINITY,
        f64::NEG_INFINITY,
        f64::NAN,
        f64::from_bits(0x7ff0_0000_0000_0001),
        1.000_000_059_604_644_8,
        1e39,
    ];
    casts(
        &edges,
        arith::casts_f64,
        |s, x, y, o, f| arith::casts_f64::launch(s, 1, x, y, o, f),
        f64::to_bits,
        f64::is_nan,
    );
}
