//! The memory in which a launch leaves its lines: `shmem_rust_print.h` says the same for the device.
//!
//! In words of 8 bytes: the number of instances that print and the words of each; for each a counter of used words and
//! one of lost lines; then the words of each. All three begin on lines of 8 words. A printed line is a word with its site
//! (low half) and the number of its values, then the values. The counters may be read while the kernel runs.

use std::sync::Arc;
use std::sync::atomic::{Ordering, fence};

use super::{Printed, lines};
use crate::Error;
use crate::block::Block;
use crate::fault::written;
use crate::kernel::KernelInfo;
use crate::live::Live;

/// Words of a cache line: of the front, and of the counters of an instance.
const LINE: usize = 8;
/// Most words of an instance: 64 KiB.
const MOST: usize = 8 << 10;
/// Fewest words of an instance.
const FEWEST: usize = 4 * LINE;
/// Words that the instances share, where they are many: 16 MiB.
const SHARED: usize = 2 << 20;

/// The area of one launch.
#[derive(Debug)]
pub(crate) struct Area {
    block: Arc<Block>,
    room: usize,
    /// How far each instance has been read.
    read: Vec<usize>,
}

/// The counters of all instances at one time.
#[derive(Debug)]
pub(crate) struct Counters(Vec<u64>);

impl Area {
    /// An empty area for `instances`, in one of the `spare` blocks if one is large enough.
    pub(crate) fn new(
        live: &Arc<Live>,
        instances: usize,
        spare: &mut Vec<Arc<Block>>,
    ) -> Result<Self, Error> {
        let room = room(instances);
        let head = LINE * (1 + instances);
        let bytes = size_of::<u64>() * (head + instances * room);
        let block = match spare.iter().position(|block| block.bytes() >= bytes) {
            Some(index) => spare.swap_remove(index),
            None => Block::in_device(live, bytes)?,
        };
        block.zero(size_of::<u64>() * head)?;
        block.write(0, &[instances as u64, room as u64])?;
        Ok(Self {
            block,
            room,
            read: vec![0; instances],
        })
    }

    pub(crate) fn block(&self) -> &Arc<Block> {
        &self.block
    }

    pub(crate) fn into_block(self) -> Arc<Block> {
        self.block
    }

    /// How far the instances are.
    pub(crate) fn counters(&self) -> Result<Counters, Error> {
        let counters = self.block.read(LINE, LINE * self.read.len())?;
        // What the counters count was written before them.
        fence(Ordering::Acquire);
        Ok(Counters(counters))
    }

    /// The lines up to `counters` that were not read yet, block by block; with `ended`, also how many were lost.
    pub(crate) fn take(
        &mut self,
        counters: &Counters,
        kernel: &KernelInfo,
        pe: i32,
        ended: bool,
    ) -> Result<Vec<Printed>, Error> {
        let mut taken = Vec::new();
        let words = LINE * (1 + self.read.len());
        for (block, (read, counter)) in self
            .read
            .iter_mut()
            .zip(counters.0.chunks(LINE))
            .enumerate()
        {
            let used = (counter[0] as usize).min(self.room);
            let number = block as u32;
            if used > *read {
                let first = words + block * self.room + *read;
                let new = self.block.read::<u64>(first, used - *read)?;
                for text in texts(&new, kernel) {
                    taken.extend(lines(pe, number, &text));
                }
                *read = used;
            }
            let lost = counter[1];
            if ended && lost > 0 {
                let s = if lost == 1 { "" } else { "s" };
                let bytes = self.room * size_of::<u64>();
                let text = format!(
                    "{lost} line{s} lost: a block has {bytes} bytes for what it prints in a launch"
                );
                taken.extend(lines(pe, number, &text));
            }
        }
        Ok(taken)
    }
}

/// The words of each instance: whole cache lines.
fn room(instances: usize) -> usize {
    (SHARED / instances).clamp(FEWEST, MOST) / LINE * LINE
}

/// The texts that whole records stand for.
fn texts(mut words: &[u64], kernel: &KernelInfo) -> Vec<String> {
    let mut texts = Vec::new();
    while let [head, rest @ ..] = words {
        let site = kernel.sites.get((head & u64::from(u32::MAX)) as usize);
        // A kernel that wrote where it may not can have written here.
        let Some((values, after)) = rest.split_at_checked((head >> 32) as usize) else {
            break;
        };
        texts.extend(site.map(|site| written(site, values)));
        words = after;
    }
    texts
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_instance_has_whole_cache_lines() {
        for (instances, words) in [(1, MOST), (256, MOST), (1000, 2096), (131_070, FEWEST)] {
            assert_eq!(room(instances), words, "{instances}");
            assert_eq!(room(instances) % LINE, 0);
        }
    }
}
