//! The example of this workspace notices wrong values.

use std::fs;
use std::path::Path;

use crate::scratch::Scratch;

#[test]
fn the_example_finds_wrong_values() {
    let example = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/rma_d2h");
    let text = |name: &str| fs::read_to_string(example.join(name)).unwrap();
    let project = Scratch::new("rma-copy");
    project.remove("src/show.rs");
    project.write("build.rs", &text("build.rs"));
    project.write("src/main.rs", &text("src/main.rs"));
    let kernels = text("src/kernels.rs");
    project.write("src/kernels.rs", &kernels);
    project.build();
    for arguments in [&["-pes", "3"][..], &["-pes", "3", "--exchange"]] {
        let right = project.run("rma-copy", arguments).succeeded();
        for pe in 0..3 {
            let line = format!("[SUCCESS] run success in pe {pe}\n");
            assert!(
                right.stdout.contains(&line),
                "{}{}",
                right.stdout,
                right.stderr
            );
        }
        assert!(!right.stdout.contains("[ERROR]"), "{}", right.stdout);
    }

    let mutations = [
        (
            "stores one more",
            kernels.replace(".store(got)", ".store(got + 1)"),
        ),
        (
            "puts nothing",
            kernels
                .replace("shmem::p(input, peer, peer);", "")
                .replace("shmem::p(input, me, peer);", ""),
        ),
    ];
    for (what, mutated) in mutations {
        assert_ne!(mutated, kernels, "{what}");
        project.write("src/kernels.rs", &mutated);
        project.build();
        for arguments in [&["-pes", "3"][..], &["-pes", "3", "--exchange"]] {
            let wrong = project.run("rma-copy", arguments).failed();
            // What PE 1 expects with --exchange is 0, which its cell held before: see what it holds then.
            let unseen = what == "puts nothing" && arguments.len() == 3;
            for pe in (0..3).filter(|pe| !(unseen && *pe == 1)) {
                let line = format!("[ERROR] run result incorrect in pe {pe}\n");
                assert!(
                    wrong.stdout.contains(&line),
                    "{what}: {}{}",
                    wrong.stdout,
                    wrong.stderr
                );
                let line = format!("[SUCCESS] run success in pe {pe}\n");
                assert!(!wrong.stdout.contains(&line), "{what}: {}", wrong.stdout);
            }
        }
    }
}
