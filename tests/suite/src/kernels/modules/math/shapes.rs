//! Types that kernels of other modules take and make.

use shmem::prelude::*;

/// Both coordinates of it.
#[derive(Clone, Copy)]
pub struct Point {
    /// The first.
    pub x: i32,
    /// The second.
    pub y: i32,
}

/// A box between two corners.
#[derive(Clone, Copy)]
pub struct Box2 {
    /// One corner.
    pub low: [i32; DIMENSIONS],
    /// The other.
    pub high: [i32; DIMENSIONS],
    /// Which of them counts.
    pub side: Side,
}

/// A side.
#[derive(Clone, Copy, PartialEq)]
pub enum Side {
    /// The lower.
    Left = 3,
    /// The upper.
    Right = 2 * DIMENSIONS as isize,
}

const DIMENSIONS: usize = 2;

/// All ones.
pub const ONES: [i32; DIMENSIONS] = [1; 2];

/// The corner that counts.
#[shmem_device]
pub fn corner(of: Box2) -> Point {
    let at = match of.side {
        Side::Left => of.low,
        Side::Right => of.high,
    };
    Point { x: at[0], y: at[1] }
}
