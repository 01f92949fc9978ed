// Who am I, how many are we: aclshmem_my_pe and aclshmem_n_pes, read from the world team as on the device.
#ifndef SHMEM_TWIN_TEAM_H
#define SHMEM_TWIN_TEAM_H

ACLSHMEM_DEVICE int aclshmem_my_pe(void)
{
    return aclshmemi_get_state()->team_pools[ACLSHMEM_TEAM_WORLD]->mype;
}

ACLSHMEM_DEVICE int aclshmem_n_pes(void)
{
    return aclshmemi_get_state()->team_pools[ACLSHMEM_TEAM_WORLD]->size;
}

#endif
