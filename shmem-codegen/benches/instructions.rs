//! The instructions of generated kernels beside those of kernels written by hand:
//! `cargo bench -p shmem-codegen --bench instructions`. It needs valgrind, and g++ or clang++.

#[path = "instructions/measure.rs"]
mod measure;
#[path = "../tests/support/mod.rs"]
mod support;

use measure::WRITERS;
use support::compiler::available;

fn main() {
    if !available("valgrind") {
        return;
    }
    for compiler in ["g++", "clang++"] {
        if !available(compiler) {
            continue;
        }
        println!("instructions with {compiler}, and in percent of those by hand");
        println!(
            "{:12}{:>10}{:>18}{:>18}{:>18}",
            "", WRITERS[0], WRITERS[1], WRITERS[2], WRITERS[3]
        );
        for counted in measure::count(compiler) {
            print!("{:12}{:>10}", counted.kernel, counted.instructions[0]);
            for writer in 1..WRITERS.len() {
                let percent = format!("({:.1} %)", counted.percent(writer));
                print!("{:>8}{percent:>10}", counted.instructions[writer]);
            }
            println!();
        }
    }
}
