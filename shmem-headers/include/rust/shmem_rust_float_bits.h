// What is asked of and done to the sign and the class of a float of any type. NaNs keep their payload.
#ifndef SHMEM_RUST_FLOAT_BITS_H
#define SHMEM_RUST_FLOAT_BITS_H

namespace shmem_rust {

template <typename T>
__aicore__ __inline__ T fneg(T value)
{
    return ffrom_bits<T>(fto_bits(value) ^ float_format<T>::sign);
}

template <typename T>
__aicore__ __inline__ T fabs_(T value)
{
    return ffrom_bits<T>(fto_bits(value) & ~float_format<T>::sign);
}

template <typename T>
__aicore__ __inline__ T fcopysign(T value, T sign)
{
    typedef float_format<T> format;
    return ffrom_bits<T>((fto_bits(value) & ~format::sign) | (fto_bits(sign) & format::sign));
}

template <typename T>
__aicore__ __inline__ bool fis_nan(T value)
{
    return (fto_bits(value) & ~float_format<T>::sign) > float_format<T>::inf;
}

template <typename T>
__aicore__ __inline__ bool fis_infinite(T value)
{
    return (fto_bits(value) & ~float_format<T>::sign) == float_format<T>::inf;
}

template <typename T>
__aicore__ __inline__ bool fis_finite(T value)
{
    return (fto_bits(value) & ~float_format<T>::sign) < float_format<T>::inf;
}

// 1.0 with the sign of `value`, zeros included; a NaN stays.
template <typename T>
__aicore__ __inline__ T fsignum(T value)
{
    typedef float_format<T> format;
    return fis_nan(value) ? value : ffrom_bits<T>((fto_bits(value) & format::sign) | format::one);
}

}  // namespace shmem_rust

#endif
