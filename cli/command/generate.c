/* SPDX-License-Identifier: MIT
 *
 * ptxlit generate: every test up to a bound, one after the other. */
#include <stdio.h>

#include "cli/answer/verdict.h"
#include "cli/command/commands.h"
#include "cli/command/generator.h"
#include "litmus/generate/write.h"

/* What goes on from program to program. */
struct stream {
    const struct options *options;
    GString *out;
};

/* The name of a test for an outcome: the program's, and of several outcomes their values. */
static const char *test_name(struct arena *arena, const struct generated_program *program,
                             const uint32_t *values)
{
    struct generated_observation observation;
    const char *name = arena_printf(arena, "%s:", generated_name(arena, program));
    generated_observe(program, &observation);
    for (uint32_t i = 0; i < observation.count; i++)
        name = arena_printf(arena, "%s%s%u", name, i ? "." : "", values[i]);
    return name;
}

static bool print_program(void *context, const struct generated_program *program)
{
    struct stream *stream = context;
    struct arena *arena = arena_new();
    struct generated_outcomes outcomes;
    bool each = stream->options->interesting;
    generated_outcomes(arena, program, &outcomes);
    g_string_truncate(stream->out, 0);
    for (uint32_t i = 0; i < (each ? outcomes.items.len : 1); i++) {
        const struct generated_outcome *outcome = &outcomes.items.at[i];
        if (each && outcome->class == OUTCOME_SC)
            break;
        generated_write(stream->out,
                        each ? test_name(arena, program, outcome->values)
                             : generated_name(arena, program),
                        program, outcome->values);
    }
    arena_free(arena);
    fwrite(stream->out->str, 1, stream->out->len, stdout);
    return !ferror(stdout);
}

int command_generate(const struct options *options)
{
    struct arena *arena = arena_new();
    struct generator generator;
    struct stream stream = {options, g_string_new(NULL)};
    bool good = generator_read(arena, options, &generator);
    if (good)
        generate_programs(&generator.bounds, generator.share, print_program, &stream);
    g_string_free(stream.out, TRUE);
    arena_free(arena);
    return good ? EXIT_HOLDS : EXIT_WRONG_INPUT;
}
