//! Numbers that look random and depend on the seed alone (SplitMix64).

/// The generator of one kernel, or of its inputs.
#[derive(Clone, Debug)]
pub struct Rng(u64);

impl Rng {
    /// One stream for each `(seed, index)`.
    pub fn new(seed: u64, index: u64) -> Rng {
        let mut rng = Rng(seed ^ index.wrapping_mul(0xa076_1d64_78bd_642f));
        rng.next();
        rng
    }

    /// 64 bits.
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// A number in `0..n`.
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() % n.max(1) as u64) as usize
    }

    /// True in `percent` of 100 cases.
    pub fn chance(&mut self, percent: usize) -> bool {
        self.below(100) < percent
    }

    /// One of `items`.
    pub fn pick<'a, T>(&mut self, items: &'a [T]) -> &'a T {
        &items[self.below(items.len())]
    }

    /// One of `items`, by weight.
    pub fn weighted<'a, T>(&mut self, items: &'a [(u32, T)]) -> &'a T {
        let total: usize = items.iter().map(|item| item.0 as usize).sum();
        let mut at = self.below(total);
        for (weight, item) in items {
            let weight = *weight as usize;
            if at < weight {
                return item;
            }
            at -= weight;
        }
        &items[items.len() - 1].1
    }
}
