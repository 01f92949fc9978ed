//! All mistakes of all kernels are told at once, in the order of the source.

use shmem::prelude::*;

#[shmem_kernel(fast)]
pub async fn first(a: String, out: Global<i32>) -> i32 {
    out.store(a);
    let b = missing;
    let c = 1 + 1.0;
    shmem::p(out, 1, 2.0);
    5
}

mod kernels {
    use shmem::prelude::*;

    #[shmem_kernel]
    pub(crate) fn second(cells: Symmetric<[u8]>) {
        if cells.len() > 300_i32 {
            return 1;
        }
        cells.at(0).store(300);
    }
}

fn main() {
    let world: Option<(shmem::World, shmem::Stream)> = None;
    if let Some((_, stream)) = &world {
        first::launch(stream, 1, "", &3).unwrap();
        kernels::second::launch(stream, 1, &4).unwrap();
    }
    let mut bytes = [0_u8; 3];
    kernels::second(Symmetric::from_mut(&mut bytes[..]));
    println!("{}{}", first::NAME, kernels::second::SOURCE);
}
