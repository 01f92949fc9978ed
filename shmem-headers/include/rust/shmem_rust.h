// What generated kernels need to mean what Rust means, for the simulator and for bisheng alike.
// Device rules hold: every function is __aicore__ and inline, at most two calls deep, no libm, no globals, no strings.
#ifndef SHMEM_RUST_H
#define SHMEM_RUST_H

// For rustc to warn about, which has seen it already: `x >= 0` of an unsigned x, `x == x`, `x = x`, `2 ^ 8`.
#pragma GCC diagnostic ignored "-Wtype-limits"
#pragma GCC diagnostic ignored "-Wtautological-compare"
// What only checks and panics read is unused where there are none.
#pragma GCC diagnostic ignored "-Wunused-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#pragma GCC diagnostic ignored "-Wunused-but-set-parameter"
#ifdef __clang__
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wself-assign"
#pragma GCC diagnostic ignored "-Wself-assign-overloaded"
#if __has_warning("-Wxor-used-as-pow")
#pragma GCC diagnostic ignored "-Wxor-used-as-pow"
#endif
#if __has_warning("-Wbitwise-instead-of-logical")
#pragma GCC diagnostic ignored "-Wbitwise-instead-of-logical"
#endif
#endif

#include "shmem_rust_fault.h"

#include "shmem_rust_aggregate.h"
#include "shmem_rust_arith.h"
#include "shmem_rust_check.h"
#include "shmem_rust_int.h"
#include "shmem_rust_range.h"
#include "shmem_rust_launch.h"
#include "shmem_rust_print.h"

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
