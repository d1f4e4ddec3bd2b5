/* SPDX-License-Identifier: MIT */
#include <string.h>

#include "model/machine/program/program.h"

struct live_search {
    const struct program *program;
    uint32_t words;
    uint64_t *before; /* by micro, and the end */
    uint64_t *now;
};

static uint64_t *set_before(const struct live_search *l, uint32_t micro)
{
    return l->before + (size_t)micro * l->words;
}

static void use(const struct live_search *l, slot s)
{
    if (s < l->program->reg_slots)
        l->now[s / 64] |= UINT64_C(1) << s % 64;
}

/* Registers of a matrix instruction are never known to be written whole. */
static void write_results(const struct live_search *l, const struct micro *micro)
{
    for (uint32_t i = 0; micro->guard == SLOT_NONE && i < micro->dst_count; i++)
        if (micro->dst[i] < l->program->reg_slots)
            l->now[micro->dst[i] / 64] &= ~(UINT64_C(1) << micro->dst[i] % 64);
}

static void use_sources(const struct live_search *l, const struct micro *micro)
{
    use(l, micro->guard);
    use(l, micro->base);
    use(l, micro->base2);
    for (uint32_t i = 0; i < micro->src_count; i++)
        use(l, micro->src[i]);
    for (uint32_t i = 0; micro->matrix && i < MATRIX_OPERANDS; i++)
        for (uint32_t k = 0; k < MATRIX_SLOTS; k++)
            use(l, micro->matrix->slots[i][k]);
}

static bool gives_live(const struct live_search *l, const struct micro *micro)
{
    for (uint32_t i = 0; i < micro->dst_count; i++)
        if (micro->dst[i] < l->program->reg_slots &&
            l->now[micro->dst[i] / 64] >> micro->dst[i] % 64 & 1)
            return true;
    return false;
}

/* What computes a register that nobody reads cannot be noticed, unless it divides by zero, nor how long a thread pauses. */
static bool matters(const struct live_search *l, const struct micro *micro)
{
    return micro->kind != MICRO_NANOSLEEP &&
           (micro->kind != MICRO_ALU || micro->flags & MICRO_DIVIDES || gives_live(l, micro));
}

static bool improve(const struct live_search *l, uint32_t at)
{
    const struct micro *micro = &l->program->micros[at];
    const uint32_t *list;
    uint32_t two[2];
    uint64_t *before = set_before(l, at);
    memset(l->now, 0, l->words * sizeof *l->now);
    for (uint32_t k = program_successors(l->program, at, &list, two); k-- > 0;)
        for (uint32_t i = 0; i < l->words; i++)
            l->now[i] |= set_before(l, list[k])[i];
    for (uint32_t k = 0; k < micro->target_count; k++)
        for (uint32_t i = 0; i < l->words; i++)
            l->now[i] |= set_before(l, micro->targets[k])[i];
    bool used = matters(l, micro);
    write_results(l, micro);
    if (used)
        use_sources(l, micro);
    bool changed = memcmp(before, l->now, l->words * sizeof *l->now) != 0;
    memcpy(before, l->now, l->words * sizeof *l->now);
    return changed;
}

static bool has_calls(const struct program *program)
{
    for (uint32_t i = 0; i < program->micro_count; i++)
        if (program->micros[i].kind == MICRO_CALL || program->micros[i].kind == MICRO_SYSTEM)
            return true;
    return false;
}

const uint64_t *program_live(struct arena *arena, const struct program *program,
                             const bool *observed)
{
    struct live_search l = {.program = program, .words = program_live_words(program)};
    if (has_calls(program))
        return NULL;
    l.before = ARENA_ARRAY(arena, uint64_t, (size_t)(program->micro_count + 1) * l.words);
    l.now = set_before(&l, program->micro_count);
    for (uint32_t i = 0; i < program->body->reg_count; i++)
        if (observed[i]) {
            use(&l, program->reg_slot[i]);
            use(&l, program->reg_slot[i] + 1);
        }
    l.now = ARENA_ARRAY(arena, uint64_t, l.words);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = program->micro_count; i-- > 0;)
            changed |= improve(&l, i);
    }
    return l.before;
}
