//! What the tests share: one World at a time in a test process, and the outcome of a launch in comparable form.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, MutexGuard, PoisonError};

use shmem::prelude::*;
use shmem::{Config, DeviceBox, Element, Error, Stream, World};

static ONE_WORLD: Mutex<()> = Mutex::new(());

/// Runs `test` as PE 0 of 1. Tests of one process take turns.
pub fn alone(test: impl FnOnce(&World)) {
    let _turn: MutexGuard<'_, ()> = ONE_WORLD.lock().unwrap_or_else(PoisonError::into_inner);
    let world = Config::new()
        .pe(0)
        .n_pes(1)
        .local_mem_size(2 << 20)
        .init()
        .expect("one PE starts");
    test(&world);
    world.finalize().expect("one PE ends");
}

/// How a kernel ended: with its values, or with the text and the line of a panic.
#[derive(Clone, Debug, PartialEq)]
pub enum Ending<T> {
    /// It returned.
    Values(T),
    /// It panicked.
    Panic {
        /// The text, up to the values that only the device adds.
        text: String,
        /// The line of the source.
        line: u32,
        /// The column.
        column: u32,
    },
}

/// Calls a body on the host. Bodies take turns: the hook that reads their panics is the process's.
pub fn on_host<T>(body: impl FnOnce() -> T) -> Ending<T> {
    static TURN: Mutex<()> = Mutex::new(());
    static LAST: Mutex<Option<(String, u32, u32)>> = Mutex::new(None);
    let _turn = TURN.lock().unwrap_or_else(PoisonError::into_inner);
    let before = std::panic::take_hook();
    std::panic::set_hook(Box::new(|info| {
        let payload = info.payload();
        let text = payload
            .downcast_ref::<&str>()
            .map(|text| (*text).to_owned());
        let text = text
            .or_else(|| payload.downcast_ref::<String>().cloned())
            .unwrap_or_default();
        let at = info
            .location()
            .map_or((0, 0), |location| (location.line(), location.column()));
        *LAST.lock().unwrap_or_else(PoisonError::into_inner) = Some((text, at.0, at.1));
    }));
    let result = catch_unwind(AssertUnwindSafe(body));
    std::panic::set_hook(before);
    match result {
        Ok(values) => Ending::Values(values),
        Err(_) => {
            let last = LAST.lock().unwrap_or_else(PoisonError::into_inner).take();
            let (text, line, column) = last.expect("the hook ran");
            Ending::Panic { text, line, column }
        }
    }
}

/// What a launch came to: `values` reads the results of one that returned.
///
/// # Panics
///
/// On any error other than a kernel panic.
pub fn on_device<T>(result: Result<(), Error>, values: impl FnOnce() -> T) -> Ending<T> {
    match result {
        Ok(()) => Ending::Values(values()),
        Err(Error::KernelPanic(panic)) => {
            // Overflow is told with the operands, which rustc leaves out.
            let arithmetic = panic.message.starts_with("attempt to ");
            let text = match panic.message.split_once(" (") {
                Some((text, _)) if arithmetic => text.to_owned(),
                _ => panic.message,
            };
            Ending::Panic {
                text,
                line: panic.line,
                column: panic.column,
            }
        }
        Err(other) => panic!("{other}"),
    }
}

/// Runs a kernel on zeroed cells both ways, and compares, up to the place of a panic inside the standard library.
///
/// # Panics
///
/// Where they differ.
pub fn both<T: Element + Default + PartialEq + std::fmt::Debug, const N: usize>(
    what: &str,
    body: impl FnOnce(Global<'_, [T]>),
    launch: impl FnOnce(&Stream<'_>, &DeviceBox<'_, [T]>) -> Result<(), Error>,
) -> Ending<Vec<T>> {
    let (host, device) = each::<T, N>(body, launch);
    match (&host, &device) {
        // Inside the standard library rustc's place is the library's.
        (Ending::Panic { text, .. }, Ending::Panic { text: ours, .. }) => {
            // The words of `clamp` are those of the standard library from 1.90 on.
            if !ours.starts_with("min > max") {
                assert_eq!(ours, text, "{what}");
            }
        }
        _ => assert_eq!(device, host, "{what}"),
    }
    device
}

/// Runs a kernel on zeroed cells both ways, and compares all of it.
///
/// # Panics
///
/// Where they differ.
pub fn exactly<T: Element + Default + PartialEq + std::fmt::Debug, const N: usize>(
    what: &str,
    body: impl FnOnce(Global<'_, [T]>),
    launch: impl FnOnce(&Stream<'_>, &DeviceBox<'_, [T]>) -> Result<(), Error>,
) -> Ending<Vec<T>> {
    let (host, device) = each::<T, N>(body, launch);
    assert_eq!(device, host, "{what}");
    device
}

/// How a kernel on zeroed cells ends on the host, and in the simulator.
fn each<T: Element + Default, const N: usize>(
    body: impl FnOnce(Global<'_, [T]>),
    launch: impl FnOnce(&Stream<'_>, &DeviceBox<'_, [T]>) -> Result<(), Error>,
) -> (Ending<Vec<T>>, Ending<Vec<T>>) {
    let mut host = [T::default(); N];
    let host = on_host(|| {
        body(Global::from_mut(&mut host[..]));
        host.to_vec()
    });
    let mut device = None;
    alone(|world| {
        let cells = world.device_slice(&[T::default(); N]).expect("memory");
        let stream = world.stream().expect("a stream");
        let result = launch(&stream, &cells).and_then(|()| stream.synchronize());
        device = Some(on_device(result, || cells.read_vec().expect("results")));
    });
    (host, device.expect("the test ran"))
}
