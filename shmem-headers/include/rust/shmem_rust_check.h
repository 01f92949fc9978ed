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

// A value as it is in memory: the operation after a check does better without what the check has in registers.
template <typename T>
__aicore__ __inline__ T read_apart(__gm__ const volatile T *place)
{
    return *place;
}

// The PE of a p or g on `cell`: in the job, and reached from here.
template <typename T>
__aicore__ __inline__ void check_pe(__gm__ shmem_rust_fault *fault, uint32_t site, __gm__ T *cell, int32_t pe)
{
    const int32_t n_pes = aclshmem_n_pes();
    if (static_cast<uint32_t>(pe) >= static_cast<uint32_t>(n_pes)) {
        fail(fault, site, FAULT_PE, static_cast<uint64_t>(static_cast<int64_t>(pe)), static_cast<uint64_t>(n_pes));
    }
    const auto state = aclshmemi_get_state();
    if ((state->topo_list[pe] & ACLSHMEM_TRANSPORT_MTE) == 0) {
        fail(fault, site, FAULT_UNREACHABLE, static_cast<uint64_t>(state->mype), static_cast<uint64_t>(pe));
    }
    const uint64_t address = reinterpret_cast<uint64_t>(cell);
    if (address % sizeof(T) != 0) {
        fail(fault, site, FAULT_ALIGNMENT, address, sizeof(T));
    }
    // An offset below the base wraps to a huge one; the size is that of whole elements.
    if (address - reinterpret_cast<uint64_t>(read_apart(&state->heap_base)) < state->heap_size) {
        return;
    }
    const uint64_t host = address - reinterpret_cast<uint64_t>(state->host_heap_base);
    if (state->host_heap_base == nullptr || host >= read_apart(&state->heap_size)) {
        fail(fault, site, FAULT_SYMMETRIC, address, 0);
    }
}

}  // namespace shmem_rust

#endif
