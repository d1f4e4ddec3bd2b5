/* SPDX-License-Identifier: MIT */
#include "litmus/read/reach.h"

void reach_start(struct reach *reach, struct arena *arena, const struct source *source)
{
    struct diag_list *unread = ARENA_NEW(arena, struct diag_list);
    unread->arena = arena;
    parse_start(&reach->parser, arena, source, unread);
    reach->parser.lexer.error_limit = UINT32_MAX;
}

void reach_outlined(struct reach *reach)
{
    reach->needed = ARENA_ARRAY(reach->parser.arena, bool, reach->parser.raws.len);
}

/* Through a register a call may enter every function whose address is a value and that takes as many
 * arguments; names of functions that stand elsewhere than in calls are such values. */
static void need_addressed(struct reach *reach, const struct raw_inst *inst)
{
    const struct parser *p = &reach->parser;
    uint32_t arguments = 0;
    for (uint32_t i = 0; i < inst->operand_count; i++)
        if (inst->operands[i].kind == RAW_LIST && i > 0)
            arguments = inst->operands[i].part_count;
    for (uint32_t b = 0; b < p->raws.len; b++)
        if (p->raws.at[b].function && !p->raws.at[b].in_registers &&
            p->raws.at[b].formal_count == arguments)
            reach_need(reach, b);
}

static void need_called(struct reach *reach, const struct raw_inst *inst)
{
    const struct parser *p = &reach->parser;
    uint32_t first = inst->operand_count && inst->operands[0].kind == RAW_LIST;
    if (first < inst->operand_count && !parse_is_function(p, inst->operands[first].name))
        need_addressed(reach, inst);
    for (uint32_t i = 0; i < inst->operand_count; i++)
        for (uint32_t b = 0; inst->operands[i].kind == RAW_NAME && b < p->raws.len; b++)
            if (p->raws.at[b].function &&
                parse_text_is(p, parse_function_name(p, inst->operands[i].name),
                              p->raws.at[b].name))
                reach_need(reach, b);
}

void reach_need(struct reach *reach, uint32_t body)
{
    const struct raw_body *raw = &reach->parser.raws.at[body];
    if (reach->needed[body])
        return;
    reach->needed[body] = true;
    for (uint32_t i = 0; i < raw->insts.len; i++)
        if (raw->insts.at[i].op == OP_CALL)
            need_called(reach, &raw->insts.at[i]);
}

void reach_need_launched(struct reach *reach)
{
    const struct parser *p = &reach->parser;
    for (uint32_t i = 0; i < p->raws.len; i++)
        if (!p->raws.at[i].item.length)
            reach_need(reach, i);
    for (uint32_t i = 0; i < p->launches.len; i++)
        if (p->launches.at[i].kernel != NONE)
            reach_need(reach, p->launches.at[i].kernel);
}

/* But for the ends of lines. */
static void blank(char *text, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        if (text[i] != '\n')
            text[i] = ' ';
}

/* The words of the text, without comments and strings. */
static void add_words(struct names *words, const struct source *source, struct diag_list *diags)
{
    struct lexer lexer = {source, diags, 0, UINT32_MAX};
    for (struct token token = lex_next(&lexer); token.kind != TOKEN_END; token = lex_next(&lexer))
        if (token.kind == TOKEN_WORD)
            names_put(words, 0, source->text + token.span.offset, token.span.length, 0);
}

/* Does one of the words stand for what the declaration makes? Its names stand outside of brackets and
 * initial values. */
static bool declares_one_of(const struct names *words, const struct source *source,
                            struct span span, struct diag_list *diags)
{
    const struct source part = {
        .name = source->name, .text = source->text + span.offset, .length = span.length};
    struct lexer lexer = {&part, diags, 0, UINT32_MAX};
    uint32_t depth = 0;
    bool initial = false;
    for (struct token t = lex_next(&lexer); t.kind != TOKEN_END; t = lex_next(&lexer)) {
        depth += t.kind == '(' || t.kind == '[' || t.kind == '{';
        depth -= depth && (t.kind == ')' || t.kind == ']' || t.kind == '}');
        initial = !depth && t.kind != ',' && (initial || t.kind == '=');
        if (t.kind == TOKEN_WORD && !depth && !initial &&
            names_get(words, 0, part.text + t.span.offset, t.span.length) != NONE)
            return true;
    }
    return false;
}

/* Names that the test gives to memory of its own are not those of a module that it names. */
static void blank_test(const struct parser *p, char *text)
{
    if (p->includes.len)
        blank(text, 0, p->includes.at[0].from);
}

/* Takes declarations that cannot be read out of the text, unless what is left of the module names what they
 * declare. */
static bool leave_out_unread(const struct parser *p, char *text)
{
    const struct source *source = p->source;
    struct diag_list unread = {.arena = p->arena};
    struct names words = {.arena = p->arena};
    char *rest = arena_strndup(p->arena, text, source->length);
    bool some = false;
    blank_test(p, rest);
    for (uint32_t i = 0; i < p->items.len; i++) {
        struct span span = p->items.at[i].span;
        some = some || p->items.at[i].unread;
        blank(rest, span.offset, span.offset + span.length);
    }
    if (!some)
        return false;
    some = false;
    add_words(&words, source_with_text(p->arena, source, rest), &unread);
    for (uint32_t i = 0; i < p->items.len; i++) {
        struct span span = p->items.at[i].span;
        if (!p->items.at[i].unread || declares_one_of(&words, source, span, &unread))
            continue;
        blank(text, span.offset, span.offset + span.length);
        some = true;
    }
    return some;
}

const struct source *reach_source(const struct reach *reach, bool whole)
{
    const struct parser *p = &reach->parser;
    const struct source *source = p->source;
    char *text = arena_strndup(p->arena, source->text, source->length);
    bool all = true;
    for (uint32_t i = 0; i < p->raws.len; i++) {
        const struct raw_body *raw = &p->raws.at[i];
        if (reach->needed[i])
            continue;
        all = false;
        if (whole || raw->in_registers)
            blank(text, raw->item.offset, raw->item.offset + raw->item.length);
        else
            blank(text, raw->code.offset + 1, raw->code.offset + raw->code.length - 1);
    }
    all = !leave_out_unread(p, text) && all;
    return all ? NULL : source_with_text(p->arena, source, text);
}
