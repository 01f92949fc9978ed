//! Runs the body of a test in processes of its own, as the PEs of a job.
//!
//! The test binary starts itself again with the test's name, and the body runs there. A body asserts; a PE whose body
//! panics fails the test.

#![allow(dead_code)]

use std::net::TcpListener;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use shmem_rt::Error;
use shmem_rt::launcher::{Launcher, Outcome};

/// Names the test whose body a process runs.
const CHILD: &str = "SHMEM_TEST_CHILD";
/// No process of a test lives longer.
const DEADLINE: Duration = Duration::from_secs(40);

/// Whether this process is a PE of the test. Then it ends at the deadline, whatever its body does.
pub fn is_pe(name: &str) -> bool {
    let pe = std::env::var(CHILD).is_ok_and(|child| child == name);
    if pe {
        std::thread::spawn(|| {
            std::thread::sleep(DEADLINE);
            eprintln!("a PE did not end before its deadline");
            std::process::abort();
        });
    }
    pe
}

/// The arguments of a shell that runs this test again, without the test runner's own output.
fn again(name: &str) -> Vec<String> {
    let exe = std::env::current_exe()
        .unwrap()
        .to_str()
        .unwrap()
        .to_owned();
    let runner = ["--exact", "--nocapture", "--test-threads=1"];
    ["-c", "exec \"$0\" \"$@\" >/dev/null", &exe, name]
        .iter()
        .chain(&runner)
        .map(|s| (*s).to_owned())
        .collect()
}

/// A job of `n` PEs that runs the body of the test.
pub fn launcher(n: u32, name: &str) -> Launcher {
    Launcher::new(n)
        .program("/bin/sh")
        .args(again(name))
        .env(CHILD, name)
        .env("RUST_BACKTRACE", "0")
}

/// Runs `body` on `n` PEs. How they ended, in the parent; `None` in a PE.
pub fn outcome(n: u32, name: &str, body: impl FnOnce() -> Result<(), Error>) -> Option<Outcome> {
    if is_pe(name) {
        body().unwrap();
        return None;
    }
    Some(launcher(n, name).run().unwrap())
}

/// Runs `body` on `n` PEs; all have to do well.
pub fn run(n: u32, name: &str, body: impl FnOnce() -> Result<(), Error>) {
    if let Some(outcome) = outcome(n, name, body) {
        assert_eq!(outcome.failures, []);
    }
}

/// Processes that are started without the launcher, killed when the test ends before them.
pub struct ByHand(Vec<Child>);

/// Runs the body in one process for each list of variables.
pub fn by_hand(name: &str, environments: &[&[(&str, &str)]]) -> ByHand {
    let start = |variables: &&[(&str, &str)]| {
        let mut command = Command::new("/bin/sh");
        command
            .args(again(name))
            .env(CHILD, name)
            .env("RUST_BACKTRACE", "0")
            .stdin(Stdio::null());
        command.envs(variables.iter().copied()).spawn().unwrap()
    };
    ByHand(environments.iter().map(start).collect())
}

impl ByHand {
    /// All have to do well.
    pub fn all_well(mut self) {
        for (index, child) in self.0.iter_mut().enumerate() {
            let status = child.wait().unwrap();
            assert!(status.success(), "process {index}: {status}");
        }
    }
}

impl Drop for ByHand {
    fn drop(&mut self) {
        for child in &mut self.0 {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// A port of this host that nobody uses now.
pub fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0")
        .unwrap()
        .local_addr()
        .unwrap()
        .port()
}

/// Descriptors and mappings of files of this process.
pub fn resources() -> (usize, usize) {
    let fds = std::fs::read_dir("/proc/self/fd").unwrap().count();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    (
        fds,
        maps.lines()
            .filter(|line| line.contains("memfd") || line.contains("/dev/"))
            .count(),
    )
}

/// Waits until `condition` holds.
pub fn eventually(condition: impl Fn() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < DEADLINE, "it did not come to be in time");
        std::thread::sleep(Duration::from_millis(5));
    }
}
