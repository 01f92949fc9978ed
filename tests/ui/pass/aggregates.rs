//! Names and shapes of aggregates that must be no trouble: keywords, words of C++ and of the generated text, privacy,
//! patterns, constants, bodies of functions.

use shmem::prelude::*;

mod inner {
    use shmem::prelude::*;

    /// Visible to all.
    #[derive(Clone, Copy, Debug, PartialEq)]
    #[allow(non_camel_case_types)]
    pub struct class {
        pub r#struct: i32,
        pub default: [u8; N + 1],
        pub at: (bool, i64),
        pub größe: u8,
    }

    pub const N: usize = 2;

    #[derive(Clone, Copy)]
    struct Private(u8, [i16; 2]);

    #[derive(Clone, Copy, PartialEq, PartialOrd)]
    #[repr(i8)]
    pub enum NULL {
        r#true = -3,
        int,
        EOF = 1 << 5,
    }

    #[shmem_kernel]
    fn private(pair: Private, out: Global<i64>) {
        let Private(a, [b, c]) = pair;
        out.store(a as i64 + b as i64 + c as i64);
    }

    #[shmem_kernel]
    pub(crate) fn restricted(value: class, pick: NULL, tuple: (u8, [f32; 2]), out: Global<i64>) {
        let class { r#struct: template, default: [first, ..], at: (_, wide), größe } = value;
        out.store(template as i64 + first as i64 + wide + größe as i64 + tuple.0 as i64);
        let again = class { r#struct: 2, ..value };
        if again == value && pick == NULL::r#true || pick > NULL::int {
            out.store(1);
        }
    }

    pub fn launches(stream: &shmem::Stream<'_>, out: &shmem::DeviceBox<'_, i64>) {
        let _ = private::launch(stream, 1, Private(1, [2, 3]), out);
    }
}

fn main() {
    #[derive(Clone, Copy)]
    struct Local {
        x: i32,
    }

    #[shmem_kernel]
    fn in_a_body(local: Local, out: Global<i32>) {
        out.store(local.x);
    }

    let mut cell = 0;
    in_a_body(Local { x: 3 }, Global::from_mut(&mut cell));
    assert_eq!(cell, 3);
    let mut cell = 0;
    let value = inner::class { r#struct: 1, default: [2, 0, 0], at: (true, 10), größe: 100 };
    inner::restricted(value, inner::NULL::int, (7, [0.0; 2]), Global::from_mut(&mut cell));
    assert_eq!(cell, 120);
    let world = shmem::Config::new().pe(0).n_pes(1).init().unwrap();
    let stream = world.stream().unwrap();
    let out = world.device_value(0_i64).unwrap();
    let _ = in_a_body::launch(&stream, 1, Local { x: 1 }, &world.device_value(0).unwrap());
    let _ = inner::restricted::launch(&stream, 1, value, inner::NULL::EOF, (7, [0.0; 2]), &out);
    inner::launches(&stream, &out);
}
