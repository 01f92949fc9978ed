//! Where PE 0 listens.

use std::net::{IpAddr, SocketAddr, TcpListener};
use std::os::fd::{AsFd, BorrowedFd, FromRawFd, OwnedFd};
use std::sync::{Mutex, PoisonError};

use crate::Error;
use crate::address::Address;
use crate::config::JobAddress;

/// The socket that the launcher handed down. Kept for the life of the process, since each job of it meets there.
static HANDED_DOWN: Mutex<Option<TcpListener>> = Mutex::new(None);

/// A socket that listens at the address of the job.
pub(crate) fn at(job: &JobAddress) -> Result<TcpListener, Error> {
    if let Some(listener) = job.launcher_fd.and_then(handed_down) {
        return Ok(listener);
    }
    let mut reason = String::new();
    for address in job.address.resolve()? {
        match TcpListener::bind(address) {
            Ok(listener) => return Ok(listener),
            Err(error) => reason = error.to_string(),
        }
    }
    Err(Error::Listen {
        address: job.address.to_string(),
        reason,
    })
}

/// A socket for the backend's own bootstrap on the same interface, and its address.
pub(crate) fn beside(listener: &TcpListener) -> Result<(TcpListener, Address), Error> {
    let failed = |e| Error::io("opening a socket for the bootstrap", e);
    let ip = match listener.local_addr().map_err(failed)?.ip() {
        // The others are on this host, or the job's address would name an interface.
        IpAddr::V4(ip) if ip.is_unspecified() => IpAddr::V4([127, 0, 0, 1].into()),
        IpAddr::V6(ip) if ip.is_unspecified() => IpAddr::V6(1.into()),
        ip => ip,
    };
    let beside = TcpListener::bind(SocketAddr::new(ip, 0)).map_err(failed)?;
    let address = beside.local_addr().map_err(failed)?.into();
    Ok((beside, address))
}

fn handed_down(fd: i32) -> Option<TcpListener> {
    let mut kept = HANDED_DOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.is_none() {
        *kept = adopt(fd);
    }
    kept.as_ref()?.try_clone().ok()
}

/// The descriptor as a listener, when it is one: the variable may have outlived the descriptor.
fn adopt(fd: i32) -> Option<TcpListener> {
    // SAFETY: used for two questions only, and a number that is no open descriptor is answered with an error.
    let borrowed = unsafe { BorrowedFd::borrow_raw(fd) };
    if !rustix::net::sockopt::socket_acceptconn(borrowed).ok()? {
        return None;
    }
    rustix::io::fcntl_setfd(borrowed.as_fd(), rustix::io::FdFlags::CLOEXEC).ok()?;
    // SAFETY: the launcher opened it for this process alone, and `HANDED_DOWN` takes it once.
    Some(unsafe { OwnedFd::from_raw_fd(fd) }.into())
}
