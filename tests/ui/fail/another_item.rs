//! A macro defines what goes before an import: to rustc the name is another one than the source shows.

mod tools {
    use shmem::prelude::*;

    #[shmem_device]
    pub fn twice(x: i32) -> i32 {
        2 * x
    }

    pub const LIMIT: i32 = 7;
}

mod other {
    pub fn twice(x: i32) -> i32 {
        3 * x
    }
}

mod kernels {
    use super::tools::*;
    use shmem::prelude::*;

    macro_rules! shadow {
        () => {
            fn twice(x: i32) -> i32 {
                3 * x
            }
            const LIMIT: i32 = 8;
        };
    }
    shadow!();

    #[shmem_kernel]
    fn calls(out: Global<i32>) {
        out.store(twice(LIMIT));
    }
}

mod modules {
    #[allow(unused_imports)]
    use super::*;
    use shmem::prelude::*;

    macro_rules! shadow {
        () => {
            use super::other as tools;
        };
    }
    shadow!();

    #[shmem_kernel]
    fn calls(out: Global<i32>) {
        out.store(tools::twice(1));
    }
}

fn main() {}
