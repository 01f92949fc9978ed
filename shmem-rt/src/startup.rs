//! The steps of joining and leaving a job, in the order of the vendor's samples, and how each is undone.

use core::ffi::{c_char, c_int, c_void};
use core::ptr;
use std::net::TcpListener;
use std::os::fd::AsRawFd;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use shmem_sim::abi::{
    ACL_ERROR_REPEAT_INITIALIZE, ACL_ERROR_RT_STREAM_SYNC_TIMEOUT, ACL_SUCCESS,
    ACLSHMEMX_INIT_WITH_DEFAULT, aclshmem_init_optional_attr_t, aclshmemx_init_attr_t,
};

use crate::api::{self, Api};
use crate::config::Job;
use crate::control::{CAUSE_PATIENCE, Control, Record};
use crate::live::{self, Handle, Live, Streams};
use crate::{Error, listen};

/// A bootstrap address for a job of one PE, which meets nobody there.
const ALONE: &str = "tcp://127.0.0.1:8998";
/// How often an init in progress looks at the control channel.
const WATCH_INTERVAL: Duration = Duration::from_millis(20);
/// How long leaving waits for a stream that nobody synchronised.
const STREAM_PATIENCE: Duration = Duration::from_secs(2);

/// Joins the job. On an error, everything is as before.
pub(crate) fn start(job: &Job) -> Result<Live, Error> {
    let (backend, api) = api::choose()?;
    let Meeting {
        control,
        bootstrap,
        socket,
    } = meet(job)?;
    let mut undo = Undo {
        api,
        acl: false,
        device: None,
        stream: None,
    };
    match start_backend(api, job, &control, &bootstrap, socket, &mut undo) {
        Ok(stream) => Ok(Live {
            id: live::next_id(),
            api,
            backend,
            pe: job.member.pe,
            n_pes: job.member.n_pes,
            device: job.device,
            local_mem_size: job.member.local_mem_size,
            owns_acl: undo.acl,
            control,
            streams: Mutex::new(Streams {
                all: vec![stream],
                idle: vec![stream],
            }),
            allocations: Mutex::new(0),
            bindings: AtomicU32::new(1),
        }),
        Err(own) => {
            // What is about another PE has a cause there, which will be told. What is not is the cause of the others.
            let patience = match api.last_error_pe() {
                Some(pe) if pe != job.member.pe => CAUSE_PATIENCE,
                _ => Duration::ZERO,
            };
            undo.run();
            let error = control.failure(patience).unwrap_or_else(|| {
                control.report(&own.to_string());
                own
            });
            control.close();
            Err(error)
        }
    }
}

/// All PEs know of each other.
struct Meeting {
    control: Control,
    /// Where the backend's own bootstrap meets.
    bootstrap: String,
    /// PE 0's socket there.
    socket: Option<TcpListener>,
}

fn meet(job: &Job) -> Result<Meeting, Error> {
    let member = &job.member;
    let Some(address) = &job.address else {
        let control = Control::alone(member.operation_timeout);
        return Ok(Meeting {
            control,
            bootstrap: ALONE.into(),
            socket: None,
        });
    };
    if member.pe == 0 {
        let listener = listen::at(address)?;
        let (socket, bootstrap) = listen::beside(&listener)?;
        let bootstrap = bootstrap.to_string();
        let control = Control::serve(member, listener, bootstrap.as_bytes())?;
        Ok(Meeting {
            control,
            bootstrap,
            socket: Some(socket),
        })
    } else {
        let (control, bootstrap) = Control::join(member, &address.address)?;
        Ok(Meeting {
            control,
            bootstrap: String::from_utf8_lossy(&bootstrap).into_owned(),
            socket: None,
        })
    }
}

fn start_backend(
    api: &'static Api,
    job: &Job,
    control: &Control,
    bootstrap: &str,
    socket: Option<TcpListener>,
    undo: &mut Undo,
) -> Result<Handle, Error> {
    // SAFETY: null is the default configuration.
    match unsafe { (api.aclInit)(ptr::null()) } {
        ACL_SUCCESS => undo.acl = true,
        // The program uses ACL itself: then it also ends it.
        ACL_ERROR_REPEAT_INITIALIZE => {}
        code => return Err(api.error("aclInit", code)),
    }
    // SAFETY: takes a number.
    api.check("aclrtSetDevice", unsafe {
        (api.aclrtSetDevice)(job.device)
    })?;
    undo.device = Some(job.device);
    let stream = create_stream(api)?;
    undo.stream = Some(stream);
    // SAFETY: without TLS there is no text.
    let code = unsafe { (api.aclshmemx_set_conf_store_tls)(false, ptr::null(), 0) };
    api.check("aclshmemx_set_conf_store_tls", code)?;
    let mut attributes = attributes(job, bootstrap, socket.as_ref());
    let code = watched(api, control, || {
        // SAFETY: the attributes are complete, and they and the socket live over the call.
        unsafe { (api.aclshmemx_init_attr)(ACLSHMEMX_INIT_WITH_DEFAULT, &mut attributes) }
    });
    api.check("aclshmemx_init_attr", code)?;
    Ok(stream)
}

/// Runs the backend's init, and ends it when the job fails meanwhile: it waits for the other PEs without a look at the
/// control channel, and one of them may never come to it.
fn watched(api: &Api, control: &Control, init: impl FnOnce() -> c_int) -> c_int {
    if control.is_alone() {
        return init();
    }
    let done = AtomicBool::new(false);
    let watch = || {
        while !done.load(Ordering::Acquire) {
            if control.failure(Duration::ZERO).is_some() {
                // SAFETY: it sets a mark.
                unsafe { (api.shmemx_cancel_init)() };
            }
            std::thread::park_timeout(WATCH_INTERVAL);
        }
    };
    std::thread::scope(|scope| {
        let watcher = std::thread::Builder::new()
            .name("shmem-init".into())
            .spawn_scoped(scope, watch);
        // Without the thread, init ends at its deadline.
        let code = init();
        done.store(true, Ordering::Release);
        if let Ok(watcher) = watcher {
            watcher.thread().unpark();
        }
        code
    })
}

pub(crate) fn create_stream(api: &Api) -> Result<Handle, Error> {
    let mut stream: *mut c_void = ptr::null_mut();
    // SAFETY: the result is written to `stream`.
    api.check("aclrtCreateStream", unsafe {
        (api.aclrtCreateStream)(&mut stream)
    })?;
    Ok(Handle(stream))
}

fn attributes(job: &Job, bootstrap: &str, socket: Option<&TcpListener>) -> aclshmemx_init_attr_t {
    let member = &job.member;
    let mut ip_port = [0; 64];
    // One byte stays for the end of the text; an address of digits is never that long.
    for (to, from) in ip_port[..63].iter_mut().zip(bootstrap.bytes()) {
        *to = from as c_char;
    }
    let seconds = |timeout: Duration| timeout.as_millis().div_ceil(1000) as u32;
    aclshmemx_init_attr_t {
        my_pe: member.pe,
        n_pes: member.n_pes,
        ip_port,
        local_mem_size: member.local_mem_size,
        option_attr: aclshmem_init_optional_attr_t {
            version: (1 << 16) + size_of::<aclshmem_init_optional_attr_t>() as c_int,
            data_op_engine_type: 1,
            shm_init_timeout: seconds(member.init_timeout),
            shm_create_timeout: seconds(member.init_timeout),
            control_operation_timeout: seconds(member.operation_timeout),
            // The simulator takes a duplicate.
            sockFd: socket.map_or(-1, AsRawFd::as_raw_fd),
        },
        comm_args: ptr::null_mut(),
        instance_id: 0,
    }
}

/// What a failed start has to take back.
struct Undo {
    api: &'static Api,
    acl: bool,
    device: Option<i32>,
    stream: Option<Handle>,
}

impl Undo {
    fn run(self) {
        let api = self.api;
        if let Some(Handle(stream)) = self.stream {
            // SAFETY: it was created just now and nothing was launched on it.
            log(api, "aclrtDestroyStream", unsafe {
                (api.aclrtDestroyStream)(stream)
            });
        }
        if let Some(device) = self.device {
            // SAFETY: takes a number.
            log(api, "aclrtResetDevice", unsafe {
                (api.aclrtResetDevice)(device)
            });
        }
        if self.acl {
            // SAFETY: `aclInit` succeeded.
            log(api, "aclFinalize", unsafe { (api.aclFinalize)() });
        }
    }
}

/// A PE that left alone and whose backend still waits for the others, in a thread of its own.
static LEAVING: Mutex<Option<JoinHandle<()>>> = Mutex::new(None);

/// Leaves together with all PEs.
pub(crate) fn finish(live: Arc<Live>, record: Record) -> Result<(), Error> {
    let together = live.bind().and_then(|()| {
        drain(&live);
        live.control.collective(record)
    });
    if let Err(error) = together {
        abandon(live);
        return Err(error);
    }
    // SAFETY: SHMEM is initialised, and all PEs call this.
    let code = unsafe { (live.api.aclshmem_finalize)() };
    let result = live.api.check("aclshmem_finalize", code);
    release(&live);
    live.control.close();
    result
}

/// Leaves alone, and returns at once. `aclshmem_finalize` is collective: the others come to it when they have heard,
/// and until then a thread waits for them, as it does for a stream that was forgotten or has failed.
pub(crate) fn abandon(live: Arc<Live>) {
    live.control.leave();
    let streams = live.streams();
    let waits = live.n_pes > 1 || streams.all.len() > streams.idle.len();
    drop(streams);
    let leave = move || {
        if let Err(error) = live.bind() {
            tracing::warn!(%error, "leaving the job");
            return;
        }
        drain(&live);
        // SAFETY: SHMEM is initialised. That the others do not come is an error of the call and nothing worse.
        log(live.api, "aclshmem_finalize", unsafe {
            (live.api.aclshmem_finalize)()
        });
        release(&live);
    };
    if !waits {
        return leave();
    }
    match std::thread::Builder::new()
        .name("shmem-leave".into())
        .spawn(leave)
    {
        Ok(thread) => *LEAVING.lock().unwrap_or_else(PoisonError::into_inner) = Some(thread),
        Err(error) => tracing::warn!(%error, "leaving the job"),
    }
}

/// Waits until the World before is gone altogether.
pub(crate) fn wait_until_left(patience: Duration) -> Result<(), Error> {
    let mut leaving = LEAVING.lock().unwrap_or_else(PoisonError::into_inner);
    let deadline = Instant::now() + patience;
    while let Some(thread) = leaving.take() {
        if thread.is_finished() {
            let _ = thread.join();
        } else if Instant::now() >= deadline {
            *leaving = Some(thread);
            return Err(Error::StillLeaving { waited: patience });
        } else {
            *leaving = Some(thread);
            std::thread::sleep(Duration::from_millis(1));
        }
    }
    Ok(())
}

/// Waits for streams that were forgotten: what they run uses memory that goes away. One that does not end is left to
/// itself.
fn drain(live: &Live) {
    let mut streams = live.streams();
    let Streams { all, idle } = &mut *streams;
    all.retain(|stream| {
        if idle.contains(stream) {
            return true;
        }
        let patience = STREAM_PATIENCE.as_millis() as i32;
        // SAFETY: `all` has the streams that are not destroyed yet.
        let code = unsafe { (live.api.aclrtSynchronizeStreamWithTimeout)(stream.0, patience) };
        let ended = code != ACL_ERROR_RT_STREAM_SYNC_TIMEOUT;
        if !ended {
            log(live.api, "aclrtSynchronizeStreamWithTimeout", code);
        }
        ended
    });
}

fn release(live: &Live) {
    let api = live.api;
    let streams = std::mem::take(&mut *live.streams());
    for Handle(stream) in streams.all {
        // SAFETY: it is not destroyed yet and no `Stream` has it any more.
        log(api, "aclrtDestroyStream", unsafe {
            (api.aclrtDestroyStream)(stream)
        });
    }
    for _ in 0..live.bindings.swap(0, Ordering::Relaxed) {
        // SAFETY: takes a number.
        log(api, "aclrtResetDevice", unsafe {
            (api.aclrtResetDevice)(live.device)
        });
    }
    if live.owns_acl {
        // SAFETY: no call of ACL follows before the next init.
        log(api, "aclFinalize", unsafe { (api.aclFinalize)() });
    }
}

/// A step of leaving that failed changes nothing for the caller.
fn log(api: &Api, call: &'static str, code: c_int) {
    if let Err(error) = api.check(call, code) {
        tracing::warn!(%error, "leaving the job");
    }
}
