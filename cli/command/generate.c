/* SPDX-License-Identifier: MIT
 *
 * ptxlit generate: every test up to a bound, one after the other. */
#include <stdio.h>

#include "cli/answer/verdict.h"
#include "cli/command/commands.h"
#include "cli/command/generator.h"
#include "litmus/generate/write.h"

static bool print_generated(void *context, const struct generated_test *test)
{
    GString *out = context;
    g_string_truncate(out, 0);
    generated_write(out, test->name, test->comment, test->program, test->values);
    fwrite(out->str, 1, out->len, stdout);
    return !ferror(stdout);
}

int command_generate(const struct options *options)
{
    struct arena *arena = arena_new();
    struct generator generator;
    g_autoptr(GString) out = g_string_new(NULL);
    bool good = generator_read(arena, options, &generator) &&
                generator_run(&generator, print_generated, out);
    arena_free(arena);
    return good ? EXIT_HOLDS : EXIT_WRONG_INPUT;
}
