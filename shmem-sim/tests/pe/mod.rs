//! Calls the C API as a program does, and starts PEs as processes of the test binary.

#![allow(dead_code, reason = "each test file uses a part")]

use std::ffi::CStr;
use std::io::Read;
use std::net::TcpListener;
use std::os::fd::AsRawFd;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use shmem_sim::abi::*;
use shmem_sim::ext::{LastError, shmemx_last_error};
use shmem_sim::{acl, shmem};

pub const MIB: u64 = 1 << 20;

/// The calling thread's last failure: code, PE, text.
pub fn last_error() -> (i32, i32, String) {
    let mut last = LastError {
        code: 0,
        pe: 0,
        message: [0; 512],
    };
    // SAFETY: `last` is writable and its message NUL-terminated afterwards.
    let text = unsafe {
        shmemx_last_error(&raw mut last);
        CStr::from_ptr(last.message.as_ptr())
    };
    (last.code, last.pe, text.to_str().unwrap().to_owned())
}

/// `aclInit` (by whichever test comes first) and a device for this thread.
pub fn use_device(id: i32) {
    // SAFETY: no arguments that could be wrong.
    unsafe {
        let code = acl::aclInit(std::ptr::null());
        assert!(code == ACL_SUCCESS || code == ACL_ERROR_REPEAT_INITIALIZE);
        assert_eq!(acl::aclrtSetDevice(id), ACL_SUCCESS);
    }
}

/// Attributes of a job with the vendor's default timeouts.
pub fn attributes(me: i32, n_pes: i32, address: &str, size: u64) -> aclshmemx_init_attr_t {
    let mut attr = aclshmemx_init_attr_t {
        my_pe: me,
        n_pes,
        ip_port: [0; 64],
        local_mem_size: size,
        option_attr: aclshmem_init_optional_attr_t {
            version: 0x10018,
            data_op_engine_type: 1,
            shm_init_timeout: 20,
            shm_create_timeout: 20,
            control_operation_timeout: 20,
            sockFd: 0,
        },
        comm_args: std::ptr::null_mut(),
        instance_id: 0,
    };
    for (to, from) in attr.ip_port.iter_mut().zip(address.bytes()) {
        *to = from as _;
    }
    attr
}

pub fn init(attr: &mut aclshmemx_init_attr_t) -> i32 {
    // SAFETY: valid attributes.
    unsafe { shmem::aclshmemx_init_attr(ACLSHMEMX_INIT_WITH_DEFAULT, attr) }
}

pub fn finalize() -> i32 {
    // SAFETY: the tests use nothing of the heap afterwards.
    unsafe { shmem::aclshmem_finalize() }
}

/// A barrier; its failure if it failed.
pub fn barrier() -> Result<(), (i32, i32, String)> {
    // SAFETY: called by all PEs, or failing is what is tested.
    unsafe { shmem::aclshmem_barrier_all() };
    let last = last_error();
    if last.0 == 0 { Ok(()) } else { Err(last) }
}

pub fn malloc(size: usize, side: i32) -> *mut u8 {
    // SAFETY: called by all PEs.
    unsafe { shmem::aclshmemx_malloc(size, side) }.cast()
}

pub fn translate(address: *mut u8, pe: i32) -> *mut u8 {
    // SAFETY: the address is used only if it is not null.
    unsafe { shmem::aclshmem_ptr(address.cast(), pe) }.cast()
}

/// Open descriptors and mappings of this process.
pub fn held() -> (usize, usize) {
    let fds = std::fs::read_dir("/proc/self/fd").unwrap().count();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    (fds, maps.lines().count())
}

/// What a PE process was told.
pub struct Role {
    pub scenario: String,
    pub me: i32,
    pub n_pes: i32,
    pub address: String,
    pub size: u64,
    pub socket: i32,
}

impl Role {
    /// `None`: this process is the test itself.
    pub fn from_environment() -> Option<Role> {
        let value = |name: &str| std::env::var(name).unwrap();
        Some(Role {
            scenario: std::env::var("SIM_SCENARIO").ok()?,
            me: value("SIM_PE").parse().unwrap(),
            n_pes: value("SIM_N_PES").parse().unwrap(),
            address: value("SIM_ADDRESS"),
            size: value("SIM_SIZE").parse().unwrap(),
            socket: value("SIM_SOCKET").parse().unwrap(),
        })
    }

    pub fn attributes(&self) -> aclshmemx_init_attr_t {
        let mut attr = attributes(self.me, self.n_pes, &self.address, self.size);
        if self.me == 0 {
            attr.option_attr.sockFd = self.socket;
        }
        attr
    }
}

/// A line that the test reads: milliseconds, code, PE, text.
pub fn report(began: Instant, outcome: Result<(), (i32, i32, String)>) {
    let (code, pe, text) = outcome.err().unwrap_or((0, -1, String::new()));
    let milliseconds = began.elapsed().as_millis();
    println!("\nRESULT {milliseconds}|{code}|{pe}|{text}");
}

/// What [`report`] said.
#[derive(Clone, Debug)]
pub struct Report {
    pub milliseconds: u64,
    pub code: i32,
    pub pe: i32,
    pub text: String,
}

/// A job's address, held by a socket of the test so that no other test can have it.
pub struct Address {
    pub text: String,
    socket: TcpListener,
}

impl Address {
    pub fn new() -> Self {
        let socket = TcpListener::bind("127.0.0.1:0").unwrap();
        rustix::io::fcntl_setfd(&socket, rustix::io::FdFlags::empty()).unwrap();
        let text = format!("tcp://{}", socket.local_addr().unwrap());
        Address { text, socket }
    }
}

/// A PE process; killed when dropped.
pub struct Pe {
    child: Child,
    pub name: String,
}

impl Pe {
    pub fn start(scenario: &str, me: i32, n_pes: i32, address: &Address, size: u64) -> Pe {
        Pe::start_with(scenario, me, n_pes, address, size, &[])
    }

    pub fn start_with(
        scenario: &str,
        me: i32,
        n_pes: i32,
        address: &Address,
        size: u64,
        variables: &[(&str, &str)],
    ) -> Pe {
        let child = Command::new(std::env::current_exe().unwrap())
            .args(["pe_process", "--exact", "--nocapture", "--test-threads=1"])
            .env("SIM_SCENARIO", scenario)
            .env("SIM_PE", me.to_string())
            .env("SIM_N_PES", n_pes.to_string())
            .env("SIM_ADDRESS", &address.text)
            .env("SIM_SIZE", size.to_string())
            .env("SIM_SOCKET", address.socket.as_raw_fd().to_string())
            .envs(variables.iter().copied())
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::inherit())
            .spawn()
            .unwrap();
        Pe {
            child,
            name: format!("{scenario}, PE {me} of {n_pes}"),
        }
    }

    /// A job whose PEs are told the same.
    pub fn start_all(scenario: &str, n_pes: i32, address: &Address, size: u64) -> Vec<Pe> {
        (0..n_pes)
            .map(|me| Pe::start(scenario, me, n_pes, address, size))
            .collect()
    }

    /// Waits for the end of the process; its reports. It must succeed unless `may_fail`.
    pub fn finish(mut self, deadline: Instant, may_fail: bool) -> Vec<Report> {
        let status = loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                break status;
            }
            assert!(Instant::now() < deadline, "{}: still runs", self.name);
            std::thread::sleep(Duration::from_millis(2));
        };
        let mut text = String::new();
        let mut stdout = self.child.stdout.take().unwrap();
        stdout.read_to_string(&mut text).unwrap();
        assert!(
            may_fail || status.success(),
            "{}: {status}\n{text}",
            self.name
        );
        text.lines()
            .filter_map(|line| line.strip_prefix("RESULT "))
            .map(|line| {
                let fields: Vec<&str> = line.splitn(4, '|').collect();
                Report {
                    milliseconds: fields[0].parse().unwrap(),
                    code: fields[1].parse().unwrap(),
                    pe: fields[2].parse().unwrap(),
                    text: fields[3].to_owned(),
                }
            })
            .collect()
    }

    pub fn kill(&mut self) {
        self.child.kill().unwrap();
    }
}

impl Drop for Pe {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The reports of all PEs, each within the time.
pub fn finish_all(pes: Vec<Pe>, seconds: u64) -> Vec<Vec<Report>> {
    let deadline = Instant::now() + Duration::from_secs(seconds);
    pes.into_iter()
        .map(|pe| pe.finish(deadline, false))
        .collect()
}

/// The only report of each PE.
pub fn one_each(pes: Vec<Pe>, seconds: u64) -> Vec<Report> {
    finish_all(pes, seconds)
        .into_iter()
        .map(|mut reports| {
            assert_eq!(reports.len(), 1, "{reports:?}");
            reports.remove(0)
        })
        .collect()
}
