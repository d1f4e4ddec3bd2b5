/* SPDX-License-Identifier: MIT */
#include "model/machine/step/multimem.h"

#include "model/machine/core/region.h"
#include "model/machine/step/lane.h"

/* Sums of halves that are rounded at the end, of the two in a register: 'begins' with those of the access. */
static void add_widely(enum type type, const struct memory_access *access, bool begins,
                       float sums[][2])
{
    bool half = type == TYPE_F16 || type == TYPE_F16X2;
    for (uint32_t k = 0; k < access->count; k++)
        for (uint32_t part = 0; part < type_bytes(type) / 2; part++) {
            double number = alu_element_number(half ? ELEMENT_F16 : ELEMENT_BF16,
                                               access->value[k] >> 16 * part);
            sums[k][part] = (float)((begins ? 0 : sums[k][part]) + number);
        }
}

static void round_sums(enum type type, float sums[][2], struct memory_access *access)
{
    bool half = type == TYPE_F16 || type == TYPE_F16X2;
    for (uint32_t k = 0; k < access->count; k++) {
        access->value[k] = 0;
        for (uint32_t part = 0; part < type_bytes(type) / 2; part++)
            access->value[k] |=
                alu_element_of(half ? ELEMENT_F16 : ELEMENT_BF16, sums[k][part], false)
                << 16 * part;
    }
}

bool multimem_execute(struct run *run, uint32_t lane)
{
    const struct micro *micro = run_micro(run, lane);
    const struct inst *inst = micro->inst;
    struct memory_access access, sum;
    float sums[8][2];
    uint64_t address = run_address(run, lane, micro);
    const struct region *region = region_find(run->machine, address, 1);
    const struct location *location =
        region ? &run->machine->test->locations[region->location] : NULL;
    if (!location || !location->replica_count) {
        run_report(run, lane, REPORT_BAD_MULTIMEM, "address 0x%llx is no multi-device address",
                   (unsigned long long)address);
        run_advance(run, lane);
        return true;
    }
    for (uint32_t i = 0; i < location->replica_count; i++) {
        uint64_t there = region_address(run->machine, lane, location->replicas[i]);
        if (!lane_access_at(run, lane, there + (address - region->base), &access))
            return true;
        access.reads = inst->op != OP_MULTIMEM_ST;
        access.writes = inst->op != OP_MULTIMEM_LD_REDUCE;
        if (access.region)
            run->memory->ops->access(run, &access);
        if (inst->wide_sum)
            add_widely(inst->type, &access, i == 0, sums);
        for (uint32_t k = 0; i && inst->op == OP_MULTIMEM_LD_REDUCE && k < access.count; k++) {
            bool writes;
            access.value[k] =
                alu_atomic(inst->atom_op, inst->type, sum.value[k], access.value[k], 0, &writes);
        }
        sum = access;
    }
    if (inst->wide_sum)
        round_sums(inst->type, sums, &sum);
    lane_finish(run, lane, &sum);
    return true;
}
