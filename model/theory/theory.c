/* SPDX-License-Identifier: MIT */
#include "model/theory/theory.h"

#include <assert.h>

#include "model/theory/reason.h"

/* A node is the same in every execution when all it is made of is. */
static void note_constants(struct theory *theory)
{
    for (uint32_t i = 0; i < theory->component_count; i++) {
        const struct component *component = &theory->components[i];
        bool constant = !theory->bases->any_guard_open;
        for (uint32_t k = 0; k < component->count; k++) {
            cat_id kids[2], id = theory->order[component->first + k];
            const struct cat_node *node = &theory->model->nodes[id];
            uint32_t count = cat_node_kids(node, kids);
            for (uint32_t j = 0; j < count; j++)
                constant &= theory->component[kids[j]] == i || theory->constant[kids[j]];
            if (node->op == CAT_BASE_SET || node->op == CAT_BASE_REL)
                constant &= theory->bases->constant[node->base];
        }
        for (uint32_t k = 0; k < component->count; k++)
            theory->constant[theory->order[component->first + k]] = constant;
    }
}

struct theory *theory_new(struct arena *arena, const struct graph *graph,
                          const struct cat_model *model)
{
    struct theory *theory = ARENA_NEW(arena, struct theory);
    *theory = (struct theory){.arena = arena, .graph = graph, .model = model};
    theory->bases = base_new(arena, graph);
    theory->n = graph->event_count;
    theory->words = theory->bases->words;
    theory->constant = ARENA_ARRAY(arena, bool, model->node_count);
    theory->changed = ARENA_ARRAY(arena, bool, model->node_count);
    theory->now = ARENA_ARRAY(arena, struct rel *, model->node_count);
    theory->universe = set_new(arena, theory->n);
    theory->spare[false] = rel_new(arena, theory->n);
    theory->spare[true] = set_new(arena, theory->n);
    for (cat_id id = 0; id < model->node_count; id++) {
        const struct cat_node *node = &model->nodes[id];
        theory->now[id] = theory_value_new(arena, node, theory->n);
        if (node->op == CAT_BASE_SET || node->op == CAT_BASE_REL)
            base_use(theory->bases, (enum base)node->base);
    }
    theory_order(theory);
    note_constants(theory);
    theory_bound(theory);
    theory->reasons = reasons_new(theory);
    theory->rounds = reason_rounds_new(theory);
    return theory;
}

const struct rel *theory_rel(const struct theory *theory, cat_id node)
{
    assert(theory->evaluation);
    return theory->now[node];
}
