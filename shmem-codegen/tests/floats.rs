//! The float functions of shmem_rust.h give the bits that rustc gives, whichever compiler builds them and however.

#[path = "floats/cases.rs"]
mod cases;
#[path = "floats/operands.rs"]
mod operands;

use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

use libloading::Library;

use cases::Case;
use operands::Format;

/// Random operands of a function, besides all pairs of edge values.
const COUNT: usize = 1_000_000;

type Function = unsafe extern "C" fn(*const u64, *const u64, *const u64, *mut u64, usize);

/// The functions, built in one way.
struct Build {
    name: String,
    library: Library,
    /// Not optimised, or instrumented: gets fewer operands.
    slow: bool,
}

/// Says that `what` is not there; in CI nothing may skip.
fn skip(what: &str) {
    assert!(
        std::env::var_os("SHMEM_TEST_ALL").is_none(),
        "SHMEM_TEST_ALL is set, but {what}"
    );
    eprintln!("skipped: {what}");
}

fn runs(program: &str) -> bool {
    Command::new(program)
        .arg("--version")
        .output()
        .is_ok_and(|output| output.status.success())
}

/// Whether `compiler` links a sanitised library.
fn sanitizes(compiler: &str, directory: &Path) -> bool {
    let source = directory.join("empty.cpp");
    std::fs::write(&source, "int shmem_test_empty(int x) { return x + 1; }\n").expect("written");
    Command::new(compiler)
        .args(["-fPIC", "-shared", "-fsanitize=undefined", "-o"])
        .arg(directory.join("empty.so"))
        .arg(source)
        .output()
        .is_ok_and(|output| output.status.success())
}

fn build(compiler: &str, options: &[&str], include: &[PathBuf], directory: &Path) -> Build {
    let name = format!("{compiler} {}", options.join(" "));
    let source = directory.join("floats.cpp");
    let path = directory.join(format!("{}.so", name.replace(' ', "")));
    let mut command = Command::new(compiler);
    command
        .args(["-std=c++17", "-ffp-contract=off", "-fPIC", "-shared"])
        .args(["-Wall", "-Wextra", "-Wshadow", "-Wconversion", "-Werror"])
        .arg("-DSHMEM_SIM")
        .args(options);
    for part in include {
        command.arg("-I").arg(part);
    }
    let output = command
        .arg("-o")
        .arg(&path)
        .arg(&source)
        .output()
        .expect("the compiler runs");
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.success() && stderr.is_empty(),
        "{name}\n{stderr}"
    );
    // SAFETY: the library was built just now from floats.cpp, which runs nothing when it is loaded.
    let library = unsafe { Library::new(&path) }.expect("the library loads");
    Build {
        name,
        library,
        slow: !options.contains(&"-O2"),
    }
}

fn builds(directory: &Path) -> Vec<Build> {
    std::fs::write(
        directory.join("floats.cpp"),
        include_str!("floats/floats.cpp"),
    )
    .expect("the source is written");
    let mut include = Vec::new();
    for part in shmem_headers::SIMULATOR {
        let path = directory.join(part.name);
        for header in part.headers {
            let file = path.join(header.path);
            std::fs::create_dir_all(file.parent().expect("a directory")).expect("it is made");
            std::fs::write(file, header.text).expect("the header is written");
        }
        include.push(path);
    }
    let mut wanted: Vec<(&str, &[&str])> = Vec::new();
    for compiler in ["g++", "clang++"] {
        if runs(compiler) {
            wanted.extend([(compiler, &["-O0"] as &[_]), (compiler, &["-O2"])]);
        } else {
            skip(&format!("{compiler} cannot be run"));
        }
    }
    // g++ gives a shared library the runtime that it needs; clang++ leaves that to the executable.
    if runs("g++") && sanitizes("g++", directory) {
        wanted.push((
            "g++",
            &["-O1", "-fsanitize=undefined", "-fno-sanitize-recover"],
        ));
    } else {
        skip("g++ does not link -fsanitize=undefined");
    }
    let include = &include;
    std::thread::scope(|scope| {
        let builds: Vec<_> = wanted
            .into_iter()
            .map(|(compiler, options)| {
                scope.spawn(move || build(compiler, options, include, directory))
            })
            .collect();
        builds
            .into_iter()
            .map(|build| build.join().expect("it builds"))
            .collect()
    })
}

fn is_nan(bits: u64, format: Format) -> bool {
    let infinity = ((1u64 << format.exponent) - 1) << format.mantissa;
    bits & ((1u64 << (format.mantissa + format.exponent)) - 1) > infinity
}

/// Runs `case` in every build; what is wrong, at most one line for each of them.
fn differences(case: &Case, builds: &[Build]) -> Vec<String> {
    let Case {
        symbol, operands, ..
    } = case;
    let (a, b, c) = (&operands.a, &operands.b, &operands.c);
    let expected: Vec<u64> = (0..a.len())
        .map(|i| (case.rust)(a[i], b[i], c[i]))
        .collect();
    let mut found = Vec::new();
    for build in builds {
        let count = if build.slow { operands.few } else { a.len() };
        let mut got = vec![0u64; count];
        // SAFETY: floats.cpp gives every function of this name this type.
        let function = match unsafe { build.library.get::<Function>(symbol.as_str()) } {
            Ok(function) => function,
            Err(error) => panic!("{}: {error}", build.name),
        };
        // SAFETY: all four arrays hold at least `count` values.
        unsafe { function(a.as_ptr(), b.as_ptr(), c.as_ptr(), got.as_mut_ptr(), count) };
        if got == expected[..count] {
            continue;
        }
        let differ = |(&got, &expected): (&u64, &u64)| {
            let both_nan = |format| is_nan(got, format) && is_nan(expected, format);
            got != expected && !case.any_nan.is_some_and(both_nan)
        };
        let pairs = got.iter().zip(&expected).enumerate();
        let wrong: Vec<usize> = pairs
            .filter(|(_, pair)| differ(*pair))
            .map(|(i, _)| i)
            .collect();
        if let Some(&i) = wrong.first() {
            found.push(format!(
                "{}: {symbol}({:#x}, {:#x}, {:#x}) is {:#x}, in Rust {:#x}; so for {} of {count}",
                build.name,
                a[i],
                b[i],
                c[i],
                got[i],
                expected[i],
                wrong.len()
            ));
        }
    }
    found
}

#[test]
fn floats_have_the_bits_of_rust() {
    let directory = tempfile::tempdir().expect("a directory");
    let builds = builds(directory.path());
    if builds.is_empty() {
        return;
    }
    let cases = cases::all(COUNT);
    let next = AtomicUsize::new(0);
    let work = || {
        let mut found = Vec::new();
        while let Some(case) = cases.get(next.fetch_add(1, Ordering::Relaxed)) {
            found.extend(differences(case, &builds));
        }
        found
    };
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let found: Vec<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        threads
            .into_iter()
            .flat_map(|thread| thread.join().expect("no thread panics"))
            .collect()
    });
    assert!(found.is_empty(), "{}", found.join("\n"));
}
