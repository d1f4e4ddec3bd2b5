/* SPDX-License-Identifier: MIT */
#include "litmus/decode/decode.h"

/* What jumps and calls name: labels, lists of labels, functions, variables that are passed. */

bool spot_label(const struct spot *spot, const struct raw_operand *raw, struct operand *to)
{
    struct parser *parser = spot->decoder->parser;
    const struct raw_label *found;
    *to = operand_plain(OPERAND_LABEL, raw);
    to->target = (uint32_t)raw->value;
    if (raw->kind == RAW_TARGET)
        return true;
    if (raw->kind != RAW_NAME || raw->negated || raw->address || raw->offset)
        return spot_refuse(spot, raw, "a label");
    if (decoder_find_label(spot->decoder, spot->raw->block, raw->name, &found) && !found->list) {
        to->target = found->target;
        return true;
    }
    VEC(const char *) names = {0};
    for (uint32_t i = 0; i < spot->decoder->raw->labels.len; i++)
        vec_push(parser->arena, &names, span_text(parser, spot->decoder->raw->labels.at[i].name));
    const char *text = span_text(parser, raw->name);
    const char *near = diag_nearest(text, raw->name.length, names.at, names.len);
    parse_error(parser, unknown_label, raw->span,
                near ? arena_printf(parser->arena, "did you mean '%s'?", near) : NULL,
                "'%s' has no label '%.60s'", spot->decoder->raw->name, text);
    return false;
}

/* The labels of brx.idx: the name of a '.branchtargets' list. */
bool spot_label_list(const struct spot *spot, const struct raw_operand *raw, struct operand *to)
{
    const struct raw_label *list;
    if (raw->kind != RAW_NAME ||
        !decoder_find_label(spot->decoder, spot->raw->block, raw->name, &list) || !list->list)
        return spot_refuse(spot, raw, "the name of a .branchtargets list");
    *to = operand_plain(OPERAND_VECTOR, raw);
    to->part_count = list->list_count;
    to->parts = ARENA_ARRAY(spot->decoder->parser->arena, struct operand, list->list_count);
    for (uint32_t i = 0; i < list->list_count; i++) {
        struct raw_operand item = {.kind = RAW_NAME, .name = list->list[i], .span = list->list[i]};
        if (!spot_label(spot, &item, &to->parts[i]))
            return false;
    }
    return true;
}

/* A variable that a call passes or fills. */
bool spot_frame_variable(const struct spot *spot, const struct raw_operand *raw, struct operand *to)
{
    *to = operand_plain(OPERAND_FRAME, raw);
    return decoder_find_frame(spot->decoder, spot->raw->block, raw->name, &to->param) ||
           spot_refuse(spot, raw, "a .param variable");
}

bool spot_find_function(const struct spot *spot, struct span name, uint32_t *body)
{
    const struct parser *parser = spot->decoder->parser;
    for (*body = 0; *body < parser->raws.len; ++*body)
        if (parser->raws.at[*body].function && span_is(parser, name, parser->raws.at[*body].name))
            return true;
    return false;
}

bool spot_function(const struct spot *spot, const struct raw_operand *raw, struct operand *to)
{
    struct parser *parser = spot->decoder->parser;
    uint32_t index;
    *to = operand_plain(OPERAND_FUNCTION, raw);
    if (raw->kind != RAW_NAME || raw->negated || raw->address || raw->offset ||
        decoder_find_register(spot->decoder, spot->raw->block, raw->name, &index))
        return spot_refuse(spot, raw,
                           "the name of a function (calls through registers are not supported)");
    if (spot_find_function(spot, raw->name, &to->target))
        return true;
    parse_error(parser, unknown_function, raw->span, NULL, "'%.60s' has no code in this module",
                span_text(parser, raw->name));
    return false;
}
