/* SPDX-License-Identifier: MIT */
#include "cli/campaign/mutant.h"

#include "litmus/test/code_line.h"

enum { ALLOWED, FORBIDDEN, OPEN };

/* Is the outcome that the test asks about allowed? Undefined behaviour allows it in name only. */
static int ask(struct job *job)
{
    struct solver_options options = job_solver_options(job, false);
    options.states = options.races = false;
    const struct solver_result *found = solve(job->arena, &options);
    bool forall = job->test->quantifier == QUANTIFIER_FORALL;
    bool there = forall ? found->negation_reachable : found->condition_reachable;
    bool decided = forall ? found->negation_decided : found->condition_decided;
    if (found->undefined_count || !found->undefined_decided)
        return OPEN;
    if (there)
        return ALLOWED;
    return decided && found->bound_decided && !found->bound_reached ? FORBIDDEN : OPEN;
}

/* ---- one place ------------------------------------------------------------------------------- */

struct mutants {
    struct job *job;
    struct edit_places places;
    mutant_visit *visit;
    void *context;
    uint32_t number; /* of the last mutant */
    bool open;
};

static uint8_t *choose(const struct mutants *s, uint32_t place, uint32_t option)
{
    uint32_t count = s->places.items.len;
    uint8_t *choice = ARENA_ARRAY(s->job->arena, uint8_t, count + 1);
    for (uint32_t i = 0; i < count; i++)
        choice[i] = (uint8_t)(s->places.items.at[i].options.len - 1);
    choice[place] = (uint8_t)option;
    return choice;
}

static int ask_option(struct mutants *s, uint32_t place, uint32_t option)
{
    struct variant variant;
    int answer = OPEN;
    if (variant_new(&variant, s->job, &s->places, choose(s, place, option)))
        answer = ask(&variant.job);
    variant_free(&variant);
    return answer;
}

static const char *words(struct arena *arena, const struct test *test, const struct edit *edit)
{
    struct span span = edit->inst->span;
    const char *before = arena_strndup(arena, test->source->text + span.offset, span.length);
    const char *line = test_line_words(arena, test, span.offset);
    if (edit->kind == EDIT_REMOVE)
        return arena_printf(arena, "%s, %s: without '%s'", edit->body->name, line, before);
    return arena_printf(arena, "%s, %s: '%s' becomes '%s'", edit->body->name, line, before,
                        edit->words);
}

static void visit_option(struct mutants *s, uint32_t place, uint32_t option)
{
    const struct test *test = s->job->test;
    struct variant variant;
    if (variant_new(&variant, s->job, &s->places, choose(s, place, option))) {
        struct arena *arena = variant.arena;
        struct test mutated = *variant.job.test;
        const char *change = words(arena, test, &s->places.items.at[place].options.at[option].edit);
        mutated.name = arena_printf(arena, "%s~%u", test->name, ++s->number);
        mutated.comments = ARENA_NEW(arena, const char *);
        mutated.comments[0] = change;
        mutated.comment_count = 1;
        mutated.expectation_count = 0;
        variant.job.test = &mutated;
        s->visit(s->context, &(struct mutant){&mutated, change, &variant.job});
    }
    variant_free(&variant);
}

static bool is_within(const struct edit_place *place, uint64_t options, uint32_t option)
{
    for (uint32_t i = 0; i < place->wide; i++)
        if (i != option && options >> i & 1 && place->least[i] >> option & 1)
            return true;
    return false;
}

/* What allows the outcome, and is not included in another form that does. */
static void visit_place(struct mutants *s, uint32_t index)
{
    const struct edit_place *place = &s->places.items.at[index];
    uint64_t allowed = 0;
    for (uint32_t option = place->wide - 1; option-- > 0;) {
        int answer = is_within(place, allowed, option) ? OPEN : ask_option(s, index, option);
        allowed |= answer == ALLOWED ? UINT64_C(1) << option : 0;
        s->open |= answer == OPEN && !is_within(place, allowed, option);
    }
    for (uint32_t option = place->wide - 1; option-- > 0;)
        if (allowed >> option & 1 && !is_within(place, allowed, option))
            visit_option(s, index, option);
}

/* ---- the test -------------------------------------------------------------------------------- */

enum mutant_origin mutants_each(struct job *job, mutant_visit *visit, void *context)
{
    struct mutants s = {.job = job, .visit = visit, .context = context};
    int answer = job->test->condition->kind == COND_TRUE ? ALLOWED : ask(job);
    if (answer != FORBIDDEN)
        return answer == ALLOWED ? MUTANT_ALLOWED : MUTANT_OPEN;
    s.places = edit_places_weaker(job->arena, job->test);
    for (uint32_t i = 0; i < s.places.items.len; i++)
        visit_place(&s, i);
    return s.open ? MUTANT_OPEN : MUTANT_FORBIDDEN;
}
