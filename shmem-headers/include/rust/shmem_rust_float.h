// What a float is made of. AscendC's scalar unit computes with float only: everything here and in the
// shmem_rust_float_*.h is done on the bits of half, bfloat16_t and double, in 64-bit integers.
//
// Wherever the result is not NaN its bits are those that rustc and the `half` crate give.
#ifndef SHMEM_RUST_FLOAT_H
#define SHMEM_RUST_FLOAT_H

namespace shmem_rust {

template <typename Bits, int32_t Mantissa, int32_t Exponent>
struct float_layout {
    typedef Bits bits_type;
    static constexpr bool is_float = true;
    static constexpr int32_t mantissa = Mantissa;               // stored bits of it
    static constexpr int32_t max_exp = (1 << Exponent) - 1;     // of infinities and NaNs
    static constexpr int32_t bias = max_exp >> 1;               // of 1.0
    static constexpr uint64_t sign = 1ULL << (Mantissa + Exponent);
    static constexpr uint64_t hidden = 1ULL << Mantissa;        // the leading bit, which is not stored
    static constexpr uint64_t one = static_cast<uint64_t>(bias) << Mantissa;
    static constexpr uint64_t inf = static_cast<uint64_t>(max_exp) << Mantissa;
    static constexpr uint64_t nan = inf | (hidden >> 1);
};

template <typename T>
struct float_format {
    static constexpr bool is_float = false;
};
template <>
struct float_format<half> : float_layout<uint16_t, 10, 5> {
};
template <>
struct float_format<bfloat16_t> : float_layout<uint16_t, 7, 8> {
};
template <>
struct float_format<float> : float_layout<uint32_t, 23, 8> {
};
template <>
struct float_format<double> : float_layout<uint64_t, 52, 11> {
};

template <typename T>
__aicore__ __inline__ uint64_t fto_bits(T value)
{
    return __builtin_bit_cast(typename float_format<T>::bits_type, value);
}

template <typename T>
__aicore__ __inline__ T ffrom_bits(uint64_t bits)
{
    return __builtin_bit_cast(T, static_cast<typename float_format<T>::bits_type>(bits));
}

// The zero bits above the highest set bit; 63 for 0. Written out: not every backend selects the builtin.
__aicore__ __inline__ int32_t fleading_zeros(uint64_t value)
{
    int32_t zeros = 0;
    if ((value >> 32) == 0) {
        zeros += 32;
        value <<= 32;
    }
    if ((value >> 48) == 0) {
        zeros += 16;
        value <<= 16;
    }
    if ((value >> 56) == 0) {
        zeros += 8;
        value <<= 8;
    }
    if ((value >> 60) == 0) {
        zeros += 4;
        value <<= 4;
    }
    if ((value >> 62) == 0) {
        zeros += 2;
        value <<= 2;
    }
    return (value >> 63) == 0 ? zeros + 1 : zeros;
}

// A finite magnitude as sig / 2^63 * 2^(exp - bias): the highest bit of sig is set, or sig is 0. Subnormals have an
// exp of 0 and below.
struct float_parts {
    uint64_t sig;
    int32_t exp;
};

template <typename T>
__aicore__ __inline__ float_parts funpack(uint64_t magnitude)
{
    typedef float_format<T> format;
    float_parts parts;
    parts.exp = static_cast<int32_t>(magnitude >> format::mantissa);
    parts.sig = (magnitude | format::hidden) << (63 - format::mantissa);
    if (parts.exp == 0) {
        parts.sig = magnitude << (63 - format::mantissa);
        parts.exp = 1;
        if (magnitude != 0) {
            while ((parts.sig >> 63) == 0) {
                parts.sig <<= 1;
                --parts.exp;
            }
        }
    }
    return parts;
}

// The bits of the float nearest to the value of `sig` and `exp` (as in float_parts; sig is not 0), ties to even.
// Whoever dropped bits below those of sig has set its lowest one.
template <typename T>
__aicore__ __inline__ uint64_t fpack(uint64_t sign, int32_t exp, uint64_t sig)
{
    typedef float_format<T> format;
    constexpr int32_t excess = 63 - format::mantissa;
    if (exp >= format::max_exp) {
        return sign | format::inf;
    }
    if (exp > 0) {
        const uint64_t kept = sig >> excess;
        const uint64_t rest = sig & ((1ULL << excess) - 1);
        const uint64_t up = rest > (1ULL << (excess - 1)) - (kept & 1) ? 1 : 0;
        // The leading bit of `kept` adds one to the exponent; so does a carry, up to infinity.
        return sign | ((static_cast<uint64_t>(exp - 1) << format::mantissa) + kept + up);
    }
    const int32_t shift = excess + 1 - exp;
    if (shift > 64) {
        return sign;
    }
    const uint64_t kept = shift == 64 ? 0 : sig >> shift;
    const uint64_t rest = sig << (64 - shift);
    const uint64_t up = rest > (1ULL << 63) - (kept & 1) ? 1 : 0;
    return sign | (kept + up);
}

// value >> shift, where a set bit that is shifted out sets the lowest bit.
__aicore__ __inline__ uint64_t fshift_right(uint64_t value, int32_t shift)
{
    if (shift > 63) {
        return value != 0 ? 1 : 0;
    }
    const uint64_t lost = value & ((1ULL << shift) - 1);
    return (value >> shift) | (lost != 0 ? 1 : 0);
}

struct float_product {
    uint64_t high;
    uint64_t low;
};

__aicore__ __inline__ float_product fproduct(uint64_t a, uint64_t b)
{
    const uint64_t a_low = a & 0xFFFFFFFFULL;
    const uint64_t a_high = a >> 32;
    const uint64_t b_low = b & 0xFFFFFFFFULL;
    const uint64_t b_high = b >> 32;
    const uint64_t low = a_low * b_low;
    const uint64_t cross = a_high * b_low + (low >> 32);
    const uint64_t middle = a_low * b_high + (cross & 0xFFFFFFFFULL);
    float_product product;
    product.high = a_high * b_high + (cross >> 32) + (middle >> 32);
    product.low = (middle << 32) | (low & 0xFFFFFFFFULL);
    return product;
}

}  // namespace shmem_rust

#endif
