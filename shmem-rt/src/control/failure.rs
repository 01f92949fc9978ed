//! Why a job has failed: the same words on every PE.

use super::message::{MAX_TEXT, Reader, Writer};
use crate::Error;

/// How many absent PEs are named.
const MOST_NAMED: usize = 64;

/// The first failure of a job; it stays.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Failure {
    Mismatch {
        what: String,
        pe: i32,
        value: String,
        other_pe: i32,
        other: String,
    },
    Duplicate {
        pe: i32,
    },
    Timeout {
        call: String,
        missing: Vec<i32>,
        more: u32,
        waited_ms: u64,
    },
    PeerDied {
        pe: i32,
    },
    PeerLeft {
        pe: i32,
    },
    PeerFailed {
        pe: i32,
        message: String,
    },
}

impl Failure {
    /// A timeout that names at most [`MOST_NAMED`] of the absent PEs.
    pub(crate) fn timeout(call: String, mut missing: Vec<i32>, waited_ms: u64) -> Self {
        let more = missing.len().saturating_sub(MOST_NAMED) as u32;
        missing.truncate(MOST_NAMED);
        Self::Timeout {
            call,
            missing,
            more,
            waited_ms,
        }
    }

    pub(crate) fn encode(&self, out: &mut Writer) {
        match self {
            Self::Mismatch {
                what,
                pe,
                value,
                other_pe,
                other,
            } => {
                out.byte(1);
                out.text(what, 64);
                out.u32(*pe as u32);
                out.text(value, MAX_TEXT);
                out.u32(*other_pe as u32);
                out.text(other, MAX_TEXT);
            }
            Self::Duplicate { pe } => {
                out.byte(2);
                out.u32(*pe as u32);
            }
            Self::Timeout {
                call,
                missing,
                more,
                waited_ms,
            } => {
                out.byte(3);
                out.text(call, MAX_TEXT);
                out.u32(missing.len() as u32);
                missing.iter().for_each(|pe| out.u32(*pe as u32));
                out.u32(*more);
                out.u64(*waited_ms);
            }
            Self::PeerDied { pe } => {
                out.byte(4);
                out.u32(*pe as u32);
            }
            Self::PeerLeft { pe } => {
                out.byte(5);
                out.u32(*pe as u32);
            }
            Self::PeerFailed { pe, message } => {
                out.byte(6);
                out.u32(*pe as u32);
                out.text(message, MAX_TEXT);
            }
        }
    }

    pub(crate) fn decode(input: &mut Reader<'_>) -> Option<Self> {
        let tag = input.byte()?;
        Some(match tag {
            1 => Self::Mismatch {
                what: input.text()?,
                pe: input.u32()? as i32,
                value: input.text()?,
                other_pe: input.u32()? as i32,
                other: input.text()?,
            },
            2 => Self::Duplicate {
                pe: input.u32()? as i32,
            },
            3 => {
                let call = input.text()?;
                let named = input.u32()? as usize;
                if named > MOST_NAMED {
                    return None;
                }
                let mut missing = Vec::with_capacity(named);
                for _ in 0..named {
                    missing.push(input.u32()? as i32);
                }
                Self::Timeout {
                    call,
                    missing,
                    more: input.u32()?,
                    waited_ms: input.u64()?,
                }
            }
            4 => Self::PeerDied {
                pe: input.u32()? as i32,
            },
            5 => Self::PeerLeft {
                pe: input.u32()? as i32,
            },
            6 => Self::PeerFailed {
                pe: input.u32()? as i32,
                message: input.text()?,
            },
            _ => return None,
        })
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        match failure {
            Failure::Mismatch {
                what,
                pe,
                value,
                other_pe,
                other,
            } => Self::Mismatch {
                what,
                pe,
                value,
                other_pe,
                other,
            },
            Failure::Duplicate { pe } => Self::DuplicatePe { pe },
            Failure::Timeout {
                call,
                missing,
                more,
                waited_ms,
            } => Self::Timeout {
                call,
                missing,
                more,
                waited: std::time::Duration::from_millis(waited_ms),
            },
            Failure::PeerDied { pe } => Self::PeerDied { pe },
            Failure::PeerLeft { pe } => Self::PeerLeft { pe },
            Failure::PeerFailed { pe, message } => Self::PeerFailed { pe, message },
        }
    }
}
