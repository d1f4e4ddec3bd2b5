/* SPDX-License-Identifier: MIT */
#include "model/bounded/search.h"

#include <glib.h>
#include <stdatomic.h>
#include <string.h>

#include "model/bounded/race.h"
#include "model/bounded/shape.h"

struct bounded_run {
    const struct bounded_question *question;
    struct bounded_answer *answer;
    struct bounded_program program; /* with the scopes of accesses, and orders of what is decided */
    struct bounded_execution execution;
    bool uniform; /* the mapping */
    bool may_race;
    enum sem weakest;     /* that the mapping makes of an access */
    uint32_t begun, turn; /* beginnings met; the one, of this part's, that is to be done next */
    uint64_t place;       /* of the next shape */
};

/* ---- orders --------------------------------------------------------------------------------- */

static const uint8_t read_orders[] = {SEM_RELAXED, SEM_ACQUIRE, SEM_SC};
static const uint8_t write_orders[] = {SEM_RELAXED, SEM_RELEASE, SEM_SC};
static const uint8_t both_orders[] = {SEM_RELAXED, SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC};
static const uint8_t fence_orders[] = {SEM_ACQUIRE, SEM_RELEASE, SEM_ACQ_REL, SEM_SC};
static const uint8_t plain_orders[] = {SEM_WEAK};
struct order_list {
    const uint8_t *at;
    uint32_t count;
};
static const struct order_list orders[BOUNDED_KINDS] = {
    [BOUNDED_LOAD] = {read_orders, G_N_ELEMENTS(read_orders)},
    [BOUNDED_STORE] = {write_orders, G_N_ELEMENTS(write_orders)},
    [BOUNDED_EXCHANGE] = {both_orders, G_N_ELEMENTS(both_orders)},
    [BOUNDED_FAILING] = {read_orders, G_N_ELEMENTS(read_orders)},
    [BOUNDED_FENCE] = {fence_orders, G_N_ELEMENTS(fence_orders)},
    [BOUNDED_BARRIER] = {plain_orders, G_N_ELEMENTS(plain_orders)}};

static struct order_list orders_of(const struct bounded_operation *one)
{
    return bounded_is_plain(one) ? (struct order_list){plain_orders, G_N_ELEMENTS(plain_orders)}
                                 : orders[one->kind];
}

/* ---- scopes --------------------------------------------------------------------------------- */

struct scope_list {
    uint8_t at[SCOPE_COUNT];
    uint32_t count;
};

static uint32_t reach_of(const struct bounded_program *program, uint32_t scope, uint32_t thread)
{
    uint32_t count = 0;
    for (uint32_t t = 0; t < program->threads; t++)
        count += bounded_reaches(program, scope, thread, t);
    return count;
}

/* The scopes that a thread's atomic accesses and fences may have, the narrowest first. Where the mapping is uniform
 * those that reach another thread, one for each set of threads. */
static struct scope_list scopes_of(const struct bounded_run *run, uint32_t thread)
{
    struct scope_list list = {.count = 0};
    uint32_t widest = run->uniform ? SCOPE_GPU : SCOPE_SYS;
    for (uint32_t scope = SCOPE_CTA; scope <= widest; scope++) {
        uint32_t reach = reach_of(&run->program, scope, thread);
        bool differs = reach > (scope > SCOPE_CTA ? reach_of(&run->program, scope - 1, thread) : 1);
        bool narrower = reach < reach_of(&run->program, widest, thread);
        if (!run->uniform || scope == widest || (differs && narrower))
            list.at[list.count++] = (uint8_t)scope;
    }
    return list;
}

/* Are all accesses of a location morally strong, whatever is decided? */
static bool is_strict(const struct bounded_run *run)
{
    return !run->may_race && run->uniform;
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
    return executions_like(&run->program, &run->execution, is_forbidden_too, run) &&
           !(run->may_race && races_somehow(&run->program, &run->execution, run->question->split));
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
    if (run->may_race && races_in_turn(program, &run->execution, decided, run->question->split))
        return true;
    events_of_target(program, decided, run->question->mapping, run->weakest, &events);
    if (!target_allows(program, &events, &run->execution, is_strict(run)))
        return true;
    if (decided == program->count)
        return !is_counterexample(run);
    struct bounded_operation *one = &program->at[decided];
    struct order_list list = orders_of(one);
    struct scope_list scopes = {.at = {one->scope}, .count = 1};
    uint8_t scope = one->scope;
    if (one->kind == BOUNDED_FENCE)
        scopes = scopes_of(run, one->thread);
    for (uint32_t k = 0; k < scopes.count; k++)
        for (uint32_t i = 0; i < list.count; i++) {
            one->order = list.at[i];
            one->scope = scopes.at[k];
            if (!decide(run, decided + 1))
                return false;
        }
    one->scope = scope;
    return true;
}

/* ---- guards --------------------------------------------------------------------------------- */

/* The reads that something follows in their thread, and no barrier, which all threads of a block come to. */
static uint32_t guards_of(const struct bounded_program *program)
{
    uint32_t guards = 0;
    for (uint32_t i = 0; i < program->count; i++) {
        bool followed = false, waits = false;
        for (uint32_t k = i + 1; k < program->count; k++) {
            followed |= program->at[k].thread == program->at[i].thread;
            waits |= program->at[k].thread == program->at[i].thread &&
                     program->at[k].kind == BOUNDED_BARRIER;
        }
        if (bounded_reads(&program->at[i]) && followed && !waits)
            guards |= 1u << i;
    }
    return guards;
}

/* Leaves out the guards that no race needs. */
static void drop_guards(struct bounded_run *run)
{
    struct bounded_program *program = &run->program;
    for (uint32_t i = 0; i < program->count; i++) {
        uint32_t before = program->guarded;
        program->guarded &= ~(1u << i);
        if (before != program->guarded &&
            races_somehow(program, &run->execution, run->question->split))
            program->guarded = before;
    }
}

/* More guards make less races and less executions of PTX; what they guard is executed. So those are tried that
 * leave no value that depends on itself, each as large as can be. */
static bool with_guards(struct bounded_run *run)
{
    uint32_t all = guards_of(&run->program), tried[64], count = 0;
    uint32_t guards = all;
    for (bool more = true; more; more = guards != 0, guards = (guards - 1) & all) {
        bool covered = false;
        for (uint32_t i = 0; i < count; i++)
            covered |= (guards & ~tried[i]) == 0;
        run->program.guarded = guards;
        if (covered || count == G_N_ELEMENTS(tried) ||
            !values_are_grounded(&run->program, &run->execution))
            continue;
        tried[count++] = guards;
        if (!decide(run, 0)) {
            drop_guards(run);
            return false;
        }
        if (guards == all)
            break;
    }
    run->program.guarded = 0;
    return true;
}

static bool ask_execution(void *context, const struct bounded_execution *x)
{
    struct bounded_run *run = context;
    if ((is_strict(run) && !locations_allow(&run->program, x)) || order_allows(&run->program, x))
        return true;
    run->execution = *x;
    if (run->may_race)
        return with_guards(run);
    return (!is_strict(run) && !values_are_grounded(&run->program, x)) || decide(run, 0);
}

/* ---- accesses ------------------------------------------------------------------------------- */

static uint64_t decorations(const struct bounded_run *run)
{
    const struct bounded_program *program = &run->program;
    uint64_t count = 1;
    for (uint32_t i = 0; i < program->count; i++)
        count *= orders_of(&program->at[i]).count *
                 (program->at[i].kind == BOUNDED_FENCE ? scopes_of(run, program->at[i].thread).count
                                                       : 1);
    return count;
}

/* The scope of an earlier atomic access of the location, or SCOPE_NONE. */
static uint32_t scope_so_far(const struct bounded_program *program, uint32_t index)
{
    for (uint32_t i = 0; i < index; i++)
        if (bounded_accesses(&program->at[i]) && !bounded_is_plain(&program->at[i]) &&
            program->at[i].location == program->at[index].location)
            return program->at[i].scope;
    return SCOPE_NONE;
}

/* With the scopes of the operations before 'placed' and no others: must it race? */
static bool must_race(const struct bounded_run *run, uint32_t placed)
{
    for (uint32_t i = 0; i < placed; i++)
        for (uint32_t k = 0; k < i; k++)
            if (race_possible(&run->program, i, k) &&
                (run->question->cycles || !race_avoidable(&run->program, i, k, placed)))
                return true;
    return false;
}

static bool ask_program(struct bounded_run *run)
{
    const struct bounded_program fixed = run->program;
    run->answer->programs += decorations(run);
    run->may_race = races_possible(&fixed);
    return run->question->counts_only || executions_enumerate(&fixed, ask_execution, run);
}

static bool each_scope(struct bounded_run *run, uint32_t index)
{
    struct bounded_program *program = &run->program;
    if (must_race(run, index))
        return true;
    if (index == program->count)
        return ask_program(run);
    struct bounded_operation *one = &program->at[index];
    if (!bounded_accesses(one))
        return each_scope(run, index + 1);
    uint32_t given = run->question->mixed_scopes ? SCOPE_NONE : scope_so_far(program, index);
    struct scope_list scopes = scopes_of(run, one->thread);
    bool plain =
        (one->kind == BOUNDED_LOAD || one->kind == BOUNDED_STORE) && !run->question->cycles;
    for (uint32_t i = 0; i < scopes.count + plain; i++) {
        uint8_t scope = i < scopes.count ? scopes.at[i] : SCOPE_NONE;
        if (given && scope && scope != given)
            continue;
        one->scope = scope;
        if (!each_scope(run, index + 1))
            return false;
    }
    one->scope = SCOPE_NONE;
    return true;
}

/* ---- shapes --------------------------------------------------------------------------------- */

static void lower(_Atomic uint64_t *end, uint64_t to)
{
    uint64_t now = atomic_load(end);
    while (to < now && !atomic_compare_exchange_weak(end, &now, to))
        continue;
}

/* Is the beginning of this part, and not taken by another who searches it? */
static bool begin(void *context)
{
    struct bounded_run *run = context;
    const struct bounded_question *question = run->question;
    uint32_t number = run->begun++, turn = number / question->parts;
    run->place = (uint64_t)number << 32;
    if (number % question->parts != question->part || run->place >= question->shared->end)
        return false;
    if (run->turn < turn)
        run->turn = atomic_fetch_add(&question->shared->next, 1);
    return run->turn == turn;
}

static bool ask_shape(void *context, const struct bounded_program *shape)
{
    struct bounded_run *run = context;
    uint64_t place = run->place++;
    if (place >= run->question->shared->end)
        return false;
    run->program = *shape;
    run->answer->shapes++;
    if (each_scope(run, 0))
        return true;
    run->answer->found = true;
    run->answer->place = place;
    run->answer->program = run->program;
    run->answer->execution = run->execution;
    lower(&run->question->shared->end, place);
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
        events_of_target(&one, 1, mapping, SEM_RELAXED, &load);
        one.at[0].kind = BOUNDED_FAILING;
        events_of_target(&one, 1, mapping, SEM_RELAXED, &fail);
        if (memcmp(&load, &fail, sizeof load) != 0)
            return true;
    }
    return false;
}

void bounded_search(const struct bounded_question *question, struct bounded_answer *answer)
{
    struct shape_bounds bounds = {.events = question->events,
                                  .cycles = question->cycles,
                                  .failing = failing_differs(question->mapping),
                                  .barriers = !question->cycles};
    struct bounded_run run = {.question = question, .answer = answer};
    run.uniform = mapping_is_uniform(question->mapping);
    run.weakest = run.uniform ? SEM_RELAXED : SEM_WEAK;
    bounds.every_place = !run.uniform;
    *answer = (struct bounded_answer){0};
    run.turn = atomic_fetch_add(&question->shared->next, 1);
    shapes_enumerate(&bounds, begin, ask_shape, &run);
}

bool bounded_can_search(const struct mapping_table *mapping, uint32_t events)
{
    const struct mapping_row *rows = &mapping->rows[0][0][0][0];
    uint32_t longest = 1;
    for (size_t i = 0; i < sizeof mapping->rows / sizeof *rows; i++)
        longest = MAX(longest, rows[i].step_count);
    return events <= BOUNDED_OPERATIONS && events * longest <= SMALL_EVENTS;
}
