/* SPDX-License-Identifier: MIT */
#include "cli/show/lasso.h"

#include "cli/show/json.h"
#include "cli/show/trace.h"

/* Runs along edges of the state graph, with a tracer. */
static void follow(struct ending *ending, const uint32_t *edges, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        state_graph_follow(ending->reports->arena, &ending->run,
                           &ending->graph->edges.at[edges[i]]);
}

/* What a thread stands at that takes no step any more. */
static const char *why_standing(const struct ending *ending, uint32_t thread)
{
    const struct state_graph *graph = ending->graph;
    uint32_t lane = graph->order[thread];
    if (!(ending->hang.started >> thread & 1))
        return "never starts";
    const char *at = run_micro_name(&ending->run, run_micro(&ending->run, lane));
    return arena_printf(ending->reports->arena, "%s at %s",
                        run_runs(&ending->run, lane) ? "is left standing" : "waits", at);
}

static const char *thread_name(const struct ending *ending, uint32_t thread)
{
    return run_lane_name(ending->reports->arena, ending->run.machine, ending->graph->order[thread]);
}

/* What a lane computes for itself is left out, but for the branches of a loop that does nothing else. */
static bool is_shown(const struct micro *micro, bool branches)
{
    return micro->inst && (!micro_is_local(micro) || (branches && micro->kind == MICRO_BRANCH));
}

/* ---- text ----------------------------------------------------------------------------------- */

struct text_tracer {
    struct tracer tracer;
    struct trace_printer printer;
    bool branches;
};

static void print_step(const struct tracer *tracer, struct run *run, uint32_t lane,
                       const struct micro *micro, const struct memory_access *access)
{
    const struct text_tracer *to = (const struct text_tracer *)tracer;
    if (is_shown(micro, to->branches))
        to->printer.tracer.step(&to->printer.tracer, run, lane, micro, access);
}

static void print_loop(struct ending *ending, struct text_tracer *printer, GString *out)
{
    const struct hang *hang = &ending->hang;
    g_string_append(out, "and then, again and again\n");
    gsize before = out->len;
    follow(ending, hang->loop, hang->loop_length);
    printer->branches = out->len == before;
    if (printer->branches) /* it leads back to where it began */
        follow(ending, hang->loop, hang->loop_length);
}

void lasso_text(struct ending *ending, GString *out)
{
    const struct hang *hang = &ending->hang;
    struct text_tracer printer = {
        {print_step}, trace_printer_new(ending->reports->arena, &ending->run, out), false};
    g_string_append_printf(out, "Never ends: %s\n", hang_kind_name(hang->kind));
    ending->run.tracer = &printer.tracer;
    state_graph_start(ending->reports->arena, &ending->run);
    follow(ending, hang->stem, hang->stem_length);
    if (hang->loop_length)
        print_loop(ending, &printer, out);
    ending->run.tracer = NULL;
    for (uint32_t i = 0; i < ending->graph->threads; i++)
        if (hang->standing >> i & 1)
            g_string_append_printf(out, "%s %s\n", thread_name(ending, i), why_standing(ending, i));
}

/* ---- JSON ----------------------------------------------------------------------------------- */

struct json_tracer {
    struct tracer tracer;
    struct ending *ending;
    json_t *steps;
    bool branches;
};

static json_t *json_access(const struct memory_access *access)
{
    if (!access)
        return json_null();
    GString *text = g_string_new(NULL);
    trace_access(access, text);
    json_t *string = json_text(text->str);
    g_string_free(text, TRUE);
    return string;
}

static void add_step(const struct tracer *tracer, struct run *run, uint32_t lane,
                     const struct micro *micro, const struct memory_access *access)
{
    const struct json_tracer *to = (const struct json_tracer *)tracer;
    const struct source *source = run->machine->test->source;
    struct arena *arena = to->ending->reports->arena;
    if (!is_shown(micro, to->branches))
        return;
    struct span span = micro->inst->span;
    json_array_append_new(
        to->steps,
        json_pack("{s:o, s:i, s:o, s:o}", "thread",
                  json_text(run_lane_name(arena, run->machine, lane)), "line",
                  (int)source_place(source, span.offset).line, "text",
                  json_text(arena_strndup(arena, source->text + span.offset, span.length)),
                  "access", json_access(access)));
}

static json_t *json_steps(struct ending *ending, const uint32_t *edges, uint32_t count, bool start)
{
    struct json_tracer tracer = {{add_step}, ending, json_array(), false};
    ending->run.tracer = &tracer.tracer;
    if (start)
        state_graph_start(ending->reports->arena, &ending->run);
    follow(ending, edges, count);
    tracer.branches = !start && !json_array_size(tracer.steps);
    if (tracer.branches)
        follow(ending, edges, count);
    ending->run.tracer = NULL;
    return tracer.steps;
}

json_t *lasso_json(struct ending *ending)
{
    const struct hang *hang = &ending->hang;
    json_t *stem = json_steps(ending, hang->stem, hang->stem_length, true);
    json_t *loop = json_steps(ending, hang->loop, hang->loop_length, false);
    json_t *standing = json_array();
    for (uint32_t i = 0; i < ending->graph->threads; i++)
        if (hang->standing >> i & 1)
            json_array_append_new(standing, json_pack("{s:o, s:o}", "thread",
                                                      json_text(thread_name(ending, i)), "why",
                                                      json_text(why_standing(ending, i))));
    return json_pack("{s:s, s:o, s:o, s:o}", "kind", hang_kind_name(hang->kind), "stem", stem,
                     "loop", loop, "standing", standing);
}
