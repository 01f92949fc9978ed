//! Jobs of several processes that go well.

#![allow(clippy::unwrap_used, reason = "a test that fails may panic")]

mod pe;

use std::time::{Duration, Instant};

use pe::*;
use shmem_sim::abi::*;
use shmem_sim::ext::kernel_binding;
use shmem_sim::shmem::*;

/// The body of a PE process. In the test run itself there is no role and this does nothing.
#[test]
fn pe_process() {
    let Some(role) = Role::from_environment() else {
        return;
    };
    use_device(role.me);
    let began = Instant::now();
    match role.scenario.as_str() {
        "exchange" => exchange(&role),
        "layout" => layout(&role),
        "loop" => init_finalize_loop(&role),
        "barriers" => barriers(&role),
        "quick" => {
            assert_eq!(init(&mut role.attributes()), 0, "{:?}", last_error());
            barrier().unwrap();
            assert_eq!(finalize(), 0);
        }
        "last_words" => last_words(&role),
        other => panic!("no scenario {other}"),
    }
    report(began, Ok(()));
}

/// Writes a value that names writer and owner into every PE's block, then checks what the others wrote here.
fn exchange(role: &Role) {
    assert_eq!(init(&mut role.attributes()), 0, "{:?}", last_error());
    // SAFETY: no arguments.
    unsafe {
        assert_eq!(aclshmem_my_pe(), role.me);
        assert_eq!(aclshmem_n_pes(), role.n_pes);
        assert_eq!(aclshmemx_init_status(), ACLSHMEM_STATUS_IS_INITIALIZED);
    }
    for side in [DEVICE_SIDE, HOST_SIDE] {
        let block = malloc(4 * role.n_pes as usize, side).cast::<i32>();
        assert!(!block.is_null(), "{:?}", last_error());
        for pe in 0..role.n_pes {
            let there = translate(block.cast(), pe).cast::<i32>();
            // SAFETY: the block has an element for each PE, and this one is written by this PE only.
            unsafe { there.add(role.me as usize).write(100 * role.me + pe + side) };
        }
        barrier().unwrap();
        for pe in 0..role.n_pes {
            // SAFETY: as above, and the barrier has ordered the writes.
            let got = unsafe { block.add(pe as usize).read() };
            assert_eq!(got, 100 * pe + role.me + side);
        }
        // SAFETY: all PEs free it, and nobody uses it.
        unsafe { aclshmemx_free(block.cast(), side) };
        assert_eq!(last_error().0, 0);
    }
    // The last bytes of a heap belong to it as well.
    let all = malloc(role.size as usize - 4096, DEVICE_SIDE);
    assert!(!all.is_null());
    let last = all.wrapping_add(role.size as usize - 4097);
    let successor = translate(last, (role.me + 1) % role.n_pes);
    // SAFETY: inside the block.
    unsafe { successor.write(role.me as u8 + 1) };
    barrier().unwrap();
    let predecessor = (role.me + role.n_pes - 1) % role.n_pes;
    // SAFETY: as above.
    assert_eq!(unsafe { last.read() }, predecessor as u8 + 1);
    assert_eq!(finalize(), 0);
}

/// The state block is what the vendor's device code expects.
fn layout(role: &Role) {
    assert_eq!(init(&mut role.attributes()), 0, "{:?}", last_error());
    // SAFETY: the block is filled between init and finalize.
    unsafe {
        let state = &*(*kernel_binding()).state;
        assert_eq!(std::ptr::from_ref(state).addr(), STATE_BLOCK_ADDR);
        assert_eq!(state.version, 98_528);
        assert_eq!((state.mype, state.npes), (role.me, role.n_pes));
        assert_eq!(state.heap_size, role.size + 6 * MIB);
        let device = |pe: i32| state.p2p_device_heap_base.add(pe as usize).read().addr();
        let host = |pe: i32| state.p2p_host_heap_base.add(pe as usize).read().addr();
        for pe in 0..role.n_pes {
            assert_eq!(device(pe), device(0) + (pe as usize) * (1 << 30));
            assert_eq!(host(pe) - device(pe), host(0) - device(0));
        }
        assert_eq!(device(0) % (1 << 30), 0);
        assert_eq!(state.heap_base.addr(), device(role.me));
        assert_eq!(state.host_heap_base.addr(), host(role.me));
        assert_eq!(aclshmemx_get_heap_base(DEVICE_SIDE).addr(), device(role.me));
        assert_eq!(aclshmemx_get_heap_base(HOST_SIDE).addr(), host(role.me));
        let n_pes = role.n_pes as usize;
        assert!(state.topo_list[..n_pes].iter().all(|&bits| bits == 1));
        assert!(state.topo_list[n_pes..].iter().all(|&bits| bits == 0));
        let base = state.heap_base.addr() as u64;
        assert_eq!(state.signal_addr, base);
        assert_eq!(state.sync_pool, base + 512);
        assert_eq!(state.sync_counter, base + 512 + 5_242_880);
        assert_ne!(state.core_sync_pool, 0);
        assert_ne!(state.core_sync_counter, 0);
        assert!(state.is_aclshmem_initialized && state.is_aclshmem_created);
        let world = &*state.team_pools[0];
        assert_eq!((world.mype, world.size), (role.me, role.n_pes));
        assert_eq!((world.start, world.stride, world.team_idx), (0, 1, 0));
        for pe in 0..ACLSHMEM_MAX_PES {
            if pe < n_pes {
                assert_eq!(world.pe_mapping[pe], pe as i32);
                assert_eq!(world.pe_mapping[ACLSHMEM_MAX_PES + pe], pe as i32);
            } else {
                assert_eq!(world.pe_mapping[ACLSHMEM_MAX_PES + pe], -1);
            }
        }
        let first = aclshmem_malloc(1);
        assert_eq!(first.addr() as u64 - base, 512 + 5_242_880 + 131_072);
        assert_eq!(finalize(), 0);
        assert!(!state.is_aclshmem_initialized);
        assert!(state.team_pools[0].is_null() && state.heap_base.is_null());
    }
}

/// The same address 50 times, without a pause.
fn init_finalize_loop(role: &Role) {
    let mut after_first = (0, 0);
    for round in 0..50 {
        assert_eq!(init(&mut role.attributes()), 0, "{:?}", last_error());
        let cell = malloc(4, DEVICE_SIDE).cast::<i32>();
        let next = (role.me + 1) % role.n_pes;
        // SAFETY: each cell is written by its owner's predecessor only, and read after the barrier.
        unsafe {
            translate(cell.cast(), next)
                .cast::<i32>()
                .write(round * 10 + next);
            barrier().unwrap();
            assert_eq!(cell.read(), round * 10 + role.me);
        }
        assert_eq!(finalize(), 0);
        match round {
            0 => after_first = held(),
            _ => assert_eq!(held(), after_first, "round {round}"),
        }
    }
}

/// Many barriers between which a counter must not be seen to move.
fn barriers(role: &Role) {
    const ROUNDS: i32 = 20;
    assert_eq!(init(&mut role.attributes()), 0, "{:?}", last_error());
    // SAFETY: PE 0's counter is used by atomic operations only.
    let counter = unsafe {
        let block = aclshmem_calloc(1, 4);
        &*translate(block.cast(), 0).cast::<std::sync::atomic::AtomicI32>()
    };
    for round in 1..=ROUNDS {
        counter.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        barrier().unwrap();
        let seen = counter.load(std::sync::atomic::Ordering::Relaxed);
        assert_eq!(seen, round * role.n_pes);
        barrier().unwrap();
    }
    assert_eq!(finalize(), 0);
}

/// PE 0 writes to PE 1 and finalizes at once; PE 1 looks later.
fn last_words(role: &Role) {
    assert_eq!(init(&mut role.attributes()), 0, "{:?}", last_error());
    let cell = malloc(4, DEVICE_SIDE).cast::<i32>();
    // SAFETY: one writer, and a reader that waits until the value is there.
    unsafe {
        if role.me == 0 {
            translate(cell.cast(), 1).cast::<i32>().write(42);
        } else {
            std::thread::sleep(Duration::from_millis(300));
            assert_eq!(cell.read(), 42);
            assert_eq!(translate(cell.cast(), 0).cast::<i32>().read(), 0);
        }
    }
    assert_eq!(finalize(), 0);
}

#[test]
fn three_pes_reach_each_other_s_heaps_on_both_sides() {
    let address = Address::new();
    one_each(Pe::start_all("exchange", 3, &address, 4 * MIB), 30);
}

#[test]
fn a_job_of_one_pe_reaches_itself() {
    let address = Address::new();
    one_each(Pe::start_all("exchange", 1, &address, 2 * MIB), 30);
}

#[test]
fn kernels_find_the_layout_of_the_vendor() {
    let address = Address::new();
    one_each(Pe::start_all("layout", 3, &address, 2 * MIB), 30);
}

#[test]
fn one_address_serves_fifty_jobs_of_the_same_processes() {
    let address = Address::new();
    one_each(Pe::start_all("loop", 4, &address, 2 * MIB), 60);
    one_each(Pe::start_all("loop", 1, &address, 2 * MIB), 60);
}

#[test]
fn pe_0_binds_the_address_when_it_is_given_no_socket() {
    // The port may be taken by someone else in between: then PE 0 says so, and another is tried.
    let done = (0..5).any(|_| {
        let mut address = Address::new();
        let text = std::mem::take(&mut address.text);
        drop(address);
        let mut address = Address::new();
        address.text = text;
        let pes: Vec<Pe> = (0..2)
            .map(|me| {
                let no_socket = [("SIM_SOCKET", "0")];
                Pe::start_with("loop", me, 2, &address, 2 * MIB, &no_socket)
            })
            .collect();
        let deadline = Instant::now() + Duration::from_secs(60);
        pes.into_iter()
            .all(|pe| pe.finish(deadline, true).len() == 1)
    });
    assert!(done);
}

#[test]
fn sixty_four_pes_with_large_heaps_pass_many_barriers() {
    let address = Address::new();
    let began = Instant::now();
    let reports = one_each(Pe::start_all("barriers", 64, &address, 1024 * MIB), 60);
    let slowest = reports.iter().map(|it| it.milliseconds).max().unwrap();
    eprintln!(
        "64 PEs, 40 barriers: slowest PE {slowest} ms, all {:?}",
        began.elapsed()
    );
}

#[test]
fn finalize_waits_for_the_others() {
    let address = Address::new();
    let reports = one_each(Pe::start_all("last_words", 2, &address, 2 * MIB), 30);
    assert!(reports[0].milliseconds >= 250, "{reports:?}");
}

#[test]
fn eight_pes_start_and_end_quickly() {
    let mut best = Duration::MAX;
    for _ in 0..5 {
        let address = Address::new();
        let began = Instant::now();
        one_each(Pe::start_all("quick", 8, &address, 1024 * MIB), 30);
        best = best.min(began.elapsed());
    }
    eprintln!("8 PEs, spawn + init + barrier + finalize + exit: {best:?}");
    assert!(best < Duration::from_secs(2));
}
