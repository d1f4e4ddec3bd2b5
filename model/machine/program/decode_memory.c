/* SPDX-License-Identifier: MIT */
#include "model/machine/program/decode.h"

/* Decodes accesses, asynchronous copies and fences. */

static struct micro *emit_access(struct decoder *d, enum micro_kind kind, const struct operand *at)
{
    slot base;
    int64_t offset;
    decode_address(d, at, &base, &offset);
    struct micro *micro = decode_emit(d, kind);
    micro->base = base;
    micro->offset = offset;
    micro->bytes = type_bytes(d->inst->type);
    return micro;
}

static void set_slots(slot *to, uint8_t *count, const slot *from, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        to[(*count)++] = from[i];
}

static void extend_elements(struct decoder *d, const struct operand *to)
{
    if (to->kind != OPERAND_VECTOR) {
        decode_extend(d, to);
        return;
    }
    for (uint32_t i = 0; i < to->part_count; i++)
        decode_extend(d, &to->parts[i]);
}

/* Parameters are constants of a launch. */
static void decode_load_param(struct decoder *d)
{
    slot targets[MICRO_SLOTS];
    uint32_t count = decode_elements(d, &d->inst->operands[0], targets, true);
    uint32_t bytes = type_bytes(d->inst->type);
    if (bytes > 8) {
        decode_error(d, d->inst->span, "a 128-bit parameter is not known to the executor");
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        if (targets[i] != SLOT_NONE)
            decode_alu(d, decode_operation(OP_MOV, TYPE_B64), targets[i],
                       decode_param(d, &d->inst->operands[1], bytes, i * bytes));
    extend_elements(d, &d->inst->operands[0]);
}

static void decode_load(struct decoder *d)
{
    const struct inst *inst = d->inst;
    if (inst->operands[1].kind == OPERAND_PARAM) {
        decode_load_param(d);
        return;
    }
    slot targets[MICRO_SLOTS];
    uint32_t count = decode_elements(d, &inst->operands[0], targets, true);
    struct micro *micro = emit_access(d, MICRO_LOAD, &inst->operands[1]);
    set_slots(micro->dst, &micro->dst_count, targets, count);
    extend_elements(d, &inst->operands[0]);
}

static void decode_store(struct decoder *d, enum micro_kind kind)
{
    slot sources[MICRO_SLOTS];
    uint32_t count = decode_elements(d, &d->inst->operands[1], sources, false);
    struct micro *micro = emit_access(d, kind, &d->inst->operands[0]);
    set_slots(micro->src, &micro->src_count, sources, count);
}

static void decode_atom(struct decoder *d)
{
    const struct inst *inst = d->inst;
    slot targets[MICRO_SLOTS], values[MICRO_SLOTS], operands[MICRO_SLOTS];
    uint32_t writes = decode_elements(d, &inst->operands[0], targets, true);
    uint32_t count = decode_elements(d, &inst->operands[2], values, false), third = 0;
    if (inst->operand_count > 3)
        third = decode_elements(d, &inst->operands[3], operands, false);
    if (count + third > MICRO_SLOTS) {
        decode_error(d, inst->span, "this vector atomic is not known to the executor");
        return;
    }
    struct micro *micro = emit_access(d, MICRO_ATOM, &inst->operands[1]);
    set_slots(micro->dst, &micro->dst_count, targets, writes);
    set_slots(micro->src, &micro->src_count, values, count);
    set_slots(micro->src, &micro->src_count, operands, third);
    extend_elements(d, &inst->operands[0]);
}

/* base + offset in a slot of its own. */
static slot address_value(struct decoder *d, const struct operand *operand)
{
    slot base, sum = decode_temporary(d);
    int64_t offset;
    decode_address(d, operand, &base, &offset);
    decode_alu(d, decode_operation(OP_ADD, TYPE_U64), sum, base, decode_value(d, (uint64_t)offset));
    return sum;
}

/* src[0]: size; src[1]: of cp.async the bytes to read, of bulk copies the mbarrier's address. */
static void decode_copy(struct decoder *d)
{
    const struct inst *inst = d->inst;
    slot from;
    int64_t from_offset;
    decode_address(d, &inst->operands[1], &from, &from_offset);
    slot size = decode_source(d, &inst->operands[2]), extra = SLOT_NONE;
    if (inst->operand_count > 3)
        extra = inst->op == OP_CP_ASYNC ? decode_source(d, &inst->operands[3])
                                        : address_value(d, &inst->operands[3]);
    struct micro *micro = emit_access(d, MICRO_COPY, &inst->operands[0]);
    micro->base2 = from;
    micro->offset2 = from_offset;
    decode_push_source(micro, size);
    if (extra != SLOT_NONE)
        decode_push_source(micro, extra);
    d->program->copies++;
}

static void decode_copy_wait(struct decoder *d)
{
    slot pending =
        d->inst->operand_count ? decode_source(d, &d->inst->operands[0]) : decode_value(d, 0);
    struct micro *micro = decode_emit(d, MICRO_COPY_WAIT);
    decode_push_source(micro, pending);
}

void decode_access(struct decoder *d)
{
    if (d->inst->op == OP_LD)
        decode_load(d);
    else if (d->inst->op == OP_ATOM)
        decode_atom(d);
    else
        decode_store(d, d->inst->op == OP_RED ? MICRO_RED : MICRO_STORE);
}

void decode_fence(struct decoder *d)
{
    decode_emit(d, MICRO_FENCE);
}

void decode_copies(struct decoder *d)
{
    uint32_t role = op_row(d->inst->op)->role;
    if (role & ROLE_WRITES)
        decode_copy(d);
    else if (role & ROLE_WAITS)
        decode_copy_wait(d);
    else if (role & ROLE_ARRIVES)
        emit_access(d, MICRO_COPY_ARRIVE, &d->inst->operands[0])->bytes = 8;
    else
        decode_emit(d, MICRO_COPY_COMMIT);
}
