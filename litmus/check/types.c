/* SPDX-License-Identifier: MIT */
#include "litmus/check/check.h"

/* Types of instructions: which exist, what flags they need, how wide vectors are. */

#define BIT(type) (1u << (type))
#define I16_64    (BIT(TYPE_U16) | BIT(TYPE_S16) | I32_64)
#define I32_64    (BIT(TYPE_U32) | BIT(TYPE_S32) | BIT(TYPE_U64) | BIT(TYPE_S64))
#define I8_64     (BIT(TYPE_U8) | BIT(TYPE_S8) | I16_64)
#define S16_64    (BIT(TYPE_S16) | BIT(TYPE_S32) | BIT(TYPE_S64))
#define B32_64    (BIT(TYPE_B32) | BIT(TYPE_B64))
#define B16_64    (BIT(TYPE_B16) | B32_64)
#define B8_64     (BIT(TYPE_B8) | B16_64)
#define FLOATS    (BIT(TYPE_F32) | BIT(TYPE_F64))

static const uint32_t types_of[OP_COUNT] = {
#define TYPES(op, types) [OP_##op] = types,
#include "litmus/isa/types.def"
#undef TYPES
};

static const uint32_t types_of_atom[] = {
    [ATOM_ADD] = BIT(TYPE_U32) | BIT(TYPE_S32) | BIT(TYPE_U64) | FLOATS,
    [ATOM_MIN] = I32_64,
    [ATOM_MAX] = I32_64,
    [ATOM_INC] = BIT(TYPE_U32),
    [ATOM_DEC] = BIT(TYPE_U32),
    [ATOM_AND] = B32_64,
    [ATOM_OR] = B32_64,
    [ATOM_XOR] = B32_64,
    [ATOM_EXCH] = B32_64 | BIT(TYPE_B128),
    [ATOM_CAS] = B16_64 | BIT(TYPE_B128),
    [ATOM_POPC] = 0,
};

static const uint32_t types_of_reduction[] = {
    [ATOM_POPC] = BIT(TYPE_U32),
    [ATOM_AND] = BIT(TYPE_PRED),
    [ATOM_OR] = BIT(TYPE_PRED),
};

/* PTX has arithmetic on these; ptxlit moves them as bits only. */
static bool is_half(enum type type)
{
    return type == TYPE_F16 || type == TYPE_F16X2 || type == TYPE_BF16 || type == TYPE_BF16X2;
}

static void bad_type(struct checker *checker, const struct inst *inst, enum type type)
{
    if (is_half(type)) {
        check_error(checker, unsupported_instruction, inst->span, NULL,
                    "'%s%s%s' of .%s is not supported: half-precision arithmetic",
                    op_mnemonic(inst->op), inst->atom_op ? "." : "", atom_op_name(inst->atom_op),
                    type_name(type));
        return;
    }
    check_error(checker, bad_type, inst->span, NULL, "'%s%s%s' does not exist for .%s",
                op_mnemonic(inst->op), inst->atom_op ? "." : "", atom_op_name(inst->atom_op),
                type_name(type));
}

static bool is_atomic(enum op op)
{
    return op == OP_ATOM || op == OP_RED;
}

static uint32_t allowed_types(const struct inst *inst)
{
    if (is_atomic(inst->op) || inst->op == OP_CP_REDUCE_ASYNC_BULK)
        return types_of_atom[inst->atom_op];
    if (inst->op == OP_BAR_RED)
        return types_of_reduction[inst->atom_op];
    return types_of[inst->op];
}

/* PTX's own name of what the dialect writes without a type. */
static void check_dialect_atomic(struct checker *checker, const struct inst *inst)
{
    bool only_dialect =
        inst->atom_op == ATOM_SUB || inst->atom_op == ATOM_MUL || inst->atom_op == ATOM_DIV;
    if (is_atomic(inst->op) && only_dialect && inst->type != TYPE_NONE)
        check_error(checker, bad_type, inst->span,
                    inst->atom_op == ATOM_SUB ? "negate the value and add" : NULL,
                    "PTX has no '%s.%s': only the dialect's untyped form exists",
                    op_mnemonic(inst->op), atom_op_name(inst->atom_op));
    else if (!only_dialect && inst->type != TYPE_NONE && !(allowed_types(inst) & BIT(inst->type)))
        bad_type(checker, inst, inst->type);
}

static void check_source_type(struct checker *checker, const struct inst *inst)
{
    /* PTX 9.7.6.1, 9.7.6.4: 'set' compares what 'setp' does, 'slct' looks at an .s32 or .f32. */
    bool converts = inst->op == OP_CVT;
    uint32_t sources = converts              ? types_of[OP_CVT]
                       : inst->op == OP_SET  ? types_of[OP_SETP]
                       : inst->op == OP_SLCT ? BIT(TYPE_S32) | BIT(TYPE_F32)
                                             : 0;
    if ((converts || inst->op == OP_SET || inst->op == OP_SLCT) && inst->source_type == TYPE_NONE &&
        inst->type != TYPE_NONE)
        check_error(checker, missing_modifier, inst->span, NULL,
                    "'%s' needs two types, of the result and of the source", op_mnemonic(inst->op));
    else if (sources && inst->source_type != TYPE_NONE && !(sources & BIT(inst->source_type)))
        bad_type(checker, inst, inst->source_type);
}

static bool has_rounding(const struct inst *inst)
{
    return inst->flags & (FLAG_RN | FLAG_RZ | FLAG_RM | FLAG_RP);
}

static bool has_integer_rounding(const struct inst *inst)
{
    return inst->flags & (FLAG_RNI | FLAG_RZI | FLAG_RMI | FLAG_RPI);
}

/* PTX 9.7.9.21: conversions that can lose something say how they round. */
static void check_conversion(struct checker *checker, const struct inst *inst)
{
    bool to_float = type_is_float(inst->type), from_float = type_is_float(inst->source_type);
    bool narrows = to_float && from_float && type_bytes(inst->type) < type_bytes(inst->source_type);
    if (inst->type == TYPE_NONE || inst->source_type == TYPE_NONE)
        return;
    if ((to_float && !from_float) || narrows) {
        if (!has_rounding(inst))
            check_error(checker, missing_modifier, inst->span, NULL,
                        "this conversion needs .rn, .rz, .rm or .rp");
    } else if (!to_float && from_float) {
        if (!has_integer_rounding(inst))
            check_error(checker, missing_modifier, inst->span, NULL,
                        "this conversion needs .rni, .rzi, .rmi or .rpi");
    } else if (has_rounding(inst) || (!from_float && has_integer_rounding(inst))) {
        check_error(checker, misplaced_modifier, inst->span, NULL,
                    "this conversion does not round");
    }
}

/* Of the words that exclude each other the instruction has at most one. */
static void check_one_of(struct checker *checker, const struct inst *inst, uint32_t words)
{
    uint32_t given = inst->flags & words;
    if (given & (given - 1))
        check_error(checker, conflicting_modifiers, inst->span, NULL,
                    "'%s' has two modifiers that exclude each other", op_mnemonic(inst->op));
}

static void check_product(struct checker *checker, const struct inst *inst)
{
    bool part = inst->flags & (FLAG_LO | FLAG_HI | FLAG_WIDE);
    check_one_of(checker, inst, FLAG_LO | FLAG_HI | FLAG_WIDE);
    if (inst->type == TYPE_NONE)
        return;
    if (type_is_float(inst->type) && part)
        check_error(checker, misplaced_modifier, inst->span, NULL,
                    "a floating-point '%s' has no .lo, .hi or .wide", op_mnemonic(inst->op));
    else if (!type_is_float(inst->type) && !part)
        check_error(checker, missing_modifier, inst->span, NULL,
                    "an integer '%s' needs .lo, .hi or .wide", op_mnemonic(inst->op));
}

/* Integers are exact, and only cvt makes one of a floating-point number. */
static void check_rounding(struct checker *checker, const struct inst *inst)
{
    if (inst->op == OP_CVT)
        return;
    if (has_integer_rounding(inst))
        check_error(checker, misplaced_modifier, inst->span, NULL,
                    "only 'cvt' rounds to an integer");
    else if (!type_is_float(inst->type) &&
             (has_rounding(inst) || inst->flags & (FLAG_FTZ | FLAG_APPROX)))
        check_error(checker, misplaced_modifier, inst->span, NULL, "an integer '%s' does not round",
                    op_mnemonic(inst->op));
}

/* Of integers .add, .sub and the upper half of .mad saturate, all as .s32. */
static void check_saturation(struct checker *checker, const struct inst *inst)
{
    bool adds =
        inst->op == OP_ADD || inst->op == OP_SUB || (inst->op == OP_MAD && inst->flags & FLAG_HI);
    if ((inst->flags & FLAG_SAT) && inst->op != OP_CVT && !type_is_float(inst->type) &&
        (!adds || inst->type != TYPE_S32))
        check_error(checker, misplaced_modifier, inst->span, NULL,
                    "an integer '%s' saturates as .s32 only, and a product not at all",
                    op_mnemonic(inst->op));
}

/* PTX 9.7.8.8: shf has a direction and says what an amount over 31 means. */
static void check_funnel(struct checker *checker, const struct inst *inst)
{
    check_one_of(checker, inst, FLAG_LEFT | FLAG_RIGHT);
    check_one_of(checker, inst, FLAG_WRAP | FLAG_CLAMP);
    if (!(inst->flags & (FLAG_LEFT | FLAG_RIGHT)) || !(inst->flags & (FLAG_WRAP | FLAG_CLAMP)))
        check_error(checker, missing_modifier, inst->span, NULL,
                    "'shf' needs .l or .r, and .wrap or .clamp");
}

/* The dialect's untyped values have 64 bits: what exists for fewer only says so. */
static void check_width(struct checker *checker, const struct inst *inst)
{
    bool narrow = inst->op == OP_SHF || inst->op == OP_LOP3 || inst->op == OP_PRMT ||
                  inst->op == OP_FNS || inst->op == OP_SET;
    if (narrow && inst->type == TYPE_NONE)
        check_error(checker, missing_modifier, inst->span, NULL, "'%s' needs a type, of 32 bits",
                    op_mnemonic(inst->op));
}

/* div, sqrt, rcp of floats say how they round or that they only approximate. */
static void check_quotient(struct checker *checker, const struct inst *inst)
{
    if (type_is_float(inst->type) && !has_rounding(inst) && !(inst->flags & FLAG_APPROX))
        check_error(checker, missing_modifier, inst->span, NULL,
                    "a floating-point '%s' needs .rn, .rz, .rm, .rp or .approx",
                    op_mnemonic(inst->op));
}

static bool is_unsigned_comparison(enum cmp cmp)
{
    return cmp == CMP_LO || cmp == CMP_LS || cmp == CMP_HI || cmp == CMP_HS;
}

static bool is_float_comparison(enum cmp cmp)
{
    return cmp == CMP_EQU || cmp == CMP_NEU || cmp == CMP_LTU || cmp == CMP_LEU || cmp == CMP_GTU ||
           cmp == CMP_GEU || cmp == CMP_NUM || cmp == CMP_NAN;
}

static void check_comparison(struct checker *checker, const struct inst *inst)
{
    enum type type = inst->op == OP_SET ? inst->source_type : inst->type;
    bool equality = inst->cmp == CMP_EQ || inst->cmp == CMP_NE;
    bool unsigned_only = is_unsigned_comparison(inst->cmp);
    bool float_only = is_float_comparison(inst->cmp);
    if (inst->cmp == CMP_NONE)
        check_error(checker, missing_modifier, inst->span, NULL,
                    "'%s' needs a comparison such as .eq", op_mnemonic(inst->op));
    else if (type != TYPE_NONE &&
             ((type_is_bits(type) && !equality) || (float_only && !type_is_float(type)) ||
              (unsigned_only && (type_is_signed(type) || type_is_float(type)))))
        check_error(checker, bad_type, inst->span, NULL, "comparison .%s does not exist for .%s",
                    cmp_name(inst->cmp), type_name(type));
    bool third = inst->operand_count > 3;
    if ((inst->bool_op != BOOL_NONE) != third)
        check_error(checker, operand_count, inst->span, NULL,
                    third ? "a third predicate needs .and, .or or .xor"
                          : "'.%s' combines with a predicate that is not there",
                    bool_op_name(inst->bool_op));
}

/* Parts of "{a, b}" where the vector modifier says how many. */
static const struct operand *vector_operand(const struct inst *inst)
{
    uint32_t index = inst->op == OP_LD || inst->op == OP_ATOM ? 0 : 1;
    return index < inst->operand_count ? &inst->operands[index] : NULL;
}

enum { WIDEST_ACCESS = 32 }; /* .v4.b64 and .v8.b32: PTX 8.8, sm_100 */

static void check_vector(struct checker *checker, const struct inst *inst)
{
    const struct operand *list = vector_operand(inst);
    uint32_t parts = list && list->kind == OPERAND_VECTOR ? list->part_count : 1;
    uint32_t bytes = type_bytes(inst->type) * inst->vector;
    bool sink = list && list->kind == OPERAND_SINK;
    if (parts != inst->vector && !sink)
        check_error(checker, bad_vector, inst->span, NULL, "%u element%s, but the access has %u",
                    parts, parts == 1 ? "" : "s", inst->vector);
    else if (inst->vector > 1 && (bytes > WIDEST_ACCESS || inst->type == TYPE_B128 ||
                                  (inst->vector == 8 && type_bytes(inst->type) != 4)))
        check_error(checker, bad_vector, inst->span, NULL, "there is no vector .v%u of .%s",
                    inst->vector, type_name(inst->type));
}

/* "mov.b64 {lo, hi}, r": halves or quarters of the type. */
static void check_pack(struct checker *checker, const struct inst *inst)
{
    for (uint32_t i = 0; i < inst->operand_count; i++) {
        const struct operand *operand = &inst->operands[i];
        uint32_t bytes = operand->part_count ? type_bytes(inst->type) / operand->part_count : 0;
        if (operand->kind == OPERAND_VECTOR &&
            ((operand->part_count != 2 && operand->part_count != 4) || !type_is_bits(inst->type) ||
             bytes < 2 || bytes > 8))
            check_error(checker, bad_vector, operand->span, NULL, "%u parts do not make a .%s",
                        operand->part_count, type_name(inst->type));
    }
}

void check_types(struct checker *checker, const struct inst *inst)
{
    if (is_atomic(inst->op))
        check_dialect_atomic(checker, inst);
    else if (inst->type != TYPE_NONE && allowed_types(inst) && !(inst->flags & FLAG_WIDE) &&
             !(allowed_types(inst) & BIT(inst->type)))
        bad_type(checker, inst, inst->type);
    check_source_type(checker, inst);
    check_rounding(checker, inst);
    check_saturation(checker, inst);
    check_width(checker, inst);
    if (inst->op == OP_SHF)
        check_funnel(checker, inst);
    if (inst->op == OP_CVT)
        check_conversion(checker, inst);
    else if (inst->op == OP_MUL || inst->op == OP_MAD)
        check_product(checker, inst);
    else if (inst->op == OP_DIV || inst->op == OP_SQRT || inst->op == OP_RCP)
        check_quotient(checker, inst);
    else if (inst->op == OP_SETP || inst->op == OP_SET)
        check_comparison(checker, inst);
    else if (inst->op == OP_MOV)
        check_pack(checker, inst);
    else if (inst->op == OP_LD || inst->op == OP_ST || is_atomic(inst->op))
        check_vector(checker, inst);
}
