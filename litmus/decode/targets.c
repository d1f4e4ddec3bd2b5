/* SPDX-License-Identifier: MIT */
#include "litmus/decode/decode.h"

/* What jumps and calls name: labels, lists of labels, functions, variables that are passed; and what these
 * have in common with other operands. */

bool decode_refuse(const struct spot *spot, const struct raw_operand *raw, const char *wanted)
{
    parse_error(spot->d->parser, bad_operand, raw->span, NULL, "%s is needed here, not '%.40s'",
                wanted, parse_text(spot->d->parser, raw->span));
    return false;
}

struct operand decode_operand(enum operand_kind kind, const struct raw_operand *raw)
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

bool decode_label(const struct spot *spot, const struct raw_operand *raw, struct operand *to)
{
    struct parser *p = spot->d->parser;
    const struct raw_label *found;
    *to = decode_operand(OPERAND_LABEL, raw);
    to->target = (uint32_t)raw->value;
    if (raw->kind == RAW_TARGET)
        return true;
    if (raw->kind != RAW_NAME || raw->negated || raw->address || raw->offset)
        return decode_refuse(spot, raw, "a label");
    if (decoder_find_label(spot->d, spot->raw->block, raw->name, &found) && !found->list) {
        to->target = found->target;
        return true;
    }
    VEC(const char *) names = {0};
    for (uint32_t i = 0; i < spot->d->raw->labels.len; i++)
        vec_push(p->arena, &names, parse_text(p, spot->d->raw->labels.at[i].name));
    const char *text = parse_text(p, raw->name);
    parse_error(p, unknown_label, raw->span,
                diag_hint(p->arena, text, raw->name.length, names.at, names.len),
                "'%s' has no label '%.60s'", spot->d->raw->name, text);
    return false;
}

/* The labels of brx.idx: the name of a '.branchtargets' list. */
bool decode_label_list(const struct spot *spot, const struct raw_operand *raw, struct operand *to)
{
    const struct raw_label *list;
    if (raw->kind != RAW_NAME || !decoder_find_label(spot->d, spot->raw->block, raw->name, &list) ||
        !list->list)
        return decode_refuse(spot, raw, "the name of a .branchtargets list");
    *to = decode_operand(OPERAND_VECTOR, raw);
    to->part_count = list->list_count;
    to->parts = ARENA_ARRAY(spot->d->parser->arena, struct operand, list->list_count);
    for (uint32_t i = 0; i < list->list_count; i++) {
        struct raw_operand item = {.kind = RAW_NAME, .name = list->list[i], .span = list->list[i]};
        if (!decode_label(spot, &item, &to->parts[i]))
            return false;
    }
    return true;
}

/* A variable that a call passes or fills. */
bool decode_frame_variable(const struct spot *spot, const struct raw_operand *raw,
                           struct operand *to)
{
    *to = decode_operand(OPERAND_FRAME, raw);
    return decoder_find_frame(spot->d, spot->raw->block, raw->name, &to->param) ||
           decode_refuse(spot, raw, "a .param variable");
}

bool decode_find_function(const struct spot *spot, struct span name, uint32_t *body)
{
    const struct parser *p = spot->d->parser;
    for (*body = 0; *body < p->raws.len; ++*body)
        if (p->raws.at[*body].function && parse_text_is(p, name, p->raws.at[*body].name))
            return true;
    return false;
}

bool decode_function(const struct spot *spot, const struct raw_operand *raw, struct operand *to)
{
    struct parser *p = spot->d->parser;
    uint32_t index;
    *to = decode_operand(OPERAND_FUNCTION, raw);
    if (raw->kind != RAW_NAME || raw->negated || raw->address || raw->offset ||
        decoder_find_register(spot->d, spot->raw->block, raw->name, &index))
        return decode_refuse(spot, raw,
                             "the name of a function (calls through registers are not supported)");
    if (decode_find_function(spot, raw->name, &to->target))
        return true;
    parse_error(p, unknown_function, raw->span, NULL, "'%.60s' has no code in this module",
                parse_text(p, raw->name));
    return false;
}
