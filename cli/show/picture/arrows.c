/* SPDX-License-Identifier: MIT */
#include "cli/show/picture/plan.h"

#include <string.h>

#include "litmus/base/sort.h"
#include "model/theory/theory.h"

static void add(struct picture_plan *p, enum arrow_kind kind, event_id from, event_id to)
{
    if (from != to && p->shown[from] && p->shown[to])
        picture_arrow(p, from, to)->kinds |= 1u << kind;
}

/* ---- the orders ----------------------------------------------------------------------------- */

/* Consecutive events of a thread; siblings of one position have no order. */
static void add_program_order(struct picture_plan *p)
{
    event_id last = NONE;
    for (event_id e = 0; e < p->graph->event_count; e++) {
        const struct event *event = &p->graph->events[e],
                           *before = &p->graph->events[last == NONE ? e : last];
        if (!p->shown[e] || event->kind == EVENT_INIT)
            continue;
        if (last != NONE && before->thread == event->thread && before->position != event->position)
            add(p, event->rmw == last ? ARROW_rmw : ARROW_po, last, e);
        last = e;
    }
}

static void add_reads_from(struct picture_plan *p)
{
    const struct execution *x = p->execution;
    for (event_id e = 0; e < p->graph->event_count; e++)
        if (x->executed[e] && p->graph->events[e].kind == EVENT_READ)
            for (uint32_t i = 0; i < x->granules[e]; i++)
                if (x->rf[x->rf_base[e] + i] != NONE)
                    add(p, ARROW_rf, x->rf[x->rf_base[e] + i], e);
}

/* The edges of an order that no third event explains. */
static void add_direct(struct picture_plan *p, enum arrow_kind kind, const struct rel *rel,
                       const struct rel *by)
{
    for (uint32_t from = 0; from < rel->n; from++)
        for (uint32_t to = 0; to < rel->n; to++) {
            bool direct = rel_has(rel, from, to);
            for (uint32_t middle = 0; direct && middle < rel->n; middle++)
                direct = middle == from || middle == to || !rel_has(rel, from, middle) ||
                         !rel_has(by, middle, to);
            if (direct)
                add(p, kind, from, to);
        }
}

/* What is ordered by program order and the relation, in any combination. */
static struct rel *with_program_order(const struct picture_plan *p, const struct rel *rel)
{
    const struct event *events = p->graph->events;
    struct rel *order = rel_new(p->arena, rel->n);
    rel_copy(order, rel);
    for (event_id a = 0; a < rel->n; a++)
        for (event_id b = 0; b < rel->n; b++)
            if (p->execution->executed[a] && p->execution->executed[b] &&
                events[a].kind != EVENT_INIT && events[a].thread == events[b].thread &&
                events[a].position < events[b].position)
                rel_add(order, a, b);
    rel_closure(order, order);
    return order;
}

/* Its transitive reduction, unless all of it is asked for: edges that no others imply. Where the order has a circle
 * there is no reduction to speak of. */
static void add_synchronization(struct picture_plan *p, const struct rel *rel)
{
    const struct rel *order = with_program_order(p, rel);
    bool all = p->explanation->job->settings->all_edges;
    for (uint32_t from = 0; from < rel->n; from++)
        for (uint32_t to = 0; to < rel->n; to++) {
            bool drawn = rel_has(rel, from, to), reduces = !all && !rel_has(order, to, from);
            for (uint32_t middle = 0; drawn && reduces && middle < rel->n; middle++)
                drawn = middle == from || middle == to || !rel_has(order, from, middle) ||
                        !rel_has(order, middle, to);
            if (drawn)
                add(p, ARROW_synchronizes, from, to);
        }
}

/* A relation that the model's text may show, or NULL. */
static const struct rel *shown(const struct picture_plan *p, enum arrow_kind kind,
                               const struct theory *theory)
{
    const struct cat_model *model = p->explanation->job->model;
    for (uint32_t i = 0; i < model->shown_count; i++)
        if (strcmp(model->shown_names[i], arrow_rows[kind].relation) == 0 &&
            !model->nodes[model->shown[i]].is_set)
            return theory_rel(theory, model->shown[i]);
    return NULL;
}

static void add_orders(struct picture_plan *p)
{
    struct theory *theory = p->explanation->theory;
    if (!theory) {
        theory = theory_new(p->arena, p->graph, p->explanation->job->model);
        theory_evaluate(theory, p->execution);
    }
    add_direct(p, ARROW_co, p->execution->co, p->execution->co);
    add_direct(p, ARROW_fence_sc, p->execution->sc, p->execution->sc);
    const struct rel *fr = shown(p, ARROW_fr, theory);
    const struct rel *synchronizes = shown(p, ARROW_synchronizes, theory);
    if (fr)
        add_direct(p, ARROW_fr, fr, p->execution->co);
    if (synchronizes)
        add_synchronization(p, synchronizes);
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

static struct degree *degrees(const struct picture_plan *p)
{
    struct degree *of = ARENA_ARRAY(p->arena, struct degree, p->graph->event_count);
    for (uint32_t i = 0; i < p->arrows.len; i++) {
        of[p->arrows.at[i].from].out++;
        of[p->arrows.at[i].to].in++;
    }
    return of;
}

static void hide_idle_calls(struct picture_plan *p)
{
    const struct degree *of = degrees(p);
    for (event_id e = 0; e < p->graph->event_count; e++) {
        const struct event *event = &p->graph->events[e];
        if (event->kind == EVENT_API && p->graph->threads[event->thread].host != NONE &&
            !of[e].in && !of[e].out)
            p->shown[e] = false;
    }
}

static bool is_task(const struct thread *thread)
{
    return thread->stream && thread->launch == NONE && thread->host == NONE;
}

/* Nothing else begins after 'start' or ends before 'end'. */
static bool is_moment(const struct picture_plan *p, const struct degree *of,
                      const struct arrow *arrow)
{
    const struct event *start = &p->graph->events[arrow->from];
    const struct event *end = &p->graph->events[arrow->to];
    return arrow->kinds & 1u << ARROW_po && start->kind == EVENT_API && end->kind == EVENT_API &&
           is_task(&p->graph->threads[start->thread]) && of[arrow->from].out == 1 &&
           of[arrow->to].in == 1;
}

static void join_moments(struct picture_plan *p)
{
    const struct degree *of = degrees(p);
    uint32_t kept = 0;
    for (uint32_t i = 0; i < p->arrows.len; i++) {
        struct arrow *arrow = &p->arrows.at[i];
        if (!is_moment(p, of, arrow)) {
            p->arrows.at[kept++] = *arrow;
            continue;
        }
        p->with[arrow->from] = arrow->to;
        p->in_cycle[arrow->from] |= p->in_cycle[arrow->to];
        p->shown[arrow->to] = false;
    }
    p->arrows.len = kept;
    for (event_id start = 0; start < p->graph->event_count; start++)
        for (uint32_t i = 0; i < kept && p->with[start] != NONE; i++)
            if (p->arrows.at[i].from == p->with[start])
                p->arrows.at[i].from = start;
}

/* Leaves what breaks the axiom, if one is broken. */
static void keep_cycle(struct picture_plan *p)
{
    bool some = false;
    uint32_t kept = 0;
    for (event_id e = 0; e < p->graph->event_count; e++)
        some |= p->in_cycle[e];
    if (!some)
        return;
    for (event_id e = 0; e < p->graph->event_count; e++)
        p->shown[e] &= p->in_cycle[e];
    for (uint32_t i = 0; i < p->arrows.len; i++) {
        const struct arrow *arrow = &p->arrows.at[i];
        if (arrow->in_cycle && p->shown[arrow->from] && p->shown[arrow->to])
            p->arrows.at[kept++] = *arrow;
    }
    p->arrows.len = kept;
}

/* 'arrow->label' is what the model calls ARROW_other. */
static void name_arrow(struct arena *arena, struct arrow *arrow)
{
    const char *label = "";
    for (int kind = 0; kind < ARROW_KINDS; kind++)
        if (arrow->kinds & 1u << kind)
            label = arena_printf(arena, "%s%s%s", label, *label ? ", " : "",
                                 kind == ARROW_other ? arrow->label : arrow_rows[kind].label);
    arrow->label = label;
}

void picture_plan_arrows(struct picture_plan *p)
{
    p->shown = ARENA_ARRAY(p->arena, bool, p->graph->event_count);
    p->in_cycle = ARENA_ARRAY(p->arena, bool, p->graph->event_count);
    p->with = ARENA_ARRAY(p->arena, event_id, p->graph->event_count);
    for (event_id e = 0; e < p->graph->event_count; e++) {
        p->shown[e] = p->execution->executed[e] && p->graph->events[e].kind != EVENT_INIT;
        p->with[e] = NONE;
    }
    picture_plan_cycle(p);
    add_reads_from(p);
    add_orders(p);
    hide_idle_calls(p);
    add_program_order(p);
    join_moments(p);
    if (p->view.cycle)
        keep_cycle(p);
    sort_array(p->arrows.at, p->arrows.len, sizeof *p->arrows.at, compare);
    for (uint32_t i = 0; i < p->arrows.len; i++)
        name_arrow(p->arena, &p->arrows.at[i]);
}
