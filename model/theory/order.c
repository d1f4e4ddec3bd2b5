/* SPDX-License-Identifier: MIT */
#include "model/theory/state.h"

#include "litmus/base/sort.h"

/* Strongly connected components of a model's nodes (Tarjan), without recursion: a model's text may
 * nest as deep as it likes. Components come out with operands before users. */

struct visit {
    struct theory *theory;
    uint32_t *number, *low; /* from 1; 0: not visited */
    bool *open;             /* visited, its component not closed */
    cat_id *stack, *path;
    uint8_t *next_kid;
    uint32_t count, depth, length, closed;
};

static void enter(struct visit *visit, cat_id node)
{
    visit->number[node] = visit->low[node] = ++visit->count;
    visit->open[node] = true;
    visit->stack[visit->depth++] = node;
    visit->path[visit->length++] = node;
}

static int compare_ids(const void *a, const void *b)
{
    cat_id x = *(const cat_id *)a, y = *(const cat_id *)b;
    return (x > y) - (x < y);
}

static bool uses_itself(const struct theory *theory, cat_id node)
{
    cat_id kids[2];
    uint32_t count = cat_node_kids(&theory->model->nodes[node], kids);
    return (count > 0 && kids[0] == node) || (count > 1 && kids[1] == node);
}

/* 'root' is the first visited node of a component: the rest of it lies above on the stack. */
static void close_component(struct visit *visit, cat_id root)
{
    struct theory *theory = visit->theory;
    struct component *component = &theory->components[theory->component_count];
    component->first = visit->closed;
    cat_id node;
    do {
        node = visit->stack[--visit->depth];
        visit->open[node] = false;
        theory->component[node] = theory->component_count;
        theory->order[visit->closed++] = node;
    } while (node != root);
    component->count = visit->closed - component->first;
    component->recursive = component->count > 1 || uses_itself(theory, root);
    /* by id: operands first, as far as a recursive group has such an order */
    sort_array(&theory->order[component->first], component->count, sizeof(cat_id), compare_ids);
    theory->component_count++;
}

/* Tarjan's algorithm with a stack of its own: a model's text may nest deeper than C should call. */
static void visit_from(struct visit *visit, cat_id root)
{
    enter(visit, root);
    while (visit->length) {
        cat_id node = visit->path[visit->length - 1], kids[2];
        if (visit->next_kid[node] < cat_node_kids(&visit->theory->model->nodes[node], kids)) {
            cat_id kid = kids[visit->next_kid[node]++];
            if (!visit->number[kid])
                enter(visit, kid);
            else if (visit->open[kid] && visit->number[kid] < visit->low[node])
                visit->low[node] = visit->number[kid];
            continue;
        }
        visit->length--;
        if (visit->low[node] == visit->number[node])
            close_component(visit, node);
        if (visit->length) {
            cat_id parent = visit->path[visit->length - 1];
            if (visit->low[node] < visit->low[parent])
                visit->low[parent] = visit->low[node];
        }
    }
}

void theory_order(struct theory *theory)
{
    uint32_t count = theory->model->node_count;
    theory->order = ARENA_ARRAY(theory->arena, cat_id, count);
    theory->components = ARENA_ARRAY(theory->arena, struct component, count);
    theory->component = ARENA_ARRAY(theory->arena, uint32_t, count);
    struct arena *scratch = arena_scratch(theory->arena);
    struct visit visit = {
        .theory = theory,
        .number = ARENA_ARRAY(scratch, uint32_t, count),
        .low = ARENA_ARRAY(scratch, uint32_t, count),
        .open = ARENA_ARRAY(scratch, bool, count),
        .stack = ARENA_ARRAY(scratch, cat_id, count),
        .path = ARENA_ARRAY(scratch, cat_id, count),
        .next_kid = ARENA_ARRAY(scratch, uint8_t, count),
    };
    for (cat_id node = 0; node < count; node++)
        if (!visit.number[node])
            visit_from(&visit, node);
    arena_free(scratch);
}
