//! How a PE reaches the service at PE 0.

use std::io;
use std::net::{SocketAddr, TcpStream};
use std::time::{Duration, Instant};

use super::message::{Hello, Request, Response};
use super::wire::{Wire, frame, send_all};
use crate::Error;
use crate::address::Address;

/// One attempt: a black hole must not use up the time of the other addresses.
const ATTEMPT: Duration = Duration::from_secs(1);

/// Why a hello got no welcome.
pub(crate) enum Silence {
    /// This may pass: nobody listens yet, or it was the service of the job before.
    Later(String),
    /// The service answered, and not for this PE.
    Refused(String),
}

impl Silence {
    pub(crate) fn into_error(self, address: &str) -> Error {
        let (Self::Later(reason) | Self::Refused(reason)) = self;
        Error::Refused {
            address: address.into(),
            reason,
        }
    }
}

/// Connects to PE 0 and says hello, again and again until the deadline.
pub(crate) fn reach(
    address: &Address,
    hello: &Hello,
    patience: Duration,
    deadline: Instant,
) -> Result<Wire, Error> {
    let start = Instant::now();
    let mut pause = Duration::from_micros(50);
    let mut reason = None;
    loop {
        for candidate in address.resolve()? {
            match attempt(candidate, hello, deadline) {
                Ok(wire) => return Ok(wire),
                Err(Silence::Refused(reason)) => {
                    return Err(Error::Refused {
                        address: address.to_string(),
                        reason,
                    });
                }
                // What the deadline has cut off says less than an attempt before it.
                Err(Silence::Later(_)) if reason.is_some() && Instant::now() >= deadline => {}
                Err(Silence::Later(why)) => reason = Some(why),
            }
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left < pause {
            tracing::debug!(elapsed = ?start.elapsed(), %address, "PE 0 was not reached");
            return Err(Error::Connect {
                address: address.to_string(),
                waited: patience,
                reason: reason.unwrap_or_default(),
            });
        }
        std::thread::sleep(pause);
        pause = (pause * 2).min(Duration::from_millis(4));
    }
}

fn attempt(address: SocketAddr, hello: &Hello, deadline: Instant) -> Result<Wire, Silence> {
    let later = |e: io::Error| Silence::Later(e.to_string());
    let left = deadline.saturating_duration_since(Instant::now());
    // A timeout of nothing is an error of its own.
    let patience = left.clamp(Duration::from_millis(1), ATTEMPT);
    let stream = TcpStream::connect_timeout(&address, patience).map_err(later)?;
    // While nobody listens on an ephemeral port, a socket that connects to it may be given it as its own.
    if let (Ok(own), Ok(peer)) = (stream.local_addr(), stream.peer_addr())
        && own == peer
    {
        return Err(Silence::Later("nobody listens".into()));
    }
    stream.set_nodelay(true).map_err(later)?;
    introduce(Wire::new(stream.into()).map_err(later)?, hello, deadline)
}

/// Says hello and waits until it is accepted.
pub(crate) fn introduce(mut wire: Wire, hello: &Hello, deadline: Instant) -> Result<Wire, Silence> {
    let later = |e: io::Error| {
        Silence::Later(match e.kind() {
            io::ErrorKind::TimedOut => "it listens, but does not answer".into(),
            io::ErrorKind::UnexpectedEof => "it closed the connection".into(),
            io::ErrorKind::InvalidData => "what listens there is not PE 0 of a SHMEM job".into(),
            _ => e.to_string(),
        })
    };
    // What the service counts from is what is left here.
    let left = deadline.saturating_duration_since(Instant::now());
    let hello = Hello {
        patience_ms: left.as_millis() as u64,
        ..hello.clone()
    };
    send_all(
        wire.socket(),
        &frame(&Request::Hello(hello).encode()),
        deadline,
    )
    .map_err(later)?;
    match Response::decode(&wire.receive(deadline).map_err(later)?) {
        Some(Response::Accepted) => Ok(wire),
        Some(Response::Refused(reason)) => Err(Silence::Refused(reason)),
        _ => Err(Silence::Refused(
            "what listens there is not PE 0 of a SHMEM job".into(),
        )),
    }
}
