// A panic on the device: a record that the host reads, then the end of the instance.
#ifndef SHMEM_RUST_FAULT_H
#define SHMEM_RUST_FAULT_H

// One record of an instance; 64 bytes, so that two instances never share a cache line.
struct shmem_rust_fault {
    uint32_t state;  // 0: no panic, 1: filled
    uint32_t kind;
    uint32_t site;   // index into the kernel's table of source locations
    uint32_t block;  // block_idx() of the instance
    uint32_t core;   // 0: cube, 1: vector
    uint32_t reserved;
    uint64_t a;
    uint64_t b;
    uint64_t c;
    uint64_t pad[2];
};
static_assert(sizeof(shmem_rust_fault) == 64);

namespace shmem_rust {

enum fault_kind : uint32_t {
    FAULT_INDEX = 1,       // a: index, b: length
    FAULT_RANGE_ORDER = 2, // a: start, b: end
    FAULT_RANGE_END = 3,   // a: end, b: length
    FAULT_PE = 4,          // a: PE, b: PEs of the job
    FAULT_SYMMETRIC = 5,   // a: address
    FAULT_ALIGNMENT = 6,   // a: address, b: alignment
    FAULT_UNREACHABLE = 7, // a: this PE, b: PE
    FAULT_OVERFLOW = 8,    // a, b: operands
    FAULT_DIVIDE_ZERO = 9,
    FAULT_REMAINDER_ZERO = 10,
    FAULT_PANIC = 11,      // the text stands in the table of sites; a, b, c: its values
};

#ifdef SHMEM_SIM
#define SHMEM_RUST_NORETURN noreturn,
#else
#define SHMEM_RUST_NORETURN  // a trap is not known to the compiler as an end
#endif

// Writes the record of this instance and leaves the kernel. Cold: kept out of line so that checks stay one branch.
__attribute__((SHMEM_RUST_NORETURN noinline, cold)) __aicore__ static void fail(__gm__ shmem_rust_fault *fault, uint32_t site,
                                                            uint32_t kind, uint64_t a, uint64_t b, uint64_t c = 0)
{
    const int64_t block = AscendC::GetBlockIdx();
    // Cube instances come first in a mixed kernel; there is one task in a vector kernel, two on a mixed vector core.
    const int64_t instance = (AscendC::GetTaskRation() - 1) * AscendC::GetBlockNum() + block;
    __gm__ shmem_rust_fault *record = fault + instance;
    record->kind = kind;
    record->site = site;
    record->block = static_cast<uint32_t>(block);
    record->core = 1;
    record->a = a;
    record->b = b;
    record->c = c;
    record->state = 1;
#ifdef SHMEM_SIM
    shmem_sim_leave();
#else
    dcci_cacheline(reinterpret_cast<__gm__ uint8_t *>(record));
    dsb_all();
    AscendC::Trap();
#endif
}

}  // namespace shmem_rust

#endif
