/* SPDX-License-Identifier: MIT */
#include "litmus/generate/canonical.h"

#include <string.h>

enum { UNNAMED = UINT8_MAX };

/* The name of something: the next one when it is met for the first time. */
static uint8_t name(uint8_t *names, uint8_t thing, uint8_t *next)
{
    if (names[thing] == UNNAMED)
        names[thing] = (*next)++;
    return names[thing];
}

void canonical_places(const struct generated_program *program, const struct thread_order *order,
                      struct generated_place *places)
{
    uint8_t gpu[GENERATED_THREADS], cluster[GENERATED_THREADS], cta[GENERATED_THREADS];
    uint8_t gpus = 0, clusters = 0, ctas = 0;
    memset(gpu, UNNAMED, sizeof gpu);
    memset(cluster, UNNAMED, sizeof cluster);
    memset(cta, UNNAMED, sizeof cta);
    for (uint32_t k = 0; k < program->threads; k++) {
        const struct generated_place *place = &program->place[order->at[k]];
        places[k] = (struct generated_place){name(gpu, place->gpu, &gpus),
                                             name(cluster, place->cluster, &clusters),
                                             name(cta, place->cta, &ctas)};
    }
}

/* The number-th of the orders of so many threads; number 0 leaves them as they are. */
static struct thread_order order_number(uint32_t threads, uint32_t number)
{
    struct thread_order order = {{0, 1, 2, 3}};
    for (uint32_t k = 0; k + 1 < threads && k + 1 < GENERATED_THREADS; k++) {
        uint32_t choice = k + number % (threads - k);
        number /= threads - k;
        uint8_t chosen = order.at[choice % GENERATED_THREADS];
        order.at[choice % GENERATED_THREADS] = order.at[k];
        order.at[k] = chosen;
    }
    return order;
}

static uint32_t count_orders(uint32_t threads)
{
    uint32_t count = 1;
    for (uint32_t k = 2; k <= threads; k++)
        count *= k;
    return count;
}

static bool keeps_lengths(const struct generated_program *program, const struct thread_order *order)
{
    for (uint32_t k = 0; k < program->threads; k++)
        if (program->count[order->at[k]] != program->count[k])
            return false;
    return true;
}

bool canonical_orders(const struct generated_program *program, struct thread_orders *orders)
{
    struct thread_order given = order_number(program->threads, 0);
    struct generated_place here[GENERATED_THREADS] = {{0}}, there[GENERATED_THREADS] = {{0}};
    *orders = (struct thread_orders){0};
    canonical_places(program, &given, here);
    for (uint32_t i = 0; i < count_orders(program->threads); i++) {
        struct thread_order order = order_number(program->threads, i);
        if (!keeps_lengths(program, &order))
            continue;
        canonical_places(program, &order, there);
        int compared = memcmp(there, here, sizeof *here * program->threads);
        if (compared < 0)
            return false;
        if (compared == 0)
            orders->at[orders->count++] = order;
    }
    return true;
}

/* Compares the steps as 'order' reads them with those as they are. */
static int compare_read(const struct generated_program *program, const struct thread_order *order,
                        uint32_t threads)
{
    uint8_t names[GENERATED_LOCATIONS], next = 0;
    memset(names, UNNAMED, sizeof names);
    for (uint32_t k = 0; k < threads; k++)
        for (uint32_t i = 0; i < program->count[k]; i++) {
            struct generated_step step = program->steps[order->at[k]][i];
            if (step_is_access(&step))
                step.location = name(names, step.location, &next);
            int compared = memcmp(&step, &program->steps[k][i], sizeof step);
            if (compared)
                return compared;
        }
    return 0;
}

bool canonical_steps(const struct generated_program *program, const struct thread_orders *orders,
                     uint32_t threads)
{
    for (uint32_t i = 0; i < orders->count; i++) {
        const struct thread_order *order = &orders->at[i];
        bool inside = true; /* the other threads stay */
        for (uint32_t k = threads; k < program->threads; k++)
            inside &= order->at[k] == k;
        if (inside && compare_read(program, order, threads) < 0)
            return false;
    }
    return true;
}

/* The program as 'order' reads it. */
static void rename_all(const struct generated_program *program, const struct thread_order *order,
                       struct generated_program *renamed)
{
    uint8_t names[GENERATED_LOCATIONS], next = 0;
    memset(names, UNNAMED, sizeof names);
    memset(renamed, 0, sizeof *renamed);
    renamed->threads = program->threads;
    renamed->locations = program->locations;
    renamed->clusters = program->clusters;
    canonical_places(program, order, renamed->place);
    for (uint32_t k = 0; k < program->threads; k++) {
        renamed->count[k] = program->count[order->at[k]];
        for (uint32_t i = 0; i < renamed->count[k]; i++) {
            struct generated_step step = program->steps[order->at[k]][i];
            if (step_is_access(&step))
                step.location = name(names, step.location, &next);
            renamed->steps[k][i] = step;
        }
    }
}

/* Lengths, longest first; then places; then steps. */
static int compare_programs(const struct generated_program *a, const struct generated_program *b)
{
    for (uint32_t k = 0; k < a->threads; k++)
        if (a->count[k] != b->count[k])
            return a->count[k] > b->count[k] ? -1 : 1;
    int compared = memcmp(a->place, b->place, sizeof a->place);
    return compared ? compared : memcmp(a->steps, b->steps, sizeof a->steps);
}

static struct thread_order best_order(const struct generated_program *program,
                                      struct generated_program *best)
{
    struct thread_order found = {{0}};
    struct generated_program renamed;
    *best = (struct generated_program){0};
    for (uint32_t i = 0; i < count_orders(program->threads); i++) {
        struct thread_order order = order_number(program->threads, i);
        rename_all(program, &order, &renamed);
        if (best->threads && compare_programs(&renamed, best) >= 0)
            continue;
        *best = renamed;
        found = order;
    }
    return found;
}

void canonical_form(const struct generated_program *program, struct generated_program *canonical)
{
    struct generated_program best;
    best_order(program, &best);
    *canonical = best; /* which may be 'program' */
}

/* ---- outcomes ------------------------------------------------------------------------------- */

/* What the value of a location becomes when the order of threads does: values follow from it. */
static uint32_t rename_value(const struct generated_program *program,
                             const struct generated_program *renamed,
                             const struct thread_order *order, uint8_t location, uint32_t value)
{
    bool sums = generated_is_added_to(program, location);
    uint32_t now = 0;
    if (value == OUTCOME_ANY)
        return value;
    for (uint32_t k = 0; k < program->threads; k++)
        for (uint32_t i = 0; i < renamed->count[k]; i++) {
            const struct generated_step *step = &program->steps[order->at[k]][i];
            uint32_t constant = generated_value(program, order->at[k], i);
            if (step_writes(step) && step->location == location &&
                (sums ? (value & constant) != 0 : value == constant))
                now += generated_value(renamed, k, i);
        }
    return now;
}

/* What the renamed program calls the location of a step. */
static uint8_t location_of(const struct generated_program *program,
                           const struct generated_program *renamed,
                           const struct thread_order *order, uint8_t location)
{
    for (uint32_t k = 0; k < program->threads; k++)
        for (uint32_t i = 0; i < renamed->count[k]; i++)
            if (step_is_access(&renamed->steps[k][i]) && renamed->steps[k][i].location == location)
                return program->steps[order->at[k]][i].location;
    return location;
}

/* What 'program' observes as 'what', of its renamed self. */
static uint32_t value_of(const struct generated_program *program, const uint32_t *values,
                         struct generated_observed what)
{
    struct generated_observation observation;
    generated_observe(program, &observation);
    for (uint32_t i = 0; i < observation.count; i++)
        if (observation.at[i].thread == what.thread && observation.at[i].step == what.step)
            return values[i];
    return OUTCOME_ANY;
}

static void rename_values(const struct generated_program *program, const uint32_t *values,
                          const struct thread_order *order, const struct generated_program *renamed,
                          uint32_t *to)
{
    struct generated_observation observation;
    generated_observe(renamed, &observation);
    for (uint32_t i = 0; i < observation.count; i++) {
        struct generated_observed what = observation.at[i], was = what;
        if (what.thread == OBSERVED_LOCATION)
            was.step = location_of(program, renamed, order, what.step);
        else
            was.thread = order->at[what.thread];
        uint8_t location = was.thread == OBSERVED_LOCATION
                               ? was.step
                               : program->steps[was.thread][was.step].location;
        to[i] = rename_value(program, renamed, order, location, value_of(program, values, was));
    }
}

void canonical_test(const struct generated_program *program, const uint32_t *values,
                    struct generated_program *canonical, uint32_t *canonical_values)
{
    struct thread_order order = best_order(program, canonical);
    rename_values(program, values, &order, canonical, canonical_values);
}

/* The next access from 'at' on, or the end of the thread. */
static uint32_t next_access(const struct generated_program *program, uint32_t thread, uint32_t at)
{
    while (at < program->count[thread] && !step_is_access(&program->steps[thread][at]))
        at++;
    return at;
}

static bool same_accesses(const struct generated_program *a, const struct generated_program *b)
{
    bool same = memcmp(a->place, b->place, sizeof a->place) == 0;
    for (uint32_t t = 0; same && t < a->threads; t++) {
        uint32_t i = next_access(a, t, 0), j = next_access(b, t, 0);
        for (; same && i < a->count[t] && j < b->count[t];
             i = next_access(a, t, i + 1), j = next_access(b, t, j + 1)) {
            const struct generated_step *x = &a->steps[t][i], *y = &b->steps[t][j];
            same = x->kind == y->kind && x->atom == y->atom && x->proxy == y->proxy &&
                   x->dependency == y->dependency && x->location == y->location;
        }
        same &= i == a->count[t] && j == b->count[t];
    }
    return same;
}

bool canonical_outcome(const struct generated_program *program, const uint32_t *values)
{
    struct generated_observation observation;
    generated_observe(program, &observation);
    for (uint32_t i = 1; i < count_orders(program->threads); i++) {
        struct thread_order order = order_number(program->threads, i);
        struct generated_program renamed;
        uint32_t renamed_values[OBSERVED_MOST];
        rename_all(program, &order, &renamed);
        if (!same_accesses(program, &renamed))
            continue;
        int compared = compare_programs(&renamed, program);
        rename_values(program, values, &order, &renamed, renamed_values);
        if (compared == 0)
            compared = memcmp(renamed_values, values, observation.count * sizeof *values);
        if (compared < 0)
            return false;
    }
    return true;
}
