//! What a kernel is run on: its arguments and the memory that they point to.

use super::ast::{Kernel, Scalar, Ty};
use super::generate::{OUT_CELLS, edge_bits};
use super::rng::Rng;

/// Bytes between two pieces of memory, which nobody may touch.
const GAP: usize = 16;
/// What they hold.
const GAP_BYTE: u8 = 0xa5;

/// An argument.
#[derive(Clone, Debug, PartialEq)]
pub enum Argument {
    /// A number by its bits.
    Bits(u64),
    /// Memory by the bits of its cells.
    Cells(Vec<u64>),
    /// The memory of another parameter, from its front: the two overlap.
    Alias(usize, usize),
}

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct Input {
    /// By parameter.
    pub arguments: Vec<Argument>,
    /// Block index, blocks launched, vector instances per block.
    pub block: [u64; 3],
}

/// Where a piece of memory lies in the arena of a run.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Region {
    /// First byte.
    pub offset: usize,
    /// Of its cells.
    pub elem: Scalar,
    /// Cells.
    pub len: usize,
}

/// The memory of one run: symmetric pieces first.
#[derive(Clone, Debug)]
pub struct Layout {
    /// All bytes before the run.
    pub arena: Vec<u8>,
    /// Bytes that are the symmetric heap.
    pub heap: usize,
    /// Kind (1: pointer into the arena) and value.
    pub slots: Vec<(u32, u64)>,
    /// Pieces in order.
    pub regions: Vec<Region>,
}

/// Inputs for `kernel`: the first tame, so that some runs get to their end.
pub fn make(kernel: &Kernel, seed: u64, index: u64, count: usize) -> Vec<Input> {
    let mut rng = Rng::new(seed ^ 0x5eed_1e55, index);
    (0..count)
        .map(|at| one(kernel, &mut rng, at * 2 < count))
        .collect()
}

fn one(kernel: &Kernel, rng: &mut Rng, tame: bool) -> Input {
    let mut arguments: Vec<Argument> = Vec::new();
    for param in &kernel.params {
        arguments.push(match &param.ty {
            Ty::Memory {
                symmetric,
                elem,
                slice,
            } => {
                // One of these takes the results.
                let whole = *slice && *elem == Scalar::I64 && !*symmetric;
                let len = if whole {
                    OUT_CELLS
                } else if !*slice {
                    1
                } else if tame || rng.chance(70) {
                    5 + rng.below(4)
                } else {
                    rng.below(6)
                };
                let tame_cells = tame || rng.chance(30);
                Argument::Cells(
                    (0..len)
                        .map(|_| edge_bits(rng, *elem, tame_cells))
                        .collect(),
                )
            }
            Ty::Scalar(scalar) => {
                let tame = tame || rng.chance(30);
                Argument::Bits(edge_bits(rng, *scalar, tame))
            }
            _ => Argument::Bits(0),
        });
    }
    if rng.chance(15) {
        alias(kernel, rng, &mut arguments);
    }
    let block = if kernel.all_blocks {
        let (blocks, ration) = (1 + rng.next() % 3, if kernel.vector { 1 } else { 2 });
        [rng.next() % (blocks * ration), blocks, ration]
    } else {
        [0, 1 + rng.next() % 2, if kernel.vector { 1 } else { 2 }]
    };
    Input { arguments, block }
}

/// Makes two parameters of one kind the same memory.
fn alias(kernel: &Kernel, rng: &mut Rng, arguments: &mut [Argument]) {
    let memory: Vec<usize> = (0..arguments.len())
        .filter(|&at| matches!(arguments[at], Argument::Cells(_)))
        .collect();
    if memory.len() < 2 {
        return;
    }
    let (a, b) = (*rng.pick(&memory), *rng.pick(&memory));
    let (
        Ty::Memory {
            symmetric: sa,
            elem: ea,
            slice: la,
        },
        Ty::Memory {
            symmetric: sb,
            elem: eb,
            slice: lb,
        },
    ) = (&kernel.params[a].ty, &kernel.params[b].ty)
    else {
        return;
    };
    // What must be symmetric stays so.
    if a == b || ea != eb || la != lb || (*sb && !*sa) {
        return;
    }
    if let (Argument::Cells(cells), Argument::Cells(other)) = (&arguments[a], &arguments[b]) {
        let len = cells.len().min(other.len());
        if len == other.len() {
            arguments[b] = Argument::Alias(a, len);
        }
    }
}

impl Layout {
    /// The memory of `input`.
    pub fn new(kernel: &Kernel, input: &Input) -> Layout {
        let mut arena = vec![GAP_BYTE; GAP];
        let mut regions = Vec::new();
        let mut offsets = vec![0; kernel.params.len()];
        let mut heap = 0;
        for wanted in [true, false] {
            for (at, param) in kernel.params.iter().enumerate() {
                let Ty::Memory {
                    symmetric, elem, ..
                } = param.ty
                else {
                    continue;
                };
                let Some(Argument::Cells(cells)) = input.arguments.get(at) else {
                    continue;
                };
                if symmetric != wanted {
                    continue;
                }
                offsets[at] = arena.len();
                regions.push(Region {
                    offset: arena.len(),
                    elem,
                    len: cells.len(),
                });
                for bits in cells {
                    arena.extend(&bits.to_le_bytes()[..elem.size()]);
                }
                let end = arena.len().next_multiple_of(8) + GAP;
                arena.resize(end, GAP_BYTE);
            }
            if wanted {
                heap = arena.len();
            }
        }
        let mut slots = Vec::new();
        for (at, param) in kernel.params.iter().enumerate() {
            let (base, len) = match &input.arguments[at] {
                Argument::Bits(bits) => {
                    slots.push((0, *bits));
                    continue;
                }
                Argument::Cells(cells) => (offsets[at], cells.len()),
                Argument::Alias(of, len) => (offsets[*of], *len),
            };
            slots.push((1, base as u64));
            if matches!(param.ty, Ty::Memory { slice: true, .. }) {
                slots.push((0, len as u64));
            }
        }
        Layout {
            arena,
            heap,
            slots,
            regions,
        }
    }

    /// As the runners read it.
    pub fn write(&self, kernel: usize, block: [u64; 3], to: &mut Vec<u8>) {
        let mut word = |value: u64| to.extend(value.to_le_bytes());
        word(kernel as u64);
        block.iter().for_each(|&value| word(value));
        word(self.heap as u64);
        word(self.arena.len() as u64);
        word(self.slots.len() as u64);
        for &(kind, value) in &self.slots {
            word(u64::from(kind));
            word(value);
        }
        // The gaps, for sanitizers.
        word(self.regions.len() as u64);
        for region in &self.regions {
            word(region.offset as u64);
            word((region.len * region.elem.size()) as u64);
        }
        to.extend(&self.arena);
        to.resize(to.len().next_multiple_of(8), 0);
    }
}
