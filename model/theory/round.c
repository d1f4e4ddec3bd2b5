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

static void note_new(struct theory *theory, cat_id id, const struct rel *next, uint32_t round)
{
    const struct rel *now = theory->now[id];
    uint32_t *rounds = theory->rounds->of[id];
    for (uint32_t a = 0; a < now->rows; a++)
        for (uint32_t w = 0; w < now->words; w++)
            for (uint64_t left = rel_row(next, a)[w] & ~rel_row(now, a)[w]; left; left &= left - 1)
                rounds[(size_t)a * now->n + w * 64 + (uint32_t)__builtin_ctzll(left)] = round;
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
