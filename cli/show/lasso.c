/* SPDX-License-Identifier: MIT */
#include "cli/show/lasso.h"

#include "cli/answer/code.h"
#include "cli/show/json.h"
#include "cli/show/trace.h"

/* ---- along its edges ------------------------------------------------------------------------ */

/* Hides what a lane computes for itself, but for the branches of a loop that does nothing else. */
struct filter {
    struct tracer tracer;
    const struct tracer *to;
    uint32_t *shown; /* how many steps */
    bool branches;
};

static bool is_same_statement(const struct micro *a, const struct micro *b)
{
    return a->inst && b->inst && a->inst->span.offset == b->inst->span.offset;
}

/* Is it a fence that the access beside it was compiled to, of one statement in C++? */
static bool is_part_of_access(const struct run *run, uint32_t lane, const struct micro *micro)
{
    const struct program *program = machine_program(run->machine, lane);
    uint32_t at = (uint32_t)(micro - program->micros);
    return micro->kind == MICRO_FENCE &&
           ((at && is_same_statement(micro, micro - 1)) ||
            (at + 1 < program->micro_count && is_same_statement(micro, micro + 1)));
}

static void pass_on(const struct tracer *tracer, struct run *run, uint32_t lane,
                    const struct micro *micro, const struct memory_access *access)
{
    const struct filter *filter = (const struct filter *)tracer;
    if (!micro->inst || is_part_of_access(run, lane, micro) ||
        (micro_is_local(micro) && !(filter->branches && micro->kind == MICRO_BRANCH)))
        return;
    ++*filter->shown;
    filter->to->step(filter->to, run, lane, micro, access);
}

/* Gives the number of steps that were shown. */
static uint32_t follow(struct ending *ending, const uint32_t *edges, uint32_t count,
                       const struct tracer *to, bool branches)
{
    uint32_t shown = 0;
    struct filter filter = {{pass_on}, to, &shown, branches};
    ending->run.tracer = &filter.tracer;
    for (uint32_t i = 0; i < count; i++)
        state_graph_follow(ending->reports->arena, &ending->run,
                           &ending->graph->edges.at[edges[i]]);
    ending->run.tracer = NULL;
    return shown;
}

uint32_t lasso_follow_stem(struct ending *ending, const struct tracer *tracer)
{
    uint32_t shown = 0;
    struct filter filter = {{pass_on}, tracer, &shown, false};
    ending->run.tracer = &filter.tracer;
    state_graph_start(ending->reports->arena, &ending->run);
    return shown + follow(ending, ending->hang.stem, ending->hang.stem_length, tracer, false);
}

void lasso_follow_loop(struct ending *ending, const struct tracer *tracer)
{
    const struct hang *hang = &ending->hang;
    if (!follow(ending, hang->loop, hang->loop_length, tracer, false))
        follow(ending, hang->loop, hang->loop_length, tracer,
               true); /* it leads back to its start */
}

/* ---- who stands still ----------------------------------------------------------------------- */

static const char *thread_name(const struct ending *ending, uint32_t thread)
{
    return run_lane_name(ending->reports->arena, ending->run.machine, ending->graph->order[thread]);
}

/* "'bar.sync 0' (line 5)": as the test has it, which may be in C++. */
static const char *name_instruction(const struct ending *ending, const struct micro *micro)
{
    struct arena *arena = ending->reports->arena;
    const struct test *test = ending->run.machine->test;
    if (!micro->inst)
        return "the end";
    struct span span = micro->inst->span;
    return arena_printf(arena, "'%.*s' (%s)", (int)span.length, test->source->text + span.offset,
                        test_line_words(arena, test, span.offset));
}

/* What a thread stands at that takes no step any more. */
static const char *why_standing(const struct ending *ending, uint32_t thread)
{
    const struct state_graph *graph = ending->graph;
    uint32_t lane = graph->order[thread];
    if (!(ending->hang.started >> thread & 1))
        return "never starts";
    const char *at = name_instruction(ending, run_micro(&ending->run, lane));
    return arena_printf(ending->reports->arena, "%s at %s",
                        run_runs(&ending->run, lane) ? "is left standing" : "waits", at);
}

struct text_list lasso_standing(const struct ending *ending)
{
    struct arena *arena = ending->reports->arena;
    struct text_list lines = {0};
    for (uint32_t i = 0; i < ending->graph->threads; i++)
        if (ending->hang.standing >> i & 1)
            vec_push(arena, &lines,
                     arena_printf(arena, "%s %s", thread_name(ending, i), why_standing(ending, i)));
    return lines;
}

/* ---- text ----------------------------------------------------------------------------------- */

void lasso_text(struct ending *ending, GString *out)
{
    struct trace_printer printer = trace_printer_new(ending->reports->arena, &ending->run, out);
    g_string_append_printf(out, "Never ends: %s\n", hang_kind_name(ending->hang.kind));
    bool has_stem = lasso_follow_stem(ending, &printer.tracer);
    if (ending->hang.loop_length) {
        g_string_append(out, has_stem ? "and then, again and again\n" : "again and again\n");
        lasso_follow_loop(ending, &printer.tracer);
    }
    struct text_list standing = lasso_standing(ending);
    for (uint32_t i = 0; i < standing.len; i++)
        g_string_append_printf(out, "%s\n", standing.at[i]);
}

/* ---- JSON ----------------------------------------------------------------------------------- */

struct json_tracer {
    struct tracer tracer;
    struct arena *arena;
    json_t *steps;
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
    struct span span = micro->inst->span;
    json_array_append_new(
        to->steps,
        json_pack("{s:o, s:i, s:o, s:o}", "thread",
                  json_text(run_lane_name(to->arena, run->machine, lane)), "line",
                  (int)source_place(source, span.offset).line, "text",
                  json_text(arena_strndup(to->arena, source->text + span.offset, span.length)),
                  "access", json_access(access)));
}

json_t *lasso_json(struct ending *ending)
{
    const struct hang *hang = &ending->hang;
    struct json_tracer stem = {{add_step}, ending->reports->arena, json_array()}, loop = stem;
    loop.steps = json_array();
    lasso_follow_stem(ending, &stem.tracer);
    lasso_follow_loop(ending, &loop.tracer);
    json_t *standing = json_array();
    for (uint32_t i = 0; i < ending->graph->threads; i++)
        if (hang->standing >> i & 1)
            json_array_append_new(standing, json_pack("{s:o, s:o}", "thread",
                                                      json_text(thread_name(ending, i)), "why",
                                                      json_text(why_standing(ending, i))));
    return json_pack("{s:s, s:o, s:o, s:o}", "kind", hang_kind_name(hang->kind), "stem", stem.steps,
                     "loop", loop.steps, "standing", standing);
}
