//! One PE of the multi-PE tests: `pe <scenario>`, started by the launcher. Ends with a panic where something is wrong.

use std::io::Write;

use shmem::prelude::*;
use shmem::{DeviceBox, Element, Error, Side, Stream, SymmetricBox, World};
use shmem_suite::kernels::{elements, faults, prints};

fn main() {
    let scenario = std::env::args().nth(1).unwrap_or_default();
    let world = World::init().expect("the job starts");
    match scenario.as_str() {
        "elements" => elements(&world),
        "left" => left(&world),
        "panic" => return panic(world),
        "prints" => prints(&world),
        "hang" => hang(&world),
        other => panic!("there is no scenario `{other}`"),
    }
    world.finalize().expect("the job ends");
}

type Launch<T> = fn(
    &Stream<'_>,
    &SymmetricBox<'_, T>,
    &DeviceBox<'_, T>,
    &DeviceBox<'_, T>,
) -> Result<(), Error>;

/// Sends every value around the ring, on both sides of the heap, and compares bits.
fn round<T: Element + Default>(world: &World, launch: Launch<T>, values: &[T], bits: fn(T) -> u64) {
    for side in [Side::Host, Side::Device] {
        let cell = world.alloc(side).value(T::default()).expect("allocates");
        for (turn, _) in values.iter().enumerate() {
            // Each PE sends another value.
            let of = |pe: i32| values[(turn + pe as usize) % values.len()];
            let value = world.device_value(of(world.my_pe())).expect("allocates");
            let got = world.device_value(T::default()).expect("allocates");
            world.barrier_all().expect("all PEs are there");
            let stream = world.stream().expect("a stream");
            launch(&stream, &cell, &value, &got).expect("launches");
            stream.synchronize().expect("runs");
            assert_eq!(
                bits(got.read().expect("reads")),
                bits(of(world.my_pe())),
                "read back"
            );
            world.barrier_all().expect("all PEs are there");
            let previous = (world.my_pe() + world.n_pes() - 1) % world.n_pes();
            assert_eq!(
                bits(cell.read().expect("reads")),
                bits(of(previous)),
                "from PE {previous}"
            );
        }
        cell.free().expect("frees");
    }
}

macro_rules! rounds {
    ($world:ident: $($kernel:ident, [$($value:expr),+ $(,)?], $bits:expr;)+) => {
        $(round($world, |s, c, v, g| elements::$kernel::launch(s, 1, c, v, g), &[$($value),+], $bits);)+
    };
}

fn elements(world: &World) {
    rounds! { world:
        put_get_half, [f16::MAX, f16::from_bits(1), f16::from_bits(0x7d01), f16::NEG_INFINITY, f16::from_bits(0xffff)], |x: f16| x.to_bits().into();
        put_get_bfloat16, [bf16::MAX, bf16::from_bits(1), bf16::from_bits(0x7f81), bf16::NEG_INFINITY, bf16::from_bits(0xffff)], |x: bf16| x.to_bits().into();
        put_get_float, [f32::MAX, -0.0, f32::from_bits(1), f32::from_bits(0x7f80_0001), f32::from_bits(0xffff_ffff)], |x: f32| x.to_bits().into();
        put_get_double, [f64::MAX, -0.0, f64::from_bits(1), f64::from_bits(0x7ff0_0000_0000_0001), f64::from_bits(u64::MAX)], f64::to_bits;
        put_get_int8, [i8::MIN, -1, 0, 1, i8::MAX], |x: i8| x as u64;
        put_get_int16, [i16::MIN, -1, 0, 1, i16::MAX], |x: i16| x as u64;
        put_get_int32, [i32::MIN, -1, 0, 1, i32::MAX], |x: i32| x as u64;
        put_get_int64, [i64::MIN, -1, 0, 1, i64::MAX], |x: i64| x as u64;
        put_get_uint8, [0, 1, 0x7f, 0x80, u8::MAX], |x: u8| x.into();
        put_get_uint16, [0, 1, 0x7fff, 0x8000, u16::MAX], |x: u16| x.into();
        put_get_uint32, [0, 1, 0x7fff_ffff, 0x8000_0000, u32::MAX], |x: u32| x.into();
        put_get_uint64, [0, 1, u64::MAX / 2, u64::MAX / 2 + 1, u64::MAX], |x: u64| x;
        put_get_char, [c_char::MIN, 0, 1, 0x7f, c_char::MAX], |x: c_char| x as u64;
    }
}

/// The left neighbour by `(me + n - 1) % n`.
fn left(world: &World) {
    let cell = world.alloc(Side::Host).value(-1).expect("allocates");
    let stream = world.stream().expect("a stream");
    world.barrier_all().expect("all PEs are there");
    faults::left::launch(&stream, 1, &cell, true).expect("launches");
    stream.synchronize().expect("runs");
    world.barrier_all().expect("all PEs are there");
    assert_eq!(
        cell.read().expect("reads"),
        (world.my_pe() + 1) % world.n_pes()
    );
    cell.free().expect("frees");
}

/// The left neighbour by `(me - 1) % n`: -1 on PE 0, whose panic every other PE learns at its next collective.
fn panic(world: World) {
    let me = world.my_pe();
    let cell = world.alloc(Side::Host).value(-1).expect("allocates");
    {
        let stream = world.stream().expect("a stream");
        world.barrier_all().expect("all PEs are there");
        faults::left::launch(&stream, 1, &cell, false).expect("launches");
        let ended = stream.synchronize();
        if me == 0 {
            println!("PE 0: {}", ended.expect_err("PE -1 is no PE"));
        } else {
            ended.expect("runs");
            println!(
                "PE {me}: {}",
                world.barrier_all().expect_err("PE 0 is lost")
            );
        }
    }
    std::process::exit(if me == 0 { 7 } else { 0 });
}

/// 4 blocks of all PEs print 1000 lines each at the same time, and the program a line after them.
fn prints(world: &World) {
    let stream = world.stream().expect("a stream");
    world.barrier_all().expect("all PEs are there");
    prints::blocks_vector::launch(&stream, 4, 1000).expect("launches");
    stream.synchronize().expect("runs");
    // Nothing where nobody reads it: `println!` would panic.
    let done = format!("PE {} is done\n", world.my_pe());
    let _ = std::io::stdout().write_all(done.as_bytes());
}

/// Never ends.
fn hang(world: &World) {
    let cell = world.alloc(Side::Host).value(0).expect("allocates");
    let stream = world.stream().expect("a stream");
    prints::many::launch(&stream, 1, 2).expect("launches");
    prints::then_hang::launch(&stream, 1, &cell).expect("launches");
    stream.synchronize().expect("it does not end");
}
