/* SPDX-License-Identifier: MIT */
#include "cli/answer/dump.h"

#include <inttypes.h>

#include "cli/answer/witness.h"
#include "model/models/models.h"
#include "model/relation/pair.h"

enum { INDENT = 6, TEXT_WIDTH = 34, DEEPEST = 5 };

static const char *const operations[] = {
#define EXPR_OP(name, kids, meaning) #name,
#include "model/value/op.def"
};

static void print_leaf(const struct graph *graph, const struct expr *expr, GString *out)
{
    if (expr->op == EXPR_CONST)
        g_string_append_printf(out, expr->value > UINT16_MAX ? "0x%" PRIx64 : "%" PRIu64,
                               expr->value);
    else if (expr->op == EXPR_CHOICE)
        g_string_append(out, graph->choices[expr->a].name);
    else if (graph->events[expr->b].pieces == 1)
        g_string_append_printf(out, "e%u", expr->b);
    else
        g_string_append_printf(out, "e%u.%u", expr->b, expr->a);
}

/* In prefix notation. What lies deeper than a reader would follow is "…". */
static void print_expr(const struct graph *graph, expr_id id, uint32_t depth, GString *out)
{
    const struct expr *expr = expr_get(graph->exprs, id);
    expr_id kids[3];
    unsigned count = expr_kids(expr, kids);
    if (count == 0) {
        print_leaf(graph, expr, out);
        return;
    }
    if (depth == DEEPEST) {
        g_string_append(out, "…");
        return;
    }
    g_string_append_printf(out, "(%s", operations[expr->op]);
    if (expr->op == EXPR_EXTRACT)
        g_string_append_printf(out, "[%u+%" PRIu64 "]", expr->width, expr->value);
    for (unsigned i = 0; i < count; i++) {
        g_string_append_c(out, ' ');
        print_expr(graph, kids[i], depth + 1, out);
    }
    g_string_append_c(out, ')');
}

static void print_name(const struct graph *graph, event_id id, GString *out)
{
    const struct event *event = &graph->events[id];
    g_string_append_printf(out, "%*se%-3u %-4s %-*s", INDENT, "", id,
                           event->thread == NONE ? "" : graph->threads[event->thread].name,
                           TEXT_WIDTH, event->text);
}

/* A line "NAME: e1->e2 …", or none. 'direct': without pairs that others imply. */
static void print_pairs(const char *name, const struct rel *rel, bool direct, GString *out)
{
    bool some = false;
    for (uint32_t a = 0; a < rel->n; a++)
        for (uint32_t b = 0; b < rel->n; b++)
            if (direct ? witness_is_direct(rel, a, b) : rel_has(rel, a, b)) {
                if (!some)
                    g_string_append_printf(out, "%*s%s:", INDENT, "", name);
                g_string_append_printf(out, " e%u->e%u", a, b);
                some = true;
            }
    g_string_append(out, some ? "\n" : "");
}

/* ---- the graph ------------------------------------------------------------------------------ */

static void print_event(const struct graph *graph, event_id id, GString *out)
{
    const struct event *event = &graph->events[id];
    print_name(graph, id, out);
    for (uint32_t base = BASE__ + 1; base < model_base_count; base++)
        if (model_bases[base].is_set && pair_in_set(event, (enum base)base))
            g_string_append_printf(out, " %s", model_bases[base].name);
    if (event_is_memory(event)) {
        g_string_append_printf(out, "; %u bytes at ", event->bytes);
        print_expr(graph, event->address, 0, out);
        g_string_append(out, event->kind == EVENT_READ ? " return " : " hold ");
        print_expr(graph, event->value, 0, out);
    }
    if (!expr_is_true(graph->exprs, event->guard)) {
        g_string_append(out, "; if ");
        print_expr(graph, event->guard, 0, out);
    }
    g_string_append_c(out, '\n');
}

/* The base relations that unfolding made, as far as they are not plain from the threads. */
static void print_bases(struct arena *arena, const struct graph *graph, GString *out)
{
    static const enum base shown[] = {BASE_rmw,  BASE_addr,  BASE_data,
                                      BASE_ctrl, BASE_async, BASE_api_sync};
    struct bases *bases = base_new(arena, graph);
    for (size_t i = 0; i < G_N_ELEMENTS(shown); i++) {
        struct rel *may = rel_new(arena, graph->event_count);
        pair_fill_may(bases, shown[i], may);
        print_pairs(model_bases[shown[i]].name, may, false, out);
    }
}

void dump_graph(const struct job *job, uint32_t index, GString *out)
{
    const struct graph *graph = job->graphs[index];
    struct arena *scratch = arena_scratch(job->arena);
    for (event_id id = 0; id < graph->event_count; id++)
        print_event(graph, id, out);
    print_bases(scratch, graph, out);
    for (uint32_t i = 0; i < graph->assumption_count; i++) {
        g_string_append_printf(out, "%*sassumed: ", INDENT, "");
        print_expr(graph, graph->assumptions[i].condition, 0, out);
        g_string_append_c(out, '\n');
    }
    arena_free(scratch);
}

/* ---- a candidate and what is wrong with it -------------------------------------------------- */

void dump_candidate(const struct execution *x, GString *out)
{
    const struct graph *graph = x->graph;
    for (event_id id = 0; id < graph->event_count; id++) {
        const struct event *event = &graph->events[id];
        if (!x->executed[id] || event->kind == EVENT_INIT)
            continue;
        print_name(graph, id, out);
        if (event_is_memory(event))
            g_string_append_printf(out, " = %" PRIu64, x->value[id]);
        for (uint32_t i = 0; event->kind == EVENT_READ && i < x->granules[id]; i++)
            g_string_append_printf(out, " from e%" PRId32, (int32_t)x->rf[x->rf_base[id] + i]);
        if (event->kind == EVENT_BARRIER)
            g_string_append_printf(out, " completion %" PRId32,
                                   (int32_t)x->completion[event->barrier]);
        g_string_append_c(out, '\n');
    }
    print_pairs("coherence", x->co, true, out);
    print_pairs("Fence-SC", x->sc, true, out);
}

static void print_fact(const struct graph *graph, const struct fact *fact, GString *out)
{
    static const char *const orders[] = {
        [FACT_RF] = "rf", [FACT_CO] = "co", [FACT_SC] = "Fence-SC"};
    g_string_append(out, fact->negated ? "not " : "");
    if (fact->kind == FACT_EXPR) {
        print_expr(graph, fact->a, 0, out);
        g_string_append_printf(out, " is %" PRIu64, fact->value);
    } else if (fact->kind == FACT_COMPLETION) {
        g_string_append_printf(out, "e%u completion %" PRId32, graph->barriers[fact->a].event,
                               (int32_t)fact->value);
    } else {
        g_string_append_printf(out, "e%u->e%u in %s", fact->a, fact->b, orders[fact->kind]);
    }
}

void dump_violation(const struct job *job, const struct execution *x,
                    const struct violation *violation, GString *out)
{
    g_string_append_printf(out, "%*s%s:", INDENT, "", job->model->axioms[violation->axiom].name);
    for (uint32_t i = 0; i < violation->cycle_length; i++)
        g_string_append_printf(out, " e%u", violation->cycle[i]);
    for (uint32_t i = 0; i < violation->facts.items.len; i++) {
        g_string_append(out, i ? " and " : ", because ");
        print_fact(x->graph, &violation->facts.items.at[i], out);
    }
    g_string_append_c(out, '\n');
}
