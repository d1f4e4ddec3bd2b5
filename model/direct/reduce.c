/* SPDX-License-Identifier: MIT */
#include "model/direct/evaluate.h"

/* What has no proxies, barriers and host threads needs only a part of a text. */

static void reduce_node(struct direct_model *model, cat_id id)
{
    const struct cat_node *node = &model->text->nodes[id];
    cat_id kids[2];
    uint32_t count = cat_node_kids(node, kids);
    bool first = count > 0 && node->op != CAT_REC && model->empty[kids[0]],
         second = count > 1 && model->empty[kids[1]];
    model->same[id] = id;
    switch (node->op) {
    case CAT_BASE_SET:
    case CAT_BASE_REL:
        model->empty[id] = !direct_has((enum base)node->base);
        break;
    case CAT_EMPTY:
        model->empty[id] = true;
        break;
    case CAT_UNION:
        model->empty[id] = first && second;
        model->same[id] = second ? model->same[kids[0]] : first ? model->same[kids[1]] : id;
        break;
    case CAT_DIFFERENCE:
        model->same[id] = second ? model->same[kids[0]] : id;
        model->empty[id] = first;
        break;
    case CAT_INTERSECT:
    case CAT_COMPOSE:
    case CAT_PRODUCT:
    case CAT_INVERSE:
    case CAT_PLUS:
    case CAT_IDENTITY:
    case CAT_DOMAIN:
    case CAT_RANGE:
        model->empty[id] = first || second;
        break;
    case CAT_COMPLEMENT:
    case CAT_STAR:
    case CAT_OPTION:
    case CAT_REC:
        break;
    }
}

void direct_reduce(struct arena *arena, struct direct_model *model)
{
    model->same = ARENA_ARRAY(arena, cat_id, model->text->node_count);
    model->empty = ARENA_ARRAY(arena, bool, model->text->node_count);
    for (cat_id id = 0; id < model->text->node_count; id++)
        reduce_node(model, id);
}

uint32_t direct_kids(const struct direct_model *model, cat_id id, cat_id kids[2])
{
    uint32_t count = cat_node_kids(&model->text->nodes[id], kids);
    for (uint32_t k = 0; k < count; k++)
        kids[k] = model->same[kids[k]];
    return count;
}
