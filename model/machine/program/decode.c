/* SPDX-License-Identifier: MIT */
#include "model/machine/program/decode.h"

#include <string.h>

#include "litmus/test/launch.h"
#include "litmus/test/texture.h"

void decode_error(struct decoder *d, struct span span, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = arena_vprintf(d->arena, format, arguments);
    va_end(arguments);
    diag_add(d->diags, DIAG_run_unsupported, d->test->source, span, NULL, "%s", text);
}

struct micro decode_micro(const struct decoder *d, enum micro_kind kind)
{
    struct micro micro = {.kind = (uint8_t)kind,
                          .guard = SLOT_NONE,
                          .base = SLOT_NONE,
                          .base2 = SLOT_NONE,
                          .inst = d->inst,
                          .inst_index = d->inst_index};
    if (d->inst && d->inst->guard != NONE) {
        micro.guard = d->reg_slot[d->inst->guard];
        micro.guard_negated = d->inst->guard_negated;
    }
    for (uint32_t i = 0; i < MICRO_SLOTS; i++)
        micro.dst[i] = micro.src[i] = SLOT_NONE;
    return micro;
}

struct micro *decode_push(struct decoder *d, const struct micro *micro)
{
    vec_push(d->arena, &d->micros, *micro);
    return &d->micros.at[d->micros.len - 1];
}

struct micro *decode_emit(struct decoder *d, enum micro_kind kind)
{
    struct micro micro = decode_micro(d, kind);
    return decode_push(d, &micro);
}

struct micro *decode_alu_of(struct decoder *d, alu_fn *function, slot dst, const slot *sources,
                            uint32_t count)
{
    if (!function)
        decode_error(d, d->inst->span, "'%s' is not known to the executor with type '.%s'",
                     op_mnemonic(d->inst->op), type_name(d->inst->type));
    struct micro *micro = decode_emit(d, MICRO_ALU);
    micro->alu = function;
    micro->dst[0] = dst;
    micro->dst_count = 1;
    for (uint32_t i = 0; i < count && sources[i] != SLOT_NONE; i++)
        micro->src[micro->src_count++] = sources[i];
    return micro;
}

slot decode_temporary(struct decoder *d)
{
    return d->program->reg_slots++;
}

static slot add_fixed(struct decoder *d, struct fixed_slot fixed)
{
    for (uint32_t i = 0; i < d->fixed.len; i++) {
        const struct fixed_slot *old = &d->fixed.at[i];
        if (old->kind == fixed.kind && old->special == fixed.special &&
            old->location == fixed.location && old->value == fixed.value)
            return SLOT_FIXED | i;
    }
    vec_push(d->arena, &d->fixed, fixed);
    return SLOT_FIXED | (d->fixed.len - 1);
}

slot decode_value(struct decoder *d, uint64_t value)
{
    return add_fixed(d, (struct fixed_slot){.kind = FIXED_VALUE, .value = value});
}

static slot address_slot(struct decoder *d, uint32_t location, uint64_t offset)
{
    return add_fixed(
        d, (struct fixed_slot){.kind = FIXED_ADDRESS, .location = location, .value = offset});
}

/* What the name of a location is as a value: its address, or the handle of a texture or surface. */
static slot value_slot(struct decoder *d, uint32_t location, uint64_t offset)
{
    return d->test->locations[location].texture ? decode_value(d, texture_handle(location))
                                                : address_slot(d, location, offset);
}

/* The address of a symbol; a function's .local variable lies in the frame of its running call. */
static slot symbol_slot(struct decoder *d, const struct operand *operand)
{
    uint32_t in_frame;
    if (!decode_frame_local(d, operand->location, &in_frame))
        return value_slot(d, operand->location, operand->value);
    slot sum = decode_temporary(d);
    decode_operation(d, OP_ADD, TYPE_U64, sum, decode_frame(d),
                     decode_value(d, in_frame + operand->value));
    return sum;
}

/* Shared memory of each CTA that the runtime keeps for itself: cooperative groups of several warps use it. */
static slot reserved_slot(struct decoder *d)
{
    uint32_t location = d->test->location_count;
    while (location-- > 0)
        if (strcmp(d->test->locations[location].name, PROGRAM_RESERVED) == 0)
            return address_slot(d, location, 0);
    decode_error(d, d->inst->span, "reserved shared memory is not known to the executor here");
    return decode_value(d, 0);
}

static slot special_slot(struct decoder *d, enum special special)
{
    if (special == SPECIAL_RESERVED_SMEM_0 || special == SPECIAL_RESERVED_SMEM_1)
        return reserved_slot(d);
    if (special == SPECIAL_GLOBALTIMER_HI) /* no run takes four seconds of its own time */
        return decode_value(d, 0);
    if (special == SPECIAL_CLOCK || special == SPECIAL_CLOCK64 || special == SPECIAL_GLOBALTIMER ||
        special == SPECIAL_GLOBALTIMER_LO) {
        struct micro micro = decode_micro(d, MICRO_CLOCK);
        micro.dst_count = 1;
        return decode_push(d, &micro)->dst[0] = decode_temporary(d);
    }
    return add_fixed(d, (struct fixed_slot){.kind = FIXED_SPECIAL, .special = special});
}

/* In the dialect, and in host code, instructions have 64 bits: a narrower register is extended by its sign. */
static slot register_source(struct decoder *d, uint32_t reg)
{
    const struct body *body = d->function->body;
    enum type type = body->regs[reg].type;
    slot from = d->reg_slot[reg];
    if (!body->dialect || !type_is_signed(type) || type == TYPE_NONE || type_bytes(type) >= 8)
        return from;
    const struct inst wider = {.op = OP_CVT, .type = TYPE_S64, .source_type = type};
    slot wide = decode_temporary(d);
    decode_alu(d, alu_find(&wider), wide, from);
    return wide;
}

slot decode_source(struct decoder *d, const struct operand *operand)
{
    slot from;
    if (operand->kind == OPERAND_REG) {
        from = register_source(d, operand->reg);
    } else if (operand->kind == OPERAND_IMM) {
        from = decode_value(d, operand->value);
    } else if (operand->kind == OPERAND_SYMBOL) {
        from = symbol_slot(d, operand);
    } else if (operand->kind == OPERAND_SPECIAL) {
        from = special_slot(d, operand->special);
    } else {
        decode_error(d, operand->span, "this operand of '%s' is not known to the executor",
                     op_mnemonic(d->inst->op));
        return decode_value(d, 0);
    }
    if (!operand->negated)
        return from;
    slot flipped = decode_temporary(d);
    decode_operation(d, OP_NOT, TYPE_PRED, flipped, from);
    return flipped;
}

slot decode_target(struct decoder *d, const struct operand *operand)
{
    if (operand->kind == OPERAND_SINK)
        return SLOT_NONE;
    if (operand->kind == OPERAND_REG)
        return d->reg_slot[operand->reg];
    decode_error(d, operand->span, "'%s' cannot write this operand", op_mnemonic(d->inst->op));
    return SLOT_NONE;
}

void decode_address(struct decoder *d, const struct operand *operand, slot *base, int64_t *offset)
{
    uint32_t in_frame;
    *offset = (int64_t)operand->value;
    if (operand->kind == OPERAND_MEMORY && operand->reg != NONE) {
        *base = d->reg_slot[operand->reg];
    } else if (operand->kind == OPERAND_FRAME) {
        *base = decode_frame(d);
        *offset += d->function->body->frame[operand->param].offset;
    } else if (operand->kind == OPERAND_MEMORY &&
               decode_frame_local(d, operand->location, &in_frame)) {
        *base = decode_frame(d);
        *offset += in_frame;
    } else if (operand->kind == OPERAND_MEMORY && operand->location != NONE) {
        *base = address_slot(d, operand->location, 0);
    } else if (operand->kind == OPERAND_MEMORY) {
        *base = decode_value(d, 0);
    } else {
        decode_error(d, operand->span, "this address is not known to the executor");
        *base = decode_value(d, 0);
    }
}

/* The argument that covers the byte, or NULL. */
static const struct operand *find_argument(const struct decoder *d, uint64_t at, uint32_t *skip)
{
    const struct body *body = d->program->body;
    for (uint32_t i = 0; d->args && i < body->param_count && i < d->args->count; i++) {
        if (at < body->params[i].offset || at >= body->params[i].offset + body->params[i].bytes)
            continue;
        *skip = (uint32_t)(at - body->params[i].offset);
        return &d->args->args[i];
    }
    return NULL;
}

/* Bytes of a structure that is passed by value; an address in it is read as a whole. */
static slot structure_bytes(struct decoder *d, const struct operand *argument, uint32_t at,
                            uint32_t bytes)
{
    const struct body *body = d->program->body;
    uint32_t index = (uint32_t)(argument - d->args->args);
    uint64_t value = 0;
    for (uint32_t i = 0; i < bytes; i++) {
        const struct location_init word =
            launch_argument_word(d->test, body, d->args->args, index, (at + i) / 8);
        if (word.address_of != NONE && bytes == 8 && at % 8 == 0)
            return address_slot(d, word.address_of, word.value);
        if (word.address_of != NONE)
            decode_error(d, d->inst->span, "a part of an address cannot be read by itself");
        value |= (word.value >> (at + i) % 8 * 8 & 255) << 8 * i;
    }
    return decode_value(d, value);
}

slot decode_param(struct decoder *d, const struct operand *operand, uint32_t bytes, uint32_t skip)
{
    const struct body *body = d->program->body;
    uint64_t at = operand->value + skip +
                  (operand->param < body->param_count ? body->params[operand->param].offset : 0);
    uint32_t inside = 0;
    const struct operand *argument = find_argument(d, at, &inside);
    if (!argument) {
        decode_error(d, operand->span, "there is no argument for this parameter");
        return decode_value(d, 0);
    }
    if (argument->kind == OPERAND_VECTOR || body->params[argument - d->args->args].bytes > 8)
        return structure_bytes(d, argument, inside, bytes);
    if (argument->kind == OPERAND_SYMBOL && inside == 0)
        return value_slot(d, argument->location, argument->value);
    if (argument->kind == OPERAND_SYMBOL || inside >= 8) {
        decode_error(d, operand->span, "a part of this parameter cannot be read by itself");
        return decode_value(d, 0);
    }
    return decode_value(d, alu_low_bytes(argument->value >> (8 * inside), bytes));
}

void decode_extend(struct decoder *d, const struct operand *to)
{
    enum type type = d->inst->type;
    if (to->kind != OPERAND_REG || !type_is_signed(type) || type == TYPE_NONE)
        return;
    enum type reg = d->function->body->regs[to->reg].type;
    if (reg == TYPE_PRED || type_bytes(reg) <= type_bytes(type))
        return;
    const struct inst wider = {
        .op = OP_CVT, .type = type_with('s', type_bytes(reg)), .source_type = type};
    slot at = decode_target(d, to);
    decode_alu(d, alu_find(&wider), at, at);
}
