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

static void note_new(struct theory *theory, cat_id id, struct theory_value next, uint32_t round)
{
    struct theory_value now = theory->now[id];
    uint32_t rows = now.rel ? theory->n : 1, words = theory->words;
    uint32_t *rounds = theory->rounds->of[id];
    const uint64_t *x = now.rel ? now.rel->bits : now.set->bits;
    const uint64_t *y = next.rel ? next.rel->bits : next.set->bits;
    for (uint32_t a = 0; a < rows; a++)
        for (uint32_t w = 0; w < words; w++)
            for (uint64_t left = y[a * words + w] & ~x[a * words + w]; left; left &= left - 1)
                rounds[(size_t)a * theory->n + w * 64 + (uint32_t)__builtin_ctzll(left)] = round;
}

static void replay(struct theory *theory, const struct component *component)
{
    for (uint32_t i = 0; i < component->count; i++) {
        cat_id id = theory->order[component->first + i];
        size_t pairs = (size_t)theory->n * (theory->model->nodes[id].is_set ? 1 : theory->n);
        if (!theory->rounds->of[id])
            theory->rounds->of[id] = ARENA_ARRAY(theory->arena, uint32_t, pairs);
    }
    theory_iterate(theory, component, note_new);
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
