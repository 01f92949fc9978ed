//! Device functions and constants by every path, of every visibility.

use shmem::prelude::*;

mod tools {
    use shmem::prelude::*;

    #[shmem_device]
    fn private(x: i32) -> i32 {
        x + FIRST
    }

    const FIRST: i32 = 1;

    pub mod deep {
        use shmem::prelude::*;

        #[shmem_device]
        pub(self) fn of_self(x: i32) -> i32 {
            super::private(x) * 10
        }

        #[shmem_device]
        pub(in super::super) fn of_path(x: i32) -> i32 {
            of_self(x) + super::FIRST
        }

        #[shmem_device]
        pub(super) fn of_super(x: i32) -> i32 {
            self::of_path(x)
        }

        #[shmem_device]
        pub(in crate::tools) fn of_crate_path(x: i32) -> i32 {
            of_super(x)
        }

        #[shmem_device]
        pub(crate) unsafe fn r#unsafe(x: i32) -> i32 {
            x - 1
        }
    }

    #[shmem_device]
    pub fn all(x: i32) -> i32 {
        deep::of_super(x) + deep::of_crate_path(x) + deep::of_path(x)
    }

    pub use deep as r#mod;

    pub(crate) use deep::r#unsafe as r#fn;
}

/// In the body of a function, and in modules inside of it.
fn in_body() -> i32 {
    const N: i32 = 5;

    #[shmem_device]
    fn step(x: i32) -> i32 {
        x + N
    }

    mod inner {
        use shmem::prelude::*;

        pub const M: i32 = 100;

        #[shmem_device]
        pub fn step(x: i32) -> i32 {
            x + M
        }
    }

    #[shmem_kernel]
    fn body(cell: Global<i32>) {
        cell.store(step(inner::step(1)) + inner::M);
    }

    let mut cell = 0;
    body(Global::from_mut(&mut cell));
    cell
}

#[shmem_kernel]
fn kernel(x: i32, cell: Global<i32>) {
    use_all(x, cell);
    // SAFETY: it asks for nothing.
    let y = unsafe { tools::r#mod::r#unsafe(x) + tools::r#fn(x) };
    cell.store(cell.load() + y);
}

#[shmem_device]
fn use_all(x: i32, cell: Global<i32>) {
    cell.store(crate::tools::all(x) + tools::deep::of_path(x));
}

fn main() {
    let mut cell = 0;
    kernel(7, Global::from_mut(&mut cell));
    assert_eq!(cell, 4 * 81 + 2 * 6);
    assert_eq!(in_body(), 206);
}
