/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/arrows.h"

#include <stdlib.h>
#include <string.h>

#include "litmus/base/sort.h"
#include "model/theory/theory.h"

const struct arrow_style arrow_styles[ARROW_KINDS] = {
#define ARROW(kind, relation, label, ...) {relation, label},
#include "cli/show/picture/arrow.def"
#undef ARROW
};

struct arrow_builder {
    const struct explanation *explanation;
    const struct execution *execution;
    const struct graph *graph;
    struct arena *arena;
    struct arrow_list list;
};

static struct arrow *arrow_between(struct arrow_builder *b, event_id from, event_id to)
{
    for (uint32_t i = 0; i < b->list.items.len; i++)
        if (b->list.items.at[i].from == from && b->list.items.at[i].to == to)
            return &b->list.items.at[i];
    vec_push(b->arena, &b->list.items, ((struct arrow){.from = from, .to = to}));
    return &b->list.items.at[b->list.items.len - 1];
}

static void add(struct arrow_builder *b, enum arrow_kind kind, event_id from, event_id to)
{
    if (from != to && b->list.shown[from] && b->list.shown[to])
        arrow_between(b, from, to)->kinds |= 1u << kind;
}

/* ---- the cycle ------------------------------------------------------------------------------ */

static enum arrow_kind kind_of(const struct arrow_builder *b, cat_id node)
{
    const char *name = explanation_relation(b->explanation->job, node);
    for (int kind = 0; kind < ARROW_other; kind++)
        if (strcmp(arrow_styles[kind].relation, name) == 0)
            return kind;
    return ARROW_other;
}

static uint32_t skip_inside(const struct step_list *steps, uint32_t i)
{
    uint32_t depth = steps->items.at[i].depth;
    while (++i < steps->items.len && steps->items.at[i].depth > depth)
        ;
    return i;
}

static bool is_leaf(const struct step_list *steps, uint32_t i)
{
    return i + 1 == steps->items.len || steps->items.at[i + 1].depth <= steps->items.at[i].depth;
}

static void add_step(struct arrow_builder *b, const struct step *step, enum arrow_kind kind)
{
    struct arrow *arrow = arrow_between(b, step->from, step->to);
    arrow->kinds |= 1u << kind;
    arrow->in_cycle = true;
    if (kind == ARROW_other)
        arrow->label = explanation_relation(b->explanation->job, step->node);
    b->list.shown[step->from] = b->list.shown[step->to] = true;
    b->list.in_cycle[step->from] = b->list.in_cycle[step->to] = true;
}

/* From each edge of the cycle inwards until the relations have names that readers know; causality
 * with what makes it. */
static void add_cycle(struct arrow_builder *b)
{
    if (!b->explanation->theory)
        return;
    struct step_list steps = explanation_steps(b->explanation);
    for (uint32_t i = 0; i < steps.items.len;) {
        const struct step *step = &steps.items.at[i];
        enum arrow_kind kind = kind_of(b, step->node);
        if (kind == ARROW_other && !is_leaf(&steps, i)) {
            i++;
            continue;
        }
        if (step->from != step->to)
            add_step(b, step, kind);
        i = kind == ARROW_causality ? i + 1 : skip_inside(&steps, i);
    }
}

/* ---- the orders ----------------------------------------------------------------------------- */

/* Consecutive events of a thread; siblings of one position have no order. */
static void add_program_order(struct arrow_builder *b)
{
    event_id last = NONE;
    for (event_id e = 0; e < b->graph->event_count; e++) {
        const struct event *event = &b->graph->events[e],
                           *before = &b->graph->events[last == NONE ? e : last];
        if (!b->list.shown[e] || event->kind == EVENT_INIT)
            continue;
        if (last != NONE && before->thread == event->thread && before->position != event->position)
            add(b, event->rmw == last ? ARROW_rmw : ARROW_po, last, e);
        last = e;
    }
}

static void add_reads_from(struct arrow_builder *b)
{
    const struct execution *x = b->execution;
    for (event_id e = 0; e < b->graph->event_count; e++)
        if (x->executed[e] && b->graph->events[e].kind == EVENT_READ)
            for (uint32_t i = 0; i < x->granules[e]; i++)
                if (x->rf[x->rf_base[e] + i] != NONE)
                    add(b, ARROW_rf, x->rf[x->rf_base[e] + i], e);
}

/* The edges of an order that no third event explains. */
static void add_direct(struct arrow_builder *b, enum arrow_kind kind, const struct rel *rel,
                       const struct rel *by)
{
    for (uint32_t from = 0; from < rel->n; from++)
        for (uint32_t to = 0; to < rel->n; to++) {
            bool direct = rel_has(rel, from, to);
            for (uint32_t middle = 0; direct && middle < rel->n; middle++)
                direct = middle == from || middle == to || !rel_has(rel, from, middle) ||
                         !rel_has(by, middle, to);
            if (direct)
                add(b, kind, from, to);
        }
}

/* A relation that the model's text shows under this name, or NULL. */
static const struct rel *shown_relation(const struct arrow_builder *b, struct theory *theory,
                                        const char *name)
{
    const struct cat_model *model = b->explanation->job->model;
    for (uint32_t i = 0; i < model->shown_count; i++)
        if (strcmp(model->shown_names[i], name) == 0 && !model->nodes[model->shown[i]].is_set)
            return theory_rel(theory, model->shown[i]);
    return NULL;
}

static void add_orders(struct arrow_builder *b)
{
    struct theory *theory = b->explanation->theory;
    if (!theory) {
        theory = theory_new(b->arena, b->graph, b->explanation->job->model);
        theory_evaluate(theory, b->execution);
    }
    add_direct(b, ARROW_co, b->execution->co, b->execution->co);
    add_direct(b, ARROW_fence_sc, b->execution->sc, b->execution->sc);
    const struct rel *fr = shown_relation(b, theory, "fr");
    if (fr)
        add_direct(b, ARROW_fr, fr, b->execution->co);
    const struct rel *synchronizes = shown_relation(b, theory, "synchronizes");
    if (synchronizes)
        add_direct(b, ARROW_synchronizes, synchronizes, synchronizes);
}

static int compare(const void *a, const void *b)
{
    const struct arrow *x = a, *y = b;
    if (x->from != y->from)
        return x->from < y->from ? -1 : 1;
    return x->to < y->to ? -1 : x->to > y->to;
}

/* ---- host programs -------------------------------------------------------------------------- */

struct degree {
    uint32_t in, out;
};

static struct degree *degrees(const struct arrow_builder *b)
{
    struct degree *of = ARENA_ARRAY(b->arena, struct degree, b->graph->event_count);
    for (uint32_t i = 0; i < b->list.items.len; i++) {
        of[b->list.items.at[i].from].out++;
        of[b->list.items.at[i].to].in++;
    }
    return of;
}

static void hide_idle_calls(struct arrow_builder *b)
{
    const struct degree *of = degrees(b);
    for (event_id e = 0; e < b->graph->event_count; e++) {
        const struct event *event = &b->graph->events[e];
        if (event->kind == EVENT_API && b->graph->threads[event->thread].host != NONE &&
            !of[e].in && !of[e].out)
            b->list.shown[e] = false;
    }
}

static bool is_task(const struct thread *thread)
{
    return thread->stream && thread->launch == NONE && thread->host == NONE;
}

/* Nothing else begins after 'start' or ends before 'end'. */
static bool is_moment(const struct arrow_builder *b, const struct degree *of,
                      const struct arrow *arrow)
{
    const struct event *start = &b->graph->events[arrow->from];
    const struct event *end = &b->graph->events[arrow->to];
    return arrow->kinds & 1u << ARROW_po && start->kind == EVENT_API && end->kind == EVENT_API &&
           is_task(&b->graph->threads[start->thread]) && of[arrow->from].out == 1 &&
           of[arrow->to].in == 1;
}

static void join_moments(struct arrow_builder *b)
{
    const struct degree *of = degrees(b);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < b->list.items.len; i++) {
        struct arrow *arrow = &b->list.items.at[i];
        if (!is_moment(b, of, arrow)) {
            b->list.items.at[kept++] = *arrow;
            continue;
        }
        b->list.with[arrow->from] = arrow->to;
        b->list.in_cycle[arrow->from] |= b->list.in_cycle[arrow->to];
        b->list.shown[arrow->to] = false;
    }
    b->list.items.len = kept;
    for (event_id start = 0; start < b->graph->event_count; start++)
        for (uint32_t i = 0; i < kept && b->list.with[start] != NONE; i++)
            if (b->list.items.at[i].from == b->list.with[start])
                b->list.items.at[i].from = start;
}

/* 'arrow->label' is what the model calls ARROW_other. */
static void name_arrow(struct arena *arena, struct arrow *arrow)
{
    const char *label = "";
    for (int kind = 0; kind < ARROW_KINDS; kind++)
        if (arrow->kinds & 1u << kind)
            label = arena_printf(arena, "%s%s%s", label, *label ? ", " : "",
                                 kind == ARROW_other ? arrow->label : arrow_styles[kind].label);
    arrow->label = label;
}

struct arrow_list arrows_new(const struct explanation *explanation)
{
    const struct execution *execution = explanation->execution;
    const struct graph *graph = execution->graph;
    struct arrow_builder b = {.explanation = explanation,
                              .execution = execution,
                              .graph = graph,
                              .arena = explanation->job->arena};
    b.list.shown = ARENA_ARRAY(b.arena, bool, graph->event_count);
    b.list.in_cycle = ARENA_ARRAY(b.arena, bool, graph->event_count);
    b.list.with = ARENA_ARRAY(b.arena, event_id, graph->event_count);
    for (event_id e = 0; e < graph->event_count; e++) {
        b.list.shown[e] = execution->executed[e] && graph->events[e].kind != EVENT_INIT;
        b.list.with[e] = NONE;
    }
    add_cycle(&b);
    add_reads_from(&b);
    add_orders(&b);
    hide_idle_calls(&b);
    add_program_order(&b);
    join_moments(&b);
    sort_array(b.list.items.at, b.list.items.len, sizeof *b.list.items.at, compare);
    for (uint32_t i = 0; i < b.list.items.len; i++)
        name_arrow(b.arena, &b.list.items.at[i]);
    return b.list;
}
