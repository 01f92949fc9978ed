// Remainders: `%`, which is exact, of every float type; rem_euclid and div_euclid of float and double.
#ifndef SHMEM_RUST_FLOAT_REM_H
#define SHMEM_RUST_FLOAT_REM_H

namespace shmem_rust {

template <typename T>
__aicore__ __inline__ T frem(T x, T y)
{
    typedef float_format<T> format;
    const uint64_t sign = fto_bits(x) & format::sign;
    const uint64_t a = fto_bits(x) & ~format::sign;
    const uint64_t b = fto_bits(y) & ~format::sign;
    if (a >= format::inf || b > format::inf || b == 0) {
        return ffrom_bits<T>(format::nan);
    }
    if (a < b) {
        return x;
    }
    const bool a_normal = a >= format::hidden;
    const bool b_normal = b >= format::hidden;
    const uint64_t divisor = (b & (format::hidden - 1)) | (b_normal ? format::hidden : 0);
    int32_t exp = b_normal ? static_cast<int32_t>(b >> format::mantissa) : 1;
    int32_t distance = (a_normal ? static_cast<int32_t>(a >> format::mantissa) : 1) - exp;
    uint64_t rest = ((a & (format::hidden - 1)) | (a_normal ? format::hidden : 0)) % divisor;
    // As many bits at once as 64 have room for.
    constexpr int32_t step = 63 - format::mantissa;
    while (distance > 0 && rest != 0) {
        const int32_t shift = distance < step ? distance : step;
        rest = (rest << shift) % divisor;
        distance -= shift;
    }
    if (rest == 0) {
        return ffrom_bits<T>(sign);
    }
    // Normalised as far as the exponent allows: it does not go below 1, that of subnormals.
    const int32_t zeros = fleading_zeros(rest) - step;
    const int32_t shift = zeros < exp ? zeros : exp - 1;
    exp -= shift;
    return ffrom_bits<T>(sign | ((static_cast<uint64_t>(exp - 1) << format::mantissa) + (rest << shift)));
}

template <typename T>
__aicore__ __inline__ T frem_euclid(T a, T b)
{
    const T rest = frem(a, b);
    return flt(rest, ffrom_bits<T>(0)) ? fadd(rest, fabs_(b)) : rest;
}

template <typename T>
__aicore__ __inline__ T fdiv_euclid(T a, T b)
{
    typedef float_format<T> format;
    const T quotient = ftrunc(fdiv(a, b));
    if (!flt(frem(a, b), ffrom_bits<T>(0))) {
        return quotient;
    }
    // Away from the sign of `b`.
    return fadd(quotient, ffrom_bits<T>(format::one | (~fto_bits(b) & format::sign)));
}

}  // namespace shmem_rust

#endif
