// The square root of float and double.
#ifndef SHMEM_RUST_FLOAT_ROOT_H
#define SHMEM_RUST_FLOAT_ROOT_H

namespace shmem_rust {

template <typename T>
__aicore__ __inline__ T fsqrt(T value)
{
    typedef float_format<T> format;
    const uint64_t bits = fto_bits(value);
    if ((bits & ~format::sign) == 0 || bits == format::inf) {
        return value;
    }
    if (bits > format::inf) {
        return ffrom_bits<T>(format::nan);
    }
    const float_parts parts = funpack<T>(bits);
    const int32_t power = parts.exp - format::bias;
    // Bit by bit: `rest` is what is left of the radicand, `twice` the double of the root so far.
    uint64_t rest = parts.sig >> (62 - format::mantissa - (power & 1));
    uint64_t twice = 0;
    uint64_t root = 0;
    for (uint64_t bit = format::hidden << 1; bit != 0; bit >>= 1) {
        if (twice + bit <= rest) {
            rest -= twice + bit;
            twice += bit << 1;
            root += bit;
        }
        rest <<= 1;
    }
    const uint64_t sig = (root << (62 - format::mantissa)) | (rest != 0 ? 1 : 0);
    return ffrom_bits<T>(fpack<T>(0, format::bias + (power >> 1), sig));
}

}  // namespace shmem_rust

#endif
