//! The two messages of the rendezvous. Each is one packet of a fixed layout, so there are no partial reads and no
//! length that a stranger could choose.

use core::ffi::c_int;

use crate::error::Failure;

/// Bytes of a [`Hello`].
pub(super) const HELLO_SIZE: usize = 40;
/// Bytes of the longest [`Reply`].
pub(super) const REPLY_SIZE: usize = 32 + TEXT;
const TEXT: usize = 488;

const MAGIC: u64 = u64::from_le_bytes(*b"shmemsim");
/// Version of the messages and of the shared memory.
pub(super) const VERSION: u32 = 1;

/// A PE introduces itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Hello {
    pub(super) version: u32,
    pub(super) pe: i32,
    pub(super) n_pes: i32,
    pub(super) pid: u32,
    pub(super) local_mem_size: u64,
    /// Tells jobs on one address apart; 0: not given.
    pub(super) job: u64,
}

impl Hello {
    pub(super) fn to_bytes(self) -> [u8; HELLO_SIZE] {
        let mut bytes = [0; HELLO_SIZE];
        bytes[..8].copy_from_slice(&MAGIC.to_le_bytes());
        bytes[8..12].copy_from_slice(&self.version.to_le_bytes());
        bytes[12..16].copy_from_slice(&self.pe.to_le_bytes());
        bytes[16..20].copy_from_slice(&self.n_pes.to_le_bytes());
        bytes[20..24].copy_from_slice(&self.pid.to_le_bytes());
        bytes[24..32].copy_from_slice(&self.local_mem_size.to_le_bytes());
        bytes[32..40].copy_from_slice(&self.job.to_le_bytes());
        bytes
    }

    /// `None`: not one of ours.
    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Hello> {
        if bytes.len() != HELLO_SIZE || u64_at(bytes, 0)? != MAGIC {
            return None;
        }
        Some(Hello {
            version: u32_at(bytes, 8)?,
            pe: u32_at(bytes, 12)? as i32,
            n_pes: u32_at(bytes, 16)? as i32,
            pid: u32_at(bytes, 20)?,
            local_mem_size: u64_at(bytes, 24)?,
            job: u64_at(bytes, 32)?,
        })
    }
}

/// PE 0's answer: the addresses of its heaps (the memory comes along as descriptors), or a failure.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Reply {
    Go([u64; 2]),
    Stop(Failure),
}

impl Reply {
    pub(super) fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_le_bytes().to_vec();
        let (code, pe, bases, text): (c_int, i32, [u64; 2], &str) = match self {
            Reply::Go(bases) => (0, -1, *bases, ""),
            Reply::Stop(failure) => (failure.code, failure.pe, [0; 2], &failure.text),
        };
        bytes.extend(code.to_le_bytes());
        bytes.extend(pe.to_le_bytes());
        bytes.extend(bases[0].to_le_bytes());
        bytes.extend(bases[1].to_le_bytes());
        bytes.extend(text.bytes().take(TEXT));
        bytes
    }

    pub(super) fn from_bytes(bytes: &[u8]) -> Option<Reply> {
        if u64_at(bytes, 0)? != MAGIC {
            return None;
        }
        let (code, pe) = (u32_at(bytes, 8)? as c_int, u32_at(bytes, 12)? as i32);
        let bases = [u64_at(bytes, 16)?, u64_at(bytes, 24)?];
        Some(if code == 0 {
            Reply::Go(bases)
        } else {
            let text = String::from_utf8_lossy(bytes.get(32..)?).into_owned();
            Reply::Stop(Failure { code, pe, text })
        })
    }
}

fn u32_at(bytes: &[u8], at: usize) -> Option<u32> {
    Some(u32::from_le_bytes(bytes.get(at..at + 4)?.try_into().ok()?))
}

fn u64_at(bytes: &[u8], at: usize) -> Option<u64> {
    Some(u64::from_le_bytes(bytes.get(at..at + 8)?.try_into().ok()?))
}

/// The job secret that the launcher hands down in `SHMEM_JOB_SECRET`, as a number; 0 without one.
pub(super) fn job_id() -> u64 {
    std::env::var_os("SHMEM_JOB_SECRET")
        .filter(|id| !id.is_empty())
        .map_or(0, |id| fnv(id.as_encoded_bytes()).max(1))
}

/// FNV-1a: the same in every build, which the standard library's hashers do not promise.
fn fnv(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn messages_survive_the_wire() {
        let hello = Hello {
            version: VERSION,
            pe: 3,
            n_pes: 8,
            pid: 4711,
            local_mem_size: 40 << 30,
            job: u64::MAX,
        };
        assert_eq!(Hello::from_bytes(&hello.to_bytes()), Some(hello));
        for reply in [
            Reply::Go([1 << 44, 2 << 44]),
            Reply::Stop(Failure::new(-6, "PE 1 says 4, PE 0 says 3").about(1)),
        ] {
            assert_eq!(Reply::from_bytes(&reply.to_bytes()), Some(reply));
        }
    }

    #[test]
    fn foreign_bytes_are_no_message() {
        assert_eq!(Hello::from_bytes(b"GET / HTTP/1.1\r\n\r\n"), None);
        assert_eq!(Hello::from_bytes(&[0xff; HELLO_SIZE]), None);
        assert_eq!(Hello::from_bytes(&[]), None);
        assert_eq!(Reply::from_bytes(&[0; 7]), None);
        assert_eq!(Reply::from_bytes(&MAGIC.to_le_bytes()), None);
    }
}
