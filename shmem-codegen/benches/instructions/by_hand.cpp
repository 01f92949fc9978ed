// The kernels of kernels.rs as one writes them in AscendC. A slice is a pointer and a length there, so it is here.
#include "kernel_operator.h"
#include "shmem.h"

#define KERNEL(NAME) extern "C" __global__ __aicore__ void by_hand_##NAME
#define ON_ONE_CORE                       \
    if ASCEND_IS_AIC {                    \
        return;                           \
    }                                     \
    if (AscendC::GetBlockIdx() > 0) {     \
        return;                           \
    }

KERNEL(ring)(__gm__ int32_t *input, __gm__ int32_t *output)
{
    ON_ONE_CORE
    const int32_t peer = (aclshmem_my_pe() + 1) % aclshmem_n_pes();
    for (int32_t i = 0; i < 10; ++i) {
        aclshmem_int32_p(input, peer, peer);
        aclshmem_quiet();
        const int32_t got = aclshmem_int32_g(input, peer);
        aclshmem_quiet();
        *output = got;
    }
}

KERNEL(sum)(__gm__ int32_t *data, uint64_t length, __gm__ int32_t *sums, uint64_t)
{
    ON_ONE_CORE
    int32_t total = 0;
    for (uint64_t i = 0; i < length; ++i) {
        total += data[i];
    }
    __gm__ int32_t *mine = sums + aclshmem_my_pe();
    const int32_t n_pes = aclshmem_n_pes();
    for (int32_t pe = 0; pe < n_pes; ++pe) {
        aclshmem_int32_p(mine, total, pe);
    }
}

KERNEL(axpy)(float a, __gm__ float *x, uint64_t length, __gm__ float *y, uint64_t)
{
    ON_ONE_CORE
    for (uint64_t i = 0; i < length; ++i) {
        y[i] = a * x[i] + y[i];
    }
}

KERNEL(histogram)(__gm__ uint32_t *values, uint64_t length, __gm__ uint32_t *counts, uint64_t)
{
    ON_ONE_CORE
    uint32_t bins[16] = {};
    for (uint64_t i = 0; i < length; ++i) {
        ++bins[values[i] % 16];
    }
    for (uint64_t bin = 0; bin < 16; ++bin) {
        counts[bin] = bins[bin];
    }
}

KERNEL(gather)(__gm__ uint64_t *blocks, uint64_t, __gm__ uint64_t *ordered, uint64_t, uint64_t length)
{
    ON_ONE_CORE
    const uint64_t me = static_cast<uint64_t>(aclshmem_my_pe());
    const uint64_t n = static_cast<uint64_t>(aclshmem_n_pes());
    for (uint64_t step = 0; step < n; ++step) {
        __gm__ const uint64_t *from = blocks + (me + n - step) % n * length;
        __gm__ uint64_t *to = ordered + step * length;
        for (uint64_t i = 0; i < length; ++i) {
            to[i] = from[i];
        }
    }
}

__aicore__ inline uint32_t mix(uint32_t hash, uint32_t value)
{
    hash ^= value;
    return ((hash << 5) | (hash >> 27)) * 0x9e3779b9u;
}

KERNEL(checksum)(__gm__ uint32_t *table, uint64_t, __gm__ uint32_t *sums, uint64_t rows, uint64_t columns)
{
    ON_ONE_CORE
    for (uint64_t row = 0; row < rows; ++row) {
        __gm__ const uint32_t *cells = table + row * columns;
        uint32_t hash = static_cast<uint32_t>(row);
        for (uint64_t column = 0; column < columns; ++column) {
            hash = mix(hash, cells[column]);
        }
        sums[row] = hash;
    }
}
