/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/plan.h"

#include <string.h>

#include "litmus/base/text.h"

/* Of a relation of the model, or a word for one. */
static enum arrow_kind kind_of(const char *name)
{
    for (int kind = 0; kind < ARROW_other; kind++)
        if (strcmp(arrow_rows[kind].relation, name) == 0 ||
            strcmp(arrow_rows[kind].label, name) == 0)
            return kind;
    return ARROW_other;
}

/* NULL: word.def says nothing of the relation. */
static const char *word_of(const char *relation)
{
    static const struct {
        const char *relation, *word;
    } words[] = {
#define WORD(relation, word) {relation, word},
#include "cli/show/picture/word.def"
    };
    for (size_t i = 0; i < G_N_ELEMENTS(words); i++)
        if (strcmp(words[i].relation, relation) == 0)
            return words[i].word;
    return NULL;
}

static bool is_leaf(const struct step_list *steps, uint32_t i)
{
    return i + 1 == steps->items.len || steps->items.at[i + 1].depth <= steps->items.at[i].depth;
}

static uint32_t skip_inside(const struct step_list *steps, uint32_t i)
{
    uint32_t depth = steps->items.at[i].depth;
    while (++i < steps->items.len && steps->items.at[i].depth > depth)
        ;
    return i;
}

static bool is_named(const char *names, const char *name)
{
    g_auto(GStrv) list = g_strsplit(names, ", ", -1);
    return g_strv_contains((const char *const *)list, name);
}

static void add_label(struct picture_plan *p, struct arrow *arrow, const char *label)
{
    if (!arrow->label)
        arrow->label = label;
    else if (!is_named(arrow->label, label))
        arrow->label = arena_printf(p->arena, "%s, %s", arrow->label, label);
}

static void add_step(struct picture_plan *p, const struct step *step, enum arrow_kind kind,
                     const char *label)
{
    struct arrow *arrow = picture_arrow(p, step->from, step->to);
    arrow->kinds |= 1u << kind;
    arrow->in_cycle = true;
    if (kind == ARROW_other)
        add_label(p, arrow, label);
    p->shown[step->from] = p->shown[step->to] = true;
    p->in_cycle[step->from] = p->in_cycle[step->to] = true;
}

/* "no co" of what is not in co | co^-1. */
static const char *absence(const struct picture_plan *p, cat_id id)
{
    const struct cat_node *nodes = p->explanation->job->model->nodes;
    while (nodes[id].op == CAT_UNION && !nodes[id].name)
        id = nodes[id].a;
    return arena_printf(p->arena, "no %s", explanation_relation(p->explanation->job, id));
}

/* Sets of pairs that the kinds of the two events decide. */
static bool is_condition(const struct picture_plan *p, const struct step *step, const char *word)
{
    return word ? !*word : p->explanation->job->model->nodes[step->node].op == CAT_PRODUCT;
}

void picture_plan_cycle(struct picture_plan *p)
{
    if (!p->explanation->theory)
        return;
    struct step_list steps = explanation_steps(p->explanation);
    for (uint32_t i = 0; i < steps.items.len;) {
        const struct step *step = &steps.items.at[i];
        const char *relation = explanation_relation(p->explanation->job, step->node);
        const char *word = step->absent ? absence(p, step->node) : word_of(relation);
        enum arrow_kind kind = step->absent ? ARROW_other : kind_of(word ? word : relation);
        bool known = kind != ARROW_other || (word && !step->absent);
        if (!known && !is_leaf(&steps, i)) {
            i++;
            continue;
        }
        if (step->from != step->to && !is_condition(p, step, word))
            add_step(p, step, kind, word ? word : relation);
        i = kind == ARROW_causality ? i + 1 : skip_inside(&steps, i);
    }
}
