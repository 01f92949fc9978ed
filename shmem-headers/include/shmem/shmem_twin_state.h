// The state block that device code reads: aclshmem_device_host_state_t with the offsets of the public headers.
// The Rust side that fills it is shmem-sim/src/abi.rs.
#ifndef SHMEM_TWIN_STATE_H
#define SHMEM_TWIN_STATE_H

#define ACLSHMEM_MAX_PES 16384
#define ACLSHMEM_MAX_TEAMS 2048
#define ACLSHMEM_TEAM_WORLD 0
#define ACLSHMEM_TRANSPORT_MTE 1

struct aclshmem_team_config_t {
    int version;
    int num_contexts;
    uint64_t uniqueid;
    unsigned char padding[48];
};

struct aclshmemx_team_t {
    int mype;
    int start;
    int stride;
    int size;
    int team_idx;
    aclshmem_team_config_t config;
    int32_t pe_mapping[2 * ACLSHMEM_MAX_PES];  // team rank to PE, then PE to team rank (-1: not a member)
};

struct aclshmem_ub_config_t {
    int64_t aclshmem_ub;
    uint32_t ub_size;
    uint32_t sync_id;
};

struct aclshmem_device_host_state_t {
    int version;
    int mype;
    int npes;
    void *heap_base;
    void *host_heap_base;
    void **p2p_device_heap_base;
    void **rdma_device_heap_base;
    void **sdma_device_heap_base;
    void **p2p_host_heap_base;
    void **rdma_host_heap_base;
    void **sdma_host_heap_base;
    uint8_t topo_list[ACLSHMEM_MAX_PES];
    size_t heap_size;
    aclshmemx_team_t *team_pools[ACLSHMEM_MAX_TEAMS];
    uint64_t sync_pool;
    uint64_t sync_counter;
    uint64_t core_sync_pool;
    uint64_t core_sync_counter;
    bool is_aclshmem_initialized;
    bool is_aclshmem_created;
    aclshmem_ub_config_t mte_config;
    aclshmem_ub_config_t sdma_config;
    aclshmem_ub_config_t rdma_config;
    aclshmem_ub_config_t udma_config;
    uint64_t qp_info;
    uint64_t sdma_workspace_addr;
    void *profs;
    uint64_t signal_addr;
};

static_assert(sizeof(aclshmemx_team_t) == 131160 && offsetof(aclshmemx_team_t, pe_mapping) == 88, "team layout");
static_assert(sizeof(aclshmem_device_host_state_t) == 32992, "state size");
static_assert(offsetof(aclshmem_device_host_state_t, p2p_device_heap_base) == 32, "state layout");
static_assert(offsetof(aclshmem_device_host_state_t, topo_list) == 80, "state layout");
static_assert(offsetof(aclshmem_device_host_state_t, heap_size) == 16464, "state layout");
static_assert(offsetof(aclshmem_device_host_state_t, team_pools) == 16472, "state layout");
static_assert(offsetof(aclshmem_device_host_state_t, sync_pool) == 32856, "state layout");
static_assert(offsetof(aclshmem_device_host_state_t, mte_config) == 32896, "state layout");
static_assert(offsetof(aclshmem_device_host_state_t, signal_addr) == 32984, "state layout");

// On the device the block lies at a fixed address; here the simulator says where it is.
ACLSHMEM_DEVICE __gm__ const aclshmem_device_host_state_t *aclshmemi_get_state()
{
    return reinterpret_cast<__gm__ const aclshmem_device_host_state_t *>(
        reinterpret_cast<uint64_t>(shmem_sim_bound.state));
}

#endif
