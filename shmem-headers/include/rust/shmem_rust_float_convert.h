// From one number type to another, as `as` and the `half` crate do it.
#ifndef SHMEM_RUST_FLOAT_CONVERT_H
#define SHMEM_RUST_FLOAT_CONVERT_H

namespace shmem_rust {

// From a float to a float: one rounding to nearest, ties to even. From an integer to a float or double: the same; to
// half or bfloat16_t: by way of float, there is no `as` in Rust.
template <typename To, typename From>
__aicore__ __inline__ To fcast(From value)
{
    typedef float_format<From> from;
    typedef float_format<To> to;
    if constexpr (!from::is_float && sizeof(To) == 2) {
        return fcast<To>(fcast<float>(value));
    } else if constexpr (!from::is_float) {
        const bool negative = limits<From>::is_signed && value < static_cast<From>(0);
        const uint64_t wide = static_cast<uint64_t>(value);
        if (wide == 0) {
            return ffrom_bits<To>(0);
        }
        const uint64_t magnitude = negative ? 0 - wide : wide;
        const int32_t zeros = fleading_zeros(magnitude);
        return ffrom_bits<To>(fpack<To>(negative ? to::sign : 0, to::bias + 63 - zeros, magnitude << zeros));
    } else if constexpr (from::mantissa == to::mantissa) {
        return value;
    } else {
        const uint64_t bits = fto_bits(value);
        uint64_t magnitude = bits & ~from::sign;
        const uint64_t sign = (bits & from::sign) != 0 ? to::sign : 0;
        if (magnitude >= from::inf) {
            return ffrom_bits<To>(sign | (magnitude > from::inf ? to::nan : to::inf));
        }
        if constexpr (sizeof(From) == 8 && sizeof(To) == 2) {
            // The `half` crate rounds the upper half of a double only. Without this line the result is the nearest.
            magnitude &= ~0xFFFFFFFFULL;
        }
        if (magnitude == 0) {
            return ffrom_bits<To>(sign);
        }
        const float_parts parts = funpack<From>(magnitude);
        return ffrom_bits<To>(fpack<To>(sign, parts.exp - from::bias + to::bias, parts.sig));
    }
}

// The same number, whose exponents are biased alike.
template <>
__aicore__ __inline__ float fcast<float, bfloat16_t>(bfloat16_t value)
{
    return ffrom_bits<float>(fto_bits(value) << 16);
}

// From a float to an integer: towards zero, saturating, NaN to 0.
template <typename To, typename From>
__aicore__ __inline__ To fto_int(From value)
{
    typedef float_format<From> format;
    const uint64_t bits = fto_bits(value);
    const uint64_t magnitude = bits & ~format::sign;
    const bool negative = (bits & format::sign) != 0;
    // 2^power is the highest power of two in it.
    const int32_t power = static_cast<int32_t>(magnitude >> format::mantissa) - format::bias;
    if (power < 0 || magnitude > format::inf || (negative && !limits<To>::is_signed)) {
        return static_cast<To>(0);
    }
    // A half's exponents end before those of an int32_t, so that infinity is asked for.
    if (magnitude == format::inf || power >= static_cast<int32_t>(limits<To>::bits) - (limits<To>::is_signed ? 1 : 0)) {
        return negative ? limits<To>::min : limits<To>::max;
    }
    const uint64_t sig = (magnitude & (format::hidden - 1)) | format::hidden;
    const uint64_t whole =
        power >= format::mantissa ? sig << (power - format::mantissa) : sig >> (format::mantissa - power);
    return static_cast<To>(negative ? 0 - whole : whole);
}

}  // namespace shmem_rust

#endif
