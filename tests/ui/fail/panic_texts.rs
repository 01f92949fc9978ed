use shmem::prelude::*;

#[shmem_kernel]
fn kernel(x: i32, cell: Global<i32>) {
    assert!(x == 1, "{x:x}");
    assert!(x == 1, "{x} {x} {x} {x}");
    assert!(x == 1, "{:?}");
    assert!(x, "text");
    assert_eq!(x, 1.0);
    panic!("{cell}");
    panic!(x);
    debug_assert!(x == 1, "{x:x}");
    debug_assert_eq!(x);
    assert!();
    todo!("{}", x, x);
    unreachable!("{x} {x} {x} {x}");
}

fn main() {}
