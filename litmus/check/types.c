/* SPDX-License-Identifier: MIT */
#include "litmus/check/checker.h"

/* Types of instructions: which exist, what flags they need, how wide vectors are (types.def). */

static void bad_type(struct checker *c, const struct inst *inst, enum type type)
{
    const char *mnemonic = op_mnemonic(inst->op), *atom_op = atom_op_name(inst->atom_op);
    const char *dot = inst->atom_op ? "." : "";
    if (type_is_half(type))
        check_error(c, unsupported_instruction, inst->span, NULL,
                    "'%s%s%s' of .%s is not supported: half-precision arithmetic", mnemonic, dot,
                    atom_op, type_name(type));
    else
        check_error(c, bad_type, inst->span, NULL, "'%s%s%s' does not exist for .%s", mnemonic, dot,
                    atom_op, type_name(type));
}

static uint32_t allowed_types(const struct inst *inst)
{
    if (op_group(inst->op) == GROUP_CTA_BARRIER)
        return atom_row(inst->atom_op)->barrier_types;
    return op_row(inst->op)->types ? op_row(inst->op)->types : atom_row(inst->atom_op)->types;
}

static bool is_in(uint32_t types, enum type type)
{
    return types >> type & 1;
}

/* PTX's own name of what the dialect writes without a type. */
static void check_dialect_atomic(struct checker *c, const struct inst *inst)
{
    bool only_dialect = !atom_row(inst->atom_op)->types && atom_op_fits(inst->atom_op, inst->op);
    if (only_dialect && inst->type != TYPE_NONE)
        check_error(c, bad_type, inst->span,
                    inst->atom_op == ATOM_SUB ? "negate the value and add" : NULL,
                    "PTX has no '%s.%s': only the dialect's untyped form exists",
                    op_mnemonic(inst->op), atom_op_name(inst->atom_op));
    else if (!only_dialect && inst->type != TYPE_NONE && !is_in(allowed_types(inst), inst->type))
        bad_type(c, inst, inst->type);
}

static void check_source_type(struct checker *c, const struct inst *inst)
{
    uint32_t sources = op_row(inst->op)->source_types;
    if (sources && inst->source_type == TYPE_NONE && inst->type != TYPE_NONE)
        check_error(c, missing_modifier, inst->span, NULL,
                    "'%s' needs two types, of the result and of the source", op_mnemonic(inst->op));
    else if (sources && inst->source_type != TYPE_NONE && !is_in(sources, inst->source_type))
        bad_type(c, inst, inst->source_type);
}

/* Are these flags two that exclude each other? */
static bool excludes(uint32_t flags)
{
    return flags & (flags - 1);
}

static bool cmp_exists(enum cmp cmp, enum type type)
{
    switch (cmp_row(cmp)->reads) {
    case 'o':
        return !type_is_bits(type);
    case 'u':
        return !type_is_bits(type) && !type_is_signed(type) && !type_is_float(type);
    case 'f':
        return type_is_float(type);
    default:
        return true;
    }
}

enum { WIDEST_ACCESS = 32 }; /* .v4.b64 and .v8.b32: PTX 8.8, sm_100 */

/* The names are those that types.def uses. */
static void check_forms(struct checker *c, const struct inst *inst)
{
    const char *name = op_mnemonic(inst->op);
    uint32_t flags = inst->flags, bytes = type_bytes(inst->type);
    bool rounds = flags & (FLAG_RN | FLAG_RZ | FLAG_RM | FLAG_RP);
    bool rounds_to_integer = flags & (FLAG_RNI | FLAG_RZI | FLAG_RMI | FLAG_RPI);
    bool is_float = type_is_float(inst->type), from_float = type_is_float(inst->source_type);
    bool converts = inst->op == OP_CVT && inst->type && inst->source_type;
    bool of_eighths = inst->source_type == TYPE_E4M3X2 || inst->source_type == TYPE_E5M2X2;
    bool to_pair = inst->type == TYPE_F16X2 || inst->type == TYPE_BF16X2 ||
                   inst->type == TYPE_E4M3X2 || inst->type == TYPE_E5M2X2;
    bool packs = to_pair && !of_eighths && inst->source_type != TYPE_F16X2;
    bool loses = is_float && (packs || of_eighths || !from_float || inst->type == TYPE_TF32 ||
                              bytes < type_bytes(inst->source_type));
    bool multiplies = (inst->op == OP_MUL || inst->op == OP_MAD) && inst->type;
    uint32_t part = flags & (FLAG_LO | FLAG_HI | FLAG_WIDE);
    bool compares = inst->op == OP_SETP || inst->op == OP_SET;
    enum type compared = inst->op == OP_SET ? inst->source_type : inst->type;
    enum type looked_at = inst->op == OP_SLCT ? inst->source_type : compared;
    bool flushes = looked_at == TYPE_F32 || looked_at == TYPE_F16 || looked_at == TYPE_F16X2 ||
                   looked_at == TYPE_F32X2 || inst->op == OP_EX2;
    bool gross = inst->type == TYPE_F64 && flags & FLAG_APPROX &&
                 (inst->op == OP_RCP || inst->op == OP_RSQRT);
    bool extreme = inst->op == OP_MIN || inst->op == OP_MAX;
    bool is_access = op_group(inst->op) == GROUP_ACCESS;
    const struct operand *list = &inst->operands[op_writes(inst->op) ? 0 : 1];
    uint32_t parts = list->kind == OPERAND_VECTOR ? list->part_count : 1;
#include "litmus/check/types.def"
}

/* "mov.b64 {lo, hi}, r": halves or quarters of the type. */
static void check_pack(struct checker *c, const struct inst *inst)
{
    for (uint32_t i = 0; i < inst->operand_count; i++) {
        const struct operand *operand = &inst->operands[i];
        uint32_t bytes = operand->part_count ? type_bytes(inst->type) / operand->part_count : 0;
        if (operand->kind == OPERAND_VECTOR &&
            ((operand->part_count != 2 && operand->part_count != 4) || !type_is_bits(inst->type) ||
             bytes < 2 || bytes > 8))
            check_error(c, bad_vector, operand->span, NULL, "%u parts do not make a .%s",
                        operand->part_count, type_name(inst->type));
    }
}

void check_types(struct checker *c, const struct inst *inst)
{
    if (op_is_atomic(inst->op))
        check_dialect_atomic(c, inst);
    else if (inst->type != TYPE_NONE && allowed_types(inst) && !(inst->flags & FLAG_WIDE) &&
             !is_in(allowed_types(inst), inst->type))
        bad_type(c, inst, inst->type);
    check_source_type(c, inst);
    check_forms(c, inst);
    if (inst->op == OP_MOV)
        check_pack(c, inst);
}
