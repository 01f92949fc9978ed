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
    let fd = job.launcher_fd;
    if let Some(listener) = fd.and_then(|fd| handed_down(fd, &job.address)) {
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

fn handed_down(fd: i32, address: &Address) -> Option<TcpListener> {
    let mut kept = HANDED_DOWN.lock().unwrap_or_else(PoisonError::into_inner);
    if kept.is_none() {
        *kept = adopt(fd, address);
    }
    let listener = kept.as_ref()?;
    let there = listener.local_addr().ok()?;
    (Address::from(there) == *address)
        .then(|| listener.try_clone().ok())
        .flatten()
}

/// The descriptor as a listener at `address`, when it is one: the variable may have outlived the descriptor, and the
/// number may be another file's by now.
fn adopt(fd: i32, address: &Address) -> Option<TcpListener> {
    // SAFETY: it is asked about only, and a number that is no open descriptor is answered with an error.
    let borrowed = unsafe { BorrowedFd::borrow_raw(fd) };
    if !rustix::net::sockopt::socket_acceptconn(borrowed).ok()? {
        return None;
    }
    let there = rustix::net::getsockname(borrowed).ok()?;
    if Address::from(SocketAddr::try_from(there).ok()?) != *address {
        return None;
    }
    rustix::io::fcntl_setfd(borrowed.as_fd(), rustix::io::FdFlags::CLOEXEC).ok()?;
    // SAFETY: it listens where the launcher says that its socket does, so it is the one that the launcher opened for
    // this process alone, and `HANDED_DOWN` takes it once.
    Some(unsafe { OwnedFd::from_raw_fd(fd) }.into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::fd::AsRawFd;

    #[test]
    fn only_a_socket_that_listens_at_the_address_is_adopted() {
        let own = TcpListener::bind("127.0.0.1:0").unwrap();
        let other = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = Address::from(own.local_addr().unwrap());
        assert!(adopt(other.as_raw_fd(), &address).is_none());
        assert!(adopt(9999, &address).is_none());
        assert!(adopt(0, &address).is_none());
        // What is adopted is owned.
        let fd = std::os::fd::IntoRawFd::into_raw_fd(own);
        let adopted = adopt(fd, &address).unwrap();
        assert_eq!(Address::from(adopted.local_addr().unwrap()), address);
    }
}
