//! The example as its users run it: real processes, the lines that they print, the exit codes.

use std::collections::HashSet;
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::thread;
use std::time::{Duration, Instant};

/// The built example: cargo builds it before it runs the tests of its package.
fn example() -> Command {
    let test = std::env::current_exe().expect("the test has a path");
    let profile = test.ancestors().nth(2).expect("target/<profile>/deps/test");
    let mut command = Command::new(profile.join("examples/rma_d2h"));
    command
        .env_remove("SHMEM_IP_PORT")
        .env_remove("SHMEM_BACKEND")
        .stdin(Stdio::null());
    command
}

/// Runs to the end, or fails the test after a minute.
fn run(mut command: Command) -> Output {
    let mut child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the example is built");
    let pid = child.id();
    let deadline = Instant::now() + Duration::from_secs(60);
    let waiter = thread::spawn(move || {
        let mut output = Output {
            status: Default::default(),
            stdout: Vec::new(),
            stderr: Vec::new(),
        };
        let mut stderr = child.stderr.take().expect("piped");
        let errors = thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = std::io::Read::read_to_end(&mut stderr, &mut bytes);
            bytes
        });
        let _ = std::io::Read::read_to_end(
            &mut child.stdout.take().expect("piped"),
            &mut output.stdout,
        );
        output.status = child.wait().expect("it ends");
        output.stderr = errors.join().expect("the reader ends");
        output
    });
    while !waiter.is_finished() {
        if Instant::now() > deadline {
            // The PEs go with their launcher.
            let _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
            panic!("the example still runs after a minute");
        }
        thread::sleep(Duration::from_millis(2));
    }
    waiter.join().expect("the waiter ends")
}

fn lines(output: &Output) -> Vec<String> {
    String::from_utf8_lossy(&output.stdout)
        .lines()
        .map(str::to_owned)
        .collect()
}

/// Asserts that all PEs of a job printed what they must, and that it succeeded.
fn assert_success(output: &Output, n: i32, expected: impl Fn(i32) -> (i32, i32)) {
    let lines = lines(output);
    let context = format!(
        "{n} PEs: {lines:?} {}",
        String::from_utf8_lossy(&output.stderr)
    );
    assert_eq!(output.status.code(), Some(0), "{context}");
    let mut wanted = HashSet::new();
    for pe in 0..n {
        let (input, second) = expected(pe);
        wanted.insert(format!("{pe}: received message {input} {second}"));
        wanted.insert(format!("[SUCCESS] run success in pe {pe}"));
        wanted.insert(format!("[INFO] demo run end in pe {pe}"));
    }
    assert_eq!(lines.len(), wanted.len(), "{context}");
    assert_eq!(
        lines.into_iter().collect::<HashSet<_>>(),
        wanted,
        "{context}"
    );
}

fn ring(n: i32) -> impl Fn(i32) -> (i32, i32) {
    move |pe| (pe, (pe + 1) % n)
}

fn exchange(n: i32) -> impl Fn(i32) -> (i32, i32) {
    move |pe| ((pe + n - 1) % n, (pe + 1) % n)
}

#[test]
fn the_default_run_is_eight_pes() {
    assert_success(&run(example()), 8, ring(8));
}

#[test]
fn the_ring_closes_at_every_size() {
    for n in [1, 2, 3, 5, 8, 16] {
        let mut command = example();
        command.args(["-pes", &n.to_string()]);
        assert_success(&run(command), n, ring(n));
    }
}

#[test]
fn the_exchange_sends_the_own_number_on() {
    for n in [1, 2, 3, 5, 8, 16] {
        let mut command = example();
        command.args(["--exchange", "-pes", &n.to_string()]);
        assert_success(&run(command), n, exchange(n));
    }
}

#[test]
fn sixty_four_pes_share_two_cores() {
    let mut command = example();
    command.args(["-pes", "64"]);
    assert_success(&run(command), 64, ring(64));
}

#[test]
fn the_simulator_can_be_chosen() {
    let mut command = example();
    command.env("SHMEM_BACKEND", "sim");
    assert_success(&run(command), 8, ring(8));
}

#[test]
fn another_backend_is_refused_by_name() {
    for (name, word) in [("cann", "`cann`"), ("gpu", "`gpu`")] {
        let mut command = example();
        command.env("SHMEM_BACKEND", name).args(["-pes", "1"]);
        let output = run(command);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{stderr}");
        assert!(
            stderr.contains("SHMEM_BACKEND") && stderr.contains(word),
            "{stderr}"
        );
    }
}

#[test]
fn two_jobs_at_once_do_not_meet() {
    let jobs: Vec<_> = (0..4).map(|_| thread::spawn(|| run(example()))).collect();
    for job in jobs {
        assert_success(&job.join().expect("the job ends"), 8, ring(8));
    }
}

#[test]
fn a_busy_port_does_not_fail_the_default_run() {
    // Held by this test, or by somebody else: busy in both cases.
    let _held = TcpListener::bind("127.0.0.1:8998");
    assert_success(&run(example()), 8, ring(8));
}

#[test]
fn an_address_of_the_user_is_used_as_given() {
    let held = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = held.local_addr().expect("an address").to_string();
    let mut command = example();
    command
        .env("SHMEM_IP_PORT", format!("tcp://{address}"))
        .args(["-pes", "2"]);
    let output = run(command);
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{stderr}");
    assert!(stderr.contains(&address), "{stderr}");
}

#[test]
fn pes_can_be_started_by_hand() {
    let free = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = format!("tcp://{}", free.local_addr().expect("an address"));
    drop(free);
    let pes: Vec<_> = (0..3)
        .map(|pe: i32| {
            let mut command = example();
            command
                .env("SHMEM_IP_PORT", &address)
                .args(["3", &pe.to_string()]);
            thread::spawn(move || run(command))
        })
        .collect();
    for (pe, job) in pes.into_iter().enumerate() {
        let output = job.join().expect("the PE ends");
        let pe = i32::try_from(pe).expect("small");
        let wanted = [
            format!("{pe}: received message {pe} {}", (pe + 1) % 3),
            format!("[SUCCESS] run success in pe {pe}"),
            format!("[INFO] demo run end in pe {pe}"),
        ];
        assert_eq!(
            lines(&output),
            wanted,
            "{}",
            String::from_utf8_lossy(&output.stderr)
        );
        assert_eq!(output.status.code(), Some(0));
    }
}

#[test]
fn bad_arguments_are_a_usage_line_and_exit_2() {
    let cases: [(&[&str], &str); 11] = [
        (&["-pes"], "-pes needs a number of PEs"),
        (&["-pes", "0"], "`0` is no number of PEs"),
        (&["-pes", "-3"], "`-3` is no number of PEs"),
        (&["-pes", "three"], "`three` is no number of PEs"),
        (
            &["-pes", "99999999999"],
            "`99999999999` is no number of PEs",
        ),
        (&["-pes", "2", "1"], "leave out N_PES and MY_PE"),
        (&["3"], "MY_PE is missing"),
        (&["3", "3"], "MY_PE is `3`: give a number from 0 to 2"),
        (&["3", "-1"], "MY_PE is `-1`: give a number from 0 to 2"),
        (&["3", "1", "7"], "`7` is one argument too many"),
        (&["--excange"], "unknown option `--excange`"),
    ];
    for (args, message) in cases {
        let mut command = example();
        command.args(args);
        let output = run(command);
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{args:?}: {stderr}");
        assert!(
            stderr.contains(message) && stderr.contains("usage: rma_d2h"),
            "{args:?}: {stderr}"
        );
        assert!(output.stdout.is_empty(), "{args:?}");
    }
}

#[test]
fn nothing_is_left_behind() {
    let listing = |path: &str| -> HashSet<PathBuf> {
        std::fs::read_dir(path)
            .map(|dir| dir.flatten().map(|entry| entry.path()).collect())
            .unwrap_or_default()
    };
    let ours = |path: &PathBuf| {
        path.to_string_lossy().contains("shmem") || path.to_string_lossy().contains("rma_d2h")
    };
    let places = ["/dev/shm", "/tmp"];
    let before = places.map(listing);
    assert_success(&run(example()), 8, ring(8));
    for (place, before) in places.into_iter().zip(before) {
        let after = listing(place);
        let left: Vec<&PathBuf> = after
            .difference(&before)
            .filter(|path| ours(path))
            .collect();
        assert!(left.is_empty(), "{left:?}");
    }
}
