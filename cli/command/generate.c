/* SPDX-License-Identifier: MIT
 *
 * ptxlit generate: every test up to a bound, one after the other. */
#include <stdio.h>
#include <string.h>

#include "cli/answer/decide.h"
#include "cli/command/commands.h"
#include "cli/command/generator_work.h"
#include "cli/command/test_folder.h"
#include "cli/work/shard.h"
#include "litmus/generate/canonical.h"
#include "litmus/generate/shape.h"
#include "litmus/generate/weaken.h"
#include "litmus/generate/write.h"
#include "litmus/random/features.h"
#include "model/direct/direct.h"

static bool print_generated(void *context, const struct generated_test *test)
{
    g_autoptr(GString) out = g_string_new(NULL);
    generated_write(out, test->name, test->comment, NULL, test->program, test->values);
    return test_folder_add(context, out->str, out->len);
}

/* ---- --minimal ------------------------------------------------------------------------------ */

/* The tests of one part, in a worker. */
struct minimal_part {
    const struct options *options;
    const struct cat_model *model;
    struct direct_model *direct;
    const struct generate_bounds *bounds;
    struct result *result;
};
enum { COUNT_ASKED, COUNT_OPEN };

/* The tests of all parts, in the caller. */
struct minimal {
    const struct options *options;
    const struct cat_model *model;
    struct test_folder *folder;
    uint64_t asked, open;
    bool wrong;
};

/* May the program end so? VERDICT_HOLDS: it may. */
static enum verdict ask(struct minimal_part *part, const struct generated_program *program,
                        const uint32_t *values)
{
    if (!generated_asks(program, values))
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

/* Forbidden, and allowed however it is weakened by one step. Most are not, which is soon seen without Z3. */
static bool is_minimal(struct minimal_part *part, const struct generated_test *test)
{
    struct generated_program weaker;
    uint32_t values[OBSERVED_MOST];
    if (direct_can_ask(test->program) &&
        !direct_is_minimal(part->direct, test->program, test->values))
        return false;
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

/* One that was found without Z3, which has the last word. */
static void keep_found(void *context, const struct generated_program *program,
                       const uint32_t *values)
{
    struct arena *arena = arena_new();
    struct generated_program canonical;
    uint32_t canonical_values[OBSERVED_MOST];
    canonical_test(program, values, &canonical, canonical_values);
    struct generated_test test = {.name = generator_name(arena, &canonical, canonical_values),
                                  .program = &canonical,
                                  .values = canonical_values};
    keep_minimal(context, &test);
    arena_free(arena);
}

/* The outcomes of a program without strengths. */
static bool visit_shape(void *context, const struct generated_program *shape)
{
    struct minimal_part *part = context;
    struct arena *arena = arena_new();
    struct generated_outcomes outcomes;
    generated_outcomes(arena, shape, &outcomes);
    for (uint32_t i = 0; i < outcomes.items.len; i++)
        if (outcomes.items.at[i].class != OUTCOME_SC)
            direct_minimal(part->direct, part->bounds, shape, outcomes.items.at[i].values,
                           keep_found, part);
    arena_free(arena);
    return true;
}

static void run_part(void *context, struct generator *generator, struct result *result)
{
    const struct minimal *minimal = context;
    struct minimal_part part = {.options = minimal->options,
                                .model = minimal->model,
                                .direct = direct_model_new(generator->arena, minimal->model),
                                .bounds = &generator->bounds,
                                .result = result};
    if (generator->tests_of_programs && direct_can_ask_all(&generator->bounds))
        generate_shapes(&generator->bounds, generator->share, visit_shape, &part);
    else if (!generator_run(generator, keep_minimal, &part))
        result->tally = 1;
}

static void take_part(void *context, const struct result *result)
{
    struct minimal *minimal = context;
    minimal->asked += result->counts[COUNT_ASKED];
    minimal->open += result->counts[COUNT_OPEN];
    minimal->wrong |= result->tally != 0;
    test_folder_add(minimal->folder, result->out->str, result->out->len);
}

static int print_minimal(struct arena *arena, const struct options *options,
                         const struct generator *generator, struct test_folder *folder)
{
    struct diag_list diags = {.arena = arena};
    struct minimal minimal = {.options = options,
                              .folder = folder,
                              .model = generator_model(arena, options->settings.model, &diags)};
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

/* ---- --random ------------------------------------------------------------------------------- */

enum { RANDOM_INSTS_USUAL = 3 }; /* a thread, at most */

static bool read_random(struct arena *arena, const struct options *options,
                        struct random_features *features, struct shard *shard)
{
    struct generate_words words = {.threads = options->threads ? options->threads : "3"};
    struct diag_list diags = {.arena = arena};
    struct generate_bounds bounds;
    generate_read_bounds(arena, &words, &bounds, &diags);
    *features = (struct random_features){.bounds = {.insts = RANDOM_INSTS_USUAL}};
    features->bounds.threads = bounds.threads.most > 1 ? bounds.threads.most : 2;
    random_read_features(arena, options->random, features, &diags);
    if (!shard_parse(options->shard, shard))
        diag_add(&diags, DIAG_option_value, NULL, (struct span){0}, NULL,
                 "'--shard' takes K/N, 1 <= K <= N, and not '%s'", options->shard);
    for (uint32_t i = 0; i < diags.items.len; i++)
        fprintf(stderr, "ptxlit: %s", diag_render(arena, &diags.items.at[i]));
    return !diags.errors;
}

static int print_random(struct arena *arena, const struct options *options,
                        struct test_folder *folder)
{
    struct random_features features;
    struct shard shard;
    if (!read_random(arena, options, &features, &shard))
        return EXIT_WRONG_INPUT;
    uint64_t first = (uint64_t)options->seed, count = (uint64_t)options->count;
    bool going = true;
    for (uint64_t i = shard.number - 1; i < count && going; i += shard.count) {
        g_autoptr(GString) text = random_text(&features, first + i);
        going = test_folder_add(folder, text->str, text->len);
    }
    return EXIT_HOLDS;
}

static int print_tests(struct arena *arena, const struct options *options,
                       struct test_folder *folder)
{
    struct generator generator;
    if (options->random)
        return print_random(arena, options, folder);
    if (!generator_read(arena, options, &generator))
        return EXIT_WRONG_INPUT;
    generator.each_outcome |= options->minimal;
    if (options->minimal)
        return print_minimal(arena, options, &generator, folder);
    return generator_run(&generator, print_generated, folder) ? EXIT_HOLDS : EXIT_WRONG_INPUT;
}

/* No output at all could be taken for a failure. */
static void say_none(const struct options *options)
{
    fprintf(stderr, "%s%s\n",
            options->relax_list.len ? "No cycle of these words" : "No test within these bounds",
            options->shard            ? " is in this shard"
            : options->relax_list.len ? " has so few edges: '--size N' allows more"
                                      : " is a connected test (docs/generation.md)");
}

int command_generate(const struct options *options)
{
    struct arena *arena = arena_new();
    struct test_folder folder;
    int status = EXIT_WRONG_INPUT;
    if (test_folder_open(&folder, options->output)) {
        status = print_tests(arena, options, &folder);
        if (status == EXIT_HOLDS && !folder.any)
            say_none(options);
        status = test_folder_close(&folder) ? status : EXIT_WRONG_INPUT;
    }
    arena_free(arena);
    return status;
}
