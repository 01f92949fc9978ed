//! What the PEs and the service at PE 0 say to each other, and its bytes.
//!
//! Every text has a bound, so that each message fits a frame.

use super::failure::Failure;

/// First bytes of a hello.
const MAGIC: &[u8; 8] = b"SHMEM-RS";
/// Changes with this file.
pub(crate) const PROTOCOL: u32 = 1;
/// Longest call site, in bytes.
pub(crate) const MAX_SITE: usize = 200;
/// Longest text or payload, in bytes.
pub(crate) const MAX_TEXT: usize = 1024;

/// Who connects, and what its job looks like to it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Hello {
    pub(crate) protocol: u32,
    pub(crate) secret: [u8; 16],
    /// Effective user id.
    pub(crate) user: u32,
    pub(crate) pe: i32,
    pub(crate) n_pes: i32,
    pub(crate) local_mem_size: u64,
    /// How long this PE goes on waiting for the others.
    pub(crate) patience_ms: u64,
    /// PE 0's goes to everyone: the address of the backend's bootstrap.
    pub(crate) payload: Vec<u8>,
}

/// Which collective a PE is in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub(crate) enum Kind {
    Init = 0,
    Barrier = 1,
    Alloc = 2,
    Allocated = 3,
    Free = 4,
    Finalize = 5,
}

impl Kind {
    fn from_byte(byte: u8) -> Option<Self> {
        [
            Self::Init,
            Self::Barrier,
            Self::Alloc,
            Self::Allocated,
            Self::Free,
            Self::Finalize,
        ]
        .into_iter()
        .find(|kind| *kind as u8 == byte)
    }

    /// The function that the user called.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Init => "init",
            Self::Barrier => "barrier_all",
            Self::Alloc | Self::Allocated => "alloc",
            Self::Free => "free",
            Self::Finalize => "finalize",
        }
    }
}

/// One PE's part of a collective.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Record {
    /// Number of the collective in this job.
    pub(crate) sequence: u64,
    pub(crate) kind: Kind,
    /// `HOST_SIDE` 0, `DEVICE_SIDE` 1.
    pub(crate) side: u8,
    pub(crate) bytes: u64,
    pub(crate) align: u64,
    /// Which allocation, counted from 1.
    pub(crate) block: u64,
    pub(crate) patience_ms: u64,
    /// `file:line:column`.
    pub(crate) site: String,
    /// Why this PE cannot do it; then no PE does.
    pub(crate) refused: Option<String>,
}

impl Record {
    /// The first thing on which two PEs differ.
    pub(crate) fn difference(&self, other: &Self) -> Option<&'static str> {
        if self.sequence != other.sequence {
            Some("number of the call")
        } else if self.kind != other.kind {
            Some("call")
        } else if self.side != other.side {
            Some("side")
        } else if self.bytes != other.bytes {
            Some("size")
        } else if self.align != other.align {
            Some("alignment")
        } else if self.block != other.block {
            Some("allocation")
        } else if self.site != other.site {
            Some("call site")
        } else {
            None
        }
    }

    /// In the user's words.
    pub(crate) fn describe(&self) -> String {
        let side = if self.side == 0 { "host" } else { "device" };
        match self.kind {
            Kind::Alloc | Kind::Allocated => format!(
                "alloc of {} bytes on the {side} side, aligned to {}, at {}",
                self.bytes, self.align, self.site
            ),
            Kind::Free => format!(
                "free of allocation {} ({} bytes on the {side} side) at {}",
                self.block, self.bytes, self.site
            ),
            kind => format!("{} at {}", kind.name(), self.site),
        }
    }
}

/// From a PE to the service.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Request {
    Hello(Hello),
    Collective(Record),
    /// This PE has failed; every PE is to know.
    Failed(String),
    /// This PE goes without finalize.
    Leave,
}

/// From the service to a PE.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Response {
    /// The hello was a member's; wait for the others.
    Accepted,
    /// Not of this job.
    Refused(String),
    /// The collective is done, or refused by one PE, which says why.
    Done {
        sequence: u64,
        payload: Vec<u8>,
        refused: Option<(i32, String)>,
    },
    /// The job has failed.
    Failed(Failure),
}

impl Request {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Writer::default();
        match self {
            Self::Hello(hello) => {
                out.byte(1);
                out.0.extend_from_slice(MAGIC);
                out.u32(hello.protocol);
                out.0.extend_from_slice(&hello.secret);
                out.u32(hello.user);
                out.u32(hello.pe as u32);
                out.u32(hello.n_pes as u32);
                out.u64(hello.local_mem_size);
                out.u64(hello.patience_ms);
                out.bytes(&hello.payload, MAX_TEXT);
            }
            Self::Collective(record) => {
                out.byte(2);
                out.u64(record.sequence);
                out.byte(record.kind as u8);
                out.byte(record.side);
                out.u64(record.bytes);
                out.u64(record.align);
                out.u64(record.block);
                out.u64(record.patience_ms);
                out.text(&record.site, MAX_SITE);
                out.byte(u8::from(record.refused.is_some()));
                out.text(record.refused.as_deref().unwrap_or(""), MAX_TEXT);
            }
            Self::Failed(text) => {
                out.byte(3);
                out.text(text, MAX_TEXT);
            }
            Self::Leave => out.byte(4),
        }
        out.0
    }

    /// `None`: not a message of ours.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut input = Reader(bytes);
        let request = match input.byte()? {
            1 => {
                if input.array::<8>()? != *MAGIC {
                    return None;
                }
                let protocol = input.u32()?;
                // The layout up to the version never changes; what follows is another version's own.
                if protocol != PROTOCOL {
                    return Some(Self::Hello(Hello {
                        protocol,
                        ..Hello::default()
                    }));
                }
                Self::Hello(Hello {
                    protocol,
                    secret: input.array()?,
                    user: input.u32()?,
                    pe: input.u32()? as i32,
                    n_pes: input.u32()? as i32,
                    local_mem_size: input.u64()?,
                    patience_ms: input.u64()?,
                    payload: input.bytes()?,
                })
            }
            2 => {
                let mut record = Record {
                    sequence: input.u64()?,
                    kind: Kind::from_byte(input.byte()?)?,
                    side: input.byte()?,
                    bytes: input.u64()?,
                    align: input.u64()?,
                    block: input.u64()?,
                    patience_ms: input.u64()?,
                    site: input.text()?,
                    refused: None,
                };
                let refused = input.byte()? != 0;
                let text = input.text()?;
                record.refused = refused.then_some(text);
                Self::Collective(record)
            }
            3 => Self::Failed(input.text()?),
            4 => Self::Leave,
            _ => return None,
        };
        input.0.is_empty().then_some(request)
    }
}

impl Response {
    pub(crate) fn encode(&self) -> Vec<u8> {
        let mut out = Writer::default();
        match self {
            Self::Accepted => out.byte(1),
            Self::Refused(text) => {
                out.byte(2);
                out.text(text, MAX_TEXT);
            }
            Self::Done {
                sequence,
                payload,
                refused,
            } => {
                out.byte(3);
                out.u64(*sequence);
                out.bytes(payload, MAX_TEXT);
                let (pe, text) = refused.as_ref().map_or((-1, ""), |(pe, text)| (*pe, text));
                out.u32(pe as u32);
                out.text(text, MAX_TEXT);
            }
            Self::Failed(failure) => {
                out.byte(4);
                failure.encode(&mut out);
            }
        }
        out.0
    }

    /// `None`: not a message of ours.
    pub(crate) fn decode(bytes: &[u8]) -> Option<Self> {
        let mut input = Reader(bytes);
        let response = match input.byte()? {
            1 => Self::Accepted,
            2 => Self::Refused(input.text()?),
            3 => {
                let (sequence, payload) = (input.u64()?, input.bytes()?);
                let (pe, text) = (input.u32()? as i32, input.text()?);
                Self::Done {
                    sequence,
                    payload,
                    refused: (pe >= 0).then_some((pe, text)),
                }
            }
            4 => Self::Failed(Failure::decode(&mut input)?),
            _ => return None,
        };
        input.0.is_empty().then_some(response)
    }
}

/// Little-endian fields.
#[derive(Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    pub(crate) fn byte(&mut self, value: u8) {
        self.0.push(value);
    }
    pub(crate) fn u32(&mut self, value: u32) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }
    pub(crate) fn u64(&mut self, value: u64) {
        self.0.extend_from_slice(&value.to_le_bytes());
    }
    pub(crate) fn bytes(&mut self, value: &[u8], most: usize) {
        let value = &value[..value.len().min(most)];
        self.u32(value.len() as u32);
        self.0.extend_from_slice(value);
    }
    /// Cut at a character when it is too long.
    pub(crate) fn text(&mut self, value: &str, most: usize) {
        let mut end = value.len().min(most);
        while !value.is_char_boundary(end) {
            end -= 1;
        }
        self.bytes(&value.as_bytes()[..end], most);
    }
}

/// The same fields from bytes that nobody vouches for.
pub(crate) struct Reader<'a>(pub(crate) &'a [u8]);

impl Reader<'_> {
    pub(crate) fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (head, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*head)
    }
    pub(crate) fn byte(&mut self) -> Option<u8> {
        self.array::<1>().map(|[byte]| byte)
    }
    pub(crate) fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }
    pub(crate) fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }
    pub(crate) fn bytes(&mut self) -> Option<Vec<u8>> {
        let length = self.u32()? as usize;
        let (head, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(head.to_vec())
    }
    pub(crate) fn text(&mut self) -> Option<String> {
        String::from_utf8(self.bytes()?).ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    pub(crate) fn record() -> Record {
        Record {
            sequence: 7,
            kind: Kind::Alloc,
            side: 1,
            bytes: 4096,
            align: 64,
            block: 3,
            patience_ms: 120_000,
            site: "src/main.rs:10:5".into(),
            refused: Some("no".into()),
        }
    }

    fn requests() -> Vec<Request> {
        let hello = Hello {
            protocol: PROTOCOL,
            secret: [9; 16],
            user: 1000,
            pe: 1,
            n_pes: 3,
            local_mem_size: 1 << 30,
            patience_ms: 5,
            payload: b"tcp://127.0.0.1:4000".to_vec(),
        };
        vec![
            Request::Hello(hello),
            Request::Collective(record()),
            Request::Failed("kernel `ring` panicked".into()),
            Request::Leave,
        ]
    }

    #[test]
    fn requests_come_back_from_their_bytes() {
        for request in requests() {
            assert_eq!(Request::decode(&request.encode()), Some(request));
        }
    }

    #[test]
    fn a_hello_of_another_version_is_read_up_to_its_version() {
        let bytes = [&[1], &MAGIC[..], &9_u32.to_le_bytes(), b"whatever"].concat();
        let Some(Request::Hello(hello)) = Request::decode(&bytes) else {
            panic!()
        };
        assert_eq!(hello.protocol, 9);
    }

    #[test]
    fn responses_come_back_from_their_bytes() {
        for response in [
            Response::Accepted,
            Response::Refused("other job".into()),
            Response::Done {
                sequence: 4,
                payload: vec![1, 2],
                refused: None,
            },
            Response::Done {
                sequence: 4,
                payload: vec![],
                refused: Some((0, "full".into())),
            },
            Response::Failed(Failure::PeerDied { pe: 2 }),
        ] {
            assert_eq!(Response::decode(&response.encode()), Some(response));
        }
    }

    #[test]
    fn cut_or_lengthened_bytes_are_not_messages() {
        for request in requests() {
            let bytes = request.encode();
            for end in 0..bytes.len() {
                assert_eq!(Request::decode(&bytes[..end]), None);
            }
            assert_eq!(Request::decode(&[&bytes[..], &[0]].concat()), None);
        }
    }

    #[test]
    fn long_texts_are_cut_so_that_every_message_fits_a_frame() {
        let long = "é".repeat(3000);
        let record = Record {
            site: long.clone(),
            refused: Some(long.clone()),
            ..record()
        };
        let bytes = Request::Collective(record).encode();
        assert!(bytes.len() <= super::super::wire::MAX_FRAME);
        let Some(Request::Collective(back)) = Request::decode(&bytes) else {
            panic!()
        };
        assert_eq!(back.site, "é".repeat(MAX_SITE / 2));
    }

    #[test]
    fn a_difference_is_named_and_described() {
        let base = record();
        let table: [(Record, &str); 6] = [
            (
                Record {
                    kind: Kind::Barrier,
                    ..base.clone()
                },
                "call",
            ),
            (
                Record {
                    side: 0,
                    ..base.clone()
                },
                "side",
            ),
            (
                Record {
                    bytes: 8,
                    ..base.clone()
                },
                "size",
            ),
            (
                Record {
                    align: 128,
                    ..base.clone()
                },
                "alignment",
            ),
            (
                Record {
                    block: 4,
                    ..base.clone()
                },
                "allocation",
            ),
            (
                Record {
                    site: "src/main.rs:11:5".into(),
                    ..base.clone()
                },
                "call site",
            ),
        ];
        for (other, what) in table {
            assert_eq!(base.difference(&other), Some(what));
        }
        assert_eq!(base.difference(&base.clone()), None);
        assert_eq!(
            base.describe(),
            "alloc of 4096 bytes on the device side, aligned to 64, at src/main.rs:10:5"
        );
    }
}
