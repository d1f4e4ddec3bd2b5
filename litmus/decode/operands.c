/* SPDX-License-Identifier: MIT */
#include "litmus/decode/decode.h"

#include <stdlib.h>
#include <string.h>

/* Operands: what a name means depends on the place it stands in. */

char operand_role(enum op op, uint32_t index)
{
    for (const char *letter = op_signature(op); *letter; letter++)
        if (*letter != 'q' && *letter != '?' && index-- == 0)
            return *letter;
    return 0;
}

/* May the operand be a pair "d|p"? */
static bool takes_pair(enum op op, uint32_t index)
{
    return index == 0 && op_signature(op)[1] == 'q';
}

bool spot_refuse(const struct spot *spot, const struct raw_operand *raw, const char *wanted)
{
    parse_error(spot->decoder->parser, bad_operand, raw->span, NULL,
                "%s is needed here, not '%.40s'", wanted,
                span_text(spot->decoder->parser, raw->span));
    return false;
}

struct operand operand_plain(enum operand_kind kind, const struct raw_operand *raw)
{
    return (struct operand){.kind = kind,
                            .negated = raw->negated,
                            .reg = NONE,
                            .location = NONE,
                            .target = NONE,
                            .param = NONE,
                            .value = raw->value,
                            .span = raw->span};
}

/* The type an immediate of the instruction has. */
static enum type value_type(const struct inst *inst)
{
    switch (inst->op) {
    case OP_CVT:
        return inst->source_type;
    case OP_MUL:
    case OP_MAD:
        return inst->flags & FLAG_WIDE ? inst->source_type : inst->type;
    case OP_SLCT:
    case OP_SETP:
    case OP_SET:
    case OP_LD:
    case OP_ST:
    case OP_ATOM:
    case OP_RED:
    case OP_MOV:
        return inst->op == OP_SET ? inst->source_type : inst->type;
    default:
        return strchr(op_modifiers(inst->op), 'T') ? inst->type : TYPE_B32;
    }
}

static bool fits(uint64_t value, uint32_t bits)
{
    int64_t as_signed = (int64_t)value;
    return bits >= 64 || value >> bits == 0 ||
           (as_signed < 0 && as_signed >= -((int64_t)1 << (bits - 1)));
}

/* 1.5, 0f…, 0d…: the bits of the instruction's type. */
static bool float_immediate(const struct spot *spot, const struct raw_operand *raw,
                            struct operand *to)
{
    enum type type = value_type(spot->inst);
    uint32_t bytes = type_bytes(type);
    float single;
    double number;
    uint32_t bits = (uint32_t)raw->value;
    if (raw->kind == RAW_FLOAT32) {
        memcpy(&single, &bits, sizeof single);
        number = single;
    } else {
        memcpy(&number, &raw->value, sizeof number);
        single = (float)number;
        memcpy(&bits, &single, sizeof bits);
    }
    bool words = type == TYPE_B32 || type == TYPE_B64;
    if (type != TYPE_F32 && type != TYPE_F64 && !words)
        return spot_refuse(spot, raw, "an integer");
    *to = operand_plain(OPERAND_IMM, raw);
    to->value = bits;
    if (bytes == 8)
        memcpy(&to->value, &number, sizeof number);
    return true;
}

static bool immediate(const struct spot *spot, const struct raw_operand *raw, struct operand *to)
{
    enum type type = value_type(spot->inst);
    uint32_t bits = type == TYPE_PRED ? 32 : type_bytes(type) * 8;
    *to = operand_plain(OPERAND_IMM, raw);
    if (type_is_float(type) && raw->value)
        return spot_refuse(spot, raw, "a floating-point number such as 1.0 or 0f3F800000");
    if (fits(raw->value, bits))
        return true;
    parse_error(spot->decoder->parser, number_out_of_range, raw->span, NULL,
                "'%s' does not fit %u bits", span_text(spot->decoder->parser, raw->span), bits);
    return false;
}

static bool find_param(const struct spot *spot, struct span name, uint32_t *index)
{
    const struct raw_body *body = spot->decoder->raw;
    for (*index = 0; *index < body->params.len; ++*index)
        if (span_is(spot->decoder->parser, name, body->params.at[*index].name))
            return true;
    return false;
}

static bool unknown(const struct spot *spot, struct span name)
{
    struct parser *parser = spot->decoder->parser;
    const char *text = span_text(parser, name);
    const char **known =
        ARENA_ARRAY(parser->arena, const char *,
                    parser->locations.len + spot->decoder->regs.len + SPECIAL_COUNT);
    size_t count = 0;
    for (uint32_t i = 0; i < parser->locations.len; i++)
        known[count++] = parser->locations.at[i].name;
    for (uint32_t i = 0; i < spot->decoder->regs.len; i++)
        if (*spot->decoder->regs.at[i].name)
            known[count++] = spot->decoder->regs.at[i].name;
    for (enum special s = 0; s < SPECIAL_COUNT; s++)
        known[count++] = special_name(s);
    const char *near = diag_nearest(text, name.length, known, count);
    parse_error(parser, unknown_name, name,
                near ? arena_printf(parser->arena, "did you mean '%s'?", near) : NULL,
                "nothing is called '%.60s'", text);
    return false;
}

/* A register that only reads name: a column's starts at 0, a kernel's was meant to be something. */
static bool unwritten(const struct spot *spot, const struct raw_operand *raw, struct operand *to)
{
    struct decoder *decoder = spot->decoder;
    if (!decoder->raw->column ||
        memchr(decoder->parser->source->text + raw->name.offset, '.', raw->name.length))
        return unknown(spot, raw->name);
    if (!looks_like_register(decoder, raw->name))
        parse_error(decoder->parser, never_written, raw->name, NULL,
                    "'%s' is neither a location nor written: a register that is 0",
                    span_text(decoder->parser, raw->name));
    to->kind = OPERAND_REG;
    to->reg = decoder_register(decoder, raw->name.length ? spot->raw->block : 0, raw->name);
    return true;
}

static bool named_value(const struct spot *spot, const struct raw_operand *raw, struct operand *to)
{
    struct decoder *decoder = spot->decoder;
    uint32_t index;
    *to = operand_plain(OPERAND_REG, raw);
    if (!raw->address && !raw->offset &&
        decoder_find_register(decoder, spot->raw->block, raw->name, &to->reg))
        return true;
    if (location_find(decoder->parser, decoder->body, raw->name, &to->location)) {
        to->kind = OPERAND_SYMBOL;
        return true;
    }
    if (raw->address || raw->offset)
        return raw->offset ? spot_refuse(spot, raw, "a location before '+'")
                           : unknown(spot, raw->name);
    if (decoder_find_special(decoder, raw->name, &to->special)) {
        to->kind = OPERAND_SPECIAL;
        return true;
    }
    if (span_is(decoder->parser, raw->name, "WARP_SZ")) {
        to->kind = OPERAND_IMM;
        to->value = 32;
        return true;
    }
    if (find_param(spot, raw->name, &index))
        return spot_refuse(spot, raw, "a value (a parameter is read with ld.param)");
    if (spot_find_function(spot, raw->name, &index))
        return spot_refuse(spot, raw, "a value (addresses of functions are not supported)");
    return unwritten(spot, raw, to);
}

static bool temporary(const struct spot *spot, const struct raw_operand *raw, struct operand *to)
{
    *to = operand_plain(OPERAND_REG, raw);
    to->reg = decoder_temporary(spot->decoder, raw);
    return true;
}

static bool value(const struct spot *spot, const struct raw_operand *raw, struct operand *to)
{
    if (raw->negated)
        return spot_refuse(spot, raw, "a value without '!'");
    switch (raw->kind) {
    case RAW_NAME:
        return named_value(spot, raw, to);
    case RAW_NUMBER:
        return immediate(spot, raw, to);
    case RAW_TEMPORARY:
        return temporary(spot, raw, to);
    case RAW_FLOAT32:
    case RAW_FLOAT64:
        return float_immediate(spot, raw, to);
    default:
        return spot_refuse(spot, raw, "a register, a number or the name of a location");
    }
}

static bool destination(const struct spot *spot, const struct raw_operand *raw, struct operand *to)
{
    struct decoder *decoder = spot->decoder;
    uint32_t location;
    *to = operand_plain(raw->kind == RAW_SINK ? OPERAND_SINK : OPERAND_REG, raw);
    if (raw->kind == RAW_TEMPORARY)
        return temporary(spot, raw, to);
    if (raw->kind == RAW_SINK && !raw->negated && !raw->address)
        return true;
    if (raw->kind != RAW_NAME || raw->negated || raw->address || raw->offset)
        return spot_refuse(spot, raw, "a register to write");
    if (decoder_find_register(decoder, spot->raw->block, raw->name, &to->reg))
        return true;
    if (!location_find(decoder->parser, decoder->body, raw->name, &location))
        return unknown(spot, raw->name);
    parse_error(decoder->parser, name_of_location, raw->span, NULL,
                "'%s' is a location, not a register", decoder->parser->locations.at[location].name);
    return false;
}

static bool predicate(const struct spot *spot, const struct raw_operand *raw, struct operand *to)
{
    *to = operand_plain(OPERAND_REG, raw);
    if (raw->kind != RAW_NAME || raw->address || raw->offset)
        return spot_refuse(spot, raw, "a predicate register");
    return decoder_find_register(spot->decoder, spot->raw->block, raw->name, &to->reg) ||
           unwritten(spot, raw, to);
}

/* [name+4]; in columns also the bare name of a location or of a register that holds an address. */
static bool memory(const struct spot *spot, const struct raw_operand *raw, struct operand *to)
{
    struct decoder *decoder = spot->decoder;
    bool bare = raw->kind == RAW_NAME && decoder->raw->column && !raw->offset;
    *to = operand_plain(OPERAND_MEMORY, raw);
    if ((raw->kind != RAW_MEMORY && !bare) || raw->negated)
        return spot_refuse(spot, raw,
                           decoder->raw->column ? "a location" : "an address such as [x]");
    if (!raw->name.length)
        return spot_refuse(spot, raw, "an address made from a name");
    if (spot->inst->space == SPACE_PARAM) {
        if (decoder_find_frame(decoder, spot->raw->block, raw->name, &to->param))
            return to->kind = OPERAND_FRAME, true;
        to->kind = OPERAND_PARAM;
        return find_param(spot, raw->name, &to->param) || unknown(spot, raw->name);
    }
    if (!raw->address && decoder_find_register(decoder, spot->raw->block, raw->name, &to->reg))
        return true;
    if (location_find(decoder->parser, decoder->body, raw->name, &to->location))
        return true;
    if (find_param(spot, raw->name, &to->param))
        return spot_refuse(spot, raw, "an address (a parameter is read with ld.param)");
    return unwritten(spot, raw, to) && (to->kind = OPERAND_MEMORY, true);
}

typedef bool (*element_reader)(const struct spot *, const struct raw_operand *, struct operand *);

static bool parts(const struct spot *spot, const struct raw_operand *raw, struct operand *to,
                  enum operand_kind kind, element_reader read)
{
    *to = operand_plain(kind, raw);
    to->part_count = raw->part_count;
    to->parts = ARENA_ARRAY(spot->decoder->parser->arena, struct operand, raw->part_count);
    for (uint32_t i = 0; i < raw->part_count; i++)
        if (!read(spot, &raw->parts[i], &to->parts[i]))
            return false;
    return true;
}

static bool one_operand(const struct spot *spot, uint32_t index, struct operand *to)
{
    const struct raw_operand *raw = &spot->raw->operands[index];
    enum op op = spot->inst->op;
    switch (operand_role(op, index)) {
    case 'D':
        if (raw->kind == RAW_VECTOR)
            return parts(spot, raw, to, OPERAND_VECTOR, destination);
        return destination(spot, raw, to);
    case 'd':
        if (raw->kind == RAW_PAIR && takes_pair(op, index))
            return parts(spot, raw, to, OPERAND_PAIR, destination);
        return destination(spot, raw, to);
    case 'A':
        if (raw->kind == RAW_VECTOR)
            return parts(spot, raw, to, OPERAND_VECTOR, value);
        return value(spot, raw, to);
    case 'a':
        return value(spot, raw, to);
    case 'p':
        return predicate(spot, raw, to);
    case 'm':
        return memory(spot, raw, to);
    case 'f':
        return spot_function(spot, raw, to);
    case 'r':
        if (raw->kind != RAW_LIST)
            return spot_refuse(spot, raw, "a list such as (param0)");
        return parts(spot, raw, to, OPERAND_VECTOR, spot_frame_variable);
    case 'l':
        return (op == OP_BRX ? spot_label_list : spot_label)(spot, raw, to);
    default: /* a letter of isa.def that nobody reads */
        abort();
    }
}

static void count_range(enum op op, uint32_t *least, uint32_t *most)
{
    bool optional = false;
    *least = *most = 0;
    for (const char *letter = op_signature(op); *letter; letter++) {
        optional = optional || *letter == '?';
        *most += *letter != 'q' && *letter != '?';
        *least += *letter != 'q' && *letter != '?' && !optional;
    }
}

/* An instruction as it is written, where that is one word: 'beq', 'goto' and 'tld' have no other.
 */
static const char *written(const struct parser *parser, const struct raw_inst *raw)
{
    const char *mnemonic = op_mnemonic(raw->op);
    if (strchr(mnemonic, '.') || !raw->head.length)
        return mnemonic;
    return arena_strndup(parser->arena, parser->source->text + raw->head.offset, raw->head.length);
}

bool decode_operands(struct decoder *decoder, const struct raw_inst *raw, struct inst *inst)
{
    uint32_t least, most;
    struct spot spot = {decoder, raw, inst};
    count_range(inst->op, &least, &most);
    if (raw->operand_count < least || raw->operand_count > most) {
        const char *range =
            least == most ? "" : arena_printf(decoder->parser->arena, " to %u", most);
        parse_error(decoder->parser, operand_count, raw->span, NULL,
                    "'%s' takes %u%s operand%s, not %u", written(decoder->parser, raw), least,
                    range, most == 1 ? "" : "s", raw->operand_count);
        return false;
    }
    inst->operand_count = raw->operand_count;
    for (uint32_t i = 0; i < raw->operand_count; i++)
        if (!one_operand(&spot, i, &inst->operands[i]))
            return false;
    return true;
}
