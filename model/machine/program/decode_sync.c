/* SPDX-License-Identifier: MIT */
#include "model/machine/program/decode.h"

/* Collectives, barriers and control. */

static void push_source(struct micro *micro, slot from)
{
    micro->src[micro->src_count++] = from;
}

/* Destinations d or d|p, then the values, the member mask last. */
static void decode_collective(struct decoder *d)
{
    const struct inst *inst = d->inst;
    uint32_t first = inst->op == OP_BAR_WARP_SYNC ? 0 : 1;
    slot sources[MAX_OPERANDS], targets[2] = {SLOT_NONE, SLOT_NONE};
    for (uint32_t i = first; i < inst->operand_count; i++)
        sources[i] = decode_source(d, &inst->operands[i]);
    if (first && inst->operands[0].kind == OPERAND_PAIR) {
        targets[0] = decode_target(d, &inst->operands[0].parts[0]);
        targets[1] = decode_target(d, &inst->operands[0].parts[1]);
    } else if (first) {
        targets[0] = decode_target(d, &inst->operands[0]);
    }
    struct micro *micro = decode_emit(d, MICRO_COLLECTIVE);
    micro->dst[0] = targets[0];
    micro->dst[1] = targets[1];
    micro->dst_count = 2 * first;
    for (uint32_t i = first; i < inst->operand_count; i++)
        push_source(micro, sources[i]);
}

/* src[0] id; src[1] the thread count or SLOT_NONE; src[2] the predicate of red. */
static void decode_barrier(struct decoder *d)
{
    const struct inst *inst = d->inst;
    bool red = inst->op == OP_BAR_RED;
    uint32_t first = red, count = red ? 3 : 1;
    slot id = decode_source(d, &inst->operands[first]);
    slot threads =
        inst->operand_count > count ? decode_source(d, &inst->operands[count]) : SLOT_NONE;
    slot predicate = red ? decode_source(d, &inst->operands[2]) : SLOT_NONE;
    slot target = red ? decode_target(d, &inst->operands[0]) : SLOT_NONE;
    struct micro *micro = decode_emit(d, MICRO_BARRIER);
    push_source(micro, id);
    push_source(micro, threads);
    push_source(micro, predicate);
    micro->dst[0] = target;
    micro->dst_count = red;
    d->program->uses_cta_barrier = true;
}

static bool mbarrier_writes(enum op op)
{
    return op == OP_MBARRIER_ARRIVE || op == OP_MBARRIER_ARRIVE_DROP ||
           op == OP_MBARRIER_TEST_WAIT || op == OP_MBARRIER_TRY_WAIT;
}

static void decode_mbarrier(struct decoder *d)
{
    const struct inst *inst = d->inst;
    uint32_t at = mbarrier_writes(inst->op) ? 1 : 0;
    slot base, value = SLOT_NONE, target = SLOT_NONE;
    int64_t offset;
    decode_address(d, &inst->operands[at], &base, &offset);
    if (inst->operand_count > at + 1)
        value = decode_source(d, &inst->operands[at + 1]);
    if (at)
        target = decode_target(d, &inst->operands[0]);
    struct micro *micro = decode_emit(d, MICRO_MBARRIER);
    micro->base = base;
    micro->offset = offset;
    micro->bytes = 8;
    micro->dst[0] = target;
    micro->dst_count = (uint8_t)at;
    if (value != SLOT_NONE)
        push_source(micro, value);
}

bool decode_synchronization(struct decoder *d)
{
    enum op op = d->inst->op;
    if (op == OP_ACTIVEMASK) {
        slot target = decode_target(d, &d->inst->operands[0]);
        struct micro *micro = decode_emit(d, MICRO_ACTIVEMASK);
        micro->dst[micro->dst_count++] = target;
    } else if (op_is_collective(op)) {
        decode_collective(d);
    } else if (op == OP_BAR_SYNC || op == OP_BAR_ARRIVE || op == OP_BAR_RED) {
        decode_barrier(d);
    } else if (op == OP_CLUSTER_ARRIVE || op == OP_CLUSTER_WAIT) {
        decode_emit(d, op == OP_CLUSTER_ARRIVE ? MICRO_CLUSTER_ARRIVE : MICRO_CLUSTER_WAIT);
        d->program->uses_cluster_barrier = true;
    } else if (op_is_mbarrier(op)) {
        decode_mbarrier(d);
    } else if (op == OP_GRIDDEP_LAUNCH || op == OP_GRIDDEP_WAIT) {
        decode_emit(d, MICRO_GRIDDEP);
    } else if (op == OP_GRID_SYNC && d->test->host) {
        decode_emit(d, MICRO_GRID_SYNC);
    } else if (op == OP_HOST_CALL) {
        slot target = decode_target(d, &d->inst->operands[0]);
        struct micro *micro = decode_emit(d, MICRO_HOST_CALL);
        micro->dst[micro->dst_count++] = target;
    } else {
        return false;
    }
    return true;
}

/* Targets are instruction indexes until all micros are known. */
static void decode_branch(struct decoder *d, const struct operand *label)
{
    decode_emit(d, MICRO_BRANCH)->target = d->function->first_inst + label->target;
}

/* The dialect's "beq a, b, label". Under a guard the branch needs both. */
static void decode_compare_branch(struct decoder *d)
{
    const struct inst *inst = d->inst;
    const struct inst both = {.op = OP_AND, .type = TYPE_PRED};
    const struct inst move = {.op = OP_MOV, .type = TYPE_PRED};
    slot a = decode_source(d, &inst->operands[0]), b = decode_source(d, &inst->operands[1]);
    slot taken = decode_temporary(d), compared = decode_temporary(d);
    struct micro *clear =
        decode_alu(d, alu_find(&move), taken, decode_value(d, 0), SLOT_NONE, SLOT_NONE, SLOT_NONE);
    clear->guard = SLOT_NONE;
    decode_alu(d, alu_find(inst), compared, a, b, SLOT_NONE, SLOT_NONE);
    decode_alu(d, alu_find(&both), taken, compared, compared, SLOT_NONE, SLOT_NONE);
    struct micro *branch = decode_emit(d, MICRO_BRANCH);
    branch->target = d->function->first_inst + inst->operands[2].target;
    branch->guard = taken;
    branch->guard_negated = false;
}

static void decode_index_branch(struct decoder *d)
{
    const struct inst *inst = d->inst;
    slot index = decode_source(d, &inst->operands[0]);
    const struct operand *list = &inst->operands[1];
    uint32_t count = list->kind == OPERAND_VECTOR ? list->part_count : inst->operand_count - 1;
    uint32_t *targets = ARENA_ARRAY(d->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++)
        targets[i] = d->function->first_inst +
                     (list->kind == OPERAND_VECTOR ? list->parts[i].target : list[i].target);
    struct micro *micro = decode_emit(d, MICRO_BRANCH_INDEX);
    push_source(micro, index);
    micro->targets = targets;
    micro->target_count = count;
}

bool decode_control(struct decoder *d)
{
    switch (d->inst->op) {
    case OP_BRA:
        decode_branch(d, &d->inst->operands[0]);
        return true;
    case OP_BRANCH_COMPARE:
        decode_compare_branch(d);
        return true;
    case OP_BRX:
        decode_index_branch(d);
        return true;
    case OP_CALL:
        decode_call(d);
        return true;
    case OP_RET:
        decode_return(d);
        return true;
    case OP_EXIT:
        decode_emit(d, MICRO_EXIT);
        return true;
    case OP_TRAP:
        decode_emit(d, MICRO_TRAP);
        return true;
    case OP_NANOSLEEP:
        decode_emit(d, MICRO_NANOSLEEP);
        return true;
    case OP_MAPA:
    case OP_ISSPACEP: {
        bool mapa = d->inst->op == OP_MAPA;
        slot a = decode_source(d, &d->inst->operands[1]);
        slot rank = mapa ? decode_source(d, &d->inst->operands[2]) : SLOT_NONE;
        slot target = decode_target(d, &d->inst->operands[0]);
        struct micro *micro = decode_emit(d, mapa ? MICRO_MAPA : MICRO_ISSPACEP);
        push_source(micro, a);
        if (mapa)
            push_source(micro, rank);
        micro->dst[micro->dst_count++] = target;
        return true;
    }
    case OP_CVTA: {
        /* one address space: shared, local and generic addresses are the same numbers */
        const struct inst move = {.op = OP_MOV, .type = d->inst->type};
        slot a = decode_source(d, &d->inst->operands[1]);
        decode_alu(d, alu_find(&move), decode_target(d, &d->inst->operands[0]), a, SLOT_NONE,
                   SLOT_NONE, SLOT_NONE);
        return true;
    }
    default:
        return false;
    }
}
