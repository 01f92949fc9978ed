//! What a job looks like, from the environment and the code together.

use std::time::Duration;

use shmem_sim::abi::{ACLSHMEM_MAX_LOCAL_SIZE, ACLSHMEM_MAX_PES, ACLSHMEM_PAGE_SIZE};

use crate::address::Address;
use crate::control::Member;
use crate::environment::{self, Environment};
use crate::{Error, World};

const DEFAULT_LOCAL_MEM_SIZE: u64 = 1 << 30;
const DEFAULT_TIMEOUT: Duration = Duration::from_secs(120);

/// How a PE joins its job; stands for `aclshmemx_init_attr_t`.
///
/// A program that the launcher started needs none of it: PE, number of PEs and address come from the environment.
///
/// ```
/// use std::time::Duration;
///
/// let world = shmem_rt::Config::new()
///     .local_mem_size(64 << 20)
///     .operation_timeout(Duration::from_secs(10))
///     .init()?;
/// assert_eq!((world.my_pe(), world.n_pes()), (0, 1));
/// # world.finalize()?;
/// # Ok::<(), shmem_rt::Error>(())
/// ```
#[derive(Clone, Debug)]
#[must_use = "a Config does nothing until `init`"]
pub struct Config {
    pe: Option<i32>,
    n_pes: Option<i32>,
    ip_port: Option<String>,
    local_mem_size: u64,
    init_timeout: Duration,
    operation_timeout: Duration,
    device: Option<i32>,
}

impl Default for Config {
    fn default() -> Self {
        Self::new()
    }
}

impl Config {
    /// PE and number of PEs from the environment, 1 GiB of symmetric heap, timeouts of 120 s.
    pub fn new() -> Self {
        Self {
            pe: None,
            n_pes: None,
            ip_port: None,
            local_mem_size: DEFAULT_LOCAL_MEM_SIZE,
            init_timeout: DEFAULT_TIMEOUT,
            operation_timeout: DEFAULT_TIMEOUT,
            device: None,
        }
    }

    /// This PE. `SHMEM_PE`, where it is set, has to say the same. Default: 0.
    pub fn pe(mut self, pe: i32) -> Self {
        self.pe = Some(pe);
        self
    }

    /// PEs of the job. `SHMEM_N_PES`, where it is set, has to say the same. Default: 1.
    pub fn n_pes(mut self, n_pes: i32) -> Self {
        self.n_pes = Some(n_pes);
        self
    }

    /// Where PE 0 listens, when neither `SHMEM_IP_PORT` nor the launcher says it: `tcp://host:port`,
    /// `tcp6://[v6 address]:port` or `host:port`.
    pub fn ip_port(mut self, ip_port: impl Into<String>) -> Self {
        self.ip_port = Some(ip_port.into());
        self
    }

    /// Bytes of symmetric heap on each side: a multiple of 2 MiB, at most 40 GiB, the same on all PEs. Default: 1 GiB.
    pub fn local_mem_size(mut self, bytes: u64) -> Self {
        self.local_mem_size = bytes;
        self
    }

    /// How long init waits for the other PEs, by the clock. Default: 120 s.
    pub fn init_timeout(mut self, timeout: Duration) -> Self {
        self.init_timeout = timeout;
        self
    }

    /// How long a collective waits for the PEs that have not come, from the first that came. Default: 120 s.
    pub fn operation_timeout(mut self, timeout: Duration) -> Self {
        self.operation_timeout = timeout;
        self
    }

    /// The device of this PE. Default: the number of the PE, which host-side memory needs on an NPU.
    pub fn device(mut self, device: i32) -> Self {
        self.device = Some(device);
        self
    }

    /// Joins the job. Collective; stands for `aclInit`, `aclrtSetDevice`, `aclrtCreateStream` and
    /// `aclshmemx_init_attr`.
    ///
    /// # Errors
    /// A configuration that cannot be, or that differs between PEs; PEs that do not come within `init_timeout`; a PE
    /// that fails meanwhile; a second World in this process. The PE is then as it was before.
    pub fn init(self) -> Result<World, Error> {
        let job = self.resolve(&Environment::of_process()?)?;
        World::join(job)
    }

    /// Checks everything that needs no other PE.
    pub(crate) fn resolve(self, environment: &Environment) -> Result<Job, Error> {
        let pe = agree("pe", environment::PE, environment.pe, self.pe)?.unwrap_or(0);
        let n_pes = agree("n_pes", environment::N_PES, environment.n_pes, self.n_pes)?.unwrap_or(1);
        let config = |what, value: String, rule: String| Err(Error::Config { what, value, rule });
        if n_pes < 1 || n_pes as usize > ACLSHMEM_MAX_PES {
            return config(
                "n_pes",
                n_pes.to_string(),
                format!("it has to be 1 to {ACLSHMEM_MAX_PES}"),
            );
        }
        if pe < 0 || pe >= n_pes {
            return config(
                "pe",
                pe.to_string(),
                format!(
                    "this job has {n_pes} PEs, so it has to be 0 to {}",
                    n_pes - 1
                ),
            );
        }
        let size = self.local_mem_size;
        if size == 0 || !size.is_multiple_of(ACLSHMEM_PAGE_SIZE) || size > ACLSHMEM_MAX_LOCAL_SIZE {
            let rule =
                "it has to be a multiple of 2 MiB (2097152), at least 2 MiB and at most 40 GiB"
                    .into();
            return config("local_mem_size", size.to_string(), rule);
        }
        for (what, timeout) in [
            ("init_timeout", self.init_timeout),
            ("operation_timeout", self.operation_timeout),
        ] {
            if timeout.is_zero() || timeout.as_secs() > u64::from(u32::MAX) / 1000 {
                return config(
                    what,
                    format!("{timeout:?}"),
                    "it has to be more than 0 and less than 49 days".into(),
                );
            }
        }
        Ok(Job {
            address: self.address(environment, pe, n_pes)?,
            device: self.device.unwrap_or(pe),
            member: Member {
                pe,
                n_pes,
                local_mem_size: size,
                secret: environment.secret,
                init_timeout: self.init_timeout,
                operation_timeout: self.operation_timeout,
            },
        })
    }

    fn address(
        &self,
        environment: &Environment,
        pe: i32,
        n_pes: i32,
    ) -> Result<Option<JobAddress>, Error> {
        let launcher_fd = environment.launcher_fd.filter(|_| pe == 0);
        let sources = [
            (&environment.ip_port, "from SHMEM_IP_PORT", None),
            (
                &environment.launcher_ip_port,
                "from the launcher",
                launcher_fd,
            ),
            (&self.ip_port, "from Config::ip_port", None),
        ];
        let mut found = None;
        for (text, source_name, launcher_fd) in sources {
            let Some(text) = text else { continue };
            // All are checked, so that a mistake does not wait for the day when it is used.
            let address: Address = text.parse().map_err(|reason| Error::Address {
                text: text.clone(),
                source_name,
                reason,
            })?;
            found.get_or_insert(JobAddress {
                address,
                launcher_fd,
            });
        }
        if n_pes == 1 {
            return Ok(None);
        }
        found.map(Some).ok_or(Error::AddressMissing { n_pes })
    }
}

/// The one value that is said, or that both say.
fn agree(
    what: &'static str,
    variable: &'static str,
    environment: Option<i32>,
    code: Option<i32>,
) -> Result<Option<i32>, Error> {
    match (environment, code) {
        (Some(environment), Some(code)) if environment != code => Err(Error::Conflict {
            what,
            variable,
            environment: environment.into(),
            code: code.into(),
        }),
        _ => Ok(environment.or(code)),
    }
}

/// A checked configuration.
#[derive(Clone, Debug)]
pub(crate) struct Job {
    pub(crate) member: Member,
    pub(crate) device: i32,
    /// `None` where a single PE needs none.
    pub(crate) address: Option<JobAddress>,
}

/// Where the job meets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct JobAddress {
    pub(crate) address: Address,
    /// The socket that listens there already, on PE 0.
    pub(crate) launcher_fd: Option<i32>,
}

#[cfg(test)]
mod tests {
    use super::*;

    const MIB: u64 = 1 << 20;

    fn environment(pairs: &[(&str, &str)]) -> Environment {
        Environment::read(|name| {
            pairs
                .iter()
                .find(|(n, _)| *n == name)
                .map(|(_, v)| v.into())
        })
        .unwrap()
    }

    fn address_of(config: Config, pairs: &[(&str, &str)]) -> Option<(String, Option<i32>)> {
        let found = config.resolve(&environment(pairs)).unwrap().address?;
        Some((found.address.to_string(), found.launcher_fd))
    }

    #[test]
    fn without_anything_a_pe_is_alone() {
        let job = Config::new().resolve(&Environment::default()).unwrap();
        assert_eq!((job.member.pe, job.member.n_pes, job.device), (0, 1, 0));
        assert_eq!(job.member.local_mem_size, 1 << 30);
        assert_eq!(job.member.init_timeout, Duration::from_secs(120));
        assert_eq!(job.member.operation_timeout, Duration::from_secs(120));
        assert_eq!(job.address, None);
    }

    #[test]
    fn the_environment_fills_what_the_code_leaves_out() {
        let pairs = [
            ("SHMEM_PE", "1"),
            ("SHMEM_N_PES", "3"),
            ("SHMEM_IP_PORT", "h:2000"),
        ];
        let job = Config::new().resolve(&environment(&pairs)).unwrap();
        assert_eq!((job.member.pe, job.member.n_pes, job.device), (1, 3, 1));
        let same = Config::new()
            .pe(1)
            .n_pes(3)
            .device(0)
            .resolve(&environment(&pairs))
            .unwrap();
        assert_eq!((same.member.pe, same.member.n_pes, same.device), (1, 3, 0));
    }

    #[test]
    fn code_that_contradicts_the_environment_is_an_error_with_both() {
        let pairs = [("SHMEM_PE", "1"), ("SHMEM_N_PES", "3")];
        for (config, message) in [
            (Config::new().pe(2), "SHMEM_PE is 1, but the code says pe 2"),
            (
                Config::new().n_pes(8),
                "SHMEM_N_PES is 3, but the code says n_pes 8",
            ),
        ] {
            let error = config
                .resolve(&environment(&pairs))
                .unwrap_err()
                .to_string();
            assert!(error.starts_with(message), "{error}");
        }
    }

    #[test]
    fn the_address_comes_from_the_variable_then_the_launcher_then_the_code() {
        let code = || Config::new().ip_port("code:2000");
        let pe_0 = [("SHMEM_PE", "0"), ("SHMEM_N_PES", "2")];
        let launcher = [
            ("SHMEM_LAUNCHER_IP_PORT", "launcher:2001"),
            ("SHMEM_LAUNCHER_FD", "5"),
        ];
        let variable = [("SHMEM_IP_PORT", "variable:2002")];
        let with = |more: &[&[(&'static str, &'static str)]]| [&pe_0[..], &more.concat()].concat();
        assert_eq!(
            address_of(code(), &pe_0),
            Some(("tcp://code:2000".into(), None))
        );
        assert_eq!(
            address_of(code(), &with(&[&launcher])),
            Some(("tcp://launcher:2001".into(), Some(5)))
        );
        assert_eq!(
            address_of(code(), &with(&[&launcher, &variable])),
            Some(("tcp://variable:2002".into(), None))
        );
        let pe_1 = [
            ("SHMEM_PE", "1"),
            ("SHMEM_N_PES", "2"),
            launcher[0],
            launcher[1],
        ];
        assert_eq!(
            address_of(code(), &pe_1),
            Some(("tcp://launcher:2001".into(), None))
        );
    }

    #[test]
    fn several_pes_without_an_address_are_told_the_three_ways() {
        let error = Config::new()
            .pe(0)
            .n_pes(2)
            .resolve(&Environment::default())
            .unwrap_err()
            .to_string();
        for way in ["SHMEM_IP_PORT", "launcher", "Config::ip_port"] {
            assert!(error.contains(way), "{error}");
        }
    }

    #[test]
    fn an_address_that_cannot_be_used_is_quoted_with_its_source() {
        let error = Config::new()
            .ip_port("127.0.0.1:80")
            .resolve(&Environment::default())
            .unwrap_err();
        assert_eq!(
            error.to_string(),
            "the address `127.0.0.1:80` (from Config::ip_port) cannot be used: its port is out of range; write \
             tcp://host:port, tcp6://[v6 address]:port or host:port, with a port from 1025 to 65535"
        );
    }

    #[test]
    fn numbers_out_of_range_are_refused_with_the_rule() {
        let none = Environment::default();
        for (config, message) in [
            (
                Config::new().n_pes(0),
                "n_pes is 0: it has to be 1 to 16384",
            ),
            (
                Config::new().n_pes(16_385),
                "n_pes is 16385: it has to be 1 to 16384",
            ),
            (
                Config::new().pe(3).n_pes(3),
                "pe is 3: this job has 3 PEs, so it has to be 0 to 2",
            ),
            (
                Config::new().pe(-1).n_pes(3),
                "pe is -1: this job has 3 PEs, so it has to be 0 to 2",
            ),
            (
                Config::new().init_timeout(Duration::ZERO),
                "init_timeout is 0ns: it has to be more than 0 and less than 49 days",
            ),
            (
                Config::new().operation_timeout(Duration::MAX),
                "operation_timeout is 18446744073709551615.999999999s: it has to be more than 0 and less than 49 days",
            ),
        ] {
            assert_eq!(config.resolve(&none).unwrap_err().to_string(), message);
        }
        for size in [0, 1, MIB, 3 * MIB, (40 << 30) + 2 * MIB, u64::MAX] {
            let error = Config::new()
                .local_mem_size(size)
                .resolve(&none)
                .unwrap_err()
                .to_string();
            assert!(
                error.starts_with(&format!(
                    "local_mem_size is {size}: it has to be a multiple of 2 MiB"
                )),
                "{error}"
            );
        }
        for size in [2 * MIB, 40 << 30] {
            assert!(Config::new().local_mem_size(size).resolve(&none).is_ok());
        }
    }
}
