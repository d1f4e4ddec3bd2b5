/* SPDX-License-Identifier: MIT
 *
 * ptxlit compare: what the axioms allow beside what the executor reaches and a GPU showed. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "cli/work/batch.h"
#include "cli/command/commands.h"
#include "cli/answer/cause.h"
#include "cli/show/json.h"
#include "litmus/test/code_line.h"

/* What compare counts over a folder: indexes of result.counts. */
enum {
    COUNT_ALLOWED,
    COUNT_REACHED,
    COUNT_UNSOUND,
    COUNT_COMPARED,
    COUNT_OPEN,
    COUNT_OUTSIDE,
    COUNT_HANGS,
    COUNT_MISUSED,  /* host programs: by both readings */
    COUNT_DISPUTED, /* by one of them */
    COUNT_HANGS_DISPUTED,
    COUNT_CAUSES, /* from here on: states that are not reached, by cause */
    COUNTS = COUNT_CAUSES + CAUSE_COUNT
};
G_STATIC_ASSERT((int)COUNTS <= (int)RESULT_MICROSECONDS);

/* ---- text ----------------------------------------------------------------------------------- */

/* A line a state, after 'word' or, of those that are open ('beyond' is not NULL), how they are. */
static void print_states(const struct comparison *c, const struct outcome_set *set,
                         const char *word, const struct beyond *beyond, GString *out)
{
    struct arena *arena = c->job->arena;
    for (uint32_t i = 0; i < set->items.len; i++) {
        const uint64_t *values = set->items.at[i].values;
        g_string_append_printf(out, "%s %s\n", beyond ? beyond_word(beyond, arena, values) : word,
                               outcome_print(arena, c->job->test, values));
    }
}

static void print_beyond(const struct comparison *c, const struct beyond *beyond, const char *word,
                         GString *out)
{
    print_states(c, &beyond->forbidden, word, NULL, out);
    print_states(c, &beyond->open, NULL, beyond, out);
}

/* Counted only where there are some. */
static void print_open_count(const struct beyond *beyond, GString *out)
{
    if (beyond->open.items.len)
        g_string_append_printf(out, " Unspecified %u", beyond->open.items.len);
    g_string_append_c(out, '\n');
}

/* A schedule that reaches what is forbidden. */
static void print_trace(struct comparison *c, GString *out)
{
    static const char *const words[] = {[MOVE_STEP] = "performs",
                                        [MOVE_ISSUE] = "issues",
                                        [MOVE_RETURN] = "gets the value of",
                                        [MOVE_COPY] = "copies by"};
    struct explore_options options =
        comparison_exploration(c->job, c->unsound.forbidden.items.at[0].values);
    struct explore_result result;
    const struct source *source = c->job->test->source;
    explore(c->job->arena, c->machine, c->memory, &options, &c->reports, &result);
    for (uint32_t i = 0; i < result.path_length; i++) {
        const struct explore_step *step = &result.path[i];
        struct span span = step->micro->inst ? step->micro->inst->span : (struct span){0, 0};
        g_string_append_printf(out, "  lane %u %s '%.*s' (%s)\n", step->move.lane,
                               words[step->move.kind], (int)span.length, source->text + span.offset,
                               test_line_words(c->job->arena, c->job->test, span.offset));
    }
}

static void print_names(const char *word, const struct text_list *names, GString *out)
{
    g_string_append(out, word);
    for (uint32_t i = 0; i < names->len; i++)
        g_string_append_printf(out, " %s", names->at[i]);
    g_string_append(out, names->len ? "" : " none");
}

static bool is_misused(const struct comparison *c)
{
    return c->job->test->host && (c->misuse.len || c->answer.undefined.len);
}

static bool hangs(const struct comparison *c)
{
    return strcmp(c->executor_hangs, "no") != 0 || strcmp(c->axioms_hang, "no") != 0;
}

static void print_limits(const struct comparison *c, GString *out)
{
    if (c->outside)
        g_string_append_printf(out, "Outside %s\n", c->outside);
    if (hangs(c))
        g_string_append_printf(out, "Hangs executor %s axioms %s%s\n", c->executor_hangs,
                               c->axioms_hang, comparison_hangs_differ(c) ? " (disagree)" : "");
    if (is_misused(c)) {
        print_names("Misuse executor", &c->misuse, out);
        print_names(" axioms", &c->answer.undefined, out);
        g_string_append_c(out, '\n');
    }
    if (!c->reached.finished)
        g_string_append_printf(out, "Unfinished executor: %s\n", c->reached.limit);
    if (!c->answer.found->complete || c->answer.found->bound_reached)
        g_string_append(out, "Unfinished axioms\n");
    for (uint32_t i = 0; i < c->reports.items.len; i++)
        if (report_severity(c->reports.items.at[i].id) >= REPORT_undefined)
            g_string_append_printf(out, "Report %s: %s\n", report_name(c->reports.items.at[i].id),
                                   c->reports.items.at[i].text);
}

static void print_hardware(const struct comparison *c, GString *out)
{
    g_string_append_printf(out, "Hardware runs %" PRIu64 " Seen %u Not-allowed %u", c->seen.runs,
                           c->seen.states.items.len, c->not_allowed.forbidden.items.len);
    print_open_count(&c->not_allowed, out);
    print_beyond(c, &c->not_allowed, "Not-allowed", out);
}

static void print_text(struct comparison *c, GString *out)
{
    uint32_t allowed = c->answer.found->outcomes.items.len;
    g_string_append_printf(out, "Test %s Compare\nAllowed %u Reached %u Unsound %u Not-reached %u",
                           c->job->test->name, allowed, c->reached.outcomes.items.len,
                           c->unsound.forbidden.items.len, c->not_reached.items.len);
    print_open_count(&c->unsound, out);
    print_beyond(c, &c->unsound, "Unsound", out);
    if (c->unsound.forbidden.items.len && !c->outside)
        print_trace(c, out);
    print_states(c, &c->not_reached, "Not-reached", NULL, out);
    if (c->not_reached.items.len)
        g_string_append_printf(out, "Cause %s\n", cause_words(cause_find(c)));
    if (c->seen.runs)
        print_hardware(c, out);
    print_limits(c, out);
    g_string_append_c(out, '\n');
}

/* ---- JSON ----------------------------------------------------------------------------------- */

static json_t *states_json(const struct comparison *c, const struct outcome_set *set)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < set->items.len; i++)
        json_array_append_new(array,
                              json_state(c->job->arena, c->job->test, set->items.at[i].values));
    return array;
}

static json_t *open_json(const struct comparison *c, const struct beyond *beyond)
{
    json_t *states = states_json(c, &beyond->open), *array = json_array();
    for (uint32_t i = 0; i < beyond->open.items.len; i++) {
        const char *name =
            unspecified_state(&beyond->others, beyond->open.items.at[i].values)->name;
        json_array_append_new(array, json_pack("{s:o, s:O}", "reading", json_text(name), "state",
                                               json_array_get(states, i)));
    }
    json_decref(states);
    return array;
}

static json_t *reports_json(const struct comparison *c)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < c->reports.items.len; i++)
        if (report_severity(c->reports.items.at[i].id) >= REPORT_undefined)
            json_array_append_new(array, json_text(report_name(c->reports.items.at[i].id)));
    return array;
}

static json_t *hardware_json(const struct comparison *c)
{
    if (!c->seen.runs)
        return json_null();
    return json_pack("{s:I, s:o, s:o, s:o}", "runs", (json_int_t)c->seen.runs, "seen",
                     states_json(c, &c->seen.states), "not_allowed",
                     states_json(c, &c->not_allowed.forbidden), "unspecified",
                     open_json(c, &c->not_allowed));
}

static void print_json(const struct options *options, const struct comparison *c, GString *out)
{
    json_line(json_pack("{s:o, s:o, s:o, s:i, s:i, s:i, s:o, s:o, s:o, s:b, s:b, s:{s:s, s:s}, "
                        "s:o, s:o, s:{s:o, "
                        "s:o}, s:{s:b, s:b}, s:o, s:I, s:o, s:s?}",
                        "file", json_text(c->job->path), "test", json_text(c->job->test->name),
                        "model", json_text(c->job->settings->model), "allowed",
                        c->answer.found->outcomes.items.len, "reached",
                        c->reached.outcomes.items.len, "unsound", c->unsound.forbidden.items.len,
                        "unsound_states", states_json(c, &c->unsound.forbidden), "not_reached",
                        states_json(c, &c->not_reached), "hardware", hardware_json(c), "complete",
                        comparison_complete(c), "hangs", hangs(c), "hang", "executor",
                        c->executor_hangs, "axioms", c->axioms_hang, "reports", reports_json(c),
                        "unspecified", open_json(c, &c->unsound), "misuse", "executor",
                        json_words(&c->misuse), "axioms", json_words(&c->answer.undefined),
                        "disagree", "hangs", comparison_hangs_differ(c), "misuse",
                        comparison_misuse_differs(c), "outside", json_text(c->outside), "explored",
                        (json_int_t)c->reached.states, "milliseconds",
                        json_milliseconds(options, job_milliseconds(c->job)), "cause",
                        c->not_reached.items.len ? cause_words(cause_find(c)) : NULL),
              out);
}

/* ---- the command ---------------------------------------------------------------------------- */

static void count(const struct comparison *c, uint32_t counts[RESULT_COUNTS])
{
    counts[COUNT_DISPUTED] = comparison_misuse_differs(c);
    counts[COUNT_MISUSED] = is_misused(c) && !counts[COUNT_DISPUTED];
    counts[COUNT_HANGS] = hangs(c);
    counts[COUNT_HANGS_DISPUTED] = comparison_hangs_differ(c);
    if (c->outside) {
        counts[COUNT_OUTSIDE] = 1;
        return;
    }
    counts[COUNT_UNSOUND] = c->unsound.forbidden.items.len;
    counts[comparison_complete(c) ? COUNT_COMPARED : COUNT_OPEN] = 1;
    if (!comparison_complete(c))
        return;
    counts[COUNT_ALLOWED] = c->answer.found->outcomes.items.len;
    counts[COUNT_REACHED] = counts[COUNT_ALLOWED] - c->not_reached.items.len;
    if (c->not_reached.items.len)
        counts[COUNT_CAUSES + cause_find(c)] = c->not_reached.items.len;
}

/* What a GPU showed the axioms judge, whether the executor takes the test or not. */
static bool hardware_differs(const struct comparison *c)
{
    bool judged = c->memory ? !c->outside : !comparison_excluded(&c->answer);
    return judged && c->not_allowed.forbidden.items.len;
}

static enum verdict compare_one(struct batch_job *one)
{
    struct comparison c;
    struct answer answer = batch_answer(one, 0);
    if (!comparison_new(&c, &one->job, &answer))
        return batch_fail(one);
    count(&c, one->result->counts);
    if (one->options->json)
        print_json(one->options, &c, one->result->out);
    else
        print_text(&c, one->result->out);
    if (c.answer.verdict == VERDICT_ERROR)
        return VERDICT_ERROR;
    if ((c.unsound.forbidden.items.len && !c.outside) || hardware_differs(&c) ||
        comparison_misuse_differs(&c) || comparison_hangs_differ(&c))
        return VERDICT_FAILS;
    bool open = c.unsound.open.items.len || c.not_allowed.open.items.len;
    return (comparison_complete(&c) && !open) || c.outside ? VERDICT_HOLDS : VERDICT_UNDECIDED;
}

static void summary(const struct options *options, const struct tally *all,
                    const struct tally *families, uint32_t family_count)
{
    (void)options, (void)families, (void)family_count;
    const uint64_t *counts = all->counts;
    uint64_t allowed = counts[COUNT_ALLOWED], reached = counts[COUNT_REACHED];
    fprintf(stderr,
            "%u tests: unsound %" PRIu64 ", reached %" PRIu64 " of %" PRIu64
            " allowed outcomes (%.2f %%) of %" PRIu64 " tests; %" PRIu64 " unfinished, %" PRIu64
            " undefined or outside the model (misuse of the CUDA API: %" PRIu64
            " in both readings, %" PRIu64 " in one), %" PRIu64
            " can hang (in disagreement: %" PRIu64 "), %u in error\n",
            all->tests, counts[COUNT_UNSOUND], reached, allowed,
            allowed ? 100.0 * (double)reached / (double)allowed : 100.0, counts[COUNT_COMPARED],
            counts[COUNT_OPEN], counts[COUNT_OUTSIDE], counts[COUNT_MISUSED],
            counts[COUNT_DISPUTED], counts[COUNT_HANGS], counts[COUNT_HANGS_DISPUTED],
            all->verdicts[VERDICT_ERROR]);
    for (uint32_t i = 0; i < CAUSE_COUNT; i++)
        if (counts[COUNT_CAUSES + i])
            fprintf(stderr, "not reached %" PRIu64 ": %s\n", counts[COUNT_CAUSES + i],
                    cause_words((enum cause)i));
}

int command_compare(const struct options *options)
{
    return batch_run(&(struct batch){
        .options = options, .unfolded = true, .work = compare_one, .summary = summary});
}
