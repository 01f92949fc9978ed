// To a whole number, of float and double. What is one already, infinite or NaN stays.
#ifndef SHMEM_RUST_FLOAT_ROUND_H
#define SHMEM_RUST_FLOAT_ROUND_H

namespace shmem_rust {

// The bits below the binary point of a magnitude: all of them below 1.0.
template <typename T>
__aicore__ __inline__ uint64_t ffraction(uint64_t magnitude)
{
    typedef float_format<T> format;
    const int32_t power = static_cast<int32_t>(magnitude >> format::mantissa) - format::bias;
    if (power < 0) {
        return format::sign - 1;
    }
    return power >= format::mantissa ? 0 : (format::hidden >> power) - 1;
}

template <typename T>
__aicore__ __inline__ T ftrunc(T value)
{
    const uint64_t bits = fto_bits(value);
    return ffrom_bits<T>(bits & ~ffraction<T>(bits & ~float_format<T>::sign));
}

template <typename T>
__aicore__ __inline__ T ffloor(T value)
{
    typedef float_format<T> format;
    const uint64_t bits = fto_bits(value);
    const uint64_t magnitude = bits & ~format::sign;
    const uint64_t fraction = ffraction<T>(magnitude);
    if ((bits & format::sign) == 0 || (bits & fraction) == 0) {
        return ffrom_bits<T>(bits & ~fraction);
    }
    return ffrom_bits<T>(magnitude < format::one ? format::sign | format::one : (bits + fraction) & ~fraction);
}

template <typename T>
__aicore__ __inline__ T fceil(T value)
{
    typedef float_format<T> format;
    const uint64_t bits = fto_bits(value);
    const uint64_t fraction = ffraction<T>(bits & ~format::sign);
    if ((bits & format::sign) != 0 || (bits & fraction) == 0) {
        return ffrom_bits<T>(bits & ~fraction);
    }
    return ffrom_bits<T>(bits < format::one ? format::one : (bits + fraction) & ~fraction);
}

// Halves go away from zero.
template <typename T>
__aicore__ __inline__ T fround(T value)
{
    typedef float_format<T> format;
    const uint64_t bits = fto_bits(value);
    const uint64_t magnitude = bits & ~format::sign;
    if (magnitude < format::one) {
        const bool up = magnitude >= format::one - format::hidden;
        return ffrom_bits<T>((bits & format::sign) | (up ? format::one : 0));
    }
    const uint64_t fraction = ffraction<T>(magnitude);
    return ffrom_bits<T>((bits + ((fraction + 1) >> 1)) & ~fraction);
}

}  // namespace shmem_rust

#endif
