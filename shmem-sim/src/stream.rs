//! Streams: queues of launches and barriers, each emptied in order by a thread of its own.

use core::ffi::c_void;
use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use core::time::Duration;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::{self, JoinHandle};
use std::time::Instant;

use crate::abi::{
    ACL_ERROR_RT_AICORE_EXCEPTION, ACL_ERROR_RT_AICORE_TIMEOUT, ACL_ERROR_RT_INVALID_HANDLE,
    ACL_ERROR_RT_MEMORY_ALLOCATION, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, ACLSHMEM_TIMEOUT_ERROR,
    aclrtStream,
};
use crate::cores::STACK;
use crate::error::{Failure, Result};
use crate::job::Job;
use crate::launch::Launch;
use crate::sync::{lock, wait, wait_for};

/// What a stream does next.
pub(crate) enum Task {
    Launch(Launch),
    /// `aclshmemx_barrier_all_on_stream`.
    Barrier(Arc<Job>),
}

impl Task {
    fn run(self) -> Result<()> {
        match self {
            Task::Launch(launch) => launch.run(),
            Task::Barrier(job) => job.barrier(job.timeout).map_err(|failure| {
                let code = if failure.code == ACLSHMEM_TIMEOUT_ERROR {
                    ACL_ERROR_RT_AICORE_TIMEOUT
                } else {
                    ACL_ERROR_RT_AICORE_EXCEPTION
                };
                Failure {
                    code,
                    text: format!("aclshmemx_barrier_all_on_stream: {}", failure.text),
                    ..failure
                }
            }),
        }
    }
}

#[derive(Default)]
struct Queue {
    tasks: VecDeque<Task>,
    /// A task has been taken and has not ended.
    running: bool,
    /// Why the stream stopped; what was queued after that is not run.
    error: Option<Failure>,
    closing: bool,
    worker: Option<JoinHandle<()>>,
}

/// A stream.
pub(crate) struct Stream {
    number: usize,
    queue: Mutex<Queue>,
    /// There is a task, or the stream closes.
    work: Condvar,
    /// Nothing is queued or running.
    idle: Condvar,
}

impl Stream {
    fn new(number: usize) -> Arc<Stream> {
        Arc::new(Stream {
            number,
            queue: Mutex::default(),
            work: Condvar::new(),
            idle: Condvar::new(),
        })
    }

    /// Queues a task. The worker starts with the first one, so a stream that is never used costs nothing.
    pub(crate) fn push(self: &Arc<Self>, task: Task) -> Result<()> {
        let mut queue = lock(&self.queue);
        if queue.worker.is_none() {
            let stream = self.clone();
            let worker = thread::Builder::new()
                .name(format!("shmem-stream-{}", self.number))
                .stack_size(STACK)
                .spawn(move || stream.work());
            let worker = worker.map_err(|error| {
                Failure::new(
                    ACL_ERROR_RT_MEMORY_ALLOCATION,
                    format!("cannot start the stream's thread: {error}"),
                )
            })?;
            queue.worker = Some(worker);
        }
        if queue.error.is_none() {
            queue.tasks.push_back(task);
            self.work.notify_one();
        }
        Ok(())
    }

    fn work(&self) {
        let mut queue = lock(&self.queue);
        loop {
            let Some(task) = queue.tasks.pop_front() else {
                queue.running = false;
                self.idle.notify_all();
                if queue.closing {
                    return;
                }
                queue = wait(&self.work, queue);
                continue;
            };
            queue.running = true;
            drop(queue);
            let result = task.run();
            queue = lock(&self.queue);
            if let Err(failure) = result {
                queue.error = Some(failure);
                queue.tasks.clear();
            }
        }
    }

    /// Waits until everything that was queued has ended; the stream's error if it has one. `None`: no limit.
    pub(crate) fn synchronize(&self, limit: Option<Duration>) -> Result<()> {
        let deadline = limit.and_then(|limit| Instant::now().checked_add(limit));
        let mut queue = lock(&self.queue);
        while queue.running || !queue.tasks.is_empty() {
            queue = match deadline {
                None => wait(&self.idle, queue),
                Some(deadline) => {
                    let left = deadline.saturating_duration_since(Instant::now());
                    if left.is_zero() {
                        return Err(Failure::new(
                            ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
                            format!(
                                "the stream still runs after {} ms",
                                limit.unwrap_or_default().as_millis()
                            ),
                        ));
                    }
                    wait_for(&self.idle, queue, left)
                }
            };
        }
        queue.error.clone().map_or(Ok(()), Err)
    }

    /// Whether nothing is queued or running; the stream's error if it has one.
    pub(crate) fn is_idle(&self) -> Result<bool> {
        let queue = lock(&self.queue);
        match &queue.error {
            Some(failure) => Err(failure.clone()),
            None => Ok(!queue.running && queue.tasks.is_empty()),
        }
    }

    /// Lets what is queued end, then the worker.
    fn close(&self) {
        let worker = {
            let mut queue = lock(&self.queue);
            queue.closing = true;
            self.work.notify_one();
            queue.worker.take()
        };
        if let Some(worker) = worker {
            // The worker does not panic, and if it did there would be nothing left to wait for.
            let _ = worker.join();
        }
    }
}

/// Streams by handle. A handle is a number that is never used again, so that a stale one is noticed.
static STREAMS: Mutex<BTreeMap<usize, Arc<Stream>>> = Mutex::new(BTreeMap::new());
static NEXT: AtomicUsize = AtomicUsize::new(1);

/// Handles look like addresses of different cache lines.
const HANDLE_STEP: usize = 64;
/// The handle of the default stream.
const DEFAULT: usize = 0;

/// A new stream's handle.
pub(crate) fn create() -> aclrtStream {
    let number = NEXT.fetch_add(1, Relaxed);
    let handle = number * HANDLE_STEP;
    lock(&STREAMS).insert(handle, Stream::new(number));
    core::ptr::without_provenance_mut::<c_void>(handle)
}

/// The stream of a handle; null is the default stream.
pub(crate) fn find(handle: aclrtStream) -> Result<Arc<Stream>> {
    let mut streams = lock(&STREAMS);
    match streams.get(&handle.addr()) {
        Some(stream) => Ok(stream.clone()),
        None if handle.addr() == DEFAULT => Ok(streams
            .entry(DEFAULT)
            .or_insert_with(|| Stream::new(0))
            .clone()),
        None => Err(unknown(handle)),
    }
}

/// Ends a stream after what is queued on it.
pub(crate) fn destroy(handle: aclrtStream) -> Result<()> {
    if handle.addr() == DEFAULT {
        return Err(Failure::new(
            ACL_ERROR_RT_INVALID_HANDLE,
            "the default stream (null) cannot be destroyed",
        ));
    }
    let stream = lock(&STREAMS).remove(&handle.addr());
    match stream {
        Some(stream) => {
            stream.close();
            Ok(())
        }
        None => Err(unknown(handle)),
    }
}

/// Waits until no stream runs anything; false if some still does at the deadline.
pub(crate) fn drain(deadline: Instant) -> bool {
    let streams: Vec<Arc<Stream>> = lock(&STREAMS).values().cloned().collect();
    streams.iter().all(|stream| {
        let left = deadline.saturating_duration_since(Instant::now());
        match stream.synchronize(Some(left)) {
            Err(failure) => failure.code != ACL_ERROR_RT_STREAM_SYNC_TIMEOUT,
            Ok(()) => true,
        }
    })
}

fn unknown(handle: aclrtStream) -> Failure {
    Failure::new(
        ACL_ERROR_RT_INVALID_HANDLE,
        format!("{handle:p} is not a stream of this process, or it was destroyed"),
    )
}
