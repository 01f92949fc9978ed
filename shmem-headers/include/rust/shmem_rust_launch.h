// From the host to a kernel: each launcher unpacks 8-byte slots and starts the kernel, on the device with <<<>>>,
// in the simulator through its queue. Expressions over `slot` are given as the kernel's arguments.
#ifndef SHMEM_RUST_LAUNCH_H
#define SHMEM_RUST_LAUNCH_H

// Kernel kinds for SHMEM_RUST_LAUNCH; the bits are SHMEM_SIM_LAUNCH_*.
#define SHMEM_RUST_MIXED 0u
#define SHMEM_RUST_VECTOR 1u
#define SHMEM_RUST_ALL_BLOCKS 2u

// Returned by a launcher that got another number of slots than its kernel takes (ACL_ERROR_INVALID_PARAM).
#define SHMEM_RUST_WRONG_SLOTS 100000

#define SHMEM_RUST_EXPORT extern "C" __attribute__((visibility("default")))

#define SHMEM_RUST_POINTER(TYPE, INDEX) reinterpret_cast<__gm__ TYPE *>(slot[INDEX])
#define SHMEM_RUST_SCALAR(TYPE, INDEX) shmem_rust::from_slot<TYPE>(slot + (INDEX))

#ifdef SHMEM_SIM

#define SHMEM_RUST_VECTOR_KERNEL

#define SHMEM_RUST_LAUNCH(FLAGS, KERNEL, ...)                                                              \
    return shmem_sim_bound.launch(                                                                         \
        stream, blocks, FLAGS,                                                                             \
        [](shmem_sim_instance *instance, const uint64_t *slots) -> int32_t {                               \
            return shmem_sim_run_one(                                                                      \
                instance, []([[maybe_unused]] const uint64_t *slot) { KERNEL(__VA_ARGS__); }, slots);                       \
        },                                                                                                 \
        args, n_args)

#else

#define SHMEM_RUST_VECTOR_KERNEL [[bisheng::core_ratio(0, 1)]]

#define SHMEM_RUST_LAUNCH(FLAGS, KERNEL, ...)             \
    [[maybe_unused]] const uint64_t *slot = args;         \
    KERNEL<<<blocks, nullptr, stream>>>(__VA_ARGS__);     \
    return aclrtPeekAtLastError(ACL_RT_THREAD_LEVEL)

#endif

namespace shmem_rust {

// The low bytes of a slot as a T; little-endian, as every Ascend host is.
template <typename T>
inline T from_slot(const uint64_t *slot)
{
    T value;
    __builtin_memcpy(&value, slot, sizeof value);
    return value;
}

}  // namespace shmem_rust

#endif
