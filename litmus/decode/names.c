/* SPDX-License-Identifier: MIT */
#include "litmus/decode/decode.h"

#include <string.h>

#include "litmus/base/number.h"

/* Names of a body: registers (declared, or made by being written), ranges of them, labels. */

static const char *text_of(const struct decoder *decoder, struct span name)
{
    return decoder->parser->source->text + name.offset;
}

/* Is something else that the code can name called so? A register hides a location on purpose, but
 * not by a name that was made up. */
static bool register_name_taken(const struct decoder *decoder, uint32_t block, const char *name)
{
    uint32_t other, length = (uint32_t)strlen(name);
    const struct names *locations = &decoder->parser->location_names;
    return names_get(decoder->reg_names, NONE, name, length, &other) ||
           (block && (names_get(locations, decoder->body, name, length, &other) ||
                      names_get(locations, NONE, name, length, &other)));
}

/* Names of inner blocks get a suffix, because the body has one flat list of registers. */
static uint32_t add_named(struct decoder *decoder, uint32_t block, const char *name,
                          struct span span, enum type type)
{
    struct parser *parser = decoder->parser;
    uint32_t index = decoder->regs.len, length = (uint32_t)strlen(name);
    struct reg reg = {name, type, span};
    if (block)
        reg.name = arena_printf(parser->arena, "%s$%u", name, block);
    while (register_name_taken(decoder, block, reg.name))
        reg.name = arena_printf(parser->arena, "%s$", reg.name);
    vec_push(parser->arena, &decoder->regs, reg);
    names_put(decoder->reg_names, block, name, length, index);
    names_put(decoder->reg_names, NONE, reg.name, (uint32_t)strlen(reg.name), index);
    return index;
}

static uint32_t add_register(struct decoder *decoder, uint32_t block, struct span name,
                             enum type type)
{
    return add_named(decoder, block, span_text(decoder->parser, name), name, type);
}

/* "%r12" of "%r<15>": the declared prefix with a number below the count behind it. */
static bool in_range(const struct decoder *decoder, uint32_t block, struct span name,
                     enum type *type)
{
    const char *text = text_of(decoder, name);
    for (uint32_t i = name.length; i-- > 1 && name.length - i <= 9;) {
        uint32_t range;
        uint64_t number;
        bool fits;
        if (number_digits(text + i, name.length - i, 10, &number, &fits) != name.length - i)
            return false;
        if (text[i] == '0' && i + 1 < name.length)
            continue; /* no register is called %r01 */
        if (names_get(&decoder->range_names, block, text, i, &range) &&
            number < decoder->raw->regs.at[range].count) {
            *type = decoder->raw->regs.at[range].type;
            return true;
        }
    }
    return false;
}

bool decoder_find_register(struct decoder *decoder, uint32_t block, struct span name,
                           uint32_t *index)
{
    enum type type;
    for (uint32_t b = block; b != NONE; b = decoder->raw->blocks.at[b]) {
        if (names_get(decoder->reg_names, b, text_of(decoder, name), name.length, index))
            return true;
        if (in_range(decoder, b, name, &type)) {
            *index = add_register(decoder, b, name, type);
            return true;
        }
    }
    return false;
}

uint32_t decoder_register(struct decoder *decoder, uint32_t block, struct span name)
{
    uint32_t index;
    if (decoder_find_register(decoder, block, name, &index))
        return index;
    return add_register(decoder, 0, name, TYPE_NONE);
}

uint32_t decoder_temporary(struct decoder *decoder, const struct raw_operand *operand)
{
    uint32_t *index = &decoder->temporaries[operand->value];
    struct reg reg = {"", TYPE_NONE, operand->span};
    if (*index == NONE) {
        *index = decoder->regs.len;
        vec_push(decoder->parser->arena, &decoder->regs, reg);
    }
    return *index;
}

static void note_mention(struct decoder *decoder, const struct raw_operand *operand)
{
    for (uint32_t i = 0; i < operand->part_count; i++)
        note_mention(decoder, &operand->parts[i]);
    if (operand->name.length)
        names_put(&decoder->mentioned, 0, text_of(decoder, operand->name), operand->name.length, 0);
}

void decoder_note_mentions(struct decoder *decoder)
{
    for (uint32_t i = 0; i < decoder->raw->insts.len; i++)
        for (uint32_t k = 0; k < decoder->raw->insts.at[i].operand_count; k++)
            note_mention(decoder, &decoder->raw->insts.at[i].operands[k]);
}

static bool code_mentions(const struct decoder *decoder, const char *name)
{
    uint32_t nothing;
    return names_get(&decoder->mentioned, 0, name, (uint32_t)strlen(name), &nothing);
}

uint32_t decoder_named_register(struct decoder *decoder, struct span name)
{
    struct arena *arena = decoder->parser->arena;
    const char *plain = span_text(decoder->parser, name);
    const char *percent = arena_printf(arena, "%%%s", plain);
    uint32_t index;
    if (decoder_find_register(decoder, 0, name, &index) || code_mentions(decoder, plain) ||
        !code_mentions(decoder, percent))
        return decoder_register(decoder, 0, name);
    if (names_get(decoder->reg_names, 0, percent, name.length + 1, &index))
        return index;
    return add_named(decoder, 0, percent, name, TYPE_NONE);
}

bool decoder_find_label(const struct decoder *decoder, uint32_t block, struct span name,
                        const struct raw_label **label)
{
    uint32_t index;
    for (uint32_t b = block; b != NONE; b = decoder->raw->blocks.at[b])
        if (names_get(&decoder->label_names, b, text_of(decoder, name), name.length, &index)) {
            *label = &decoder->raw->labels.at[index];
            return true;
        }
    return false;
}

bool decoder_find_frame(const struct decoder *decoder, uint32_t block, struct span name,
                        uint32_t *index)
{
    for (uint32_t b = block; b != NONE; b = decoder->raw->blocks.at[b])
        if (names_get(&decoder->frame_names, b, text_of(decoder, name), name.length, index))
            return true;
    return false;
}

bool decoder_find_special(const struct decoder *decoder, struct span name, enum special *special)
{
    for (enum special s = 0; s < SPECIAL_COUNT; s++)
        if (span_is(decoder->parser, name, special_name(s))) {
            *special = s;
            return true;
        }
    return false;
}

/* What a register is called in tests that declare none: %anything, r0, r12. */
bool looks_like_register(const struct decoder *decoder, struct span name)
{
    const char *text = text_of(decoder, name);
    if (text[0] == '%')
        return !memchr(text, '.', name.length);
    if (text[0] != 'r' || name.length < 2)
        return false;
    uint64_t number;
    bool fits;
    return number_digits(text + 1, name.length - 1, 10, &number, &fits) == name.length - 1;
}

static void declare_labels(struct decoder *decoder)
{
    struct raw_body *raw = decoder->raw;
    for (uint32_t i = 0; i < raw->labels.len; i++) {
        struct raw_label *label = &raw->labels.at[i];
        const char *text = text_of(decoder, label->name);
        uint32_t other;
        label->again =
            names_get(&decoder->label_names, label->block, text, label->name.length, &other);
        if (label->again)
            parse_error(decoder->parser, duplicate_label, label->name, NULL,
                        "label '%s' stands twice in '%s'", span_text(decoder->parser, label->name),
                        raw->name);
        names_put(&decoder->label_names, label->block, text, label->name.length, i);
    }
}

static void keep_name(struct names *taken, const char *name)
{
    names_put(taken, 0, name, (uint32_t)strlen(name), 0);
}

/* Names of inner blocks get a suffix, because the body has one flat frame. */
static void make_frame_names_unique(struct decoder *decoder)
{
    struct raw_body *raw = decoder->raw;
    struct arena *arena = decoder->parser->arena;
    struct names taken = {.arena = arena};
    uint32_t other;
    for (uint32_t i = 0; i < raw->params.len; i++)
        keep_name(&taken, raw->params.at[i].name);
    for (uint32_t i = 0; i < raw->frame.len; i++)
        if (!raw->frame.at[i].block)
            keep_name(&taken, raw->frame.at[i].param.name);
    for (uint32_t i = 0; i < raw->frame.len; i++) {
        struct raw_frame_variable *variable = &raw->frame.at[i];
        const char *name = arena_printf(arena, "%s$%u", variable->param.name, variable->block);
        if (!variable->block)
            continue;
        while (names_get(&taken, 0, name, (uint32_t)strlen(name), &other))
            name = arena_printf(arena, "%s$", name);
        keep_name(&taken, name);
        variable->param.name = name;
    }
}

static void declare_frame(struct decoder *decoder)
{
    struct parser *parser = decoder->parser;
    for (uint32_t i = 0; i < decoder->raw->frame.len; i++) {
        struct raw_frame_variable *variable = &decoder->raw->frame.at[i];
        const char *text = text_of(decoder, variable->param.span);
        uint32_t other, length = variable->param.span.length;
        if (names_get(&decoder->frame_names, variable->block, text, length, &other))
            parse_error(parser, duplicate_location, variable->param.span, NULL,
                        "'%s' is declared twice", variable->param.name);
        names_put(&decoder->frame_names, variable->block, text, length, i);
    }
}

static void declare_register(struct decoder *decoder, uint32_t index)
{
    const struct raw_reg *reg = &decoder->raw->regs.at[index];
    const char *text = text_of(decoder, reg->name);
    uint32_t other;
    struct names *names = reg->count ? &decoder->range_names : decoder->reg_names;
    if (names_get(names, reg->block, text, reg->name.length, &other))
        parse_error(decoder->parser, duplicate_register, reg->name, NULL,
                    "register '%s' is declared twice", span_text(decoder->parser, reg->name));
    else if (reg->count)
        names_put(names, reg->block, text, reg->name.length, index);
    else
        add_register(decoder, reg->block, reg->name, reg->type);
}

/* Does the name mean a location of the test here, before any register is made by use? */
static bool is_location(const struct decoder *decoder, struct span name)
{
    uint32_t index;
    return location_find(decoder->parser, decoder->body, name, &index) &&
           decoder->parser->locations.at[index].declared;
}

/* Only special registers have a dot in their name. */
static bool has_dot(const struct decoder *decoder, struct span name)
{
    return memchr(decoder->parser->source->text + name.offset, '.', name.length);
}

static void declare_destination(struct decoder *decoder, uint32_t block,
                                const struct raw_operand *operand)
{
    for (uint32_t i = 0; i < operand->part_count; i++)
        declare_destination(decoder, block, &operand->parts[i]);
    if (operand->kind == RAW_TEMPORARY)
        decoder_temporary(decoder, operand);
    if (operand->kind == RAW_NAME && !is_location(decoder, operand->name) &&
        !has_dot(decoder, operand->name))
        decoder_register(decoder, block, operand->name);
}

static void declare_written(struct decoder *decoder)
{
    for (uint32_t i = 0; i < decoder->raw->insts.len; i++) {
        const struct raw_inst *inst = &decoder->raw->insts.at[i];
        for (uint32_t k = 0; k < inst->operand_count; k++)
            if (operand_role(inst->op, k) == 'd' || operand_role(inst->op, k) == 'D')
                declare_destination(decoder, inst->block, &inst->operands[k]);
    }
}

void decoder_declare(struct decoder *decoder)
{
    declare_labels(decoder);
    declare_frame(decoder);
    make_frame_names_unique(decoder);
    for (uint32_t i = 0; i < decoder->raw->regs.len; i++)
        declare_register(decoder, i);
    declare_written(decoder);
}
