/* SPDX-License-Identifier: MIT */
#include "litmus/read/read.h"

#include <string.h>

#include "litmus/parse/module.h"
#include "litmus/read/reach.h"

/* Reads one kernel of a module. */

/* Kernels that are called so; when there is none, those whose name holds it, or all. */
static void need_entries(struct reach *reach, const char *entry)
{
    const struct parser *p = &reach->parser;
    bool exact = false;
    for (uint32_t i = 0; i < p->raws.len; i++)
        exact = exact || (entry && !strcmp(p->raws.at[i].name, entry));
    for (uint32_t i = 0; i < p->raws.len; i++) {
        const char *name = p->raws.at[i].name;
        if (!p->raws.at[i].function &&
            (!entry || (exact ? !strcmp(name, entry) : strstr(name, entry) != NULL)))
            reach_need(reach, i);
    }
}

struct test *litmus_parse_entry(struct arena *arena, const struct source *source, const char *entry,
                                struct diag_list *diags)
{
    struct reach reach = {0};
    reach_start(&reach, arena, source);
    parse_module(&reach.parser);
    reach_outlined(&reach);
    need_entries(&reach, entry);
    const struct source *rest = reach_source(&reach, false);
    return litmus_parse_module(arena, rest ? rest : source, diags);
}

struct body *litmus_kernels(struct arena *arena, const struct source *source, uint32_t *count)
{
    struct reach reach = {0};
    VEC(struct body) kernels = {0};
    reach_start(&reach, arena, source);
    parse_module(&reach.parser);
    for (uint32_t i = 0; i < reach.parser.raws.len; i++) {
        const struct raw_body *raw = &reach.parser.raws.at[i];
        struct body kernel = {
            .name = raw->name, .params = raw->params.at, .param_count = raw->params.len};
        if (!raw->function)
            vec_push(arena, &kernels, kernel);
    }
    *count = kernels.len;
    return kernels.at;
}
