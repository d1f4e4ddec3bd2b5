/* SPDX-License-Identifier: MIT */
#include "model/bounded/race.h"

#include <string.h>

bool race_possible(const struct bounded_program *program, uint32_t a, uint32_t b)
{
    const struct bounded_operation *p = &program->at[a], *q = &program->at[b];
    return bounded_conflict(p, q) &&
           (bounded_is_plain(p) || bounded_is_plain(q) || !bounded_include(program, p, q));
}

bool races_possible(const struct bounded_program *program)
{
    for (uint32_t i = 0; i < program->count; i++)
        for (uint32_t k = 0; k < i; k++)
            if (race_possible(program, i, k))
                return true;
    return false;
}

/* ---- what could order two operations -------------------------------------------------------- */

static uint32_t barriers_before(const struct bounded_program *program, uint32_t index)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < index; i++)
        count += program->at[i].thread == program->at[index].thread &&
                 program->at[i].kind == BOUNDED_BARRIER;
    return count;
}

/* Can what is after 'a' in its thread come to be known before 'b' in another: as b reads a, or by a barrier? */
static bool links(const struct bounded_program *program, uint32_t a, uint32_t b, uint32_t placed)
{
    const struct bounded_operation *p = &program->at[a], *q = &program->at[b];
    bool atomic = (a >= placed || !bounded_is_plain(p)) && (b >= placed || !bounded_is_plain(q));
    bool include = a >= placed || b >= placed || bounded_include(program, p, q);
    if (p->thread == q->thread)
        return a < b;
    if (p->kind == BOUNDED_BARRIER)
        return q->kind == BOUNDED_BARRIER &&
               program->block[p->thread] == program->block[q->thread] &&
               barriers_before(program, a) == barriers_before(program, b);
    return bounded_accesses(p) && bounded_accesses(q) && bounded_writes(p) && bounded_reads(q) &&
           p->location == q->location && atomic && include;
}

static bool leads_to(const struct bounded_program *program, uint32_t a, uint32_t b, uint32_t placed)
{
    uint32_t reached = 1u << a, before;
    do {
        before = reached;
        for (uint32_t i = 0; i < program->count; i++)
            for (uint32_t k = 0; (reached >> i & 1) && k < program->count; k++)
                if (!(reached >> k & 1) && links(program, i, k, placed))
                    reached |= 1u << k;
    } while (reached != before);
    return reached >> b & 1;
}

bool race_avoidable(const struct bounded_program *program, uint32_t a, uint32_t b, uint32_t placed)
{
    return leads_to(program, a, b, placed) || leads_to(program, b, a, placed);
}

/* ---- a part of a program that is executed --------------------------------------------------- */

struct part {
    struct bounded_program program;
    uint8_t of[BOUNDED_OPERATIONS]; /* the whole program's operation */
};

static void take_part(const struct bounded_program *program, uint32_t executed, struct part *part)
{
    part->program = *program;
    part->program.count = part->program.guarded = 0;
    for (uint32_t i = 0; i < program->count; i++)
        if (executed >> i & 1) {
            part->of[part->program.count] = (uint8_t)i;
            part->program.at[part->program.count++] = program->at[i];
        }
}

static bool part_races(const struct part *part, const struct bounded_execution *x, uint32_t decided,
                       bool split)
{
    struct small_events events;
    uint32_t first = 0;
    while (first < part->program.count && part->of[first] < decided)
        first++;
    events_of_source(&part->program, first, split, &events);
    return source_races(&part->program, &events, x);
}

/* ---- one thread after another --------------------------------------------------------------- */

struct sc_walk {
    const struct bounded_program *program;
    const struct bounded_execution *expected;
    uint32_t executed, ended; /* operations; threads that a guard ended */
    uint32_t next[BOUNDED_THREADS], rounds[BOUNDED_THREADS];
    uint8_t last[BOUNDED_LOCATIONS], writes[BOUNDED_LOCATIONS];
    struct bounded_execution execution; /* by the whole program's operations */
};

/* Have all threads of the block come to as many barriers? */
static bool may_pass(const struct sc_walk *t, uint32_t thread)
{
    for (uint32_t u = 0; u < t->program->threads; u++)
        if (t->program->block[u] == t->program->block[thread] && !(t->ended >> u & 1) &&
            t->rounds[u] < t->rounds[thread])
            return false;
    return true;
}

/* False: the thread waits or has ended. */
static bool take_step(struct sc_walk *t, uint32_t thread)
{
    const struct bounded_program *program = t->program;
    uint32_t i = t->next[thread];
    while (i < program->count && program->at[i].thread != thread)
        i++;
    if (i == program->count || (t->ended >> thread & 1))
        return false;
    const struct bounded_operation *one = &program->at[i];
    if (!may_pass(t, thread))
        return false;
    t->next[thread] = i + 1;
    t->executed |= 1u << i;
    t->rounds[thread] += one->kind == BOUNDED_BARRIER;
    if (bounded_reads(one)) {
        t->execution.from[i] = t->last[one->location];
        if ((program->guarded >> i & 1) && t->execution.from[i] != t->expected->from[i])
            t->ended |= 1u << thread;
    }
    if (bounded_writes(one)) {
        t->last[one->location] = (uint8_t)i;
        t->execution.place[i] = t->writes[one->location]++;
    }
    return true;
}

static bool turn_races(const struct bounded_program *program,
                       const struct bounded_execution *expected, const uint8_t *order,
                       uint32_t decided, bool split)
{
    struct sc_walk t = {.program = program, .expected = expected};
    struct bounded_execution x;
    struct part part;
    memset(t.last, BOUNDED_INITIAL, sizeof t.last);
    for (bool moved = true; moved;) {
        moved = false;
        for (uint32_t k = 0; k < program->threads; k++)
            while (take_step(&t, order[k]))
                moved = true;
    }
    take_part(program, t.executed, &part);
    for (uint32_t i = 0; i < part.program.count; i++) {
        x.from[i] = BOUNDED_INITIAL;
        x.place[i] = t.execution.place[part.of[i]];
        for (uint32_t k = 0; bounded_reads(&part.program.at[i]) && k < part.program.count; k++)
            if (part.of[k] == t.execution.from[part.of[i]])
                x.from[i] = (uint8_t)k;
    }
    return part_races(&part, &x, decided, split);
}

static bool permute(const struct bounded_program *program, const struct bounded_execution *expected,
                    uint8_t *order, uint32_t fixed, uint32_t decided, bool split)
{
    if (fixed == program->threads || fixed == BOUNDED_THREADS)
        return turn_races(program, expected, order, decided, split);
    for (uint32_t i = fixed; i < program->threads; i++) {
        uint8_t swapped = order[fixed];
        order[fixed] = order[i], order[i] = swapped;
        bool races = permute(program, expected, order, fixed + 1, decided, split);
        order[i] = order[fixed], order[fixed] = swapped;
        if (races)
            return true;
    }
    return false;
}

bool races_in_turn(const struct bounded_program *program, const struct bounded_execution *expected,
                   uint32_t decided, bool split)
{
    uint8_t order[BOUNDED_THREADS];
    for (uint32_t i = 0; i < BOUNDED_THREADS; i++)
        order[i] = (uint8_t)i;
    return permute(program, expected, order, 0, decided, split);
}

/* ---- every execution ------------------------------------------------------------------------ */

struct race_search {
    const struct bounded_program *program;
    const struct bounded_execution *expected;
    struct part part;
    uint32_t failing; /* operations whose guard ends their thread */
    bool split, races;
};

static bool passes_guards(const struct race_search *s, const struct bounded_execution *x)
{
    for (uint32_t i = 0; i < s->part.program.count; i++) {
        uint32_t whole = s->part.of[i];
        if (!(s->program->guarded >> whole & 1))
            continue;
        uint32_t from = x->from[i] == BOUNDED_INITIAL ? BOUNDED_INITIAL : s->part.of[x->from[i]];
        if ((from == s->expected->from[whole]) == (s->failing >> whole & 1))
            return false;
    }
    return true;
}

static bool find_race(void *context, const struct bounded_execution *x)
{
    struct race_search *s = context;
    const struct bounded_program *program = &s->part.program;
    struct small_events events;
    if (!passes_guards(s, x) || !locations_allow(program, x))
        return true;
    events_of_source(program, program->count, s->split, &events);
    s->races = source_allows(program, &events, x) && source_races(program, &events, x);
    return !s->races;
}

/* The threads from 'thread' on end behind each of their guards, or at their end. */
static void each_end(struct race_search *s, uint32_t thread, uint32_t executed)
{
    const struct bounded_program *program = s->program;
    uint32_t own = 0;
    if (thread == program->threads) {
        take_part(program, executed, &s->part);
        executions_enumerate(&s->part.program, find_race, s);
        return;
    }
    for (uint32_t i = 0; i < program->count && !s->races; i++) {
        if (program->at[i].thread != thread)
            continue;
        own |= 1u << i;
        if (!(program->guarded >> i & 1))
            continue;
        s->failing |= 1u << i;
        each_end(s, thread + 1, executed | own);
        s->failing &= ~(1u << i);
    }
    if (!s->races)
        each_end(s, thread + 1, executed | own);
}

bool races_somehow(const struct bounded_program *program, const struct bounded_execution *expected,
                   bool split)
{
    struct race_search s = {.program = program, .expected = expected, .split = split};
    each_end(&s, 0, 0);
    return s.races;
}
