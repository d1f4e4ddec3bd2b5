/* SPDX-License-Identifier: MIT */
#include "tests/agree/generate.h"

#include <string.h>

/* xorshift64*: the same program for the same seed everywhere. */
static uint32_t below(uint64_t *state, uint32_t limit)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)((*state * UINT64_C(2685821657736338717) >> 33) % limit);
}

static bool chance(uint64_t *state, uint32_t percent)
{
    return below(state, 100) < percent;
}

static enum gen_kind pick_sync(uint64_t *state, const struct gen_bounds *bounds)
{
    enum gen_kind kinds[6];
    uint32_t count = 0;
    if (bounds->barriers)
        kinds[count++] = GEN_BARRIER;
    if (bounds->mbarriers) {
        kinds[count++] = GEN_ARRIVE;
        kinds[count++] = GEN_WAIT;
    }
    if (bounds->copies) {
        kinds[count++] = GEN_COPY;
        kinds[count++] = GEN_COPY_WAIT;
    }
    return count ? kinds[below(state, count)] : GEN_STORE;
}

static enum gen_kind pick_kind(uint64_t *state, const struct gen_bounds *bounds)
{
    bool more = bounds->mbarriers || bounds->copies;
    uint32_t dice = below(state, more ? 130 : 100);
    if (bounds->counts)
        return dice < 20 ? GEN_LOAD : dice < 40 ? GEN_STORE : GEN_COUNTED;
    if (bounds->dependencies)
        return chance(state, 50) ? GEN_LOAD : GEN_STORE;
    if (bounds->atomics && chance(state, 70))
        return chance(state, 70) ? GEN_ATOM : GEN_RED;
    if (dice < 34)
        return GEN_LOAD;
    if (dice < 66)
        return GEN_STORE;
    if (dice < 75)
        return GEN_ATOM;
    if (dice < 79)
        return GEN_RED;
    if (dice < 90)
        return GEN_FENCE;
    if (dice < 95)
        return bounds->proxies || bounds->aliases ? GEN_PROXY_FENCE : GEN_FENCE;
    return pick_sync(state, bounds);
}

static uint8_t pick_location(uint64_t *state, const struct gen_bounds *bounds,
                             const struct gen_program *program, bool plain, bool inside)
{
    if (plain && program->mixed && chance(state, 20))
        return GEN_UPPER_HALF;
    if (bounds->aliases && chance(state, 15))
        return GEN_ALIAS;
    if (bounds->vectors && chance(state, 40))
        return chance(state, 60) ? GEN_W : GEN_W4;
    if (program->shared && inside && chance(state, 25))
        return GEN_SHARED;
    return (uint8_t)(chance(state, 45) ? GEN_X : chance(state, 70) ? GEN_Y : GEN_Z);
}

/* Weak, relaxed, and acquire or release in equal shares; sometimes volatile or mmio. */
static uint8_t pick_sem(uint64_t *state, const struct gen_inst *inst)
{
    bool plain = inst->kind <= GEN_STORE && inst->location <= GEN_Z;
    uint8_t sem = (uint8_t)below(state, 3);
    return plain && chance(state, 6) ? GEN_VOLATILE + (uint8_t)below(state, 2) : sem;
}

static void pick_proxy(struct gen_inst *inst, uint64_t *state, const struct gen_bounds *bounds)
{
    if (inst->kind == GEN_PROXY_FENCE)
        inst->proxy = (uint8_t)(bounds->proxies ? below(state, 3) : 0);
    else if (bounds->proxies && inst->kind <= GEN_STORE && chance(state, 15))
        inst->proxy = (uint8_t)(1 + (inst->kind == GEN_LOAD ? below(state, 2) : 0));
    if (!inst->proxy || inst->kind > GEN_STORE)
        return;
    inst->sem = GEN_WEAK;
    inst->wide = false;
    inst->location = inst->location > GEN_Z ? GEN_X : inst->location;
}

enum { OP_CAS = 2 }; /* among those of GEN_ATOM */

/* What an atomic operation works with: constants that meet each other and the initial values often,
 * and registers. */
static void pick_operands(struct gen_inst *inst, uint64_t *state)
{
    if (inst->kind == GEN_ATOM && chance(state, 30))
        inst->op = OP_CAS;
    inst->value = (uint8_t)(chance(state, 45) ? 0 : 1 + below(state, 4));
    inst->back = (uint8_t)(chance(state, 30) ? 1 + below(state, 2) : 0);
    inst->expected = (uint8_t)(chance(state, 25) ? EXPECT_REGISTER : below(state, 4));
}

/* 'inside': a thread of CTA 0, where shared memory is. */
static void pick_inst(struct gen_inst *inst, uint64_t *state, const struct gen_bounds *bounds,
                      const struct gen_program *program, bool inside, uint32_t value)
{
    inst->kind = pick_kind(state, bounds);
    if (!inside && (inst->kind == GEN_ARRIVE ? !program->clustered : inst->kind > GEN_ARRIVE))
        inst->kind =
            GEN_LOAD; /* a thread of another cluster cannot arrive, one of another CTA not wait */
    bool plain = inst->kind <= GEN_STORE;
    inst->location = pick_location(state, bounds, program, plain, inside);
    inst->wide = plain && inst->location == GEN_W && chance(state, 60);
    inst->sem = pick_sem(state, inst);
    inst->scope = (uint8_t)below(state, 4);
    inst->op = (uint8_t)below(state, 8);
    inst->value = (uint8_t)(chance(state, 20) ? 0 : value);
    inst->guard = chance(state, 8) ? (chance(state, 50) ? GEN_BRANCH : GEN_PREDICATE) : GEN_ALWAYS;
    pick_proxy(inst, state, bounds);
    if (bounds->atomics && inst->kind >= GEN_STORE && inst->kind <= GEN_RED)
        pick_operands(inst, state);
    if (inst->kind != GEN_COUNTED)
        return;
    inst->op = (uint8_t)(inst->op % 4 ? inst->op % 4 - 1 : 0);
    inst->value = (uint8_t)(chance(state, 75) ? 2 : 1 + below(state, 3));
    inst->sem = (uint8_t)below(state, 2);
}

/* Arrivals a phase needs: all there are, so that one phase completes; sometimes one. */
static uint32_t pick_expected(const struct gen_program *program, uint64_t *state)
{
    uint32_t arrivals = 0;
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t]; i++)
            arrivals += program->insts[t][i].kind == GEN_ARRIVE;
    return arrivals && !chance(state, 20) ? arrivals : 1;
}

static bool shares_warp(const struct gen_program *program, uint32_t thread)
{
    for (uint32_t t = 0; t < program->threads; t++)
        if (t != thread && program->warp[t] == program->warp[thread])
            return true;
    return false;
}

/* The axioms do not hold back a thread that only arrives until its warp has gathered; the executor
 * does (docs/ptx-model.md). */
static void avoid_gathered_arrivals(struct gen_program *program)
{
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t] && shares_warp(program, t); i++)
            if (program->insts[t][i].kind == GEN_COUNTED && program->insts[t][i].op == 1)
                program->insts[t][i].op = 0;
}

/* CTA, device and warp of a thread. */
static void pick_place(struct gen_program *program, uint32_t t, uint64_t *state)
{
    bool one_device = program->shared || program->counted;
    program->cta[t] = program->counted  ? 0
                      : program->shared ? t && chance(state, 30)
                                        : below(state, 2);
    program->gpu[t] = !one_device && chance(state, 10);
    program->warp[t] = program->counted && chance(state, 25) && t ? program->warp[t - 1] : t;
}

static void pick_dependency(struct gen_inst *inst, uint64_t *state)
{
    inst->location = (uint8_t)(chance(state, 50) ? GEN_X : GEN_Y);
    inst->value = (uint8_t)(chance(state, 60) ? 0 : inst->value);
    inst->formal = chance(state, 50) ? GEN_NO_BITS + below(state, 3) : GEN_REAL;
    if (inst->kind == GEN_STORE && chance(state, 30))
        inst->guard = GEN_PREDICATE;
}

void generate(struct gen_program *program, uint64_t seed, const struct gen_bounds *bounds)
{
    uint64_t state = (seed + 1) * UINT64_C(0x9e3779b97f4a7c15);
    memset(program, 0, sizeof *program);
    program->seed = seed;
    program->threads = 2 + below(&state, bounds->threads - 1);
    program->mixed = bounds->mixed_sizes && chance(&state, 10);
    program->shared = bounds->mbarriers || bounds->copies;
    program->counted = bounds->counts;
    program->torn = bounds->tearing;
    program->clustered = chance(&state, program->shared ? 50 : 25);
    for (uint32_t i = 0; i <= GEN_Z && bounds->atomics; i++)
        program->initial[i] = (uint8_t)below(&state, 3);
    for (uint32_t t = 0; t < program->threads; t++) {
        pick_place(program, t, &state);
        program->count[t] = 1 + below(&state, bounds->insts);
        for (uint32_t i = 0; i < program->count[t]; i++) {
            pick_inst(&program->insts[t][i], &state, bounds, program, !program->cta[t],
                      1 + t * 3 + i % 3);
            if (bounds->dependencies)
                pick_dependency(&program->insts[t][i], &state);
        }
    }
    avoid_gathered_arrivals(program);
    if (bounds->mbarriers)
        program->expected = pick_expected(program, &state);
}

uint32_t gen_registers(const struct gen_inst *inst)
{
    if (inst->kind == GEN_LOAD)
        return inst->wide ? 2 : 1;
    return inst->kind == GEN_ATOM || inst->kind == GEN_WAIT ||
           (inst->kind == GEN_COUNTED && inst->op == 2);
}

/* ---- shrinking ------------------------------------------------------------------------------ */

static void drop_inst(struct gen_program *program, uint32_t t, uint32_t i)
{
    memmove(&program->insts[t][i], &program->insts[t][i + 1],
            (program->count[t] - i - 1) * sizeof(struct gen_inst));
    program->count[t]--;
}

static void drop_thread(struct gen_program *program, uint32_t t)
{
    for (uint32_t k = t; k + 1 < program->threads; k++) {
        program->cta[k] = program->cta[k + 1];
        program->gpu[k] = program->gpu[k + 1];
        program->warp[k] = program->warp[k + 1];
        program->count[k] = program->count[k + 1];
        memcpy(program->insts[k], program->insts[k + 1], sizeof program->insts[k]);
    }
    program->threads--;
}

enum { WAYS = 7 }; /* of 'plainer' */

/* Weaker spelling of one instruction; false when it is as plain as can be. */
static bool plainer(struct gen_inst *inst, uint32_t way)
{
    struct gen_inst before = *inst;
    switch (way) {
    case 0:
        inst->guard = GEN_ALWAYS;
        break;
    case 1:
        inst->value = 1;
        break;
    case 2:
        if (inst->kind == GEN_ATOM && inst->op)
            inst->op = 0;
        break;
    case 3:
        if (inst->kind == GEN_LOAD || inst->kind == GEN_STORE)
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

bool gen_shrink(const struct gen_program *program, uint32_t step, struct gen_program *smaller)
{
    uint32_t index = 0;
    for (uint32_t t = 0; t < program->threads && program->threads > 1; t++)
        if (index++ == step) {
            *smaller = *program;
            drop_thread(smaller, t);
            return true;
        }
    for (uint32_t t = 0; t < program->threads; t++)
        for (uint32_t i = 0; i < program->count[t]; i++)
            for (uint32_t way = 0; way <= WAYS; way++) {
                *smaller = *program;
                bool changed = way == WAYS || plainer(&smaller->insts[t][i], way);
                if (way == WAYS)
                    drop_inst(smaller, t, i);
                if (changed && index++ == step)
                    return true;
            }
    return false;
}
