//! Kernel panics: the records that device code leaves, and the words that users read.

use std::fmt;

use crate::kernel::{KernelInfo, Site};
use crate::{bf16, f16};

/// Bytes of a record. Each instance of a launch has one.
pub(crate) const RECORD_SIZE: usize = 64;
/// `state` of a record that an instance has written.
const FILLED: u32 = 1;

/// A panic in a kernel: which kernel, on which PE, in which block, where in the Rust source, and what it says.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct KernelPanic {
    /// The kernel's function.
    pub kernel: &'static str,
    /// The PE that it ran on.
    pub pe: i32,
    /// The block, as `block_idx` counts them.
    pub block: u32,
    /// The Rust file.
    pub file: &'static str,
    /// Line of the statement, from 1.
    pub line: u32,
    /// Column of the statement, from 1.
    pub column: u32,
    /// What went wrong, with the values.
    pub message: String,
}

impl fmt::Display for KernelPanic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self {
            kernel,
            pe,
            block,
            file,
            line,
            column,
            message,
        } = self;
        write!(
            f,
            "kernel `{kernel}` panicked on PE {pe}, block {block}, at {file}:{line}:{column}: {message}"
        )
    }
}

impl std::error::Error for KernelPanic {}

/// What device code writes, in the order of its fields; `core` and padding are not read here.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    kind: u32,
    site: u32,
    block: u32,
    a: u64,
    b: u64,
    c: u64,
}

impl Record {
    /// The first filled record of an area.
    pub(crate) fn first(area: &[u8]) -> Option<Self> {
        area.chunks_exact(RECORD_SIZE).find_map(Self::read)
    }

    fn read(bytes: &[u8]) -> Option<Self> {
        let word = |at: usize| Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?));
        let long = |at: usize| Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
        // state, kind, site, block, core, reserved: six words; then a, b and c.
        (word(0)? == FILLED).then_some(())?;
        Some(Self {
            kind: word(4)?,
            site: word(8)?,
            block: word(12)?,
            a: long(24)?,
            b: long(32)?,
            c: long(40)?,
        })
    }

    pub(crate) fn explain(&self, kernel: &'static KernelInfo, pe: i32) -> KernelPanic {
        let site = kernel.sites.get(self.site as usize);
        let (line, column) = site.map_or((kernel.line, 1), |site| (site.line, site.column));
        let elsewhere = site.map(|site| site.file).filter(|file| !file.is_empty());
        let message = self.message(site);
        KernelPanic {
            kernel: kernel.name,
            pe,
            block: self.block,
            file: elsewhere.unwrap_or(kernel.file),
            line,
            column,
            message,
        }
    }

    fn message(&self, site: Option<&Site>) -> String {
        let (a, b) = (self.a, self.b);
        match self.kind {
            1 => format!("index out of bounds: the len is {b} but the index is {a}"),
            2 => format!("slice index starts at {a} but ends at {b}"),
            3 => format!("range end index {a} out of range for slice of length {b}"),
            4 => pe_out_of_range(a as i64, b as i64),
            5 => not_symmetric(a),
            6 => format!("address {a:#x} is not aligned to {b} bytes"),
            7 => format!("PE {a} cannot reach PE {b}"),
            8 => overflow(site, a, b),
            9 => "attempt to divide by zero".into(),
            10 => "attempt to calculate the remainder with a divisor of zero".into(),
            11 => site.map_or_else(|| "panic".into(), |site| written(site, &[a, b, self.c])),
            kind => format!("fault {kind} ({a:#x}, {b:#x})"),
        }
    }
}

/// The text of a site with its values: each `{}` stands for one, literal braces are doubled.
pub(crate) fn written(site: &Site, values: &[u64]) -> String {
    let mut values = values
        .iter()
        .zip(site.values.chars())
        .map(|(&bits, kind)| match kind {
            'i' => (bits as i64).to_string(),
            'b' => (bits != 0).to_string(),
            'h' => f16::from_bits(bits as u16).to_string(),
            'H' => format!("{:?}", f16::from_bits(bits as u16)),
            'g' => bf16::from_bits(bits as u16).to_string(),
            'G' => format!("{:?}", bf16::from_bits(bits as u16)),
            'f' => f32::from_bits(bits as u32).to_string(),
            'F' => format!("{:?}", f32::from_bits(bits as u32)),
            'd' => f64::from_bits(bits).to_string(),
            'D' => format!("{:?}", f64::from_bits(bits)),
            _ => bits.to_string(),
        });
    let mut text = String::new();
    let mut rest = site.text;
    while let Some(at) = rest.find(['{', '}']) {
        text.push_str(&rest[..at]);
        if rest[at..].starts_with("{}") {
            text.extend(values.next());
        } else {
            text.push_str(&rest[at..=at]);
        }
        rest = rest.get(at + 2..).unwrap_or_default();
    }
    text.push_str(rest);
    text
}

fn overflow(site: Option<&Site>, a: u64, b: u64) -> String {
    let (op, signed) = site.map_or(("calculate", false), |site| (site.op, site.signed));
    let number = |value: u64| {
        if signed {
            (value as i64).to_string()
        } else {
            value.to_string()
        }
    };
    let values = if op == "negate" {
        number(a)
    } else {
        format!("{} and {}", number(a), number(b))
    };
    format!("attempt to {op} with overflow ({values})")
}

/// The text for a PE that the job has not.
pub(crate) fn pe_out_of_range(pe: i64, n_pes: i64) -> String {
    format!("PE {pe} is out of range: this job has {n_pes} PEs")
}

/// The text for an address outside of the heap.
pub(crate) fn not_symmetric(address: u64) -> String {
    format!("address {address:#x} is not in the symmetric heap")
}

#[cfg(test)]
mod tests {
    use super::*;

    const fn site(op: &'static str, signed: bool, text: &'static str) -> Site {
        Site {
            file: "",
            line: 7,
            column: 9,
            op,
            signed,
            text,
            values: "",
        }
    }

    #[test]
    fn a_text_takes_its_values() {
        let site = Site {
            values: "iFb",
            ..site("", false, "{{{}}} is {}, {} }}")
        };
        let values = [-3_i64 as u64, 1.0_f32.to_bits().into(), 1];
        assert_eq!(written(&site, &values), "{-3} is 1.0, true }");
        assert_eq!(
            written(
                &Site {
                    values: "ud",
                    ..site
                },
                &[7, 1.5_f64.to_bits(), 0]
            ),
            "{7} is 1.5,  }"
        );
    }

    static RING: KernelInfo = KernelInfo {
        name: "ring",
        file: "src/kernels.rs",
        line: 5,
        symbol: "shmem_k_ring",
        library: None,
        contract: 0,
        checked: true,
        all_blocks: false,
        prints: false,
        vector: false,
        sites: &[
            site("", false, ""),
            site("add", true, ""),
            site("multiply", false, ""),
            site("negate", true, ""),
            site("shift left", true, ""),
            site("", false, "assertion failed: a == b"),
            Site {
                file: "src/math.rs",
                ..site("", false, "")
            },
        ],
    };

    fn area(kind: u32, site: u32, a: u64, b: u64) -> Vec<u8> {
        let words = [1, kind, site, 3, 1, 0];
        let longs = [a, b, 0, 0, 0];
        let mut bytes = vec![0; RECORD_SIZE];
        bytes.extend(words.iter().flat_map(|w: &u32| w.to_le_bytes()));
        bytes.extend(longs.iter().flat_map(|l| l.to_le_bytes()));
        bytes
    }

    fn message(kind: u32, site: u32, a: u64, b: u64) -> String {
        Record::first(&area(kind, site, a, b))
            .unwrap()
            .explain(&RING, 2)
            .message
    }

    #[test]
    fn a_record_becomes_a_panic_with_its_place() {
        let panic = Record::first(&area(4, 0, 9, 3)).unwrap().explain(&RING, 2);
        assert_eq!(
            panic.to_string(),
            "kernel `ring` panicked on PE 2, block 3, at src/kernels.rs:7:9: PE 9 is out of range: this job has 3 PEs"
        );
        assert_eq!(
            (panic.pe, panic.block, panic.line, panic.column),
            (2, 3, 7, 9)
        );
    }

    #[test]
    fn a_place_in_another_file_is_named() {
        let panic = Record::first(&area(9, 6, 1, 0)).unwrap().explain(&RING, 0);
        assert_eq!(panic.file, "src/math.rs");
    }

    #[test]
    fn every_kind_has_its_words() {
        let minus = |v: i64| v as u64;
        for (kind, site, a, b, text) in [
            (
                1,
                0,
                5,
                3,
                "index out of bounds: the len is 3 but the index is 5",
            ),
            (2, 0, 5, 3, "slice index starts at 5 but ends at 3"),
            (
                3,
                0,
                5,
                3,
                "range end index 5 out of range for slice of length 3",
            ),
            (
                4,
                0,
                minus(-1),
                3,
                "PE -1 is out of range: this job has 3 PEs",
            ),
            (
                5,
                0,
                0x1000,
                0,
                "address 0x1000 is not in the symmetric heap",
            ),
            (6, 0, 0x1001, 4, "address 0x1001 is not aligned to 4 bytes"),
            (7, 0, 1, 2, "PE 1 cannot reach PE 2"),
            (
                8,
                1,
                minus(-2),
                minus(i64::MIN),
                "attempt to add with overflow (-2 and -9223372036854775808)",
            ),
            (
                8,
                2,
                u64::MAX,
                2,
                "attempt to multiply with overflow (18446744073709551615 and 2)",
            ),
            (
                8,
                3,
                minus(i64::from(i32::MIN)),
                77,
                "attempt to negate with overflow (-2147483648)",
            ),
            (
                8,
                4,
                1,
                40,
                "attempt to shift left with overflow (1 and 40)",
            ),
            (9, 0, 1, 0, "attempt to divide by zero"),
            (
                10,
                0,
                1,
                0,
                "attempt to calculate the remainder with a divisor of zero",
            ),
            (11, 5, 0, 0, "assertion failed: a == b"),
            (99, 0, 1, 2, "fault 99 (0x1, 0x2)"),
        ] {
            assert_eq!(message(kind, site, a, b), text);
        }
    }

    #[test]
    fn an_area_without_a_filled_record_is_no_panic() {
        assert_eq!(Record::first(&[0; 4 * RECORD_SIZE]), None);
        assert_eq!(Record::first(&[]), None);
    }

    #[test]
    fn an_unknown_site_is_the_kernel_itself() {
        let panic = Record::first(&area(9, 1000, 0, 0))
            .unwrap()
            .explain(&RING, 0);
        assert_eq!((panic.line, panic.column), (5, 1));
    }
}
