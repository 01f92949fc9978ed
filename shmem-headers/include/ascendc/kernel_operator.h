// Twin of AscendC's kernel_operator.h for the CPU simulator: the qualifiers, types and functions of AscendC that
// generated kernels use, with AscendC's names and meaning.
#ifndef SHMEM_TWIN_KERNEL_OPERATOR_H
#define SHMEM_TWIN_KERNEL_OPERATOR_H

#include <stddef.h>
#include <stdint.h>

#include "shmem_sim.h"

#define __global__
#define __aicore__

// Where a pointer points to is part of its type on the device. One address space is all that there is here, so that
// a pointer which loses its own would go unseen: with this macro clang looks for it, and compiles nothing.
#ifdef SHMEM_TWIN_ADDRESS_SPACES
#define __gm__ __attribute__((address_space(1)))
#define __ubuf__ __attribute__((address_space(6)))
#else
#define __gm__
#define __ubuf__
#endif

// Written without parentheses, as on the device: `if ASCEND_IS_AIC { return; }`.
#define ASCEND_IS_AIC (shmem_sim_current->core_type == SHMEM_SIM_CORE_CUBE)
#define ASCEND_IS_AIV (shmem_sim_current->core_type == SHMEM_SIM_CORE_VECTOR)

// 16-bit floats are moved, never computed with, so their bits are all there is. A struct has no operators at all, but
// cannot be copied out of an address space of its own.
#ifdef SHMEM_TWIN_ADDRESS_SPACES
enum class half : uint16_t {
};
enum class bfloat16_t : uint16_t {
};
#else
struct half {
    uint16_t bits;
};
struct bfloat16_t {
    uint16_t bits;
};
#endif

namespace AscendC {

// Cube instances of n blocks are 0..n; vector instances 0..2n in a mixed kernel, 0..n in a vector kernel.
__aicore__ inline int64_t GetBlockIdx()
{
    return shmem_sim_current->block_idx;
}

// The number of blocks of the launch.
__aicore__ inline int64_t GetBlockNum()
{
    return shmem_sim_current->block_num;
}

// 0 or 1 on the two vector cores of a mixed kernel's group.
__aicore__ inline int64_t GetSubBlockIdx()
{
    return shmem_sim_current->sub_block_idx;
}

// Vector instances per block: 2 on a vector core of a mixed kernel, else 1.
__aicore__ inline int64_t GetTaskRation()
{
    return shmem_sim_current->task_ration;
}

}  // namespace AscendC

#endif
