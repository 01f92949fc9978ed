//! Why a call failed, and the record of the calling thread's last failure.

use core::cell::{Cell, RefCell};
use core::ffi::{c_char, c_int};
use std::ffi::CString;

use rustix::io::Errno;

/// A failed call: the code that C gets, the PE that it is about (-1: none) and what to tell the user.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Failure {
    pub(crate) code: c_int,
    pub(crate) pe: i32,
    pub(crate) text: String,
}

/// The system's text, and what helps where that is known.
pub(crate) fn explain(errno: Errno) -> String {
    match errno {
        Errno::MFILE | Errno::NFILE => format!("{errno}; raise `ulimit -n`"),
        errno => errno.to_string(),
    }
}

pub(crate) type Result<T> = core::result::Result<T, Failure>;

impl Failure {
    pub(crate) fn new(code: c_int, text: impl Into<String>) -> Self {
        Failure {
            code,
            pe: -1,
            text: text.into(),
        }
    }

    pub(crate) fn about(self, pe: i32) -> Self {
        Failure { pe, ..self }
    }

    /// Puts the name of the C function in front of the text.
    pub(crate) fn in_call(self, function: &str) -> Self {
        Failure {
            text: format!("{function}: {}", self.text),
            ..self
        }
    }
}

/// The last failure together with its text as C reads it.
struct Recorded {
    failure: Failure,
    text: CString,
}

thread_local! {
    static LAST: RefCell<Option<Recorded>> = const { RefCell::new(None) };
    /// What `aclrtGetLastError` hands out and clears.
    static ACL_LAST: Cell<c_int> = const { Cell::new(0) };
}

/// Keeps the failure as the thread's last one and returns its code.
pub(crate) fn record(failure: Failure) -> c_int {
    let code = failure.code;
    let text = CString::new(failure.text.replace('\0', " ")).unwrap_or_default();
    // A call from a destructor of another thread-local may find these gone: then nobody can ask for the text either.
    let _ = LAST.try_with(|last| last.replace(Some(Recorded { failure, text })));
    if code > 0 {
        let _ = ACL_LAST.try_with(|last| last.set(code));
    }
    code
}

/// Forgets the thread's last failure, for functions that can report one in no other way.
pub(crate) fn clear() {
    let _ = LAST.try_with(|last| last.replace(None));
}

/// 0, or the recorded failure's code.
pub(crate) fn status(function: &str, result: Result<()>) -> c_int {
    match result {
        Ok(()) => 0,
        Err(failure) => record(failure.in_call(function)),
    }
}

pub(crate) fn last() -> Option<Failure> {
    LAST.try_with(|last| {
        last.borrow()
            .as_ref()
            .map(|recorded| recorded.failure.clone())
    })
    .ok()
    .flatten()
}

/// The last text, valid until the thread's next call; null where there is none.
pub(crate) fn last_text() -> *const c_char {
    LAST.try_with(|last| {
        last.borrow()
            .as_ref()
            .map_or(core::ptr::null(), |recorded| recorded.text.as_ptr())
    })
    .unwrap_or(core::ptr::null())
}

pub(crate) fn acl_last() -> c_int {
    ACL_LAST.try_with(Cell::get).unwrap_or(0)
}

pub(crate) fn take_acl_last() -> c_int {
    ACL_LAST.try_with(|last| last.replace(0)).unwrap_or(0)
}
