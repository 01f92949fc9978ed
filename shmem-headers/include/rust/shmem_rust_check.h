// The checks of a checked kernel: each is one line before the operation that it guards.
#ifndef SHMEM_RUST_CHECK_H
#define SHMEM_RUST_CHECK_H

namespace shmem_rust {

// `[index]` of a slice of `length` elements.
__aicore__ __inline__ void check_index(__gm__ shmem_rust_fault *fault, uint32_t site, uint64_t index, uint64_t length)
{
    if (index >= length) {
        fail(fault, site, FAULT_INDEX, index, length);
    }
}

// `start..end` of a slice of `length` elements.
__aicore__ __inline__ void check_range(__gm__ shmem_rust_fault *fault, uint32_t site, uint64_t start, uint64_t end,
                                       uint64_t length)
{
    if (start > end) {
        fail(fault, site, FAULT_RANGE_ORDER, start, end);
    }
    if (end > length) {
        fail(fault, site, FAULT_RANGE_END, end, length);
    }
}

// The PE of a p or g on `cell`: in the job, and reached from here.
template <typename T>
__aicore__ __inline__ void check_pe(__gm__ shmem_rust_fault *fault, uint32_t site, __gm__ T *cell, int32_t pe)
{
    const int32_t n_pes = aclshmem_n_pes();
    if (pe < 0 || pe >= n_pes) {
        fail(fault, site, FAULT_PE, static_cast<uint64_t>(static_cast<int64_t>(pe)), static_cast<uint64_t>(n_pes));
    }
    const auto state = aclshmemi_get_state();
    if ((state->topo_list[pe] & ACLSHMEM_TRANSPORT_MTE) == 0) {
        fail(fault, site, FAULT_UNREACHABLE, static_cast<uint64_t>(aclshmem_my_pe()), static_cast<uint64_t>(pe));
    }
    const uint64_t address = reinterpret_cast<uint64_t>(cell);
    if (address % sizeof(T) != 0) {
        fail(fault, site, FAULT_ALIGNMENT, address, sizeof(T));
    }
    // An offset below the base wraps to a huge one.
    const uint64_t last = state->heap_size - sizeof(T);
    const uint64_t device = address - reinterpret_cast<uint64_t>(state->heap_base);
    const uint64_t host = address - reinterpret_cast<uint64_t>(state->host_heap_base);
    if (device > last && (state->host_heap_base == nullptr || host > last)) {
        fail(fault, site, FAULT_SYMMETRIC, address, 0);
    }
}

}  // namespace shmem_rust

#endif
