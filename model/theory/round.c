/* SPDX-License-Identifier: MIT */
#include "model/theory/reason.h"

/* The rounds of let rec groups: when a pair was first derived. Evaluation does not keep them, since
 * most executions are never asked for a reason; the iteration is repeated when the first reason
 * goes through a group. */

struct rounds {
    uint32_t **of;        /* a node of a group, once asked: the round of each pair */
    uint64_t *evaluation; /* a component: the evaluation its rounds are of */
};

struct rounds *reason_rounds_new(struct theory *theory)
{
    struct rounds *rounds = ARENA_NEW(theory->arena, struct rounds);
    rounds->of = ARENA_ARRAY(theory->arena, uint32_t *, theory->model->node_count);
    rounds->evaluation = ARENA_ARRAY(theory->arena, uint64_t, theory->component_count);
    return rounds;
}

static void note_new(struct theory_value before, struct theory_value after, uint32_t round,
                     uint32_t *rounds)
{
    uint32_t n = before.rel ? before.rel->n : before.set->n;
    uint32_t rows = before.rel ? n : 1, words = (n + 63) / 64;
    const uint64_t *x = before.rel ? before.rel->bits : before.set->bits;
    const uint64_t *y = after.rel ? after.rel->bits : after.set->bits;
    for (uint32_t a = 0; a < rows; a++)
        for (uint32_t w = 0; w < words; w++)
            for (uint64_t left = y[a * words + w] & ~x[a * words + w]; left; left &= left - 1)
                rounds[(size_t)a * n + w * 64 + (uint32_t)__builtin_ctzll(left)] = round;
}

static void replay(struct theory *theory, const struct component *component)
{
    struct rounds *rounds = theory->rounds;
    for (uint32_t i = 0; i < component->count; i++) {
        cat_id id = theory->order[component->first + i];
        size_t pairs = (size_t)theory->n * (theory->model->nodes[id].is_set ? 1 : theory->n);
        if (!rounds->of[id])
            rounds->of[id] = ARENA_ARRAY(theory->arena, uint32_t, pairs);
        theory_value_clear(theory->now[id]);
    }
    bool grew = true;
    for (uint32_t round = 0; grew; round++) {
        grew = false;
        for (uint32_t i = 0; i < component->count; i++) {
            cat_id id = theory->order[component->first + i];
            struct theory_value next = theory_step(theory, id);
            if (theory_value_equal(next, theory->now[id]))
                continue;
            note_new(theory->now[id], next, round, rounds->of[id]);
            theory_value_copy(theory->now[id], next);
            grew = true;
        }
    }
}

uint32_t reason_round(struct theory *theory, cat_id node, event_id a, event_id b)
{
    uint32_t index = theory->component[node];
    const struct component *component = &theory->components[index];
    if (!component->recursive)
        return 0;
    if (theory->rounds->evaluation[index] != theory->evaluation) {
        replay(theory, component);
        theory->rounds->evaluation[index] = theory->evaluation;
    }
    size_t row = theory->model->nodes[node].is_set ? 0 : (size_t)a * theory->n;
    return theory->rounds->of[node][row + (theory->model->nodes[node].is_set ? a : b)];
}
