/* SPDX-License-Identifier: MIT */
#include "model/machine/memory/weak/access.h"
#include "model/machine/core/pieces.h"
#include "model/machine/core/region.h"

/* An asynchronous copy is a read and a write of its lane, an element of the destination at a time;
 * a bulk copy's go through the async proxy, and its end is a proxy fence (ptx-model.md 7). */
static struct scalar copy_op(const struct weak_memory *weak, uint32_t lane,
                             const struct region *region, uint64_t address, uint32_t bytes,
                             const struct inst *inst)
{
    uint32_t proxy = inst->proxy == PROXY_ASYNC ? PROXY_ASYNC : PROXY_GENERIC;
    return (struct scalar){.lane = lane,
                           .memory = region_memory(region, address),
                           .bytes = bytes,
                           .address = weak_address(weak, region, address),
                           .proxy = (uint8_t)proxy,
                           .scope = SCOPE_GPU,
                           .pair = weak_pair(weak, proxy, weak->machine->lanes[lane].cta),
                           .strong = inst->atom_op != ATOM_NONE};
}

/* Beyond the bytes to read it fills. 'inst': of a reduction its type is that of an element. */
static bool copy_element(struct run *run, uint32_t lane, const struct stretch *piece,
                         uint32_t offset, uint32_t bytes, const struct inst *inst)
{
    struct weak_memory *weak = weak_in(run);
    uint64_t fill = alu_low_bytes(piece->fill >> offset % 8 * 8, bytes);
    uint64_t value[2] = {fill, bytes > 8 ? piece->fill : 0};
    if (offset < piece->read_bytes) {
        const struct region *from = region_find(run->machine, piece->from + offset, bytes);
        struct scalar read = copy_op(weak, lane, from, piece->from + offset, bytes, inst);
        read.strong = false;
        if (!weak_load(weak, &read, value, NULL))
            return false;
    }
    const struct region *to = region_find(run->machine, piece->to + offset, bytes);
    struct scalar write = copy_op(weak, lane, to, piece->to + offset, bytes, inst);
    struct atomic atomic = weak_atomic_of(inst, value[0], value[1]);
    return inst->atom_op ? weak_atomic(weak, &write, &atomic, value)
                         : weak_store(weak, &write, value);
}

static uint32_t element_bytes(const struct run *run, const struct stretch *piece,
                              const struct inst *inst)
{
    const struct region *to = region_find(run->machine, piece->to, piece->bytes);
    uint32_t element = inst->atom_op ? type_bytes(inst->type)
                                     : run->machine->test->locations[to->location].element_bytes;
    if (element && piece->bytes % element == 0 && piece->read_bytes % element == 0)
        return element;
    return piece->bytes % 4 || piece->read_bytes % 4 ? 1 : 4;
}

void weak_copy(struct run *run, uint32_t lane, const struct copy *copy)
{
    struct weak_memory *weak = weak_in(run);
    const struct lane_place *place = &run->machine->lanes[lane];
    struct inst inst = *run->machine->programs[place->program]->micros[copy->micro].inst;
    struct pieces pieces = pieces_of(run, copy);
    struct stretch piece;
    bool worked = true;
    inst.type = pieces_type(run, copy, &inst);
    while (worked && pieces_next(&pieces, &piece)) {
        uint32_t element = element_bytes(run, &piece, &inst);
        for (uint32_t i = 0; worked && i < piece.bytes; i += element)
            worked = copy_element(run, lane, &piece, i, element, &inst);
    }
    weak_proxy_fence(weak, weak->state->lanes[lane].view, PROXY_ASYNC, place->cta, SPACE_GENERIC);
    weak_done(weak, worked);
}
