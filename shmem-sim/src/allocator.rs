//! Where blocks lie in a symmetric heap: offsets only, no memory.
//!
//! The same calls give the same offsets in every PE, which is what makes an address symmetric: best fit, the lowest
//! offset among equals, neighbours joined when freed. The vendor's granule is 16 bytes; here it is a cache line, so
//! that two blocks never share one (`p` writes back whole lines, and a neighbour's update would be lost).

use std::collections::{BTreeMap, BTreeSet};

/// Size and alignment of every block are multiples of this.
pub(crate) const GRANULE: usize = 64;

/// Free and used ranges of one heap.
#[derive(Debug)]
pub(crate) struct Allocator {
    /// Offset to size, for joining neighbours.
    free: BTreeMap<usize, usize>,
    /// The same ranges by size, then offset: the order in which best fit looks.
    free_by_size: BTreeSet<(usize, usize)>,
    used: BTreeMap<usize, usize>,
}

impl Allocator {
    /// An empty heap of `size` bytes, rounded down to the granule.
    pub(crate) fn new(size: usize) -> Self {
        let mut new = Allocator {
            free: BTreeMap::new(),
            free_by_size: BTreeSet::new(),
            used: BTreeMap::new(),
        };
        new.add_free(0, size - size % GRANULE);
        new
    }

    /// The offset of a new block, or `None` where no free range is large enough, `size` is 0 or `alignment` is not a
    /// power of two.
    pub(crate) fn allocate(&mut self, size: usize, alignment: usize) -> Option<usize> {
        if size == 0 || !alignment.is_power_of_two() {
            return None;
        }
        let size = size.checked_next_multiple_of(GRANULE)?;
        let alignment = alignment.max(GRANULE);
        let (whole, start, offset) =
            self.free_by_size
                .range((size, 0)..)
                .find_map(|&(whole, start)| {
                    let offset = start.checked_next_multiple_of(alignment)?;
                    (offset.checked_add(size)? <= start + whole).then_some((whole, start, offset))
                })?;
        self.remove_free(start, whole);
        self.add_free(start, offset - start);
        self.add_free(offset + size, start + whole - offset - size);
        self.used.insert(offset, size);
        Some(offset)
    }

    /// Frees the block that starts at `offset`; false where no block starts there.
    pub(crate) fn release(&mut self, offset: usize) -> bool {
        let Some(size) = self.used.remove(&offset) else {
            return false;
        };
        let (mut start, mut end) = (offset, offset + size);
        if let Some((&before, &length)) = self.free.range(..start).next_back()
            && before + length == start
        {
            self.remove_free(before, length);
            start = before;
        }
        if let Some(&length) = self.free.get(&end) {
            self.remove_free(end, length);
            end += length;
        }
        self.add_free(start, end - start);
        true
    }

    /// The start and size of the block in use that has `offset` inside.
    pub(crate) fn block_around(&self, offset: usize) -> Option<(usize, usize)> {
        let (&start, &size) = self.used.range(..=offset).next_back()?;
        (offset < start + size).then_some((start, size))
    }

    /// The largest block that could be had.
    pub(crate) fn largest_free(&self) -> usize {
        self.free_by_size.last().map_or(0, |&(size, _)| size)
    }

    fn add_free(&mut self, offset: usize, size: usize) {
        if size > 0 {
            self.free.insert(offset, size);
            self.free_by_size.insert((size, offset));
        }
    }

    fn remove_free(&mut self, offset: usize, size: usize) {
        self.free.remove(&offset);
        self.free_by_size.remove(&(size, offset));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KIB: usize = 1024;

    #[test]
    fn blocks_start_and_end_on_cache_lines() {
        let mut heap = Allocator::new(4 * KIB);
        let offsets: Vec<_> = [1, 64, 65, 4, 128]
            .iter()
            .map(|&size| heap.allocate(size, 1))
            .collect();
        assert_eq!(offsets, [0, 64, 128, 256, 320].map(Some));
    }

    #[test]
    fn requests_that_cannot_be_met_change_nothing() {
        let mut heap = Allocator::new(KIB);
        for (size, alignment) in [
            (0, 64),
            (KIB + 1, 1),
            (usize::MAX, 1),
            (usize::MAX, 1 << 63),
            (usize::MAX - 62, 64),
            (8, 0),
            (8, 3),
            (17, 96),
        ] {
            assert_eq!(
                heap.allocate(size, alignment),
                None,
                "{size} aligned to {alignment}"
            );
        }
        assert_eq!(heap.largest_free(), KIB);
        assert_eq!(heap.allocate(KIB, 1), Some(0));
        assert_eq!(heap.allocate(1, 1), None);
    }

    #[test]
    fn the_smallest_sufficient_range_is_taken_and_the_lowest_of_equals() {
        let mut heap = Allocator::new(64 * KIB);
        // used 0..1K, free 1K..3K, used 3K..4K, free 4K..5K, used 5K..6K, free 6K..7K, used 7K..8K, free 8K..
        let blocks: Vec<_> = [1, 2, 1, 1, 1, 1, 1]
            .iter()
            .map(|&kib| heap.allocate(kib * KIB, 1).unwrap())
            .collect();
        for index in [1, 3, 5] {
            assert!(heap.release(blocks[index]));
        }
        assert_eq!(heap.allocate(KIB, 1), Some(4 * KIB));
        assert_eq!(heap.allocate(KIB, 1), Some(6 * KIB));
        assert_eq!(heap.allocate(KIB, 1), Some(KIB));
        assert_eq!(heap.allocate(2 * KIB, 1), Some(8 * KIB));
        assert_eq!(heap.allocate(64, 1), Some(2 * KIB));
    }

    #[test]
    fn freed_neighbours_join_in_every_order() {
        for order in [
            [0, 1, 2],
            [0, 2, 1],
            [1, 0, 2],
            [1, 2, 0],
            [2, 0, 1],
            [2, 1, 0],
        ] {
            let mut heap = Allocator::new(3 * KIB);
            let blocks = [(); 3].map(|()| heap.allocate(KIB, 1).unwrap());
            for index in order {
                assert!(heap.release(blocks[index]));
            }
            assert_eq!(heap.largest_free(), 3 * KIB, "order {order:?}");
            assert_eq!(heap.free.len(), 1);
            assert_eq!(heap.free_by_size.len(), 1);
        }
    }

    #[test]
    fn alignment_leaves_the_gap_usable() {
        let mut heap = Allocator::new(16 << 20);
        assert_eq!(heap.allocate(64, 1), Some(0));
        assert_eq!(heap.allocate(8, 2 << 20), Some(2 << 20));
        assert_eq!(heap.allocate(100, 128), Some(128));
        assert_eq!(heap.allocate(64, 1), Some(64));
        assert!(heap.release(2 << 20));
        assert!(heap.release(0));
        assert!(heap.release(64));
        assert!(heap.release(128));
        assert_eq!(heap.largest_free(), 16 << 20);
    }

    #[test]
    fn an_alignment_that_the_smallest_range_misses_is_met_by_a_larger_one() {
        let mut heap = Allocator::new(8 * KIB);
        assert_eq!(heap.allocate(64, 1), Some(0));
        let hole = heap.allocate(4 * KIB - 128, 1).unwrap();
        assert_eq!(heap.allocate(64, 1), Some(4 * KIB - 64));
        assert!(heap.release(hole));
        assert_eq!(heap.allocate(2 * KIB, 4 * KIB), Some(4 * KIB));
    }

    #[test]
    fn only_the_start_of_a_block_is_freed_and_only_once() {
        let mut heap = Allocator::new(4 * KIB);
        let block = heap.allocate(256, 1).unwrap();
        assert!(!heap.release(block + 64));
        assert_eq!(heap.block_around(block + 64), Some((block, 256)));
        assert_eq!(heap.block_around(block + 256), None);
        assert!(heap.release(block));
        assert!(!heap.release(block));
        assert_eq!(heap.largest_free(), 4 * KIB);
    }

    #[test]
    fn the_same_calls_give_the_same_offsets_and_never_overlap() {
        let run = || {
            let mut heap = Allocator::new(1 << 20);
            let (mut live, mut trace, mut seed) = (Vec::<(usize, usize)>::new(), Vec::new(), 7u64);
            for _ in 0..3000 {
                seed = seed
                    .wrapping_mul(6_364_136_223_846_793_005)
                    .wrapping_add(1_442_695_040_888_963_407);
                let random = (seed >> 33) as usize;
                if random.is_multiple_of(3) && !live.is_empty() {
                    let (offset, _) = live.swap_remove(random % live.len());
                    assert!(heap.release(offset));
                } else if let Some(offset) = heap.allocate(random % 9000 + 1, 1 << (random % 12)) {
                    let end = offset + random % 9000 + 1;
                    assert_eq!(offset % (1 << (random % 12)), 0);
                    assert!(
                        live.iter()
                            .all(|&(start, stop)| end <= start || offset >= stop)
                    );
                    live.push((offset, end));
                    trace.push(offset);
                }
            }
            for (offset, _) in live {
                assert!(heap.release(offset));
            }
            assert_eq!(heap.largest_free(), 1 << 20);
            trace
        };
        assert_eq!(run(), run());
    }

    #[test]
    fn offsets_beyond_32_bits_are_exact() {
        let mut heap = Allocator::new(40 << 30);
        assert_eq!(heap.allocate(5 << 30, 1), Some(0));
        assert_eq!(heap.allocate(33 << 30, 1 << 30), Some(5 << 30));
        assert_eq!(heap.allocate((2 << 30) + 1, 1), None);
        assert_eq!(heap.allocate(2 << 30, 1), Some(38 << 30));
    }
}
