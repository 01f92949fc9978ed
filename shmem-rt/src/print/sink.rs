//! Where printed lines go: standard output, or the test that captures them.

use std::cell::RefCell;
use std::io::{self, Write};

use super::Printed;

/// What one `write` to a pipe does not tear, on Linux (`PIPE_BUF`).
const WHOLE: usize = 4096;

thread_local! {
    /// The lines that this thread captures.
    static CAPTURED: RefCell<Option<Vec<Printed>>> = const { RefCell::new(None) };
}

/// Runs `run`, and returns the lines that kernels printed meanwhile, in place of printing them.
///
/// They are those of bodies that run on this thread, and of launches that this thread synchronises.
///
/// ```
/// let (sum, lines) = shmem_rt::capture_prints(|| {
///     shmem_rt::print!("adding");
///     1 + 2
/// });
/// assert_eq!((sum, lines[0].text.as_str(), lines[0].block), (3, "adding", 0));
/// ```
pub fn capture_prints<T>(run: impl FnOnce() -> T) -> (T, Vec<Printed>) {
    let capture = Capture {
        outer: CAPTURED.replace(Some(Vec::new())),
    };
    let result = run();
    let lines = CAPTURED.take().unwrap_or_default();
    drop(capture);
    (result, lines)
}

/// A capture in progress.
struct Capture {
    outer: Option<Vec<Printed>>,
}

impl Drop for Capture {
    /// What was captured up to a panic is printed after all.
    fn drop(&mut self) {
        let lines = CAPTURED.replace(self.outer.take());
        emit(lines.unwrap_or_default());
    }
}

/// Writes whole lines. Nobody may read them: that is no error of the kernel.
pub(crate) fn emit(lines: Vec<Printed>) {
    if lines.is_empty() {
        return;
    }
    let left = CAPTURED.with_borrow_mut(|captured| match captured {
        Some(captured) => {
            captured.extend(lines);
            None
        }
        None => Some(lines),
    });
    if let Some(lines) = left {
        let _ = write(&mut io::stdout().lock(), &lines);
    }
}

/// Several PEs may have one output: as many lines at a time as one write takes whole.
fn write(out: &mut impl Write, lines: &[Printed]) -> io::Result<()> {
    // What the program has begun to write, so that nothing splits what follows.
    out.flush()?;
    let mut whole = String::new();
    for line in lines {
        let line = format!("{line}\n");
        if !whole.is_empty() && whole.len() + line.len() > WHOLE {
            out.write_all(whole.as_bytes())?;
            whole.clear();
        }
        whole.push_str(&line);
    }
    out.write_all(whole.as_bytes())?;
    out.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str) -> Printed {
        Printed {
            pe: 0,
            block: 0,
            text: text.to_owned(),
        }
    }

    /// Keeps what each call wrote.
    #[derive(Default)]
    struct Writes(Vec<String>);

    impl Write for Writes {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.push(String::from_utf8_lossy(bytes).into_owned());
            Ok(bytes.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_write_has_whole_lines_and_no_more_than_a_pipe_takes() {
        let lines: Vec<Printed> = (0..1000).map(|number| line(&number.to_string())).collect();
        let mut writes = Writes::default();
        write(&mut writes, &lines).unwrap();
        assert!(
            writes
                .0
                .iter()
                .all(|one| one.len() <= WHOLE && one.ends_with('\n'))
        );
        assert!(writes.0.len() < 10, "{}", writes.0.len());
        let expected: String = lines.iter().map(|line| format!("{line}\n")).collect();
        assert_eq!(writes.0.concat(), expected);
    }

    #[test]
    fn a_line_longer_than_that_is_written_alone() {
        let long = "x".repeat(2 * WHOLE);
        let mut writes = Writes::default();
        write(&mut writes, &[line("a"), line(&long), line("b")]).unwrap();
        let lengths: Vec<usize> = writes.0.iter().map(|one| one.lines().count()).collect();
        assert_eq!(lengths, [1, 1, 1]);
    }

    #[test]
    fn captures_nest_and_a_panic_ends_them() {
        let ((), outer) = capture_prints(|| {
            emit(vec![line("before")]);
            let ((), inner) = capture_prints(|| emit(vec![line("inside")]));
            assert_eq!(inner, [line("inside")]);
            let panicked = std::panic::catch_unwind(|| {
                capture_prints(|| {
                    emit(vec![line("lost otherwise")]);
                    std::panic::resume_unwind(Box::new(()));
                })
            });
            assert!(panicked.is_err());
            emit(vec![line("after")]);
        });
        let texts: Vec<&str> = outer.iter().map(|line| line.text.as_str()).collect();
        assert_eq!(texts, ["before", "lost otherwise", "after"]);
    }
}
