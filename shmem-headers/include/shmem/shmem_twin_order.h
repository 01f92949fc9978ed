// Order: quiet and fence are one thing on the device, and here.
#ifndef SHMEM_TWIN_ORDER_H
#define SHMEM_TWIN_ORDER_H

ACLSHMEM_DEVICE void aclshmem_quiet(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

ACLSHMEM_DEVICE void aclshmem_fence(void)
{
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}

#endif
