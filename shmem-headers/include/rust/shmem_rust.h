// What generated kernels need to mean what Rust means, for the simulator and for bisheng alike.
// Device rules hold: every function is __aicore__ and inline, at most two calls deep, no libm, no globals, no strings.
#ifndef SHMEM_RUST_H
#define SHMEM_RUST_H

// `x >= 0` of an unsigned x, `x == x`: for rustc to warn about, which has seen them already.
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wtautological-compare"

#include "shmem_rust_fault.h"

#include "shmem_rust_arith.h"
#include "shmem_rust_check.h"
#include "shmem_rust_int.h"
#include "shmem_rust_range.h"
#include "shmem_rust_launch.h"

#include "shmem_rust_float.h"
#include "shmem_rust_float_bits.h"
#include "shmem_rust_float_compare.h"
#include "shmem_rust_float_convert.h"
#include "shmem_rust_float_arith.h"
#include "shmem_rust_float_round.h"
#include "shmem_rust_float_rem.h"
#include "shmem_rust_float_root.h"
#include "shmem_rust_float_fma.h"

#endif
