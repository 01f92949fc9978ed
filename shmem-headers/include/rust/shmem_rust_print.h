// A line of `shmem::print!`: its site and the bits of its values, written where the host reads them.
#ifndef SHMEM_RUST_PRINT_H
#define SHMEM_RUST_PRINT_H

// The area of a launch: this, a counter for each instance that prints, then the words of each. Nothing in it is written
// by two instances, and no two share a cache line, so that lines need no lock and are in order.
struct shmem_rust_prints {
    uint64_t instances;
    uint64_t room;  // words of an instance, a multiple of 8
    uint64_t pad[6];
};
static_assert(sizeof(shmem_rust_prints) == 64);  // the front of the area is one cache line

// How far an instance is. The host reads `used` while the kernel runs.
struct shmem_rust_printed {
    uint64_t used;  // words of whole lines
    uint64_t lost;  // lines that found no room
    uint64_t pad[6];
};
static_assert(sizeof(shmem_rust_printed) == 64);  // a counter is one cache line

namespace shmem_rust {

// Adds a line. Cold: kept out of line. A line that does not fit is counted, and so are all after it.
__attribute__((noinline, cold, unused)) __aicore__ static void print_words(__gm__ shmem_rust_prints *prints,
                                                                           const uint64_t *line, uint64_t count)
{
    const uint64_t block = static_cast<uint64_t>(AscendC::GetBlockIdx());
    __gm__ shmem_rust_printed *counters = reinterpret_cast<__gm__ shmem_rust_printed *>(prints + 1);
    __gm__ shmem_rust_printed *mine = counters + block;
#ifndef SHMEM_SIM
    // What the host wrote before the launch, not what an earlier launch has left in the cache.
    dcci_cacheline(reinterpret_cast<__gm__ uint8_t *>(prints));
    dcci_cacheline(reinterpret_cast<__gm__ uint8_t *>(mine));
#endif
    const uint64_t used = mine->used;
    if (mine->lost != 0 || count > prints->room - used) {
        mine->lost += 1;
    } else {
        __gm__ uint64_t *words = reinterpret_cast<__gm__ uint64_t *>(counters + prints->instances);
        words += block * prints->room + used;
        for (uint64_t word = 0; word < count; ++word) {
            words[word] = line[word];
        }
        // The line is there before the counter says so.
#ifdef SHMEM_SIM
        __atomic_thread_fence(__ATOMIC_RELEASE);
#else
        // One word of each cache line; the last word may lie in one more.
        for (uint64_t word = 0; word < count; word += 8) {
            dcci_cacheline(reinterpret_cast<__gm__ uint8_t *>(words + word));
        }
        dcci_cacheline(reinterpret_cast<__gm__ uint8_t *>(words + (count - 1)));
        dsb_all();
#endif
        mine->used = used + count;
    }
#ifndef SHMEM_SIM
    dcci_cacheline(reinterpret_cast<__gm__ uint8_t *>(mine));
    dsb_all();
#endif
}

// The line of `site` with these values.
template <typename... Values>
__aicore__ __inline__ void print(__gm__ shmem_rust_prints *prints, uint32_t site, Values... values)
{
    const uint64_t line[] = {site | (static_cast<uint64_t>(sizeof...(values)) << 32), static_cast<uint64_t>(values)...};
    print_words(prints, line, sizeof...(values) + 1);
}

}  // namespace shmem_rust

#endif
