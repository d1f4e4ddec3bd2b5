/* SPDX-License-Identifier: MIT
 *
 * The bounded search of mappings against the models' texts: random programs of the kind that it searches, the
 * states that its two models allow (model/bounded) and those that Z3 finds with cpp.cat and ptx.cat.
 *
 * usage: bounded COUNT [SEED]    prints TAP */
#include <glib.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/print/print.h"
#include "litmus/read/read.h"
#include "model/bounded/race.h"
#include "model/bounded/search.h"
#include "model/models/models.h"
#include "model/unfold/unfold.h"
#include "solver/solver.h"

enum { MOST_EVENTS = 1000 };

/* ---- a random program ----------------------------------------------------------------------- */

static uint8_t random_order(GRand *random, uint32_t kind)
{
    static const uint8_t orders[BOUNDED_KINDS][5] = {
        [BOUNDED_LOAD] = {SEM_RELAXED, SEM_ACQUIRE, SEM_SC, SEM_SC, SEM_ACQUIRE},
        [BOUNDED_STORE] = {SEM_RELAXED, SEM_RELEASE, SEM_SC, SEM_SC, SEM_RELEASE},
        [BOUNDED_EXCHANGE] = {SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC},
        [BOUNDED_FAILING] = {SEM_RELAXED, SEM_ACQUIRE, SEM_SC, SEM_SC, SEM_ACQUIRE},
        [BOUNDED_FENCE] = {SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC, SEM_SC}};
    return orders[kind][g_rand_int_range(random, 0, 5)];
}

/* Blocks of one device, or every level apart. */
static void random_places(GRand *random, struct bounded_program *program)
{
    bool levels = !g_rand_int_range(random, 0, 3);
    for (uint32_t i = 0; i < program->threads; i++) {
        program->block[i] = (uint8_t)g_rand_int_range(random, 0, 2);
        program->cluster[i] = levels ? program->block[i] / 2 : program->block[i];
        program->device[i] = 0;
        if (levels) { /* blocks 0 and 1 in cluster 0, block 2 in cluster 1, block 3 on device 1 */
            program->block[i] = (uint8_t)g_rand_int_range(random, 0, 4);
            program->cluster[i] = program->block[i] < 2 ? 0 : (uint8_t)(program->block[i] - 1);
            program->device[i] = program->block[i] == 3;
        }
    }
}

static enum scope random_scope(GRand *random)
{
    static const enum scope scopes[] = {SCOPE_CTA, SCOPE_GPU, SCOPE_GPU, SCOPE_CLUSTER, SCOPE_SYS};
    return scopes[g_rand_int_range(random, 0, G_N_ELEMENTS(scopes))];
}

/* One in each thread, somewhere. */
static void add_barriers(GRand *random, struct bounded_program *program)
{
    for (uint32_t t = 0, at = 0; t < program->threads; t++) {
        uint32_t end = at;
        while (end < program->count && program->at[end].thread == t)
            end++;
        uint32_t place = (uint32_t)g_rand_int_range(random, (gint32)at, (gint32)end + 1);
        memmove(program->at + place + 1, program->at + place,
                (program->count - place) * sizeof *program->at);
        program->at[place] =
            (struct bounded_operation){.kind = BOUNDED_BARRIER, .thread = (uint8_t)t};
        program->count++;
        at = end + 1;
    }
}

static struct bounded_program random_program(GRand *random)
{
    struct bounded_program program = {.threads = (uint32_t)g_rand_int_range(random, 2, 4)};
    uint32_t plain = (uint32_t)g_rand_int_range(random, 0, 4);
    program.count = program.threads + (uint32_t)g_rand_int_range(random, 1, 5);
    program.locations = (uint32_t)g_rand_int_range(random, 1, 4);
    random_places(random, &program);
    for (uint32_t i = 0; i < program.count; i++) {
        struct bounded_operation *one = &program.at[i];
        one->thread = (uint8_t)(i * program.threads / program.count);
        one->kind = i ? (uint8_t)g_rand_int_range(random, 0, BOUNDED_BARRIER) : BOUNDED_STORE;
        one->location = (uint8_t)g_rand_int_range(random, 0, (gint32)program.locations);
        one->order = random_order(random, one->kind);
        one->scope = (uint8_t)random_scope(random);
        if (one->kind < BOUNDED_EXCHANGE && one->location < plain && g_rand_boolean(random)) {
            one->order = SEM_WEAK;
            one->scope = SCOPE_NONE;
        }
    }
    if (!g_rand_int_range(random, 0, 3))
        add_barriers(random, &program);
    return program;
}

/* ---- the states of the bounded search ------------------------------------------------------- */

struct states {
    const struct bounded_program *program;
    const struct small_events *events;
    bool of_ptx;
    struct outcome_set *set;
};

/* The operation whose value the variable "r1" of the thread gets. */
static uint32_t read_number(const struct bounded_program *program, uint32_t thread,
                            const char *name)
{
    uint32_t number = (uint32_t)atoi(name + strcspn(name, "0123456789"));
    for (uint32_t i = 0; i < program->count; i++)
        if (program->at[i].thread == thread && bounded_reads(&program->at[i]) && !number--)
            return i;
    g_assert_not_reached();
}

static uint64_t value_of_term(const struct states *s, const struct bounded_execution *x,
                              const struct cond_term *term)
{
    const struct test *test = s->set->test;
    if (term->kind == TERM_REG) {
        const struct body *body = &test->bodies[test->columns[term->column].body];
        uint32_t read = read_number(s->program, term->column, body->regs[term->reg].name);
        return x->from[read] == BOUNDED_INITIAL ? 0 : bounded_value(s->program, x->from[read]);
    }
    for (uint32_t i = 0; i < s->program->count; i++)
        if (execution_ends_with(s->program, x, i) &&
            strcmp(bounded_location(s->program->at[i].location),
                   test->locations[term->location].name) == 0)
            return bounded_value(s->program, i);
    return 0;
}

static bool add_state(void *context, const struct bounded_execution *x)
{
    const struct states *s = context;
    const struct test *test = s->set->test;
    uint64_t values[2 * BOUNDED_OPERATIONS];
    if (s->of_ptx
            ? !values_are_grounded(s->program, x) || !target_allows(s->program, s->events, x, false)
            : !locations_allow(s->program, x) || !source_allows(s->program, s->events, x))
        return true;
    g_assert(test->observed_count <= G_N_ELEMENTS(values));
    for (uint32_t i = 0; i < test->observed_count; i++)
        values[i] = value_of_term(s, x, &test->observed[i]);
    outcome_add(s->set, values);
    return true;
}

/* ---- both ----------------------------------------------------------------------------------- */

static const struct solver_result *solve_test(struct arena *arena, const struct test *test,
                                              const char *model)
{
    struct diag_list diags = {.arena = arena};
    const struct unfold_options unfolding = {
        .unroll = 1, .max_events = MOST_EVENTS, .tearing = TEARING_CUTS};
    struct solver_options options = {
        .test = test, .model = model_load(arena, model, &diags), .states = true, .races = true};
    options.graphs = unfold(arena, test, &unfolding, &diags, &options.graph_count);
    g_assert(options.graphs && options.model);
    return solve(arena, &options);
}

static bool same_states(const struct test *test, const struct outcome_set *a,
                        const struct outcome_set *b)
{
    bool same = a->items.len == b->items.len;
    for (uint32_t i = 0; same && i < a->items.len; i++)
        same = outcome_compare(test, a->items.at[i].values, b->items.at[i].values) == 0;
    return same;
}

static bool has_states(const struct test *test, const struct outcome_set *all,
                       const struct outcome_set *some)
{
    for (uint32_t i = 0; i < some->items.len; i++) {
        bool found = false;
        for (uint32_t k = 0; k < all->items.len; k++)
            found |= outcome_compare(test, all->items.at[k].values, some->items.at[i].values) == 0;
        if (!found)
            return false;
    }
    return true;
}

/* Where accesses may race the search may take more for possible in PTX: it is confirmed. It may not miss any. */
static bool agree(struct arena *arena, const struct bounded_program *program,
                  const struct small_events *events, const struct test *test, const char *model,
                  const char *text)
{
    struct outcome_set small = {.test = test, .arena = arena};
    struct states states = {program, events, test->language == LANGUAGE_PTX, &small};
    const struct solver_result *solved = solve_test(arena, test, model);
    executions_enumerate(program, add_state, &states);
    bool loose = !solved->complete || (states.of_ptx && races_possible(program));
    if (same_states(test, &small, &solved->outcomes) ||
        (loose && has_states(test, &small, &solved->outcomes)))
        return true;
    g_autofree char *shown = g_strdup(text);
    printf("# %s: Z3 %u states, the bounded search %u\n# %s\n", model, solved->outcomes.items.len,
           small.items.len, g_strdelimit(shown, "\n", ' '));
    return false;
}

static bool first_execution(void *context, const struct bounded_execution *x)
{
    *(struct bounded_execution *)context = *x;
    return false;
}

static const struct test *parse(struct arena *arena, const char *text)
{
    struct diag_list diags = {.arena = arena};
    const struct test *test =
        litmus_parse(arena, source_new(arena, "bounded", text, strlen(text)), &diags);
    if (!test)
        g_error("%s in\n%s", diag_render(arena, &diags.items.at[0]), text);
    return test;
}

/* What a small object is looked at for before an atomic operation is no event of the bounded search, and could
 * only matter in a race. */
static const char *random_mapping(GRand *random, const struct bounded_program *program)
{
    const char *name = mapping_texts[g_rand_int_range(random, 0, (gint32)mapping_text_count)].name;
    return races_possible(program) && g_str_has_suffix(name, "-small") ? "library" : name;
}

static bool check_program(struct arena *arena, GRand *random)
{
    struct diag_list diags = {.arena = arena};
    struct bounded_program program = random_program(random);
    struct bounded_execution any = {{0}, {0}};
    struct small_events events;
    executions_enumerate(&program, first_execution, &any);
    const char *text = bounded_write(arena, "bounded", &program, &any);
    const struct test *source = parse(arena, text);
    const struct mapping_table *mapping =
        mapping_load(arena, random_mapping(random, &program), &diags);
    bool good = true;
    for (int split = 0; split < 2; split++) {
        events_of_source(&program, program.count, split, &events);
        good &= agree(arena, &program, &events, source, split ? "cpp+split" : "cpp", text);
    }
    const char *ptx = print_test(arena, mapping_translate(arena, mapping, source, &diags));
    events_of_target(&program, program.count, mapping, SEM_RELAXED, &events);
    return agree(arena, &program, &events, parse(arena, ptx), "ptx", ptx) && good;
}

int main(int argc, char **argv)
{
    uint32_t count = argc > 1 ? (uint32_t)atoi(argv[1]) : 100, wrong = 0;
    g_autoptr(GRand) random = g_rand_new_with_seed(argc > 2 ? (guint32)atoi(argv[2]) : 1);
    for (uint32_t i = 0; i < count; i++) {
        struct arena *arena = arena_new();
        wrong += !check_program(arena, random);
        arena_free(arena);
    }
    printf("1..1\n%s 1 %u random programs, %u with other states than Z3 finds\n",
           wrong ? "not ok" : "ok", count, wrong);
    return wrong != 0;
}
