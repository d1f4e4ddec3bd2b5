/* SPDX-License-Identifier: MIT */
#include "model/machine/program/decode.h"

#include "litmus/base/table.h"

/* Decodes what is one micro with the operands that its signature in isa.def lists: targets into
 * dst, values into src in the order written, addresses into base and base2. */

static const uint8_t kind_of_op[OP_COUNT] = {
    [OP_LD] = MICRO_LOAD,
    [OP_ST] = MICRO_STORE,
    [OP_ATOM] = MICRO_ATOM,
    [OP_RED] = MICRO_RED,
    [OP_MAPA] = MICRO_MAPA,
    [OP_GETCTARANK] = MICRO_CTA_RANK,
    [OP_TRY_CANCEL] = MICRO_CANCEL,
    [OP_ISSPACEP] = MICRO_ISSPACEP,
    [OP_ACTIVEMASK] = MICRO_ACTIVEMASK,
    [OP_CLUSTER_ARRIVE] = MICRO_CLUSTER_ARRIVE,
    [OP_CLUSTER_WAIT] = MICRO_CLUSTER_WAIT,
    [OP_GRID_SYNC] = MICRO_GRID_SYNC,
    [OP_GRIDDEP_LAUNCH] = MICRO_GRIDDEP,
    [OP_GRIDDEP_WAIT] = MICRO_GRIDDEP,
    [OP_CP_ASYNC] = MICRO_COPY,
    [OP_ST_ASYNC] = MICRO_ASYNC_STORE,
    [OP_RED_ASYNC] = MICRO_ASYNC_STORE,
    [OP_CP_ASYNC_BULK] = MICRO_COPY,
    [OP_CP_REDUCE_ASYNC_BULK] = MICRO_COPY,
    [OP_CP_ASYNC_BULK_TENSOR] = MICRO_COPY,
    [OP_CP_REDUCE_ASYNC_BULK_TENSOR] = MICRO_COPY,
    [OP_ST_BULK] = MICRO_FILL,
    [OP_MULTIMEM_LD_REDUCE] = MICRO_MULTIMEM,
    [OP_MULTIMEM_ST] = MICRO_MULTIMEM,
    [OP_MULTIMEM_RED] = MICRO_MULTIMEM,
    [OP_CP_ASYNC_COMMIT] = MICRO_COPY_COMMIT,
    [OP_CP_ASYNC_BULK_COMMIT] = MICRO_COPY_COMMIT,
    [OP_CP_ASYNC_WAIT_GROUP] = MICRO_COPY_WAIT,
    [OP_CP_ASYNC_WAIT_ALL] = MICRO_COPY_WAIT,
    [OP_CP_ASYNC_BULK_WAIT] = MICRO_COPY_WAIT,
    [OP_CP_ASYNC_MBARRIER_ARRIVE] = MICRO_COPY_ARRIVE,
};
static const uint8_t kind_of_group[GROUP_COUNT] = {
    [GROUP_COLLECTIVE] = MICRO_COLLECTIVE,
    [GROUP_MBARRIER] = MICRO_MBARRIER,
    [GROUP_HOST] = MICRO_HOST_CALL,
};

/* Adds the slots of an operand, or of each element of a vector or pair. A 128-bit register or
 * constant is two. */
static void add_elements(struct decoder *d, const struct operand *operand, slot *slots,
                         uint8_t *count, bool target)
{
    bool many = operand->kind == OPERAND_VECTOR || operand->kind == OPERAND_PAIR;
    uint32_t parts = many ? operand->part_count : 1, words = d->inst->type == TYPE_B128 ? 2 : 1;
    if (*count + parts * words > MICRO_SLOTS) {
        decode_error(d, operand->span, "a vector of %u elements is not known to the executor",
                     parts);
        return;
    }
    for (uint32_t i = 0; i < parts; i++) {
        const struct operand *part = many ? &operand->parts[i] : operand;
        slot low = target ? decode_target(d, part) : decode_source(d, part);
        slots[(*count)++] = low;
        if (words == 2)
            slots[(*count)++] = low == SLOT_NONE            ? SLOT_NONE
                                : part->kind == OPERAND_REG ? low + 1
                                                            : decode_value(d, 0);
    }
}

/* A third address is a value: base + offset in a slot of its own. */
static void add_address(struct decoder *d, const struct operand *operand, struct micro *micro)
{
    slot base;
    int64_t offset;
    decode_address(d, operand, &base, &offset);
    if (micro->base == SLOT_NONE) {
        micro->base = base;
        micro->offset = offset;
        micro->bytes = type_bytes(d->inst->type);
    } else if (micro->base2 == SLOT_NONE) {
        micro->base2 = base;
        micro->offset2 = offset;
    } else {
        slot sum = micro->src[micro->src_count++] = decode_temporary(d);
        decode_operation(d, OP_ADD, TYPE_U64, sum, base, decode_value(d, (uint64_t)offset));
    }
}

static void extend_elements(struct decoder *d, const struct operand *to)
{
    for (uint32_t i = 0; to->kind == OPERAND_VECTOR && i < to->part_count; i++)
        decode_extend(d, &to->parts[i]);
    decode_extend(d, to);
}

/* Parameters are constants of a launch. */
static void decode_load_param(struct decoder *d)
{
    slot targets[MICRO_SLOTS];
    uint8_t count = 0;
    uint32_t bytes = type_bytes(d->inst->type);
    add_elements(d, &d->inst->operands[0], targets, &count, true);
    if (bytes > 8) {
        decode_error(d, d->inst->span, "a 128-bit parameter is not known to the executor");
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        if (targets[i] != SLOT_NONE)
            decode_operation(d, OP_MOV, TYPE_B64, targets[i],
                             decode_param(d, &d->inst->operands[1], bytes, i * bytes));
    extend_elements(d, &d->inst->operands[0]);
}

void decode_signature(struct decoder *d)
{
    const struct inst *inst = d->inst;
    uint8_t kind =
        kind_of_op[inst->op] ? kind_of_op[inst->op] : TABLE_AT(kind_of_group, op_group(inst->op));
    struct micro micro = decode_micro(d, kind);
    if (kind == MICRO_LOAD && inst->operands[1].kind == OPERAND_PARAM) {
        decode_load_param(d);
        return;
    }
    if (kind == MICRO_GRID_SYNC && !d->test->host)
        decode_error(d, inst->span, "'%s' is not known to the executor", op_mnemonic(inst->op));
    for (uint32_t i = 0; i < inst->operand_count; i++) {
        char letter = op_operand(inst->op, i);
        if (letter == 'm')
            add_address(d, &inst->operands[i], &micro);
        else if (letter == 'd' || letter == 'D')
            add_elements(d, &inst->operands[i], micro.dst, &micro.dst_count, true);
        else
            add_elements(d, &inst->operands[i], micro.src, &micro.src_count, false);
    }
    decode_push(d, &micro);
    if (op_operand(inst->op, 0) == 'D')
        extend_elements(d, &inst->operands[0]);
}

/* The answer to a try_cancel: a 128-bit register. */
static void decode_answer(struct decoder *d)
{
    const struct inst *inst = d->inst;
    struct micro micro = decode_micro(d, MICRO_CANCELED);
    add_elements(d, &inst->operands[0], micro.dst, &micro.dst_count, true);
    micro.src[0] = decode_source(d, &inst->operands[1]);
    micro.src[1] = inst->operands[1].kind == OPERAND_REG ? micro.src[0] + 1 : decode_value(d, 0);
    micro.src_count = 2;
    decode_push(d, &micro);
}

void decode_grid(struct decoder *d)
{
    bool asks = op_row(d->inst->op)->source_types;
    (asks ? decode_answer : decode_signature)(d);
}

/* src[0] id; src[1] the thread count or SLOT_NONE; src[2] the predicate of red. */
void decode_cta_barrier(struct decoder *d)
{
    const struct inst *inst = d->inst;
    bool red = inst->op == OP_BAR_RED;
    uint32_t first = red, count = red ? 3 : 1;
    struct micro micro = decode_micro(d, MICRO_BARRIER);
    micro.src[0] = decode_source(d, &inst->operands[first]);
    if (inst->operand_count > count)
        micro.src[1] = decode_source(d, &inst->operands[count]);
    if (red) {
        micro.src[2] = decode_source(d, &inst->operands[2]);
        micro.dst[0] = decode_target(d, &inst->operands[0]);
    }
    micro.src_count = 3;
    micro.dst_count = red;
    decode_push(d, &micro);
}

/* The range of a fence and the time of a pause mean nothing to the executor. */
void decode_fence(struct decoder *d)
{
    decode_emit(d, MICRO_FENCE);
}

void decode_pause(struct decoder *d)
{
    bool makes = op_writes(d->inst->op); /* a cache policy, which nobody looks at */
    if (makes)
        decode_operation(d, OP_MOV, TYPE_B64, decode_target(d, &d->inst->operands[0]),
                         decode_value(d, 0));
    if (d->inst->op == OP_NANOSLEEP)
        decode_emit(d, MICRO_NANOSLEEP);
}
