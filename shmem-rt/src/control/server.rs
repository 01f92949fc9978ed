//! The service at PE 0: one thread that lets the PEs of the job in and compares every collective.
//!
//! It trusts no connection before its hello, keeps a bounded number of bytes for each, and never waits for a single
//! one. The first failure of the job is kept and told to everyone, late comers included.

use std::io;
use std::net::TcpListener;
use std::os::fd::{AsFd, OwnedFd};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, poll};
use rustix::io::Errno;

use super::failure::Failure;
use super::message::{Hello, Kind, PROTOCOL, Record, Request, Response};
use super::wire::{Wire, frame, send_some, timespec};

/// A connection says hello within this time.
const HELLO_PATIENCE: Duration = Duration::from_secs(2);
/// How long a disagreement at init waits for the PEs that are still on their way, so that they hear of it as well.
const STRAGGLER_PATIENCE: Duration = Duration::from_secs(2);
/// How long the last words are sent after PE 0 has gone.
const LAST_WORDS: Duration = Duration::from_secs(1);
/// Connections without a hello beyond this number push out the oldest.
const MOST_STRANGERS: usize = 256;
/// Bytes that wait for a peer that does not read; beyond it the peer is as good as dead.
const MOST_UNSENT: usize = 64 << 10;

struct Connection {
    wire: Wire,
    unsent: Vec<u8>,
    since: Instant,
    /// Its hello had the job's secret.
    member: bool,
    pe: Option<i32>,
    /// It said that it goes.
    left: bool,
    closed: bool,
}

/// State of the service. [`Server::serve`] runs it to the end of the job.
pub(crate) struct Server {
    listener: Option<TcpListener>,
    connections: Vec<Connection>,
    /// PE 0's own hello, once it is there: what the others are compared with.
    expected: Hello,
    present: Vec<bool>,
    present_count: usize,
    /// The records of the collective in progress, by PE.
    arrived: Vec<Option<Record>>,
    arrived_count: usize,
    first_arrival: Option<Instant>,
    deadline: Option<Instant>,
    /// A disagreement at init, and when it is told.
    disagreement: Option<(Failure, Instant)>,
    failure: Option<Failure>,
    finished: bool,
    end: Option<Instant>,
}

impl Server {
    /// `own` is PE 0's end of a socket pair, `expected` the hello that PE 0 sends over it.
    pub(crate) fn new(listener: TcpListener, own: OwnedFd, expected: Hello) -> io::Result<Self> {
        listener.set_nonblocking(true)?;
        let n = expected.n_pes as usize;
        let now = Instant::now();
        Ok(Self {
            listener: Some(listener),
            connections: vec![Connection::new(Wire::new(own)?, now)],
            present: vec![false; n],
            present_count: 0,
            arrived: vec![None; n],
            arrived_count: 0,
            first_arrival: Some(now),
            deadline: Some(after(now, expected.patience_ms)),
            disagreement: None,
            failure: None,
            finished: false,
            end: None,
            expected,
        })
    }

    /// Serves until PE 0 has gone and the rest has been told.
    pub(crate) fn serve(mut self) {
        loop {
            let now = Instant::now();
            if self.end.is_some_and(|end| {
                now >= end || self.connections.iter().all(|c| c.unsent.is_empty())
            }) {
                return;
            }
            let (ready, listening) = match self.wait(now) {
                Ok(ready) => ready,
                Err(error) => {
                    tracing::error!(%error, "the control service stops");
                    return;
                }
            };
            if listening {
                self.accept();
            }
            for index in ready {
                self.read(index);
            }
            self.check_deadlines();
            self.send();
            self.remove_closed();
        }
    }

    /// Indices of the connections that can be read, and whether the listener can.
    fn wait(&self, now: Instant) -> io::Result<(Vec<usize>, bool)> {
        let next = [
            self.deadline,
            self.end,
            self.disagreement.as_ref().map(|(_, at)| *at),
        ]
        .into_iter()
        .flatten()
        .chain(self.strangers().map(|c| c.since + HELLO_PATIENCE))
        .min();
        let timeout =
            next.map(|at| timespec(at.saturating_duration_since(now) + Duration::from_millis(1)));
        let mut set: Vec<PollFd<'_>> = self
            .connections
            .iter()
            .map(|c| {
                let unsent = if c.unsent.is_empty() {
                    PollFlags::empty()
                } else {
                    PollFlags::OUT
                };
                PollFd::from_borrowed_fd(c.wire.socket().as_fd(), PollFlags::IN | unsent)
            })
            .collect();
        set.extend(
            self.listener
                .as_ref()
                .map(|l| PollFd::new(l, PollFlags::IN)),
        );
        match poll(&mut set, timeout.as_ref()) {
            Ok(_) | Err(Errno::INTR) => {}
            Err(e) => return Err(e.into()),
        }
        let readable = |fd: &PollFd<'_>| {
            fd.revents()
                .intersects(PollFlags::IN | PollFlags::HUP | PollFlags::ERR)
        };
        let count = self.connections.len();
        let ready = (0..count).filter(|i| readable(&set[*i])).collect();
        Ok((ready, set.get(count).is_some_and(readable)))
    }

    fn strangers(&self) -> impl Iterator<Item = &Connection> {
        self.connections.iter().filter(|c| !c.member)
    }

    fn accept(&mut self) {
        let Some(listener) = &self.listener else {
            return;
        };
        for turn in 0..MOST_STRANGERS {
            let stream = match listener.accept() {
                Ok((stream, _)) => stream,
                Err(error) => {
                    let errno = Errno::from_io_error(&error);
                    // Beyond the first, which was announced, the system says so also when nobody knocks.
                    if turn == 0 && matches!(errno, Some(Errno::MFILE | Errno::NFILE)) {
                        self.out_of_descriptors(&error);
                    }
                    break;
                }
            };
            let _ = stream.set_nodelay(true);
            if let Ok(wire) = Wire::new(stream.into()) {
                self.connections.push(Connection::new(wire, Instant::now()));
            }
        }
        let excess = self.strangers().count().saturating_sub(MOST_STRANGERS);
        let strangers = self.connections.iter_mut().filter(|c| !c.member);
        strangers.take(excess).for_each(|c| c.closed = true);
    }

    /// This process has no descriptor for a PE that knocks.
    fn out_of_descriptors(&mut self, error: &io::Error) {
        if self.strangers().next().is_some() {
            // They go soon, or say that they are PEs.
            return std::thread::sleep(Duration::from_millis(1));
        }
        self.listener = None;
        if self.present_count < self.present.len() {
            let message = format!("it cannot accept all other PEs: {error}; raise `ulimit -n`");
            self.fail(Failure::PeerFailed { pe: 0, message });
        }
    }

    fn read(&mut self, index: usize) {
        let open = self.connections[index].wire.fill();
        // It gave up while nobody listened to it, perhaps in the job before: its hello is not worth a seat.
        if !open && !self.connections[index].member {
            return self.close(index);
        }
        loop {
            match self.connections[index].wire.next_frame() {
                Ok(Some(bytes)) => match Request::decode(&bytes) {
                    Some(request) => self.handle(index, request),
                    None => return self.close(index),
                },
                Ok(None) => break,
                Err(_) => return self.close(index),
            }
        }
        if !open {
            self.close(index);
        }
    }

    fn handle(&mut self, index: usize, request: Request) {
        match (self.connections[index].pe, request) {
            (None, Request::Hello(hello)) if !self.connections[index].member => {
                self.greet(index, &hello)
            }
            (Some(pe), Request::Collective(record)) => self.arrive(pe, record),
            (Some(pe), Request::Failed(message)) => self.fail(Failure::PeerFailed { pe, message }),
            (Some(pe), Request::Leave) => {
                self.connections[index].left = true;
                self.fail(Failure::PeerLeft { pe });
            }
            _ => self.close(index),
        }
    }

    /// Why a process is none of this job; the job goes on without it.
    fn refusal(&self, hello: &Hello) -> Option<String> {
        let expected = &self.expected;
        if hello.protocol != PROTOCOL {
            Some(format!(
                "PE 0 speaks version {} of the control protocol and this PE version {}: build all PEs from one \
                 version of this crate",
                expected.protocol, hello.protocol
            ))
        } else if hello.secret != expected.secret {
            Some("PE 0 at this address belongs to another job (SHMEM_JOB_SECRET differs)".into())
        } else if hello.user != expected.user {
            // They could not share memory.
            Some(format!(
                "PE 0 at this address runs as user {} and this PE as user {}: start all PEs as one user",
                expected.user, hello.user
            ))
        } else if self.failure.is_none() && self.present_count == self.present.len() {
            Some("the job at this address has all its PEs already".into())
        } else {
            None
        }
    }

    fn greet(&mut self, index: usize, hello: &Hello) {
        let refusal = self.refusal(hello);
        let connection = &mut self.connections[index];
        if let Some(reason) = refusal {
            connection.say(&Response::Refused(reason));
            connection.left = true;
            return;
        }
        connection.member = true;
        connection.say(&Response::Accepted);
        if let Some(failure) = &self.failure {
            return connection.say(&Response::Failed(failure.clone()));
        }
        let mismatch = |what: &str, ours: u64, theirs: u64| Failure::Mismatch {
            what: what.into(),
            pe: 0,
            value: ours.to_string(),
            other_pe: hello.pe,
            other: theirs.to_string(),
        };
        let taken = self.present.get(hello.pe as usize) == Some(&true);
        let disagreement = if hello.n_pes != self.expected.n_pes {
            Some(mismatch(
                "number of PEs",
                self.expected.n_pes as u64,
                hello.n_pes as u64,
            ))
        } else if hello.local_mem_size != self.expected.local_mem_size {
            Some(mismatch(
                "local_mem_size",
                self.expected.local_mem_size,
                hello.local_mem_size,
            ))
        } else {
            taken.then_some(Failure::Duplicate { pe: hello.pe })
        };
        let now = Instant::now();
        if let Some(failure) = disagreement {
            self.disagreement
                .get_or_insert((failure, now + STRAGGLER_PATIENCE));
        }
        match self.present.get_mut(hello.pe as usize) {
            Some(seat) if !taken => {
                *seat = true;
                self.connections[index].pe = Some(hello.pe);
                self.present_count += 1;
            }
            // Out of range by PE 0's count, or taken: the disagreement is told.
            _ => return,
        }
        let patience = after(now, hello.patience_ms);
        self.deadline = self.deadline.map(|deadline| deadline.min(patience));
        if self.present_count == self.present.len() {
            if let Some((failure, _)) = self.disagreement.take() {
                return self.fail(failure);
            }
            self.deadline = None;
            self.first_arrival = None;
            let payload = self.expected.payload.clone();
            self.tell_all(&Response::Done {
                sequence: 0,
                payload,
                refused: None,
            });
        }
    }

    fn arrive(&mut self, pe: i32, record: Record) {
        // A PE that has not heard of the failure yet will read it instead of an answer.
        if self.failure.is_some() || self.present_count < self.present.len() {
            return;
        }
        let others = self
            .arrived
            .iter()
            .enumerate()
            .filter_map(|(pe, r)| Some((pe, r.as_ref()?)));
        let differing = others
            .filter_map(|(other, r)| Some((other, r, r.difference(&record)?)))
            .next();
        if let Some((other, theirs, what)) = differing {
            let (mut first, mut second) =
                ((other as i32, theirs.describe()), (pe, record.describe()));
            if first.0 > second.0 {
                std::mem::swap(&mut first, &mut second);
            }
            return self.fail(Failure::Mismatch {
                what: what.into(),
                pe: first.0,
                value: first.1,
                other_pe: second.0,
                other: second.1,
            });
        }
        let now = Instant::now();
        let patience = after(now, record.patience_ms);
        self.first_arrival.get_or_insert(now);
        self.deadline = Some(
            self.deadline
                .map_or(patience, |deadline| deadline.min(patience)),
        );
        if self.arrived[pe as usize].replace(record).is_none() {
            self.arrived_count += 1;
        }
        if self.arrived_count == self.arrived.len() {
            self.complete();
        }
    }

    fn complete(&mut self) {
        let records: Vec<Record> = self.arrived.iter_mut().filter_map(Option::take).collect();
        self.arrived_count = 0;
        self.first_arrival = None;
        self.deadline = None;
        let refused = (0..)
            .zip(&records)
            .find_map(|(pe, r)| Some((pe, r.refused.clone()?)));
        if records[0].kind == Kind::Finalize && refused.is_none() {
            // The next job at this address finds its own service.
            self.finished = true;
            self.listener = None;
        }
        self.tell_all(&Response::Done {
            sequence: records[0].sequence,
            payload: Vec::new(),
            refused,
        });
    }

    fn check_deadlines(&mut self) {
        let now = Instant::now();
        for connection in self
            .connections
            .iter_mut()
            .filter(|c| !c.member && c.since + HELLO_PATIENCE <= now)
        {
            connection.closed = true;
        }
        if self.disagreement.as_ref().is_some_and(|(_, at)| *at <= now)
            && let Some((failure, _)) = self.disagreement.take()
        {
            self.fail(failure);
        }
        if self.deadline.is_some_and(|deadline| deadline <= now) {
            self.deadline = None;
            let waited = self
                .first_arrival
                .map_or(0, |since| (now - since).as_millis() as u64);
            let absent = |here: &dyn Fn(usize) -> bool| -> Vec<i32> {
                (0..self.present.len())
                    .filter(|pe| !here(*pe))
                    .map(|pe| pe as i32)
                    .collect()
            };
            let failure = if self.present_count < self.present.len() {
                Failure::timeout("init".into(), absent(&|pe| self.present[pe]), waited)
            } else {
                let call = self
                    .arrived
                    .iter()
                    .flatten()
                    .next()
                    .map_or_else(String::new, Record::describe);
                Failure::timeout(call, absent(&|pe| self.arrived[pe].is_some()), waited)
            };
            self.fail(failure);
        }
    }

    fn fail(&mut self, failure: Failure) {
        if self.failure.is_some() || self.finished {
            return;
        }
        tracing::debug!(?failure, "the job has failed");
        self.deadline = None;
        self.disagreement = None;
        self.tell_all(&Response::Failed(failure.clone()));
        self.failure = Some(failure);
    }

    fn tell_all(&mut self, response: &Response) {
        self.connections
            .iter_mut()
            .filter(|c| c.member)
            .for_each(|c| c.say(response));
    }

    /// Sends what waits to be sent; to PE 0, the first connection, last. Once it knows how the job ended, its process
    /// may end, and the service with it.
    fn send(&mut self) {
        for connection in self.connections.iter_mut().rev() {
            if connection.unsent.is_empty() || connection.closed {
                continue;
            }
            match send_some(connection.wire.socket(), &connection.unsent) {
                Ok(sent) => {
                    connection.unsent.drain(..sent);
                }
                Err(_) => connection.unsent.clear(),
            }
            // A stranger that has been answered goes.
            if connection.left && !connection.member && connection.unsent.is_empty() {
                connection.closed = true;
            }
        }
    }

    fn close(&mut self, index: usize) {
        let connection = &mut self.connections[index];
        if connection.closed {
            return;
        }
        connection.closed = true;
        let (pe, left) = (connection.pe, connection.left);
        let Some(pe) = pe else { return };
        if !left && !self.finished {
            self.fail(Failure::PeerDied { pe });
        }
        if pe == 0 {
            self.listener = None;
            self.end = Some(Instant::now() + LAST_WORDS);
        }
    }

    fn remove_closed(&mut self) {
        for index in 0..self.connections.len() {
            if self.connections[index].unsent.len() > MOST_UNSENT {
                self.close(index);
            }
        }
        self.connections.retain(|c| !c.closed);
        // PE 0 was not let in, or it went before its hello.
        if self.connections.is_empty() {
            self.end.get_or_insert(Instant::now());
        }
    }
}

/// A deadline, for any number that a PE may send.
fn after(now: Instant, patience_ms: u64) -> Instant {
    let longest = Duration::from_secs(100 * 24 * 3600);
    now + Duration::from_millis(patience_ms).min(longest)
}

impl Connection {
    fn new(wire: Wire, since: Instant) -> Self {
        Self {
            wire,
            unsent: Vec::new(),
            since,
            member: false,
            pe: None,
            left: false,
            closed: false,
        }
    }

    fn say(&mut self, response: &Response) {
        self.unsent.extend_from_slice(&frame(&response.encode()));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_number_that_a_pe_may_send_is_a_deadline() {
        let now = Instant::now();
        assert_eq!(after(now, 1500), now + Duration::from_millis(1500));
        assert!(after(now, u64::MAX) > now);
    }
}
