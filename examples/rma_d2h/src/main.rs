//! Each PE writes into the host-side symmetric heap of its successor, and reads it back.
//!
//! `rma_d2h` starts 8 PEs on this host, `rma_d2h -pes 3` starts 3, and `rma_d2h 3 1` is PE 1 of 3. The kernels are in
//! `kernels.rs`.

mod kernels;

use std::ffi::OsString;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;
use std::time::Duration;

use shmem::launcher::Launcher;
use shmem::{Config, Side};

const USAGE: &str = "\
usage: rma_d2h [-pes N] [--exchange]         start N PEs (default 8) and wait for them
       rma_d2h N_PES MY_PE [--exchange]      run one PE; start the others by hand
options:
  --exchange   the PEs send their own number on, in place of the official sample's pattern
  --help       print this";

/// What the command line asks for.
enum Task {
    Help,
    Launch { n_pes: i32 },
    Run { n_pes: i32, my_pe: i32 },
}

fn main() -> ExitCode {
    let (task, exchange) = match parse(std::env::args_os().skip(1)) {
        Ok(parsed) => parsed,
        Err(message) => {
            complain(format_args!("rma_d2h: {message}\n{USAGE}"));
            return ExitCode::from(2);
        }
    };
    let result = match task {
        Task::Help => say(USAGE).map(|()| 0),
        Task::Launch { n_pes } => launch(n_pes, exchange),
        Task::Run { n_pes, my_pe } => {
            run(n_pes, my_pe, exchange).map_err(|error| format!("pe {my_pe}: {error}").into())
        }
    };
    match result {
        Ok(code) => ExitCode::from(code),
        Err(error) => {
            complain(format_args!("rma_d2h: {error}"));
            ExitCode::FAILURE
        }
    }
}

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// Starts the PEs: this program again, with its two numbers as arguments.
fn launch(n_pes: i32, exchange: bool) -> Result<u8> {
    let outcome = Launcher::new(n_pes as u32)
        .arg_for(move |pe| vec![n_pes.to_string().into(), pe.to_string().into()])
        .args(exchange.then_some("--exchange"))
        .run()?;
    Ok(outcome.exit_code())
}

/// What one PE does. The exit code is 1 when a value is wrong.
fn run(n_pes: i32, my_pe: i32, exchange: bool) -> Result<u8> {
    // 1. Join the job. The address is where PE 0 listens; the launcher and SHMEM_IP_PORT come before it.
    let world = Config::new()
        .pe(my_pe)
        .n_pes(n_pes)
        .ip_port("tcp://127.0.0.1:8998")
        .local_mem_size(1 << 30)
        .init_timeout(Duration::from_secs(120))
        .operation_timeout(Duration::from_secs(120))
        .init()?;
    let stream = world.stream()?;
    let next = (my_pe + 1) % n_pes;

    // 2. A cell that all PEs reach, in host memory. Every PE allocates it: the call is collective.
    let input = world.alloc(Side::Host).bytes(2 << 20).value(0_i32)?;

    let (values, expected) = if exchange {
        // `output` is symmetric as well: the successor reads it. `copy` is this PE's own.
        let output = world.alloc(Side::Device).value(my_pe)?;
        let copy = world.device_value(-1_i32)?;
        // 3. Nobody writes before everybody has allocated; nobody reads before everybody has written.
        world.barrier_all()?;
        kernels::exchange::launch(&stream, 1, &input, &output, &copy)?;
        stream.synchronize()?;
        world.barrier_all()?;
        // 4. Read the results back.
        let values = (input.read()?, copy.read()?);
        output.free()?;
        (values, ((my_pe + n_pes - 1) % n_pes, next))
    } else {
        // `output` is plain device memory: no other PE reaches it.
        let output = world.device_value(my_pe)?;
        world.barrier_all()?;
        kernels::ring::launch(&stream, 1, &input, &output)?;
        stream.synchronize()?;
        world.barrier_all()?;
        ((input.read()?, output.read()?), (my_pe, next))
    };

    let (first, second) = values;
    say(format_args!("{my_pe}: received message {first} {second}"))?;
    let right = values == expected;
    if right {
        say(format_args!("[SUCCESS] run success in pe {my_pe}"))?;
    } else {
        say(format_args!("[ERROR] run result incorrect in pe {my_pe}"))?;
    }

    // Give everything back. Device memory and the stream are freed when they go out of scope.
    input.free()?;
    drop(stream);
    world.finalize()?;
    say(format_args!("[INFO] demo run end in pe {my_pe}"))?;
    Ok(u8::from(!right))
}

/// Prints a line with one write, so that the lines of several PEs do not mix.
fn say(line: impl Display) -> Result<()> {
    Ok(io::stdout().write_all(format!("{line}\n").as_bytes())?)
}

/// The same on standard error, where nothing can be done about a failure.
fn complain(line: impl Display) {
    let _ = io::stderr().write_all(format!("{line}\n").as_bytes());
}

fn parse(args: impl Iterator<Item = OsString>) -> std::result::Result<(Task, bool), String> {
    let (mut pes, mut exchange, mut numbers) = (None, false, Vec::new());
    let mut args = args.map(|arg| arg.to_string_lossy().into_owned());
    while let Some(arg) = args.next() {
        match arg.as_str() {
            "--help" | "-h" => return Ok((Task::Help, false)),
            "--exchange" => exchange = true,
            "-pes" => pes = Some(count(&args.next().ok_or("-pes needs a number of PEs")?)?),
            // -1 is a number, though not a good one.
            option if option.starts_with('-') && option.parse::<i64>().is_err() => {
                return Err(format!("unknown option `{option}`"));
            }
            _ => numbers.push(arg),
        }
    }
    let task = match (pes, numbers.as_slice()) {
        (pes, []) => Task::Launch {
            n_pes: pes.unwrap_or(8),
        },
        (Some(_), _) => return Err("-pes starts PEs itself: leave out N_PES and MY_PE".into()),
        (None, [_]) => return Err("MY_PE is missing".into()),
        (None, [n_pes, my_pe]) => {
            let n_pes = count(n_pes)?;
            match my_pe.parse() {
                Ok(my_pe) if (0..n_pes).contains(&my_pe) => Task::Run { n_pes, my_pe },
                _ => {
                    return Err(format!(
                        "MY_PE is `{my_pe}`: give a number from 0 to {}",
                        n_pes - 1
                    ));
                }
            }
        }
        (None, [_, _, more, ..]) => return Err(format!("`{more}` is one argument too many")),
    };
    Ok((task, exchange))
}

/// A number of PEs.
fn count(text: &str) -> std::result::Result<i32, String> {
    match text.parse() {
        Ok(n @ 1..=16_384) => Ok(n),
        _ => Err(format!("`{text}` is no number of PEs: give 1 to 16384")),
    }
}
