/* SPDX-License-Identifier: MIT */
#include "cli/command/generator.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/work/shard.h"
#include "litmus/generate/canonical.h"
#include "litmus/generate/place.h"
#include "litmus/generate/write.h"
#include "model/models/models.h"

static bool tell(struct arena *arena, struct diag_list *diags)
{
    bool good = !diags->errors;
    for (uint32_t i = 0; i < diags->items.len; i++)
        fprintf(stderr, "ptxlit: %s", diag_render(arena, &diags->items.at[i]));
    *diags = (struct diag_list){.arena = arena};
    return good;
}

static void read_cycle(struct generator *generator, const char *text)
{
    struct cycle_words words;
    if (!cycle_read_words(generator->arena, text, &words, &generator->diags))
        return;
    if (words.items.len > CYCLE_EDGES)
        diag_add(&generator->diags, DIAG_cycle_unfit, NULL, (struct span){0}, NULL,
                 "a cycle has at most %d edges, not %u", CYCLE_EDGES, words.items.len);
    else
        vec_push(generator->arena, &generator->cycles, words);
}

/* ---- words that options stand for ----------------------------------------------------------- */

static void add_fence_words(GString *words, const struct generate_bounds *bounds)
{
    static const enum sem sems[] = {SEM_SC, SEM_ACQ_REL, SEM_ACQUIRE, SEM_RELEASE};
    for (size_t i = 0; i < G_N_ELEMENTS(sems); i++)
        for (enum scope scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++)
            if (bounds->fences >> sems[i] & 1 && bounds->scopes >> scope & 1)
                g_string_append_printf(words, " Fence.%s.%sd**", sem_name(sems[i]),
                                       scope_name(scope));
}

static void add_atomic_words(GString *words, const struct generate_bounds *bounds)
{
    static const struct {
        enum atom_op atom;
        const char *word;
    } rows[] = {{ATOM_EXCH, "Amo.Swp"}, {ATOM_ADD, "Amo.LdAdd"}, {ATOM_CAS, "Amo.Cas"}};
    for (enum scope scope = SCOPE_CTA; scope <= SCOPE_SYS; scope++)
        for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
            if (bounds->atomics >> rows[i].atom & 1 && bounds->scopes >> scope & 1)
                g_string_append_printf(words, " %s.relaxed.%s", rows[i].word, scope_name(scope));
}

static void add_proxy_words(GString *words, const struct generate_bounds *bounds)
{
    for (uint32_t proxy = 0; proxy < PROXY_COUNT; proxy++)
        if (bounds->proxies >> proxy & 1)
            g_string_append_printf(words, " Fence.proxy.%sd** Pod**.weak.%s Pod**.%s.weak",
                                   proxy_name(proxy), proxy_name(proxy), proxy_name(proxy));
}

/* The words of --relax-list, and those that other options add to them. */
static char *relax_words(const struct options *options, const struct generate_bounds *bounds)
{
    static const char *const dependencies[] = {
        [STEP_DATA] = " DpDatadW", [STEP_ADDRESS] = " DpAddrd*", [STEP_IF] = " DpCtrld*"};
    GString *words = g_string_new(NULL);
    for (uint32_t i = 0; i < options->relax_list.len; i++)
        g_string_append_printf(words, "%s ", options->relax_list.at[i]);
    add_fence_words(words, bounds);
    add_atomic_words(words, bounds);
    add_proxy_words(words, bounds);
    for (uint8_t i = STEP_DATA; i <= STEP_IF; i++)
        g_string_append(words, bounds->dependencies >> i & 1 ? dependencies[i] : "");
    g_string_append(words, bounds->barriers ? " Bard**" : "");
    return g_string_free(words, FALSE);
}

/* ---- the command line ----------------------------------------------------------------------- */

static bool asks_for_cycles(const struct options *options)
{
    return options->cycle.len || options->relax_list.len ||
           (options->command == &commands[COMMAND_generate] && options->argument_count);
}

/* What bounds programs says nothing of cycles. */
static void refuse_bounds(struct generator *generator, const struct options *options)
{
    const struct {
        const char *name, *given, *hint;
    } rows[] = {{"instructions", options->instructions, "'--size' bounds the edges of cycles"},
                {"accesses", options->accesses, "'--size' bounds the edges of cycles"},
                {"locations", options->locations, "'Pod' and 'Pos' say where the location changes"},
                {"strengths", options->strengths,
                 "words say how strong accesses are: 'PodWW.release.gpu'"}};
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (rows[i].given)
            diag_add(&generator->diags, DIAG_cycle_option, NULL, (struct span){0}, rows[i].hint,
                     "'--%s' bounds programs, not cycles", rows[i].name);
}

/* One name is for the tests of one cycle. */
static void read_name(struct generator *generator, const struct options *options)
{
    uint32_t cycles = options->cycle.len +
                      (options->command == &commands[COMMAND_generate] && options->argument_count);
    generator->name = options->name;
    if (!options->name)
        return;
    if (cycles != 1 || options->relax_list.len)
        diag_add(&generator->diags, DIAG_cycle_option, NULL, (struct span){0},
                 "without it each test is called by what it does",
                 "'--name' names the test of one cycle");
    else if (!*options->name || strpbrk(options->name, " \t\r\n\"{}"))
        diag_add(&generator->diags, DIAG_option_value, NULL, (struct span){0}, NULL,
                 "option '--name' wants one word, not '%s'", options->name);
}

static void read_cycles(struct generator *generator, const struct options *options)
{
    read_name(generator, options);
    generator->tests_of_programs = !asks_for_cycles(options);
    if (generator->tests_of_programs && options->bounds_cycles)
        diag_add(&generator->diags, DIAG_cycle_option, NULL, (struct span){0},
                 "'--instructions' bounds programs; cycles are given as words, or by --relax-list",
                 "'--size' and '--scope-tree' are about cycles, and there are none");
    if (generator->tests_of_programs)
        return;
    refuse_bounds(generator, options);
    for (uint32_t i = 0; i < options->cycle.len; i++)
        read_cycle(generator, options->cycle.at[i]);
    if (options->command == &commands[COMMAND_generate] && options->argument_count) {
        g_autoptr(GString) words = g_string_new(NULL);
        for (uint32_t i = 0; i < options->argument_count; i++)
            g_string_append_printf(words, "%s ", options->arguments[i]);
        read_cycle(generator, words->str);
    }
    if (options->relax_list.len) {
        g_autofree char *words = relax_words(options, &generator->bounds);
        cycle_read_words(generator->arena, words, &generator->relax, &generator->diags);
    }
    generator->cycle_threads = options->threads ? generator->bounds.threads
                                                : (struct generate_range){1, GENERATED_THREADS};
    generator->least_size = 2;
    generator->size = options->size;
    generator->scope_tree = options->scope_tree;
    generator->places = options->placements && !options->scope_tree;
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

struct cat_model *generator_model(struct arena *arena, const char *name, struct diag_list *diags)
{
    struct cat_model *model = model_load(arena, name, diags);
    if (!model || !model->language || strcmp(model->language, "PTX") == 0)
        return model;
    diag_add(diags, DIAG_model_language, NULL, (struct span){0, 0},
             "--model ptx, and texts that begin with the word PTX, are about PTX",
             "generated tests are in PTX, and the model '%s' is about C++", name);
    return NULL;
}

/* ---- running it ----------------------------------------------------------------------------- */

struct running {
    struct generator *generator;
    generator_visit *visit;
    void *context;
    bool told; /* of a cycle that is none */
    uint64_t named;
};

const char *generator_name(struct arena *arena, const struct generated_program *program,
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
        struct generated_test test = {.name = each ? generator_name(arena, program, outcome->values)
                                                   : generated_name(arena, program),
                                      .program = program,
                                      .values = outcome->values};
        go_on = running->visit(running->context, &test);
    }
    arena_free(arena);
    return go_on;
}

/* A cycle's test, and the places that its threads had so far. */
struct cycle_test {
    struct running *running;
    struct arena *arena;
    const struct cycle *cycle;
    struct generated_program program;
    uint32_t values[OBSERVED_MOST];
    VEC(struct generated_program) met;
    bool made; /* in some place */
    const char *wrong;
};

static bool is_met(struct cycle_test *test)
{
    struct generated_program form;
    uint32_t values[OBSERVED_MOST];
    canonical_test(&test->program, test->values, &form, values);
    for (uint32_t i = 0; i < test->met.len; i++)
        if (memcmp(&test->met.at[i], &form, sizeof form) == 0)
            return true;
    vec_push(test->arena, &test->met, form);
    return false;
}

/* The next test is called NAME, or NAME-2 and so on, if --name is given; else by its cycle and, with --placements, by its place. */
static const char *placed_name(const struct cycle_test *test)
{
    const struct running *running = test->running;
    const char *name = running->generator->name;
    if (name)
        return running->named ? arena_printf(test->arena, "%s-%" PRIu64, name, running->named + 1)
                              : name;
    const char *at = strchr(generated_name(test->arena, &test->program), '@');
    return arena_printf(test->arena, "%s%s", cycle_name(test->arena, test->cycle),
                        at && running->generator->places ? at : "");
}

static bool visit_placed(void *context)
{
    struct cycle_test *test = context;
    struct running *running = test->running;
    struct generated_test placed = {.name = placed_name(test),
                                    .comment = cycle_text(test->arena, test->cycle),
                                    .program = &test->program,
                                    .values = test->values};
    if (!generate_barriers_meet(&test->program)) {
        test->wrong = test->made ? NULL
                                 : "threads of one CTA must have equally many barriers, and need "
                                   "'--placements' or '--scope-tree'";
        return true;
    }
    if (running->generator->places && is_met(test))
        return true;
    test->made = true;
    test->wrong = NULL;
    running->named++;
    return running->visit(running->context, &placed);
}

static bool visit_places(struct cycle_test *test)
{
    struct generator *generator = test->running->generator;
    if (generator->places)
        return generate_places(&test->program, generator->bounds.apart, visit_placed, test);
    if (generator->scope_tree &&
        !cycle_place(generator->scope_tree, &test->program, &generator->diags))
        return false;
    return visit_placed(test);
}

static bool visit_cycle(void *context, const struct cycle *cycle)
{
    struct running *running = context;
    struct generator *generator = running->generator;
    struct arena *arena = arena_new();
    struct cycle_test test = {.running = running, .arena = arena, .cycle = cycle};
    bool go_on = true;
    test.wrong = cycle_build(arena, cycle, &test.program, test.values);
    if (!test.wrong)
        go_on = visit_places(&test);
    if (test.wrong && running->told)
        diag_add(&generator->diags, DIAG_cycle_unfit, NULL, (struct span){0}, NULL,
                 "'%s' is no cycle: %s", arena_strdup(generator->arena, cycle_text(arena, cycle)),
                 arena_strdup(generator->arena, test.wrong));
    arena_free(arena);
    return go_on && !generator->diags.errors;
}

bool generator_run(struct generator *generator, generator_visit *visit, void *context)
{
    struct running running = {generator, visit, context, true, 0};
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
