/* SPDX-License-Identifier: MIT */
#include "litmus/decode/decode.h"

#include <string.h>

#include "litmus/base/number.h"

/* Names of a body: registers (declared, or made by being written), ranges of them, labels. */

static const char *text_of(const struct body_decoder *d, struct span name)
{
    return d->parser->source->text + name.offset;
}

/* Is something else that the code can name called so? A register hides a location on purpose, but
 * not by a name that was made up. */
static bool register_name_taken(const struct body_decoder *d, uint32_t block, const char *name)
{
    const struct names *locations = &d->parser->location_names;
    return names_has(d->reg_names, NONE, name) ||
           (block && (names_has(locations, d->body, name) || names_has(locations, NONE, name)));
}

/* Names of inner blocks get a suffix, because the body has one flat list of registers. */
static uint32_t add_named(struct body_decoder *d, uint32_t block, const char *name,
                          struct span span, enum type type)
{
    struct parser *p = d->parser;
    uint32_t index = d->regs.len;
    struct reg reg = {name, type, span};
    if (block)
        reg.name = arena_printf(p->arena, "%s$%u", name, block);
    while (register_name_taken(d, block, reg.name))
        reg.name = arena_printf(p->arena, "%s$", reg.name);
    vec_push(p->arena, &d->regs, reg);
    names_put(d->reg_names, block, name, strlen(name), index);
    names_put(d->reg_names, NONE, reg.name, strlen(reg.name), index);
    return index;
}

static uint32_t add_register(struct body_decoder *d, uint32_t block, struct span name,
                             enum type type)
{
    return add_named(d, block, parse_text(d->parser, name), name, type);
}

/* "%r12" of "%r<15>": the declared prefix with a number below the count behind it. */
static bool in_range(const struct body_decoder *d, uint32_t block, struct span name,
                     enum type *type)
{
    const char *text = text_of(d, name);
    for (uint32_t i = name.length; i-- > 1 && name.length - i <= 9;) {
        uint64_t number;
        bool fits;
        if (number_digits(text + i, name.length - i, 10, &number, &fits) != name.length - i)
            return false;
        if (text[i] == '0' && i + 1 < name.length)
            continue; /* no register is called %r01 */
        uint32_t range = names_get(&d->range_names, block, text, i);
        if (range != NONE && number < d->raw->regs.at[range].count) {
            *type = d->raw->regs.at[range].type;
            return true;
        }
    }
    return false;
}

bool decoder_find_register(struct body_decoder *d, uint32_t block, struct span name,
                           uint32_t *index)
{
    enum type type;
    for (uint32_t b = block; b != NONE; b = d->raw->blocks.at[b]) {
        if (parse_name(d->parser, &d->raw->locations, b, name) != NONE)
            return false; /* which hides a register around the block */
        if ((*index = parse_name(d->parser, d->reg_names, b, name)) != NONE)
            return true;
        if (in_range(d, b, name, &type)) {
            *index = add_register(d, b, name, type);
            return true;
        }
    }
    return false;
}

/* What the name means in the block or in one around it, or NONE. */
static uint32_t find_text_around(const struct body_decoder *d, const struct names *names,
                                 uint32_t block, const char *text, size_t length)
{
    uint32_t index = NONE;
    for (uint32_t b = block; b != NONE && index == NONE; b = d->raw->blocks.at[b])
        index = names_get(names, b, text, length);
    return index;
}

static uint32_t find_around(const struct body_decoder *d, const struct names *names, uint32_t block,
                            struct span name)
{
    return find_text_around(d, names, block, text_of(d, name), name.length);
}

bool decoder_find_location(const struct body_decoder *d, uint32_t block, struct span name,
                           uint32_t *index)
{
    *index = find_around(d, &d->raw->locations, block, name);
    return *index != NONE || parse_find_location(d->parser, d->body, name, index);
}

uint32_t decoder_register(struct body_decoder *d, uint32_t block, struct span name)
{
    uint32_t index;
    if (decoder_find_register(d, block, name, &index))
        return index;
    return add_register(d, 0, name, TYPE_NONE);
}

uint32_t decoder_temporary(struct body_decoder *d, const struct raw_operand *operand)
{
    uint32_t *index = &d->temporaries[operand->value];
    struct reg reg = {"", TYPE_NONE, operand->span};
    if (*index == NONE) {
        *index = d->regs.len;
        vec_push(d->parser->arena, &d->regs, reg);
    }
    return *index;
}

uint32_t decoder_variable(struct body_decoder *d, const struct raw_operand *operand)
{
    const char *name = d->raw->variables.at[operand->value].name;
    uint32_t index = names_get(d->reg_names, 0, name, strlen(name));
    struct reg reg = {name, TYPE_NONE, operand->span, d->raw->variables.at[operand->value].gap};
    if (index != NONE)
        return index;
    vec_push(d->parser->arena, &d->regs, reg);
    names_put(d->reg_names, 0, name, strlen(name), d->regs.len - 1);
    return d->regs.len - 1;
}

static void note_mention(struct body_decoder *d, const struct raw_operand *operand)
{
    for (uint32_t i = 0; i < operand->part_count; i++)
        note_mention(d, &operand->parts[i]);
    if (operand->name.length)
        names_put(&d->mentioned, 0, text_of(d, operand->name), operand->name.length, 0);
}

void decoder_note_mentions(struct body_decoder *d)
{
    for (uint32_t i = 0; i < d->raw->insts.len; i++)
        for (uint32_t k = 0; k < d->raw->insts.at[i].operand_count; k++)
            note_mention(d, &d->raw->insts.at[i].operands[k]);
}

uint32_t decoder_named_register(struct body_decoder *d, struct span name)
{
    const char *plain = parse_text(d->parser, name);
    const char *percent = arena_printf(d->parser->arena, "%%%s", plain);
    uint32_t index;
    if (decoder_find_register(d, 0, name, &index) || names_has(&d->mentioned, 0, plain) ||
        !names_has(&d->mentioned, 0, percent))
        return decoder_register(d, 0, name);
    index = names_get(d->reg_names, 0, percent, name.length + 1);
    return index != NONE ? index : add_named(d, 0, percent, name, TYPE_NONE);
}

bool decoder_find_label(const struct body_decoder *d, uint32_t block, const char *name,
                        size_t length, const struct raw_label **label)
{
    uint32_t index = find_text_around(d, &d->label_names, block, name, length);
    *label = index == NONE ? NULL : &d->raw->labels.at[index];
    return *label;
}

bool decoder_find_frame(const struct body_decoder *d, uint32_t block, struct span name,
                        uint32_t *index)
{
    *index = find_around(d, &d->frame_names, block, name);
    return *index != NONE;
}

bool decoder_find_special(const struct body_decoder *d, struct span name, enum special *special)
{
    for (enum special s = 0; s < SPECIAL_COUNT; s++)
        if (parse_text_is(d->parser, name, special_name(s))) {
            *special = s;
            return true;
        }
    return false;
}

/* What a register is called in tests that declare none: %anything, r0, r12. */
bool decode_is_register_like(const struct body_decoder *d, struct span name)
{
    const char *text = text_of(d, name);
    if (text[0] == '%')
        return !memchr(text, '.', name.length);
    if (text[0] != 'r' || name.length < 2)
        return false;
    uint64_t number;
    bool fits;
    return number_digits(text + 1, name.length - 1, 10, &number, &fits) == name.length - 1;
}

/* Enters the name in its block; false when it stands there already. */
static bool enter(const struct body_decoder *d, struct names *names, uint32_t block,
                  struct span name, uint32_t index)
{
    bool is_new = parse_name(d->parser, names, block, name) == NONE;
    names_put(names, block, text_of(d, name), name.length, index);
    return is_new;
}

static void declare_labels(struct body_decoder *d)
{
    for (uint32_t i = 0; i < d->raw->labels.len; i++) {
        struct raw_label *label = &d->raw->labels.at[i];
        label->again = !enter(d, &d->label_names, label->block, label->name, i);
        if (label->again)
            parse_error(d->parser, duplicate_label, label->name, NULL,
                        "label '%s' stands twice in '%s'", parse_text(d->parser, label->name),
                        d->raw->name);
    }
}

static void keep_name(struct names *taken, const char *name)
{
    names_put(taken, 0, name, strlen(name), 0);
}

/* Names of inner blocks get a suffix, because the body has one flat frame. */
static void make_frame_names_unique(struct body_decoder *d)
{
    struct raw_body *raw = d->raw;
    struct arena *arena = d->parser->arena;
    struct names taken = {.arena = arena};
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
        while (names_has(&taken, 0, name))
            name = arena_printf(arena, "%s$", name);
        keep_name(&taken, name);
        variable->param.name = name;
    }
}

static void declare_frame(struct body_decoder *d)
{
    for (uint32_t i = 0; i < d->raw->frame.len; i++) {
        const struct raw_frame_variable *variable = &d->raw->frame.at[i];
        if (!enter(d, &d->frame_names, variable->block, variable->param.span, i))
            parse_error(d->parser, duplicate_location, variable->param.span, NULL,
                        "'%s' is declared twice", variable->param.name);
    }
}

static void declare_register(struct body_decoder *d, uint32_t index)
{
    const struct raw_reg *reg = &d->raw->regs.at[index];
    bool again = reg->count ? !enter(d, &d->range_names, reg->block, reg->name, index)
                            : parse_name(d->parser, d->reg_names, reg->block, reg->name) != NONE;
    if (again)
        parse_error(d->parser, duplicate_register, reg->name, NULL,
                    "register '%s' is declared twice", parse_text(d->parser, reg->name));
    else if (!reg->count)
        add_register(d, reg->block, reg->name, reg->type);
}

/* Does the name mean a location of the test here, before any register is made by use? */
static bool is_location(const struct body_decoder *d, uint32_t block, struct span name)
{
    uint32_t index;
    return decoder_find_location(d, block, name, &index) && d->parser->locations.at[index].declared;
}

/* Only special registers have a dot in their name. */
static bool has_dot(const struct body_decoder *d, struct span name)
{
    return memchr(d->parser->source->text + name.offset, '.', name.length);
}

static void declare_destination(struct body_decoder *d, uint32_t block,
                                const struct raw_operand *operand)
{
    for (uint32_t i = 0; i < operand->part_count; i++)
        declare_destination(d, block, &operand->parts[i]);
    if (operand->kind == RAW_TEMPORARY)
        decoder_temporary(d, operand);
    if (operand->kind == RAW_VARIABLE)
        decoder_variable(d, operand);
    if (operand->kind == RAW_NAME && !is_location(d, block, operand->name) &&
        !has_dot(d, operand->name))
        decoder_register(d, block, operand->name);
}

static void declare_written(struct body_decoder *d)
{
    for (uint32_t i = 0; i < d->raw->insts.len; i++) {
        const struct raw_inst *inst = &d->raw->insts.at[i];
        for (uint32_t k = 0; k < inst->operand_count; k++)
            if (k == 0 && op_writes(inst->op))
                declare_destination(d, inst->block, &inst->operands[k]);
    }
}

void decoder_declare(struct body_decoder *d)
{
    declare_labels(d);
    declare_frame(d);
    make_frame_names_unique(d);
    for (uint32_t i = 0; i < d->raw->regs.len; i++)
        declare_register(d, i);
    declare_written(d);
}
