/* SPDX-License-Identifier: MIT */
#include "litmus/generate/enumerate.h"

#include <string.h>

#include "litmus/generate/canonical.h"
#include "litmus/generate/place.h"

/* What is known while a program grows. */
struct growth {
    const struct generate_bounds *bounds;
    const struct generate_alphabet *alphabet;
    struct generate_share share;
    generate_visit *visit;
    void *context;
    struct generated_program program;
    struct thread_orders orders;
    uint32_t size;     /* instructions in all */
    uint64_t prefixes; /* first threads met so far */
};

/* ---- is it a test? -------------------------------------------------------------------------- */

/* Of the steps so far: which threads access a location, and who writes. */
struct location_uses {
    uint32_t threads[GENERATED_LOCATIONS], accesses[GENERATED_LOCATIONS], all;
    bool written[GENERATED_LOCATIONS];
};

static void count_use(struct location_uses *uses, uint32_t thread,
                      const struct generated_step *step)
{
    if (!step_is_access(step))
        return;
    uses->threads[step->location] |= 1u << thread;
    uses->accesses[step->location]++;
    uses->written[step->location] |= step_writes(step);
    uses->all++;
}

static struct location_uses uses_of(const struct generated_program *program)
{
    struct location_uses uses = {0};
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t]; i++)
            count_use(&uses, t, &program->steps[t][i]);
    return uses;
}

/* Has the location what it needs? */
static bool is_met(const struct location_uses *uses, uint32_t threads, uint32_t location)
{
    uint32_t who = uses->threads[location];
    return uses->written[location] &&
           (threads > 1 ? (who & (who - 1)) != 0 : uses->accesses[location] > 1);
}

static bool are_connected(const struct location_uses *uses, const struct generated_program *program)
{
    uint32_t all = (1u << program->threads) - 1, reached = 1;
    for (uint32_t round = 0; round < program->threads; round++)
        for (uint32_t l = 0; l < program->locations; l++)
            if (uses->threads[l] & reached)
                reached |= uses->threads[l];
    return reached == all;
}

static uint32_t barriers_of(const struct generated_program *program, uint32_t thread)
{
    uint32_t count = 0;
    for (uint32_t i = 0; i < program->count[thread]; i++)
        count += program->steps[thread][i].kind == STEP_BARRIER;
    return count;
}

bool generate_barriers_meet(const struct generated_program *program)
{
    for (uint32_t t = 0; t < program->threads; t++) {
        uint32_t mates = 0;
        for (uint32_t k = 0; k < program->threads; k++) {
            bool mate = k != t && program->place[k].cta == program->place[t].cta;
            mates += mate;
            if (mate && barriers_of(program, k) != barriers_of(program, t))
                return false;
        }
        if (!mates && barriers_of(program, t))
            return false;
    }
    return true;
}

static bool fences_fit(const struct generated_program *program)
{
    uint32_t through = 0, fenced = 0;
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t]; i++) {
            const struct generated_step *step = &program->steps[t][i];
            *(step->kind == STEP_PROXY_FENCE ? &fenced : &through) |= 1u << step->proxy;
            bool fence = step->kind == STEP_FENCE || step->kind == STEP_PROXY_FENCE;
            if (fence &&
                (i == 0 || i + 1 == program->count[t] || memcmp(step, step - 1, sizeof *step) == 0))
                return false;
        }
    return (fenced & ~through) == 0;
}

static bool has_all_its_uses(const struct generated_program *program)
{
    struct location_uses uses = uses_of(program);
    for (uint32_t l = 0; l < program->locations; l++)
        if (!is_met(&uses, program->threads, l))
            return false;
    return are_connected(&uses, program);
}

bool generate_is_whole(const struct generated_program *program)
{
    return fences_fit(program) && generate_barriers_meet(program) && has_all_its_uses(program);
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* May the step stand there, for all that comes before it? */
static bool step_fits(const struct growth *growth, uint32_t thread, uint32_t at,
                      const struct generated_step *step)
{
    const struct generated_program *program = &growth->program;
    const struct generated_step *steps = program->steps[thread];
    bool fence = step->kind == STEP_FENCE || step->kind == STEP_PROXY_FENCE, read = false;
    if (fence)
        return at && at + 1 < program->count[thread] &&
               memcmp(step, &steps[at - 1], sizeof *step) != 0;
    for (uint32_t i = 0; i < at; i++)
        read |= step_returns(&steps[i]);
    return read || step->dependency == STEP_FREE;
}

/* Can the steps that are missing give every location what it needs, and make accesses enough? */
static bool can_end(const struct growth *growth, const struct location_uses *uses, uint32_t left)
{
    uint32_t open = 0;
    for (uint32_t l = 0; l < growth->program.locations; l++)
        open += !is_met(uses, growth->program.threads, l);
    return open <= left && uses->all + left >= growth->bounds->accesses.least &&
           uses->all <= growth->bounds->accesses.most;
}

static bool grow(struct growth *growth, uint32_t thread, uint32_t at, uint32_t made,
                 const struct location_uses *uses);

static bool put(struct growth *growth, uint32_t thread, uint32_t at, uint32_t made,
                const struct location_uses *uses, const struct generated_step *step)
{
    struct location_uses with = *uses;
    growth->program.steps[thread][at] = *step;
    count_use(&with, thread, step);
    return !can_end(growth, &with, growth->size - made - 1) ||
           grow(growth, thread, at + 1, made + 1, &with);
}

/* A location that only the last thread accesses is no use. */
static bool put_everywhere(struct growth *growth, uint32_t thread, uint32_t at, uint32_t made,
                           const struct location_uses *uses, struct generated_step step)
{
    struct generated_program *program = &growth->program;
    uint32_t known = program->locations;
    bool fresh = known < growth->bounds->locations &&
                 (thread + 1 < program->threads || program->threads == 1);
    bool go_on = true;
    for (uint32_t l = 0; go_on && l < known + fresh; l++) {
        step.location = (uint8_t)l;
        program->locations = l < known ? known : known + 1;
        go_on = put(growth, thread, at, made, uses, &step);
    }
    program->locations = known;
    return go_on;
}

static bool end_thread(struct growth *growth, uint32_t thread, uint32_t made,
                       const struct location_uses *uses)
{
    if (!canonical_steps(&growth->program, &growth->orders, thread + 1))
        return true;
    if (thread == 0 && growth->prefixes++ % growth->share.count != growth->share.number - 1)
        return true;
    if (thread + 1 < growth->program.threads)
        return grow(growth, thread + 1, 0, made, uses);
    return !generate_is_whole(&growth->program) || growth->visit(growth->context, &growth->program);
}

static bool grow(struct growth *growth, uint32_t thread, uint32_t at, uint32_t made,
                 const struct location_uses *uses)
{
    if (at == growth->program.count[thread])
        return end_thread(growth, thread, made, uses);
    bool go_on = true;
    for (uint32_t i = 0; go_on && i < growth->alphabet->steps.len; i++) {
        const struct generated_step *step = &growth->alphabet->steps.at[i];
        if (!step_fits(growth, thread, at, step))
            continue;
        go_on = step_is_access(step) ? put_everywhere(growth, thread, at, made, uses, *step)
                                     : put(growth, thread, at, made, uses, step);
    }
    return go_on;
}

/* ---- lengths and places --------------------------------------------------------------------- */

static bool with_places(void *context)
{
    static const struct location_uses none;
    struct growth *growth = context;
    return !canonical_orders(&growth->program, &growth->orders) || grow(growth, 0, 0, 0, &none);
}

/* The lengths of the threads from 'thread' on, none longer than the one before. */
static bool divide(struct growth *growth, uint32_t thread, uint32_t left, uint32_t longest)
{
    struct generated_program *program = &growth->program;
    uint32_t others = program->threads - thread - 1;
    if (thread >= GENERATED_THREADS || thread == program->threads)
        return left || generate_places(program, growth->bounds->apart, with_places, growth);
    bool go_on = true;
    for (uint32_t length = longest; go_on && length >= 1; length--) {
        if (length + others > left || length * (others + 1) < left)
            continue;
        program->count[thread] = length;
        go_on = divide(growth, thread + 1, left - length, length);
    }
    return go_on;
}

bool generate_programs(const struct generate_bounds *bounds, struct generate_share share,
                       generate_visit *visit, void *context)
{
    struct arena *arena = arena_new();
    struct generate_alphabet alphabet;
    generate_alphabet(arena, bounds, &alphabet);
    struct growth growth = {.bounds = bounds,
                            .alphabet = &alphabet,
                            .share = share,
                            .visit = visit,
                            .context = context};
    bool go_on = true;
    for (growth.size = bounds->instructions.least;
         go_on && growth.size <= bounds->instructions.most; growth.size++)
        for (uint32_t t = bounds->threads.least; go_on && t <= bounds->threads.most; t++) {
            growth.program.threads = t;
            go_on = divide(&growth, 0, growth.size, GENERATED_STEPS);
        }
    arena_free(arena);
    return go_on;
}
