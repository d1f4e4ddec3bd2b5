/* SPDX-License-Identifier: MIT */
#include "model/machine/program/decode.h"

/* Texture and surface instructions: the object's handle in 'base', coordinates in src, then what is written. A level of
 * detail and gradients say nothing of an object that has one level. */

static void refuse(struct decoder *d, const char *why)
{
    decode_error(d, d->inst->span, "'%s' %s", op_mnemonic(d->inst->op), why);
}

static uint32_t parts_of(const struct operand *operand)
{
    return operand->kind == OPERAND_VECTOR ? operand->part_count : 1;
}

static void add_sources(struct decoder *d, const struct operand *operand, struct micro *micro)
{
    for (uint32_t i = 0; i < parts_of(operand) && micro->src_count < MICRO_SLOTS; i++)
        micro->src[micro->src_count++] =
            decode_source(d, operand->kind == OPERAND_VECTOR ? &operand->parts[i] : operand);
}

static void add_targets(struct decoder *d, const struct operand *operand, struct micro *micro)
{
    for (uint32_t i = 0; i < parts_of(operand) && i < MICRO_SLOTS; i++)
        micro->dst[micro->dst_count++] =
            decode_target(d, operand->kind == OPERAND_VECTOR ? &operand->parts[i] : operand);
}

/* Coordinates that PTX has the instruction take: as many as axes and a layer, or up to four where some are left
 * over (PTX 9.7.10). */
static bool fits(const struct inst *inst, const struct operand *coordinates)
{
    const struct geometry_row *geometry = geometry_row(inst->geometry);
    uint32_t least = geometry->axes + geometry->layered, given = parts_of(coordinates);
    return least && (given == least || (given == 4 && least == 3));
}

static bool is_query(const struct inst *inst)
{
    return op_operand(inst->op, 2) == 0;
}

static bool is_tld4(enum op op)
{
    return op == OP_TLD4_R || op == OP_TLD4_G || op == OP_TLD4_B || op == OP_TLD4_A;
}

/* What the instruction must say, and what the executor knows of it. */
static void check(struct decoder *d, const struct operand *values, const struct operand *at)
{
    const struct inst *inst = d->inst;
    bool texture = inst->proxy == PROXY_TEXTURE, sured = inst->op == OP_SURED;
    uint32_t wanted = texture ? 4 : inst->vector;
    if (!fits(inst, at))
        refuse(d, "needs a geometry such as .2d, and its coordinates");
    else if (inst->op == OP_TEX && inst->source_type == TYPE_S32 &&
             geometry_row(inst->geometry)->layered)
        refuse(d, "of layers at whole numbers is not known to the executor");
    else if (is_tld4(inst->op) && inst->geometry != GEOMETRY_2D)
        refuse(d, "is known to the executor as .2d only");
    else if (parts_of(values) != wanted || (texture && inst->vector != 4))
        refuse(d,
               texture ? "gives four values, as .v4" : "has another number of values than it says");
    else if (sured && !atom_op_fits(inst->atom_op, inst->op))
        refuse(d, "needs an operation such as .add");
    else if (!texture && !inst->boundary)
        refuse(d, "needs .trap, .clamp or .zero");
}

void decode_texture(struct decoder *d)
{
    const struct inst *inst = d->inst;
    const struct operand *operands = inst->operands;
    bool reads = op_writes(inst->op); /* registers */
    uint32_t object = reads ? 1 : 0;
    struct micro micro = decode_micro(d, reads ? MICRO_TEXTURE : MICRO_SURFACE);
    decode_address(d, &operands[object], &micro.base, &micro.offset);
    if (operands[object].location != NONE) /* its name is its handle */
        micro.base = decode_source(d, &(struct operand){.kind = OPERAND_SYMBOL,
                                                        .reg = NONE,
                                                        .location = operands[object].location});
    if (reads)
        add_targets(d, &operands[0], &micro);
    if (!is_query(inst)) {
        const struct operand *values = reads ? &operands[0] : &operands[2];
        check(d, values, &operands[object + 1]);
        add_sources(d, &operands[object + 1], &micro);
        if (!reads)
            add_sources(d, values, &micro);
    }
    decode_push(d, &micro);
    for (uint32_t i = 0; reads && operands[0].kind == OPERAND_VECTOR && i < operands[0].part_count;
         i++)
        decode_extend(d, &operands[0].parts[i]);
}
