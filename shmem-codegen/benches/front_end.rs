//! How long the front end and the emitter take: `cargo bench -p shmem-codegen --bench front_end`.
//!
//! A kernel of 50 lines, and kernels of 500 to 5,000 statements: parsing, analysis and emission on their own, and all
//! together. That the work grows as the kernel does is what `tests/linear.rs` holds to, by counted instructions.

// What criterion makes has no documentation.
#![allow(missing_docs)]

#[path = "../tests/support/long.rs"]
mod long;
#[path = "../tests/support/stages.rs"]
mod stages;

use std::hint::black_box;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};

const STATEMENTS: [usize; 5] = [45, 500, 1000, 2000, 5000];

fn front_end(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("front_end");
    for count in STATEMENTS {
        let text = long::statements(count);
        group.throughput(Throughput::Elements(count as u64));
        let parsed = stages::parse(&text);
        let analysed = stages::analyse(&parsed);
        group.bench_with_input(BenchmarkId::new("parse", count), &text, |bencher, text| {
            bencher.iter(|| stages::parse(black_box(text)));
        });
        group.bench_with_input(
            BenchmarkId::new("analyse", count),
            &parsed,
            |bencher, parsed| {
                bencher.iter(|| stages::analyse(black_box(parsed)));
            },
        );
        group.bench_with_input(
            BenchmarkId::new("emit", count),
            &analysed,
            |bencher, analysed| {
                bencher.iter(|| stages::emit(black_box(analysed)));
            },
        );
        group.bench_with_input(BenchmarkId::new("all", count), &text, |bencher, text| {
            bencher.iter(|| stages::emit(&stages::analyse(&stages::parse(black_box(text)))));
        });
    }
    group.finish();
}

criterion_group!(benches, front_end);
criterion_main!(benches);
