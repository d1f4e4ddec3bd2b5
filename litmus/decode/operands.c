/* SPDX-License-Identifier: MIT */
#include "litmus/decode/decode.h"

#include <stdlib.h>
#include <string.h>

#include "litmus/base/number.h"

/* Decodes operands: what a name means depends on its place in the instruction. */

/* May the operand be a pair "d|p"? */
static bool takes_pair(enum op op, uint32_t index)
{
    return index == 0 && op_row(op)->signature[1] == 'q';
}

/* 1.5, 0f…, 0d…: the bits of the instruction's type. */
static bool float_immediate(struct body_decoder *d, const struct raw_operand *raw,
                            struct operand *to)
{
    enum type type = inst_value_type(d->inst);
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
        return decode_refuse(d, raw, "an integer");
    *to = decode_operand(OPERAND_IMM, raw);
    to->value = bits;
    if (bytes == 8)
        memcpy(&to->value, &number, sizeof number);
    return true;
}

static bool immediate(struct body_decoder *d, const struct raw_operand *raw, struct operand *to)
{
    enum type type = inst_value_type(d->inst);
    uint32_t bits = type == TYPE_PRED ? 32 : type_bytes(type) * 8;
    *to = decode_operand(OPERAND_IMM, raw);
    if (type_is_float(type) && raw->value)
        return decode_refuse(d, raw, "a floating-point number such as 1.0 or 0f3F800000");
    if (number_fits(raw->value, bits))
        return true;
    parse_error(d->parser, number_out_of_range, raw->span, NULL, "'%s' does not fit %u bits",
                parse_text(d->parser, raw->span), bits);
    return false;
}

static bool find_param(struct body_decoder *d, struct span name, uint32_t *index)
{
    const struct raw_body *body = d->raw;
    for (*index = 0; *index < body->params.len; ++*index)
        if (parse_text_is(d->parser, name, body->params.at[*index].name))
            return true;
    return false;
}

/* Constant memory with the parameter's bytes, for a kernel that takes its address (__grid_constant__). */
static uint32_t param_location(struct body_decoder *d, struct param *param)
{
    struct parser *p = d->parser;
    struct location location = test_array(param->name, TYPE_U64, (param->bytes + 7) / 8);
    if (param->location)
        return param->location - 1;
    location.space = SPACE_CONST;
    location.span = param->span;
    location.init = ARENA_ARRAY(p->arena, struct location_init, location.elements);
    for (uint32_t i = 0; i < location.elements; i++)
        location.init[i].address_of = NONE;
    vec_push(p->arena, &p->locations, location);
    param->location = p->locations.len;
    return param->location - 1;
}

/* Is it a variable of some block that is not around this one? */
static bool is_elsewhere(struct body_decoder *d, struct span name)
{
    const struct raw_body *raw = d->raw;
    for (uint32_t block = 1; block < raw->blocks.len; block++)
        if (parse_name(d->parser, &raw->locations, block, name) != NONE)
            return true;
    return false;
}

static const char *hint_for(struct body_decoder *d, struct span name)
{
    struct parser *p = d->parser;
    if (is_elsewhere(d, name))
        return "it is declared in an inner block, and known only there";
    const char **known =
        ARENA_ARRAY(p->arena, const char *, p->locations.len + d->regs.len + SPECIAL_COUNT);
    size_t count = 0;
    for (uint32_t i = 0; i < p->locations.len; i++)
        known[count++] = p->locations.at[i].name;
    for (uint32_t i = 0; i < d->regs.len; i++)
        if (*d->regs.at[i].name)
            known[count++] = d->regs.at[i].name;
    for (enum special s = 0; s < SPECIAL_COUNT; s++)
        known[count++] = special_name(s);
    return diag_hint(p->arena, parse_text(p, name), name.length, known, count);
}

static bool unknown(struct body_decoder *d, struct span name)
{
    if (parse_is_unread(d->parser, name)) /* its declaration is what was wrong */
        return false;
    parse_error(d->parser, unknown_name, name, hint_for(d, name), "nothing is called '%.60s'",
                parse_text(d->parser, name));
    return false;
}

/* A register that only reads name: a column's starts at 0, a kernel's was meant to be something. */
static bool unwritten(struct body_decoder *d, const struct raw_operand *raw, struct operand *to)
{
    if (!d->raw->dialect ||
        memchr(d->parser->source->text + raw->name.offset, '.', raw->name.length))
        return unknown(d, raw->name);
    if (!decode_is_register_like(d, raw->name))
        parse_error(d->parser, never_written, raw->name, NULL,
                    "'%s' is neither a location nor written: a register that is 0",
                    parse_text(d->parser, raw->name));
    to->kind = OPERAND_REG;
    to->reg = decoder_register(d, raw->name.length ? d->from->block : 0, raw->name);
    return true;
}

/* A register, else a location, else a special register or WARP_SZ, else a register that is never written. */
static bool named_value(struct body_decoder *d, const struct raw_operand *raw, struct operand *to)
{
    uint32_t index;
    *to = decode_operand(OPERAND_REG, raw);
    if (!raw->address && !raw->offset &&
        decoder_find_register(d, d->from->block, raw->name, &to->reg))
        return true;
    if (decoder_find_location(d, d->from->block, raw->name, &to->location)) {
        to->kind = OPERAND_SYMBOL;
        return true;
    }
    if (raw->address || raw->offset)
        return raw->offset ? decode_refuse(d, raw, "a location before '+'") : unknown(d, raw->name);
    if (decoder_find_special(d, raw->name, &to->special)) {
        to->kind = OPERAND_SPECIAL;
        return true;
    }
    if (parse_text_is(d->parser, raw->name, "WARP_SZ")) {
        to->kind = OPERAND_IMM;
        to->value = 32;
        return true;
    }
    if (find_param(d, raw->name, &index)) {
        to->kind = OPERAND_SYMBOL;
        to->location = param_location(d, &d->raw->params.at[index]);
        return true;
    }
    if (parse_is_function(d->parser, raw->name)) {
        to->kind = OPERAND_IMM;
        to->value = parse_function_address(d->parser, raw->name);
        return true;
    }
    return unwritten(d, raw, to);
}

static bool temporary(struct body_decoder *d, const struct raw_operand *raw, struct operand *to)
{
    *to = decode_operand(OPERAND_REG, raw);
    to->reg = raw->kind == RAW_TEMPORARY ? decoder_temporary(d, raw) : decoder_variable(d, raw);
    return true;
}

static bool value(struct body_decoder *d, const struct raw_operand *raw, struct operand *to)
{
    if (raw->negated)
        return decode_refuse(d, raw, "a value without '!'");
    switch (raw->kind) {
    case RAW_NAME:
        return named_value(d, raw, to);
    case RAW_NUMBER:
        return immediate(d, raw, to);
    case RAW_TEMPORARY:
    case RAW_VARIABLE:
        return temporary(d, raw, to);
    case RAW_FLOAT32:
    case RAW_FLOAT64:
        return float_immediate(d, raw, to);
    default:
        return decode_refuse(d, raw, "a register, a number or the name of a location");
    }
}

static bool destination(struct body_decoder *d, const struct raw_operand *raw, struct operand *to)
{
    uint32_t location;
    *to = decode_operand(raw->kind == RAW_SINK ? OPERAND_SINK : OPERAND_REG, raw);
    if (raw->kind == RAW_TEMPORARY || raw->kind == RAW_VARIABLE)
        return temporary(d, raw, to);
    if (raw->kind == RAW_SINK && !raw->negated && !raw->address)
        return true;
    if (raw->kind != RAW_NAME || raw->negated || raw->address || raw->offset)
        return decode_refuse(d, raw, "a register to write");
    if (decoder_find_register(d, d->from->block, raw->name, &to->reg))
        return true;
    if (!decoder_find_location(d, d->from->block, raw->name, &location))
        return unknown(d, raw->name);
    parse_error(d->parser, name_of_location, raw->span, NULL, "'%s' is a location, not a register",
                d->parser->locations.at[location].name);
    return false;
}

static bool predicate(struct body_decoder *d, const struct raw_operand *raw, struct operand *to)
{
    *to = decode_operand(OPERAND_REG, raw);
    if (raw->kind != RAW_NAME || raw->address || raw->offset)
        return decode_refuse(d, raw, "a predicate register");
    return decoder_find_register(d, d->from->block, raw->name, &to->reg) || unwritten(d, raw, to);
}

/* [name+4]; in columns also the bare name of a location or of a register that holds an address. */
static bool memory(struct body_decoder *d, const struct raw_operand *raw, struct operand *to)
{
    bool bare = raw->kind == RAW_NAME && d->raw->dialect && !raw->offset;
    *to = decode_operand(OPERAND_MEMORY, raw);
    if (raw->kind == RAW_PLACE) {
        to->location = raw->location;
        to->value = raw->value;
        return true;
    }
    if ((raw->kind != RAW_MEMORY && !bare) || raw->negated)
        return decode_refuse(d, raw, d->raw->dialect ? "a location" : "an address such as [x]");
    if (!raw->name.length)
        return decode_refuse(d, raw, "an address made from a name");
    if (d->inst->space == SPACE_PARAM &&
        !decoder_find_register(d, d->from->block, raw->name, &to->reg)) {
        if (decoder_find_frame(d, d->from->block, raw->name, &to->param))
            return to->kind = OPERAND_FRAME, true;
        to->kind = OPERAND_PARAM;
        return find_param(d, raw->name, &to->param) || unknown(d, raw->name);
    }
    if (!raw->address && decoder_find_register(d, d->from->block, raw->name, &to->reg))
        return true;
    if (decoder_find_location(d, d->from->block, raw->name, &to->location))
        return true;
    if (find_param(d, raw->name, &to->param))
        return decode_refuse(d, raw, "an address (a parameter is read with ld.param)");
    return unwritten(d, raw, to) && (to->kind = OPERAND_MEMORY, true);
}

typedef bool (*element_reader)(struct body_decoder *, const struct raw_operand *, struct operand *);

static bool parts(struct body_decoder *d, const struct raw_operand *raw, struct operand *to,
                  enum operand_kind kind, element_reader read)
{
    *to = decode_operand(kind, raw);
    to->part_count = raw->part_count;
    to->parts = ARENA_ARRAY(d->parser->arena, struct operand, raw->part_count);
    for (uint32_t i = 0; i < raw->part_count; i++)
        if (!read(d, &raw->parts[i], &to->parts[i]))
            return false;
    return true;
}

static bool one_operand(struct body_decoder *d, uint32_t index, struct operand *to)
{
    const struct raw_operand *raw = &d->from->operands[index];
    enum op op = d->inst->op;
    switch (op_operand(op, index)) {
    case 'D':
        if (raw->kind == RAW_VECTOR)
            return parts(d, raw, to, OPERAND_VECTOR, destination);
        return destination(d, raw, to);
    case 'd':
        if (raw->kind == RAW_PAIR && takes_pair(op, index))
            return parts(d, raw, to, OPERAND_PAIR, destination);
        return destination(d, raw, to);
    case 'A':
        if (raw->kind == RAW_VECTOR)
            return parts(d, raw, to, OPERAND_VECTOR, value);
        return value(d, raw, to);
    case 'a':
        return value(d, raw, to);
    case 'p':
        return predicate(d, raw, to);
    case 'm':
        return memory(d, raw, to);
    case 'f':
        return decode_function(d, raw, to);
    case 'r':
        if (raw->kind != RAW_LIST)
            return decode_refuse(d, raw, "a list such as (param0)");
        return parts(d, raw, to, OPERAND_VECTOR, decode_frame_variable);
    case 'l':
        return (op == OP_BRX ? decode_label_list : decode_label)(d, raw, to);
    default: /* a letter of isa.def that nobody reads */
        abort();
    }
}

static void count_range(enum op op, uint32_t *least, uint32_t *most)
{
    bool optional = false;
    *least = *most = 0;
    for (const char *letter = op_row(op)->signature; *letter; letter++) {
        optional = optional || *letter == '?';
        *most += *letter != 'q' && *letter != '?';
        *least += *letter != 'q' && *letter != '?' && !optional;
    }
}

/* An instruction as it is written, where that is one word: 'beq', 'goto' and 'tld' have no other.
 */
static const char *written(const struct parser *p, const struct raw_inst *raw)
{
    const char *mnemonic = op_mnemonic(raw->op);
    if (strchr(mnemonic, '.') || !raw->head.length)
        return mnemonic;
    return arena_strndup(p->arena, p->source->text + raw->head.offset, raw->head.length);
}

void decode_addresses(struct body_decoder *d)
{
    uint32_t index;
    for (uint32_t i = 0; i < d->from->operand_count && !d->raw->dialect; i++) {
        const struct raw_operand *raw = &d->from->operands[i];
        if (raw->kind == RAW_MEMORY && raw->name.length &&
            !decoder_find_register(d, d->from->block, raw->name, &index) &&
            !decoder_find_location(d, d->from->block, raw->name, &index) &&
            !decoder_find_frame(d, d->from->block, raw->name, &index) &&
            !find_param(d, raw->name, &index))
            unknown(d, raw->name);
    }
}

bool decode_operands(struct body_decoder *d)
{
    const struct raw_inst *raw = d->from;
    struct inst *inst = d->inst;
    uint32_t least, most;
    count_range(inst->op, &least, &most);
    if (raw->operand_count < least || raw->operand_count > most) {
        const char *range = least == most ? "" : arena_printf(d->parser->arena, " to %u", most);
        parse_error(d->parser, operand_count, raw->span, NULL, "'%s' takes %u%s operand%s, not %u",
                    written(d->parser, raw), least, range, most == 1 ? "" : "s",
                    raw->operand_count);
        return false;
    }
    inst->operand_count = raw->operand_count;
    for (uint32_t i = 0; i < raw->operand_count; i++)
        if (!one_operand(d, i, &inst->operands[i]))
            return false;
    return true;
}
