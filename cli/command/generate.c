/* SPDX-License-Identifier: MIT
 *
 * ptxlit generate: every test up to a bound, one after the other. */
#include <stdio.h>
#include <string.h>

#include "cli/answer/decide.h"
#include "cli/command/commands.h"
#include "cli/command/generator_work.h"
#include "litmus/generate/weaken.h"
#include "litmus/generate/write.h"
#include "model/models/models.h"

static bool print_generated(void *context, const struct generated_test *test)
{
    GString *out = context;
    g_string_truncate(out, 0);
    generated_write(out, test->name, test->comment, NULL, test->program, test->values);
    fwrite(out->str, 1, out->len, stdout);
    return !ferror(stdout);
}

/* ---- --minimal ------------------------------------------------------------------------------ */

/* The tests of one part, in a worker. */
struct minimal_part {
    const struct options *options;
    const struct cat_model *model;
    struct result *result;
};
enum { COUNT_ASKED, COUNT_OPEN };

/* The tests of all parts, in the caller. */
struct minimal {
    const struct options *options;
    const struct cat_model *model;
    uint64_t asked, open;
    bool wrong;
};

static bool asks_anything(const struct generated_program *program, const uint32_t *values)
{
    struct generated_observation observation;
    generated_observe(program, &observation);
    for (uint32_t i = 0; i < observation.count; i++)
        if (values[i] != OUTCOME_ANY)
            return true;
    return false;
}

/* May the program end so? VERDICT_HOLDS: it may. */
static enum verdict ask(struct minimal_part *part, const struct generated_program *program,
                        const uint32_t *values)
{
    if (!asks_anything(program, values))
        return VERDICT_HOLDS;
    struct arena *arena = arena_new();
    g_autoptr(GString) text = g_string_new(NULL);
    generated_write(text, "asked", NULL, NULL, program, values);
    enum verdict verdict = decide(arena, &part->options->settings, part->model, text->str,
                                  text->len, ANSWER_NO_STATES | ANSWER_NO_RACES)
                               .verdict;
    part->result->counts[COUNT_ASKED]++;
    part->result->counts[COUNT_OPEN] += verdict != VERDICT_HOLDS && verdict != VERDICT_FAILS;
    arena_free(arena);
    return verdict;
}

/* Forbidden, and allowed however it is weakened by one step. */
static bool is_minimal(struct minimal_part *part, const struct generated_test *test)
{
    struct generated_program weaker;
    uint32_t values[OBSERVED_MOST];
    if (ask(part, test->program, test->values) != VERDICT_FAILS)
        return false;
    for (uint32_t i = 0; generated_weaken(test->program, test->values, i, &weaker, values); i++)
        if (ask(part, &weaker, values) != VERDICT_HOLDS)
            return false;
    return true;
}

static bool keep_minimal(void *context, const struct generated_test *test)
{
    struct minimal_part *part = context;
    const char *model = part->options->settings.model;
    g_autofree char *claim = g_strdup_printf("expect %s: forbidden (generated, minimal)", model);
    bool bundled = !strpbrk(model, " /:\"()"); /* a word that an expectation can name */
    if (is_minimal(part, test))
        generated_write(part->result->out, test->name, test->comment, bundled ? claim : NULL,
                        test->program, test->values);
    return true;
}

static void run_part(void *context, struct generator *generator, struct result *result)
{
    const struct minimal *minimal = context;
    struct minimal_part part = {minimal->options, minimal->model, result};
    if (!generator_run(generator, keep_minimal, &part))
        result->tally = 1;
}

static void take_part(void *context, const struct result *result)
{
    struct minimal *minimal = context;
    minimal->asked += result->counts[COUNT_ASKED];
    minimal->open += result->counts[COUNT_OPEN];
    minimal->wrong |= result->tally != 0;
    fwrite(result->out->str, 1, result->out->len, stdout);
}

static int print_minimal(struct arena *arena, const struct options *options,
                         const struct generator *generator)
{
    struct diag_list diags = {.arena = arena};
    struct minimal minimal = {.options = options,
                              .model = model_load(arena, options->settings.model, &diags)};
    struct generator_work work = {run_part, take_part, &minimal};
    for (uint32_t i = 0; i < diags.items.len; i++)
        fprintf(stderr, "%s%s",
                diags.items.at[i].source ? "" : "ptxlit: ", diag_render(arena, &diags.items.at[i]));
    if (!minimal.model)
        return EXIT_WRONG_INPUT;
    bool whole = generator_spread(options, generator, &work);
    fprintf(stderr,
            "%" G_GUINT64_FORMAT " questions were asked; %" G_GUINT64_FORMAT " are undecided\n",
            minimal.asked, minimal.open);
    return minimal.wrong ? EXIT_WRONG_INPUT : !whole || minimal.open ? EXIT_UNDECIDED : EXIT_HOLDS;
}

int command_generate(const struct options *options)
{
    struct arena *arena = arena_new();
    struct generator generator;
    g_autoptr(GString) out = g_string_new(NULL);
    int status = EXIT_WRONG_INPUT;
    if (generator_read(arena, options, &generator)) {
        generator.each_outcome |= options->minimal;
        if (options->minimal)
            status = print_minimal(arena, options, &generator);
        else if (generator_run(&generator, print_generated, out))
            status = EXIT_HOLDS;
    }
    arena_free(arena);
    return status;
}
