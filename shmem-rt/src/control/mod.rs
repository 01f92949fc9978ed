//! The job's own control channel: a star with PE 0 in the middle, on every backend.
//!
//! The vendor's collectives carry no call sites, compare no sizes and can wait for ever. Each collective of this
//! runtime passes here first: it succeeds on all PEs or fails on all with the same words.

mod connect;
mod failure;
mod message;
mod server;
mod wire;

use std::io;
use std::net::TcpListener;
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

pub(crate) use message::{Kind, Record};

use self::failure::Failure;
use self::message::{Hello, PROTOCOL, Request, Response};
use self::server::Server;
use self::wire::{Wire, frame, send_all};
use crate::Error;
use crate::address::Address;

/// How much longer than the service a PE waits for it: only a stopped PE 0 is silent that long.
const GRACE: Duration = Duration::from_secs(5);
/// How long a failure of one's own waits for its cause to be told by the service.
pub(crate) const CAUSE_PATIENCE: Duration = Duration::from_millis(200);

/// How long a report waits for the service to pass it on.
const REPORT_PATIENCE: Duration = Duration::from_millis(200);

/// What a PE says of itself at init.
#[derive(Clone, Debug)]
pub(crate) struct Member {
    pub(crate) pe: i32,
    pub(crate) n_pes: i32,
    pub(crate) local_mem_size: u64,
    pub(crate) secret: [u8; 16],
    pub(crate) init_timeout: Duration,
    pub(crate) operation_timeout: Duration,
}

/// This PE's end of the channel. A job of one PE has none: everything succeeds at once.
#[derive(Debug)]
pub(crate) struct Control {
    link: Option<Link>,
    operation_timeout: Duration,
    /// Held over a whole collective: calls of several threads pass one after the other.
    state: Mutex<State>,
}

#[derive(Debug)]
struct Link {
    /// The wire's socket; locked while a message is sent.
    sender: Mutex<Arc<OwnedFd>>,
    /// PE 0 only.
    service: Mutex<Option<JoinHandle<()>>>,
}

#[derive(Debug, Default)]
struct State {
    sequence: u64,
    wire: Option<Wire>,
    failure: Option<Error>,
}

impl Control {
    /// A job of one PE.
    pub(crate) fn alone(operation_timeout: Duration) -> Self {
        Self {
            link: None,
            operation_timeout,
            state: Mutex::default(),
        }
    }

    /// Whether there is no other PE.
    pub(crate) fn is_alone(&self) -> bool {
        self.link.is_none()
    }

    /// PE 0: serves the job on `listener`, waits for all PEs and hands them `payload`.
    pub(crate) fn serve(
        member: &Member,
        listener: TcpListener,
        payload: &[u8],
    ) -> Result<Self, Error> {
        let hello = member.hello(payload);
        let io = |doing: &'static str| move |e: io::Error| Error::io(doing, e);
        let (own, service) =
            UnixStream::pair().map_err(io("creating PE 0's own control connection"))?;
        let server = Server::new(listener, service.into(), hello.clone())
            .map_err(io("preparing the control service"))?;
        let thread = std::thread::Builder::new()
            .name("shmem-control".into())
            .spawn(|| server.serve())
            .map_err(io("starting the control service"))?;
        let deadline = Instant::now() + member.init_timeout;
        let wire = Wire::new(own.into()).map_err(io("creating PE 0's own control connection"))?;
        let wire =
            connect::introduce(wire, &hello, deadline).map_err(|e| e.into_error("PE 0 itself"))?;
        Self::open(member, wire, Some(thread), deadline).map(|(control, _)| control)
    }

    /// Any other PE: reaches PE 0 at `address`; also what PE 0 hands to all.
    pub(crate) fn join(member: &Member, address: &Address) -> Result<(Self, Vec<u8>), Error> {
        let deadline = Instant::now() + member.init_timeout;
        let wire = connect::reach(address, &member.hello(&[]), member.init_timeout, deadline)?;
        Self::open(member, wire, None, deadline)
    }

    /// Waits until all PEs are there.
    fn open(
        member: &Member,
        wire: Wire,
        thread: Option<JoinHandle<()>>,
        deadline: Instant,
    ) -> Result<(Self, Vec<u8>), Error> {
        let control = Self {
            link: Some(Link {
                sender: Mutex::new(wire.socket().clone()),
                service: Mutex::new(thread),
            }),
            operation_timeout: member.operation_timeout,
            state: Mutex::new(State {
                sequence: 0,
                wire: Some(wire),
                failure: None,
            }),
        };
        let mut state = control.lock();
        let result = state.answer(deadline + GRACE, "init", member.init_timeout);
        drop(state);
        match result {
            Ok((payload, _)) => Ok((control, payload)),
            Err(error) => {
                control.close();
                Err(error)
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        // A panic in another thread leaves at worst an unanswered call, which the next one reports.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes part in a collective: it is done by all PEs, or by none.
    ///
    /// The inner error is the text of the first PE that refused.
    pub(crate) fn collective(
        &self,
        mut record: Record,
    ) -> Result<Result<(), (i32, String)>, Error> {
        let mut state = self.lock();
        if let Some(error) = &state.failure {
            return Err(error.clone());
        }
        state.sequence += 1;
        record.sequence = state.sequence;
        record.patience_ms = self.operation_timeout.as_millis() as u64;
        let Some(link) = &self.link else {
            return Ok(record.refused.map_or(Ok(()), |text| Err((0, text))));
        };
        let call = record.describe();
        let deadline = Instant::now() + self.operation_timeout + GRACE;
        // A failed send has a cause that waits to be read.
        let _ = link.send(&Request::Collective(record), deadline);
        let (_, refused) = state.answer(deadline, &call, self.operation_timeout)?;
        Ok(refused.map_or(Ok(()), Err))
    }

    /// The failure of the job, if it is known within `patience`.
    pub(crate) fn failure(&self, patience: Duration) -> Option<Error> {
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(state)) => state.into_inner(),
            // Another thread is in a collective and will see it.
            Err(TryLockError::WouldBlock) => return None,
        };
        if state.failure.is_none() {
            let wire = state.wire.as_mut()?;
            match wire.receive(Instant::now() + patience) {
                Ok(bytes) => {
                    if let Some(Response::Failed(failure)) = Response::decode(&bytes) {
                        state.failure = Some(failure.into());
                    }
                }
                Err(e) if e.kind() == io::ErrorKind::TimedOut => {}
                Err(_) => state.failure = Some(Failure::PeerDied { pe: 0 }.into()),
            }
        }
        state.failure.clone()
    }

    /// Tells all PEs that this one has failed. The first failure of a job counts.
    ///
    /// Returns when they have been told, or after a moment: the caller may end its process next, and on PE 0 the
    /// service ends with it.
    pub(crate) fn report(&self, message: &str) {
        let Some(link) = &self.link else { return };
        let deadline = Instant::now() + REPORT_PATIENCE;
        if link
            .send(&Request::Failed(message.into()), deadline)
            .is_err()
        {
            return;
        }
        loop {
            let left = deadline.saturating_duration_since(Instant::now());
            if self.failure(left).is_some() || left.is_zero() {
                return;
            }
            // Another thread is in a collective, and hears of it there.
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// Goes without finalize; the others are told.
    pub(crate) fn leave(&self) {
        if let Some(link) = &self.link {
            let _ = link.send(&Request::Leave, Instant::now() + CAUSE_PATIENCE);
        }
        self.close();
    }

    /// Closes the connection and waits, at most a moment, for the service's last words.
    pub(crate) fn close(&self) {
        let Some(link) = &self.link else { return };
        self.lock().wire = None;
        let sender = link.sender.lock().unwrap_or_else(PoisonError::into_inner);
        let _ = rustix::net::shutdown(&*sender, rustix::net::Shutdown::Both);
        drop(sender);
        let service = link
            .service
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .take();
        if let Some(service) = service {
            let _ = service.join();
        }
    }
}

impl Link {
    fn send(&self, request: &Request, deadline: Instant) -> io::Result<()> {
        let sender = self.sender.lock().unwrap_or_else(PoisonError::into_inner);
        send_all(&*sender, &frame(&request.encode()), deadline)
    }
}

type Answer = (Vec<u8>, Option<(i32, String)>);

impl State {
    /// The answer to the collective that `self.sequence` counts.
    fn answer(
        &mut self,
        deadline: Instant,
        call: &str,
        patience: Duration,
    ) -> Result<Answer, Error> {
        let result = self.receive(deadline, call, patience);
        if let Err(error) = &result {
            self.failure = Some(error.clone());
        }
        result
    }

    fn receive(
        &mut self,
        deadline: Instant,
        call: &str,
        patience: Duration,
    ) -> Result<Answer, Error> {
        let gone = || Error::PeerDied { pe: 0 };
        let wire = self.wire.as_mut().ok_or_else(gone)?;
        loop {
            let bytes = match wire.receive(deadline) {
                Ok(bytes) => bytes,
                Err(e) if e.kind() == io::ErrorKind::TimedOut => {
                    let failure = Failure::timeout(
                        call.into(),
                        vec![0],
                        (patience + GRACE).as_millis() as u64,
                    );
                    return Err(failure.into());
                }
                Err(_) => return Err(gone()),
            };
            match Response::decode(&bytes) {
                Some(Response::Done {
                    sequence,
                    payload,
                    refused,
                }) if sequence == self.sequence => {
                    return Ok((payload, refused));
                }
                Some(Response::Failed(failure)) => return Err(failure.into()),
                Some(_) => {}
                None => return Err(gone()),
            }
        }
    }
}

impl Member {
    fn hello(&self, payload: &[u8]) -> Hello {
        Hello {
            protocol: PROTOCOL,
            secret: self.secret,
            user: rustix::process::geteuid().as_raw(),
            pe: self.pe,
            n_pes: self.n_pes,
            local_mem_size: self.local_mem_size,
            patience_ms: self.init_timeout.as_millis() as u64,
            payload: payload.to_vec(),
        }
    }
}

impl Record {
    /// A collective of this kind, called at `site`.
    pub(crate) fn new(kind: Kind, site: &std::panic::Location<'_>) -> Self {
        Self {
            sequence: 0,
            kind,
            side: 0,
            bytes: 0,
            align: 0,
            block: 0,
            patience_ms: 0,
            site: site.to_string(),
            refused: None,
        }
    }
}

#[cfg(test)]
mod tests;
