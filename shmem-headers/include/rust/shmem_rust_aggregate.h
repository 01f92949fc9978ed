// Arrays, and what tuples, structs and arrays have in common.
#ifndef SHMEM_RUST_AGGREGATE_H
#define SHMEM_RUST_AGGREGATE_H

namespace shmem_rust {

// `[T; N]`; an array of no elements has room for one, as C++ has none without.
template <typename T, uint64_t N>
struct Array {
    T at[N == 0 ? 1 : N];
};

// `[value; N]`
template <typename T, uint64_t N>
__aicore__ __inline__ Array<T, N> repeat(T value)
{
    Array<T, N> array;
    for (uint64_t i = 0; i < (N == 0 ? 1 : N); ++i) {
        array.at[i] = value;
    }
    return array;
}

// `core::mem::swap`
template <typename T>
__aicore__ __inline__ void swap(T &a, T &b)
{
    const T kept = a;
    a = b;
    b = kept;
}

}  // namespace shmem_rust

#endif
