/* SPDX-License-Identifier: MIT */
#include "model/machine/memory/weak/access.h"
#include "model/machine/core/region.h"

/* An asynchronous copy is a read and a write of its lane, an element of the destination at a time;
 * a bulk copy's go through the async proxy, and its end is a proxy fence (ptx-model.md 7). */
static struct scalar copy_op(const struct weak_memory *weak, uint32_t lane,
                             const struct region *region, uint64_t address, uint32_t bytes,
                             const struct inst *inst)
{
    bool bulk = inst->op == OP_CP_ASYNC_BULK || inst->op == OP_CP_REDUCE_ASYNC_BULK;
    uint32_t proxy = bulk ? PROXY_ASYNC : PROXY_GENERIC;
    return (struct scalar){.lane = lane,
                           .memory = region_memory(region, address),
                           .bytes = bytes,
                           .address = weak_address(weak, region, address),
                           .proxy = (uint8_t)proxy,
                           .scope = SCOPE_GPU,
                           .pair = weak_pair(weak, proxy, weak->machine->lanes[lane].cta),
                           .strong = inst->op == OP_CP_REDUCE_ASYNC_BULK};
}

/* Beyond the bytes to read it writes zeros. */
static bool copy_element(struct run *run, uint32_t lane, const struct copy *copy, uint32_t offset,
                         uint32_t bytes, const struct micro *micro)
{
    struct weak_memory *weak = weak_in(run);
    uint64_t value[2] = {0};
    if (offset < copy->read_bytes) {
        const struct region *from = region_find(run->machine, copy->from + offset, bytes);
        struct scalar read = copy_op(weak, lane, from, copy->from + offset, bytes, micro->inst);
        read.strong = false;
        if (!weak_load(weak, &read, value, NULL))
            return false;
    }
    const struct region *to = region_find(run->machine, copy->to + offset, bytes);
    struct scalar write = copy_op(weak, lane, to, copy->to + offset, bytes, micro->inst);
    struct atomic atomic = weak_atomic_of(micro->inst, value[0], value[1]);
    return micro->inst->op == OP_CP_REDUCE_ASYNC_BULK ? weak_atomic(weak, &write, &atomic, value)
                                                      : weak_store(weak, &write, value);
}

void weak_copy(struct run *run, uint32_t lane, const struct copy *copy)
{
    struct weak_memory *weak = weak_in(run);
    const struct lane_place *place = &run->machine->lanes[lane];
    const struct micro *micro = &run->machine->programs[place->program]->micros[copy->micro];
    const struct region *to = region_find(run->machine, copy->to, copy->bytes);
    uint32_t element = run->machine->test->locations[to->location].element_bytes;
    bool worked = true;
    if (!element || copy->bytes % element)
        element = copy->bytes % 4 ? 1 : 4;
    for (uint32_t i = 0; worked && i < copy->bytes; i += element)
        worked = copy_element(run, lane, copy, i, element, micro);
    weak_proxy_fence(weak, weak->state->lanes[lane].view, PROXY_ASYNC, place->cta, SPACE_GENERIC);
    weak_done(weak, worked);
}
