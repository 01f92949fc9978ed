//! The device API as a kernel body calls it when the body runs on the host.
//!
//! A body runs on the calling thread as block 0 of 1: on the live World, or as PE 0 of 1 where there is none.

use core::sync::atomic::{Ordering, fence as cpu_fence};

use crate::fault::{not_symmetric, pe_out_of_range};
use crate::live::{self, Live};
use crate::{Backend, Element, Symmetric, memory};

/// Writes `value` to the cell of `dst` on PE `pe`. In a kernel: `aclshmem_<type>_p`.
///
/// It is there for others after [`quiet`].
///
/// # Panics
/// When the job has no such PE, and when the cell is not in the symmetric heap while a World lives.
///
/// ```
/// let mut cell = 1;
/// shmem_rt::p(shmem_rt::Symmetric::from_mut(&mut cell), 5, 0);
/// shmem_rt::quiet();
/// assert_eq!(cell, 5);
/// ```
#[track_caller]
pub fn p<T: Element>(dst: Symmetric<'_, T>, value: T, pe: i32) {
    let cell = on_pe(dst.as_ptr(), pe);
    // SAFETY: the same cell of another PE, or the cell itself.
    unsafe { memory::store(cell, value) }
}

/// The value of the cell of `src` on PE `pe`. In a kernel: `aclshmem_<type>_g`.
///
/// # Panics
/// As [`p`].
#[track_caller]
#[must_use]
pub fn g<T: Element>(src: Symmetric<'_, T>, pe: i32) -> T {
    let cell = on_pe(src.as_ptr(), pe);
    // SAFETY: the same cell of another PE, or the cell itself.
    unsafe { memory::load(cell) }
}

/// Waits until everything that this PE wrote to others is there. In a kernel: `aclshmem_quiet`.
pub fn quiet() {
    cpu_fence(Ordering::SeqCst);
}

/// Orders what this PE writes to another one before it, before what it writes after it. In a kernel:
/// `aclshmem_fence`.
pub fn fence() {
    cpu_fence(Ordering::SeqCst);
}

/// This PE. In a kernel: `aclshmem_my_pe`.
#[must_use]
pub fn my_pe() -> i32 {
    live::current().map_or(0, |live| live.pe)
}

/// PEs of the job. In a kernel: `aclshmem_n_pes`.
#[must_use]
pub fn n_pes() -> i32 {
    live::current().map_or(1, |live| live.n_pes)
}

/// Which of the instances that run the body this is. In a kernel: `AscendC::GetBlockIdx`.
#[must_use]
pub fn block_idx() -> usize {
    0
}

/// How many instances run the body. In a kernel: `AscendC::GetBlockNum`, times `GetTaskRation` on vector cores of a
/// mixed kernel.
#[must_use]
pub fn block_num() -> usize {
    1
}

/// The address of `cell` on PE `pe`.
#[track_caller]
fn on_pe<T: Element>(cell: *mut T, pe: i32) -> *mut T {
    let live = live::current();
    let n_pes = live.as_ref().map_or(1, |live| live.n_pes);
    if !(0..n_pes).contains(&pe) {
        panic!("{}", pe_out_of_range(pe.into(), n_pes.into()));
    }
    match live {
        None => cell,
        Some(live) => match live.backend {
            Backend::Sim => translate(&live, cell, pe),
        },
    }
}

#[track_caller]
fn translate<T: Element>(live: &Live, cell: *mut T, pe: i32) -> *mut T {
    // SAFETY: SHMEM is initialised while the World lives; the function looks at the address and not behind it.
    let there = unsafe { (live.api.aclshmem_ptr)(cell.cast(), pe) };
    if there.is_null() {
        panic!("{}", not_symmetric(cell.addr() as u64));
    }
    there.cast()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn without_a_world_a_body_runs_as_pe_0_of_1() {
        assert_eq!((my_pe(), n_pes(), block_idx(), block_num()), (0, 1, 0, 1));
        let mut cells = [1.5_f64, 2.5];
        let view = Symmetric::from_mut(&mut cells[..]);
        p(view.at(1), -0.0, 0);
        quiet();
        fence();
        assert_eq!(g(view.at(1), 0).to_bits(), (-0.0_f64).to_bits());
        assert_eq!(g(view.at(0), 0), 1.5);
    }

    #[test]
    fn without_a_world_there_is_no_other_pe() {
        let mut cell = 1_u8;
        let view = Symmetric::from_mut(&mut cell);
        for pe in [-1, 1, i32::MAX] {
            let panic = catch_unwind(AssertUnwindSafe(|| p(view, 2, pe))).unwrap_err();
            let text = format!("PE {pe} is out of range: this job has 1 PEs");
            assert_eq!(*panic.downcast::<String>().unwrap(), text);
        }
        assert_eq!(cell, 1);
    }
}
