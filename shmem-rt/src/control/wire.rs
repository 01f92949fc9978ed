//! Frames over a stream socket: a length of four bytes, then at most [`MAX_FRAME`] bytes.
//!
//! Works on a plain descriptor, because PE 0 talks to its own service over a socket pair and the others over TCP.

use std::io::{self, ErrorKind};
use std::os::fd::{AsFd, OwnedFd};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::net::{RecvFlags, SendFlags, recv, send};

/// Longest frame that is read. A longer length means that the peer is not ours.
pub(crate) const MAX_FRAME: usize = 4096;

/// One end of a connection.
#[derive(Debug)]
pub(crate) struct Wire {
    socket: Arc<OwnedFd>,
    received: Vec<u8>,
}

impl Wire {
    /// Takes a connected stream socket and makes it non-blocking.
    pub(crate) fn new(socket: OwnedFd) -> io::Result<Self> {
        rustix::io::ioctl_fionbio(&socket, true)?;
        Ok(Self {
            socket: Arc::new(socket),
            received: Vec::new(),
        })
    }

    pub(crate) fn socket(&self) -> &Arc<OwnedFd> {
        &self.socket
    }

    /// Reads what has arrived. False: the peer has closed. What it sent before is there also when its end reset the
    /// connection, as the end of a process does whose socket had something left to read.
    pub(crate) fn fill(&mut self) -> bool {
        let mut chunk = [0_u8; MAX_FRAME];
        // Bounded: a peer that sends without end must not keep the caller here.
        for _ in 0..8 {
            match recv(&self.socket, &mut chunk[..], RecvFlags::empty()) {
                Ok((0, _)) => return false,
                Ok((n, _)) => self.received.extend_from_slice(&chunk[..n]),
                Err(rustix::io::Errno::AGAIN) => return true,
                Err(rustix::io::Errno::INTR) => {}
                Err(_) => return false,
            }
            if self.received.len() > 2 * MAX_FRAME {
                break;
            }
        }
        true
    }

    /// The next whole frame among the bytes that have arrived.
    ///
    /// # Errors
    /// `InvalidData` when the length is none of ours.
    pub(crate) fn next_frame(&mut self) -> io::Result<Option<Vec<u8>>> {
        let Some((length, rest)) = self.received.split_first_chunk::<4>() else {
            return Ok(None);
        };
        let length = u32::from_le_bytes(*length) as usize;
        if length == 0 || length > MAX_FRAME {
            return Err(ErrorKind::InvalidData.into());
        }
        let Some(body) = rest.get(..length) else {
            return Ok(None);
        };
        let frame = body.to_vec();
        self.received.drain(..4 + length);
        Ok(Some(frame))
    }

    /// Waits for a whole frame.
    ///
    /// # Errors
    /// `TimedOut` at the deadline, `UnexpectedEof` when the peer closes first.
    pub(crate) fn receive(&mut self, deadline: Instant) -> io::Result<Vec<u8>> {
        let mut open = true;
        loop {
            if let Some(frame) = self.next_frame()? {
                return Ok(frame);
            }
            if !open {
                return Err(ErrorKind::UnexpectedEof.into());
            }
            if !wait(&self.socket, PollFlags::IN, deadline)? {
                return Err(ErrorKind::TimedOut.into());
            }
            open = self.fill();
        }
    }
}

/// `bytes` as a frame.
pub(crate) fn frame(bytes: &[u8]) -> Vec<u8> {
    let mut framed = Vec::with_capacity(4 + bytes.len());
    framed.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
    framed.extend_from_slice(bytes);
    framed
}

/// Sends as much as the socket takes now; the number of bytes sent.
pub(crate) fn send_some(socket: impl AsFd, bytes: &[u8]) -> io::Result<usize> {
    let mut sent = 0;
    while sent < bytes.len() {
        match send(&socket, &bytes[sent..], SendFlags::NOSIGNAL) {
            Ok(n) => sent += n,
            Err(rustix::io::Errno::AGAIN) => break,
            Err(rustix::io::Errno::INTR) => {}
            Err(e) => return Err(e.into()),
        }
    }
    Ok(sent)
}

/// Sends all of `bytes`, or fails with `TimedOut`.
pub(crate) fn send_all(socket: impl AsFd, bytes: &[u8], deadline: Instant) -> io::Result<()> {
    let mut sent = 0;
    loop {
        sent += send_some(&socket, &bytes[sent..])?;
        if sent == bytes.len() {
            return Ok(());
        }
        if !wait(&socket, PollFlags::OUT, deadline)? {
            return Err(ErrorKind::TimedOut.into());
        }
    }
}

/// `false` at the deadline.
fn wait(socket: impl AsFd, events: PollFlags, deadline: Instant) -> io::Result<bool> {
    loop {
        let left = deadline.saturating_duration_since(Instant::now());
        match poll(&mut [PollFd::new(&socket, events)], Some(&timespec(left))) {
            Ok(0) if left.is_zero() => return Ok(false),
            Ok(0) | Err(rustix::io::Errno::INTR) => {}
            Ok(_) => return Ok(true),
            Err(e) => return Err(e.into()),
        }
    }
}

pub(crate) fn timespec(duration: Duration) -> Timespec {
    // An hour is as good as for ever: every caller looks at its clock again.
    let duration = duration.min(Duration::from_secs(3600));
    Timespec {
        tv_sec: duration.as_secs() as i64,
        tv_nsec: i64::from(duration.subsec_nanos()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::net::UnixStream;

    fn pair() -> (Wire, UnixStream) {
        let (a, b) = UnixStream::pair().unwrap();
        (Wire::new(a.into()).unwrap(), b)
    }

    #[test]
    fn frames_survive_any_cut_of_the_bytes() {
        let (mut wire, peer) = pair();
        let bytes = [frame(b"one"), frame(b"second")].concat();
        for byte in &bytes {
            send_all(&peer, &[*byte], Instant::now() + Duration::from_secs(5)).unwrap();
            assert!(wire.fill());
        }
        assert_eq!(wire.next_frame().unwrap().unwrap(), b"one");
        assert_eq!(wire.next_frame().unwrap().unwrap(), b"second");
        assert!(wire.next_frame().unwrap().is_none());
    }

    #[test]
    fn a_length_that_is_not_ours_is_refused_before_anything_is_kept_for_it() {
        for length in [0, MAX_FRAME as u32 + 1, u32::MAX] {
            let (mut wire, peer) = pair();
            send_all(
                &peer,
                &length.to_le_bytes(),
                Instant::now() + Duration::from_secs(5),
            )
            .unwrap();
            wire.fill();
            assert_eq!(
                wire.next_frame().unwrap_err().kind(),
                ErrorKind::InvalidData
            );
        }
    }

    #[test]
    fn a_frame_sent_before_the_close_is_still_received() {
        let (mut wire, peer) = pair();
        let deadline = Instant::now() + Duration::from_secs(5);
        send_all(&peer, &frame(b"last"), deadline).unwrap();
        drop(peer);
        assert_eq!(wire.receive(deadline).unwrap(), b"last");
        assert_eq!(
            wire.receive(deadline).unwrap_err().kind(),
            ErrorKind::UnexpectedEof
        );
    }

    #[test]
    fn a_frame_sent_before_a_reset_is_still_received() {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
        let near = std::net::TcpStream::connect(listener.local_addr().unwrap()).unwrap();
        let (far, _) = listener.accept().unwrap();
        let mut wire = Wire::new(near.into()).unwrap();
        let deadline = Instant::now() + Duration::from_secs(5);
        // What the far end never reads makes its close a reset.
        send_all(wire.socket(), b"unread", deadline).unwrap();
        assert!(wait(&far, PollFlags::IN, deadline).unwrap());
        send_all(&far, &frame(b"last"), deadline).unwrap();
        drop(far);
        assert_eq!(wire.receive(deadline).unwrap(), b"last");
        assert_eq!(
            wire.receive(deadline).unwrap_err().kind(),
            ErrorKind::UnexpectedEof
        );
    }
}
