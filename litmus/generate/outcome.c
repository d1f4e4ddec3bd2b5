/* SPDX-License-Identifier: MIT */
#include "litmus/generate/outcome.h"

#include <string.h>

#include "litmus/base/sort.h"

enum { EVERYWHERE = GENERATED_LOCATIONS };

void generated_observe(const struct generated_program *program,
                       struct generated_observation *observation)
{
    observation->count = 0;
    for (uint8_t t = 0; t < program->threads; t++)
        for (uint8_t i = 0; i < program->count[t]; i++)
            if (step_returns(&program->steps[t][i]))
                observation->at[observation->count++] = (struct generated_observed){t, i};
    for (uint8_t l = 0; l < program->locations; l++)
        if (generated_writes(program, l) > 1)
            observation->at[observation->count++] =
                (struct generated_observed){OBSERVED_LOCATION, l};
}

bool generated_asks(const struct generated_program *program, const uint32_t *values)
{
    struct generated_observation observation;
    generated_observe(program, &observation);
    for (uint32_t i = 0; i < observation.count; i++)
        if (values[i] != OUTCOME_ANY)
            return true;
    return false;
}

/* ---- one outcome: what the steps do --------------------------------------------------------- */

/* The program with what an outcome says of each step. */
struct told {
    const struct generated_program *program;
    uint32_t constant[GENERATED_THREADS][GENERATED_STEPS];
    uint32_t returned[GENERATED_THREADS][GENERATED_STEPS];
    bool executes[GENERATED_THREADS][GENERATED_STEPS];
    uint32_t final[GENERATED_LOCATIONS];
    bool final_asked[GENERATED_LOCATIONS];
    uint32_t only; /* the location whose accesses count, or EVERYWHERE */
};

static void note_constants(struct told *told, const struct generated_program *program)
{
    told->program = program;
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t]; i++)
            if (step_writes(&program->steps[t][i]))
                told->constant[t][i] = generated_value(program, t, i);
}

/* Does the condition of a step allow it, by what was returned before? */
static bool is_executed(const struct told *told, uint32_t thread, uint32_t step)
{
    const struct generated_step *steps = told->program->steps[thread];
    uint8_t dependency = steps[step].dependency;
    uint32_t last = step;
    if (dependency != STEP_IF && dependency != STEP_IF_ZERO)
        return true;
    while (last && !step_returns(&steps[last - 1]))
        last--;
    return (told->returned[thread][last - 1] != 0) == (dependency == STEP_IF);
}

static void note_outcome(struct told *told, const struct generated_observation *observation,
                         const uint32_t *values)
{
    for (uint32_t k = 0; k < observation->count; k++) {
        struct generated_observed what = observation->at[k];
        if (what.thread == OBSERVED_LOCATION) {
            told->final[what.step] = values[k];
            told->final_asked[what.step] = true;
        } else {
            told->returned[what.thread][what.step] = values[k];
        }
    }
    for (uint32_t t = 0; t < told->program->threads; t++)
        for (uint32_t i = 0; i < told->program->count[t]; i++)
            told->executes[t][i] = is_executed(told, t, i);
}

/* What memory holds after the step, which found 'old' there. */
static uint32_t written(const struct generated_step *step, uint32_t constant, uint32_t old)
{
    if (step->kind == STEP_LOAD)
        return old;
    if (step->atom == ATOM_ADD)
        return old + constant;
    return step->atom == ATOM_CAS && old != 0 ? old : constant;
}

/* ---- interleavings -------------------------------------------------------------------------- */

struct interleaving {
    uint32_t at[GENERATED_THREADS], memory[GENERATED_LOCATIONS], barriers[GENERATED_THREADS];
};

static bool ends_as_told(const struct told *told, const struct interleaving *now)
{
    for (uint32_t l = 0; l < told->program->locations; l++)
        if ((told->only == EVERYWHERE || told->only == l) && told->final_asked[l] &&
            now->memory[l] != told->final[l])
            return false;
    return true;
}

/* At a barrier a thread waits until the others of its CTA have come as far. */
static bool may_pass(const struct told *told, const struct interleaving *now, uint32_t thread)
{
    const struct generated_program *program = told->program;
    for (uint32_t t = 0; t < program->threads; t++) {
        uint32_t i = now->at[t];
        bool waits = i < program->count[t] && program->steps[t][i].kind == STEP_BARRIER;
        if (t != thread && program->place[t].cta == program->place[thread].cta &&
            now->barriers[t] + waits <= now->barriers[thread])
            return false;
    }
    return true;
}

/* Takes the thread one step on; false when the outcome says otherwise. */
static bool advance(const struct told *told, struct interleaving *now, uint32_t thread)
{
    uint32_t i = now->at[thread];
    const struct generated_step *step = &told->program->steps[thread][i];
    if (step->kind == STEP_BARRIER && told->only == EVERYWHERE) {
        if (!may_pass(told, now, thread))
            return false;
        now->barriers[thread]++;
    }
    now->at[thread]++;
    if (!step_is_access(step) || !told->executes[thread][i] ||
        (told->only != EVERYWHERE && told->only != step->location))
        return true;
    uint32_t *memory = &now->memory[step->location];
    if (step_returns(step) && *memory != told->returned[thread][i])
        return false;
    *memory = written(step, told->constant[thread][i], *memory);
    return true;
}

static bool reaches(const struct told *told, const struct interleaving *now)
{
    bool ended = true;
    for (uint32_t t = 0; t < told->program->threads; t++) {
        if (now->at[t] == told->program->count[t])
            continue;
        struct interleaving next = *now;
        ended = false;
        if (advance(told, &next, t) && reaches(told, &next))
            return true;
    }
    return ended && ends_as_told(told, now);
}

static bool is_coherent(struct told *told)
{
    static const struct interleaving start;
    for (told->only = 0; told->only < told->program->locations; told->only++)
        if (!reaches(told, &start))
            return false;
    return true;
}

static enum outcome_class classify(struct told *told)
{
    static const struct interleaving start;
    told->only = EVERYWHERE;
    if (reaches(told, &start))
        return OUTCOME_SC;
    return is_coherent(told) ? OUTCOME_WEAK : OUTCOME_INCOHERENT;
}

bool generated_is_sc(const struct generated_program *program,
                     const struct generated_observation *observation, const uint32_t *values)
{
    struct told told = {0};
    note_constants(&told, program);
    note_outcome(&told, observation, values);
    return classify(&told) == OUTCOME_SC;
}

/* ---- every outcome -------------------------------------------------------------------------- */

/* A read and the write that it takes its value from; thread OBSERVED_LOCATION: the initial state. */
struct sourced {
    uint8_t thread, step, from_thread, from_step;
};

struct choosing {
    struct arena *arena;
    struct told told; /* with what the sources chosen so far return */
    const struct generated_observation *observation;
    struct generated_outcomes *outcomes;
    struct sourced reads[GENERATED_THREADS * GENERATED_STEPS];
    uint32_t read_count;
};

/* Steps return what their sources write, as often as it takes for values to come through all of
 * them; false when they go in a circle or a source does not write. */
static bool follow_sources(struct choosing *choosing)
{
    struct told *told = &choosing->told;
    bool changed = true;
    for (uint32_t round = 0; changed; round++) {
        changed = false;
        if (round > choosing->read_count)
            return false;
        for (uint32_t r = 0; r < choosing->read_count; r++) {
            struct sourced read = choosing->reads[r];
            uint32_t value = 0;
            if (read.from_thread != OBSERVED_LOCATION)
                value = written(&told->program->steps[read.from_thread][read.from_step],
                                told->constant[read.from_thread][read.from_step],
                                told->returned[read.from_thread][read.from_step]);
            changed |= value != told->returned[read.thread][read.step];
            told->returned[read.thread][read.step] = value;
        }
    }
    return true;
}

static bool writes_now(const struct told *told, uint32_t thread, uint32_t step)
{
    const struct generated_step *one = &told->program->steps[thread][step];
    return step_writes(one) && told->executes[thread][step] &&
           !(one->atom == ATOM_CAS && told->returned[thread][step] != 0);
}

/* A step that does not execute returns 0, as its register is at first. */
static bool sources_write(struct choosing *choosing)
{
    struct told *told = &choosing->told;
    for (uint32_t t = 0; t < told->program->threads; t++)
        for (uint32_t i = 0; i < told->program->count[t]; i++)
            told->executes[t][i] = is_executed(told, t, i);
    for (uint32_t r = 0; r < choosing->read_count; r++) {
        struct sourced read = choosing->reads[r];
        bool from_write = read.from_thread != OBSERVED_LOCATION;
        if (from_write && (!told->executes[read.thread][read.step] ||
                           !writes_now(told, read.from_thread, read.from_step)))
            return false;
    }
    return true;
}

static bool is_known(const struct choosing *choosing, const uint32_t *values)
{
    for (uint32_t i = 0; i < choosing->outcomes->items.len; i++)
        if (memcmp(choosing->outcomes->items.at[i].values, values,
                   sizeof *values * choosing->observation->count) == 0)
            return true;
    return false;
}

static void take(struct choosing *choosing, const uint32_t *values)
{
    size_t bytes = sizeof *values * choosing->observation->count;
    if (is_known(choosing, values))
        return;
    struct told told = choosing->told;
    note_outcome(&told, choosing->observation, values);
    struct generated_outcome outcome = {classify(&told), arena_alloc(choosing->arena, bytes + 1)};
    memcpy(outcome.values, values, bytes);
    vec_push(choosing->arena, &choosing->outcomes->items, outcome);
}

/* The last value of each location is that of any write to it. */
static void choose_final(struct choosing *choosing, uint32_t k, uint32_t *values)
{
    const struct told *told = &choosing->told;
    if (k == choosing->observation->count) {
        take(choosing, values);
        return;
    }
    uint8_t location = choosing->observation->at[k].step;
    bool any = false;
    for (uint32_t t = 0; t < told->program->threads; t++)
        for (uint32_t i = 0; i < told->program->count[t]; i++) {
            const struct generated_step *step = &told->program->steps[t][i];
            if (step->location != location || !writes_now(told, t, i))
                continue;
            any = true;
            values[k] = written(step, told->constant[t][i], told->returned[t][i]);
            choose_final(choosing, k + 1, values);
        }
    values[k] = 0;
    if (!any)
        choose_final(choosing, k + 1, values);
}

static void take_sources(struct choosing *choosing)
{
    uint32_t values[OBSERVED_MOST], k = 0;
    if (!follow_sources(choosing) || !sources_write(choosing))
        return;
    for (; k < choosing->observation->count; k++) {
        struct generated_observed what = choosing->observation->at[k];
        if (what.thread == OBSERVED_LOCATION)
            break;
        values[k] = choosing->told.returned[what.thread][what.step];
    }
    choose_final(choosing, k, values);
}

static void choose_source(struct choosing *choosing, uint32_t r)
{
    const struct generated_program *program = choosing->told.program;
    if (r == choosing->read_count) {
        take_sources(choosing);
        return;
    }
    struct sourced *read = &choosing->reads[r];
    uint8_t location = program->steps[read->thread][read->step].location;
    read->from_thread = OBSERVED_LOCATION;
    choose_source(choosing, r + 1);
    for (uint8_t t = 0; t < program->threads; t++)
        for (uint8_t i = 0; i < program->count[t]; i++) {
            const struct generated_step *step = &program->steps[t][i];
            if (!step_writes(step) || step->location != location ||
                (t == read->thread && i == read->step))
                continue;
            read->from_thread = t;
            read->from_step = i;
            choose_source(choosing, r + 1);
        }
}

static int compare_outcomes(const void *a, const void *b)
{
    const struct generated_outcome *x = a, *y = b;
    if (x->class != y->class)
        return x->class < y->class ? -1 : 1;
    uint32_t k = 0; /* outcomes differ */
    while (x->values[k] == y->values[k])
        k++;
    return x->values[k] < y->values[k] ? -1 : 1;
}

void generated_outcomes(struct arena *arena, const struct generated_program *program,
                        struct generated_outcomes *outcomes)
{
    struct generated_observation observation;
    struct choosing choosing = {.arena = arena, .observation = &observation, .outcomes = outcomes};
    *outcomes = (struct generated_outcomes){0};
    generated_observe(program, &observation);
    note_constants(&choosing.told, program);
    for (uint8_t t = 0; t < program->threads; t++)
        for (uint8_t i = 0; i < program->count[t]; i++)
            if (step_reads(&program->steps[t][i]))
                choosing.reads[choosing.read_count++] = (struct sourced){.thread = t, .step = i};
    choose_source(&choosing, 0);
    sort_array(outcomes->items.at, outcomes->items.len, sizeof *outcomes->items.at,
               compare_outcomes);
}
