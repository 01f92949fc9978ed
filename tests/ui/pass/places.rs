//! Where a kernel may stand, and what may stand on it.

#![deny(warnings)]
#![deny(missing_docs, unreachable_pub)]

use shmem::prelude::*;

/// Public.
#[shmem_kernel]
pub fn public(cell: Global<i32>) {
    cell.store(1);
}

#[shmem_kernel]
pub(crate) fn of_the_crate(cell: Global<i32>) {
    cell.store(2);
}

#[shmem_kernel]
fn private(cell: Global<i32>) {
    cell.store(3);
}

mod inner {
    use shmem::{Global, shmem_kernel};

    #[shmem_kernel]
    pub(super) fn of_the_parent(cell: Global<i32>) {
        cell.store(4);
    }

    pub(super) mod deeper {
        #[shmem::shmem_kernel]
        pub(in super::super) fn by_path(cell: shmem::Global<i32>, with: ::shmem::Symmetric<[::core::primitive::i32]>) {
            cell.store(5 + with.at(0).load() + ::shmem::my_pe());
        }
    }
}

/// Documented, with `*/`, \, "quotes" and ??/ in the text.
#[inline]
#[shmem_kernel]
/* between */
#[cfg(not(any()))]
#[allow(clippy::needless_return, unused_variables)]
#[must_use = "no"]
/** More: /* nested */ */
fn attributes(cell: Global<i32>, unused: u8) {
    #![doc = "inside"]
    // A comment with */ and \
    cell.store(6); /* and "another" */
}

#[cfg(any())]
#[shmem_kernel]
fn not_there(mistake: String) {}

#[shmem_kernel]
#[cfg(any())]
fn not_there(mistake: String) {}

#[cfg_attr(all(), shmem_kernel)]
fn conditional(cell: Global<i32>) {
    cell.store(7);
}

struct Holder;

impl Holder {
    fn method(&self) -> i32 {
        #[shmem_kernel]
        fn in_a_method(cell: Global<i32>) {
            cell.store(8);
        }
        value(in_a_method)
    }
}

fn returns_impl(_: [u8; 3]) -> impl Sized {
    #[shmem_kernel]
    fn below(cell: Global<i32>) {
        cell.store(9);
    }
    value(below)
}

fn value(kernel: impl FnOnce(Global<'_, i32>)) -> i32 {
    let mut cell = 0;
    kernel(Global::from_mut(&mut cell));
    cell
}

fn main() {
    #[shmem_kernel]
    fn in_a_function(cell: Global<i32>) {
        cell.store(10);
    }
    {
        #[shmem_kernel]
        fn in_a_block(cell: Global<i32>) {
            cell.store(11);
        }
        assert_eq!(value(in_a_block), 11);
        assert_eq!(in_a_block::NAME, "in_a_block");
    }
    assert_eq!(value(public), 1);
    assert_eq!(value(of_the_crate), 2);
    assert_eq!(value(private), 3);
    assert_eq!(value(inner::of_the_parent), 4);
    let mut with = [70];
    let with = Symmetric::from_mut(&mut with[..]);
    assert_eq!(value(|cell| inner::deeper::by_path(cell, with)), 75);
    assert_eq!(value(|cell| attributes(cell, 0)), 6);
    assert_eq!(value(conditional), 7);
    assert_eq!(Holder.method(), 8);
    let _ = returns_impl([0; 3]);
    assert_eq!(value(in_a_function), 10);
    assert!(public::SOURCE.contains("= 1;"), "{}", public::SOURCE);
}
