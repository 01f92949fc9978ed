// The methods of Rust's integers. Those that can fail take the fault records; their `wrapping_` twins never fail.
#ifndef SHMEM_RUST_INT_H
#define SHMEM_RUST_INT_H

namespace shmem_rust {

template <typename T>
__aicore__ __inline__ bool is_negative(T a)
{
    if constexpr (limits<T>::is_signed) {
        return a < 0;
    } else {
        return false;
    }
}

template <typename T>
__aicore__ __inline__ T wrapping_abs(T a)
{
    return is_negative<T>(a) ? wrapping_neg<T>(a) : a;
}

template <typename T>
__aicore__ __inline__ T abs(__gm__ shmem_rust_fault *fault, uint32_t site, T a)
{
    return is_negative<T>(a) ? neg<T>(fault, site, a) : a;
}

template <typename T>
__aicore__ __inline__ T signum(T a)
{
    return static_cast<T>(is_negative<T>(a) ? -1 : a != 0);
}

template <typename T>
__aicore__ __inline__ T min(T a, T b)
{
    return b < a ? b : a;
}

template <typename T>
__aicore__ __inline__ T max(T a, T b)
{
    return b < a ? a : b;
}

template <typename T>
__aicore__ __inline__ T wrapping_clamp(T a, T low, T high)
{
    return a < low ? low : a > high ? high : a;
}

template <typename T>
__aicore__ __inline__ T clamp(__gm__ shmem_rust_fault *fault, uint32_t site, T a, T low, T high)
{
    if (low > high) {
        fail(fault, site, FAULT_PANIC, static_cast<uint64_t>(low), static_cast<uint64_t>(high));
    }
    return wrapping_clamp<T>(a, low, high);
}

template <typename T>
__aicore__ __inline__ T saturating_add(T a, T b)
{
    T result;
    if (__builtin_add_overflow(a, b, &result)) {
        return is_negative<T>(b) ? limits<T>::min : limits<T>::max;
    }
    return result;
}

template <typename T>
__aicore__ __inline__ T saturating_sub(T a, T b)
{
    T result;
    if (__builtin_sub_overflow(a, b, &result)) {
        return limits<T>::is_signed && is_negative<T>(b) ? limits<T>::max : limits<T>::min;
    }
    return result;
}

template <typename T>
__aicore__ __inline__ T saturating_mul(T a, T b)
{
    T result;
    if (__builtin_mul_overflow(a, b, &result)) {
        return is_negative<T>(a) != is_negative<T>(b) ? limits<T>::min : limits<T>::max;
    }
    return result;
}

// Whether the operation leaves the type: the second halves of Rust's `overflowing_` methods.
template <typename T>
__aicore__ __inline__ bool overflows_add(T a, T b)
{
    T result;
    return __builtin_add_overflow(a, b, &result);
}

template <typename T>
__aicore__ __inline__ bool overflows_sub(T a, T b)
{
    T result;
    return __builtin_sub_overflow(a, b, &result);
}

template <typename T>
__aicore__ __inline__ bool overflows_mul(T a, T b)
{
    T result;
    return __builtin_mul_overflow(a, b, &result);
}

template <typename T>
__aicore__ __inline__ bool overflows_neg(T a)
{
    return limits<T>::is_signed ? a == limits<T>::min : a != 0;
}

// Division towards negative infinity where the remainder is to be positive. The divisor is not zero and the quotient
// fits: the callers have seen to that.
template <typename T>
__aicore__ __inline__ T unchecked_rem_euclid(T a, T b)
{
    if constexpr (limits<T>::is_signed) {
        if (b == -1) {
            return 0;
        }
        const T rest = static_cast<T>(a % b);
        if (rest >= 0) {
            return rest;
        }
        return b < 0 ? wrapping_sub<T>(rest, b) : wrapping_add<T>(rest, b);
    } else {
        return static_cast<T>(a % b);
    }
}

template <typename T>
__aicore__ __inline__ T unchecked_div_euclid(T a, T b)
{
    if constexpr (limits<T>::is_signed) {
        if (b == -1) {
            return wrapping_neg<T>(a);
        }
        const T quotient = static_cast<T>(a / b);
        if (static_cast<T>(a % b) < 0) {
            return b > 0 ? wrapping_sub<T>(quotient, 1) : wrapping_add<T>(quotient, 1);
        }
        return quotient;
    } else {
        return static_cast<T>(a / b);
    }
}

template <typename T>
__aicore__ __inline__ T rem_euclid(__gm__ shmem_rust_fault *fault, uint32_t site, T a, T b)
{
    static_cast<void>(rem<T>(fault, site, a, b));
    return unchecked_rem_euclid<T>(a, b);
}

template <typename T>
__aicore__ __inline__ T div_euclid(__gm__ shmem_rust_fault *fault, uint32_t site, T a, T b)
{
    static_cast<void>(div<T>(fault, site, a, b));
    return unchecked_div_euclid<T>(a, b);
}

template <typename T>
__aicore__ __inline__ T unchecked_wrapping_div(T a, T b)
{
    if constexpr (limits<T>::is_signed) {
        if (b == -1) {
            return wrapping_neg<T>(a);
        }
    }
    return static_cast<T>(a / b);
}

template <typename T>
__aicore__ __inline__ T unchecked_wrapping_rem(T a, T b)
{
    if constexpr (limits<T>::is_signed) {
        if (b == -1) {
            return 0;
        }
    }
    return static_cast<T>(a % b);
}

template <typename T>
__aicore__ __inline__ T wrapping_div(__gm__ shmem_rust_fault *fault, uint32_t site, T a, T b)
{
    if (b == 0) {
        fail(fault, site, FAULT_DIVIDE_ZERO, 0, 0);
    }
    return unchecked_wrapping_div<T>(a, b);
}

template <typename T>
__aicore__ __inline__ T wrapping_rem(__gm__ shmem_rust_fault *fault, uint32_t site, T a, T b)
{
    if (b == 0) {
        fail(fault, site, FAULT_REMAINDER_ZERO, 0, 0);
    }
    return unchecked_wrapping_rem<T>(a, b);
}

template <typename T>
__aicore__ __inline__ T wrapping_pow(T a, uint32_t exponent)
{
    T result = 1;
    while (exponent != 0) {
        if ((exponent & 1) != 0) {
            result = wrapping_mul<T>(result, a);
        }
        a = wrapping_mul<T>(a, a);
        exponent >>= 1;
    }
    return result;
}

// The square is only taken while it is still needed: where Rust overflows, and nowhere else.
template <typename T>
__aicore__ __inline__ T pow(__gm__ shmem_rust_fault *fault, uint32_t site, T a, uint32_t exponent)
{
    T result = 1;
    while (exponent != 0) {
        if ((exponent & 1) != 0) {
            result = mul<T>(fault, site, result, a);
            if (exponent == 1) {
                break;
            }
        }
        exponent >>= 1;
        a = mul<T>(fault, site, a, a);
    }
    return result;
}

// Bits of a as an unsigned number of its own width.
template <typename T>
__aicore__ __inline__ uint64_t bits_of(T a)
{
    const uint64_t all = limits<T>::bits == 64 ? ~static_cast<uint64_t>(0)
                                               : (static_cast<uint64_t>(1) << (limits<T>::bits & 63)) - 1;
    return static_cast<uint64_t>(a) & all;
}

template <typename T>
__aicore__ __inline__ uint32_t count_ones(T a)
{
    uint64_t bits = bits_of<T>(a);
    uint32_t count = 0;
    while (bits != 0) {
        bits &= bits - 1;
        ++count;
    }
    return count;
}

template <typename T>
__aicore__ __inline__ uint32_t count_zeros(T a)
{
    return limits<T>::bits - count_ones<T>(a);
}

template <typename T>
__aicore__ __inline__ uint32_t leading_zeros(T a)
{
    uint64_t bits = bits_of<T>(a);
    uint32_t zeros = limits<T>::bits;
    while (bits != 0) {
        bits >>= 1;
        --zeros;
    }
    return zeros;
}

template <typename T>
__aicore__ __inline__ uint32_t trailing_zeros(T a)
{
    uint64_t bits = bits_of<T>(a);
    if (bits == 0) {
        return limits<T>::bits;
    }
    uint32_t zeros = 0;
    while ((bits & 1) == 0) {
        bits >>= 1;
        ++zeros;
    }
    return zeros;
}

template <typename T>
__aicore__ __inline__ uint32_t leading_ones(T a)
{
    return leading_zeros<T>(static_cast<T>(~a));
}

template <typename T>
__aicore__ __inline__ uint32_t trailing_ones(T a)
{
    return trailing_zeros<T>(static_cast<T>(~a));
}

template <typename T>
__aicore__ __inline__ T rotate_left(T a, uint32_t amount)
{
    const uint64_t bits = bits_of<T>(a);
    const uint32_t by = amount % limits<T>::bits;
    return by == 0 ? a : static_cast<T>((bits << by) | (bits >> (limits<T>::bits - by)));
}

template <typename T>
__aicore__ __inline__ T rotate_right(T a, uint32_t amount)
{
    return rotate_left<T>(a, limits<T>::bits - amount % limits<T>::bits);
}

template <typename T>
__aicore__ __inline__ T swap_bytes(T a)
{
    uint64_t bits = bits_of<T>(a);
    uint64_t result = 0;
    for (unsigned i = 0; i < sizeof(T); ++i) {
        result = (result << 8) | (bits & 255);
        bits >>= 8;
    }
    return static_cast<T>(result);
}

template <typename T>
__aicore__ __inline__ T reverse_bits(T a)
{
    uint64_t bits = bits_of<T>(a);
    uint64_t result = 0;
    for (unsigned i = 0; i < limits<T>::bits; ++i) {
        result = (result << 1) | (bits & 1);
        bits >>= 1;
    }
    return static_cast<T>(result);
}

template <typename T>
__aicore__ __inline__ bool is_positive(T a)
{
    return a > 0;
}

template <typename T>
__aicore__ __inline__ bool is_power_of_two(T a)
{
    return a != 0 && (a & (a - 1)) == 0;
}

// The distance between two numbers, as the unsigned type of their width.
template <typename U, typename T>
__aicore__ __inline__ U abs_diff(T a, T b)
{
    return static_cast<U>(a < b ? wrapping_sub<T>(b, a) : wrapping_sub<T>(a, b));
}

template <typename U, typename T>
__aicore__ __inline__ U unsigned_abs(T a)
{
    return static_cast<U>(wrapping_abs<T>(a));
}

}  // namespace shmem_rust

#endif
