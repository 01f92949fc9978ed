// Comparisons, and what is chosen by them. NaN is neither equal to, nor less than, anything; -0.0 equals 0.0.
#ifndef SHMEM_RUST_FLOAT_COMPARE_H
#define SHMEM_RUST_FLOAT_COMPARE_H

namespace shmem_rust {

// A number in the order of the floats that are not NaN.
template <typename T>
__aicore__ __inline__ int64_t forder(uint64_t bits)
{
    const int64_t magnitude = static_cast<int64_t>(bits & ~float_format<T>::sign);
    return (bits & float_format<T>::sign) != 0 ? -magnitude : magnitude;
}

template <typename T>
__aicore__ __inline__ bool fneither_nan(uint64_t a, uint64_t b)
{
    typedef float_format<T> format;
    return (a & ~format::sign) <= format::inf && (b & ~format::sign) <= format::inf;
}

template <typename T>
__aicore__ __inline__ bool feq(T x, T y)
{
    const uint64_t a = fto_bits(x);
    const uint64_t b = fto_bits(y);
    return fneither_nan<T>(a, b) && forder<T>(a) == forder<T>(b);
}

template <typename T>
__aicore__ __inline__ bool flt(T x, T y)
{
    const uint64_t a = fto_bits(x);
    const uint64_t b = fto_bits(y);
    return fneither_nan<T>(a, b) && forder<T>(a) < forder<T>(b);
}

template <typename T>
__aicore__ __inline__ bool fle(T x, T y)
{
    const uint64_t a = fto_bits(x);
    const uint64_t b = fto_bits(y);
    return fneither_nan<T>(a, b) && forder<T>(a) <= forder<T>(b);
}

// The scalar unit has these.
__aicore__ __inline__ bool feq(float a, float b)
{
    return a == b;
}

__aicore__ __inline__ bool flt(float a, float b)
{
    return a < b;
}

__aicore__ __inline__ bool fle(float a, float b)
{
    return a <= b;
}

// The number if the other one is NaN; `a` of two zeros, as rustc's code for x86-64 and the `half` crate have it.
template <typename T>
__aicore__ __inline__ T fmin(T a, T b)
{
    return fis_nan(a) || flt(b, a) ? b : a;
}

template <typename T>
__aicore__ __inline__ T fmax(T a, T b)
{
    return fis_nan(a) || flt(a, b) ? b : a;
}

// That `low <= high` is for the caller to check. A NaN stays.
template <typename T>
__aicore__ __inline__ T fclamp(T value, T low, T high)
{
    const T raised = flt(value, low) ? low : value;
    return flt(high, raised) ? high : raised;
}

}  // namespace shmem_rust

#endif
