/* SPDX-License-Identifier: MIT
 *
 * Kernels in C++ as nvcc compiles them: one of the functions of the class that has what the test defines (source_class.c). */
#include <string.h>

#include "cli/emit/source.h"
#include "cli/show/json.h"

/* ---- what is not written --------------------------------------------------------------------- */

static const char *trouble_of_code(const struct test *test)
{
    for (uint32_t b = 0; b < test->body_count; b++)
        for (uint32_t i = 0; i < test->bodies[b].inst_count; i++)
            if (test->bodies[b].insts[i].op == OP_TRAP)
                return "an assertion or a trap";
    return NULL;
}

static const char *trouble_of_objects(const struct test *test)
{
    for (uint32_t i = 0; i < test->location_count; i++) {
        const struct location *l = &test->locations[i];
        if (l->space != SPACE_SHARED && (!l->cpp_type || strpbrk(l->name, ".$[")))
            return "an object that is not an integer, a pointer or an atomic of one";
    }
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct cond_term *term = &test->observed[i];
        if (term->kind == TERM_LOCATION && test->locations[term->location].space == SPACE_SHARED)
            return "a question about shared memory";
    }
    return NULL;
}

static const char *trouble_of_launch(const struct launch *launch)
{
    for (uint32_t i = 0; i < launch->arg_count; i++)
        if (launch->args[i].kind != OPERAND_IMM && launch->args[i].kind != OPERAND_SYMBOL)
            return "an argument that is neither a number nor an address";
    return launch->dynamic_shared_bytes ? "shared memory of the launch's size" : NULL;
}

static const char *find_trouble(const struct test *test)
{
    if (test->launch_count > 1)
        return "several launches";
    const char *trouble = trouble_of_code(test);
    trouble = trouble ? trouble : trouble_of_objects(test);
    return trouble ? trouble : trouble_of_launch(&test->launches[0]);
}

/* ---- the text -------------------------------------------------------------------------------- */

/* The register that the i-th value of a final state is, if it is one of the kernel. */
static const struct reg *asked_register(const struct test *test, uint32_t i)
{
    const struct cond_term *term = &test->observed[i];
    return term->kind == TERM_REG
               ? &test->bodies[test->launches[term->launch].kernel].regs[term->reg]
               : NULL;
}

/* Where it can be kept: behind the declaration; 0: nowhere. */
static uint32_t kept_at(const struct reg *reg, const char *code, uint32_t from)
{
    if (!reg->declared_to || strchr(reg->name, '$') ||
        source_is_in_head(code + from, reg->declared_to - from))
        return 0;
    uint32_t at = reg->declared_to;
    while (g_ascii_isspace(code[at]))
        at++;
    return code[at] == ';' ? at + 1 : 0;
}

static bool can_keep(const struct test *test, const char *code, uint32_t from)
{
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct reg *reg = asked_register(test, i);
        if (reg && !kept_at(reg, code, from))
            return false;
    }
    return true;
}

static void put_kept(const struct test *test, const char *code, struct source_part part,
                     uint32_t at, GString *text)
{
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct reg *reg = asked_register(test, i);
        if (reg && kept_at(reg, code, part.from) == at)
            source_put_keeper(text, reg, i);
    }
}

static char *with_keepers(const struct test *test, const char *code, struct source_part part)
{
    g_autoptr(GString) text = g_string_new(NULL);
    for (uint32_t at = part.from; at < part.to; at++) {
        g_string_append_c(text, code[at]);
        put_kept(test, code, part, at + 1, text);
    }
    return g_string_free(g_steal_pointer(&text), FALSE);
}

static json_t *view_arguments(const struct launch *launch)
{
    json_t *arguments = json_array();
    for (uint32_t i = 0; i < launch->arg_count; i++) {
        const struct operand *arg = &launch->args[i];
        const char *comma = i ? ", " : "";
        json_array_append_new(arguments,
                              arg->kind == OPERAND_SYMBOL
                                  ? json_sprintf("%slitmus::argument{ptxlit_at[%u] + %lldll}",
                                                 comma, arg->location, (long long)arg->value)
                                  : json_sprintf("%slitmus::argument{%lluull}", comma,
                                                 (unsigned long long)arg->value));
    }
    return arguments;
}

json_t *source_kernel(const struct test *test, const char *code, const char **trouble)
{
    const struct launch *launch = &test->launches[0];
    struct source_part part = class_part(code, launch->span.offset);
    g_autofree char *text = with_keepers(test, code, part);
    g_autofree char *members = class_members(text);
    *trouble = find_trouble(test);
    if (!*trouble)
        *trouble = class_trouble(&test->bodies[launch->kernel], code, part, members);
    if (!*trouble && !can_keep(test, code, part.from))
        *trouble = "a question about a variable that cannot be kept where it is declared";
    if (*trouble)
        return NULL;
    return json_pack("{s:{s:s, s:o}, s:o, s:o, s:o}", "kernel", "name",
                     test->bodies[launch->kernel].name, "args", view_arguments(launch), "members",
                     source_lines(members), "objects", source_objects(test, code), "includes",
                     class_includes(text));
}
