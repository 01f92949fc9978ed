// Integer arithmetic and casts with Rust's meaning. `wrapping_*` never fails; the plain names panic where Rust does.
#ifndef SHMEM_RUST_ARITH_H
#define SHMEM_RUST_ARITH_H

namespace shmem_rust {

// The unsigned type in which arithmetic on a type of Size bytes wraps without promotion to int.
template <unsigned Size>
struct unsigned_of {
    typedef uint32_t type;
};
template <>
struct unsigned_of<8> {
    typedef uint64_t type;
};

template <typename T>
struct limits {
    typedef typename unsigned_of<sizeof(T)>::type wide;
    static constexpr unsigned bits = sizeof(T) * 8;
    static constexpr bool is_signed = static_cast<T>(-1) < static_cast<T>(1);
    static constexpr T min = is_signed ? static_cast<T>(static_cast<wide>(1) << (bits - 1)) : static_cast<T>(0);
    static constexpr T max = static_cast<T>(~min);
};

template <typename T>
__aicore__ __inline__ T wrapping_add(T a, T b)
{
    typedef typename limits<T>::wide wide;
    return static_cast<T>(static_cast<wide>(a) + static_cast<wide>(b));
}

template <typename T>
__aicore__ __inline__ T wrapping_sub(T a, T b)
{
    typedef typename limits<T>::wide wide;
    return static_cast<T>(static_cast<wide>(a) - static_cast<wide>(b));
}

template <typename T>
__aicore__ __inline__ T wrapping_mul(T a, T b)
{
    typedef typename limits<T>::wide wide;
    return static_cast<T>(static_cast<wide>(a) * static_cast<wide>(b));
}

template <typename T>
__aicore__ __inline__ T wrapping_neg(T a)
{
    typedef typename limits<T>::wide wide;
    return static_cast<T>(static_cast<wide>(0) - static_cast<wide>(a));
}

// Shift amounts of every integer type arrive as int64_t: only the low bits count, and a huge u64 is out of range
// whether it is read as negative or not.
template <typename T>
__aicore__ __inline__ T wrapping_shl(T a, int64_t amount)
{
    typedef typename limits<T>::wide wide;
    return static_cast<T>(static_cast<wide>(a) << (static_cast<uint64_t>(amount) & (limits<T>::bits - 1)));
}

template <typename T>
__aicore__ __inline__ T wrapping_shr(T a, int64_t amount)
{
    return static_cast<T>(a >> (static_cast<uint64_t>(amount) & (limits<T>::bits - 1)));
}

template <typename T>
__aicore__ __inline__ T add(__gm__ shmem_rust_fault *fault, uint32_t site, T a, T b)
{
    T result;
    if (__builtin_add_overflow(a, b, &result)) {
        fail(fault, site, FAULT_OVERFLOW, static_cast<uint64_t>(a), static_cast<uint64_t>(b));
    }
    return result;
}

template <typename T>
__aicore__ __inline__ T sub(__gm__ shmem_rust_fault *fault, uint32_t site, T a, T b)
{
    T result;
    if (__builtin_sub_overflow(a, b, &result)) {
        fail(fault, site, FAULT_OVERFLOW, static_cast<uint64_t>(a), static_cast<uint64_t>(b));
    }
    return result;
}

template <typename T>
__aicore__ __inline__ T mul(__gm__ shmem_rust_fault *fault, uint32_t site, T a, T b)
{
    T result;
    if (__builtin_mul_overflow(a, b, &result)) {
        fail(fault, site, FAULT_OVERFLOW, static_cast<uint64_t>(a), static_cast<uint64_t>(b));
    }
    return result;
}

template <typename T>
__aicore__ __inline__ T neg(__gm__ shmem_rust_fault *fault, uint32_t site, T a)
{
    if (a == limits<T>::min) {
        fail(fault, site, FAULT_OVERFLOW, static_cast<uint64_t>(a), 0);
    }
    return wrapping_neg<T>(a);
}

template <typename T>
__aicore__ __inline__ T shl(__gm__ shmem_rust_fault *fault, uint32_t site, T a, int64_t amount)
{
    if (static_cast<uint64_t>(amount) >= limits<T>::bits) {
        fail(fault, site, FAULT_OVERFLOW, static_cast<uint64_t>(a), static_cast<uint64_t>(amount));
    }
    return wrapping_shl<T>(a, amount);
}

template <typename T>
__aicore__ __inline__ T shr(__gm__ shmem_rust_fault *fault, uint32_t site, T a, int64_t amount)
{
    if (static_cast<uint64_t>(amount) >= limits<T>::bits) {
        fail(fault, site, FAULT_OVERFLOW, static_cast<uint64_t>(a), static_cast<uint64_t>(amount));
    }
    return wrapping_shr<T>(a, amount);
}

// Zero divisors and MIN / -1 panic whether overflow is checked or not.
template <typename T>
__aicore__ __inline__ T div(__gm__ shmem_rust_fault *fault, uint32_t site, T a, T b)
{
    if (b == 0) {
        fail(fault, site, FAULT_DIVIDE_ZERO, static_cast<uint64_t>(a), 0);
    }
    if constexpr (limits<T>::is_signed) {
        if (b == -1 && a == limits<T>::min) {
            fail(fault, site, FAULT_OVERFLOW, static_cast<uint64_t>(a), static_cast<uint64_t>(b));
        }
    }
    return static_cast<T>(a / b);
}

template <typename T>
__aicore__ __inline__ T rem(__gm__ shmem_rust_fault *fault, uint32_t site, T a, T b)
{
    if (b == 0) {
        fail(fault, site, FAULT_REMAINDER_ZERO, static_cast<uint64_t>(a), 0);
    }
    if constexpr (limits<T>::is_signed) {
        if (b == -1 && a == limits<T>::min) {
            fail(fault, site, FAULT_OVERFLOW, static_cast<uint64_t>(a), static_cast<uint64_t>(b));
        }
    }
    return static_cast<T>(a % b);
}

// A float to an integer as `as` does it: towards zero, saturating, NaN to 0.
template <typename To, typename From>
__aicore__ __inline__ To saturating_cast(From value)
{
    // 2^(bits - 1), exact in every float type.
    constexpr From half_range = static_cast<From>(static_cast<uint64_t>(1) << (limits<To>::bits - 1));
    if constexpr (limits<To>::is_signed) {
        if (!(value >= -half_range)) {
            return value < 0 ? limits<To>::min : static_cast<To>(0);
        }
        if (value >= half_range) {
            return limits<To>::max;
        }
    } else {
        if (!(value > 0)) {
            return static_cast<To>(0);
        }
        if (value >= half_range * 2) {
            return limits<To>::max;
        }
    }
    return static_cast<To>(value);
}

}  // namespace shmem_rust

#endif
