//! Init, finalize and identity.

use core::ffi::{c_char, c_int};
use core::time::Duration;
use std::net::{SocketAddr, TcpListener};
use std::os::fd::BorrowedFd;
use std::sync::Arc;
use std::time::Instant;

use rustix::io::{Errno, fcntl_dupfd_cloexec};
use rustix::net::getsockname;

use crate::abi::{
    ACLSHMEM_INNER_ERROR, ACLSHMEM_INVALID_PARAM, ACLSHMEM_INVALID_VALUE, ACLSHMEM_MAX_LOCAL_SIZE,
    ACLSHMEM_MAX_PES, ACLSHMEM_NOT_SUPPORTED, ACLSHMEM_PAGE_SIZE, ACLSHMEM_STATUS_IS_INITIALIZED,
    ACLSHMEM_STATUS_NOT_INITIALIZED, ACLSHMEM_TIMEOUT_ERROR, ACLSHMEMX_INIT_WITH_DEFAULT,
    SIGNAL_AREA_SIZE, SYNC_COUNTERS_SIZE, SYNC_POOL_SIZE, aclshmemx_bootstrap_t,
    aclshmemx_init_attr_t,
};
use crate::acl::require_device;
use crate::allocator::GRANULE;
use crate::bootstrap::{Address, Request, cancelled};
use crate::error::{self, Failure, Result, status};
use crate::job::{self, Job, Shape};
use crate::state::Areas;
use crate::stream;
use crate::sync::lock;

/// `aclshmemx_init_attr`: joins the job at `attr.ip_port`; returns when all PEs have. Only the default bootstrap and one
/// instance are there. On an error nothing is left behind.
///
/// # Safety
///
/// `attr` is null or valid; `attr.option_attr.sockFd`, if positive, is an open descriptor of the caller.
pub unsafe extern "C" fn aclshmemx_init_attr(
    flags: aclshmemx_bootstrap_t,
    attr: *mut aclshmemx_init_attr_t,
) -> c_int {
    // SAFETY: null or valid by the caller's promise.
    let attr = unsafe { attr.as_ref() };
    status("aclshmemx_init_attr", init(flags, attr))
}

fn init(flags: aclshmemx_bootstrap_t, attr: Option<&aclshmemx_init_attr_t>) -> Result<()> {
    let began = Instant::now();
    let _lock = job::lock_init();
    if job::is_initialized() {
        return Err(Failure::new(
            ACLSHMEM_INNER_ERROR,
            "SHMEM is initialised already; call aclshmem_finalize first",
        ));
    }
    require_device()?;
    let request = check(flags, attr, began)?;
    let timeout = request.init_timeout;
    let job = request.join()?;
    let areas = areas(&job)?;
    // Nobody goes on before everybody has mapped everything.
    job.barrier_unless(timeout, cancelled)?;
    job::enter(Arc::new(job), areas);
    Ok(())
}

fn check(
    flags: aclshmemx_bootstrap_t,
    attr: Option<&aclshmemx_init_attr_t>,
    began: Instant,
) -> Result<Request> {
    let attr = attr.ok_or_else(|| Failure::new(ACLSHMEM_INVALID_PARAM, "attr is null"))?;
    if flags != ACLSHMEMX_INIT_WITH_DEFAULT {
        let text = format!(
            "bootstrap {flags}: the simulator has only ACLSHMEMX_INIT_WITH_DEFAULT ({ACLSHMEMX_INIT_WITH_DEFAULT})"
        );
        return Err(Failure::new(ACLSHMEM_NOT_SUPPORTED, text));
    }
    if attr.instance_id != 0 {
        let text = format!(
            "instance_id is {}: the simulator has only instance 0",
            attr.instance_id
        );
        return Err(Failure::new(ACLSHMEM_NOT_SUPPORTED, text));
    }
    let (me, n_pes, size) = (attr.my_pe, attr.n_pes, attr.local_mem_size);
    let options = &attr.option_attr;
    let engines = options.data_op_engine_type;
    let wrong = if !(1..=ACLSHMEM_MAX_PES as i32).contains(&n_pes) {
        format!("n_pes is {n_pes}; a job has from 1 to {ACLSHMEM_MAX_PES} PEs")
    } else if !(0..n_pes).contains(&me) {
        format!(
            "my_pe is {me}; in a job of n_pes = {n_pes} it is from 0 to {}",
            n_pes - 1
        )
    } else if size == 0 || size > ACLSHMEM_MAX_LOCAL_SIZE {
        format!("local_mem_size is {size} bytes; it must be from 1 to {ACLSHMEM_MAX_LOCAL_SIZE}")
    } else if size % ACLSHMEM_PAGE_SIZE != 0 {
        format!("local_mem_size is {size} bytes; it must be a multiple of {ACLSHMEM_PAGE_SIZE}")
    } else if options.shm_init_timeout == 0 {
        "shm_init_timeout is 0; it is in seconds, from 1".into()
    } else if options.control_operation_timeout == 0 {
        "control_operation_timeout is 0; it is in seconds, from 1".into()
    } else if !(1..=15).contains(&engines) {
        format!("data_op_engine_type is {engines}; it is a mask from 1 to 15, and MTE is 1")
    } else {
        let text = address_text(&attr.ip_port)?;
        // A job of one PE meets nobody.
        let address = if n_pes == 1 && text.is_empty() {
            Address::parse("tcp://127.0.0.1:65535")?
        } else {
            Address::parse(&text)?
        };
        let seconds = |seconds: u32| Duration::from_secs(seconds.into());
        let listener = if me == 0 && options.sockFd > 0 {
            Some(listener(options.sockFd, &address)?)
        } else {
            None
        };
        return Ok(Request {
            me: me as usize,
            shape: Shape {
                n_pes: n_pes as usize,
                local_mem_size: size,
            },
            address,
            listener,
            init_timeout: seconds(options.shm_init_timeout),
            control_timeout: seconds(options.control_operation_timeout),
            began,
        });
    };
    Err(Failure::new(ACLSHMEM_INVALID_VALUE, wrong))
}

fn address_text(bytes: &[c_char; 64]) -> Result<String> {
    let bytes: Vec<u8> = bytes.iter().map(|&byte| byte as u8).collect();
    let Some(end) = bytes.iter().position(|&byte| byte == 0) else {
        return Err(Failure::new(
            ACLSHMEM_INVALID_PARAM,
            "ip_port does not end within its 64 bytes",
        ));
    };
    Ok(String::from_utf8_lossy(&bytes[..end]).into_owned())
}

/// A duplicate of the caller's socket, which holds the port for as long as the job lasts.
fn listener(descriptor: i32, address: &Address) -> Result<TcpListener> {
    let wrong =
        |why: String| Failure::new(ACLSHMEM_INVALID_PARAM, format!("sockFd {descriptor} {why}"));
    // SAFETY: the caller of init promises that it is open.
    let borrowed = unsafe { BorrowedFd::borrow_raw(descriptor) };
    let duplicate = fcntl_dupfd_cloexec(borrowed, 3).map_err(|errno| {
        wrong(match errno {
            Errno::BADF => "is not an open descriptor".into(),
            errno => format!("cannot be duplicated: {}", error::explain(errno)),
        })
    })?;
    let bound = getsockname(&duplicate)
        .and_then(SocketAddr::try_from)
        .map_err(|errno| wrong(format!("is not a socket bound to a TCP port: {errno}")))?;
    if bound.port() != address.socket.port() {
        return Err(wrong(format!(
            "is bound to port {} and ip_port says {}",
            bound.port(),
            address.text
        )));
    }
    Ok(TcpListener::from(duplicate))
}

/// What init allocates in the device heap, in the vendor's order, so that the first block of the user has the vendor's
/// offset. New memory is zero.
fn areas(job: &Job) -> Result<Areas> {
    let mut allocator = lock(&job.device().allocator);
    let mut area = |size: u64| {
        allocator
            .allocate(size as usize, GRANULE)
            .ok_or_else(|| Failure::new(ACLSHMEM_INNER_ERROR, "no room for the sync areas"))
    };
    Ok(Areas {
        signal: area(SIGNAL_AREA_SIZE)?,
        sync_pool: area(SYNC_POOL_SIZE)?,
        sync_counter: area(SYNC_COUNTERS_SIZE)?,
    })
}

/// `aclshmem_finalize`: waits for this process's streams and for all PEs, then gives everything back. The process may
/// init again afterwards, also after an error, which says that the job had ended before.
///
/// # Safety
///
/// Called by all PEs; nothing of the symmetric heap is used afterwards.
pub unsafe extern "C" fn aclshmem_finalize() -> c_int {
    status("aclshmem_finalize", finalize())
}

fn finalize() -> Result<()> {
    let _lock = job::lock_init();
    let job = job::current()?;
    // Kernels that still run may use the heap.
    let drained = stream::drain(Instant::now() + job.timeout);
    let met = job.barrier(job.timeout);
    job.mark_finalized();
    let timeout = job.timeout;
    drop(job);
    job::leave(!drained);
    met?;
    if drained {
        Ok(())
    } else {
        Err(Failure::new(
            ACLSHMEM_TIMEOUT_ERROR,
            format!(
                "a stream still runs after {} s; the symmetric heap stays mapped for it",
                timeout.as_secs()
            ),
        ))
    }
}

/// `aclshmemx_init_status`: 0 before init and after finalize, 2 between them.
///
/// # Safety
///
/// None; unsafe as all functions of the C API table are.
pub unsafe extern "C" fn aclshmemx_init_status() -> c_int {
    if job::is_initialized() {
        ACLSHMEM_STATUS_IS_INITIALIZED
    } else {
        ACLSHMEM_STATUS_NOT_INITIALIZED
    }
}

fn number(function: &str, of: impl FnOnce(&Job) -> usize) -> c_int {
    match job::current() {
        Ok(job) => of(&job) as c_int,
        Err(failure) => {
            error::record(failure.in_call(function));
            -1
        }
    }
}

/// `aclshmem_my_pe`: this PE; -1 before init.
///
/// # Safety
///
/// None; unsafe as all functions of the C API table are.
pub unsafe extern "C" fn aclshmem_my_pe() -> c_int {
    number("aclshmem_my_pe", |job| job.me)
}

/// `aclshmem_n_pes`: PEs of the job; -1 before init.
///
/// # Safety
///
/// None; unsafe as all functions of the C API table are.
pub unsafe extern "C" fn aclshmem_n_pes() -> c_int {
    number("aclshmem_n_pes", |job| job.shape.n_pes)
}

/// `aclshmem_info_get_version`: 1.1.
///
/// # Safety
///
/// Each of `major` and `minor` is null or writable.
pub unsafe extern "C" fn aclshmem_info_get_version(major: *mut c_int, minor: *mut c_int) {
    for place in [major, minor] {
        if !place.is_null() {
            // SAFETY: not null; the caller promises the rest.
            unsafe { place.write(1) };
        }
    }
}

/// `aclshmem_info_get_name`: "ACLSHMEM v1.1.1 (simulator)".
///
/// # Safety
///
/// `name` is null or has 256 bytes.
pub unsafe extern "C" fn aclshmem_info_get_name(name: *mut c_char) {
    let text = c"ACLSHMEM v1.1.1 (simulator)".to_bytes_with_nul();
    if !name.is_null() {
        // SAFETY: not null; the caller promises room for 256 bytes.
        unsafe { name.copy_from_nonoverlapping(text.as_ptr().cast(), text.len()) };
    }
}

/// `aclshmemx_set_conf_store_tls`: accepted and ignored; the rendezvous never leaves the machine.
///
/// # Safety
///
/// None; nothing is read.
pub unsafe extern "C" fn aclshmemx_set_conf_store_tls(
    enable: bool,
    info: *const c_char,
    length: u32,
) -> i32 {
    let _ = (enable, info, length);
    0
}
