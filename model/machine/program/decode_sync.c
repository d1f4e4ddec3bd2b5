/* SPDX-License-Identifier: MIT */
#include "model/machine/program/decode.h"

/* Decodes collectives, barriers, branches and exits. */

/* What writes its first operand and reads nothing that the decoder has to find. */
static void emit_result(struct decoder *d, enum micro_kind kind)
{
    slot target = decode_target(d, &d->inst->operands[0]);
    struct micro *micro = decode_emit(d, kind);
    micro->dst[micro->dst_count++] = target;
}

/* Destinations d or d|p, then the values, the member mask last. */
void decode_collective(struct decoder *d)
{
    const struct inst *inst = d->inst;
    if (inst->op == OP_ACTIVEMASK) {
        emit_result(d, MICRO_ACTIVEMASK);
        return;
    }
    uint32_t first = op_writes(inst->op);
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
        decode_push_source(micro, sources[i]);
}

/* src[0] id; src[1] the thread count or SLOT_NONE; src[2] the predicate of red. */
void decode_cta_barrier(struct decoder *d)
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
    decode_push_source(micro, id);
    decode_push_source(micro, threads);
    decode_push_source(micro, predicate);
    micro->dst[0] = target;
    micro->dst_count = red;
    d->program->uses_cta_barrier = true;
}

void decode_mbarrier(struct decoder *d)
{
    const struct inst *inst = d->inst;
    uint32_t at = op_writes(inst->op);
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
        decode_push_source(micro, value);
}

void decode_cluster_barrier(struct decoder *d)
{
    bool arrives = d->inst->op == OP_CLUSTER_ARRIVE;
    decode_emit(d, arrives ? MICRO_CLUSTER_ARRIVE : MICRO_CLUSTER_WAIT);
    d->program->uses_cluster_barrier = true;
}

void decode_grid(struct decoder *d)
{
    if (d->inst->op != OP_GRID_SYNC)
        decode_emit(d, MICRO_GRIDDEP);
    else if (d->test->host)
        decode_emit(d, MICRO_GRID_SYNC);
    else
        decode_error(d, d->inst->span, "'%s' is not known to the executor",
                     op_mnemonic(d->inst->op));
}

void decode_host_call(struct decoder *d)
{
    emit_result(d, MICRO_HOST_CALL);
}

/* The dialect's "beq a, b, label". Under a guard the branch needs both. */
static void decode_compare_branch(struct decoder *d)
{
    const struct inst *inst = d->inst;
    slot a = decode_source(d, &inst->operands[0]), b = decode_source(d, &inst->operands[1]);
    slot taken = decode_temporary(d), compared = decode_temporary(d);
    struct micro *clear =
        decode_alu(d, decode_operation(OP_MOV, TYPE_PRED), taken, decode_value(d, 0));
    clear->guard = SLOT_NONE;
    decode_alu(d, alu_find(inst), compared, a, b);
    decode_alu(d, decode_operation(OP_AND, TYPE_PRED), taken, compared, compared);
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
    decode_push_source(micro, index);
    micro->targets = targets;
    micro->target_count = count;
}

void decode_address_space(struct decoder *d)
{
    bool mapa = d->inst->op == OP_MAPA;
    slot a = decode_source(d, &d->inst->operands[1]);
    slot rank = mapa ? decode_source(d, &d->inst->operands[2]) : SLOT_NONE;
    slot target = decode_target(d, &d->inst->operands[0]);
    struct micro *micro = decode_emit(d, mapa ? MICRO_MAPA : MICRO_ISSPACEP);
    decode_push_source(micro, a);
    if (mapa)
        decode_push_source(micro, rank);
    micro->dst[micro->dst_count++] = target;
}

void decode_pause(struct decoder *d)
{
    if (d->inst->op == OP_NANOSLEEP)
        decode_emit(d, MICRO_NANOSLEEP);
}

/* Targets are instruction indexes until all micros are known. */
void decode_control(struct decoder *d)
{
    if (d->inst->op == OP_BRA)
        decode_emit(d, MICRO_BRANCH)->target =
            d->function->first_inst + d->inst->operands[0].target;
    else if (d->inst->op == OP_BRANCH_COMPARE)
        decode_compare_branch(d);
    else if (d->inst->op == OP_BRX)
        decode_index_branch(d);
    else if (d->inst->op == OP_CALL)
        decode_call(d);
    else if (d->inst->op == OP_RET)
        decode_return(d);
    else
        decode_emit(d, d->inst->op == OP_TRAP ? MICRO_TRAP : MICRO_EXIT);
}
