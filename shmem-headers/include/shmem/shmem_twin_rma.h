// p and g: one access of the exact width, atomic where the address is aligned.
#ifndef SHMEM_TWIN_RMA_H
#define SHMEM_TWIN_RMA_H

// Where `ptr` of this PE's heap lies in PE `pe`'s. Both heaps have one stride, so the host heap comes out right too.
ACLSHMEM_DEVICE __gm__ void *aclshmem_ptr(__gm__ void *ptr, int pe)
{
    __gm__ const aclshmem_device_host_state_t *state = aclshmemi_get_state();
    const uint64_t offset = reinterpret_cast<uint64_t>(ptr) - reinterpret_cast<uint64_t>(state->heap_base);
    return reinterpret_cast<__gm__ void *>(reinterpret_cast<uint64_t>(state->p2p_device_heap_base[pe]) + offset);
}

namespace shmem_twin {

template <unsigned Size>
struct cell;
template <>
struct cell<1> {
    typedef uint8_t __attribute__((may_alias)) type;
};
template <>
struct cell<2> {
    typedef uint16_t __attribute__((may_alias)) type;
};
template <>
struct cell<4> {
    typedef uint32_t __attribute__((may_alias)) type;
};
template <>
struct cell<8> {
    typedef uint64_t __attribute__((may_alias)) type;
};

template <typename T>
ACLSHMEM_DEVICE void put(__gm__ T *dst, T value, int pe)
{
    typedef typename cell<sizeof(T)>::type bits;
    bits raw;
    __builtin_memcpy(&raw, &value, sizeof raw);
    __atomic_store_n(static_cast<__gm__ bits *>(aclshmem_ptr(dst, pe)), raw, __ATOMIC_RELEASE);
}

template <typename T>
ACLSHMEM_DEVICE T get(__gm__ T *src, int pe)
{
    typedef typename cell<sizeof(T)>::type bits;
    const bits raw = __atomic_load_n(static_cast<__gm__ bits *>(aclshmem_ptr(src, pe)), __ATOMIC_ACQUIRE);
    T value;
    __builtin_memcpy(&value, &raw, sizeof value);
    return value;
}

}  // namespace shmem_twin

#define SHMEM_TWIN_RMA(NAME, TYPE)                                                       \
    ACLSHMEM_DEVICE void aclshmem_##NAME##_p(__gm__ TYPE *dst, const TYPE value, int pe) \
    {                                                                                    \
        shmem_twin::put<TYPE>(dst, value, pe);                                           \
    }                                                                                    \
    ACLSHMEM_DEVICE TYPE aclshmem_##NAME##_g(__gm__ TYPE *src, int32_t pe)               \
    {                                                                                    \
        return shmem_twin::get<TYPE>(src, pe);                                           \
    }

SHMEM_TWIN_RMA(half, half)
SHMEM_TWIN_RMA(float, float)
SHMEM_TWIN_RMA(double, double)
SHMEM_TWIN_RMA(int8, int8_t)
SHMEM_TWIN_RMA(int16, int16_t)
SHMEM_TWIN_RMA(int32, int32_t)
SHMEM_TWIN_RMA(int64, int64_t)
SHMEM_TWIN_RMA(uint8, uint8_t)
SHMEM_TWIN_RMA(uint16, uint16_t)
SHMEM_TWIN_RMA(uint32, uint32_t)
SHMEM_TWIN_RMA(uint64, uint64_t)
SHMEM_TWIN_RMA(char, char)
SHMEM_TWIN_RMA(bfloat16, bfloat16_t)

#undef SHMEM_TWIN_RMA

#endif
