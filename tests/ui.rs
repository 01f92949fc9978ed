//! What the front end says: `ui/fail` holds mistakes with every word that is told about them, `ui/pass` what a kernel may
//! say, called on the host.

#[test]
fn mistakes_are_told_and_kernels_are_understood() {
    let cases = trybuild::TestCases::new();
    cases.compile_fail("tests/ui/fail/*.rs");
    cases.pass("tests/ui/pass/*.rs");
}

/// Every expected message, by file.
#[allow(clippy::unwrap_used)]
fn messages() -> Vec<(String, String)> {
    let directory = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/ui/fail");
    let mut messages: Vec<(String, String)> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| {
            path.extension()
                .is_some_and(|extension| extension == "stderr")
        })
        .map(|path| {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            (name, std::fs::read_to_string(path).unwrap())
        })
        .collect();
    messages.sort();
    messages
}

#[test]
fn messages_are_in_the_users_words() {
    for (file, text) in messages() {
        for word in [
            "__private",
            "shmem_rt::",
            "shmem_codegen",
            "syn::",
            "Verbatim",
            "proc_macro",
            "error: error",
            "panicked",
            "confirm",
            "{}",
        ] {
            // The braces of a user's own line are no hole in a message; rustc says of an assertion that it panicked.
            let text = text.replace("error[E0080]: evaluation panicked", "");
            let told = text.lines().filter(|line| !line.contains(" | "));
            assert!(
                told.into_iter().all(|line| !line.contains(word)),
                "{file} says `{word}`:\n{text}"
            );
        }
    }
}

#[test]
fn a_mistake_is_told_once_and_nothing_follows_it() {
    for (file, text) in messages() {
        assert!(!text.contains("warning"), "{file} has a warning:\n{text}");
        // A file tests the messages of the front end or those of rustc: the ones never cause the others.
        let (ours, rustc) = (text.contains("[SHM"), text.contains("error[E"));
        assert!(ours != rustc, "{file} has errors of both:\n{text}");
        let mut told: Vec<&str> = text
            .split("\n\nerror")
            .filter_map(|error| Some(&error[error.find("-->")?..]))
            .collect();
        let all = told.len();
        told.sort_unstable();
        told.dedup();
        assert_eq!(told.len(), all, "{file} tells of one place twice:\n{text}");
    }
}

#[test]
fn every_message_says_what_to_write_instead() {
    for (file, text) in messages() {
        for error in text.split("error: ").skip(1) {
            let (message, rest) = error.split_once('\n').unwrap();
            assert!(
                message.ends_with(']') && message.contains(" [SHM"),
                "{file}: `{message}` has no code"
            );
            assert!(
                rest.trim_start().starts_with("help: "),
                "{file}: `{message}` has no help"
            );
        }
    }
}
