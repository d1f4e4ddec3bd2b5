/* SPDX-License-Identifier: MIT */
#include "model/machine/program/decode.h"

/* Decodes branches, calls and ends. Targets are instruction indexes until all micros are known. */

static uint32_t target_of(const struct decoder *d, const struct operand *label)
{
    return d->function->first_inst + label->target;
}

/* The dialect's "beq a, b, label". Under a guard the branch needs both. */
static void decode_compare_branch(struct decoder *d)
{
    const struct inst *inst = d->inst;
    slot a = decode_source(d, &inst->operands[0]), b = decode_source(d, &inst->operands[1]);
    slot taken = decode_temporary(d), compared = decode_temporary(d);
    decode_operation(d, OP_MOV, TYPE_PRED, taken, decode_value(d, 0))->guard = SLOT_NONE;
    decode_alu(d, alu_find(inst), compared, a, b);
    decode_operation(d, OP_AND, TYPE_PRED, taken, compared, compared);
    struct micro *branch = decode_emit(d, MICRO_BRANCH);
    branch->target = target_of(d, &inst->operands[2]);
    branch->guard = taken;
    branch->guard_negated = false;
}

static void decode_index_branch(struct decoder *d)
{
    const struct operand *list = &d->inst->operands[1];
    struct micro micro = decode_micro(d, MICRO_BRANCH_INDEX);
    micro.src[micro.src_count++] = decode_source(d, &d->inst->operands[0]);
    micro.target_count = d->inst->operand_count - 1;
    if (list->kind == OPERAND_VECTOR) {
        micro.target_count = list->part_count;
        list = list->parts;
    }
    uint32_t *targets = ARENA_ARRAY(d->arena, uint32_t, micro.target_count);
    for (uint32_t i = 0; i < micro.target_count; i++)
        targets[i] = target_of(d, &list[i]);
    micro.targets = targets;
    decode_push(d, &micro);
}

void decode_control(struct decoder *d)
{
    switch (d->inst->op) {
    case OP_BRA:
        decode_emit(d, MICRO_BRANCH)->target = target_of(d, &d->inst->operands[0]);
        return;
    case OP_BRANCH_COMPARE:
        decode_compare_branch(d);
        return;
    case OP_BRX:
        decode_index_branch(d);
        return;
    case OP_CALL:
        decode_call(d);
        return;
    case OP_RET:
        decode_return(d);
        return;
    default:
        decode_emit(d, d->inst->op == OP_TRAP ? MICRO_TRAP : MICRO_EXIT);
    }
}
