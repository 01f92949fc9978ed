//! How a job ended: which PEs failed, and how.

use std::os::unix::process::ExitStatusExt;
use std::process::ExitStatus;

use rustix::process::Signal;

/// How a job ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Outcome {
    /// The PEs that did not exit with code 0, in the order in which they ended.
    pub failures: Vec<PeFailure>,
}

/// How a PE failed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct PeFailure {
    /// The PE.
    pub pe: u32,
    /// Its end.
    pub end: End,
    /// The same in words: "PE 3 was killed by SIGSEGV".
    pub text: String,
}

/// The end of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// It exited with this code.
    Code(i32),
    /// This signal killed it.
    Signal(i32),
}

impl Outcome {
    /// 0 when all PEs did well, else the first failing PE's exit code, or 128 and its signal.
    #[must_use]
    pub fn exit_code(&self) -> u8 {
        match self.failures.first().map(|failure| failure.end) {
            None => 0,
            // A code has eight bits, and one that failed is not 0.
            Some(End::Code(code)) => (code & 0xff).max(1) as u8,
            Some(End::Signal(signal)) => (128 + signal) as u8,
        }
    }
}

impl PeFailure {
    /// `None` for a PE that did well.
    pub(super) fn of(pe: u32, status: ExitStatus) -> Option<Self> {
        let (end, text) = match (status.code(), status.signal()) {
            (Some(0), _) => return None,
            (Some(code), _) => (End::Code(code), format!("PE {pe} exited with code {code}")),
            (None, signal) => {
                let signal = signal.unwrap_or(0);
                (
                    End::Signal(signal),
                    format!("PE {pe} was killed by {}", signal_name(signal)),
                )
            }
        };
        Some(Self { pe, end, text })
    }
}

fn signal_name(signal: i32) -> String {
    let names = [
        (Signal::HUP, "SIGHUP"),
        (Signal::INT, "SIGINT"),
        (Signal::QUIT, "SIGQUIT"),
        (Signal::ILL, "SIGILL"),
        (Signal::TRAP, "SIGTRAP"),
        (Signal::ABORT, "SIGABRT"),
        (Signal::BUS, "SIGBUS"),
        (Signal::FPE, "SIGFPE"),
        (Signal::KILL, "SIGKILL"),
        (Signal::SEGV, "SIGSEGV"),
        (Signal::PIPE, "SIGPIPE"),
        (Signal::ALARM, "SIGALRM"),
        (Signal::TERM, "SIGTERM"),
        (Signal::XCPU, "SIGXCPU"),
        (Signal::SYS, "SIGSYS"),
    ];
    let known = names.iter().find(|(known, _)| known.as_raw() == signal);
    known.map_or_else(
        || format!("signal {signal}"),
        |(_, name)| (*name).to_owned(),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exit_codes_and_signals_become_one_code_as_in_a_shell() {
        let outcome = |raw| Outcome {
            failures: PeFailure::of(3, ExitStatus::from_raw(raw))
                .into_iter()
                .collect(),
        };
        assert_eq!(outcome(0).exit_code(), 0);
        assert_eq!(outcome(7 << 8).exit_code(), 7);
        assert_eq!(outcome(11).exit_code(), 139);
        assert_eq!(outcome(11).failures[0].text, "PE 3 was killed by SIGSEGV");
        assert_eq!(outcome(1 << 8).failures[0].text, "PE 3 exited with code 1");
        assert_eq!(outcome(35).failures[0].text, "PE 3 was killed by signal 35");
    }
}
