//! The address of a job, as users write it.

use std::fmt;
use std::net::{IpAddr, Ipv6Addr, SocketAddr, ToSocketAddrs};
use std::str::FromStr;

use crate::Error;

/// What an address may look like: the second half of every message about one.
const RULE: &str =
    "write tcp://host:port, tcp6://[v6 address]:port or host:port, with a port from 1025 to 65535";
/// Longest host name of the DNS.
const MAX_HOST: usize = 253;

/// Where PE 0 of a job listens.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    host: Host,
    port: u16,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum Host {
    Ip(IpAddr),
    Name(String),
}

impl FromStr for Address {
    /// What is wrong and the rule.
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong = |what: &str| Err(format!("{what}; {RULE}"));
        let (rest, v6_only) = match (text.strip_prefix("tcp://"), text.strip_prefix("tcp6://")) {
            (Some(rest), _) => (rest, false),
            (_, Some(rest)) => (rest, true),
            _ if text.contains("://") => return wrong("its scheme is not known"),
            _ => (text, false),
        };
        if rest.is_empty() {
            return wrong("it is empty");
        }
        let (host, port) = if let Some(rest) = rest.strip_prefix('[') {
            let Some((host, port)) = rest.split_once("]:") else {
                return wrong("an address in brackets is followed by `]:` and the port");
            };
            let Ok(ip) = host.parse::<Ipv6Addr>() else {
                return wrong("what stands in the brackets is not an IPv6 address");
            };
            (Host::Ip(ip.into()), port)
        } else {
            let Some((host, port)) = rest.rsplit_once(':') else {
                return wrong("it has no port");
            };
            if host.contains(':') {
                return wrong("an IPv6 address stands in brackets");
            }
            if v6_only {
                return wrong("tcp6:// is followed by an IPv6 address in brackets");
            }
            (
                Host::parse(host).map_err(|what| format!("{what}; {RULE}"))?,
                port,
            )
        };
        if port.is_empty() || !port.bytes().all(|b| b.is_ascii_digit()) {
            return wrong("its port is not a number");
        }
        match port.parse::<u16>() {
            Ok(port) if port > 1024 => Ok(Self { host, port }),
            _ => wrong("its port is out of range"),
        }
    }
}

impl Host {
    fn parse(text: &str) -> Result<Self, &'static str> {
        if text.is_empty() {
            return Err("it has no host");
        }
        if text.len() > MAX_HOST {
            return Err("its host name is too long");
        }
        if let Ok(ip) = text.parse::<IpAddr>() {
            return Ok(Self::Ip(ip));
        }
        let named = text
            .bytes()
            .all(|b| b.is_ascii_alphanumeric() || b"-._".contains(&b));
        // Digits and dots that are no IPv4 address are no name either; resolvers read them in surprising ways.
        if !named || text.bytes().all(|b| b.is_ascii_digit() || b == b'.') {
            return Err("its host is neither a name nor an IPv4 address");
        }
        Ok(Self::Name(text.to_owned()))
    }
}

impl From<SocketAddr> for Address {
    fn from(address: SocketAddr) -> Self {
        Self {
            host: Host::Ip(address.ip()),
            port: address.port(),
        }
    }
}

impl Address {
    /// All socket addresses that the host has, at least one.
    pub(crate) fn resolve(&self) -> Result<Vec<SocketAddr>, Error> {
        let failed = |reason: String| Error::Resolve {
            address: self.to_string(),
            reason,
        };
        match &self.host {
            Host::Ip(ip) => Ok(vec![SocketAddr::new(*ip, self.port)]),
            Host::Name(name) => {
                let found: Vec<_> = (name.as_str(), self.port)
                    .to_socket_addrs()
                    .map_err(|e| failed(e.to_string()))?
                    .collect();
                if found.is_empty() {
                    Err(failed("the name has no address".into()))
                } else {
                    Ok(found)
                }
            }
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.host {
            Host::Ip(IpAddr::V6(ip)) => write!(f, "tcp6://[{ip}]:{}", self.port),
            Host::Ip(ip) => write!(f, "tcp://{ip}:{}", self.port),
            Host::Name(name) => write!(f, "tcp://{name}:{}", self.port),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_accepted_form_says_where_it_goes() {
        for (text, shown) in [
            ("tcp://127.0.0.1:8998", "tcp://127.0.0.1:8998"),
            ("127.0.0.1:8998", "tcp://127.0.0.1:8998"),
            ("localhost:65535", "tcp://localhost:65535"),
            ("node-1.cluster_a:1025", "tcp://node-1.cluster_a:1025"),
            ("tcp6://[::1]:8080", "tcp6://[::1]:8080"),
            ("[::1]:8080", "tcp6://[::1]:8080"),
            ("tcp://[fe80::1]:8080", "tcp6://[fe80::1]:8080"),
        ] {
            assert_eq!(
                text.parse::<Address>().unwrap().to_string(),
                shown,
                "{text}"
            );
        }
    }

    #[test]
    fn every_refused_form_says_what_is_wrong_and_the_rule() {
        for (text, what) in [
            ("", "it is empty"),
            ("tcp://", "it is empty"),
            ("udp://127.0.0.1:8998", "its scheme is not known"),
            ("127.0.0.1", "it has no port"),
            ("127.0.0.1:0", "its port is out of range"),
            ("127.0.0.1:80", "its port is out of range"),
            ("127.0.0.1:1024", "its port is out of range"),
            ("127.0.0.1:65536", "its port is out of range"),
            ("127.0.0.1:99999999999999999999", "its port is out of range"),
            ("127.0.0.1:-1", "its port is not a number"),
            ("127.0.0.1:+8998", "its port is not a number"),
            ("127.0.0.1:80x", "its port is not a number"),
            ("127.0.0.1: 8080", "its port is not a number"),
            ("127.0.0.1:", "its port is not a number"),
            (":8998", "it has no host"),
            (
                "[::1]8080",
                "an address in brackets is followed by `]:` and the port",
            ),
            (
                "[::1",
                "an address in brackets is followed by `]:` and the port",
            ),
            (
                "[::g]:8080",
                "what stands in the brackets is not an IPv6 address",
            ),
            ("::1:8080", "an IPv6 address stands in brackets"),
            (
                "tcp6://127.0.0.1:8998",
                "tcp6:// is followed by an IPv6 address in brackets",
            ),
            (
                "300.1.1.1:8998",
                "its host is neither a name nor an IPv4 address",
            ),
            ("a b:8998", "its host is neither a name nor an IPv4 address"),
            (
                "tcp://h/x:8998",
                "its host is neither a name nor an IPv4 address",
            ),
        ] {
            let error = text.parse::<Address>().unwrap_err();
            assert_eq!(error, format!("{what}; {RULE}"), "{text}");
        }
        let long = format!("{}:8998", "a".repeat(300));
        assert!(
            long.parse::<Address>()
                .unwrap_err()
                .starts_with("its host name is too long; ")
        );
    }
}
