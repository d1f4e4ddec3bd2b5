/* SPDX-License-Identifier: MIT */
#include "litmus/read/read.h"

#include <string.h>

#include "litmus/parse/module.h"

/* Reads one kernel of a module. The module is read twice: first to find where the code of its
 * kernels and functions lies and what they call, then with blanks in place of all code that the
 * kernel cannot reach. So diagnostics concern only what runs, and their places are those of the
 * file. */

struct outline {
    struct parser parser;
    bool *needed; /* by raw body */
};

static void need(struct outline *o, uint32_t body);

static void need_called(struct outline *o, const struct raw_inst *inst)
{
    for (uint32_t i = 0; i < inst->operand_count; i++)
        for (uint32_t b = 0; inst->operands[i].kind == RAW_NAME && b < o->parser.raws.len; b++)
            if (o->parser.raws.at[b].function &&
                parse_text_is(&o->parser, inst->operands[i].name, o->parser.raws.at[b].name))
                need(o, b);
}

static void need(struct outline *o, uint32_t body)
{
    const struct raw_body *raw = &o->parser.raws.at[body];
    if (o->needed[body])
        return;
    o->needed[body] = true;
    for (uint32_t i = 0; i < raw->insts.len; i++)
        if (raw->insts.at[i].op == OP_CALL)
            need_called(o, &raw->insts.at[i]);
}

/* Kernels that are called so; when there is none, those whose name holds it, or all. */
static void need_entries(struct outline *o, const char *entry)
{
    bool exact = false;
    for (uint32_t i = 0; i < o->parser.raws.len; i++)
        exact = exact || (entry && !strcmp(o->parser.raws.at[i].name, entry));
    for (uint32_t i = 0; i < o->parser.raws.len; i++) {
        const struct raw_body *raw = &o->parser.raws.at[i];
        if (!raw->function &&
            (!entry || (exact ? !strcmp(raw->name, entry) : strstr(raw->name, entry) != NULL)))
            need(o, i);
    }
}

static void read_outline(struct outline *o, struct arena *arena, const struct source *source)
{
    struct diag_list *unread = ARENA_NEW(arena, struct diag_list);
    unread->arena = arena;
    parse_start(&o->parser, arena, source, unread);
    parse_module(&o->parser);
    o->needed = ARENA_ARRAY(arena, bool, o->parser.raws.len);
}

/* All between the braces, but for the ends of lines. */
static void blank(char *text, struct span code)
{
    for (uint32_t i = code.offset + 1; i + 1 < code.offset + code.length; i++)
        if (text[i] != '\n')
            text[i] = ' ';
}

struct test *litmus_parse_entry(struct arena *arena, const struct source *source, const char *entry,
                                struct diag_list *diags)
{
    struct outline o = {0};
    read_outline(&o, arena, source);
    need_entries(&o, entry);
    char *text = arena_strndup(arena, source->text, source->length);
    for (uint32_t i = 0; i < o.parser.raws.len; i++)
        if (!o.needed[i])
            blank(text, o.parser.raws.at[i].code);
    return litmus_parse_module(arena, source_new(arena, source->name, text, source->length), diags);
}
