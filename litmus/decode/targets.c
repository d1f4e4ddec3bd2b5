/* SPDX-License-Identifier: MIT */
#include "litmus/decode/decode.h"

#include <string.h>

/* What jumps and calls name: labels, lists of labels, functions, variables that are passed; and what these
 * have in common with other operands. */

bool decode_refuse(struct body_decoder *d, const struct raw_operand *raw, const char *wanted)
{
    parse_error(d->parser, bad_operand, raw->span, NULL, "%s is needed here, not '%.40s'", wanted,
                parse_text(d->parser, raw->span));
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

/* The instruction behind the label that the operand names as 'text'. */
static bool target(struct body_decoder *d, const char *text, struct operand *to)
{
    struct parser *p = d->parser;
    const struct raw_label *found;
    if (decoder_find_label(d, d->from->block, text, strlen(text), &found) && !found->list) {
        to->target = found->target;
        return true;
    }
    VEC(const char *) names = {0};
    for (uint32_t i = 0; i < d->raw->labels.len; i++)
        vec_push(p->arena, &names, parse_text(p, d->raw->labels.at[i].name));
    parse_error(p, unknown_label, to->span,
                diag_hint(p->arena, text, strlen(text), names.at, names.len),
                "'%s' has no label '%.60s'", d->raw->name, text);
    return false;
}

bool decode_label(struct body_decoder *d, const struct raw_operand *raw, struct operand *to)
{
    *to = decode_operand(OPERAND_LABEL, raw);
    to->target = (uint32_t)raw->value;
    if (raw->kind == RAW_TARGET)
        return true;
    if (raw->kind != RAW_NAME || raw->negated || raw->address || raw->offset)
        return decode_refuse(d, raw, "a label");
    return target(d, parse_text(d->parser, raw->name), to);
}

/* Where the next labels of a list lead, one or a range; "to" moves behind them. */
static bool targets(struct body_decoder *d, struct raw_labels labels, struct operand **to)
{
    struct arena *arena = d->parser->arena;
    const char *name = parse_text(d->parser, labels.name);
    struct raw_operand item = {.kind = RAW_NAME, .name = labels.name, .span = labels.name};
    for (uint32_t i = 0; i < (labels.count ? labels.count : 1); i++) {
        **to = decode_operand(OPERAND_LABEL, &item);
        if (!target(d, labels.count ? arena_printf(arena, "%s%u", name, i) : name, (*to)++))
            return false;
    }
    return true;
}

/* The labels of brx.idx: the name of a '.branchtargets' list. */
bool decode_label_list(struct body_decoder *d, const struct raw_operand *raw, struct operand *to)
{
    const struct raw_label *list;
    const char *name = parse_text(d->parser, raw->name);
    if (raw->kind != RAW_NAME ||
        !decoder_find_label(d, d->from->block, name, strlen(name), &list) || !list->list)
        return decode_refuse(d, raw, "the name of a .branchtargets list");
    *to = decode_operand(OPERAND_VECTOR, raw);
    for (uint32_t i = 0; i < list->list_count; i++)
        to->part_count += list->list[i].count ? list->list[i].count : 1;
    struct operand *next = to->parts =
        ARENA_ARRAY(d->parser->arena, struct operand, to->part_count);
    for (uint32_t i = 0; i < list->list_count; i++)
        if (!targets(d, list->list[i], &next))
            return false;
    return true;
}

/* A variable that a call passes or fills. */
bool decode_frame_variable(struct body_decoder *d, const struct raw_operand *raw,
                           struct operand *to)
{
    *to = decode_operand(OPERAND_FRAME, raw);
    return decoder_find_frame(d, d->from->block, raw->name, &to->param) ||
           decode_refuse(d, raw, "a .param variable");
}

bool decode_find_function(struct body_decoder *d, struct span name, uint32_t *body)
{
    const struct parser *p = d->parser;
    name = parse_function_name(p, name);
    for (*body = 0; *body < p->raws.len; ++*body)
        if (p->raws.at[*body].function && parse_text_is(p, name, p->raws.at[*body].name))
            return true;
    return false;
}

/* What to write for a function of the device's runtime that changes graphs; or NULL. */
static const char *instead_of(const char *name)
{
    static const struct {
        const char *name, *hint;
    } of[] = {
        {"cudaGraphSetConditional",
         "in a test, store the value to the handle, 8 bytes: st.weak.u64 [h], 1"},
        {"cudaGraphLaunch",
         "launches of graphs by kernels are not modelled: launch it from the host, behind the "
         "launch of the other (tail) or in another stream (fire and forget)"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++)
        if (strcmp(name, of[i].name) == 0)
            return of[i].hint;
    return NULL;
}

bool decode_function(struct body_decoder *d, const struct raw_operand *raw, struct operand *to)
{
    struct parser *p = d->parser;
    uint32_t index;
    *to = decode_operand(OPERAND_FUNCTION, raw);
    if (raw->kind != RAW_NAME || raw->negated || raw->address || raw->offset)
        return decode_refuse(d, raw, "the name of a function, or a register with its address");
    if (decoder_find_register(d, d->from->block, raw->name, &index)) {
        to->kind = OPERAND_REG;
        to->reg = index;
        return true;
    }
    if (decode_find_function(d, raw->name, &to->target))
        return true;
    to->target = NONE;
    to->value = system_find(parse_text(p, raw->name), raw->name.length);
    if (to->value)
        return true;
    parse_error(p, unknown_function, raw->span, instead_of(parse_text(p, raw->name)),
                "'%.60s' has no code in this module", parse_text(p, raw->name));
    return false;
}
