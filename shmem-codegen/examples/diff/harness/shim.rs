//! What a generated kernel calls when rustc compiles it: memory, the device API, and the runner. The meaning is
//! that of shmem-rt. Compiled once by the harness as the crate `shmem`; not a module of it.

use std::cell::{Cell, RefCell};
use std::marker::PhantomData;
use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

pub mod prelude {
    pub use crate::{Global, Symmetric, bf16, f16};
    pub use core::ffi::c_char;
}

pub use half::{bf16, f16};

macro_rules! memory {
    ($memory:ident) => {
        pub struct $memory<T: ?Sized> {
            cells: *mut T,
            _cells: PhantomData<T>,
        }

        impl<T: ?Sized> Clone for $memory<T> {
            fn clone(&self) -> Self {
                *self
            }
        }
        impl<T: ?Sized> Copy for $memory<T> {}

        impl<T: Copy> $memory<T> {
            pub fn cell_at(address: u64) -> Self {
                $memory { cells: address as *mut T, _cells: PhantomData }
            }

            #[inline]
            pub fn load(&self) -> T {
                unsafe { self.cells.read_volatile() }
            }

            #[inline]
            pub fn store(&self, value: T) {
                unsafe { self.cells.write_volatile(value) }
            }
        }

        impl<T: Copy> $memory<[T]> {
            pub fn slice_at(address: u64, len: u64) -> Self {
                let cells = std::ptr::slice_from_raw_parts_mut(address as *mut T, len as usize);
                $memory { cells, _cells: PhantomData }
            }

            #[inline]
            pub fn len(&self) -> usize {
                self.cells.len()
            }

            #[inline]
            pub fn is_empty(&self) -> bool {
                self.len() == 0
            }

            #[inline]
            #[track_caller]
            pub fn at(&self, index: usize) -> $memory<T> {
                let len = self.len();
                assert!(index < len, "index out of bounds: the len is {len} but the index is {index}");
                unsafe { self.at_unchecked(index) }
            }

            /// # Safety
            /// In range.
            #[inline]
            pub unsafe fn at_unchecked(&self, index: usize) -> $memory<T> {
                $memory { cells: unsafe { self.cells.cast::<T>().add(index) }, _cells: PhantomData }
            }

            #[inline]
            #[track_caller]
            pub fn slice(&self, range: Range<usize>) -> Self {
                let (Range { start, end }, len) = (range, self.len());
                assert!(start <= end, "slice index starts at {start} but ends at {end}");
                assert!(end <= len, "range end index {end} out of range for slice of length {len}");
                let first = unsafe { self.cells.cast::<T>().add(start) };
                $memory { cells: std::ptr::slice_from_raw_parts_mut(first, end - start), _cells: PhantomData }
            }
        }
    };
}

memory!(Symmetric);
memory!(Global);

thread_local! {
    static BLOCK: Cell<(u64, u64)> = const { Cell::new((0, 1)) };
    static PANIC: RefCell<(u32, u32, String)> = const { RefCell::new((0, 0, String::new())) };
    static PRINTS: RefCell<String> = const { RefCell::new(String::new()) };
}

#[track_caller]
fn check(pe: i32) {
    assert!(pe == 0, "PE {pe} is out of range: this job has 1 PEs");
}

#[track_caller]
pub fn p<T: Copy>(cell: Symmetric<T>, value: T, pe: i32) {
    check(pe);
    cell.store(value);
}

#[track_caller]
pub fn g<T: Copy>(cell: Symmetric<T>, pe: i32) -> T {
    check(pe);
    cell.load()
}

#[macro_export]
macro_rules! print {
    ($($text:tt)*) => {
        $crate::keep(&::std::format!($($text)*))
    };
}

/// Keeps what is printed, each text with a mark behind it.
pub fn keep(text: &str) {
    PRINTS.with_borrow_mut(|prints| {
        prints.push_str(text);
        prints.push('\x1e');
    });
}

pub fn quiet() {}
pub fn fence() {}

pub fn my_pe() -> i32 {
    0
}

pub fn n_pes() -> i32 {
    1
}

pub fn block_idx() -> usize {
    BLOCK.get().0 as usize
}

pub fn block_num() -> usize {
    BLOCK.get().1 as usize
}

/// Two pairs of seconds and microseconds: what comes after the first time, and the first time.
#[repr(C)]
struct Timer([core::ffi::c_long; 4]);

unsafe extern "C" {
    fn setitimer(which: i32, new: *const Timer, old: *mut Timer) -> i32;
}

/// The run that begins may take `milliseconds` of the CPU, fewer than what C++ gets; 0: the run is over.
fn limit(milliseconds: core::ffi::c_long) {
    const ITIMER_VIRTUAL: i32 = 1;
    let timer = Timer([0, 0, 0, milliseconds * 1000]);
    unsafe { setitimer(ITIMER_VIRTUAL, &timer, std::ptr::null_mut()) };
}

/// Runs what the input file says, from run `start` on.
pub fn drive(kernels: &[fn(&[u64])]) {
    use std::io::Write;
    let arguments: Vec<String> = std::env::args().collect();
    let input = std::fs::read(&arguments[1]).unwrap();
    let mut output = std::fs::File::create(&arguments[2]).unwrap();
    let start: usize = arguments[3].parse().unwrap();
    std::panic::set_hook(Box::new(|info| {
        let location = info.location().unwrap();
        let text = match info.payload().downcast_ref::<&str>() {
            Some(text) => (*text).to_owned(),
            None => info.payload().downcast_ref::<String>().cloned().unwrap_or_default(),
        };
        // What panics inside of the standard library has no place that a user knows.
        let ours = location.file().ends_with("kernels.rs");
        let (line, column) = if ours { (location.line(), location.column()) } else { (0, 0) };
        PANIC.set((line, column, text));
    }));
    let mut at = 0;
    let word = |at: &mut usize| {
        *at += 8;
        u64::from_le_bytes(input[*at - 8..*at].try_into().unwrap())
    };
    let runs = word(&mut at) as usize;
    for run in 0..runs {
        let kernel = word(&mut at) as usize;
        let block = [word(&mut at), word(&mut at), word(&mut at)];
        let _heap = word(&mut at);
        let bytes = word(&mut at) as usize;
        let slots: Vec<(u64, u64)> = (0..word(&mut at)).map(|_| (word(&mut at), word(&mut at))).collect();
        for _ in 0..word(&mut at) {
            word(&mut at);
            word(&mut at);
        }
        // Words, for their alignment.
        let mut arena: Vec<u64> = input[at..at + bytes.next_multiple_of(8)]
            .chunks(8)
            .map(|chunk| u64::from_le_bytes(chunk.try_into().unwrap()))
            .collect();
        at += bytes.next_multiple_of(8);
        if run < start {
            continue;
        }
        BLOCK.set((block[0], block[1] * block[2]));
        let base = arena.as_mut_ptr() as u64;
        let slots: Vec<u64> = slots.iter().map(|&(kind, value)| if kind == 1 { base + value } else { value }).collect();
        limit(50);
        let result = catch_unwind(AssertUnwindSafe(|| kernels[kernel](&slots)));
        limit(0);
        let mut record: Vec<u8> = Vec::new();
        let (line, column, text) = PANIC.take();
        let prints = PRINTS.take();
        let panicked = u64::from(result.is_err());
        let words =
            [panicked, u64::from(line), u64::from(column), text.len() as u64, prints.len() as u64];
        record.extend(words.iter().flat_map(|word| word.to_le_bytes()));
        record.extend(text.as_bytes());
        record.extend(prints.as_bytes());
        let memory = arena.iter().flat_map(|word| word.to_le_bytes());
        record.extend(memory.take(bytes));
        output.write_all(&record).unwrap();
    }
}
