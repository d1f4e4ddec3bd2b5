/* SPDX-License-Identifier: MIT */
#include "model/direct/evaluate.h"

#include <string.h>

#include "model/direct/direct.h"

/* ---- what is needed, and when --------------------------------------------------------------- */

static enum direct_level base_level(uint32_t base)
{
    switch (base) {
    case BASE_rf:
        return LEVEL_READS;
    case BASE_sync_fence:
        return LEVEL_FENCES;
    case BASE_co:
    case BASE_fr:
        return LEVEL_COHERENCE;
    default:
        return LEVEL_PROGRAM;
    }
}

/* The definitions that the axioms rest on; flags forbid nothing. */
static void mark_needed(const struct direct_model *model, bool *needed)
{
    const struct cat_model *text = model->text;
    bool news = true;
    for (uint32_t i = 0; i < text->axiom_count; i++)
        needed[model->same[text->axioms[i].node]] |= !text->axioms[i].flag;
    while (news) {
        news = false;
        for (cat_id id = text->node_count; id-- > 0;) {
            cat_id kids[2];
            uint32_t count = needed[id] && !model->empty[id] ? direct_kids(model, id, kids) : 0;
            for (uint32_t k = 0; k < count; k++) {
                news |= !needed[kids[k]];
                needed[kids[k]] = true;
            }
        }
    }
}

/* A definition is as late as what it rests on; those of one let rec are equally late. */
static void find_levels(const struct cat_model *text, uint8_t *level)
{
    bool news = true;
    for (cat_id id = 0; id < text->node_count; id++)
        if (text->nodes[id].op == CAT_BASE_REL)
            level[id] = (uint8_t)base_level(text->nodes[id].base);
    while (news) {
        news = false;
        for (cat_id id = 0; id < text->node_count; id++) {
            cat_id kids[2];
            uint8_t latest = level[id];
            uint32_t count = cat_node_kids(&text->nodes[id], kids);
            for (uint32_t k = 0; k < count; k++)
                latest = level[kids[k]] > latest ? level[kids[k]] : latest;
            for (cat_id other = 0; other < text->node_count; other++)
                if (text->nodes[id].group != UINT32_MAX &&
                    text->nodes[other].group == text->nodes[id].group && level[other] > latest)
                    latest = level[other];
            news |= latest != level[id];
            level[id] = latest;
        }
    }
}

/* ---- what coherence must have --------------------------------------------------------------- */

static bool is_base(const struct cat_model *text, cat_id id, enum base base)
{
    return text->nodes[id].op == CAT_BASE_REL && text->nodes[id].base == base;
}

static bool is_inverse(const struct cat_model *text, cat_id id)
{
    return text->nodes[id].op == CAT_INVERSE && is_base(text, text->nodes[id].a, BASE_co);
}

/* "co | co^-1" */
static bool is_either(const struct cat_model *text, cat_id id)
{
    const struct cat_node *node = &text->nodes[id];
    return node->op == CAT_UNION &&
           ((is_base(text, node->a, BASE_co) && is_inverse(text, node->b)) ||
            (is_base(text, node->b, BASE_co) && is_inverse(text, node->a)));
}

/* Does the value only grow with coherence? Complements and what is taken away must not rest on it. */
static bool grows(const struct direct_model *model, cat_id id)
{
    const struct cat_node *node = &model->text->nodes[id];
    cat_id kids[2];
    if (model->level[id] < LEVEL_COHERENCE)
        return true;
    if (node->op == CAT_REC || node->group != UINT32_MAX || node->op == CAT_COMPLEMENT ||
        (node->op == CAT_DIFFERENCE && model->level[node->b] == LEVEL_COHERENCE))
        return false;
    for (uint32_t k = cat_node_kids(node, kids); k-- > 0;)
        if (!grows(model, kids[k]))
            return false;
    return true;
}

static void find_demands(struct arena *arena, struct direct_model *model)
{
    const struct cat_model *text = model->text;
    model->least = true;
    for (uint32_t i = 0; i < model->levels[LEVEL_COHERENCE].axioms.len; i++) {
        const struct cat_axiom *axiom = &text->axioms[model->levels[LEVEL_COHERENCE].axioms.at[i]];
        const struct cat_node *node = &text->nodes[axiom->node];
        bool demand = axiom->check == CAT_IS_EMPTY && !axiom->negated &&
                      node->op == CAT_DIFFERENCE && model->level[node->a] < LEVEL_COHERENCE;
        if (demand && is_base(text, node->b, BASE_co))
            vec_push(arena, &model->ordered, model->same[node->a]);
        else if (demand && is_either(text, node->b))
            vec_push(arena, &model->total, model->same[node->a]);
        else
            model->least &= !axiom->negated && grows(model, axiom->node);
    }
}

struct direct_model *direct_model_new(struct arena *arena, const struct cat_model *text)
{
    struct direct_model *model = ARENA_NEW(arena, struct direct_model);
    bool *needed = ARENA_ARRAY(arena, bool, text->node_count);
    model->text = text;
    model->values = ARENA_ARRAY(arena, struct direct_rel, text->node_count);
    model->level = ARENA_ARRAY(arena, uint8_t, text->node_count);
    find_levels(text, model->level);
    direct_reduce(arena, model);
    mark_needed(model, needed);
    for (cat_id id = 0; id < text->node_count; id++)
        if (needed[id] && !model->empty[id])
            vec_push(arena, &model->levels[model->level[id]].nodes, id);
    for (uint32_t i = 0; i < text->axiom_count; i++)
        if (!text->axioms[i].flag)
            vec_push(arena, &model->levels[model->level[text->axioms[i].node]].axioms, i);
    find_demands(arena, model);
    return model;
}

/* ---- operations ----------------------------------------------------------------------------- */

static void compose(uint32_t n, const struct direct_rel *a, const struct direct_rel *b,
                    struct direct_rel *to)
{
    for (uint32_t x = 0; x < n; x++) {
        direct_set row = 0;
        for (direct_set left = a->row[x]; left; left &= left - 1)
            row |= b->row[__builtin_ctz(left)];
        to->row[x] = row;
    }
}

static void close_paths(uint32_t n, struct direct_rel *r)
{
    for (uint32_t y = 0; y < n; y++)
        for (uint32_t x = 0; x < n; x++)
            if (r->row[x] >> y & 1)
                r->row[x] |= r->row[y];
}

static void invert(uint32_t n, const struct direct_rel *a, struct direct_rel *to)
{
    memset(to, 0, sizeof *to);
    for (uint32_t x = 0; x < n; x++)
        for (direct_set left = a->row[x]; left; left &= left - 1)
            to->row[__builtin_ctz(left)] |= UINT32_C(1) << x;
}

static void project(uint32_t n, const struct direct_rel *a, bool range, struct direct_rel *to)
{
    direct_set found = 0;
    for (uint32_t x = 0; x < n; x++)
        found |= range ? a->row[x] : (direct_set)(a->row[x] != 0) << x;
    to->row[0] = found;
}

static void evaluate_closure(enum cat_op op, uint32_t n, const struct direct_rel *a,
                             struct direct_rel *to)
{
    *to = *a;
    if (op != CAT_OPTION)
        close_paths(n, to);
    for (uint32_t x = 0; x < n && op != CAT_PLUS; x++)
        to->row[x] |= UINT32_C(1) << x;
}

static void evaluate_rows(enum cat_op op, uint32_t rows, direct_set all, const struct direct_rel *a,
                          const struct direct_rel *b, struct direct_rel *to)
{
    for (uint32_t x = 0; x < rows; x++)
        to->row[x] = op == CAT_UNION        ? a->row[x] | b->row[x]
                     : op == CAT_INTERSECT  ? a->row[x] & b->row[x]
                     : op == CAT_DIFFERENCE ? a->row[x] & ~b->row[x]
                                            : all & ~a->row[x];
}

static void evaluate_node(struct direct_model *model, cat_id id, struct direct_rel *to)
{
    const struct cat_node *node = &model->text->nodes[id];
    uint32_t n = model->events.count, rows = node->is_set ? 1 : n;
    direct_set all = n < DIRECT_EVENTS ? (UINT32_C(1) << n) - 1 : UINT32_MAX;
    cat_id kids[2];
    uint32_t count = direct_kids(model, id, kids);
    const struct direct_rel *a = count > 0 ? &model->values[kids[0]] : NULL,
                            *b = count > 1 ? &model->values[kids[1]] : NULL;
    switch (node->op) {
    case CAT_BASE_SET:
    case CAT_BASE_REL:
        *to = model->events.base[node->base];
        break;
    case CAT_EMPTY:
        memset(to, 0, sizeof *to);
        break;
    case CAT_UNION:
    case CAT_INTERSECT:
    case CAT_DIFFERENCE:
    case CAT_COMPLEMENT:
        evaluate_rows(node->op, rows, all, a, b, to);
        break;
    case CAT_COMPOSE:
        compose(n, a, b, to);
        break;
    case CAT_PLUS:
    case CAT_STAR:
    case CAT_OPTION:
        evaluate_closure(node->op, n, a, to);
        break;
    case CAT_INVERSE:
        invert(n, a, to);
        break;
    case CAT_IDENTITY:
        for (uint32_t x = 0; x < n; x++)
            to->row[x] = a->row[0] & UINT32_C(1) << x;
        break;
    case CAT_PRODUCT:
        for (uint32_t x = 0; x < n; x++)
            to->row[x] = a->row[0] >> x & 1 ? b->row[0] : 0;
        break;
    case CAT_DOMAIN:
    case CAT_RANGE:
        project(n, a, node->op == CAT_RANGE, to);
        break;
    case CAT_REC:
        *to = *a;
        break;
    }
}

/* ---- a level -------------------------------------------------------------------------------- */

/* The least solution of a let rec, whose nodes are those of the list from 'first' that have its group;
 * those between them that have none come first. Gives the place behind its last one. */
static uint32_t evaluate_group(struct direct_model *model, const struct direct_axioms *level,
                               uint32_t first)
{
    const struct cat_node *nodes = model->text->nodes;
    uint32_t group = nodes[level->nodes.at[first]].group, end = first;
    for (uint32_t i = first; i < level->nodes.len; i++)
        if (nodes[level->nodes.at[i]].group == group)
            end = i + 1;
    for (uint32_t i = first; i < end; i++) {
        cat_id id = level->nodes.at[i];
        if (nodes[id].group == group)
            memset(&model->values[id], 0, sizeof *model->values);
        else
            evaluate_node(model, id, &model->values[id]);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = first; i < end; i++) {
            cat_id id = level->nodes.at[i];
            struct direct_rel now = {{0}};
            if (nodes[id].group != group)
                continue;
            evaluate_node(model, id, &now);
            uint32_t rows = nodes[id].is_set ? 1 : model->events.count;
            if (memcmp(&now, &model->values[id], rows * sizeof *now.row) != 0) {
                model->values[id] = now;
                changed = true;
            }
        }
    }
    return end;
}

static bool has_member(const struct direct_rel *value, uint32_t rows, bool loop)
{
    direct_set found = 0;
    for (uint32_t x = 0; x < rows; x++)
        found |= loop ? value->row[x] & UINT32_C(1) << x : value->row[x];
    return found;
}

static bool holds(const struct direct_model *model, const struct cat_axiom *axiom)
{
    uint32_t n = model->events.count, rows = model->text->nodes[axiom->node].is_set ? 1 : n;
    struct direct_rel value = model->values[model->same[axiom->node]];
    if (axiom->check == CAT_ACYCLIC)
        close_paths(n, &value);
    return has_member(&value, rows, axiom->check != CAT_IS_EMPTY) == axiom->negated;
}

bool direct_evaluate(struct direct_model *model, enum direct_level which)
{
    const struct direct_axioms *level = &model->levels[which];
    for (uint32_t i = 0; i < level->nodes.len;) {
        cat_id id = level->nodes.at[i];
        if (model->text->nodes[id].group != UINT32_MAX) {
            i = evaluate_group(model, level, i);
            continue;
        }
        evaluate_node(model, id, &model->values[id]);
        i++;
    }
    for (uint32_t i = 0; i < level->axioms.len; i++)
        if (!holds(model, &model->text->axioms[level->axioms.at[i]]))
            return false;
    return true;
}
