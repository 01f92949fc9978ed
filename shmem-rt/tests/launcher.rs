//! The launcher: how it starts PEs, how it ends them, and what it says of their ends.

#![allow(
    clippy::unwrap_used,
    reason = "a test ends where something is not as it has to be"
)]

mod job;

use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use shmem_rt::launcher::{End, Launcher};

fn shell(n: u32, script: &str) -> Launcher {
    Launcher::new(n).program("/bin/sh").args(["-c", script])
}

/// Whether a process is there and not a zombie.
fn lives(pid: &str) -> bool {
    std::fs::read_to_string(format!("/proc/{}/stat", pid.trim()))
        .is_ok_and(|stat| !stat.contains(") Z "))
}

fn pids(dir: &Path) -> Vec<String> {
    std::fs::read_dir(dir)
        .unwrap()
        .map(|file| std::fs::read_to_string(file.unwrap().path()).unwrap())
        .collect()
}

#[test]
fn pes_that_do_well_make_code_0() {
    let outcome = shell(4, "exit 0").run().unwrap();
    assert_eq!((outcome.exit_code(), outcome.failures), (0, vec![]));
}

#[test]
fn the_first_failure_gives_the_exit_code() {
    let outcome = shell(4, "[ $SHMEM_PE != 2 ] || exit 3").run().unwrap();
    assert_eq!(outcome.exit_code(), 3);
    assert_eq!(outcome.failures.len(), 1);
    assert_eq!(
        (outcome.failures[0].pe, outcome.failures[0].end),
        (2, End::Code(3))
    );
    assert_eq!(outcome.failures[0].text, "PE 2 exited with code 3");
}

#[test]
fn a_signal_gives_128_and_its_number() {
    let outcome = shell(3, "[ $SHMEM_PE != 1 ] || kill -SEGV $$")
        .run()
        .unwrap();
    assert_eq!(outcome.exit_code(), 139);
    assert_eq!(outcome.failures[0].end, End::Signal(11));
    assert_eq!(outcome.failures[0].text, "PE 1 was killed by SIGSEGV");
}

#[test]
fn a_pe_is_told_its_job() {
    let script = r#"
        [ "$SHMEM_N_PES" = 2 ] && [ ${#SHMEM_JOB_SECRET} = 32 ] || exit 1
        case $SHMEM_LAUNCHER_IP_PORT in tcp://127.0.0.1:*) ;; *) exit 2 ;; esac
        if [ $SHMEM_PE = 0 ]; then
            [ -S /proc/self/fd/$SHMEM_LAUNCHER_FD ] || exit 3
        else
            [ -z "$SHMEM_LAUNCHER_FD" ] || exit 4
        fi
        [ "$GIVEN" = "a
b=c" ] || exit 5"#;
    assert_eq!(
        shell(2, script)
            .env("GIVEN", "a\nb=c")
            .run()
            .unwrap()
            .failures,
        []
    );
}

#[test]
fn an_address_of_the_user_is_left_alone() {
    let script =
        r#"[ "$SHMEM_IP_PORT" = h:2000 ] && [ -z "$SHMEM_LAUNCHER_IP_PORT$SHMEM_LAUNCHER_FD" ]"#;
    assert_eq!(
        shell(2, script)
            .env("SHMEM_IP_PORT", "h:2000")
            .run()
            .unwrap()
            .failures,
        []
    );
}

#[test]
fn arguments_arrive_byte_for_byte() {
    let launcher = Launcher::new(2)
        .program("/bin/sh")
        .args(["-c", r#"[ "$0|$1|$2|$3" = "a b||*|$SHMEM_PE" ]"#]);
    let outcome = launcher
        .args(["a b", "", "*"])
        .arg_for(|pe| vec![pe.to_string().into()])
        .run()
        .unwrap();
    assert_eq!(outcome.failures, []);
}

#[test]
fn the_others_end_after_a_failure_also_those_that_do_not_want_to() {
    let dir = tempfile::tempdir().unwrap();
    let script = r#"
        echo $$ > "$DIR/$SHMEM_PE"
        case $SHMEM_PE in
            0) while [ ! -s "$DIR/2" ]; do sleep 0.01; done; exit 9 ;;
            1) exec sleep 1000 ;;
            2) trap '' TERM; while :; do sleep 0.05; done ;;
        esac"#;
    let start = Instant::now();
    let outcome = shell(3, script).env("DIR", dir.path()).run().unwrap();
    assert!(
        (4..7).contains(&start.elapsed().as_secs()),
        "{:?}",
        start.elapsed()
    );
    assert_eq!(outcome.exit_code(), 9);
    let ends: Vec<_> = outcome.failures.iter().map(|failure| failure.end).collect();
    assert_eq!(ends, [End::Code(9), End::Signal(15), End::Signal(9)]);
    assert!(pids(dir.path()).iter().all(|pid| !lives(pid)));
}

#[test]
fn nothing_outlives_a_launcher_that_is_killed() {
    let name = "nothing_outlives_a_launcher_that_is_killed";
    if job::is_pe(name) {
        let _ = shell(3, r#"echo $$ > "$DIR/$SHMEM_PE"; exec sleep 1000"#).run();
        return;
    }
    let dir = tempfile::tempdir().unwrap();
    let mut launcher = Command::new(std::env::current_exe().unwrap())
        .args([name, "--exact"])
        .env("SHMEM_TEST_CHILD", name)
        .env("DIR", dir.path())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    job::eventually(|| {
        pids(dir.path())
            .iter()
            .filter(|pid| !pid.is_empty())
            .count()
            == 3
    });
    let pids = pids(dir.path());
    assert!(pids.iter().all(|pid| lives(pid)));
    launcher.kill().unwrap();
    launcher.wait().unwrap();
    job::eventually(|| !pids.iter().any(|pid| lives(pid)));
}

#[test]
fn the_ends_of_the_pes_are_seen_also_where_sigchld_was_ignored() {
    let name = "the_ends_of_the_pes_are_seen_also_where_sigchld_was_ignored";
    if job::is_pe(name) {
        let outcome = shell(3, "[ $SHMEM_PE != 1 ] || exit 6").run().unwrap();
        assert_eq!(outcome.exit_code(), 6);
        return;
    }
    let status = Command::new("/bin/sh")
        .args(["-c", "trap '' CHLD; exec \"$0\" \"$@\" >/dev/null"])
        .arg(std::env::current_exe().unwrap())
        .args([name, "--exact"])
        .env("SHMEM_TEST_CHILD", name)
        .status()
        .unwrap();
    assert!(status.success(), "{status}");
}

#[test]
fn a_program_that_cannot_be_started_leaves_no_pe() {
    let error = Launcher::new(3).program("/").run().unwrap_err().to_string();
    assert!(
        error.starts_with("PE 0 could not be started from /: "),
        "{error}"
    );
}

#[test]
fn many_pes_start_and_end_quickly() {
    let start = Instant::now();
    let outcome = Launcher::new(64).program("/bin/true").run().unwrap();
    assert_eq!(outcome.failures, []);
    assert!(
        start.elapsed() < Duration::from_secs(2),
        "{:?}",
        start.elapsed()
    );
}
