//! README and docs are true: their commands are run, their code is compiled, their lists are compared with the code.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .canonicalize()
        .expect("the workspace is there")
}

fn read(path: &str) -> String {
    std::fs::read_to_string(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
}

/// The fenced blocks of a page with their info string.
fn blocks(page: &str) -> Vec<(String, String)> {
    let mut blocks = Vec::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        if let Some(info) = line.strip_prefix("```") {
            let body: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
            blocks.push((info.to_owned(), body.join("\n")));
        }
    }
    blocks
}

fn block(page: &str, info: &str) -> String {
    let found: Vec<_> = blocks(page)
        .into_iter()
        .filter(|(known, _)| known == info)
        .collect();
    assert_eq!(found.len(), 1, "blocks `{info}`");
    found[0].1.clone()
}

fn cargo(directory: &Path, args: &[&str]) -> Output {
    Command::new(env!("CARGO"))
        .args(args)
        .current_dir(directory)
        .env_remove("SHMEM_IP_PORT")
        .env_remove("SHMEM_PE")
        .output()
        .expect("cargo runs")
}

fn text(output: &Output) -> String {
    format!(
        "{}{}",
        String::from_utf8_lossy(&output.stdout),
        String::from_utf8_lossy(&output.stderr)
    )
}

#[test]
fn the_commands_of_the_readme_do_what_it_says() {
    let page = read("README.md");
    let commands: Vec<String> = blocks(&page)
        .into_iter()
        .filter(|(info, _)| info == "console")
        .flat_map(|(_, body)| body.lines().map(str::to_owned).collect::<Vec<_>>())
        .map(|line| line.strip_prefix("$ ").expect("a command").to_owned())
        .collect();
    assert!(
        commands.contains(&"cargo test --workspace".to_owned()),
        "what CI runs"
    );
    let runs: Vec<&String> = commands
        .iter()
        .filter(|command| command.starts_with("cargo run"))
        .collect();
    assert_eq!(runs.len(), 3, "{commands:?}");
    for command in runs {
        let args: Vec<&str> = command.split(' ').skip(1).collect();
        let output = cargo(&root(), &args);
        let text = text(&output);
        assert!(output.status.success(), "{command}\n{text}");
        let pes = if command.contains("-pes 3") { 3 } else { 8 };
        assert_eq!(
            text.matches("[SUCCESS] run success in pe").count(),
            pes,
            "{command}\n{text}"
        );
        if !command.contains(" -- ") {
            for line in block(&page, "text,output").lines() {
                assert!(
                    text.lines().any(|printed| printed == line),
                    "{line}\n{text}"
                );
            }
        }
    }
}

#[test]
fn the_kernel_of_the_readme_is_the_kernel_of_the_example() {
    let kernels = read("examples/rma_d2h/src/kernels.rs");
    assert!(kernels.contains(&block(&read("README.md"), "rust,kernel")));
}

#[test]
fn the_crate_of_the_readme_builds_and_runs() {
    let page = read("README.md");
    let project = tempfile::tempdir().expect("a directory");
    let source = project.path().join("src");
    std::fs::create_dir(&source).expect("a directory");
    let manifest = format!(
        "[package]\nname = \"from-readme\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n{}\n\n[workspace]\n\n\
         [patch.crates-io]\nshmem = {{ path = {:?} }}\nshmem-codegen = {{ path = {:?} }}\n",
        block(&page, "toml,manifest"),
        root(),
        root().join("shmem-codegen"),
    );
    let main = format!(
        "{}\n\n{}\n",
        block(&page, "rust,main"),
        block(&page, "rust,test")
    );
    for (path, text) in [
        ("Cargo.toml", manifest),
        ("build.rs", block(&page, "rust,build")),
        ("src/main.rs", main),
    ] {
        std::fs::write(project.path().join(path), text).expect("the file is written");
    }
    std::fs::copy(root().join("Cargo.lock"), project.path().join("Cargo.lock"))
        .expect("the versions of the workspace");
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("scratch");
    let target = target.to_str().expect("a path in UTF-8");
    let output = cargo(
        project.path(),
        &["run", "--offline", "--target-dir", target],
    );
    let printed = text(&output);
    assert!(output.status.success(), "{printed}");
    for (pe, square) in [9, 0, 1, 4].into_iter().enumerate() {
        assert!(
            printed
                .lines()
                .any(|line| line == format!("PE {pe} has {square}")),
            "{printed}"
        );
    }
    let output = cargo(
        project.path(),
        &["test", "--offline", "--target-dir", target],
    );
    assert!(
        output.status.success() && text(&output).contains("1 passed"),
        "{}",
        text(&output)
    );
}

/// All names `SHMEM_...` in a text that stand between two of `quote`.
fn variables(text: &str, quote: char) -> BTreeSet<String> {
    text.split(quote)
        .filter(|part| {
            part.strip_prefix("SHMEM_").is_some_and(|rest| {
                !rest.is_empty() && rest.chars().all(|c| c == '_' || c.is_ascii_uppercase())
            })
        })
        .map(str::to_owned)
        .collect()
}

#[test]
fn every_variable_that_is_read_is_documented_and_no_other() {
    let mut read_by_code = BTreeSet::new();
    let mut directories: Vec<PathBuf> = ["shmem-rt/src", "shmem-sim/src", "shmem-codegen/src"]
        .iter()
        .map(|path| root().join(path))
        .collect();
    while let Some(directory) = directories.pop() {
        for entry in std::fs::read_dir(&directory)
            .expect("the sources are there")
            .flatten()
        {
            let path = entry.path();
            if path.is_dir() {
                directories.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                let text = std::fs::read_to_string(&path).expect("a source");
                let code = text.split("#[cfg(test)]").next().unwrap_or_default();
                let names = variables(code, '"').into_iter();
                // SHMEM_RUST_ names are macros of the generated text.
                read_by_code.extend(names.filter(|name| !name.starts_with("SHMEM_RUST_")));
            }
        }
    }
    let documented = variables(&read("docs/runtime.md"), '`');
    assert_eq!(documented, read_by_code);
    assert!(variables(&read("docs/simulator.md"), '`').is_subset(&read_by_code));
}

#[test]
fn the_links_between_the_pages_lead_somewhere() {
    for page in [
        "README.md",
        "docs/language.md",
        "docs/runtime.md",
        "docs/simulator.md",
    ] {
        for target in read(page)
            .split("](")
            .skip(1)
            .filter_map(|rest| rest.split(')').next())
        {
            let path = root()
                .join(page)
                .parent()
                .expect("a directory")
                .join(target);
            assert!(path.exists(), "{page} links to {target}");
        }
    }
}
