// Calls each kernel by hand and generated, all on the same data, and says whether they did the same.
#include "kernel_operator.h"
#include "shmem.h"
#include "shmem_rust.h"

#include <stdio.h>
#include <string.h>

namespace {

constexpr int PES = 8;
constexpr uint64_t LENGTH = 4096;

aclshmem_device_host_state_t state;
aclshmemx_team_t world;
shmem_sim_instance instance = {SHMEM_SIM_CORE_VECTOR, 0, 0, 1, 1, nullptr};
shmem_rust_fault faults[4];
alignas(64) uint64_t heap[LENGTH];
alignas(64) uint64_t from[LENGTH];
alignas(64) uint64_t to[LENGTH];

// What a kernel has left, as one number.
uint64_t left()
{
    uint64_t hash = 0;
    for (uint64_t i = 0; i < LENGTH; ++i) {
        hash = (hash ^ heap[i] ^ to[i]) * 0x9e3779b97f4a7c15u + 1;
    }
    return hash;
}

void fill()
{
    uint64_t seed = 1;
    for (uint64_t i = 0; i < LENGTH; ++i) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        // As i32 they are so small that sums of them do not overflow.
        from[i] = seed >> 20 & 0x000fffff000fffffu;
        heap[i] = 0;
        to[i] = i;
    }
}

template <typename Kernel>
uint64_t after(Kernel kernel)
{
    fill();
    kernel();
    return left();
}

bool same = true;

void compare(const char *name, uint64_t by_hand, uint64_t unchecked, uint64_t wrapping, uint64_t checked)
{
    if (by_hand != unchecked || by_hand != wrapping || by_hand != checked) {
        printf("%s does not do the same\n", name);
        same = false;
    }
}

template <typename T>
T *as(uint64_t *data)
{
    return reinterpret_cast<T *>(data);
}

}  // namespace

#define DECLARE(NAME, ...)                                               \
    extern "C" void by_hand_##NAME(__VA_ARGS__);                         \
    extern "C" void unchecked_##NAME(__VA_ARGS__);                       \
    extern "C" void wrapping_##NAME(__VA_ARGS__, shmem_rust_fault *);    \
    extern "C" void checked_##NAME(__VA_ARGS__, shmem_rust_fault *)

#define RUN(NAME, ...)                                                   \
    compare(#NAME, after([] { by_hand_##NAME(__VA_ARGS__); }),           \
            after([] { unchecked_##NAME(__VA_ARGS__); }),                \
            after([] { wrapping_##NAME(__VA_ARGS__, faults); }),         \
            after([] { checked_##NAME(__VA_ARGS__, faults); }))

DECLARE(ring, int32_t *, int32_t *);
DECLARE(sum, int32_t *, uint64_t, int32_t *, uint64_t);
DECLARE(axpy, float, float *, uint64_t, float *, uint64_t);
DECLARE(histogram, uint32_t *, uint64_t, uint32_t *, uint64_t);
DECLARE(gather, uint64_t *, uint64_t, uint64_t *, uint64_t, uint64_t);
DECLARE(checksum, uint32_t *, uint64_t, uint32_t *, uint64_t, uint64_t);

int main()
{
    static void *heaps[PES];
    for (int pe = 0; pe < PES; ++pe) {
        // All PEs have one heap: what they do is what is counted, not what comes of it.
        heaps[pe] = heap;
        state.topo_list[pe] = ACLSHMEM_TRANSPORT_MTE;
        world.pe_mapping[pe] = pe;
        world.pe_mapping[ACLSHMEM_MAX_PES + pe] = pe;
    }
    state.mype = world.mype = 3;
    state.npes = world.size = PES;
    world.stride = 1;
    state.team_pools[ACLSHMEM_TEAM_WORLD] = &world;
    state.heap_base = heap;
    state.heap_size = sizeof heap;
    state.p2p_device_heap_base = heaps;
    shmem_sim_bound.state = &state;
    shmem_sim_current = &instance;
    RUN(ring, as<int32_t>(heap), as<int32_t>(to));
    RUN(sum, as<int32_t>(from), 1024, as<int32_t>(heap), PES);
    RUN(axpy, 0.5f, as<float>(from), 512, as<float>(to), 512);
    RUN(histogram, as<uint32_t>(from), 2048, as<uint32_t>(to), 16);
    RUN(gather, from, 512, to, 512, 64);
    RUN(checksum, as<uint32_t>(from), 4096, as<uint32_t>(to), 64, 64);
    return same ? 0 : 1;
}
