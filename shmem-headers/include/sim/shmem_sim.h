// What a kernel library compiled for the CPU simulator and the simulator say to each other.
// The Rust side is shmem-sim/src/kernel_abi.rs; the two change together, and SHMEM_SIM_ABI_VERSION with them.
#ifndef SHMEM_SIM_H
#define SHMEM_SIM_H

#include <stdint.h>

#define SHMEM_SIM_ABI_VERSION 1u

#define SHMEM_SIM_CORE_CUBE 0
#define SHMEM_SIM_CORE_VECTOR 1

#define SHMEM_SIM_LAUNCH_VECTOR 1u
#define SHMEM_SIM_LAUNCH_ALL_BLOCKS 2u

// One core's run of a kernel.
struct shmem_sim_instance {
    int32_t core_type;
    int32_t sub_block_idx;
    int64_t block_idx;
    int64_t block_num;
    int64_t task_ration;
    void **jump;  // where a panic leaves to
};

typedef int32_t (*shmem_sim_run)(shmem_sim_instance *instance, const uint64_t *slot);

struct shmem_sim_binding {
    uint32_t version;
    uint32_t size;
    const void *state;  // aclshmem_device_host_state_t
    int32_t (*launch)(void *stream, uint32_t blocks, uint32_t flags, shmem_sim_run run, const uint64_t *slots,
                      uint32_t n_slots);
};

// One of each in a library, whatever number of objects it is linked from.
__attribute__((weak, visibility("hidden"))) shmem_sim_binding shmem_sim_bound = {0, 0, nullptr, nullptr};
// Initial-exec: one load from the thread pointer. A library needs 8 bytes of the surplus that libc keeps for this.
__attribute__((weak, visibility("hidden"), tls_model("initial-exec"))) __thread shmem_sim_instance
    *shmem_sim_current = nullptr;

extern "C" __attribute__((weak, visibility("default"))) int32_t shmem_sim_bind(const shmem_sim_binding *binding)
{
    if (binding->version != SHMEM_SIM_ABI_VERSION || binding->size != sizeof(shmem_sim_binding)) {
        return static_cast<int32_t>(SHMEM_SIM_ABI_VERSION);
    }
    shmem_sim_bound = *binding;
    return 0;
}

// Leaves the running instance. Not inlined: a jump may not leave to the function that it is in.
__attribute__((weak, visibility("hidden"), noinline, cold, noreturn)) void shmem_sim_leave()
{
    __builtin_longjmp(shmem_sim_current->jump, 1);
}

// Runs one instance; 0: the kernel returned, 1: it left by a panic.
inline int32_t shmem_sim_run_one(shmem_sim_instance *instance, void (*kernel)(const uint64_t *slot),
                                 const uint64_t *slots)
{
    void *buffer[5];
    instance->jump = buffer;
    shmem_sim_current = instance;
    if (__builtin_setjmp(buffer) != 0) {
        return 1;
    }
    kernel(slots);
    return 0;
}

#endif
