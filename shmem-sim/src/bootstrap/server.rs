//! PE 0: waits until all PEs are there, checks that they agree, and answers all of them the same.

use core::mem::MaybeUninit;
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::time::Duration;
use std::io::IoSlice;
use std::net::TcpListener;
use std::os::fd::{AsFd, OwnedFd};
use std::time::Instant;

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::net::sockopt::socket_peercred;
use rustix::net::{
    AddressFamily, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage, SendFlags, SocketFlags,
    SocketType, accept_with, bind, listen, recv, sendmsg, socket_with,
};
use rustix::process::geteuid;

use super::message::{HELLO_SIZE, Hello, Reply, VERSION, job_id};
use super::{Request, SLICE, cancelled};
use crate::abi::{ACLSHMEM_BOOTSTRAP_ERROR, ACLSHMEM_INVALID_VALUE, ACLSHMEM_TIMEOUT_ERROR};
use crate::error::{Failure, Result, explain};
use crate::job::{Files, JOINED, Job, pe_list};

/// How long a connection may stay silent.
const SILENCE: Duration = Duration::from_secs(2);
/// After a disagreement: how long PEs that are still on their way are waited for, to be told as well.
const AFTERMATH: Duration = Duration::from_secs(3);

/// The job of one PE: there is nobody to meet, so no address is needed.
pub(super) fn alone(request: Request) -> Result<Job> {
    let files = Files::create(request.shape)?;
    let mut job = Job::map(0, request.shape, &files, None, request.control_timeout)?;
    job.control.slot(0).status.store(JOINED, SeqCst);
    job.keep(request.listener);
    Ok(job)
}

pub(super) fn host(mut request: Request) -> Result<Job> {
    let guard = match request.listener.take() {
        Some(listener) => listener,
        None => request.address.bind()?,
    };
    let door = open_door(&request)?;
    // Made while the others are on their way. A failure is theirs as well.
    let made = Files::create(request.shape).and_then(|files| {
        Job::map(0, request.shape, &files, None, request.control_timeout).map(|job| (job, files))
    });
    let mut lobby = Lobby::new(&request, made.as_ref().err().cloned());
    lobby.gather(&door);
    drop(door);
    match (lobby.verdict(), made) {
        (None, Ok((job, files))) => lobby.start(job, &files, guard),
        (Some(failure), _) | (None, Err(failure)) => {
            lobby.stop(&failure);
            Err(failure)
        }
    }
}

/// The listening socket. Its name is free, because the port is ours, but for the moment in which a child of the last
/// holder has not reached exec.
fn open_door(request: &Request) -> Result<OwnedFd> {
    let open = || {
        let flags = SocketFlags::CLOEXEC | SocketFlags::NONBLOCK;
        let socket = socket_with(AddressFamily::UNIX, SocketType::SEQPACKET, flags, None)?;
        bind(&socket, &request.address.rendezvous()?)?;
        listen(&socket, 4096)?;
        Ok(socket)
    };
    loop {
        cancelled()?;
        match open() {
            Ok(socket) => return Ok(socket),
            Err(Errno::ADDRINUSE) if Instant::now() < request.deadline() => {
                std::thread::sleep(Duration::from_millis(1));
            }
            Err(errno) => {
                return Err(Failure::new(
                    ACLSHMEM_BOOTSTRAP_ERROR,
                    format!(
                        "PE 0 cannot open the rendezvous of {}: {}",
                        request.address.text,
                        explain(errno)
                    ),
                )
                .about(0));
            }
        }
    }
}

/// A process that has connected.
struct Guest {
    socket: OwnedFd,
    came: Instant,
    /// Its process id as this process sees it.
    pid: i32,
    hello: Option<Hello>,
}

/// Who is there so far.
struct Lobby<'a> {
    request: &'a Request,
    job: u64,
    guests: Vec<Guest>,
    /// The first thing that is wrong, and when it was found.
    wrong: Option<(Failure, Instant)>,
}

impl<'a> Lobby<'a> {
    fn new(request: &'a Request, wrong: Option<Failure>) -> Self {
        Lobby {
            request,
            job: job_id(),
            guests: Vec::new(),
            wrong: wrong.map(|failure| (failure, Instant::now())),
        }
    }

    fn expected(&self) -> usize {
        self.request.shape.n_pes - 1
    }

    fn known(&self) -> impl Iterator<Item = &Hello> {
        self.guests.iter().filter_map(|guest| guest.hello.as_ref())
    }

    /// Lets processes in until as many have introduced themselves as there are other PEs, or time is up.
    fn gather(&mut self, door: &OwnedFd) {
        while self.known().count() < self.expected() {
            let now = Instant::now();
            let mut until = self.request.deadline();
            if let Some((_, found)) = &self.wrong {
                until = until.min(*found + AFTERMATH);
            }
            if now >= until {
                return;
            }
            if let Err(failure) = cancelled() {
                return self.note(failure);
            }
            self.guests
                .retain(|guest| guest.hello.is_some() || now < guest.came + SILENCE);
            let next = self
                .guests
                .iter()
                .filter(|guest| guest.hello.is_none())
                .map(|guest| guest.came + SILENCE)
                .fold(until, Instant::min);
            let left = next.saturating_duration_since(now).min(SLICE);
            let Ok(timeout) = Timespec::try_from(left) else {
                return;
            };
            let mut fds = vec![PollFd::new(door, PollFlags::IN)];
            fds.extend(
                self.guests
                    .iter()
                    .map(|guest| PollFd::new(&guest.socket, PollFlags::IN)),
            );
            if poll(&mut fds, Some(&timeout)).is_err() {
                continue;
            }
            let ready: Vec<bool> = fds.iter().map(|fd| !fd.revents().is_empty()).collect();
            drop(fds);
            for index in (0..self.guests.len()).rev() {
                if ready[index + 1] {
                    self.hear(index);
                }
            }
            if ready[0] && !self.admit(door) {
                return;
            }
        }
    }

    /// Takes the connections that wait at the door; strangers are shown out. False: no more can be taken.
    fn admit(&mut self, door: &OwnedFd) -> bool {
        let mut first = true;
        loop {
            let socket = match accept_with(door, SocketFlags::CLOEXEC | SocketFlags::NONBLOCK) {
                Ok(socket) => socket,
                // Beyond the first, which was announced, the system says so also when nobody is there.
                Err(errno @ (Errno::MFILE | Errno::NFILE)) if first => {
                    let text = format!("PE 0 cannot accept all other PEs: {}", explain(errno));
                    self.note(Failure::new(ACLSHMEM_BOOTSTRAP_ERROR, text).about(0));
                    return false;
                }
                Err(_) => return true,
            };
            first = false;
            if let Ok(peer) = socket_peercred(&socket)
                && peer.uid == geteuid()
            {
                self.guests.push(Guest {
                    socket,
                    came: Instant::now(),
                    pid: peer.pid.as_raw_pid(),
                    hello: None,
                });
            }
        }
    }

    /// Reads what a guest says. Who says something else than a hello is dropped; who leaves after it ends the job.
    fn hear(&mut self, index: usize) {
        let mut bytes = [0; HELLO_SIZE + 1];
        let length = match recv(&self.guests[index].socket, &mut bytes, RecvFlags::empty()) {
            Ok((_, length)) => length.min(bytes.len()),
            Err(Errno::AGAIN | Errno::INTR) => return,
            Err(_) => 0,
        };
        if let Some(hello) = self.guests[index].hello {
            if length == 0 {
                self.guests.swap_remove(index);
                let text = format!(
                    "PE {} died, or gave up, while the job at {} was starting",
                    hello.pe, self.request.address.text
                );
                self.note(Failure::new(ACLSHMEM_BOOTSTRAP_ERROR, text).about(hello.pe));
            }
            return;
        }
        match Hello::from_bytes(&bytes[..length]) {
            Some(hello) if self.job != 0 && hello.job != 0 && hello.job != self.job => {
                let text = format!(
                    "PE {} belongs to another job than PE 0 at {} (SHMEM_JOB_SECRET differs)",
                    hello.pe, self.request.address.text
                );
                let failure = Failure::new(ACLSHMEM_BOOTSTRAP_ERROR, text).about(hello.pe);
                answer(&self.guests[index].socket, &Reply::Stop(failure), None);
                self.guests.swap_remove(index);
            }
            Some(hello) => {
                if let Some(failure) = self.disagreement(&hello) {
                    self.note(failure.about(hello.pe));
                }
                self.guests[index].hello = Some(hello);
            }
            None => {
                self.guests.swap_remove(index);
            }
        }
    }

    /// Why a PE cannot be in this job.
    fn disagreement(&self, hello: &Hello) -> Option<Failure> {
        let shape = self.request.shape;
        let pe = hello.pe;
        let text = if hello.version != VERSION {
            format!(
                "PE {pe} has version {} of the simulator's protocol and PE 0 has version {VERSION}; build all PEs \
                 from the same version of shmem-sim",
                hello.version
            )
        } else if hello.n_pes != shape.n_pes as i32 {
            format!(
                "PE {pe} was told that the job has {} PEs and PE 0 that it has {}",
                hello.n_pes, shape.n_pes
            )
        } else if hello.local_mem_size != shape.local_mem_size {
            format!(
                "PE {pe} asked for a symmetric heap of {} bytes and PE 0 for {} bytes; local_mem_size must be the \
                 same on every PE",
                hello.local_mem_size, shape.local_mem_size
            )
        } else if let Some(other) = self
            .guests
            .iter()
            .find(|guest| guest.hello.is_some_and(|hello| hello.pe == pe))
        {
            format!(
                "two processes claim to be PE {pe}: {} and {}",
                other.pid, hello.pid
            )
        } else {
            return None;
        };
        Some(Failure::new(ACLSHMEM_INVALID_VALUE, text))
    }

    fn note(&mut self, failure: Failure) {
        if self.wrong.is_none() {
            self.wrong = Some((failure, Instant::now()));
        }
    }

    /// Why there is no job; `None` if there is one.
    fn verdict(&self) -> Option<Failure> {
        if let Some((failure, _)) = &self.wrong {
            return Some(failure.clone());
        }
        let absent: Vec<usize> = (1..self.request.shape.n_pes)
            .filter(|&pe| self.known().all(|hello| hello.pe != pe as i32))
            .collect();
        let first = *absent.first()?;
        let text = format!(
            "{} did not come to PE 0 at {} within {:.1} s (shm_init_timeout)",
            pe_list(&absent),
            self.request.address.text,
            self.request.began.elapsed().as_secs_f64()
        );
        Some(Failure::new(ACLSHMEM_TIMEOUT_ERROR, text).about(first as i32))
    }

    /// Tells everyone who is there that there is no job.
    fn stop(&self, failure: &Failure) {
        for guest in &self.guests {
            answer(&guest.socket, &Reply::Stop(failure.clone()), None);
        }
    }

    /// Hands the job's memory to everyone.
    fn start(&self, mut job: Job, files: &Files, guard: TcpListener) -> Result<Job> {
        // Process ids mean the same to all only if all live in one pid namespace.
        let comparable = self.guests.iter().all(|guest| {
            guest
                .hello
                .is_none_or(|hello| hello.pid as i32 == guest.pid)
        });
        let describe = |pe: usize, pid: u32| {
            let slot = job.control.slot(pe);
            slot.pid.store(if comparable { pid } else { 0 }, Relaxed);
            slot.status.store(JOINED, SeqCst);
        };
        describe(0, std::process::id());
        for hello in self.known() {
            describe(hello.pe as usize, hello.pid);
        }
        let go = Reply::Go(job.bases());
        for guest in &self.guests {
            if let Some(hello) = guest.hello
                && !answer(&guest.socket, &go, Some(files))
            {
                let text = format!("PE {} died while the job was starting", hello.pe);
                job.control
                    .fail(&Failure::new(ACLSHMEM_BOOTSTRAP_ERROR, text).about(hello.pe));
            }
        }
        job.watch_peers();
        job.keep(Some(guard));
        Ok(job)
    }
}

/// Sends an answer; false if it did not go out.
fn answer(socket: &OwnedFd, reply: &Reply, files: Option<&Files>) -> bool {
    let bytes = reply.to_bytes();
    let fds = files.map(|files| [&files.control, &files.device, &files.host].map(AsFd::as_fd));
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(3))];
    let mut control = SendAncillaryBuffer::new(&mut space);
    if let Some(fds) = &fds {
        control.push(SendAncillaryMessage::ScmRights(fds));
    }
    let sent = sendmsg(
        socket,
        &[IoSlice::new(&bytes)],
        &mut control,
        SendFlags::NOSIGNAL,
    );
    sent.is_ok()
}
