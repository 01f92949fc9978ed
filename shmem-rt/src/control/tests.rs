//! The channel without a backend: the PEs are threads of this process.

use std::net::TcpListener;
use std::panic::Location;
use std::thread;
use std::time::{Duration, Instant};

use super::*;

fn member(pe: i32, n_pes: i32) -> Member {
    Member {
        pe,
        n_pes,
        local_mem_size: 1 << 30,
        secret: [7; 16],
        init_timeout: Duration::from_secs(10),
        operation_timeout: Duration::from_secs(10),
    }
}

/// Runs `body` as each PE of a job, each in a thread; the results by PE.
fn job<R: Send>(n: i32, body: impl Fn(i32, Control) -> R + Sync) -> Vec<R> {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = Address::from(listener.local_addr().unwrap());
    let (body, address) = (&body, &address);
    thread::scope(|scope| {
        let first = scope.spawn(move || {
            body(
                0,
                Control::serve(&member(0, n), listener, b"payload").unwrap(),
            )
        });
        let others = (1..n).map(|pe| {
            scope.spawn(move || {
                let (control, payload) = Control::join(&member(pe, n), address).unwrap();
                assert_eq!(payload, b"payload");
                body(pe, control)
            })
        });
        let all: Vec<_> = std::iter::once(first)
            .chain(others.collect::<Vec<_>>())
            .collect();
        all.into_iter().map(|pe| pe.join().unwrap()).collect()
    })
}

#[track_caller]
fn barrier(control: &Control) -> Result<Result<(), (i32, String)>, Error> {
    control.collective(Record::new(Kind::Barrier, Location::caller()))
}

fn finalize(control: &Control) {
    control
        .collective(Record::new(Kind::Finalize, Location::caller()))
        .unwrap()
        .unwrap();
    control.close();
}

#[test]
fn many_collectives_pass_one_after_the_other() {
    job(8, |_, control| {
        for _ in 0..200 {
            barrier(&control).unwrap().unwrap();
        }
        finalize(&control);
    });
}

#[test]
fn a_refusal_of_one_pe_is_told_to_all_and_is_not_the_end() {
    job(3, |pe, control| {
        let mut record = Record::new(Kind::Allocated, Location::caller());
        record.refused = (pe == 1).then(|| "full".to_owned());
        assert_eq!(
            control.collective(record).unwrap(),
            Err((1, "full".to_owned()))
        );
        barrier(&control).unwrap().unwrap();
        finalize(&control);
    });
}

#[test]
fn a_failure_is_seen_without_a_collective_and_stays() {
    job(3, |pe, control| {
        barrier(&control).unwrap().unwrap();
        if pe == 2 {
            control.report("it broke");
        }
        let start = Instant::now();
        let failure = loop {
            if let Some(failure) = control.failure(Duration::from_millis(5)) {
                break failure;
            }
            assert!(start.elapsed() < Duration::from_secs(5));
        };
        assert_eq!(failure.to_string(), "PE 2 failed: it broke");
        assert_eq!(
            barrier(&control).unwrap_err().to_string(),
            "PE 2 failed: it broke"
        );
        control.leave();
    });
}

#[test]
fn the_first_failure_of_a_job_is_the_one_that_counts() {
    let errors = job(4, |pe, control| {
        if pe == 3 {
            control.leave();
            return String::new();
        }
        let error = barrier(&control).unwrap_err().to_string();
        control.report("because of that");
        control.leave();
        error
    });
    assert_eq!(errors[..3], ["PE 3 left the job without finalize"; 3]);
}

#[test]
fn the_least_patient_pe_that_waits_sets_the_deadline() {
    let errors = job(2, |pe, mut control| {
        control.operation_timeout = if pe == 0 {
            Duration::from_millis(100)
        } else {
            Duration::from_secs(1000)
        };
        if pe == 1 {
            thread::sleep(Duration::from_millis(400));
        }
        let error = barrier(&control).unwrap_err().to_string();
        control.leave();
        error
    });
    assert_eq!(errors[0], errors[1]);
    assert!(
        errors[0].starts_with("PE 1 did not come to barrier_all at "),
        "{}",
        errors[0]
    );
}

#[test]
fn a_process_that_comes_too_late_is_refused_and_the_job_goes_on() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = Address::from(listener.local_addr().unwrap());
    thread::scope(|scope| {
        let first = scope.spawn(|| Control::serve(&member(0, 2), listener, b"").unwrap());
        let (second, _) = Control::join(&member(1, 2), &address).unwrap();
        let first = first.join().unwrap();
        let error = Control::join(&member(1, 2), &address)
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            format!(
                "this PE cannot join the job at {address}: the job at this address has all its PEs already"
            )
        );
        for control in [first, second] {
            scope.spawn(move || {
                barrier(&control).unwrap().unwrap();
                finalize(&control);
            });
        }
    });
}

#[test]
fn a_process_of_another_user_is_refused_and_the_job_goes_on() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = Address::from(listener.local_addr().unwrap());
    thread::scope(|scope| {
        let first = scope.spawn(|| Control::serve(&member(0, 2), listener, b"").unwrap());
        let own = member(1, 2).hello(&[]);
        let hello = Hello {
            user: own.user + 1,
            ..own.clone()
        };
        let patience = Duration::from_secs(5);
        let error = connect::reach(&address, &hello, patience, Instant::now() + patience)
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            format!(
                "this PE cannot join the job at {address}: PE 0 at this address runs as user {} and this PE as user \
                 {}: start all PEs as one user",
                own.user, hello.user
            )
        );
        let (second, _) = Control::join(&member(1, 2), &address).unwrap();
        let first = first.join().unwrap();
        for control in [first, second] {
            scope.spawn(move || finalize(&control));
        }
    });
}

#[test]
fn a_report_returns_when_all_pes_have_been_told() {
    for reporter in [0, 1] {
        let told = job(3, |pe, control| {
            barrier(&control).unwrap().unwrap();
            let start = Instant::now();
            if pe == reporter {
                control.report("it broke");
                assert!(start.elapsed() < REPORT_PATIENCE);
            } else {
                while control.failure(Duration::from_millis(50)).is_none() {
                    assert!(start.elapsed() < Duration::from_secs(5));
                }
            }
            // Nothing is left to wait for.
            let failure = control.failure(Duration::ZERO).unwrap().to_string();
            control.leave();
            failure
        });
        assert_eq!(
            told,
            [(); 3].map(|()| format!("PE {reporter} failed: it broke"))
        );
    }
}

#[test]
fn a_service_that_speaks_something_else_is_not_taken_for_pe_0() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = Address::from(listener.local_addr().unwrap());
    thread::spawn(move || {
        use std::io::Write;
        while let Ok((mut stream, _)) = listener.accept() {
            let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
            let _ = std::io::Read::read(&mut stream, &mut [0; 64]);
        }
    });
    let mut member = member(1, 2);
    member.init_timeout = Duration::from_millis(300);
    let start = Instant::now();
    let error = Control::join(&member, &address).unwrap_err().to_string();
    assert!(
        error.contains("what listens there is not PE 0 of a SHMEM job"),
        "{error}"
    );
    assert!(start.elapsed() < Duration::from_secs(2));
}
