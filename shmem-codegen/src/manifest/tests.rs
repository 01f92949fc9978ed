//! Writing and reading back.

use super::*;

fn example() -> Manifest {
    Manifest {
        version: "1.2.3".to_owned(),
        overflow_checks: true,
        overflow_explicit: false,
        debug_assertions: true,
        debug_explicit: true,
        library: true,
        cfgs: vec![
            ("feature = \"a\\b\"".to_owned(), true),
            ("unix".to_owned(), false),
        ],
        files: vec![
            ("src/lib.rs".to_owned(), None),
            ("src/a\tb\\c.rs".to_owned(), Some((0, 3))),
        ],
        devices: vec![Entry {
            file: "src/lib.rs".to_owned(),
            line: 4,
            column: 5,
            hash: 6,
            home: (0, 1),
            ..Entry::default()
        }],
        kernels: vec![Entry {
            file: "src/a\tb\\c.rs".to_owned(),
            line: 7,
            column: 3,
            hash: 0xdead_beef,
            symbol: "shmem_k_x".to_owned(),
            contract: u64::MAX,
            path: "a::b".to_owned(),
            diagnostics: vec![Report {
                first: 1,
                last: 4,
                code: "SHM0001".to_owned(),
                message: "two\nlines".to_owned(),
                help: String::new(),
            }],
            home: (1, 2),
            sites: vec![
                Place {
                    line: 7,
                    column: 3,
                    file: None,
                },
                Place {
                    line: 9,
                    column: 12,
                    file: Some(1),
                },
            ],
        }],
        off: vec![Entry {
            file: "src/off.rs".to_owned(),
            line: 3,
            column: 4,
            diagnostics: vec![Report {
                code: "SHM0123".to_owned(),
                ..Report::default()
            }],
            ..Entry::default()
        }],
        unread: vec![Entry {
            file: "src/ü b.rs".to_owned(),
            diagnostics: vec![Report {
                code: "SHM0001".to_owned(),
                message: "expected `;`".to_owned(),
                ..Report::default()
            }],
            ..Entry::default()
        }],
    }
}

#[test]
fn a_manifest_reads_back_as_it_was_written() {
    assert_eq!(Manifest::parse(&example().to_text()), Some(example()));
}

#[test]
fn a_foreign_or_damaged_file_is_no_manifest() {
    assert_eq!(Manifest::parse(""), None);
    assert_eq!(Manifest::parse("something else\n"), None);
    let text = example().to_text();
    assert_eq!(
        Manifest::parse(&text.replace("kernel\t", "kernel\t\t")),
        None
    );
    assert_eq!(
        Manifest::parse(&text.replacen("shmem-manifest", "other", 1)),
        None
    );
    // Numbers of files that are not there.
    assert_eq!(Manifest::parse(&text.replace("home\t1", "home\t2")), None);
    assert_eq!(
        Manifest::parse(&text.replace("c.rs\t0\t3", "c.rs\t1\t3")),
        None
    );
}

#[test]
fn a_kernel_is_found_by_place_and_tokens() {
    let manifest = example();
    let file = "src/a\tb\\c.rs";
    assert!(manifest.find(Some((file, 7, 3)), 0xdead_beef).is_some());
    assert!(manifest.find(None, 0xdead_beef).is_some());
    assert!(
        manifest.find(Some((file, 8, 3)), 0xdead_beef).is_none(),
        "another line"
    );
    assert!(
        manifest.find(Some((file, 7, 3)), 1).is_none(),
        "edited since"
    );
    assert!(manifest.device(Some(("src/lib.rs", 4, 5)), 6).is_some());
    assert!(manifest.device(Some(("src/lib.rs", 4, 6)), 6).is_none());
    let found = manifest.find(Some(("src/ü b.rs", 1, 2)), 3);
    assert_eq!(found.map(|entry| entry.diagnostics.len()), Some(1));
}
