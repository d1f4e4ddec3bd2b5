/* SPDX-License-Identifier: MIT */
#include "model/cat/promises.h"

#ifndef NDEBUG

#include <assert.h>

#include "model/cat/nodes.h"

/* Kids come before parents, but for what a let rec binds and the nodes iterated with it. */
static void kid_promises(const struct cat_model *model, cat_id id, cat_id kid)
{
    const struct cat_node *node = &model->nodes[id];

    assert(kid < model->node_count);
    assert(kid < id || node->op == CAT_REC);
    assert(!model->nodes[kid].dynamic || node->dynamic);
}

static bool pair_kinds(const struct cat_model *model, const struct cat_node *node, bool a, bool b)
{
    return model->nodes[node->a].is_set == a && model->nodes[node->b].is_set == b;
}

static void kind_promises(const struct cat_model *model, const struct cat_node *node)
{
    switch (node->op) {
    case CAT_BASE_SET:
        assert(node->is_set);
        break;
    case CAT_BASE_REL:
        assert(!node->is_set);
        break;
    case CAT_UNION:
    case CAT_INTERSECT:
    case CAT_DIFFERENCE:
        assert(pair_kinds(model, node, node->is_set, node->is_set));
        break;
    case CAT_COMPOSE:
        assert(!node->is_set && pair_kinds(model, node, false, false));
        break;
    case CAT_PRODUCT:
        assert(!node->is_set && pair_kinds(model, node, true, true));
        break;
    case CAT_IDENTITY:
        assert(!node->is_set && model->nodes[node->a].is_set);
        break;
    case CAT_INVERSE:
    case CAT_PLUS:
    case CAT_STAR:
    case CAT_OPTION:
        assert(!node->is_set && !model->nodes[node->a].is_set);
        break;
    case CAT_DOMAIN:
    case CAT_RANGE:
        assert(node->is_set && !model->nodes[node->a].is_set);
        break;
    case CAT_COMPLEMENT:
    case CAT_REC:
        assert(model->nodes[node->a].is_set == node->is_set);
        break;
    case CAT_EMPTY:
        break;
    }
}

static void node_promises(const struct cat_model *model, cat_id id, const struct cat_base *bases,
                          uint32_t base_count)
{
    const struct cat_node *node = &model->nodes[id];

    if (node->op == CAT_BASE_SET || node->op == CAT_BASE_REL) {
        assert(node->base < base_count && bases[node->base].is_set == node->is_set);
        assert(node->dynamic == bases[node->base].dynamic);
    }
    if (node->op == CAT_REC || cat_op_kids(node->op) >= 1)
        kid_promises(model, id, node->a);
    if (cat_op_kids(node->op) == 2)
        kid_promises(model, id, node->b);
    assert(node->group == UINT32_MAX || node->group < model->group_count);
    assert(node->op != CAT_REC || node->group != UINT32_MAX);
    kind_promises(model, node);
}

void cat_promises(const struct cat_model *model, const struct cat_base *bases, uint32_t base_count)
{
    assert(model->source && (model->nodes || !model->node_count));
    for (cat_id id = 0; id < model->node_count; id++)
        node_promises(model, id, bases, base_count);
    for (uint32_t i = 0; i < model->axiom_count; i++) {
        assert(model->axioms[i].name && model->axioms[i].node < model->node_count);
        assert(model->axioms[i].check == CAT_IS_EMPTY ||
               !model->nodes[model->axioms[i].node].is_set);
    }
    for (uint32_t i = 0; i < model->shown_count; i++)
        assert(model->shown[i] < model->node_count && model->shown_names[i]);
}

#endif
