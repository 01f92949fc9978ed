//! The one error of this crate.

use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::{KernelPanic, Side};

/// What can go wrong on the host.
///
/// A message says what is wrong, where, and what to do instead. Codes of the vendor's functions keep their number,
/// their name and the vendor's own text ([`Error::Vendor`]).
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// `SHMEM_BACKEND` has a value that is no backend.
    #[error(
        "SHMEM_BACKEND is `{value}`, which is no backend: set it to `sim` or `cann`, or unset it"
    )]
    UnknownBackend {
        /// Its value.
        value: String,
    },
    /// `SHMEM_BACKEND` asks for a backend that this program was built without.
    #[error(
        "SHMEM_BACKEND is `{backend}`, and this program was built without that backend: unset SHMEM_BACKEND or set it \
         to `sim` to run on the simulator"
    )]
    BackendNotBuilt {
        /// The backend.
        backend: &'static str,
    },
    /// A `World` lives already in this process.
    #[error("this process has a World already: finalize or drop it before the next init")]
    WorldExists,
    /// The World before left without finalize, and the other PEs have not let it go yet.
    #[error(
        "the World before this one was dropped without finalize, and its job did not end within {}: finalize it on all \
         PEs",
        Seconds(*waited)
    )]
    StillLeaving {
        /// The init timeout.
        waited: Duration,
    },
    /// An environment variable has a value that cannot be used.
    #[error("the environment variable {variable} is `{value}`: {rule}")]
    Environment {
        /// The variable.
        variable: &'static str,
        /// Its value.
        value: String,
        /// What it has to be.
        rule: String,
    },
    /// The environment and the code disagree.
    #[error(
        "{variable} is {environment}, but the code says {what} {code}: leave it out of the code, or start the program \
         without {variable}"
    )]
    Conflict {
        /// What they disagree on.
        what: &'static str,
        /// The variable.
        variable: &'static str,
        /// Its value.
        environment: i64,
        /// The value in the code.
        code: i64,
    },
    /// A value of [`Config`](crate::Config) is out of range.
    #[error("{what} is {value}: {rule}")]
    Config {
        /// The method of `Config`.
        what: &'static str,
        /// Its value.
        value: String,
        /// What it has to be.
        rule: String,
    },
    /// The address of the job cannot be read.
    #[error("the address `{text}` ({source_name}) cannot be used: {reason}")]
    Address {
        /// The address as written.
        text: String,
        /// Where it comes from.
        source_name: &'static str,
        /// What is wrong, and the rule.
        reason: String,
    },
    /// A job of several PEs needs an address.
    #[error(
        "this job has {n_pes} PEs and no address to meet at: set SHMEM_IP_PORT, start the program through the launcher, \
         or give Config::ip_port"
    )]
    AddressMissing {
        /// PEs of the job.
        n_pes: i32,
    },
    /// The host name of the address is unknown.
    #[error(
        "the host of {address} cannot be resolved: {reason}; give a name that this host knows, or an IP address"
    )]
    Resolve {
        /// The address.
        address: String,
        /// The resolver's text.
        reason: String,
    },
    /// PE 0 cannot listen at the address of the job.
    #[error(
        "PE 0 cannot listen at {address}: {reason}. Another job or program may use it: set SHMEM_IP_PORT to a free port \
         of this host on all PEs"
    )]
    Listen {
        /// The address.
        address: String,
        /// The system's text.
        reason: String,
    },
    /// PE 0 was not reached in time.
    #[error(
        "PE 0 was not reached at {address} within {}: {reason}; start PE 0, or give all PEs its address in \
         SHMEM_IP_PORT",
        Seconds(*waited)
    )]
    Connect {
        /// The address.
        address: String,
        /// The init timeout.
        waited: Duration,
        /// The last attempt's end.
        reason: String,
    },
    /// What listens at the address does not take this PE.
    #[error("this PE cannot join the job at {address}: {reason}")]
    Refused {
        /// The address.
        address: String,
        /// Why.
        reason: String,
    },
    /// The operating system refused something.
    #[error("{doing} failed: {source}")]
    Io {
        /// What was tried.
        doing: String,
        /// The system's answer.
        source: Arc<io::Error>,
    },
    /// Two PEs do not do the same thing.
    #[error(
        "PE {pe} and PE {other_pe} differ in the {what}: PE {pe} has {value}; PE {other_pe} has {other}"
    )]
    Mismatch {
        /// What differs.
        what: String,
        /// A PE.
        pe: i32,
        /// Its value.
        value: String,
        /// Another PE.
        other_pe: i32,
        /// Its value.
        other: String,
    },
    /// Two processes have one PE number.
    #[error("two processes say that they are PE {pe}: give each process of the job its own number")]
    DuplicatePe {
        /// The number.
        pe: i32,
    },
    /// PEs did not come to a collective in time.
    #[error("{} did not come to {call} within {}", Pes(missing, *more), Seconds(*waited))]
    Timeout {
        /// The collective.
        call: String,
        /// PEs that did not come; the first ones of many.
        missing: Vec<i32>,
        /// How many more did not come.
        more: u32,
        /// How long the first PE waited.
        waited: Duration,
    },
    /// A PE's process ended without finalize.
    #[error("PE {pe} died: its process ended without finalize")]
    PeerDied {
        /// The PE.
        pe: i32,
    },
    /// A PE dropped its World without finalize.
    #[error("PE {pe} left the job without finalize")]
    PeerLeft {
        /// The PE.
        pe: i32,
    },
    /// A PE has failed.
    #[error("PE {pe} failed: {message}")]
    PeerFailed {
        /// The PE.
        pe: i32,
        /// What it said.
        message: String,
    },
    /// A PE could not do its part of a collective, so no PE did.
    #[error("{call} was not done on any PE, because PE {pe} could not: {message}")]
    CollectiveRefused {
        /// The collective.
        call: String,
        /// The PE.
        pe: i32,
        /// Its reason.
        message: String,
    },
    /// A function of ACL or SHMEM failed.
    #[error("{call} failed with {}{}", Code(*code, *name), Text(message))]
    Vendor {
        /// The C function.
        call: &'static str,
        /// Its result.
        code: i32,
        /// The constant of that number.
        name: Option<&'static str>,
        /// The vendor's text.
        message: String,
    },
    /// The symmetric heap or the device memory is full.
    #[error("there is no room for {bytes} bytes {place}: {hint}{}", Text(message))]
    OutOfMemory {
        /// Bytes that were asked for.
        bytes: u64,
        /// Where.
        place: &'static str,
        /// What helps.
        hint: String,
        /// The vendor's text.
        message: String,
    },
    /// An alignment is not a power of two.
    #[error("the alignment {align} is not a power of two: give Alloc::align one, as 64 or 4096")]
    Align {
        /// The alignment.
        align: usize,
    },
    /// A number of elements has more bytes than memory can have.
    #[error("{len} elements of {size} bytes are more than memory can hold: allocate fewer")]
    TooLarge {
        /// Elements.
        len: usize,
        /// Bytes of one.
        size: usize,
    },
    /// A slice of another length.
    #[error("the buffer has {expected} elements and the slice {found}: they must be equal")]
    Length {
        /// Elements of the buffer.
        expected: usize,
        /// Elements of the slice.
        found: usize,
    },
    /// An index outside of a buffer.
    #[error("index out of bounds: the len is {len} but the index is {index}")]
    Index {
        /// The index.
        index: usize,
        /// Elements of the buffer.
        len: usize,
    },
    /// A launched kernel may still use the buffer.
    #[error(
        "kernel `{kernel}` may still use this buffer: call Stream::synchronize on its stream first"
    )]
    InFlight {
        /// The kernel that was launched last.
        kernel: &'static str,
    },
    /// Kernel bodies cannot run on the host here.
    #[error("host_view needs the simulator: on {backend}, run the kernel with its `launch`")]
    HostView {
        /// The backend.
        backend: &'static str,
    },
    /// A kernel whose library was not built.
    #[error(
        "kernel `{kernel}` was not built: add a build.rs with `fn main() {{ shmem_codegen::build(); }}` to its package, \
         and to its Cargo.toml `[build-dependencies] shmem-codegen`; where there is one, name the crate root that the \
         kernel is in: `shmem_codegen::Build::new().source(\"tests/kernels.rs\").run()`"
    )]
    NotBuilt {
        /// The kernel.
        kernel: &'static str,
    },
    /// A number of blocks that cannot be launched.
    #[error("kernel `{kernel}` cannot be launched with {blocks} blocks: give 1 to 65535")]
    Blocks {
        /// The kernel.
        kernel: &'static str,
        /// The blocks.
        blocks: u32,
    },
    /// A buffer of another World.
    #[error(
        "kernel `{kernel}` was given a buffer of another World than its stream's: allocate it from that World"
    )]
    ForeignBuffer {
        /// The kernel.
        kernel: &'static str,
    },
    /// A kernel library cannot be loaded.
    #[error("the library of kernel `{kernel}` cannot be loaded: {reason}")]
    Library {
        /// The kernel.
        kernel: &'static str,
        /// The loader's text.
        reason: String,
    },
    /// A kernel library speaks another version of the simulator's interface.
    #[error(
        "the library of kernel `{kernel}` was built for version {library} of the simulator's interface, and this program \
         has version {runtime}: use one version of the shmem crates and build again"
    )]
    LibraryVersion {
        /// The kernel.
        kernel: &'static str,
        /// The library's version.
        library: u32,
        /// This program's.
        runtime: u32,
    },
    /// A kernel library was built from another text than the code that calls it.
    #[error(
        "the library of kernel `{kernel}` has contract {library:#018x}, and the code that launches it {code:#018x}: they \
         come from two builds; build the package again"
    )]
    Contract {
        /// The kernel.
        kernel: &'static str,
        /// The contract in the library.
        library: u64,
        /// The contract in the code.
        code: u64,
    },
    /// A kernel panicked.
    #[error(transparent)]
    KernelPanic(KernelPanic),
    /// A number of PEs that cannot be started.
    #[error("{n} PEs cannot be started: give 1 to 16384")]
    PeCount {
        /// The number.
        n: u32,
    },
    /// A PE could not be started.
    #[error("PE {pe} could not be started from {}: {source}", program.display())]
    Spawn {
        /// The PE.
        pe: i32,
        /// The program.
        program: PathBuf,
        /// The system's answer.
        source: Arc<io::Error>,
    },
}

impl Error {
    pub(crate) fn io(doing: impl Into<String>, source: io::Error) -> Self {
        Self::Io {
            doing: doing.into(),
            source: Arc::new(source),
        }
    }

    pub(crate) fn heap(bytes: u64, side: Side, local_mem_size: u64, message: String) -> Self {
        Self::OutOfMemory {
            bytes,
            place: match side {
                Side::Host => "in the host side of the symmetric heap",
                Side::Device => "in the device side of the symmetric heap",
            },
            hint: format!(
                "a side has {local_mem_size} bytes, Config::local_mem_size gives it more"
            ),
            message,
        }
    }
}

impl From<KernelPanic> for Error {
    fn from(panic: KernelPanic) -> Self {
        Self::KernelPanic(panic)
    }
}

/// `3 s`, `0.5 s`.
struct Seconds(Duration);

impl fmt::Display for Seconds {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} s", (self.0.as_secs_f64() * 10.0).round() / 10.0)
    }
}

/// `PE 1`, `PEs 1 and 2`, `PEs 1, 2 and 30 more`.
struct Pes<'a>(&'a [i32], u32);

impl fmt::Display for Pes<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(pes, more) = self;
        let (plural, last) = match (pes.split_last(), more) {
            (Some((last, [])), 0) => return write!(f, "PE {last}"),
            (Some((last, first)), 0) => (first, last.to_string()),
            _ => (*pes, format!("{more} more")),
        };
        let list: Vec<String> = plural.iter().map(i32::to_string).collect();
        write!(f, "PEs {} and {last}", list.join(", "))
    }
}

/// `-8 (ACLSHMEM_MALLOC_FAILED)`, `507016 (ACL_ERROR_RT_AICORE_TRAP_EXCEPTION)`, `12`.
struct Code(i32, Option<&'static str>);

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.1 {
            Some(name) => write!(f, "{} ({name})", self.0),
            None => write!(f, "{}", self.0),
        }
    }
}

/// `: text`, or nothing.
struct Text<'a>(&'a str);

impl fmt::Display for Text<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.0.is_empty() {
            Ok(())
        } else {
            write!(f, ": {}", self.0)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn timeout(missing: &[i32], more: u32) -> String {
        let waited = Duration::from_millis(3040);
        Error::Timeout {
            call: "barrier_all at a.rs:1:2".into(),
            missing: missing.to_vec(),
            more,
            waited,
        }
        .to_string()
    }

    #[test]
    fn absent_pes_are_listed_in_words() {
        assert_eq!(
            timeout(&[1], 0),
            "PE 1 did not come to barrier_all at a.rs:1:2 within 3 s"
        );
        assert_eq!(
            timeout(&[1, 2], 0),
            "PEs 1 and 2 did not come to barrier_all at a.rs:1:2 within 3 s"
        );
        assert_eq!(
            timeout(&[1, 2, 5], 0),
            "PEs 1, 2 and 5 did not come to barrier_all at a.rs:1:2 within 3 s"
        );
        assert_eq!(
            timeout(&[1, 2], 7),
            "PEs 1, 2 and 7 more did not come to barrier_all at a.rs:1:2 within 3 s"
        );
    }

    #[test]
    fn a_vendor_code_keeps_its_number_its_name_and_its_text() {
        let error = |code, name, message: &str| {
            Error::Vendor {
                call: "aclrtMalloc",
                code,
                name,
                message: message.into(),
            }
            .to_string()
        };
        assert_eq!(
            error(
                207_001,
                Some("ACL_ERROR_RT_MEMORY_ALLOCATION"),
                "EL0004: no room"
            ),
            "aclrtMalloc failed with 207001 (ACL_ERROR_RT_MEMORY_ALLOCATION): EL0004: no room"
        );
        assert_eq!(error(12, None, ""), "aclrtMalloc failed with 12");
    }

    #[test]
    fn not_built_says_what_to_add() {
        assert_eq!(
            Error::NotBuilt { kernel: "ring" }.to_string(),
            "kernel `ring` was not built: add a build.rs with `fn main() { shmem_codegen::build(); }` to its package, \
             and to its Cargo.toml `[build-dependencies] shmem-codegen`; where there is one, name the crate root that the \
             kernel is in: `shmem_codegen::Build::new().source(\"tests/kernels.rs\").run()`"
        );
    }
}
