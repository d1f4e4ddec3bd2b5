/* SPDX-License-Identifier: MIT */
#include "cli/repair/show.h"

#include <inttypes.h>
#include <string.h>

#include "cli/answer/why/explanation.h"
#include "cli/repair/patch.h"
#include "cli/show/json.h"
#include "litmus/base/file.h"

/* ---- for people ----------------------------------------------------------------------------- */

/* Why nothing forbids it now. */
static void print_before(const struct repair *repair, GString *out)
{
    const struct answer *before = repair->before;
    g_string_append_printf(out, "Test %s (%s): %s, %s\n", repair->job->test->name,
                           repair->job->settings->model, job_question(repair->job),
                           before->observation);
    if (repair->goal != GOAL_OUTCOME || repair->weakens || repair->none)
        return;
    struct explanation explanation = explanation_new(repair->job, before);
    if (explanation.kind == EXPLANATION_ALLOWED && explanation.execution)
        allowed_text(repair->job, explanation.execution, &explanation.allowed, out);
}

static void print_words(const char *lead, const struct text_list *words, const char *between,
                        GString *out)
{
    if (!words->len)
        return;
    g_string_append(out, lead);
    for (uint32_t i = 0; i < words->len; i++)
        g_string_append_printf(out, "%s%s", i ? between : "", words->at[i]);
    g_string_append_c(out, '\n');
}

static void print_verdict(const struct repair *repair, const struct repair_proposal *proposal,
                          GString *out)
{
    if (repair->goal == GOAL_OUTCOME)
        g_string_append_printf(out, "  Before %s, after %s\n", repair->before->observation,
                               proposal->observation);
    else
        g_string_append_printf(out, "  Not possible any more: %s\n", goal_name(repair->goal));
    if (proposal->races)
        g_string_append_printf(out, "  A data race comes with it%s\n",
                               repair->weakens ? ": '--keep race-free' leaves it out" : "");
}

static void print_proposal(const struct repair *repair, uint32_t number, GString *out)
{
    const struct repair_proposal *proposal = &repair->proposals.at[number];
    uint32_t count = proposal->changes.len;
    if (!count) {
        g_string_append_printf(out, "Nothing to mend: %s is not reached\n",
                               goal_name(repair->goal));
        return;
    }
    g_string_append_printf(out, "Proposal %u: %u edit%s, cost %" PRId64, number + 1, count,
                           count == 1 ? "" : "s", proposal->cost);
    g_string_append_printf(out, repair->weakens ? " instead of %u\n" : "\n", repair->cost_before);
    g_string_append_printf(out, "--- %s\n+++ %s\n%s", proposal->source->name,
                           proposal->source->name, proposal->diff);
    print_verdict(repair, proposal, out);
    print_words("  Forbidden by ", &proposal->axioms, ", ", out);
    print_words("  because ", &proposal->why, "\n          ", out);
    g_string_append_printf(out, "  The executor %s\n", proposal->executor);
    g_string_append_printf(out, "  Brute force %s\n", proposal->plain);
    if (proposal->compiled)
        g_string_append_printf(out, "  The edit %s\n", proposal->compiled);
}

static void print_end(const struct repair *repair, GString *out)
{
    const struct minimal_result *found = &repair->found;
    if (repair->patch.file)
        g_string_append_printf(out, "%s\n",
                               patch_words(repair->job->arena, repair, &repair->patch));
    if (repair->none) {
        g_string_append_printf(out, "No proposal: %s\n", repair->none);
        return;
    }
    if (!repair->proposals.at[0].changes.len) /* no edits: there is nothing more */
        return;
    if (found->more)
        g_string_append_printf(out, "There may be more: '--most' shows them\n");
    else if (found->open)
        g_string_append_printf(out, "There may be more: %s\n",
                               repair->busy ? repair->busy : "the search stopped before it knew");
}

static void show_text(const struct repair *repair, GString *out)
{
    print_before(repair, out);
    for (uint32_t i = 0; i < repair->proposals.len; i++)
        print_proposal(repair, i, out);
    print_end(repair, out);
    g_string_append_c(out, '\n');
}

/* ---- for programs --------------------------------------------------------------------------- */

static json_t *changes_json(const struct repair_proposal *proposal)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < proposal->changes.len; i++) {
        const struct change *change = &proposal->changes.at[i];
        json_array_append_new(list, json_pack("{s:i, s:o, s:o, s:o}", "line", (int)change->line,
                                              "thread", json_text(change->thread), "before",
                                              json_text(change->before), "after",
                                              json_text(change->after)));
    }
    return list;
}

/* NULL: the test names none. */
static json_t *patch_json(const struct repair *repair, const struct repair_proposal *proposal)
{
    const struct repair_patch *patch = &repair->patch;
    if (!patch->file)
        return NULL;
    json_t *suffices = patch->suffices == MINIMAL_OPEN
                           ? json_null()
                           : json_boolean(patch->suffices == MINIMAL_ENOUGH);
    bool same = patch->proposal == (uint32_t)(proposal - repair->proposals.at) + 1;
    return json_pack("{s:o, s:o, s:I, s:b}", "file", json_text(patch->file), "suffices", suffices,
                     "cost", (json_int_t)patch->cost, "same", same);
}

static json_t *proposal_json(const struct options *options, const struct repair *repair,
                             const struct repair_proposal *proposal)
{
    json_t *compiled = proposal->compiled ? json_text(proposal->compiled) : NULL;
    json_t *was = repair->weakens ? json_integer(repair->cost_before) : NULL;
    return json_pack(
        "{s:o, s:o, s:o, s:I, s:o*, s:s, s:s, s:s, s:b, s:o, s:o, s:o, s:s, s:s, s:o*, s:o*, s:o}",
        "file", json_text(repair->job->path), "test", json_text(repair->job->test->name), "edits",
        changes_json(proposal), "cost", (json_int_t)proposal->cost, "cost_before", was,
        "verdict_before", verdict_word(repair->before->verdict), "verdict_after",
        verdict_word(proposal->verdict), "observation", proposal->observation, "brings_race",
        proposal->races, "axioms", json_words(&proposal->axioms), "why", json_words(&proposal->why),
        "diff", json_text(proposal->diff), "executor", proposal->executor, "brute_force",
        proposal->plain, "compiled", compiled, "merged_patch", patch_json(repair, proposal),
        "milliseconds", json_milliseconds(options, job_milliseconds(repair->job)));
}

static void show_json(const struct options *options, const struct repair *repair, GString *out)
{
    for (uint32_t i = 0; i < repair->proposals.len; i++)
        json_line(proposal_json(options, repair, &repair->proposals.at[i]), out);
}

/* ---- the result ----------------------------------------------------------------------------- */

/* Writes the cheapest proposal into the file of the test. */
static bool apply(struct batch_job *one, const struct repair *repair)
{
    const struct source *source = repair->proposals.at[0].source;
    if (strcmp(source->name, "-") == 0) {
        diag_add(&one->job.diags, DIAG_option_unfit, NULL, (struct span){0}, NULL,
                 "'--apply' writes into a file, and this test is standard input");
        return false;
    }
    if (g_str_has_suffix(one->job.path, ".cu") && g_str_has_suffix(source->name, ".ptx")) {
        diag_add(&one->job.diags, DIAG_option_unfit, NULL, (struct span){0}, NULL,
                 "'--apply' writes into the .cu file, and the edits are of PTX");
        return false;
    }
    const char *fault = file_write(one->job.arena, source->name, source->text, source->length);
    if (!fault)
        return true;
    diag_add(&one->job.diags, DIAG_file_unwritable, NULL, (struct span){0}, NULL,
             "cannot write '%s': %s", source->name, fault);
    return false;
}

enum verdict show_result(struct batch_job *one, const struct repair *repair)
{
    const struct options *options = one->options;
    if (options->json)
        show_json(options, repair, one->result->out);
    else
        show_text(repair, one->result->out);
    if (options->json && repair->none)
        g_string_append_printf(one->result->err, "%s: no proposal: %s\n", one->job.path,
                               repair->none);
    if (options->apply && repair->proposals.len && !apply(one, repair))
        return VERDICT_ERROR;
    return repair->proposals.len                  ? VERDICT_HOLDS
           : repair->verdict == VERDICT_UNDECIDED ? VERDICT_UNDECIDED
                                                  : VERDICT_FAILS;
}
