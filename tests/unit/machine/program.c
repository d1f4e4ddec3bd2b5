/* SPDX-License-Identifier: MIT */
#include "tests/unit/machine/program.h"

#include <glib.h>
#include <string.h>

#include "litmus/read/read.h"

static struct location buffer(struct arena *arena, const char *name, const uint32_t *words,
                              uint32_t count)
{
    struct location location = test_array(name, TYPE_U32, count);
    if (words)
        location.init = ARENA_ARRAY(arena, struct location_init, count);
    for (uint32_t i = 0; words && i < count; i++)
        location.init[i] = (struct location_init){.value = words[i], .address_of = NONE};
    return location;
}

struct test *program_test(struct arena *arena, const struct program_launch *l)
{
    g_autofree char *path = g_build_filename(g_getenv("PROGRAMS"), l->file, NULL), *text = NULL;
    struct diag_list diags = {.arena = arena};
    gsize length;
    g_assert_true(g_file_get_contents(path, &text, &length, NULL));
    const char *copy = arena_strndup(arena, text, length);
    struct test *test =
        litmus_parse_module(arena, source_new(arena, l->file, copy, length), &diags);
    g_assert_nonnull(test);
    uint32_t count = test->location_count, params = test->bodies[0].param_count;
    struct location *locations = ARENA_ARRAY(arena, struct location, count + 2);
    if (count)
        memcpy(locations, test->locations, count * sizeof *locations);
    locations[count] = buffer(arena, "in", l->in, l->in_words);
    locations[count + 1] = buffer(arena, "out", NULL, l->out_words);
    struct launch *launch = ARENA_NEW(arena, struct launch);
    *launch = (struct launch){.label = l->file,
                              .grid = {l->grid, 1, 1},
                              .block = {l->block, 1, 1},
                              .cluster = {1, 1, 1},
                              .args = ARENA_ARRAY(arena, struct operand, params),
                              .arg_count = params};
    for (uint32_t i = 0; i < params; i++)
        launch->args[i] = (struct operand){.kind = i < 2 ? OPERAND_SYMBOL : OPERAND_IMM,
                                           .reg = NONE,
                                           .location = i < 2 ? count + i : NONE,
                                           .value = i < 2    ? 0
                                                    : i == 2 ? l->n
                                                             : l->extra};
    test->locations = locations;
    test->location_count = count + 2;
    test->launches = launch;
    test->launch_count = 1;
    return test;
}
