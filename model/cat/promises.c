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

/* 'any' is what x stands for. */
static bool is_kind(bool is_set, char kind, bool any)
{
    return is_set == (kind == 'x' ? any : kind == 'S');
}

static void node_promises(const struct cat_model *model, cat_id id, const struct cat_base *bases,
                          uint32_t base_count)
{
    const struct cat_node *node = &model->nodes[id];
    if (node->op == CAT_BASE_SET || node->op == CAT_BASE_REL) {
        assert(node->base < base_count && bases[node->base].is_set == node->is_set);
        assert(node->dynamic == bases[node->base].dynamic);
    }
    const char *kinds = cat_op_kinds(node->op);
    cat_id kids[2];
    uint32_t count = cat_node_kids(node, kids);
    assert(is_kind(node->is_set, kinds[0], node->is_set));
    for (uint32_t i = 0; i < count; i++) {
        kid_promises(model, id, kids[i]);
        assert(is_kind(model->nodes[kids[i]].is_set, kinds[i + 1], node->is_set));
    }
    assert(node->group == UINT32_MAX || node->group < model->group_count);
    assert(node->op != CAT_REC || node->group != UINT32_MAX);
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
