// Twin of SHMEM's shmem.h for the CPU simulator: the device API as generated kernels use it.
// It needs only what kernel_operator.h gives, and the state block that the simulator fills.
#ifndef SHMEM_TWIN_SHMEM_H
#define SHMEM_TWIN_SHMEM_H

#include "kernel_operator.h"

#define ACLSHMEM_DEVICE __attribute__((always_inline)) __aicore__ __inline__

#include "shmem_twin_state.h"

#include "shmem_twin_team.h"

#include "shmem_twin_order.h"
#include "shmem_twin_rma.h"

#endif
