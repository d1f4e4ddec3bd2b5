/* SPDX-License-Identifier: MIT */
#include "model/machine/program/decode.h"

/* Lane-private instructions: most are one ALU micro; the rest are a few, over temporaries. */

static bool is_half(enum type type)
{
    return type == TYPE_F16 || type == TYPE_BF16;
}

static bool is_pair(enum type type)
{
    return type == TYPE_F16X2 || type == TYPE_BF16X2;
}

/* A half as the float that it is. */
static slot widen_half(struct decoder *d, slot from, enum type type)
{
    const struct inst cvt = {.op = OP_CVT, .type = TYPE_F32, .source_type = type};
    slot to = decode_temporary(d);
    decode_alu(d, alu_find(&cvt), to, from);
    return to;
}

/* With .ftz a float, a half or a pair without those that have no exponent. */
static slot flushed_as(struct decoder *d, enum type type, slot from)
{
    const struct inst cvt = {.op = OP_CVT, .type = type, .source_type = type, .flags = FLAG_FTZ};
    if (!(d->inst->flags & FLAG_FTZ))
        return from;
    slot to = decode_temporary(d);
    decode_alu(d, alu_find(&cvt), to, from);
    return to;
}

/* The two sources of a comparison. */
static void decode_compared(struct decoder *d, enum type type, slot *a, slot *b)
{
    *a = flushed_as(d, type, decode_source(d, &d->inst->operands[1]));
    *b = flushed_as(d, type, decode_source(d, &d->inst->operands[2]));
}

/* The comparison of two sources of a type; halves are compared as floats. */
static void compare_as(struct decoder *d, enum type type, slot to, slot a, slot b)
{
    struct inst compares = {.op = OP_SETP, .type = type, .cmp = d->inst->cmp};
    if (is_half(type)) {
        a = widen_half(d, a, type);
        b = widen_half(d, b, type);
        compares.type = TYPE_F32;
    }
    decode_alu(d, alu_find(&compares), to, a, b);
}

static void compare(struct decoder *d, slot to, slot a, slot b)
{
    compare_as(d, d->inst->type, to, a, b);
}

/* A comparison combined with the predicate behind it, if there is one. */
static slot combine(struct decoder *d, slot compared)
{
    enum bool_op op = d->inst->bool_op;
    if (op == BOOL_NONE || d->inst->operand_count <= 3)
        return compared;
    slot other = decode_source(d, &d->inst->operands[3]), result = decode_temporary(d);
    enum op logic = op == BOOL_AND ? OP_AND : op == BOOL_OR ? OP_OR : OP_XOR;
    decode_operation(d, logic, TYPE_PRED, result, compared, other)->flags |= MICRO_BITWISE;
    return result;
}

static void move_predicate(struct decoder *d, const struct operand *to, slot from)
{
    slot target = decode_target(d, to);
    if (target != SLOT_NONE)
        decode_operation(d, OP_MOV, TYPE_PRED, target, from);
}

static slot upper_half(struct decoder *d, slot from)
{
    slot to = decode_temporary(d);
    decode_operation(d, OP_SHR, TYPE_B32, to, from, decode_value(d, 16));
    return to;
}

/* One comparison of a pair: p of the lower halves, q of the upper ones. */
static slot compare_part(struct decoder *d, slot a, slot b, bool upper)
{
    slot compared = decode_temporary(d);
    compare_as(d, d->inst->type == TYPE_F16X2 ? TYPE_F16 : TYPE_BF16, compared,
               upper ? upper_half(d, a) : a, upper ? upper_half(d, b) : b);
    return combine(d, compared);
}

/* p = (a cmp b) op c, q = !(a cmp b) op c; both are computed before either is written. */
static void decode_setp(struct decoder *d)
{
    const struct inst *inst = d->inst;
    bool pair = inst->operands[0].kind == OPERAND_PAIR;
    slot a, b;
    decode_compared(d, inst->type, &a, &b);
    if (!pair && !is_pair(inst->type) && inst->operand_count <= 3) {
        compare(d, decode_target(d, &inst->operands[0]), a, b);
        return;
    }
    slot p, q;
    if (is_pair(inst->type)) {
        p = compare_part(d, a, b, false);
        q = compare_part(d, a, b, true);
    } else {
        slot compared = decode_temporary(d), flipped = decode_temporary(d);
        compare(d, compared, a, b);
        p = combine(d, compared);
        decode_operation(d, OP_NOT, TYPE_PRED, flipped, compared);
        q = combine(d, flipped);
    }
    if (!pair) {
        move_predicate(d, &inst->operands[0], p);
        return;
    }
    /* the guard last, when it is one of them */
    const struct operand *parts = inst->operands[0].parts;
    bool first = parts[0].kind == OPERAND_REG && parts[0].reg == inst->guard;
    move_predicate(d, &parts[first], first ? q : p);
    move_predicate(d, &parts[!first], first ? p : q);
}

/* All ones or 1.0, of the bits that one comparison gives. */
static uint64_t truth(enum type type, bool of_pair)
{
    switch (type) {
    case TYPE_F32:
        return 0x3f800000;
    case TYPE_F16:
    case TYPE_F16X2:
        return 0x3c00;
    case TYPE_BF16:
    case TYPE_BF16X2:
        return 0x3f80;
    default:
        return of_pair || type_bytes(type) == 2 ? UINT16_MAX : UINT32_MAX;
    }
}

/* The truth of a comparison of this type, or 0. */
static slot decode_truth(struct decoder *d, enum type type, slot a, slot b, uint64_t yes)
{
    slot compared = decode_temporary(d), result = decode_temporary(d);
    compare_as(d, type, compared, a, b);
    decode_operation(d, OP_SELP, TYPE_B32, result, decode_value(d, yes), decode_value(d, 0),
                     combine(d, compared));
    return result;
}

/* Of a pair each half is compared. */
static void decode_set(struct decoder *d)
{
    const struct inst *inst = d->inst;
    slot a, b;
    decode_compared(d, inst->source_type, &a, &b);
    bool pair = is_pair(inst->source_type);
    uint64_t yes = truth(inst->type, pair);
    enum type type = !pair                             ? inst->source_type
                     : inst->source_type == TYPE_F16X2 ? TYPE_F16
                                                       : TYPE_BF16;
    slot to = decode_target(d, &inst->operands[0]), low = decode_truth(d, type, a, b, yes);
    if (!pair) {
        decode_operation(d, OP_MOV, TYPE_B32, to, low);
        decode_extend(d, &inst->operands[0]);
        return;
    }
    slot high = decode_truth(d, type, upper_half(d, a), upper_half(d, b), yes << 16);
    decode_operation(d, OP_OR, TYPE_B32, to, low, high);
}

static void shift_right(struct decoder *d, slot to, slot from, uint32_t bits, enum type type)
{
    slot shifted = bits ? decode_temporary(d) : from;
    if (bits)
        decode_operation(d, OP_SHR, TYPE_B64, shifted, from, decode_value(d, bits));
    decode_operation(d, OP_MOV, type, to, shifted);
}

/* mov.b64 {lo, hi}, d: the source is copied first, an element may be the source itself. */
static void decode_unpack(struct decoder *d, const struct operand *parts)
{
    const struct operand *from = &d->inst->operands[1];
    uint32_t bytes = type_bytes(d->inst->type) / parts->part_count;
    slot source = decode_source(d, from);
    bool wide = d->inst->type == TYPE_B128;
    slot copy = decode_temporary(d), copy_high = wide ? decode_temporary(d) : copy;
    decode_operation(d, OP_MOV, TYPE_B64, copy, source);
    if (wide)
        decode_operation(d, OP_MOV, TYPE_B64, copy_high, source + 1);
    for (uint32_t i = 0; i < parts->part_count; i++) {
        slot to = decode_target(d, &parts->parts[i]);
        uint32_t at = i * bytes;
        if (to != SLOT_NONE)
            shift_right(d, to, at >= 8 ? copy_high : copy, at % 8 * 8, type_with('b', bytes));
    }
}

/* The elements of one 64-bit word, or'ed together from the top. */
static slot pack_word(struct decoder *d, const slot *parts, uint32_t count, uint32_t bytes)
{
    slot word = decode_temporary(d);
    decode_operation(d, OP_MOV, type_with('b', bytes), word, parts[count - 1]);
    for (uint32_t i = count - 1; i-- > 0;) {
        slot element = decode_temporary(d);
        decode_operation(d, OP_SHL, TYPE_B64, word, word, decode_value(d, bytes * 8));
        decode_operation(d, OP_MOV, type_with('b', bytes), element, parts[i]);
        decode_operation(d, OP_OR, TYPE_B64, word, word, element);
    }
    return word;
}

static void decode_pack(struct decoder *d, const struct operand *parts)
{
    slot sources[MICRO_SLOTS];
    uint32_t count = parts->part_count, bytes = type_bytes(d->inst->type) / count;
    uint32_t words = d->inst->type == TYPE_B128 ? 2 : 1;
    if (count > MICRO_SLOTS || count % words) {
        decode_error(d, parts->span, "a vector of %u elements is not known to the executor", count);
        return;
    }
    for (uint32_t i = 0; i < count; i++)
        sources[i] = decode_source(d, &parts->parts[i]);
    slot to = decode_target(d, &d->inst->operands[0]), packed[2];
    for (uint32_t w = 0; w < words; w++)
        packed[w] = pack_word(d, sources + w * count / words, count / words, bytes);
    for (uint32_t w = 0; w < words && to != SLOT_NONE; w++)
        decode_operation(d, OP_MOV, TYPE_B64, to + w, packed[w]);
}

static void decode_mov(struct decoder *d)
{
    const struct operand *to = &d->inst->operands[0], *from = &d->inst->operands[1];
    if (to->kind == OPERAND_VECTOR) {
        decode_unpack(d, to);
    } else if (from->kind == OPERAND_VECTOR) {
        decode_pack(d, from);
    } else {
        slot source = decode_source(d, from), target = decode_target(d, to);
        if (target == SLOT_NONE)
            return;
        bool wide = d->inst->type == TYPE_B128;
        slot high = from->kind == OPERAND_REG ? source + 1 : decode_value(d, 0);
        decode_operation(d, OP_MOV, wide ? TYPE_B64 : d->inst->type, target, source);
        if (wide)
            decode_operation(d, OP_MOV, TYPE_B64, target + 1, high);
        decode_extend(d, to);
    }
}

/* A source widened to 64 bits by its signedness. */
static slot widen(struct decoder *d, slot from, enum type type)
{
    const struct inst cvt = {.op = OP_CVT, .type = TYPE_S64, .source_type = type};
    slot wide = decode_temporary(d);
    decode_alu(d, alu_find(&cvt), wide, from);
    return wide;
}

/* One or two, by an instruction that is no conversion. */
static bool computes_halves(const struct inst *inst)
{
    return inst->op != OP_CVT && (is_half(inst->type) || is_pair(inst->type));
}

static bool has_flush(const struct inst *inst, bool source)
{
    enum type type = source && inst->op == OP_CVT ? inst->source_type : inst->type;
    return inst->flags & FLAG_FTZ && (type == TYPE_F32 || computes_halves(inst));
}

/* Flushes (FLAG_FTZ) or saturates (FLAG_SAT) a 32-bit float, or halves. */
static void clean(struct decoder *d, uint32_t flag, slot to, slot from)
{
    enum type type = computes_halves(d->inst) ? d->inst->type : TYPE_F32;
    const struct inst cvt = {.op = OP_CVT, .type = type, .source_type = type, .flags = flag};
    decode_alu(d, alu_find(&cvt), to, from);
}

static void wrap_float(struct decoder *d, slot to)
{
    if ((d->inst->type != TYPE_F32 && !computes_halves(d->inst)) || to == SLOT_NONE)
        return;
    if (has_flush(d->inst, false))
        clean(d, FLAG_FTZ, to, to);
    if (d->inst->flags & FLAG_SAT)
        clean(d, FLAG_SAT, to, to);
}

static slot flushed(struct decoder *d, slot from)
{
    if (!has_flush(d->inst, true))
        return from;
    slot to = decode_temporary(d);
    clean(d, FLAG_FTZ, to, from);
    return to;
}

/* ---- cvt ------------------------------------------------------------------------------------ */

static const uint32_t to_whole = FLAG_RNI | FLAG_RZI | FLAG_RMI | FLAG_RPI;

/* One step of a conversion, into a temporary. */
static slot convert(struct decoder *d, enum type to, enum type from, uint32_t flags, slot source)
{
    const struct inst cvt = {.op = OP_CVT, .type = to, .source_type = from, .flags = flags};
    slot result = decode_temporary(d);
    decode_alu(d, alu_find(&cvt), result, source);
    return result;
}

/* What .relu, .ftz, .sat and .satfinite make of a value of the type; .relu is max.NaN with 0. */
static slot cleaned(struct decoder *d, enum type type, uint32_t flag, bool satfinite, slot from)
{
    const struct inst cvt = {
        .op = OP_CVT, .type = type, .source_type = type, .flags = flag, .satfinite = satfinite};
    slot to = decode_temporary(d);
    decode_alu(d, alu_find(&cvt), to, from);
    return to;
}

static slot not_negative(struct decoder *d, enum type type, slot from)
{
    slot to = decode_temporary(d);
    decode_operation(d, OP_MAX_NAN, type, to, from, decode_value(d, 0));
    return to;
}

static bool is_of_halves(enum type type)
{
    return is_half(type) || is_pair(type);
}

/* Those with a half at one end, whole numbers that are not rounded to nearest, and more. */
static bool takes_steps(const struct inst *inst)
{
    return inst->op == OP_CVT && !alu_find(inst);
}

/* The source as one that is converted to a float in one step: a half as the double that it is, an integer with 64 bits. */
static slot widened(struct decoder *d, slot from, enum type *type)
{
    slot to = from;
    if (is_half(*type)) {
        to = convert(d, TYPE_F64, *type, 0, from);
        *type = TYPE_F64;
    } else if (!type_is_float(*type)) {
        to = widen(d, from, *type);
        *type = type_is_signed(*type) ? TYPE_S64 : TYPE_U64;
    }
    return to;
}

static void decode_steps(struct decoder *d)
{
    const struct inst *inst = d->inst;
    enum type from = inst->source_type, to = inst->type;
    const uint32_t cleans = FLAG_FTZ | FLAG_SAT;
    slot sources[2] = {SLOT_NONE, SLOT_NONE};
    for (uint32_t i = 1; i < inst->operand_count; i++) {
        sources[i - 1] = flushed(d, decode_source(d, &inst->operands[i]));
        if (inst->relu && !is_of_halves(to))
            sources[i - 1] = not_negative(d, from, sources[i - 1]);
    }
    sources[0] = widened(d, sources[0], &from);
    uint32_t flags = inst->flags & ~cleans;
    if (flags & to_whole && type_is_float(to)) {
        sources[0] = convert(d, from, from, flags & to_whole, sources[0]);
        flags = FLAG_RN;
    }
    bool eighths = to == TYPE_E4M3X2 || to == TYPE_E5M2X2;
    const struct inst last = {.op = OP_CVT,
                              .type = to,
                              .source_type = from,
                              .flags = flags,
                              .satfinite = eighths && inst->satfinite};
    slot result = decode_temporary(d);
    decode_alu(d, alu_find(&last), result, sources[0], sources[1]);
    if (inst->relu && is_of_halves(to))
        result = not_negative(d, to, result);
    if (inst->flags & FLAG_FTZ && to == TYPE_F32)
        result = cleaned(d, to, FLAG_FTZ, false, result);
    if (inst->flags & FLAG_SAT && type_is_float(to))
        result = cleaned(d, to, FLAG_SAT, false, result);
    if (inst->satfinite && !eighths)
        result = cleaned(d, to, 0, true, result);
    decode_operation(d, OP_MOV, type_with('b', type_bytes(to)),
                     decode_target(d, &inst->operands[0]), result);
    decode_extend(d, &inst->operands[0]);
}

/* slct moves the first two, and looks at the sign of the third. */
static slot flushed_source(struct decoder *d, uint32_t i, slot from)
{
    if (d->inst->op == OP_SLCT)
        return i == 3 ? flushed_as(d, d->inst->source_type, from) : from;
    return flushed(d, from);
}

/* ---- .f32x2 ---------------------------------------------------------------------------------- */

/* The instruction on the floats that begin at a bit of its sources. */
static slot decode_float_part(struct decoder *d, uint32_t from)
{
    struct inst part = *d->inst;
    slot sources[3] = {SLOT_NONE, SLOT_NONE, SLOT_NONE}, to = decode_temporary(d);
    part.type = TYPE_F32;
    for (uint32_t i = 1; i < part.operand_count && i < 4; i++) {
        slot shifted = decode_temporary(d);
        decode_operation(d, OP_SHR, TYPE_B64, shifted, decode_source(d, &part.operands[i]),
                         decode_value(d, from));
        sources[i - 1] = flushed_as(d, TYPE_F32, shifted);
    }
    decode_alu(d, alu_find(&part), to, sources[0], sources[1], sources[2]);
    return flushed_as(d, TYPE_F32, to);
}

static void decode_float_pair(struct decoder *d)
{
    slot low = decode_float_part(d, 0), high = decode_float_part(d, 32), up = decode_temporary(d);
    decode_operation(d, OP_SHL, TYPE_B64, up, high, decode_value(d, 32));
    decode_operation(d, OP_OR, TYPE_B64, decode_target(d, &d->inst->operands[0]), up, low);
    decode_extend(d, &d->inst->operands[0]);
}

/* ---- what most are --------------------------------------------------------------------------- */

static bool is_bitwise(enum op op)
{
    return op == OP_AND || op == OP_OR || op == OP_LOP3 || op == OP_SELP;
}

void decode_plain(struct decoder *d)
{
    const struct inst *inst = d->inst;
    slot sources[4] = {SLOT_NONE, SLOT_NONE, SLOT_NONE, SLOT_NONE};
    if (takes_steps(inst)) {
        decode_steps(d);
        return;
    }
    if (inst->type == TYPE_F32X2) {
        decode_float_pair(d);
        return;
    }
    for (uint32_t i = 1; i < inst->operand_count && i < 5; i++)
        sources[i - 1] = flushed_source(d, i, decode_source(d, &inst->operands[i]));
    bool narrowing = inst->op == OP_CVT && inst->flags & FLAG_SAT && !type_is_float(inst->type) &&
                     !type_is_float(inst->source_type);
    if (narrowing)
        sources[0] = widen(d, sources[0], inst->source_type);
    slot to = decode_target(d, &inst->operands[0]);
    struct micro *micro =
        decode_alu(d, alu_find(inst), to, sources[0], sources[1], sources[2], sources[3]);
    bool integer = !type_is_float(inst->type);
    if (integer && (inst->op == OP_DIV || inst->op == OP_REM))
        micro->flags |= MICRO_DIVIDES;
    if (is_bitwise(inst->op))
        micro->flags |= MICRO_BITWISE;
    if (inst->op != OP_SLCT)
        wrap_float(d, to);
    if (inst->op != OP_CVT && inst->relu && to != SLOT_NONE)
        decode_operation(d, OP_MAX, inst->type, to, to, decode_value(d, 0));
    decode_extend(d, &inst->operands[0]);
}

void decode_comparison(struct decoder *d)
{
    if (d->inst->op == OP_SETP)
        decode_setp(d);
    else if (d->inst->op == OP_SET)
        decode_set(d);
    else
        decode_plain(d);
}

/* There is one address space: shared, local and generic addresses are the same numbers. */
static void decode_cvta(struct decoder *d)
{
    slot from = decode_source(d, &d->inst->operands[1]);
    decode_operation(d, OP_MOV, d->inst->type, decode_target(d, &d->inst->operands[0]), from);
}

void decode_move(struct decoder *d)
{
    if (d->inst->op == OP_MOV)
        decode_mov(d);
    else if (d->inst->op == OP_CVTA)
        decode_cvta(d);
    else
        decode_plain(d);
}
