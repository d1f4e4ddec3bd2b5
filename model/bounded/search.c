/* SPDX-License-Identifier: MIT */
#include "model/bounded/search.h"

#include <glib.h>
#include <limits.h>
#include <string.h>

#include "model/bounded/shape.h"

struct bounded_run {
    const struct bounded_question *question;
    struct bounded_answer *answer;
    struct bounded_program program; /* with the scopes of accesses, and orders of what is decided */
    struct bounded_execution execution;
    int shape;
};

/* ---- orders --------------------------------------------------------------------------------- */

static const uint8_t read_orders[] = {SEM_RELAXED, SEM_ACQUIRE, SEM_SC};
static const uint8_t write_orders[] = {SEM_RELAXED, SEM_RELEASE, SEM_SC};
static const uint8_t both_orders[] = {SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC};
static const uint8_t fence_orders[] = {SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC};
static const struct {
    const uint8_t *at;
    uint32_t count;
} orders[BOUNDED_KINDS] = {[BOUNDED_LOAD] = {read_orders, G_N_ELEMENTS(read_orders)},
                           [BOUNDED_STORE] = {write_orders, G_N_ELEMENTS(write_orders)},
                           [BOUNDED_EXCHANGE] = {both_orders, G_N_ELEMENTS(both_orders)},
                           [BOUNDED_FAILING] = {read_orders, G_N_ELEMENTS(read_orders)},
                           [BOUNDED_FENCE] = {fence_orders, G_N_ELEMENTS(fence_orders)}};

/* Is there another thread in the block of the thread, and one elsewhere? Then scopes differ. */
static bool block_matters(const struct bounded_program *program, uint32_t thread)
{
    bool same = false, other = false;
    for (uint32_t i = 0; i < program->threads; i++) {
        same |= i != thread && program->block[i] == program->block[thread];
        other |= program->block[i] != program->block[thread];
    }
    return same && other;
}

/* ---- one execution -------------------------------------------------------------------------- */

/* False: C++ allows another execution with the same values. */
static bool is_forbidden_too(void *context, const struct bounded_execution *x)
{
    struct bounded_run *run = context;
    struct small_events events;
    if (!executions_end_alike(&run->program, &run->execution, x) ||
        !locations_allow(&run->program, x))
        return true;
    events_of_source(&run->program, run->program.count, run->question->split, &events);
    return !source_allows(&run->program, &events, x);
}

static bool is_counterexample(struct bounded_run *run)
{
    return executions_like(&run->program, &run->execution, is_forbidden_too, run);
}

/* Gives the operations from 'decided' on orders, as long as PTX could allow the execution with the weakest
 * ones and C++ would forbid it with the strongest. False: found. */
static bool decide(struct bounded_run *run, uint32_t decided)
{
    struct small_events events;
    struct bounded_program *program = &run->program;
    events_of_source(program, decided, run->question->split, &events);
    if (source_allows(program, &events, &run->execution))
        return true;
    events_of_target(program, decided, run->question->mapping, &events);
    if (!target_allows(program, &events, &run->execution))
        return true;
    if (decided == program->count)
        return !is_counterexample(run);
    struct bounded_operation *one = &program->at[decided];
    bool scoped = !bounded_accesses(one) && block_matters(program, one->thread);
    uint8_t scope = one->scope;
    for (uint32_t wide = scoped ? 0 : 1; wide < 2; wide++)
        for (uint32_t i = 0; i < orders[one->kind].count; i++) {
            one->order = orders[one->kind].at[i];
            if (!bounded_accesses(one))
                one->scope = wide ? SCOPE_GPU : SCOPE_CTA;
            if (!decide(run, decided + 1))
                return false;
        }
    one->scope = scope;
    return true;
}

static bool ask_execution(void *context, const struct bounded_execution *x)
{
    struct bounded_run *run = context;
    if (!locations_allow(&run->program, x) || order_allows(&run->program, x))
        return true;
    run->execution = *x;
    return decide(run, 0);
}

/* ---- scopes --------------------------------------------------------------------------------- */

static uint64_t decorations(const struct bounded_program *program)
{
    uint64_t count = 1;
    for (uint32_t i = 0; i < program->count; i++)
        count *=
            orders[program->at[i].kind].count *
            (!bounded_accesses(&program->at[i]) && block_matters(program, program->at[i].thread)
                 ? 2
                 : 1);
    return count;
}

/* Is every access that conflicts with this one in its block? */
static bool stays_in_block(const struct bounded_program *program, uint32_t index)
{
    const struct bounded_operation *one = &program->at[index];
    for (uint32_t i = 0; i < program->count; i++)
        if (bounded_conflict(one, &program->at[i]) &&
            program->block[one->thread] != program->block[program->at[i].thread])
            return false;
    return true;
}

/* The scope of an earlier access of the location, or SCOPE_NONE. */
static uint32_t scope_so_far(const struct bounded_program *program, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (bounded_accesses(&program->at[i]) &&
            program->at[i].location == program->at[index].location)
            return program->at[i].scope;
    return SCOPE_NONE;
}

static bool each_scope(struct bounded_run *run, uint32_t index)
{
    struct bounded_program *program = &run->program;
    if (index == program->count) {
        const struct bounded_program fixed = *program;
        run->answer->programs += decorations(program);
        return run->question->counts_only || executions_enumerate(&fixed, ask_execution, run);
    }
    struct bounded_operation *one = &program->at[index];
    uint32_t given = run->question->mixed_scopes ? SCOPE_NONE : scope_so_far(program, index);
    bool access = bounded_accesses(one);
    bool narrow = access && block_matters(program, one->thread) && stays_in_block(program, index);
    if (access && given == SCOPE_CTA && !narrow)
        return true;
    for (uint32_t wide = 0; wide < 2; wide++) {
        uint32_t scope = wide ? SCOPE_GPU : SCOPE_CTA;
        if ((given && scope != given) || (!wide && !narrow))
            continue;
        one->scope = (uint8_t)scope;
        if (!each_scope(run, index + 1))
            return false;
    }
    return true;
}

/* ---- shapes --------------------------------------------------------------------------------- */

static void lower(volatile int *end, int to)
{
    for (int now = g_atomic_int_get(end); to < now; now = g_atomic_int_get(end))
        if (g_atomic_int_compare_and_exchange(end, now, to))
            return;
}

static bool ask_shape(void *context, const struct bounded_program *shape)
{
    struct bounded_run *run = context;
    int number = run->shape++;
    if (number >= g_atomic_int_get(run->question->end))
        return false;
    if ((uint32_t)number % run->question->parts != run->question->part)
        return true;
    run->program = *shape;
    run->answer->shapes++;
    if (each_scope(run, 0))
        return true;
    run->answer->found = true;
    run->answer->shape = number;
    run->answer->program = run->program;
    run->answer->execution = run->execution;
    lower(run->question->end, number);
    return false;
}

/* What a failed compare and exchange becomes, other than what a load does. */
static bool failing_differs(const struct mapping_table *mapping)
{
    for (size_t i = 0; i < G_N_ELEMENTS(read_orders); i++) {
        struct bounded_program one = {.threads = 1, .count = 1};
        struct small_events load, fail;
        one.at[0] = (struct bounded_operation){
            .kind = BOUNDED_LOAD, .order = read_orders[i], .scope = SCOPE_GPU};
        events_of_target(&one, 1, mapping, &load);
        one.at[0].kind = BOUNDED_FAILING;
        events_of_target(&one, 1, mapping, &fail);
        if (memcmp(&load, &fail, sizeof load) != 0)
            return true;
    }
    return false;
}

void bounded_search(const struct bounded_question *question, struct bounded_answer *answer)
{
    struct shape_bounds bounds = {.events = question->events,
                                  .cycles_only = question->cycles_only,
                                  .failing = failing_differs(question->mapping)};
    struct bounded_run run = {.question = question, .answer = answer};
    *answer = (struct bounded_answer){0};
    shapes_enumerate(&bounds, ask_shape, &run);
}

bool bounded_can_search(const struct mapping_table *mapping, uint32_t events)
{
    const struct mapping_row *rows = &mapping->rows[0][0][0][0];
    uint32_t longest = 1;
    for (size_t i = 0; i < sizeof mapping->rows / sizeof *rows; i++) {
        longest = MAX(longest, rows[i].step_count);
        for (uint32_t k = 0; k < rows[i].step_count; k++)
            if (rows[i].steps[k].sem == SEM_WEAK)
                return false;
    }
    return events <= BOUNDED_OPERATIONS && events * longest <= SMALL_EVENTS;
}
