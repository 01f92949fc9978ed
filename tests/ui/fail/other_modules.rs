//! What a path cannot lead to.

use shmem::prelude::*;

mod tools {
    use shmem::prelude::*;

    pub fn plain(x: i32) -> i32 {
        x
    }

    #[shmem_device]
    pub fn twice(x: i32) -> i32 {
        2 * x
    }

    #[shmem_kernel]
    pub fn kernel(_x: i32) {}

    pub static LEVEL: i32 = 3;
    pub const NAME: &str = "tools";
    pub const LIMIT: i64 = 7;
    pub const CALLED: i32 = super::number();
}

const fn number() -> i32 {
    4
}

#[shmem_kernel]
fn names(x: i32, out: Global<[i64]>) {
    tools::plain(x);
    tools::kernel(x);
    self::tools::missing(x);
    std::process::abort();
    out.at(0).store(tools::LEVEL as i64);
    out.at(1).store(tools::twice as i64);
    out.at(2).store(tools::CALLED as i64);
    let a: i32 = tools::LIMIT;
    let b = tools::NAME;
    tools::twice(x, 1);
    tools::twice(tools::LIMIT);
}

mod again {
    use shmem::prelude::*;

    #[shmem_device]
    pub fn ping(x: i32) -> i32 {
        super::below::pong(x)
    }
}

mod below {
    use shmem::prelude::*;

    #[shmem_device]
    pub fn pong(x: i32) -> i32 {
        crate::again::ping(x)
    }
}

fn body() {
    macro_rules! defines {
        () => {
            #[allow(dead_code)]
            fn helper(x: i32) -> i32 {
                x + 1
            }
        };
    }

    #[shmem_device]
    fn helper(x: i32) -> i32 {
        x
    }

    {
        defines!();

        #[shmem_kernel]
        fn hidden(out: Global<i32>) {
            out.store(helper(1));
        }
    }
}

#[shmem_device]
fn shmem(x: i32) -> i32 {
    x
}

fn main() {}
