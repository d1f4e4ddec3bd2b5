/* SPDX-License-Identifier: MIT */
#include "litmus/random/program.h"

#include <string.h>

#include "litmus/random/dice.h"
#include "litmus/random/shrink.h"

static enum random_kind pick_sync(uint64_t *state, const struct random_bounds *bounds)
{
    enum random_kind kinds[6];
    uint32_t count = 0;
    if (bounds->barriers)
        kinds[count++] = RANDOM_BARRIER;
    if (bounds->mbarriers) {
        kinds[count++] = RANDOM_ARRIVE;
        kinds[count++] = RANDOM_WAIT;
    }
    if (bounds->copies) {
        kinds[count++] = RANDOM_COPY;
        kinds[count++] = RANDOM_COPY_WAIT;
    }
    return count ? kinds[dice_below(state, count)] : RANDOM_STORE;
}

static enum random_kind pick_kind(uint64_t *state, const struct random_bounds *bounds)
{
    bool more = bounds->mbarriers || bounds->copies;
    uint32_t dice = dice_below(state, more ? 130 : 100);
    if (bounds->counts)
        return dice < 20 ? RANDOM_LOAD : dice < 40 ? RANDOM_STORE : RANDOM_COUNTED;
    if (bounds->dependencies)
        return dice_chance(state, 50) ? RANDOM_LOAD : RANDOM_STORE;
    if (bounds->atomics && dice_chance(state, 70))
        return dice_chance(state, 70) ? RANDOM_ATOM : RANDOM_RED;
    if (dice < 34)
        return RANDOM_LOAD;
    if (dice < 66)
        return RANDOM_STORE;
    if (dice < 75)
        return RANDOM_ATOM;
    if (dice < 79)
        return RANDOM_RED;
    if (dice < 90)
        return RANDOM_FENCE;
    if (dice < 95)
        return bounds->proxies || bounds->aliases ? RANDOM_PROXY_FENCE : RANDOM_FENCE;
    return pick_sync(state, bounds);
}

static uint8_t pick_location(uint64_t *state, const struct random_bounds *bounds,
                             const struct random_program *program, bool plain, bool inside)
{
    if (plain && program->mixed && dice_chance(state, 20))
        return RANDOM_UPPER_HALF;
    if (bounds->aliases && dice_chance(state, 15))
        return RANDOM_ALIAS;
    if (bounds->vectors && dice_chance(state, 40))
        return dice_chance(state, 60) ? RANDOM_W : RANDOM_W4;
    if (program->shared && inside && dice_chance(state, 25))
        return RANDOM_SHARED;
    return (uint8_t)(dice_chance(state, 45)   ? RANDOM_X
                     : dice_chance(state, 70) ? RANDOM_Y
                                              : RANDOM_Z);
}

/* Weak, relaxed, and acquire or release in equal shares; sometimes volatile or mmio. */
static uint8_t pick_sem(uint64_t *state, const struct random_inst *inst)
{
    bool plain = inst->kind <= RANDOM_STORE && inst->location <= RANDOM_Z;
    uint8_t sem = (uint8_t)dice_below(state, 3);
    return plain && dice_chance(state, 6) ? RANDOM_VOLATILE + (uint8_t)dice_below(state, 2) : sem;
}

static void pick_proxy(struct random_inst *inst, uint64_t *state,
                       const struct random_bounds *bounds)
{
    if (inst->kind == RANDOM_PROXY_FENCE)
        inst->proxy = (uint8_t)(bounds->proxies ? dice_below(state, 3) : 0);
    else if (bounds->proxies && inst->kind <= RANDOM_STORE && dice_chance(state, 15))
        inst->proxy = (uint8_t)(1 + (inst->kind == RANDOM_LOAD ? dice_below(state, 2) : 0));
    if (!inst->proxy || inst->kind > RANDOM_STORE)
        return;
    inst->sem = RANDOM_WEAK;
    inst->wide = false;
    inst->location = inst->location > RANDOM_Z ? RANDOM_X : inst->location;
}

enum { OP_CAS = 2 }; /* among those of RANDOM_ATOM */

/* What an atomic operation works with: constants that meet each other and the initial values often,
 * and registers. */
static void pick_operands(struct random_inst *inst, uint64_t *state)
{
    if (inst->kind == RANDOM_ATOM && dice_chance(state, 30))
        inst->op = OP_CAS;
    inst->value = (uint8_t)(dice_chance(state, 45) ? 0 : 1 + dice_below(state, 4));
    inst->back = (uint8_t)(dice_chance(state, 30) ? 1 + dice_below(state, 2) : 0);
    inst->expected = (uint8_t)(dice_chance(state, 25) ? EXPECT_REGISTER : dice_below(state, 4));
}

/* 'inside': a thread of CTA 0, where shared memory is. */
static void pick_inst(struct random_inst *inst, uint64_t *state, const struct random_bounds *bounds,
                      const struct random_program *program, bool inside, uint32_t value)
{
    inst->kind = pick_kind(state, bounds);
    if (!inside && (inst->kind == RANDOM_ARRIVE ? !program->clustered : inst->kind > RANDOM_ARRIVE))
        inst->kind =
            RANDOM_LOAD; /* a thread of another cluster cannot arrive, one of another CTA not wait */
    bool plain = inst->kind <= RANDOM_STORE;
    inst->location = pick_location(state, bounds, program, plain, inside);
    inst->wide = plain && inst->location == RANDOM_W && dice_chance(state, 60);
    inst->sem = pick_sem(state, inst);
    inst->scope = (uint8_t)dice_below(state, 4);
    inst->op = (uint8_t)dice_below(state, 8);
    inst->value = (uint8_t)(dice_chance(state, 20) ? 0 : value);
    inst->guard = dice_chance(state, 8)
                      ? (dice_chance(state, 50) ? RANDOM_BRANCH : RANDOM_PREDICATE)
                      : RANDOM_ALWAYS;
    pick_proxy(inst, state, bounds);
    if (bounds->atomics && inst->kind >= RANDOM_STORE && inst->kind <= RANDOM_RED)
        pick_operands(inst, state);
    if (inst->kind != RANDOM_COUNTED)
        return;
    inst->op = (uint8_t)(inst->op % 4 ? inst->op % 4 - 1 : 0);
    inst->value = (uint8_t)(dice_chance(state, 75) ? 2 : 1 + dice_below(state, 3));
    inst->sem = (uint8_t)dice_below(state, 2);
}

/* Arrivals a phase needs: all there are, so that one phase completes; sometimes one. */
static uint32_t pick_expected(const struct random_program *program, uint64_t *state)
{
    uint32_t arrivals = 0;
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t]; i++)
            arrivals += program->insts[t][i].kind == RANDOM_ARRIVE;
    return arrivals && !dice_chance(state, 20) ? arrivals : 1;
}

static bool shares_warp(const struct random_program *program, uint32_t thread)
{
    for (uint32_t t = 0; t < program->threads; t++)
        if (t != thread && program->warp[t] == program->warp[thread])
            return true;
    return false;
}

/* The axioms do not hold back a thread that only arrives until its warp has gathered; the executor
 * does (docs/ptx-model.md). */
static void avoid_gathered_arrivals(struct random_program *program)
{
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t] && shares_warp(program, t); i++)
            if (program->insts[t][i].kind == RANDOM_COUNTED && program->insts[t][i].op == 1)
                program->insts[t][i].op = 0;
}

/* CTA, device and warp of a thread. */
static void pick_place(struct random_program *program, uint32_t t, uint64_t *state)
{
    bool one_device = program->shared || program->counted;
    program->cta[t] = program->counted  ? 0
                      : program->shared ? t && dice_chance(state, 30)
                                        : dice_below(state, 2);
    program->gpu[t] = !one_device && dice_chance(state, 10);
    program->warp[t] = program->counted && dice_chance(state, 25) && t ? program->warp[t - 1] : t;
}

static void pick_dependency(struct random_inst *inst, uint64_t *state)
{
    inst->location = (uint8_t)(dice_chance(state, 50) ? RANDOM_X : RANDOM_Y);
    inst->wide = false;
    inst->value = (uint8_t)(dice_chance(state, 60) ? 0 : inst->value);
    inst->formal = dice_chance(state, 50) ? RANDOM_NO_BITS + dice_below(state, 3) : RANDOM_REAL;
    if (inst->kind == RANDOM_STORE && dice_chance(state, 30))
        inst->guard = RANDOM_PREDICATE;
}

void random_draw(struct random_program *program, uint64_t seed, const struct random_bounds *bounds)
{
    uint64_t state = dice_seed(seed);
    memset(program, 0, sizeof *program);
    program->seed = seed;
    program->threads = 2 + dice_below(&state, bounds->threads - 1);
    program->mixed = bounds->mixed_sizes && dice_chance(&state, 10);
    program->shared = bounds->mbarriers || bounds->copies;
    program->counted = bounds->counts;
    program->torn = bounds->tearing;
    program->clustered = dice_chance(&state, program->shared ? 50 : 25);
    for (uint32_t i = 0; i <= RANDOM_Z && bounds->atomics; i++)
        program->initial[i] = (uint8_t)dice_below(&state, 3);
    for (uint32_t t = 0; t < program->threads; t++) {
        pick_place(program, t, &state);
        program->count[t] = 1 + dice_below(&state, bounds->insts);
        for (uint32_t i = 0; i < program->count[t]; i++) {
            pick_inst(&program->insts[t][i], &state, bounds, program, !program->cta[t],
                      1 + t * 3 + i % 3);
            if (bounds->dependencies && program->insts[t][i].kind <= RANDOM_STORE)
                pick_dependency(&program->insts[t][i], &state);
        }
    }
    avoid_gathered_arrivals(program);
    if (bounds->mbarriers)
        program->expected = pick_expected(program, &state);
}

uint32_t random_registers(const struct random_inst *inst)
{
    if (inst->kind == RANDOM_LOAD)
        return inst->wide ? 2 : 1;
    return inst->kind == RANDOM_ATOM || inst->kind == RANDOM_WAIT ||
           (inst->kind == RANDOM_COUNTED && inst->op == 2);
}

/* ---- shrinking ------------------------------------------------------------------------------ */

static void drop_inst(void *of, uint32_t t, uint32_t i)
{
    struct random_program *program = of;
    shrink_list(program->insts[t], sizeof *program->insts[t], &program->count[t], i);
}

static void drop_thread(void *of, uint32_t t)
{
    struct random_program *program = of;
    uint32_t left = program->threads;
    shrink_list(program->cta, sizeof *program->cta, &(uint32_t){left}, t);
    shrink_list(program->gpu, sizeof *program->gpu, &(uint32_t){left}, t);
    shrink_list(program->warp, sizeof *program->warp, &(uint32_t){left}, t);
    shrink_list(program->count, sizeof *program->count, &(uint32_t){left}, t);
    shrink_list(program->insts, sizeof *program->insts, &program->threads, t);
}

enum { WAYS = 7 }; /* of 'plainer' */

/* Weaker spelling of one instruction; false when it is as plain as can be. */
static bool plainer(void *of, uint32_t t, uint32_t i, uint32_t way)
{
    struct random_program *program = of;
    struct random_inst *inst = &program->insts[t][i], before = *inst;
    switch (way) {
    case 0:
        inst->guard = RANDOM_ALWAYS;
        break;
    case 1:
        inst->value = 1;
        break;
    case 2:
        if (inst->kind == RANDOM_ATOM && inst->op)
            inst->op = 0;
        break;
    case 3:
        if (inst->kind == RANDOM_LOAD || inst->kind == RANDOM_STORE)
            inst->sem = inst->sem ? inst->sem - 1 : 0;
        break;
    case 4:
        inst->wide = false;
        break;
    case 5:
        inst->back = 0;
        break;
    case 6:
        inst->expected = 0;
        break;
    }
    return memcmp(&before, inst, sizeof before) != 0;
}

bool random_shrink(const struct random_program *program, uint32_t step,
                   struct random_program *smaller)
{
    const struct shrinking shrinking = {.bytes = sizeof *program,
                                        .threads = program->threads,
                                        .count = program->count,
                                        .ways = WAYS,
                                        .drop_thread = drop_thread,
                                        .drop_item = drop_inst,
                                        .make_plainer = plainer};
    return shrink(&shrinking, program, step, smaller);
}
