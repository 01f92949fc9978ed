//! One C++ file of several kernels.

use std::collections::HashSet;

use super::Emitted;

/// What stands before the kernels in every file: all that they use.
const INCLUDES: [&str; 3] = ["kernel_operator.h", "shmem.h", "shmem_rust.h"];

/// The text of the file `name`: `heading`, the kernels, and before them their types and device functions, each once. After each
/// function `#line` goes back to the file itself.
pub fn unit<'a>(
    heading: &str,
    name: &str,
    emitted: impl IntoIterator<Item = &'a Emitted>,
) -> String {
    let mut unit = Unit::default();
    if !heading.is_empty() {
        unit.push(&format!("// {heading}\n"));
    }
    for header in INCLUDES {
        unit.push(&format!("#include \"{header}\"\n"));
    }
    let mut known = HashSet::new();
    for Emitted {
        types,
        functions,
        kernel,
        launcher,
    } in emitted
    {
        for (_, definition) in types.iter().filter(|(name, _)| known.insert(name.as_str())) {
            unit.push("\n");
            unit.push(definition);
        }
        let functions = functions
            .iter()
            .filter(|(name, _)| known.insert(name.as_str()));
        let texts: Vec<&str> = functions
            .map(|(_, text)| text.as_str())
            .chain([kernel.as_str()])
            .collect();
        for text in texts {
            unit.push("\n");
            unit.push(text);
            let next = unit.lines + 2;
            unit.push(&format!("#line {next} \"{name}\"\n"));
        }
        unit.push("\n");
        unit.push(launcher);
    }
    unit.text
}

/// A text that grows by whole lines.
#[derive(Default)]
struct Unit {
    text: String,
    lines: usize,
}

impl Unit {
    fn push(&mut self, lines: &str) {
        self.lines += lines.matches('\n').count();
        self.text.push_str(lines);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_function_stands_once_and_lines_are_those_of_the_file() {
        let emitted = |kernel: &str| Emitted {
            types: Vec::new(),
            functions: vec![("shared".to_owned(), "shared\n".to_owned())],
            kernel: format!("#line 7 \"k.rs\"\n{kernel}\n"),
            launcher: format!("{kernel} launcher\n"),
        };
        let text = unit("Heading", "k.cpp", &[emitted("one"), emitted("two")]);
        assert_eq!(text.matches("shared").count(), 1);
        assert!(text.starts_with("// Heading\n#include \"kernel_operator.h\"\n"));
        let lines: Vec<&str> = text.lines().collect();
        let mut directives = 0;
        for (index, line) in lines.iter().enumerate() {
            if let Some(rest) = line.strip_suffix(" \"k.cpp\"") {
                // The line after the directive, counted from 1.
                assert_eq!(rest, format!("#line {}", index + 2));
                directives += 1;
            }
        }
        assert_eq!(directives, 3);
    }
}
