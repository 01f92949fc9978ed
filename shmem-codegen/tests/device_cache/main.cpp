// The device's side of panics and prints, on memory behind a cache: a store is seen by the host once its line is
// cleaned, and a line is loaded again once it is invalidated. Prints what the host sees.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define __gm__
#define __aicore__

// What the core sees, what the host sees, and what the lines of the core were loaded as.
alignas(64) static uint64_t core[512];
static uint64_t host[512];
static uint64_t loaded[512];

static int64_t block = 0;
static uint64_t lines_before_dsb = 0;
// Counters, the words 8 to 24, that the host may see before what they count.
static uint64_t too_early = 0;
static uint64_t trapped = 0;

namespace AscendC {
inline int64_t GetBlockIdx() { return block; }
inline int64_t GetBlockNum() { return 2; }
inline int64_t GetTaskRation() { return 1; }
inline void Trap() { trapped += 1; }
}  // namespace AscendC

static void dcci_cacheline(uint8_t *address)
{
    const uint64_t first = static_cast<uint64_t>(address - reinterpret_cast<uint8_t *>(core)) / 64 * 8;
    if (memcmp(core + first, loaded + first, 64) != 0) {
        memcpy(host + first, core + first, 64);
        too_early += first >= 8 && first < 24 && lines_before_dsb > 0 ? 1 : 0;
        lines_before_dsb += 1;
    }
    memcpy(core + first, host + first, 64);
    memcpy(loaded + first, core + first, 64);
}

static void dsb_all() { lines_before_dsb = 0; }

#include "shmem_rust_fault.h"
#include "shmem_rust_print.h"

static void show(const char *what, uint64_t first, uint64_t count)
{
    printf("%s:", what);
    for (uint64_t word = first; word < first + count; ++word) {
        printf(" %llx", static_cast<unsigned long long>(host[word]));
    }
    printf("%s\n", lines_before_dsb == 0 ? "" : " not waited for");
}

int main()
{
    shmem_rust_prints *prints = reinterpret_cast<shmem_rust_prints *>(core);
    // Two instances with 16 words each: the front, two counters, the words.
    host[0] = 2;
    host[1] = 16;
    block = 1;
    shmem_rust::print(prints, 7);
    show("after a line", 16, 2);
    shmem_rust::print(prints, 8, uint64_t{0xa}, uint64_t{0xb}, uint16_t{0xc}, uint32_t{0xd}, uint64_t{0xe}, uint64_t{0xf},
                      uint64_t{0x10});
    show("over two cache lines", 16, 2);
    // The second line begins with the last word.
    show("words", 40, 10);
    shmem_rust::print(prints, 9, uint64_t{1}, uint64_t{2}, uint64_t{3}, uint64_t{4}, uint64_t{5}, uint64_t{6},
                      uint64_t{7});
    show("too long", 16, 2);
    shmem_rust::print(prints, 10);
    show("after it", 16, 2);
    // The next launch: the host has another area at the same place.
    memset(host, 0, sizeof host);
    host[0] = 1;
    host[1] = 8;
    block = 0;
    shmem_rust::print(prints, 11, uint64_t{0xaa});
    show("another launch", 8, 10);
    printf("counters too early: %llu\n", static_cast<unsigned long long>(too_early));
    // A panic.
    shmem_rust::fail(reinterpret_cast<shmem_rust_fault *>(core + 256), 3, shmem_rust::FAULT_PANIC, 5, 6, 7);
    show("a panic", 256, 6);
    return trapped == 1 ? 0 : 1;
}
