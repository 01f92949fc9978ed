// The fused multiply-add of float and double: one rounding.
#ifndef SHMEM_RUST_FLOAT_FMA_H
#define SHMEM_RUST_FLOAT_FMA_H

namespace shmem_rust {

// x * y + z
template <typename T>
__aicore__ __inline__ T fmul_add(T x, T y, T z)
{
    typedef float_format<T> format;
    const uint64_t sign = (fto_bits(x) ^ fto_bits(y)) & format::sign;
    const bool same_sign = ((fto_bits(z) ^ sign) & format::sign) == 0;
    const uint64_t a = fto_bits(x) & ~format::sign;
    const uint64_t b = fto_bits(y) & ~format::sign;
    const uint64_t c = fto_bits(z) & ~format::sign;
    if (a >= format::inf || b >= format::inf || c >= format::inf) {
        const bool infinite = a == format::inf || b == format::inf;
        if (a > format::inf || b > format::inf || c > format::inf ||
            (infinite && (a == 0 || b == 0 || (c == format::inf && !same_sign)))) {
            return ffrom_bits<T>(format::nan);
        }
        return infinite ? ffrom_bits<T>(sign | format::inf) : z;
    }
    if (a == 0 || b == 0) {
        return c == 0 && !same_sign ? ffrom_bits<T>(0) : z;
    }
    const float_parts a_parts = funpack<T>(a);
    const float_parts b_parts = funpack<T>(b);
    const float_parts c_parts = funpack<T>(c);
    // Both terms in 128 bits, the leading one at 126. The lower half of `z` is 0, so that of equal exponents the upper
    // halves tell which is larger.
    float_product larger = fproduct(a_parts.sig, b_parts.sig);
    int32_t exp = a_parts.exp + b_parts.exp - format::bias;
    if ((larger.high >> 63) != 0) {
        // The lowest bits of a product are 0.
        larger.low = (larger.low >> 1) | (larger.high << 63);
        larger.high >>= 1;
        ++exp;
    }
    float_product smaller;
    smaller.high = c_parts.sig >> 1;
    smaller.low = c_parts.sig << 63;
    int32_t distance = exp - c_parts.exp;
    uint64_t result_sign = sign;
    if (c != 0 && (distance < 0 || (distance == 0 && larger.high < smaller.high))) {
        const float_product swapped = larger;
        larger = smaller;
        smaller = swapped;
        exp = c_parts.exp;
        distance = -distance;
        result_sign = fto_bits(z) & format::sign;
    }
    if (c == 0 || distance > 127) {
        smaller.low = c == 0 ? 0 : 1;
        smaller.high = 0;
    } else if (distance > 63) {
        // The lower half is dropped: the upper one is not 0, and both are below the bits that are kept.
        smaller.low = fshift_right(smaller.high, distance - 64);
        smaller.high = 0;
    } else if (distance > 0) {
        smaller.low = fshift_right(smaller.low, distance) | (smaller.high << (64 - distance));
        smaller.high >>= distance;
    }
    float_product sum;
    if (same_sign) {
        sum.low = larger.low + smaller.low;
        sum.high = larger.high + smaller.high + (sum.low < larger.low ? 1 : 0);
    } else {
        sum.low = larger.low - smaller.low;
        sum.high = larger.high - smaller.high - (larger.low < smaller.low ? 1 : 0);
    }
    if (sum.high == 0) {
        if (sum.low == 0) {
            return ffrom_bits<T>(same_sign ? sign : 0);
        }
        sum.high = sum.low;
        sum.low = 0;
        exp -= 64;
    }
    const int32_t zeros = fleading_zeros(sum.high);
    uint64_t sig = sum.high << zeros;
    if (zeros > 0) {
        sig |= sum.low >> (64 - zeros);
    }
    sig |= (sum.low << zeros) != 0 ? 1 : 0;
    return ffrom_bits<T>(fpack<T>(result_sign, exp + 1 - zeros, sig));
}

}  // namespace shmem_rust

#endif
