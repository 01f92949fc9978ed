//! The PEs other than 0: find PE 0, say who one is, take the job's memory.

use core::mem::MaybeUninit;
use core::time::Duration;
use std::io::IoSliceMut;
use std::os::fd::OwnedFd;
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::sockopt::socket_peercred;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendFlags, SocketFlags,
    SocketType, connect, recvmsg, send, socket_with,
};
use rustix::process::geteuid;

use super::message::{Hello, REPLY_SIZE, Reply, VERSION, job_id};
use super::{Request, SLICE, cancelled};
use crate::abi::{ACLSHMEM_BOOTSTRAP_ERROR, ACLSHMEM_TIMEOUT_ERROR};
use crate::error::{Failure, Result, explain};
use crate::job::{Files, Job};

/// PE 0 began to wait a little later than this PE, perhaps, and its answer says more than "no answer".
const GRACE: Duration = Duration::from_millis(400);

pub(super) fn join(request: Request) -> Result<Job> {
    let socket = find_pe_0(&request)?;
    let hello = Hello {
        version: VERSION,
        pe: request.me as i32,
        n_pes: request.shape.n_pes as i32,
        pid: std::process::id(),
        local_mem_size: request.shape.local_mem_size,
        job: job_id(),
    };
    // PE 0 may be gone by now; the answer, or its absence, is what counts.
    let _ = send(&socket, &hello.to_bytes(), SendFlags::NOSIGNAL);
    let (bases, files) = answer(&request, &socket)?;
    let mut job = Job::map(
        request.me,
        request.shape,
        &files,
        Some(bases),
        request.control_timeout,
    )?;
    job.watch_peers();
    Ok(job)
}

/// A connection to PE 0, which may start later than this PE.
fn find_pe_0(request: &Request) -> Result<OwnedFd> {
    let name = request
        .address
        .rendezvous()
        .map_err(|e| broken(request, e))?;
    let mut attempt = 0;
    let mut pause = Duration::from_micros(50);
    loop {
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let socket = socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)
            .map_err(|errno| broken(request, errno))?;
        // Whoever else may sit on the name is not PE 0.
        if connect(&socket, &name).is_ok()
            && socket_peercred(&socket).is_ok_and(|peer| peer.uid == geteuid())
        {
            return Ok(socket);
        }
        cancelled()?;
        let waited = request.began.elapsed();
        if waited >= request.init_timeout {
            return Err(Failure::new(
                ACLSHMEM_TIMEOUT_ERROR,
                format!(
                    "PE {} found no PE 0 at {} within {:.1} s (shm_init_timeout)",
                    request.me,
                    request.address.text,
                    waited.as_secs_f64()
                ),
            )
            .about(0));
        }
        attempt += 1;
        if attempt < 4 {
            std::thread::yield_now();
        } else {
            std::thread::sleep(pause);
            let longest = if waited < Duration::from_secs(1) {
                2
            } else {
                10
            };
            pause = (pause * 2).min(Duration::from_millis(longest));
        }
    }
}

/// Waits for PE 0's answer.
fn answer(request: &Request, socket: &OwnedFd) -> Result<([u64; 2], Files)> {
    let deadline = request.deadline() + GRACE;
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        let Ok(timeout) = Timespec::try_from(left.min(SLICE)) else {
            return Err(broken(request, Errno::INVAL));
        };
        cancelled()?;
        match poll(&mut [PollFd::new(socket, PollFlags::IN)], Some(&timeout)) {
            Ok(0) if left.is_zero() => {
                return Err(Failure::new(
                    ACLSHMEM_TIMEOUT_ERROR,
                    format!(
                        "PE 0 at {} did not answer PE {} within {:.1} s (shm_init_timeout)",
                        request.address.text,
                        request.me,
                        request.began.elapsed().as_secs_f64()
                    ),
                )
                .about(0));
            }
            Ok(0) | Err(Errno::INTR) => {}
            Ok(_) => break,
            Err(errno) => return Err(broken(request, errno)),
        }
    }
    let mut bytes = [0; REPLY_SIZE];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = RecvAncillaryBuffer::new(&mut space);
    let received = recvmsg(
        socket,
        &mut [IoSliceMut::new(&mut bytes)],
        &mut control,
        RecvFlags::CMSG_CLOEXEC,
    );
    let mut files: Vec<OwnedFd> = Vec::new();
    for message in control.drain() {
        if let RecvAncillaryMessage::ScmRights(rights) = message {
            files.extend(rights);
        }
    }
    let length = received.map_or(0, |message| message.bytes);
    let files = <[OwnedFd; 3]>::try_from(files);
    match (Reply::from_bytes(&bytes[..length]), files) {
        (Some(Reply::Go(bases)), Ok([control, device, host])) => Ok((
            bases,
            Files {
                control,
                device,
                host,
            },
        )),
        (Some(Reply::Go(_)), Err(_)) => Err(Failure::new(
            ACLSHMEM_BOOTSTRAP_ERROR,
            format!(
                "PE {} has no descriptors free for the job's memory; raise `ulimit -n`",
                request.me
            ),
        )
        .about(request.me as i32)),
        (Some(Reply::Stop(failure)), _) => Err(failure),
        _ => Err(Failure::new(
            ACLSHMEM_BOOTSTRAP_ERROR,
            format!(
                "PE 0 at {} ended, or gave up, while PE {} waited for its answer",
                request.address.text, request.me
            ),
        )
        .about(0)),
    }
}

fn broken(request: &Request, errno: Errno) -> Failure {
    Failure::new(
        ACLSHMEM_BOOTSTRAP_ERROR,
        format!(
            "PE {} cannot talk to PE 0 at {}: {}",
            request.me,
            request.address.text,
            explain(errno)
        ),
    )
}
