/* SPDX-License-Identifier: MIT
 *
 * Kernels in C++ as nvcc compiles them: functions of the class that has what the test defines (source_class.c). */
#include "cli/emit/source.h"
#include "cli/show/json.h"

/* ---- what is not written --------------------------------------------------------------------- */

static const char *trouble_of_launch(const struct launch *launch)
{
    for (uint32_t i = 0; i < launch->arg_count; i++)
        if (launch->args[i].kind != OPERAND_IMM && launch->args[i].kind != OPERAND_SYMBOL)
            return "an argument that is neither a number nor an address";
    return launch->dynamic_shared_bytes ? "shared memory of the launch's size" : NULL;
}

static const char *trouble_of_question(const struct test *test)
{
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct cond_term *term = &test->observed[i];
        if (term->kind == TERM_LOCATION && test->locations[term->location].space == SPACE_SHARED)
            return "a question about shared memory";
    }
    return NULL;
}

static const char *find_trouble(const struct test *test, const char *code, struct source_part part,
                                const char *members)
{
    const char *trouble = trouble_of_question(test);
    for (uint32_t i = 0; i < test->launch_count && !trouble; i++)
        trouble = trouble_of_launch(&test->launches[i]);
    trouble = trouble ? trouble : initial_trouble(test, code);
    trouble = trouble ? trouble : class_trouble(members);
    return trouble ? trouble : source_kept_trouble(test, NONE, code, part.from);
}

/* ---- the text -------------------------------------------------------------------------------- */

static json_t *view_argument(const struct test *test, const struct operand *arg, const char *comma)
{
    if (arg->kind != OPERAND_SYMBOL)
        return json_sprintf("%slitmus::argument{%lluull}", comma, (unsigned long long)arg->value);
    const struct location *l = &test->locations[arg->location];
    if (l->cpp_path)
        return json_sprintf("%slitmus::argument{uint64_t(&%s) + %lldll}", comma, l->cpp_path,
                            (long long)arg->value);
    return json_sprintf("%slitmus::argument{ptxlit_at[%u] + %lldll}", comma, arg->location,
                        (long long)arg->value);
}

static json_t *view_kernels(const struct test *test)
{
    json_t *kernels = json_array();
    for (uint32_t i = 0; i < test->launch_count; i++) {
        const struct launch *launch = &test->launches[i];
        json_t *args = json_array();
        for (uint32_t k = 0; k < launch->arg_count; k++)
            json_array_append_new(args, view_argument(test, &launch->args[k], k ? ", " : ""));
        json_array_append_new(kernels, json_pack("{s:i, s:s, s:o}", "number", i, "name",
                                                 test->bodies[launch->kernel].name, "args", args));
    }
    return kernels;
}

json_t *source_kernels(const struct test *test, const char *code, const char **trouble)
{
    struct source_part part = class_part(code, test->launches[0].span.offset);
    g_autoptr(GString) text = g_string_new(NULL);
    source_put_text(test, NONE, code, part, text);
    g_autofree char *members = class_members(text->str);
    *trouble = find_trouble(test, code, part, members);
    if (*trouble)
        return NULL;
    return json_pack("{s:o, s:o}", "kernels", view_kernels(test), "members", source_lines(members));
}
