//! Streams: what was launched, and what became of it.

use core::cell::{Cell, RefCell};
use core::marker::PhantomData;
use std::sync::Arc;
use std::time::{Duration, Instant};

use shmem_sim::abi::{
    ACL_ERROR_RT_AICORE_EXCEPTION, ACL_ERROR_RT_AICORE_TRAP_EXCEPTION,
    ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION,
};

use crate::block::Block;
use crate::fault::{RECORD_SIZE, Record};
use crate::kernel::{Args, KernelInfo};
use crate::live::{Handle, Live};
use crate::print;
use crate::print::area::{Area, Counters};
use crate::startup::create_stream;
use crate::{Error, KernelPanic, library};

/// `ACL_ERROR_RT_VECTOR_CORE_EXCEPTION`.
const VECTOR_CORE_EXCEPTION: i32 = 507_035;
/// A wait looks at the control channel this often.
const SLICE_MS: i32 = 100;
/// How long kernels have to notice that the job has failed before they are given up.
const LOST_PATIENCE: Duration = Duration::from_secs(5);
/// Launches that are not synchronised hold no more than this for what they print, in bytes; one may be larger.
const MOST_PRINTED: usize = 64 << 20;
/// Most blocks of a launch.
const MOST_BLOCKS: u32 = 65_535;

/// A queue of kernel launches, which run in order; stands for `aclrtStream`.
///
/// It keeps the memory of its launches alive. Dropping it waits for them; a stream that has failed is not waited for.
#[derive(Debug)]
pub struct Stream<'w> {
    live: Arc<Live>,
    handle: Handle,
    queue: RefCell<Queue>,
    _world: PhantomData<(&'w (), Cell<()>)>,
}

#[derive(Debug, Default)]
struct Queue {
    /// Launches that are not synchronised, in order.
    launches: Vec<Launched>,
    /// Fault areas that no launch uses; all their records are empty.
    areas: Vec<Arc<Block>>,
    /// Areas for lines that no launch uses.
    print_areas: Vec<Arc<Block>>,
    /// Once something has failed, nothing more runs.
    failed: Option<Error>,
}

/// A launch in the queue.
#[derive(Debug)]
struct Launched {
    kernel: &'static KernelInfo,
    blocks: Vec<Arc<Block>>,
    /// Each launch has its own records, so that no two kernels are confused.
    area: Option<Arc<Block>>,
    /// What it prints.
    prints: Option<Area>,
}

impl<'w> Stream<'w> {
    pub(crate) fn new(live: &Arc<Live>) -> Result<Self, Error> {
        live.bind()?;
        let idle = live.streams().idle.pop();
        let handle = match idle {
            Some(handle) => handle,
            None => {
                let handle = create_stream(live.api)?;
                live.streams().all.push(handle);
                handle
            }
        };
        Ok(Self {
            live: live.clone(),
            handle,
            queue: RefCell::default(),
            _world: PhantomData,
        })
    }

    /// Waits until everything that was launched has ended; stands for `aclrtSynchronizeStream`.
    ///
    /// Meanwhile it prints what kernels print; see [`print!`](crate::print!).
    ///
    /// # Errors
    /// [`Error::KernelPanic`] when a kernel panicked, [`Error::Vendor`] when it failed otherwise, and the job's failure
    /// when that ended the wait. The stream then stays failed, and the other PEs are told.
    pub fn synchronize(&self) -> Result<(), Error> {
        let mut queue = self.queue.borrow_mut();
        if let Some(error) = &queue.failed {
            return Err(error.clone());
        }
        self.live.bind()?;
        let mut lost: Option<(Error, Instant)> = None;
        loop {
            // SAFETY: the stream is not destroyed yet, and `queue` keeps what its kernels use.
            let code = unsafe {
                (self.live.api.aclrtSynchronizeStreamWithTimeout)(self.handle.0, SLICE_MS)
            };
            match code {
                0 => {
                    queue.print(self.live.pe, true);
                    queue.release();
                    return Ok(());
                }
                ACL_ERROR_RT_STREAM_SYNC_TIMEOUT => {
                    queue.print(self.live.pe, false);
                    match &lost {
                        None => {
                            lost = self
                                .live
                                .control
                                .failure(Duration::ZERO)
                                .map(|error| (error, Instant::now()))
                        }
                        Some((error, since)) if since.elapsed() > LOST_PATIENCE => {
                            // It may run for ever and use its memory all the while.
                            let error = error.clone();
                            queue.print(self.live.pe, true);
                            std::mem::take(&mut queue.launches)
                                .into_iter()
                                .for_each(std::mem::forget);
                            queue.failed = Some(error.clone());
                            return Err(error);
                        }
                        Some(_) => {}
                    }
                }
                code => return Err(self.fail(&mut queue, code)),
            }
        }
    }

    /// A wait for the stream says that it has failed, so nothing runs on it any more: why, for this and every later
    /// call.
    fn fail(&self, queue: &mut Queue, code: i32) -> Error {
        queue.print(self.live.pe, true);
        let vendor = self
            .live
            .api
            .error("aclrtSynchronizeStreamWithTimeout", code);
        let error = match self.panic_behind(queue, code) {
            Some(panic) => {
                let error = Error::from(panic);
                self.live.control.report(&error.to_string());
                error
            }
            // When a peer has died, its own end is the cause.
            None => self.live.cause(vendor),
        };
        queue.release();
        queue.areas.clear();
        queue.failed = Some(error.clone());
        error
    }

    /// The record that a panicked kernel left.
    fn panic_behind(&self, queue: &Queue, code: i32) -> Option<KernelPanic> {
        let trapped = [
            ACL_ERROR_RT_AICORE_TRAP_EXCEPTION,
            ACL_ERROR_RT_VECTOR_CORE_TRAP_EXCEPTION,
            ACL_ERROR_RT_AICORE_EXCEPTION,
            VECTOR_CORE_EXCEPTION,
        ];
        if !trapped.contains(&code) {
            return None;
        }
        queue.launches.iter().find_map(|launch| {
            let area = launch.area.as_ref()?;
            let bytes = area.read::<u8>(0, area.bytes()).ok()?;
            Some(Record::first(&bytes)?.explain(launch.kernel, self.live.pe))
        })
    }

    /// An area of empty records, one for each instance.
    fn fault_area(&self, queue: &mut Queue, instances: usize) -> Result<Arc<Block>, Error> {
        let bytes = instances * RECORD_SIZE;
        if let Some(index) = queue.areas.iter().position(|area| area.bytes() >= bytes) {
            return Ok(queue.areas.swap_remove(index));
        }
        let area = Block::in_device(&self.live, bytes)?;
        area.zero(bytes)?;
        Ok(area)
    }
}

impl Queue {
    /// Nothing of what was launched runs any more.
    fn release(&mut self) {
        for launch in self.launches.drain(..) {
            launch.release(&mut self.areas, &mut self.print_areas);
        }
    }

    /// Bytes that launches hold for what they print.
    fn printing(&self) -> usize {
        let areas = self
            .launches
            .iter()
            .filter_map(|launch| launch.prints.as_ref());
        areas.map(|area| area.block().bytes()).sum()
    }

    /// Prints the lines that are there; with `ended`, nothing runs any more.
    fn print(&mut self, pe: i32, ended: bool) {
        // The last launch first: once it has printed, those before it have ended and their counters are final.
        let counters: Vec<Option<Counters>> = self
            .launches
            .iter()
            .rev()
            .map(|launch| launch.prints.as_ref()?.counters().ok())
            .collect();
        for (launch, counters) in self.launches.iter_mut().zip(counters.into_iter().rev()) {
            if let (Some(area), Some(counters)) = (&mut launch.prints, counters) {
                match area.take(&counters, launch.kernel, pe, ended) {
                    Ok(lines) => print::emit(lines),
                    Err(error) => tracing::warn!(%error, "reading what a kernel printed"),
                }
            }
        }
    }
}

impl Launched {
    /// It does not run any more, or was not queued.
    fn release(self, areas: &mut Vec<Arc<Block>>, print_areas: &mut Vec<Arc<Block>>) {
        self.blocks.iter().for_each(|block| block.release());
        // A record is written by a panic only, and after one the areas are thrown away.
        areas.extend(self.area);
        print_areas.extend(self.prints.map(Area::into_block));
    }
}

/// Queues a launch of `blocks` blocks.
///
/// # Errors
/// What [`Error`] says of `NotBuilt`, `Blocks`, `ForeignBuffer`, `Library`, `LibraryVersion` and `Contract`; the stream's
/// failure if it has one; [`Error::Vendor`] when it cannot be queued. Nothing is queued then.
pub fn launch(
    kernel: &'static KernelInfo,
    stream: &Stream<'_>,
    blocks: u32,
    args: Args,
) -> Result<(), Error> {
    let Args {
        mut slots,
        blocks: memory,
    } = args;
    if blocks == 0 || blocks > MOST_BLOCKS {
        return Err(Error::Blocks {
            kernel: kernel.name,
            blocks,
        });
    }
    if memory.iter().any(|block| block.live().id != stream.live.id) {
        return Err(Error::ForeignBuffer {
            kernel: kernel.name,
        });
    }
    if kernel.prints && stream.queue.borrow().printing() >= MOST_PRINTED {
        // Their lines are read, and their memory is used again.
        stream.synchronize()?;
    }
    let mut queue = stream.queue.borrow_mut();
    if let Some(error) = &queue.failed {
        return Err(error.clone());
    }
    stream.live.bind()?;
    let launcher = library::launcher(kernel, stream.live.api)?;
    let area = kernel
        .checked
        .then(|| stream.fault_area(&mut queue, kernel.instances(blocks)))
        .transpose()?;
    let prints = kernel
        .prints
        .then(|| {
            let bodies = kernel.bodies(blocks);
            Area::new(&stream.live, bodies, &mut queue.print_areas)
        })
        .transpose()?;
    let areas = area.iter().chain(prints.as_ref().map(Area::block));
    slots.extend(areas.map(|area| area.address().addr() as u64));
    memory.iter().for_each(|block| block.take(kernel.name));
    queue.launches.push(Launched {
        kernel,
        blocks: memory,
        area,
        prints,
    });
    // SAFETY: the contract says that the kernel takes these slots, and the queue keeps what they point to.
    match unsafe { launcher(blocks, stream.handle.0, slots.as_ptr(), slots.len() as u32) } {
        0 => Ok(()),
        code => {
            // It was not queued; what was queued before it may still run.
            let Queue {
                launches,
                areas,
                print_areas,
                ..
            } = &mut *queue;
            if let Some(launched) = launches.pop() {
                launched.release(areas, print_areas);
            }
            Err(stream.live.api.error("kernel launch", code))
        }
    }
}

impl Drop for Stream<'_> {
    fn drop(&mut self) {
        let waiting = {
            let queue = self.queue.borrow();
            queue.failed.is_none() && !queue.launches.is_empty()
        };
        if waiting && let Err(error) = self.synchronize() {
            tracing::error!(%error, "a stream was dropped before it was synchronised");
        }
        let failed = self.queue.borrow().failed.is_some();
        // A stream that failed is destroyed with the World.
        if !failed {
            self.live.streams().idle.push(self.handle);
        }
    }
}
