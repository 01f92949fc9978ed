//! What kernels print: whole lines, tagged with PE and block.
//!
//! A kernel leaves its lines in an area of its launch ([`area`]); a body on the host prints at once. Both go to standard
//! output, or to the test that captures them ([`sink`]).

pub(crate) mod area;
mod sink;

use core::fmt;

use crate::live;

pub use sink::capture_prints;
pub(crate) use sink::emit;

/// Prints a line, from a kernel or from a body that runs on the host.
///
/// The line stands on standard output as `[pe 3 block 0] text`. Lines of several PEs and blocks do not mix, and those of
/// a block are in order. A text of several lines is as many lines, each with its tag; a newline at its end adds none.
///
/// In a kernel the text is a literal; `{}`, `{:?}`, `{name}` and `{0}` stand for numbers and bools, and the text is the
/// one that [`std::format!`] makes. A kernel's lines appear while [`Stream::synchronize`](crate::Stream::synchronize)
/// waits for it, those before a panic with it. What a block prints in one launch is bounded: the lines that do not fit are
/// counted, and the count is printed as its last line.
///
/// ```
/// let got = 17;
/// let (_, lines) = shmem_rt::capture_prints(|| {
///     shmem_rt::print!("pe {} got {got}, {:?}", shmem_rt::my_pe(), 1.0);
/// });
/// assert_eq!(lines[0].to_string(), "[pe 0 block 0] pe 0 got 17, 1.0");
/// ```
#[macro_export]
macro_rules! print {
    () => {
        $crate::print(::core::format_args!(""))
    };
    ($($text:tt)+) => {
        $crate::print(::core::format_args!($($text)+))
    };
}

/// What the macro calls on the host.
#[doc(hidden)]
pub fn print(text: fmt::Arguments<'_>) {
    let pe = live::current().map_or(0, |live| live.pe);
    emit(lines(pe, 0, &text.to_string()).collect());
}

/// A line that a kernel printed.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Printed {
    /// The PE.
    pub pe: i32,
    /// The block, as `block_idx` counts them.
    pub block: u32,
    /// The line without its tag.
    pub text: String,
}

impl fmt::Display for Printed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { pe, block, text } = self;
        write!(f, "[pe {pe} block {block}] {text}")
    }
}

/// The lines of a text.
fn lines(pe: i32, block: u32, text: &str) -> impl Iterator<Item = Printed> {
    let text = text.strip_suffix('\n').unwrap_or(text);
    text.split('\n').map(move |line| Printed {
        pe,
        block,
        text: line.to_owned(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_line_of_a_text_has_its_tag() {
        let texts = |text: &str| -> Vec<String> {
            lines(3, 1, text).map(|line| line.to_string()).collect()
        };
        assert_eq!(texts("a"), ["[pe 3 block 1] a"]);
        assert_eq!(texts(""), ["[pe 3 block 1] "]);
        assert_eq!(texts("a\n"), ["[pe 3 block 1] a"]);
        assert_eq!(
            texts("a\n\n b"),
            ["[pe 3 block 1] a", "[pe 3 block 1] ", "[pe 3 block 1]  b"]
        );
    }

    #[test]
    fn a_body_on_the_host_prints_as_block_0() {
        let x = -0.0_f32;
        let ((), lines) = capture_prints(|| {
            crate::print!();
            crate::print!("{x:?} {} {{}}", true);
        });
        let lines: Vec<String> = lines.iter().map(ToString::to_string).collect();
        assert_eq!(lines, ["[pe 0 block 0] ", "[pe 0 block 0] -0.0 true {}"]);
    }
}
