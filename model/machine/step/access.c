/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/machine/api/api.h"
#include "model/machine/step/lane.h"
#include "model/machine/core/run.h"
#include "model/machine/core/region.h"
#include "model/machine/core/place.h"
#include "model/machine/core/taken.h"

/* Addresses of accesses: found, checked, and .local ones done here, because no other lane sees
 * them. */

/* The object that the access was probably meant for: one that ends before, no further away than it is
 * long. */
static const char *missed_object(const struct run *run, const struct region *before,
                                 uint64_t address)
{
    if (!before || address - before->base >= 2 * (uint64_t)before->bytes)
        return "";
    return arena_printf(run->reports->arena, ": %s, which has %u bytes",
                        run_byte_name(run, before, address), before->bytes);
}

/* Nothing lies there, or nothing of that space: past the shared memory that the launch asked for? */
static void report_outside(struct run *run, const struct memory_access *access, bool shared)
{
    const struct region *before = region_before(run->machine, access->address);
    const struct location *location =
        before && before->cta != NONE ? &run->machine->test->locations[before->location] : NULL;
    unsigned long long address = access->address;
    uint32_t bytes = access->bytes * access->count;
    if (location && location->dynamic)
        run_report(run, access->lane, REPORT_SHARED_OOB,
                   "%u bytes at offset %llu of '%s', for which the launch asks for %u bytes of "
                   "dynamic shared memory",
                   bytes, address - before->base, location->name, before->bytes);
    else
        run_report(run, access->lane, shared ? REPORT_SHARED_OOB : REPORT_GLOBAL_OOB,
                   "%u bytes at address 0x%llx lie outside every object%s", bytes, address,
                   missed_object(run, before, address));
}

/* Reports an access that its region does not permit, so that it is not made. */
static bool check_region(struct run *run, const struct memory_access *access)
{
    enum space space = access->micro->inst->space;
    const struct region *region = access->region;
    const struct lane_place *lane = &run->machine->lanes[access->lane];
    unsigned long long address = access->address;
    bool shared = space == SPACE_SHARED || space == SPACE_SHARED_CLUSTER;
    if (!region || (space != SPACE_GENERIC && shared != (region->cta != NONE))) {
        report_outside(run, access, shared);
        return false;
    }
    if (region->cta != NONE && run->machine->ctas[region->cta].cluster != lane->cluster) {
        run_report(run, access->lane, REPORT_SHARED_OOB,
                   "address 0x%llx is shared memory of another cluster", address);
        return false;
    }
    if (region->cta != NONE && region->cta != lane->cta && !run->machine->ctas[region->cta].open &&
        run_cta_exited(run, region->cta)) {
        run_report(run, access->lane, REPORT_DSMEM_AFTER_EXIT, "CTA %u has exited",
                   place_linear_cta(run->machine, region->cta));
        return false;
    }
    if (run->machine->test->locations[region->location].replica_count) {
        run_report(run, access->lane, REPORT_BAD_MULTIMEM, "%s at a multi-device address",
                   run_micro_name(run, access->micro));
        return false;
    }
    if (access->writes && region->space == SPACE_CONST &&
        !machine_is_engine(run->machine, access->lane)) {
        run_report(run, access->lane, REPORT_WRITE_TO_CONST, "a store to constant memory");
        return false;
    }
    return taken_check(run, access->lane, region, access->address, access->bytes * access->count);
}

/* The same for the lane's own local memory, which has no region. */
static bool check_local(struct run *run, const struct memory_access *access)
{
    uint32_t bytes = run_program(run, access->lane)->local_bytes;
    uint64_t offset = access->address - LOCAL_FIRST;
    if (access->reads && access->writes) {
        run_report(run, access->lane, REPORT_ATOMIC_BAD_ADDRESS, "an atomic on local memory");
        return false;
    }
    if (offset < bytes && access->bytes * access->count <= bytes - offset)
        return true;
    run_report(run, access->lane, REPORT_GLOBAL_OOB, "address 0x%llx lies outside local memory",
               (unsigned long long)access->address);
    return false;
}

/* Values to store come first, then the operands of an atomic operation. */
static void fetch_sources(struct run *run, struct memory_access *access)
{
    const struct micro *micro = access->micro;
    uint32_t words = access->count * (access->bytes == 16 ? 2 : 1);
    bool poison = false;
    for (uint32_t i = 0; i < words && i < micro->src_count; i++) {
        access->value[i] = run_value(run, access->lane, micro->src[i]);
        poison = poison || run_poisoned(run, access->lane, micro->src[i]);
    }
    for (uint32_t i = 0; words + i < micro->src_count; i++)
        access->operand[i] = run_value(run, access->lane, micro->src[words + i]);
    if (poison)
        run_report(run, access->lane, REPORT_POISON_USED, "an undefined value is stored");
}

/* Local memory is the lane's own: no order of it can be seen, so it bypasses the memory. */
static void use_local(struct run *run, struct memory_access *access)
{
    uint8_t *at =
        state_local(run->machine, run->state, access->lane) + (access->address - LOCAL_FIRST);
    uint32_t words = access->bytes == 16 ? 2 : 1, bytes = access->bytes / words;
    for (uint32_t i = 0; i < access->count * words; i++) {
        if (access->writes)
            memcpy(at + i * bytes, &access->value[i], bytes);
        else
            memcpy(&access->value[i], at + i * bytes, bytes);
    }
}

/* An access that cannot be made and was reported. True: the lane goes on with what it would have
 * read. */
static bool is_dropped(const struct run *run, struct memory_access *access)
{
    if (!run->machine->options.keep_going)
        return false;
    access->region = NULL;
    for (uint32_t i = 0; i < ACCESS_ELEMENTS; i++)
        access->value[i] = run->machine->options.outside;
    return true;
}

bool lane_access(struct run *run, uint32_t lane, struct memory_access *access)
{
    return lane_access_at(run, lane, run_address(run, lane, run_micro(run, lane)), access);
}

bool lane_access_at(struct run *run, uint32_t lane, uint64_t address, struct memory_access *access)
{
    const struct micro *micro = run_micro(run, lane);
    *access = (struct memory_access){.lane = lane,
                                     .micro = micro,
                                     .address = address,
                                     .bytes = micro->bytes,
                                     .count = micro_elements(micro),
                                     .reads = micro->kind != MICRO_STORE,
                                     .writes = micro->kind != MICRO_LOAD};
    if (run_poisoned(run, lane, micro->base))
        run_report(run, lane, REPORT_POISON_USED, "the address of %s is undefined",
                   run_micro_name(run, micro));
    if (micro->flags & MICRO_HARDWARE)
        run_report(run, lane, REPORT_WARPID_USED_AS_INDEX,
                   "the address depends on %%warpid or its like");
    fetch_sources(run, access);
    bool atomic = access->reads && access->writes;
    if (access->address % (access->bytes * (atomic ? 1 : access->count))) {
        run_report(run, lane, atomic ? REPORT_ATOMIC_BAD_ADDRESS : REPORT_MISALIGNED,
                   "address 0x%llx of an access of %u bytes", (unsigned long long)access->address,
                   access->bytes * access->count);
        return is_dropped(run, access);
    }
    if (access->address >= LOCAL_FIRST) {
        if (!check_local(run, access))
            return is_dropped(run, access);
        use_local(run, access);
        return true;
    }
    access->region = region_find(run->machine, access->address, access->bytes * access->count);
    if (!check_region(run, access))
        return is_dropped(run, access);
    access->memory = region_memory(access->region, access->address);
    return true;
}

void lane_finish(struct run *run, uint32_t lane, const struct memory_access *access)
{
    const struct micro *micro = access->micro;
    for (uint32_t i = 0; i < micro->dst_count; i++)
        run_write(run, lane, micro->dst[i], alu_low_bytes(access->value[i], access->bytes),
                  access->poison);
    run_advance(run, lane);
}
