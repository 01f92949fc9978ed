//! Whatever rustc takes for a name, kernels, their parameters, locals, device functions and constants may have.

#![allow(mixed_script_confusables)]

use shmem::Error;
use shmem::prelude::*;
use shmem_suite::jobs::alone;
use shmem_suite::kernels::names;

/// What a kernel makes of `first`, on the host and in the simulator.
macro_rules! second {
    ($kernel:ident($first:expr)) => {{
        let mut host = [$first, 0];
        names::$kernel(Global::from_mut(&mut host[..]));
        alone(|world| {
            let cells = world.device_slice(&[$first, 0]).unwrap();
            let stream = world.stream().unwrap();
            names::$kernel::launch(&stream, 1, &cells).unwrap();
            stream.synchronize().unwrap();
            assert_eq!(cells.read_vec().unwrap(), host);
        });
        host[1]
    }};
}

#[test]
fn words_of_cplusplus_are_names() {
    assert_eq!(second!(xor(5)), -2);
    assert_eq!(second!(xor_eq(5)), 16);
}

#[test]
fn raw_names_are_names() {
    assert_eq!(second!(r#match(5)), 10);
    assert_eq!(names::r#match::NAME, "match");
}

#[test]
fn names_of_all_scripts_are_names() {
    assert_eq!(second!(größe(5)), 506);
    assert_eq!(names::größe::NAME, "größe");
}

#[test]
fn a_name_is_the_same_composed_and_decomposed() {
    assert_eq!(second!(café(5)), 56);
    assert_eq!(second!(ånge(5)), 45);
    assert_eq!([names::café::NAME, names::ånge::NAME], ["café", "ånge"]);
}

#[test]
fn a_panic_has_its_line_and_column_in_a_decomposed_source() {
    alone(|world| {
        let cells = world.device_slice(&[77_i64, 0]).unwrap();
        let stream = world.stream().unwrap();
        names::ånge::launch(&stream, 1, &cells).unwrap();
        let error = stream.synchronize().unwrap_err();
        let Error::KernelPanic(panic) = &error else {
            panic!("{error}")
        };
        let source = include_str!("../src/kernels/names.rs");
        let line = source
            .lines()
            .position(|line| line.contains("decomposed\")"))
            .unwrap();
        assert_eq!(
            (panic.line as usize, panic.column),
            (line + 1, 5),
            "{error}"
        );
        assert_eq!(panic.kernel, "ånge");
    });
}
