//! A kernel is a free function.

use shmem::prelude::*;

struct Solver;

trait Solve {
    fn solve(&self);
}

impl Solver {
    #[shmem_kernel]
    fn with_self(&self, cell: Global<i32>) {
        cell.store(1);
    }

    #[shmem_kernel]
    fn without_self(cell: Global<i32>) {
        cell.store(1);
    }
}

impl Solve for Solver {
    #[shmem_kernel]
    fn solve(&self) {}
}

fn main() {
    let mut cell = 0;
    Solver.with_self(Global::from_mut(&mut cell));
    Solver::without_self(Global::from_mut(&mut cell));
    Solver.solve();
}
