//! Kernels that name what stands in other modules give in the simulator what they give as plain Rust.

// Also in the functions that the tests share.
#![allow(clippy::unwrap_used)]

use shmem::Error;
use shmem::prelude::*;
use shmem_suite::jobs::{Ending, alone, on_device, on_host};
use shmem_suite::kernels::modules::shapes::{Box2, Side};
use shmem_suite::kernels::modules::{self, below, constants, types};

#[test]
fn every_way_leads_to_the_same_item() {
    for x in [-103, -54, -1, 1, 2, 3, 7, 49, 1_000_003] {
        let mut host = [0_i64; 6];
        modules::ways(x, Global::from_mut(&mut host[..]));
        alone(|world| {
            let out = world.device_slice(&[0_i64; 6]).unwrap();
            let stream = world.stream().unwrap();
            modules::ways::launch(&stream, 1, x, &out).unwrap();
            stream.synchronize().unwrap();
            assert_eq!(out.read_vec().unwrap(), host, "{x}");
        });
    }
}

#[test]
fn a_module_sees_what_is_above_it() {
    for x in [-49, 0, 13, 48] {
        let mut host = [0_i64; 2];
        below::from_above(x, Global::from_mut(&mut host[..]));
        alone(|world| {
            let out = world.device_slice(&[0_i64; 2]).unwrap();
            let stream = world.stream().unwrap();
            below::from_above::launch(&stream, 1, x, &out).unwrap();
            stream.synchronize().unwrap();
            assert_eq!(out.read_vec().unwrap(), host, "{x}");
        });
    }
}

#[test]
fn a_panic_in_another_file_has_its_place_there() {
    let told = on_host(|| {
        let mut host = [0_i64; 6];
        modules::ways(50, Global::from_mut(&mut host[..]));
    });
    alone(|world| {
        let out = world.device_slice(&[0_i64; 6]).unwrap();
        let stream = world.stream().unwrap();
        modules::ways::launch(&stream, 1, 50, &out).unwrap();
        let result = stream.synchronize();
        let Err(Error::KernelPanic(panic)) = &result else {
            panic!("50 % 50 is 0")
        };
        let file = "src/kernels/modules/math.rs";
        assert!(panic.file.ends_with(file), "{}", panic.file);
        // As the compiler names files of this crate.
        let prefix = file!().strip_suffix("tests/modules.rs").unwrap();
        assert_eq!(panic.file, format!("{prefix}{file}"));
        let ours = on_device(result, || ());
        assert!(matches!(ours, Ending::Panic { .. }));
        assert_eq!(ours, told);
    });
}

#[test]
fn constants_have_the_values_that_rustc_gives_them() {
    let (mut floats, mut ints) = ([0.0_f64; 4], [0_i64; 11]);
    constants::all(
        Global::from_mut(&mut floats[..]),
        Global::from_mut(&mut ints[..]),
    );
    alone(|world| {
        let out = world.device_slice(&[0.0_f64; 4]).unwrap();
        let numbers = world.device_slice(&[0_i64; 11]).unwrap();
        let stream = world.stream().unwrap();
        constants::all::launch(&stream, 1, &out, &numbers).unwrap();
        stream.synchronize().unwrap();
        let bits = |values: &[f64]| -> Vec<u64> { values.iter().map(|v| v.to_bits()).collect() };
        assert_eq!(bits(&out.read_vec().unwrap()), bits(&floats));
        assert_eq!(numbers.read_vec().unwrap(), ints);
    });
    // In the text a constant is its value.
    let text = constants::all::SOURCE;
    assert!(text.contains("(uint64_t{48});"), "{text}");
}

#[test]
fn types_of_other_modules_are_the_same_on_both_sides() {
    for (x, side) in [(5, Side::Left), (-3, Side::Right)] {
        let given = Box2 {
            low: [7, x],
            high: [x, 9],
            side,
        };
        let mut host = [0_i64; 5];
        types::boxes(x, given, Global::from_mut(&mut host[..]));
        alone(|world| {
            let out = world.device_slice(&[0_i64; 5]).unwrap();
            let stream = world.stream().unwrap();
            types::boxes::launch(&stream, 1, x, given, &out).unwrap();
            stream.synchronize().unwrap();
            assert_eq!(out.read_vec().unwrap(), host, "{x}");
        });
    }
}
