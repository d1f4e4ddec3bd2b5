/* SPDX-License-Identifier: MIT */
#include "cli/command/generator.h"

#include <stdio.h>
#include <string.h>

#include "cli/work/shard.h"
#include "litmus/generate/write.h"

static bool tell(struct arena *arena, struct diag_list *diags)
{
    bool good = !diags->errors;
    for (uint32_t i = 0; i < diags->items.len; i++)
        fprintf(stderr, "ptxlit: %s", diag_render(arena, &diags->items.at[i]));
    *diags = (struct diag_list){.arena = arena};
    return good;
}

static void read_cycles(struct generator *generator, const struct options *options)
{
    struct cycle_words words;
    for (uint32_t i = 0; i < options->cycle.len; i++) {
        if (!cycle_read_words(generator->arena, options->cycle.at[i], &words, &generator->diags))
            continue;
        if (words.items.len > CYCLE_EDGES)
            diag_add(&generator->diags, DIAG_cycle_unfit, NULL, (struct span){0}, NULL,
                     "a cycle has at most %d edges, not %u", CYCLE_EDGES, words.items.len);
        else
            vec_push(generator->arena, &generator->cycles, words);
    }
    if (options->relax_list)
        cycle_read_words(generator->arena, options->relax_list, &generator->relax,
                         &generator->diags);
    generator->tests_of_programs = !options->cycle.len && !options->relax_list;
    generator->cycle_threads = options->threads ? generator->bounds.threads
                                                : (struct generate_range){1, GENERATED_THREADS};
    generator->least_size = 2;
    generator->size = options->size;
    generator->scope_tree = options->scope_tree;
}

bool generator_read(struct arena *arena, const struct options *options, struct generator *generator)
{
    struct shard shard;
    struct generate_words words = {
        .threads = options->threads,
        .instructions = options->instructions,
        .accesses = options->accesses,
        .locations = options->locations,
        .strengths = options->strengths,
        .fences = options->fences,
        .scopes = options->scopes,
        .placements = options->placements,
        .atomics = options->atomics,
        .proxies = options->proxies,
        .deps = options->deps,
        .barriers = options->barriers,
    };
    *generator = (struct generator){.arena = arena, .diags = {.arena = arena}};
    generate_read_bounds(arena, &words, &generator->bounds, &generator->diags);
    read_cycles(generator, options);
    if (!shard_parse(options->shard, &shard))
        diag_add(&generator->diags, DIAG_option_value, NULL, (struct span){0}, NULL,
                 "'--shard' takes K/N, 1 <= K <= N, and not '%s'", options->shard);
    generator->share = (struct generate_share){shard.number, shard.count};
    generator->each_outcome = options->interesting;
    return tell(arena, &generator->diags);
}

/* ---- running it ----------------------------------------------------------------------------- */

struct running {
    struct generator *generator;
    generator_visit *visit;
    void *context;
    bool told; /* of a cycle that is none */
};

/* The name of a test for one outcome of several: the program's, and the values. */
static const char *outcome_name(struct arena *arena, const struct generated_program *program,
                                const uint32_t *values)
{
    struct generated_observation observation;
    const char *name = arena_printf(arena, "%s:", generated_name(arena, program));
    generated_observe(program, &observation);
    for (uint32_t i = 0; i < observation.count; i++)
        name = arena_printf(arena, "%s%s%u", name, i ? "." : "", values[i]);
    return name;
}

static bool visit_program(void *context, const struct generated_program *program)
{
    struct running *running = context;
    struct arena *arena = arena_new();
    struct generated_outcomes outcomes;
    bool each = running->generator->each_outcome, go_on = true;
    generated_outcomes(arena, program, &outcomes);
    for (uint32_t i = 0; go_on && i < (each ? outcomes.items.len : 1); i++) {
        const struct generated_outcome *outcome = &outcomes.items.at[i];
        if (each && outcome->class == OUTCOME_SC)
            break;
        struct generated_test test = {.name = each ? outcome_name(arena, program, outcome->values)
                                                   : generated_name(arena, program),
                                      .program = program,
                                      .values = outcome->values};
        go_on = running->visit(running->context, &test);
    }
    arena_free(arena);
    return go_on;
}

static bool visit_cycle(void *context, const struct cycle *cycle)
{
    struct running *running = context;
    struct generator *generator = running->generator;
    struct arena *arena = arena_new();
    struct generated_program program;
    uint32_t values[OBSERVED_MOST];
    const char *wrong = cycle_build(arena, cycle, &program, values);
    bool go_on = true;
    if (wrong && running->told)
        diag_add(&generator->diags, DIAG_cycle_unfit, NULL, (struct span){0}, NULL,
                 "'%s' is no cycle: %s", arena_strdup(generator->arena, cycle_text(arena, cycle)),
                 arena_strdup(generator->arena, wrong));
    bool placed = !wrong && (!generator->scope_tree ||
                             cycle_place(generator->scope_tree, &program, &generator->diags));
    struct generated_test test = {.name = cycle_name(arena, cycle),
                                  .comment = cycle_text(arena, cycle),
                                  .program = &program,
                                  .values = values};
    if (placed)
        go_on = running->visit(running->context, &test);
    arena_free(arena);
    return go_on && !generator->diags.errors;
}

bool generator_run(struct generator *generator, generator_visit *visit, void *context)
{
    struct running running = {generator, visit, context, true};
    bool go_on = true;
    if (generator->tests_of_programs)
        generate_programs(&generator->bounds, generator->share, visit_program, &running);
    for (uint32_t i = 0; go_on && i < generator->cycles.len; i++)
        if (i % generator->share.count == generator->share.number - 1)
            go_on = cycle_each(&generator->cycles.at[i], visit_cycle, &running);
    running.told = false;
    if (go_on && generator->relax.items.len)
        relax_each(&generator->relax,
                   (struct generate_range){generator->least_size, generator->size},
                   generator->cycle_threads, generator->share, visit_cycle, &running);
    return tell(generator->arena, &generator->diags);
}
