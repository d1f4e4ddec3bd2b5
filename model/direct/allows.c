/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/direct/direct.h"
#include "model/direct/evaluate.h"

/* Every execution with an outcome: who reads from whom, then the order of fence.sc, then coherence. */

/* ---- what can be asked ---------------------------------------------------------------------- */

static bool step_is_known(const struct generated_step *step)
{
    return (step_is_access(step) || step->kind == STEP_FENCE) && step->proxy == PROXY_GENERIC &&
           step->atom != ATOM_CAS && step->dependency == STEP_FREE;
}

bool direct_can_ask(const struct generated_program *program)
{
    uint32_t events = program->locations, writes[GENERATED_LOCATIONS] = {0};
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t]; i++) {
            const struct generated_step *step = &program->steps[t][i];
            events += 1 + (step_reads(step) && step_writes(step));
            if (!step_is_known(step) ||
                (step_writes(step) && ++writes[step->location] > DIRECT_WRITES))
                return false;
        }
    return events <= DIRECT_EVENTS;
}

bool direct_can_ask_all(const struct generate_bounds *bounds)
{
    struct arena *arena = arena_new();
    struct generate_alphabet alphabet;
    bool can = true;
    generate_alphabet(arena, bounds, &alphabet);
    for (uint32_t i = 0; i < alphabet.steps.len; i++)
        can &= step_is_known(&alphabet.steps.at[i]);
    arena_free(arena);
    return can;
}

/* ---- the search ----------------------------------------------------------------------------- */

struct asking {
    struct direct_model *model;
    const struct generated_program *program;
    uint32_t returned[DIRECT_EVENTS]; /* a read: what the outcome says, or OUTCOME_ANY */
    uint32_t final[GENERATED_LOCATIONS];
    uint32_t value[DIRECT_EVENTS]; /* of an event, by the reads chosen */
    uint8_t from[DIRECT_EVENTS];   /* a read: the write that it reads from */
    uint8_t reads[DIRECT_EVENTS], read_count;
    uint8_t at[GENERATED_THREADS]; /* fences of a thread that have their place */
};

static void note_outcome(struct asking *ask, const uint32_t *values)
{
    struct generated_observation observation;
    const struct direct_events *events = &ask->model->events;
    generated_observe(ask->program, &observation);
    memset(ask->returned, 0xff, sizeof ask->returned);
    memset(ask->final, 0xff, sizeof ask->final);
    for (uint32_t k = 0; k < observation.count; k++)
        if (observation.at[k].thread == OBSERVED_LOCATION)
            ask->final[observation.at[k].step] = values[k];
    for (uint32_t e = 0; e < events->count; e++) {
        const struct direct_event *event = &events->at[e];
        if (event->kind != DIRECT_READ)
            continue;
        ask->reads[ask->read_count++] = (uint8_t)e;
        for (uint32_t k = 0; k < observation.count; k++)
            if (observation.at[k].thread == event->thread && observation.at[k].step == event->step)
                ask->returned[e] = values[k];
    }
}

/* ---- coherence ------------------------------------------------------------------------------ */

/* Does some write that none comes after leave the final value? */
static bool ends_as_asked(const struct asking *ask)
{
    const struct direct_events *events = &ask->model->events;
    const struct direct_rel *co = &events->base[BASE_co];
    for (uint32_t l = 0; l < ask->program->locations; l++) {
        bool found = ask->final[l] == OUTCOME_ANY;
        for (uint32_t i = 0; i < events->write_count[l] && !found; i++) {
            uint8_t write = events->writes[l][i];
            found = !co->row[write] && ask->value[write] == ask->final[l];
        }
        if (!found)
            return false;
    }
    return true;
}

/* fr, and the axioms. */
static bool try_coherence(struct asking *ask)
{
    struct direct_rel *base = ask->model->events.base;
    if (!ends_as_asked(ask))
        return false;
    memset(&base[BASE_fr], 0, sizeof *base);
    for (uint32_t i = 0; i < ask->read_count; i++)
        base[BASE_fr].row[ask->reads[i]] = base[BASE_co].row[ask->from[ask->reads[i]]];
    return direct_evaluate(ask->model, LEVEL_COHERENCE);
}

/* Puts 'a' before 'b', and what comes before 'a' before what comes after 'b'; false when that is a circle. */
static bool order_writes(struct direct_rel *co, uint32_t count, uint32_t a, uint32_t b)
{
    direct_set after = co->row[b] | UINT32_C(1) << b;
    for (uint32_t e = 0; e < count; e++)
        if (e == a || co->row[e] >> a & 1)
            co->row[e] |= after;
    return !(co->row[a] >> a & 1);
}

/* Of writes that one location's order may leave unordered: every two of them, from the given two on. */
static bool try_pairs(struct asking *ask, const struct direct_rel *pairs, uint32_t a, uint32_t b)
{
    struct direct_rel *co = &ask->model->events.base[BASE_co], before;
    uint32_t count = ask->model->events.count;
    for (; a < count; a++, b = a + 1)
        for (; b < count; b++) {
            if (!(pairs->row[a] >> b & 1) || co->row[a] >> b & 1 || co->row[b] >> a & 1)
                continue;
            before = *co;
            bool found = !ask->model->least && try_pairs(ask, pairs, a, b + 1);
            *co = before;
            found = found || (order_writes(co, count, a, b) && try_pairs(ask, pairs, a, b + 1));
            *co = before;
            found = found || (order_writes(co, count, b, a) && try_pairs(ask, pairs, a, b + 1));
            *co = before;
            return found;
        }
    return try_coherence(ask);
}

/* Initial writes come first. 'pairs': writes of a location. */
static void start_coherence(const struct direct_events *events, uint32_t locations,
                            struct direct_rel *co, struct direct_rel *pairs)
{
    memset(co, 0, sizeof *co);
    memset(pairs, 0, sizeof *pairs);
    for (uint32_t l = 0; l < locations; l++) {
        direct_set all = 0;
        for (uint32_t i = 0; i < events->write_count[l]; i++)
            all |= UINT32_C(1) << events->writes[l][i];
        co->row[l] = all;
        for (uint32_t i = 0; i < events->write_count[l]; i++)
            pairs->row[events->writes[l][i]] = all & ~(UINT32_C(1) << events->writes[l][i]);
    }
}

/* What the axioms demand; false when no order has it. */
static bool demand_coherence(struct asking *ask, const struct direct_rel *pairs,
                             struct direct_rel *total)
{
    struct direct_model *model = ask->model;
    struct direct_rel *co = &model->events.base[BASE_co];
    memset(total, 0, sizeof *total);
    for (uint32_t a = 0; a < model->events.count; a++) {
        for (uint32_t i = 0; i < model->total.len; i++)
            total->row[a] |= model->values[model->total.at[i]].row[a];
        for (uint32_t i = 0; i < model->ordered.len; i++)
            for (direct_set left = model->values[model->ordered.at[i]].row[a] & ~co->row[a]; left;
                 left &= left - 1) {
                uint32_t b = (uint32_t)__builtin_ctz(left);
                if (!(pairs->row[a] >> b & 1) || !order_writes(co, model->events.count, a, b))
                    return false;
            }
    }
    for (uint32_t a = 0; a < model->events.count; a++)
        for (direct_set left = total->row[a]; left; left &= left - 1) {
            uint32_t b = (uint32_t)__builtin_ctz(left);
            total->row[b] |= UINT32_C(1) << a;
            if (!(pairs->row[a] >> b & 1) && !(co->row[a] >> b & 1) && !(co->row[b] >> a & 1))
                return false;
        }
    return true;
}

static bool try_orders(struct asking *ask)
{
    struct direct_rel pairs, total;
    start_coherence(&ask->model->events, ask->program->locations, &ask->model->events.base[BASE_co],
                    &pairs);
    if (!ask->model->least)
        return try_pairs(ask, &pairs, 0, 1);
    return demand_coherence(ask, &pairs, &total) && try_pairs(ask, &total, 0, 1);
}

/* ---- the order of fence.sc ------------------------------------------------------------------ */

/* 'placed': the fences that come before all others. The next one is the first that is left of its thread. */
static bool try_fences(struct asking *ask, direct_set placed)
{
    struct direct_events *events = &ask->model->events;
    direct_set left = 0;
    bool found = false;
    for (uint32_t i = 0; i < events->fence_count; i++)
        left |= UINT32_C(1) << events->fences[i];
    left &= ~placed;
    if (!left)
        return direct_evaluate(ask->model, LEVEL_FENCES) && try_orders(ask);
    for (direct_set next = left; next && !found; next &= next - 1) {
        uint32_t fence = (uint32_t)__builtin_ctz(next);
        direct_set later = left & ~(UINT32_C(1) << fence);
        bool first = true;
        for (direct_set other = later; other; other &= other - 1)
            first &= !(events->base[BASE_po].row[__builtin_ctz(other)] >> fence & 1);
        if (!first)
            continue;
        events->base[BASE_sync_fence].row[fence] = later & events->base[BASE_sr].row[fence];
        found = try_fences(ask, placed | UINT32_C(1) << fence);
    }
    return found;
}

/* ---- reads ---------------------------------------------------------------------------------- */

/* The values that follow from who reads from whom; false when they go in a circle or are not what
 * the outcome says. */
static bool follow_values(struct asking *ask)
{
    const struct direct_events *events = &ask->model->events;
    bool changed = true;
    for (uint32_t e = 0; e < events->count; e++)
        ask->value[e] = events->at[e].constant;
    for (uint32_t round = 0; changed; round++) {
        changed = false;
        if (round > events->count)
            return false;
        for (uint32_t e = 0; e < events->count; e++) {
            const struct direct_event *event = &events->at[e];
            uint32_t now = event->kind == DIRECT_READ ? ask->value[ask->from[e]]
                           : event->adds              ? ask->value[event->partner] + event->constant
                                                      : event->constant;
            changed |= now != ask->value[e];
            ask->value[e] = now;
        }
    }
    for (uint32_t i = 0; i < ask->read_count; i++)
        if (ask->returned[ask->reads[i]] != OUTCOME_ANY &&
            ask->returned[ask->reads[i]] != ask->value[ask->reads[i]])
            return false;
    return true;
}

static bool take_reads(struct asking *ask)
{
    struct direct_rel *base = ask->model->events.base;
    if (!follow_values(ask))
        return false;
    memset(&base[BASE_rf], 0, sizeof *base);
    for (uint32_t i = 0; i < ask->read_count; i++)
        base[BASE_rf].row[ask->from[ask->reads[i]]] |= UINT32_C(1) << ask->reads[i];
    return direct_evaluate(ask->model, LEVEL_READS) && try_fences(ask, 0);
}

/* Could the write be what the read returns, by its constant? */
static bool may_return(const struct asking *ask, uint32_t read, uint32_t write)
{
    const struct direct_event *w = &ask->model->events.at[write];
    return write != ask->model->events.at[read].partner &&
           (ask->returned[read] == OUTCOME_ANY || w->adds || w->constant == ask->returned[read]);
}

static bool try_reads(struct asking *ask, uint32_t r)
{
    const struct direct_events *events = &ask->model->events;
    if (r == ask->read_count)
        return take_reads(ask);
    uint8_t read = ask->reads[r], location = events->at[read].location;
    ask->from[read] = location; /* the initial write */
    if (may_return(ask, read, location) && try_reads(ask, r + 1))
        return true;
    for (uint32_t i = 0; i < events->write_count[location]; i++) {
        ask->from[read] = events->writes[location][i];
        if (may_return(ask, read, ask->from[read]) && try_reads(ask, r + 1))
            return true;
    }
    return false;
}

bool direct_allows(struct direct_model *model, const struct generated_program *program,
                   const uint32_t *values)
{
    struct asking ask = {.model = model, .program = program};
    direct_events(program, &model->events);
    note_outcome(&ask, values);
    return direct_evaluate(model, LEVEL_PROGRAM) && try_reads(&ask, 0);
}
