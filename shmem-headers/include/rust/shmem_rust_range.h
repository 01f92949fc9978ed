// Ranges that run downwards or in steps: the counter never leaves the range, so it never overflows.
#ifndef SHMEM_RUST_RANGE_H
#define SHMEM_RUST_RANGE_H

namespace shmem_rust {

// Moves `at` up by `step` where that stays below `end`, or at it when `inclusive`; false at the end of the range.
template <typename T>
__aicore__ __inline__ bool step_up(T &at, T end, uint64_t step, bool inclusive)
{
    const uint64_t distance = bits_of<T>(wrapping_sub<T>(end, at));
    if (distance < step || (distance == step && !inclusive)) {
        return false;
    }
    at = wrapping_add<T>(at, static_cast<T>(step));
    return true;
}

// Moves `at` down by `step` where that does not pass `start`.
template <typename T>
__aicore__ __inline__ bool step_down(T &at, T start, uint64_t step)
{
    if (bits_of<T>(wrapping_sub<T>(at, start)) < step) {
        return false;
    }
    at = wrapping_sub<T>(at, static_cast<T>(step));
    return true;
}

__aicore__ __inline__ void check_step(__gm__ shmem_rust_fault *fault, uint32_t site, uint64_t step)
{
    if (step == 0) {
        fail(fault, site, FAULT_PANIC, 0, 0);
    }
}

}  // namespace shmem_rust

#endif
