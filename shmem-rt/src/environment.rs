//! What a PE learns from its environment, and the variables of the launcher.

use std::ffi::OsString;

use crate::Error;

pub(crate) const PE: &str = "SHMEM_PE";
pub(crate) const N_PES: &str = "SHMEM_N_PES";
pub(crate) const IP_PORT: &str = "SHMEM_IP_PORT";
pub(crate) const JOB_SECRET: &str = "SHMEM_JOB_SECRET";
pub(crate) const LAUNCHER_IP_PORT: &str = "SHMEM_LAUNCHER_IP_PORT";
pub(crate) const LAUNCHER_FD: &str = "SHMEM_LAUNCHER_FD";

/// The variables that this crate reads at init. A function from name to value, so that tests need no process of
/// their own.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Environment {
    pub(crate) pe: Option<i32>,
    pub(crate) n_pes: Option<i32>,
    pub(crate) ip_port: Option<String>,
    pub(crate) launcher_ip_port: Option<String>,
    pub(crate) launcher_fd: Option<i32>,
    pub(crate) secret: [u8; 16],
}

impl Environment {
    pub(crate) fn of_process() -> Result<Self, Error> {
        Self::read(|name| std::env::var_os(name))
    }

    pub(crate) fn read(get: impl Fn(&str) -> Option<OsString>) -> Result<Self, Error> {
        let text = |name| get(name).map(|v| v.to_string_lossy().into_owned());
        let number = |variable, least: i32, rule: &str| match text(variable) {
            None => Ok(None),
            Some(value) => match value.parse() {
                Ok(number) if number >= least => Ok(Some(number)),
                _ => Err(Error::Environment {
                    variable,
                    value,
                    rule: rule.into(),
                }),
            },
        };
        let environment = Self {
            pe: number(PE, 0, "it has to be the number of this PE, 0 or more")?,
            n_pes: number(N_PES, 1, "it has to be the number of PEs, 1 or more")?,
            ip_port: text(IP_PORT),
            launcher_ip_port: text(LAUNCHER_IP_PORT),
            launcher_fd: number(
                LAUNCHER_FD,
                0,
                "it has to be a descriptor, which the launcher sets; unset it",
            )?,
            secret: secret(text(JOB_SECRET))?,
        };
        let alone = |variable, value: i32, other: &str| Error::Environment {
            variable,
            value: value.to_string(),
            rule: format!("it is set without {other}; set both or neither"),
        };
        match (environment.pe, environment.n_pes) {
            (Some(pe), None) => Err(alone(PE, pe, N_PES)),
            (None, Some(n)) => Err(alone(N_PES, n, PE)),
            _ => Ok(environment),
        }
    }
}

/// 32 hexadecimal digits; a job without a launcher has none.
fn secret(text: Option<String>) -> Result<[u8; 16], Error> {
    let mut secret = [0; 16];
    let Some(text) = text else { return Ok(secret) };
    let digits = text.as_bytes();
    let valid = digits.len() == 32 && digits.iter().all(u8::is_ascii_hexdigit);
    for (byte, pair) in secret.iter_mut().zip(digits.chunks(2)) {
        *byte = std::str::from_utf8(pair)
            .ok()
            .and_then(|pair| u8::from_str_radix(pair, 16).ok())
            .unwrap_or(0);
    }
    if valid {
        Ok(secret)
    } else {
        // Its value stays out of messages.
        let (value, rule) = (
            "..".to_owned(),
            "it has to be 32 hexadecimal digits".to_owned(),
        );
        Err(Error::Environment {
            variable: JOB_SECRET,
            value,
            rule,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(pairs: &[(&str, &str)]) -> Result<Environment, Error> {
        Environment::read(|name| {
            pairs
                .iter()
                .find(|(n, _)| *n == name)
                .map(|(_, v)| v.into())
        })
    }

    #[test]
    fn an_empty_environment_says_nothing() {
        assert_eq!(read(&[]).unwrap(), Environment::default());
    }

    #[test]
    fn numbers_and_the_secret_are_read() {
        let secret = "000102030405060708090a0b0c0d0eFF";
        let all = read(&[
            (PE, "2"),
            (N_PES, "3"),
            (LAUNCHER_FD, "7"),
            (JOB_SECRET, secret),
        ])
        .unwrap();
        assert_eq!(
            (all.pe, all.n_pes, all.launcher_fd),
            (Some(2), Some(3), Some(7))
        );
        assert_eq!(
            all.secret,
            [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 255]
        );
    }

    #[test]
    fn what_cannot_be_used_is_quoted_with_the_rule() {
        for (pairs, message) in [
            (
                &[(PE, "x"), (N_PES, "2")],
                "SHMEM_PE is `x`: it has to be the number of this PE, 0 or more",
            ),
            (
                &[(PE, "-1"), (N_PES, "2")],
                "SHMEM_PE is `-1`: it has to be the number of this PE, 0 or more",
            ),
            (
                &[(PE, "0"), (N_PES, "0")],
                "SHMEM_N_PES is `0`: it has to be the number of PEs, 1 or more",
            ),
            (
                &[(PE, "0"), (N_PES, "")],
                "SHMEM_N_PES is ``: it has to be the number of PEs, 1 or more",
            ),
            (
                &[(PE, "1"), ("", "")],
                "SHMEM_PE is `1`: it is set without SHMEM_N_PES; set both or neither",
            ),
            (
                &[(N_PES, "2"), ("", "")],
                "SHMEM_N_PES is `2`: it is set without SHMEM_PE; set both or neither",
            ),
            (
                &[(JOB_SECRET, "abc"), ("", "")],
                "SHMEM_JOB_SECRET is `..`: it has to be 32 hexadecimal digits",
            ),
        ] {
            assert_eq!(
                read(pairs).unwrap_err().to_string(),
                format!("the environment variable {message}")
            );
        }
    }
}
