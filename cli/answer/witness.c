/* SPDX-License-Identifier: MIT */
#include "cli/answer/witness.h"

#include <string.h>

#include "cli/answer/names.h"

/* ---- the events ----------------------------------------------------------------------------- */

/* A location has an initial write for each of its granules, all of one name: the first of them. */
static event_id first_of_name(const struct execution *execution, event_id event)
{
    const struct graph *graph = execution->graph;
    if (event == NONE || graph->events[event].kind != EVENT_INIT)
        return event;
    uint32_t location = graph->granules[execution->first_granule[event]].location;
    for (event_id e = 0; e < event; e++)
        if (graph->events[e].kind == EVENT_INIT &&
            graph->granules[execution->first_granule[e]].location == location)
            return e;
    return event;
}

/* From whom, and which bytes where there are several: granules read from one write, or from initial
 * writes of one location, are told together. */
static void print_sources(struct arena *arena, const struct execution *execution, event_id read,
                          GString *out)
{
    const event_id *rf = &execution->rf[execution->rf_base[read]];
    uint32_t count = execution->granules[read];
    for (uint32_t i = 0, run; i < count; i += run) {
        event_id source = first_of_name(execution, rf[i]);
        for (run = 1; i + run < count && first_of_name(execution, rf[i + run]) == source;)
            run++;
        const char *piece = name_granules(arena, execution, read, i, run);
        const char *name = source == NONE ? "nothing" : name_event(arena, execution, source);
        if (source != NONE && execution->graph->events[source].kind == EVENT_INIT)
            name = arena_printf(arena, "init [%s]", piece);
        if (run < count)
            g_string_append_printf(out, "%s%s", i ? ", " : ": ", piece);
        g_string_append_printf(out, " from %s", name);
    }
}

static void print_effect(struct arena *arena, const struct execution *execution, event_id id,
                         GString *out)
{
    const struct event *event = &execution->graph->events[id];
    const char *place = name_place(arena, execution, id);
    if (event->kind == EVENT_WRITE) {
        g_string_append_printf(out, "writes %s%s%s", name_value(arena, execution, id),
                               place ? " to " : "", place ? place : "");
    } else if (event->kind == EVENT_READ) {
        g_string_append_printf(out, "reads %s%s%s", name_value(arena, execution, id),
                               place ? " of " : "", place ? place : "");
        print_sources(arena, execution, id, out);
    } else if (event->kind == EVENT_BARRIER) {
        uint32_t completion = execution->completion[event->barrier];
        if (completion == NONE)
            g_string_append(out, event->tags & TAG(SYNC) ? "waits for ever" : "is never completed");
        else
            g_string_append_printf(out, "completion %u", completion);
    }
}

enum { THREAD_WIDTH = 8, NAME_WIDTH = 4, TEXT_WIDTH = 34 };

static void print_event(struct arena *arena, const struct execution *execution, event_id id,
                        bool first, GString *out)
{
    const struct graph *graph = execution->graph;
    const struct event *event = &graph->events[id];
    const char *thread = first ? graph->threads[event->thread].name : "";
    if (strlen(thread) > THREAD_WIDTH) {
        g_string_append_printf(out, "  %s\n", thread);
        thread = "";
    }
    g_string_append_printf(out, "  %-*s %-*s %-*s ", THREAD_WIDTH, thread, NAME_WIDTH,
                           name_event(arena, execution, id), TEXT_WIDTH, event->text);
    print_effect(arena, execution, id, out);
    while (out->str[out->len - 1] == ' ')
        g_string_truncate(out, out->len - 1);
    g_string_append_c(out, '\n');
}

static void print_events(struct arena *arena, const struct execution *execution, GString *out)
{
    const struct graph *graph = execution->graph;
    uint32_t thread = NONE;
    for (event_id id = 0; id < graph->event_count; id++) {
        const struct event *event = &graph->events[id];
        if (!execution->executed[id] || event->kind == EVENT_INIT)
            continue;
        print_event(arena, execution, id, event->thread != thread, out);
        thread = event->thread;
    }
}

/* ---- the orders ----------------------------------------------------------------------------- */

bool witness_is_direct(const struct rel *rel, uint32_t a, uint32_t b)
{
    if (!rel_has(rel, a, b))
        return false;
    for (uint32_t middle = 0; middle < rel->n; middle++)
        if (middle != a && middle != b && rel_has(rel, a, middle) && rel_has(rel, middle, b))
            return false;
    return true;
}

struct rel *witness_pairs(struct arena *arena, const struct execution *execution,
                          const struct rel *rel, bool transitive)
{
    struct rel *edges = rel_new(arena, rel->n);
    for (uint32_t a = 0; a < rel->n; a++)
        for (uint32_t b = 0; b < rel->n; b++)
            if (transitive ? witness_is_direct(rel, a, b) : rel_has(rel, a, b))
                rel_add(edges, first_of_name(execution, a), first_of_name(execution, b));
    return edges;
}

const char *witness_source(struct arena *arena, const struct execution *execution, event_id from,
                           event_id to)
{
    bool initial = execution->graph->events[from].kind == EVENT_INIT;
    return initial ? name_initial(arena, execution, from, to) : name_event(arena, execution, from);
}

/* A line "NAME: a -> b, …" of witness_pairs, or none. */
static void print_edges(struct arena *arena, const struct execution *execution, const char *name,
                        const struct rel *rel, bool transitive, GString *out)
{
    bool some = false;
    rel = witness_pairs(arena, execution, rel, transitive);
    for (uint32_t a = 0; a < rel->n; a++)
        for (uint32_t b = 0; b < rel->n; b++) {
            if (!rel_has(rel, a, b))
                continue;
            g_string_append_printf(out, "%s%s%s%s -> %s", some ? "" : "  ", some ? "" : name,
                                   some ? ", " : ": ", witness_source(arena, execution, a, b),
                                   name_event(arena, execution, b));
            some = true;
        }
    g_string_append(out, some ? "\n" : "");
}

/* ---- all of it ------------------------------------------------------------------------------ */

struct theory *witness_theory(const struct job *job, const struct execution *execution)
{
    struct theory *theory = theory_new(job->arena, execution->graph, job->model);
    theory_evaluate(theory, execution);
    return theory;
}

/* Sets are no edges, and the table of events and the two orders hold rf, co and Fence-SC already. */
static bool is_worth_showing(const struct cat_model *model, uint32_t shown)
{
    static const char *const already[] = {"rf", "co", "sync_fence"};
    for (size_t i = 0; i < G_N_ELEMENTS(already); i++)
        if (strcmp(model->shown_names[shown], already[i]) == 0)
            return false;
    return !model->nodes[model->shown[shown]].is_set;
}

void witness_text(const struct job *job, const struct execution *execution, GString *out)
{
    const struct cat_model *model = job->model;
    struct theory *theory = witness_theory(job, execution);
    print_events(job->arena, execution, out);
    print_edges(job->arena, execution, "coherence", execution->co, true, out);
    print_edges(job->arena, execution, "Fence-SC", execution->sc, true, out);
    for (uint32_t i = 0; i < model->shown_count; i++)
        if (is_worth_showing(model, i))
            print_edges(job->arena, execution, model->shown_names[i],
                        theory_rel(theory, model->shown[i]), false, out);
}
