//! Starts the PEs of a job on this host and waits for all of them.
//!
//! PEs are started by exec, before any call of ACL: a process that has used ACL cannot be forked.

use core::ffi::c_int;
use std::ffi::OsString;
use std::io::{self, Write};
use std::net::{Ipv4Addr, TcpListener};
use std::os::fd::{AsRawFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Child, Command};
use std::sync::Arc;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

mod outcome;

pub use outcome::{End, Outcome, PeFailure};

use crate::Error;
use crate::environment::{IP_PORT, JOB_SECRET, LAUNCHER_FD, LAUNCHER_IP_PORT, N_PES, PE};

/// Most PEs of a job: `ACLSHMEM_MAX_PES`.
const MOST_PES: u32 = 16_384;
/// After the first failure the others end by themselves, because the runtime tells them. This is how long they have.
const GRACE: Duration = Duration::from_secs(2);

/// A job that is not started yet.
///
/// ```
/// use shmem_rt::launcher::Launcher;
///
/// let outcome = Launcher::new(2).program("/bin/sh").args(["-c", "exit $SHMEM_PE"]).run()?;
/// assert_eq!(outcome.exit_code(), 1);
/// assert_eq!(outcome.failures[0].text, "PE 1 exited with code 1");
/// # Ok::<(), shmem_rt::Error>(())
/// ```
#[must_use = "nothing is started before `run`"]
pub struct Launcher {
    n: u32,
    program: Option<PathBuf>,
    args: Vec<OsString>,
    args_of: Option<Box<dyn Fn(u32) -> Vec<OsString>>>,
    envs: Vec<(OsString, OsString)>,
}

impl std::fmt::Debug for Launcher {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let Self {
            n,
            program,
            args,
            envs,
            ..
        } = self;
        f.debug_struct("Launcher")
            .field("n", n)
            .field("program", program)
            .field("args", args)
            .field("envs", envs)
            .finish_non_exhaustive()
    }
}

impl Launcher {
    /// A job of `n` PEs of this program.
    pub fn new(n: u32) -> Self {
        Self {
            n,
            program: None,
            args: Vec::new(),
            args_of: None,
            envs: Vec::new(),
        }
    }

    /// Another program.
    pub fn program(mut self, program: impl Into<PathBuf>) -> Self {
        self.program = Some(program.into());
        self
    }

    /// Adds arguments that every PE gets.
    pub fn args(mut self, args: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.args.extend(args.into_iter().map(Into::into));
        self
    }

    /// Further arguments by PE, after those of [`args`](Self::args).
    pub fn arg_for(mut self, args_of: impl Fn(u32) -> Vec<OsString> + 'static) -> Self {
        self.args_of = Some(Box::new(args_of));
        self
    }

    /// Sets an environment variable for every PE.
    pub fn env(mut self, name: impl Into<OsString>, value: impl Into<OsString>) -> Self {
        self.envs.push((name.into(), value.into()));
        self
    }

    /// Starts the PEs and returns when all have ended.
    ///
    /// Each finds its number, the number of PEs, the address of the job and the job's secret in its environment. When a
    /// PE fails, the others get 2 s to end by themselves, then SIGTERM, then SIGKILL. The end of this process, by any
    /// signal, ends them as well. How PEs failed is said on standard error.
    ///
    /// # Errors
    /// [`Error::PeCount`]; [`Error::Spawn`] when a PE cannot be started: then none is left.
    pub fn run(self) -> Result<Outcome, Error> {
        if self.n == 0 || self.n > MOST_PES {
            return Err(Error::PeCount { n: self.n });
        }
        let program = match &self.program {
            Some(program) => program.clone(),
            None => std::env::current_exe()
                .map_err(|e| Error::io("finding the path of this program", e))?,
        };
        see_children_end();
        let job = Job::new(self.has_address())?;
        let mut pes = Pes::default();
        for pe in 0..self.n {
            match job.spawn(&mut self.command(&program, pe), pe) {
                Ok(child) => pes.children.push(Some(child)),
                Err(source) => {
                    let error = Error::Spawn {
                        pe: pe as i32,
                        program,
                        source: Arc::new(source),
                    };
                    pes.kill_all();
                    return Err(error);
                }
            }
        }
        // From here the socket is PE 0's alone: when it ends, nobody listens.
        drop(job);
        pes.wait()
    }

    /// Whether the user says where the job meets.
    fn has_address(&self) -> bool {
        self.envs.iter().any(|(name, _)| name == IP_PORT) || std::env::var_os(IP_PORT).is_some()
    }

    fn command(&self, program: &PathBuf, pe: u32) -> Command {
        let mut command = Command::new(program);
        command.args(&self.args);
        if let Some(args_of) = &self.args_of {
            command.args(args_of(pe));
        }
        // What an outer job's launcher said is not about this job.
        command.env_remove(LAUNCHER_IP_PORT).env_remove(LAUNCHER_FD);
        command.envs(self.envs.iter().map(|(name, value)| (name, value)));
        command
            .env(PE, pe.to_string())
            .env(N_PES, self.n.to_string());
        command
    }
}

/// Undoes an ignored SIGCHLD, which a process may inherit: the system would then not keep how the PEs end.
fn see_children_end() {
    const SIG_DFL: usize = 0;
    // SAFETY: as C declares it; every program of std is linked with it.
    unsafe extern "C" {
        fn signal(number: c_int, handler: usize) -> usize;
    }
    let number = Signal::CHILD.as_raw();
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let ignored = status
        .lines()
        .find_map(|line| u64::from_str_radix(line.strip_prefix("SigIgn:")?.trim(), 16).ok());
    if ignored.is_some_and(|mask| mask & (1 << (number - 1)) != 0) {
        // SAFETY: the default handler runs no code of this process.
        unsafe { signal(number, SIG_DFL) };
    }
}

/// What the PEs of one job share.
struct Job {
    secret: String,
    /// Already bound, so that no other program can take the port before PE 0 listens.
    listener: Option<(TcpListener, String)>,
}

impl Job {
    fn new(has_address: bool) -> Result<Self, Error> {
        let mut secret = [0; 16];
        rustix::rand::getrandom(&mut secret[..], rustix::rand::GetRandomFlags::empty())
            .map_err(|e| Error::io("making the job's secret", e.into()))?;
        let secret = secret.iter().map(|byte| format!("{byte:02x}")).collect();
        let bind = || -> io::Result<_> {
            let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
            let address = format!("tcp://{}", listener.local_addr()?);
            Ok((listener, address))
        };
        let listener = if has_address {
            None
        } else {
            Some(bind().map_err(|e| Error::io("opening a socket for the job", e))?)
        };
        Ok(Self { secret, listener })
    }

    fn spawn(&self, command: &mut Command, pe: u32) -> io::Result<Child> {
        command.env(JOB_SECRET, &self.secret);
        let mut inherited = None;
        if let Some((listener, address)) = &self.listener {
            command.env(LAUNCHER_IP_PORT, address);
            if pe == 0 {
                inherited = Some(listener.as_raw_fd());
                command.env(LAUNCHER_FD, listener.as_raw_fd().to_string());
            }
        }
        let launcher = rustix::process::getpid();
        let prepare = move || {
            rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
            // It may have ended before the line above.
            if rustix::process::getppid() != Some(launcher) {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
            if let Some(fd) = inherited {
                // SAFETY: the launcher keeps the socket open until all PEs are started.
                let fd = unsafe { BorrowedFd::borrow_raw(fd) };
                rustix::io::fcntl_setfd(fd, rustix::io::FdFlags::empty())?;
            }
            Ok(())
        };
        // SAFETY: between fork and exec it makes system calls only.
        unsafe { command.pre_exec(prepare) };
        command.spawn()
    }
}

/// The processes, by PE; `None` once one is reaped.
#[derive(Default)]
struct Pes {
    children: Vec<Option<Child>>,
}

impl Pes {
    fn wait(mut self) -> Result<Outcome, Error> {
        let ended = match self.watch() {
            Ok(ended) => ended,
            Err(error) => {
                self.kill_all();
                return Err(Error::io("starting a thread that waits for a PE", error));
            }
        };
        let mut failures = Vec::new();
        // What comes next when the PEs do not end by themselves, after the first failure.
        let mut next: Option<(Instant, Signal)> = None;
        let mut stopping = false;
        while self.children.iter().any(Option::is_some) {
            let message = match next {
                None => ended.recv().map_err(RecvTimeoutError::from),
                Some((at, _)) => ended.recv_timeout(at.saturating_duration_since(Instant::now())),
            };
            match (message, next) {
                (Ok(pe), _) => {
                    let Some(mut child) = self.children[pe as usize].take() else {
                        continue;
                    };
                    let status = match child.wait() {
                        Ok(status) => status,
                        // This process reaps its children elsewhere; how they end is not to be known here.
                        Err(error) => {
                            self.kill_all();
                            return Err(Error::io(format!("waiting for PE {pe}"), error));
                        }
                    };
                    if let Some(failure) = PeFailure::of(pe, status) {
                        let by_us = if stopping {
                            ", stopped by the launcher"
                        } else {
                            ""
                        };
                        // One write, so that it stays one line among what the PEs print.
                        let line = format!("{}{by_us}\n", failure.text);
                        let _ = io::stderr().write_all(line.as_bytes());
                        failures.push(failure);
                        next.get_or_insert((Instant::now() + GRACE, Signal::TERM));
                    }
                }
                (Err(_), Some((_, signal))) => {
                    stopping = true;
                    self.signal(signal);
                    next = Some((Instant::now() + GRACE, Signal::KILL));
                }
                // No thread is left to tell of a PE: ask each.
                (Err(_), None) => next = Some((Instant::now(), Signal::TERM)),
            }
        }
        Ok(Outcome { failures })
    }

    /// A thread for each PE tells when it has ended. It leaves the process to be reaped by [`Pes::wait`]: until then
    /// its number is not given to another.
    fn watch(&self) -> io::Result<Receiver<u32>> {
        let (sender, receiver) = mpsc::channel();
        for (pe, child) in (0..).zip(self.children.iter().flatten()) {
            let sender = sender.clone();
            let pid = Pid::from_child(child);
            std::thread::Builder::new()
                .name(format!("pe-{pe}"))
                .stack_size(64 << 10)
                .spawn(move || {
                    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT;
                    while let Err(rustix::io::Errno::INTR) =
                        rustix::process::waitid(WaitId::Pid(pid), options)
                    {}
                    let _ = sender.send(pe);
                })?;
        }
        Ok(receiver)
    }

    fn signal(&self, signal: Signal) {
        for child in self.children.iter().flatten() {
            let _ = rustix::process::kill_process(Pid::from_child(child), signal);
        }
    }

    fn kill_all(&mut self) {
        self.signal(Signal::KILL);
        for child in self.children.iter_mut().flatten() {
            let _ = child.wait();
        }
        self.children.clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::ffi::OsStr;

    /// `Some(None)`: the variable is removed.
    fn env_of(command: &Command, name: &str) -> Option<Option<OsString>> {
        command
            .get_envs()
            .find(|(n, _)| *n == OsStr::new(name))
            .map(|(_, v)| v.map(OsStr::to_owned))
    }

    #[test]
    fn a_number_of_pes_that_cannot_be_is_refused() {
        for n in [0, 16_385, u32::MAX] {
            let error = Launcher::new(n).program("/bin/true").run().unwrap_err();
            assert_eq!(
                error.to_string(),
                format!("{n} PEs cannot be started: give 1 to 16384")
            );
        }
    }

    #[test]
    fn a_program_that_is_not_there_is_named() {
        let error = Launcher::new(2)
            .program("/nowhere/program")
            .run()
            .unwrap_err()
            .to_string();
        assert!(
            error.starts_with("PE 0 could not be started from /nowhere/program: "),
            "{error}"
        );
    }

    #[test]
    fn each_pe_gets_the_common_arguments_and_then_its_own() {
        let launcher = Launcher::new(2)
            .args(["a b", ""])
            .arg_for(|pe| vec![format!("{pe}").into()]);
        let command = launcher.command(&"/bin/true".into(), 1);
        assert_eq!(command.get_args().collect::<Vec<_>>(), ["a b", "", "1"]);
        assert_eq!(env_of(&command, PE), Some(Some("1".into())));
        assert_eq!(env_of(&command, N_PES), Some(Some("2".into())));
        assert_eq!(env_of(&command, LAUNCHER_FD), Some(None));
    }
}
