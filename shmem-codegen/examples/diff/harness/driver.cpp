// Plays the simulator for a batch of generated kernels: a job of one PE, one instance at a time.
// Usage: driver <input> <output> <first run> <symbols> [library]
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "kernel_operator.h"
#include "shmem.h"
#include "shmem_rust.h"

extern "C" {
__attribute__((weak)) void __asan_poison_memory_region(const volatile void *address, size_t size);
__attribute__((weak)) void __asan_unpoison_memory_region(const volatile void *address, size_t size);
}

static aclshmem_device_host_state_t state;
static aclshmemx_team_t team;
static void *bases[1];
static shmem_sim_instance instance;
static shmem_rust_fault faults[64];
static int32_t ending;

// What the instances of a run print.
static const uint64_t INSTANCES = 8;
static const uint64_t ROOM = 8192;
static struct {
    shmem_rust_prints front;
    shmem_rust_printed counters[INSTANCES];
    uint64_t words[INSTANCES * ROOM];
} prints;

static int32_t launch(void *, uint32_t, uint32_t, shmem_sim_run run, const uint64_t *slots, uint32_t)
{
    ending = run(&instance, slots);
    return 0;
}

// The run that begins may take `milliseconds` of the CPU; 0: the run is over.
static void limit(int milliseconds)
{
    const itimerval timer = {{0, 0}, {0, milliseconds * 1000}};
    setitimer(ITIMER_VIRTUAL, &timer, nullptr);
}

static uint64_t *read_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    fseek(file, 0, SEEK_END);
    const long size = ftell(file);
    rewind(file);
    uint64_t *words = static_cast<uint64_t *>(malloc(static_cast<size_t>(size) + 8));
    const size_t got = fread(words, 1, static_cast<size_t>(size), file);
    reinterpret_cast<char *>(words)[got] = 0;
    fclose(file);
    return words;
}

int main(int, char **argv)
{
    const uint64_t *word = read_file(argv[1]);
    FILE *output = fopen(argv[2], "wb");
    const uint64_t start = strtoull(argv[3], nullptr, 10);
    void *library = dlopen(argv[5], RTLD_NOW);
    if (library == nullptr) {
        fprintf(stderr, "%s\n", dlerror());
        return 3;
    }
    static char *symbols[4096];
    size_t count = 0;
    for (char *line = strtok(reinterpret_cast<char *>(read_file(argv[4])), "\n"); line; line = strtok(nullptr, "\n")) {
        symbols[count++] = line;
    }
    state.npes = 1;
    state.topo_list[0] = ACLSHMEM_TRANSPORT_MTE;
    state.team_pools[0] = &team;
    team.size = 1;
    team.stride = 1;
    state.p2p_device_heap_base = bases;
    const shmem_sim_binding binding = {SHMEM_SIM_ABI_VERSION, sizeof(shmem_sim_binding), &state, launch};
    typedef int32_t (*bind_function)(const shmem_sim_binding *);
    typedef int32_t (*launch_function)(uint32_t, void *, const uint64_t *, uint32_t);
    reinterpret_cast<bind_function>(dlsym(library, "shmem_sim_bind"))(&binding);
    const uint64_t runs = *word++;
    for (uint64_t run = 0; run < runs; ++run) {
        const uint64_t kernel = *word++;
        instance.core_type = SHMEM_SIM_CORE_VECTOR;
        instance.block_idx = static_cast<int64_t>(*word++);
        instance.block_num = static_cast<int64_t>(*word++);
        instance.task_ration = static_cast<int64_t>(*word++);
        const uint64_t heap = *word++;
        const uint64_t bytes = *word++;
        const uint64_t n_slots = *word++;
        const uint64_t *slot = word;
        word += 2 * n_slots;
        const uint64_t n_regions = *word++;
        const uint64_t *region = word;
        word += 2 * n_regions;
        const size_t whole = (bytes + 7) / 8 * 8;
        char *arena = static_cast<char *>(malloc(whole));
        memcpy(arena, word, whole);
        word += whole / 8;
        if (run < start) {
            free(arena);
            continue;
        }
        uint64_t slots[64];
        for (uint64_t index = 0; index < n_slots; ++index) {
            const uint64_t value = slot[2 * index + 1];
            slots[index] = slot[2 * index] == 1 ? reinterpret_cast<uint64_t>(arena) + value : value;
        }
        state.heap_base = arena;
        state.heap_size = heap;
        bases[0] = arena;
        memset(faults, 0, sizeof faults);
        // The unchecked form takes no fault records, and not every kernel prints: symbols are marked.
        uint32_t given = static_cast<uint32_t>(n_slots);
        if (symbols[kernel][0] == '+') {
            slots[given++] = reinterpret_cast<uint64_t>(faults);
        }
        if (symbols[kernel][1] == 'p') {
            slots[given++] = reinterpret_cast<uint64_t>(&prints);
        }
        prints.front.instances = INSTANCES;
        prints.front.room = ROOM;
        memset(prints.counters, 0, sizeof prints.counters);
        if (__asan_poison_memory_region != nullptr) {
            __asan_poison_memory_region(arena, whole);
            for (uint64_t index = 0; index < n_regions; ++index) {
                __asan_unpoison_memory_region(arena + region[2 * index], region[2 * index + 1]);
            }
        }
        const auto kernel_launch = reinterpret_cast<launch_function>(dlsym(library, symbols[kernel] + 2));
        if (kernel_launch == nullptr) {
            fprintf(stderr, "%s\n", dlerror());
            return 3;
        }
        limit(900);
        const int32_t code = kernel_launch(1, nullptr, slots, given);
        limit(0);
        if (code != 0) {
            fprintf(stderr, "the launcher returned %d\n", code);
            return 3;
        }
        if (__asan_unpoison_memory_region != nullptr) {
            __asan_unpoison_memory_region(arena, whole);
        }
        const int64_t at = (instance.task_ration - 1) * instance.block_num + instance.block_idx;
        const shmem_rust_fault *fault = faults + at;
        const shmem_rust_printed *printed = prints.counters + instance.block_idx;
        const uint64_t header[9] = {static_cast<uint64_t>(ending), fault->state, fault->kind, fault->site,
                                    fault->a, fault->b, fault->c, printed->used, printed->lost};
        fwrite(header, sizeof header, 1, output);
        fwrite(prints.words + static_cast<uint64_t>(instance.block_idx) * ROOM, sizeof(uint64_t), printed->used, output);
        fwrite(arena, bytes, 1, output);
        fflush(output);
        free(arena);
    }
    return 0;
}
