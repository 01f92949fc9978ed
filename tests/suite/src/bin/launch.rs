//! `launch <n> <program> <arguments...>`: the launcher as a process of its own.

use std::process::ExitCode;

use shmem::launcher::Launcher;

fn main() -> ExitCode {
    let mut args = std::env::args().skip(1);
    let n_pes = args
        .next()
        .and_then(|n| n.parse().ok())
        .expect("a number of PEs");
    let program = args.next().expect("a program");
    let outcome = Launcher::new(n_pes)
        .program(program)
        .args(args)
        .run()
        .expect("the PEs start");
    ExitCode::from(outcome.exit_code())
}
