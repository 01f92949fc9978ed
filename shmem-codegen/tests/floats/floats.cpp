// Every function of shmem_rust_float*.h on arrays of operand bits, as `<function>_<types>`.
#include "kernel_operator.h"
#include "shmem.h"
#include "shmem_rust.h"

namespace {

// The bits of a value of any type, in the low bits of 64; and back. Bools are 0 and 1.
template <typename T>
T get(uint64_t bits)
{
    if constexpr (shmem_rust::float_format<T>::is_float) {
        return shmem_rust::ffrom_bits<T>(bits);
    } else {
        return static_cast<T>(bits);
    }
}

template <typename T>
uint64_t put(T value)
{
    if constexpr (shmem_rust::float_format<T>::is_float) {
        return shmem_rust::fto_bits(value);
    } else {
        return static_cast<uint64_t>(value);
    }
}

}  // namespace

#define EXPORT(name, expression)                                                                        \
    extern "C" void name(const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *out, size_t n); \
    extern "C" void name(const uint64_t *a, const uint64_t *b, const uint64_t *c, uint64_t *out, size_t n)  \
    {                                                                                                   \
        for (size_t i = 0; i < n; ++i) {                                                                \
            static_cast<void>(b);                                                                       \
            static_cast<void>(c);                                                                       \
            out[i] = put(expression);                                                                   \
        }                                                                                               \
    }

#define UNARY(name, type) EXPORT(name##_##type, shmem_rust::name(get<type>(a[i])))
#define BINARY(name, type) EXPORT(name##_##type, shmem_rust::name(get<type>(a[i]), get<type>(b[i])))
#define TERNARY(name, type) \
    EXPORT(name##_##type, shmem_rust::name(get<type>(a[i]), get<type>(b[i]), get<type>(c[i])))
#define CAST(name, to, from) EXPORT(name##_##to##_##from, shmem_rust::name<to>(get<from>(a[i])))

#define OF_EACH_FLOAT(type)      \
    BINARY(fadd, type)           \
    BINARY(fsub, type)           \
    BINARY(fmul, type)           \
    BINARY(fdiv, type)           \
    BINARY(frem, type)           \
    BINARY(feq, type)            \
    BINARY(flt, type)            \
    BINARY(fle, type)            \
    BINARY(fmin, type)           \
    BINARY(fmax, type)           \
    BINARY(fcopysign, type)      \
    TERNARY(fclamp, type)        \
    UNARY(fneg, type)            \
    UNARY(fabs_, type)           \
    UNARY(fsignum, type)         \
    UNARY(fis_nan, type)         \
    UNARY(fis_finite, type)      \
    UNARY(fis_infinite, type)    \
    CAST(fcast, half, type)      \
    CAST(fcast, bfloat16_t, type) \
    CAST(fcast, float, type)     \
    CAST(fcast, double, type)    \
    CAST(fto_int, int8_t, type)  \
    CAST(fto_int, int16_t, type) \
    CAST(fto_int, int32_t, type) \
    CAST(fto_int, int64_t, type) \
    CAST(fto_int, uint8_t, type) \
    CAST(fto_int, uint16_t, type) \
    CAST(fto_int, uint32_t, type) \
    CAST(fto_int, uint64_t, type)

#define OF_FLOAT_AND_DOUBLE(type) \
    UNARY(fsqrt, type)            \
    UNARY(ffloor, type)           \
    UNARY(fceil, type)            \
    UNARY(fround, type)           \
    UNARY(ftrunc, type)           \
    BINARY(frem_euclid, type)     \
    BINARY(fdiv_euclid, type)     \
    TERNARY(fmul_add, type)

#define OF_EACH_INTEGER(type)     \
    CAST(fcast, half, type)       \
    CAST(fcast, bfloat16_t, type) \
    CAST(fcast, float, type)      \
    CAST(fcast, double, type)

OF_EACH_FLOAT(half)
OF_EACH_FLOAT(bfloat16_t)
OF_EACH_FLOAT(float)
OF_EACH_FLOAT(double)
OF_FLOAT_AND_DOUBLE(float)
OF_FLOAT_AND_DOUBLE(double)
OF_EACH_INTEGER(int8_t)
OF_EACH_INTEGER(int16_t)
OF_EACH_INTEGER(int32_t)
OF_EACH_INTEGER(int64_t)
OF_EACH_INTEGER(uint8_t)
OF_EACH_INTEGER(uint16_t)
OF_EACH_INTEGER(uint32_t)
OF_EACH_INTEGER(uint64_t)
