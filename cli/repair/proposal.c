/* SPDX-License-Identifier: MIT */
#include "cli/repair/proposal.h"

#include <string.h>

#include "cli/answer/names.h"
#include "cli/answer/why/explanation.h"
#include "cli/answer/why/manual.h"
#include "cli/repair/compile.h"
#include "cli/repair/plain.h"
#include "cli/repair/schedules.h"
#include "litmus/base/text.h"
#include "litmus/edit/strength.h"
#include "litmus/test/code_line.h"

/* ---- the edits in words --------------------------------------------------------------------- */

static const char *instruction(struct arena *arena, const struct test *test,
                               const struct edit *edit)
{
    struct span all = edit->inst->span, words = strength_span(test, edit->inst);
    uint32_t behind = words.offset + words.length;
    const char *text = test->source->text;
    switch (edit->kind) {
    case EDIT_CHANGE:
        return arena_printf(arena, "%.*s%s%.*s", (int)(words.offset - all.offset),
                            text + all.offset, edit->words, (int)(all.offset + all.length - behind),
                            text + behind);
    case EDIT_REMOVE:
        return "";
    case EDIT_BEFORE:
    case EDIT_AFTER:
        return edit->words;
    }
    return "";
}

static void name_changes(const struct repair *repair, const struct variant *variant,
                         struct repair_proposal *proposal)
{
    struct arena *arena = repair->job->arena;
    const struct test *test = repair->job->test;
    for (uint32_t i = 0; i < variant->count; i++) {
        const struct edit *edit = &variant->edits[i];
        struct span span = edit->inst->span;
        bool stands = edit->kind == EDIT_CHANGE || edit->kind == EDIT_REMOVE;
        const struct rewording *rewrite = edit->rewording;
        bool of_file = rewrite && rewrite->source == variant->edited.before;
        if (variant->edited.module && !of_file)
            continue;
        if (rewrite) {
            struct change words = {rewrite->line, edit->body->name, rewrite->before,
                                   rewrite->after};
            vec_push(arena, &proposal->changes, words);
            continue;
        }
        struct change change = {
            .line = source_place(test->source, span.offset).line,
            .thread = edit->body->name,
            .before =
                stands ? arena_strndup(arena, test->source->text + span.offset, span.length) : "",
            .after = arena_strdup(arena, instruction(arena, test, edit))};
        vec_push(arena, &proposal->changes, change);
    }
}

/* ---- what the readings say ------------------------------------------------------------------ */

static bool hangs(const struct answer *answer)
{
    return answer->found->can_hang || answer->hang.name;
}

static bool has_race(const struct answer *answer)
{
    for (uint32_t i = 0; i < answer->found->race_count; i++)
        if (answer_is_race(&answer->found->races[i]))
            return true;
    return false;
}

/* What the edited test may do that the test did not: words for it, or NULL. */
static const char *harm(const struct repair *repair, const struct answer *after)
{
    const struct answer *before = repair->before;
    bool ended = before->found->outcomes.items.len > 0;
    if (hangs(after) && !hangs(before))
        return "a hang";
    if (after->undefined.len > before->undefined.len)
        return arena_printf(repair->job->arena, "undefined behaviour (%s)",
                            after->undefined.at[after->undefined.len - 1]);
    return ended && !after->found->outcomes.items.len ? "that no execution ends" : NULL;
}

/* A test with loops could come to go round for ever. */
static bool stops_ending(const struct repair *repair, const struct variant *variant)
{
    bool loops = false;
    for (uint32_t i = 0; i < variant->job.graph_count; i++)
        loops |= variant->job.graphs[i]->spin_count > 0;
    return loops && repair->goal != GOAL_HANG &&
           goal_ask(GOAL_HANG, &variant->job) == MINIMAL_SHORT &&
           goal_ask(GOAL_HANG, repair->job) != MINIMAL_SHORT;
}

/* "line 4 'bar.sync 0' left out, line 6 'x' for 'y' */
static const char *changes_words(struct arena *arena, const struct repair_proposal *proposal)
{
    struct text *text = text_open(arena);
    for (uint32_t i = 0; i < proposal->changes.len; i++) {
        const struct change *change = &proposal->changes.at[i];
        g_string_append_printf(text->out, "%sline %u ", i ? ", " : "", change->line);
        if (!*change->after)
            g_string_append_printf(text->out, "without '%s'", change->before);
        else if (!*change->before)
            g_string_append_printf(text->out, "with '%s'", change->after);
        else
            g_string_append_printf(text->out, "'%s' for '%s'", change->after, change->before);
    }
    return text_close(text, arena);
}

/* Notes the first set of edits that would suffice but for the harm that it does. */
static bool does_harm(struct repair *repair, const struct variant *variant,
                      const struct answer *after, struct repair_proposal *proposal)
{
    const char *words = harm(repair, after);
    if (!words && stops_ending(repair, variant))
        words = "a loop that never ends";
    if (words && !repair->harm) {
        name_changes(repair, variant, proposal);
        repair->harm = arena_printf(repair->job->arena, "what would suffice brings %s: %s", words,
                                    changes_words(repair->job->arena, proposal));
    }
    return words;
}

/* ---- why ------------------------------------------------------------------------------------ */

static bool is_told(const struct job *job, const struct step *step)
{
    static const char *const told[] = {"synchronizes", "alias_fence", "leave",        "enter",
                                       "sw",           "barrier",     "fences_before"};
    const char *name = explanation_relation(job, step->node);
    for (size_t i = 0; i < G_N_ELEMENTS(told); i++)
        if (strcmp(name, told[i]) == 0)
            return true;
    return false;
}

/* "ld.acquire.gpu r0, flag (:5)" */
static const char *event_words(struct arena *arena, const struct execution *execution, event_id id)
{
    const struct event *event = &execution->graph->events[id];
    uint32_t line = source_place(execution->graph->test->source, event->span.offset).line;
    if (event->kind == EVENT_INIT)
        return name_event(arena, execution, id);
    bool placed =
        test_code_line(execution->graph->test, event->span.offset); /* its text says where */
    return placed ? event->text : arena_printf(arena, "%s (:%u)", event->text, line);
}

static void add_steps(const struct explanation *example, struct arena *arena, struct text_list *why)
{
    struct step_list steps = explanation_steps(example);
    for (uint32_t i = 0; i < steps.items.len; i++) {
        const struct step *step = &steps.items.at[i];
        if (step->from == step->to || !is_told(example->job, step))
            continue;
        const char *relation = explanation_relation(example->job, step->node);
        const char *section = manual_section(arena, example->job->model, relation);
        const char *words = arena_printf(arena, "%s: %s, then %s%s%s%s", relation,
                                         event_words(arena, example->execution, step->from),
                                         event_words(arena, example->execution, step->to),
                                         *section ? " (" : "", section, *section ? ")" : "");
        bool told = false;
        for (uint32_t k = 0; k < why->len; k++)
            told |= strcmp(why->at[k], words) == 0;
        if (!told)
            vec_push(arena, why, words);
    }
}

/* The axioms that forbid the outcome now, and what synchronizes in the executions that break only one of them. */
static void find_why(const struct repair *repair, struct job *job, const struct answer *answer,
                     struct repair_proposal *proposal)
{
    struct arena *arena = repair->job->arena;
    bool negate;
    if (repair->goal != GOAL_OUTCOME || !answer_unreachable(answer, &negate))
        return;
    struct explanation explanation = explanation_new(job, answer);
    if (explanation.kind != EXPLANATION_FORBIDDEN)
        return;
    const struct reason *reason = explanation.reason;
    for (uint32_t i = 0; i < reason->axiom_count; i++)
        vec_push(arena, &proposal->axioms,
                 arena_strdup(arena, job->model->axioms[reason->axioms[i]].name));
    for (uint32_t i = 0; i < reason->example_count; i++) {
        struct explanation example = explanation_of_example(&explanation, i);
        add_steps(&example, arena, &proposal->why);
    }
}

/* ---- the proposal --------------------------------------------------------------------------- */

static bool is_known(const struct repair *repair, const char *diff)
{
    for (uint32_t i = 0; i < repair->proposals.len; i++)
        if (strcmp(repair->proposals.at[i].diff, diff) == 0)
            return true;
    return false;
}

/* The readings besides the axioms. */
static bool others_agree(struct repair *repair, const struct variant *variant,
                         const struct answer *answer, struct repair_proposal *proposal)
{
    repair->contradicted = NULL;
    if (!schedules_agree(repair, variant, answer, &proposal->executor))
        repair->contradicted = "the executor";
    else if (!plain_agrees(repair, variant, answer, &proposal->plain))
        repair->contradicted = "brute force";
    return !repair->contradicted;
}

static bool judge_variant(struct repair *repair, struct variant *variant,
                          struct repair_proposal *proposal)
{
    struct arena *arena = repair->job->arena;
    const struct source *after = variant->edited.after;
    proposal->diff = edit_diff(arena, variant->edited.before, after);
    proposal->repeats = is_known(repair, proposal->diff);
    if (proposal->repeats)
        return false;
    struct answer answer = answer_new(&variant->job, 0);
    bool good = (repair->weakens ? keep_ask(&repair->keep, &variant->job, true)
                                 : goal_of(repair->goal, &answer)) == MINIMAL_ENOUGH;
    if (!good || does_harm(repair, variant, &answer, proposal))
        return false;
    if (!others_agree(repair, variant, &answer, proposal))
        return false;
    proposal->plain = arena_strdup(arena, proposal->plain);
    proposal->executor = arena_strdup(arena, proposal->executor);
    proposal->verdict = answer.verdict;
    proposal->observation = answer.observation;
    proposal->races = has_race(&answer) && !has_race(repair->before);
    if (variant->edited.module && !compile_judge(repair, variant, proposal))
        return false;
    proposal->source = source_new(arena, arena_strdup(arena, after->name),
                                  arena_strndup(arena, after->text, after->length), after->length);
    name_changes(repair, variant, proposal);
    find_why(repair, &variant->job, &answer, proposal);
    return true;
}

bool proposal_judge(struct repair *repair, const uint8_t *choice, int64_t cost,
                    struct repair_proposal *proposal)
{
    struct variant variant;
    *proposal = (struct repair_proposal){.cost = cost};
    bool good = variant_new(&variant, repair->job, &repair->places, choice) &&
                judge_variant(repair, &variant, proposal);
    variant_free(&variant);
    return good;
}

bool proposal_judge_compiled(struct repair *repair, struct variant *variant,
                             struct repair_proposal *proposal)
{
    bool good = judge_variant(repair, variant, proposal);
    proposal->compiled = "is compiled by nvcc, and that is what the readings judged";
    return good;
}

/* ---- none ----------------------------------------------------------------------------------- */

static const char *in_words(struct arena *arena, const struct explanation *explanation)
{
    GString *out = g_string_new(NULL);
    const struct execution *execution = explanation->execution;
    const struct allowed *allowed = &explanation->allowed;
    for (uint32_t i = 0; i < allowed->order.len; i++) {
        const struct event *event = &execution->graph->events[allowed->order.at[i]];
        if (event_is_memory(event) && event->thread != NONE)
            g_string_append_printf(out, "%s%s %s", out->len ? ", " : "",
                                   execution->graph->threads[event->thread].name, event->text);
    }
    const char *words = arena_strdup(arena, out->str);
    g_string_free(out, TRUE);
    return words;
}

const char *proposal_none(const struct repair *repair, const uint8_t *strongest)
{
    struct arena *arena = repair->job->arena;
    struct variant variant;
    const char *words = NULL;
    if (repair->goal == GOAL_OUTCOME &&
        variant_new(&variant, repair->job, &repair->places, strongest)) {
        struct answer answer = answer_new(&variant.job, ANSWER_WITNESSES);
        struct explanation explanation = explanation_new(&variant.job, &answer);
        bool shown = explanation.kind == EXPLANATION_ALLOWED && explanation.execution;
        if (shown && explanation.allowed.kind == ALLOWED_IN_TURN)
            words = arena_printf(arena,
                                 "one access after another gives it, whatever fences stand between "
                                 "them: %s",
                                 in_words(arena, &explanation));
        variant_free(&variant);
    }
    return words;
}
