//! `ip_port`: where PE 0 is.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, ToSocketAddrs};

use rustix::net::SocketAddrUnix;
use rustix::process::geteuid;

use crate::abi::{ACLSHMEM_BOOTSTRAP_ERROR, ACLSHMEM_INVALID_PARAM};
use crate::error::{Failure, Result};

/// The job's address, as the user wrote it and as the machine understands it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    pub(crate) text: String,
    pub(crate) socket: SocketAddr,
}

impl Address {
    /// Reads `tcp://<IPv4 address or host>:<port>` or `tcp6://[<IPv6 address>]:<port>`.
    pub(crate) fn parse(text: &str) -> Result<Address> {
        let socket = resolve(text).map_err(|why| {
            Failure::new(
                ACLSHMEM_INVALID_PARAM,
                format!(
                    "ip_port {text:?}: {why}; write \"tcp://<IPv4 address or host>:<port>\" or \
                     \"tcp6://[<IPv6 address>]:<port>\" with a port from 1025 to 65535"
                ),
            )
        })?;
        Ok(Address {
            text: text.to_owned(),
            socket,
        })
    }

    /// The name of the rendezvous.
    pub(crate) fn rendezvous(&self) -> rustix::io::Result<SocketAddrUnix> {
        let name = format!("shmem-sim/{}/{}", geteuid().as_raw(), self.socket);
        SocketAddrUnix::new_abstract_name(name.as_bytes())
    }

    /// Takes the port, so that no other job can have the address.
    pub(crate) fn bind(&self) -> Result<TcpListener> {
        TcpListener::bind(self.socket).map_err(|error| {
            let hint = match error.kind() {
                std::io::ErrorKind::AddrInUse => {
                    "; another job or program listens there, choose another port"
                }
                std::io::ErrorKind::AddrNotAvailable => {
                    "; it is not an address of this machine, and the simulator's PEs are all on one machine"
                }
                _ => "",
            };
            Failure::new(
                ACLSHMEM_BOOTSTRAP_ERROR,
                format!("PE 0 cannot listen on {}: {error}{hint}", self.text),
            )
            .about(0)
        })
    }
}

fn resolve(text: &str) -> core::result::Result<SocketAddr, String> {
    if text.is_empty() {
        return Err("the address is empty".into());
    }
    if let Some(rest) = text.strip_prefix("tcp6://") {
        let (host, port) = rest
            .strip_prefix('[')
            .and_then(|rest| rest.split_once("]:"))
            .ok_or("the IPv6 address does not stand in brackets before the port")?;
        let host: Ipv6Addr = host
            .parse()
            .map_err(|_| format!("{host:?} is not an IPv6 address"))?;
        return Ok(SocketAddr::new(host.into(), port_number(port)?));
    }
    let rest = text
        .strip_prefix("tcp://")
        .ok_or("it begins with neither tcp:// nor tcp6://")?;
    let (host, port) = rest
        .rsplit_once(':')
        .ok_or("there is no port after the host")?;
    let port = port_number(port)?;
    if let Ok(address) = host.parse::<Ipv4Addr>() {
        return Ok(SocketAddr::new(address.into(), port));
    }
    if host == "localhost" {
        // Some resolvers give ::1 first; the PEs of a job must agree.
        return Ok(SocketAddr::new(Ipv4Addr::LOCALHOST.into(), port));
    }
    if host.is_empty() || host.contains([':', '[', ']', '/', ' ']) {
        return Err(format!(
            "{host:?} is neither an IPv4 address nor a host name"
        ));
    }
    let found: Vec<IpAddr> = (host, port)
        .to_socket_addrs()
        .map_err(|error| format!("the host {host:?} cannot be resolved ({error})"))?
        .map(|address| address.ip())
        .collect();
    found
        .iter()
        .find(|address| address.is_ipv4())
        .or(found.first())
        .map(|&address| SocketAddr::new(address, port))
        .ok_or_else(|| format!("the host {host:?} has no address"))
}

fn port_number(text: &str) -> core::result::Result<u16, String> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    match text.parse::<u16>() {
        Ok(port) if digits && port > 1024 => Ok(port),
        _ => Err(format!("{text:?} is not a usable port")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn good_addresses_are_read_exactly() {
        for (text, socket) in [
            ("tcp://127.0.0.1:8899", "127.0.0.1:8899"),
            ("tcp://0.0.0.0:1025", "0.0.0.0:1025"),
            ("tcp://localhost:65535", "127.0.0.1:65535"),
            ("tcp6://[::1]:8080", "[::1]:8080"),
        ] {
            let address = Address::parse(text).unwrap();
            assert_eq!(address.socket, socket.parse().unwrap(), "{text}");
        }
    }

    #[test]
    fn bad_addresses_are_quoted_with_the_rule() {
        for (text, why) in [
            ("", "is empty"),
            ("127.0.0.1:8080", "begins with neither"),
            ("tcp://127.0.0.1", "no port"),
            ("tcp://127.0.0.1:0", "\"0\" is not a usable port"),
            ("tcp://127.0.0.1:80", "\"80\" is not a usable port"),
            ("tcp://127.0.0.1:1024", "\"1024\" is not a usable port"),
            ("tcp://127.0.0.1:65536", "\"65536\" is not a usable port"),
            ("tcp://127.0.0.1:-1", "\"-1\" is not a usable port"),
            ("tcp://127.0.0.1:+8080", "\"+8080\" is not a usable port"),
            ("tcp://127.0.0.1:80x", "\"80x\" is not a usable port"),
            ("tcp://127.0.0.1: 8080", "\" 8080\" is not a usable port"),
            ("tcp://:8080", "\"\" is neither"),
            ("tcp://::1:8080", "\"::1\" is neither"),
            ("tcp://[::1]:8080", "\"[::1]\" is neither"),
            ("tcp6://[::1]8080", "does not stand in brackets"),
            ("tcp6://::1:8080", "does not stand in brackets"),
            ("tcp6://[::g]:8080", "\"::g\" is not an IPv6 address"),
        ] {
            let failure = Address::parse(text).unwrap_err();
            assert_eq!(failure.code, ACLSHMEM_INVALID_PARAM, "{text}");
            assert!(failure.text.contains(why), "{text}: {}", failure.text);
            assert!(
                failure.text.contains(&format!("{text:?}")),
                "{}",
                failure.text
            );
            assert!(failure.text.contains("from 1025 to 65535"));
        }
    }

    #[test]
    fn a_busy_port_is_named() {
        let holder = TcpListener::bind("127.0.0.1:0").unwrap();
        let text = format!("tcp://127.0.0.1:{}", holder.local_addr().unwrap().port());
        let failure = Address::parse(&text).unwrap().bind().unwrap_err();
        assert_eq!(failure.code, ACLSHMEM_BOOTSTRAP_ERROR);
        assert!(failure.text.contains(&text), "{}", failure.text);
        assert!(failure.text.contains("choose another port"));
    }
}
