//! Kernels whose AscendC is kept: read it as a person who knows AscendC would.

/// The default: once per PE, checked.
#[shmem_kernel]
pub fn ring(input: Symmetric<i32>, output: Global<i32>) {
    let peer = (shmem::my_pe() + 1) % shmem::n_pes();
    for _ in 0..10 {
        shmem::p(input, peer, peer);
        shmem::quiet();
        let got = shmem::g(input, peer);
        shmem::quiet();
        output.store(got);
    }
}

/// What an expert would write by hand.
#[shmem_kernel(unchecked)]
pub unsafe fn ring_unchecked(input: Symmetric<i32>, output: Global<i32>) {
    let peer = (shmem::my_pe() + 1) % shmem::n_pes();
    for _ in 0..10 {
        shmem::p(input, peer, peer);
        shmem::quiet();
        let got = shmem::g(input, peer);
        shmem::quiet();
        output.store(got);
    }
}

/// All vector cores of a mixed kernel.
#[shmem_kernel(all_blocks)]
pub fn all_blocks(done: Global<[i32]>) {
    let mut i = shmem::block_idx();
    while i < done.len() {
        done.at(i).store(1);
        i += shmem::block_num();
    }
}

/// Vector cores only, guarded.
#[shmem_kernel(vector)]
pub fn vector(cell: Symmetric<f16>, value: f16, flag: bool) {
    if flag {
        shmem::p(cell, value, 0);
        shmem::fence();
    }
}

/// Vector cores only, all of them, without checks.
#[shmem_kernel(vector, all_blocks, unchecked)]
pub unsafe fn vector_all_unchecked(cells: Symmetric<[u64]>, out: Global<[u64]>) {
    let block = shmem::block_idx();
    let wide = shmem::block_num() as u64;
    out.at(block).store(shmem::g(cells.at(block), 0) * wide + 1);
}

/// Statements, and what Rust orders.
#[shmem_kernel(all_blocks)]
pub fn language(x: Global<[i64]>, y: Global<[u8]>, k: i32) {
    'rows: for row in 0..=9u8 {
        let mut column = 0;
        loop {
            column += 1;
            if column == k {
                continue 'rows;
            } else if column > 5 || y.at(column as usize).load() > row {
                break;
            }
            let value = if column % 2 == 0 { x.at(0).load() } else { -1 };
            x.at(1).store(x.at(2).load() - value * (row as i64 + 1));
        }
    }
    let rest = x.slice(1..x.len());
    rest.at(0).store(1.5f32 as i64);
}

/// Says what it was given.
#[shmem_device]
fn told(x: f32) -> bool {
    debug_assert!(x >= 0.0, "{x} is negative");
    shmem::print!("told {x:?}");
    x > 1.0
}

/// Prints, and asserts where the profile does.
#[shmem_kernel]
pub fn prints(cell: Global<i32>, small: f16) {
    let x = cell.load();
    shmem::print!("{x} is {}, {small}", told(0.5));
    debug_assert_eq!(x, 3);
    shmem::print!();
}

/// Where a block of rows goes.
#[derive(Clone, Copy, PartialEq)]
pub struct Block {
    pub start: u64,
    pub rows: [u32; 2],
    pub order: Order,
}

/// Which way it is read.
#[derive(Clone, Copy, PartialEq)]
#[repr(u8)]
pub enum Order {
    Rows,
    Columns = 4,
}

#[shmem_device]
fn halves(block: Block, count: &mut u32) -> (Block, u32) {
    *count += 1;
    let Block { rows: [first, second], .. } = block;
    (Block { rows: [first / 2, second], ..block }, first - first / 2)
}

/// A struct as an argument, an enum in a match, a reference, an array.
#[shmem_kernel]
pub fn aggregates(block: Block, out: Global<[u64]>) {
    let mut count = 0;
    let (half, rest) = halves(block, &mut count);
    let mut sums = [0_u64; 4];
    for (i, rows) in [(0, half.rows), (2, [rest, rest])] {
        sums[i] += rows[0] as u64;
        sums[i + 1] = rows[1] as u64;
    }
    let step = match (block.order, count) {
        (Order::Rows, 1) => 1,
        (Order::Rows, n) => n as usize,
        (Order::Columns, _) => 2,
    };
    out.at(step).store(sums[step] + block.start);
}
