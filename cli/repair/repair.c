/* SPDX-License-Identifier: MIT */
#include "cli/repair/repair.h"

#include <math.h>

#include "cli/repair/proposal.h"

/* Of the time that a test has, so much is for the search; the rest is for what is said of its results. */
#define SEARCH_SHARE 0.7
/* How long barriers are tried that other barriers may undo, in seconds. */
#define SHY_SECONDS 5.0

static enum minimal_answer ask(void *context, const uint8_t *choice)
{
    struct repair *repair = context;
    struct variant variant;
    enum minimal_answer answer = MINIMAL_OPEN;
    if (variant_new(&variant, repair->job, &repair->places, choice))
        answer = repair->weakens ? keep_ask(&repair->keep, &variant.job, false)
                                 : goal_ask(repair->goal, &variant.job);
    variant_free(&variant);
    return answer;
}

static bool accept(void *context, const struct minimal_set *set)
{
    struct repair *repair = context;
    struct repair_proposal proposal;
    if (!proposal_judge(repair, set, &proposal))
        return false;
    if (repair->weakens && !proposal.changes.len)
        return true;
    vec_push(repair->job->arena, &repair->proposals, proposal);
    return true;
}

static bool go_on(void *context)
{
    const struct repair *repair = context;
    return job_clock() < repair->until;
}

static const char *why_none(const struct repair *repair)
{
    const struct minimal_result *found = &repair->found;
    struct arena *arena = repair->job->arena;
    const char *words = NULL;
    if (!found->open)
        words = proposal_none(repair, found->strongest);
    if (words)
        return words;
    if (!found->possible)
        return "it stays with every access, fence and barrier at its strongest";
    if (found->open)
        return "the search stopped before it knew: '--timeout' gives it more time";
    if (found->larger)
        return arena_printf(arena, "more than %u edits would be needed: '--edits' allows more",
                            repair->limit);
    return "what would suffice brings a hang or undefined behaviour";
}

/* Of options[choice] at every place. */
static uint32_t cost_of(const struct minimal_question *question, const uint8_t *choice)
{
    uint32_t cost = 0;
    for (uint32_t i = 0; i < question->place_count; i++)
        cost += question->places[i].cost[choice ? choice[i] : question->places[i].count - 1];
    return cost;
}

static const char *why_no_weaker(const struct repair *repair)
{
    return repair->found.open ? "the search stopped before it knew: '--timeout' gives it more time"
                              : "it is tight: each weaker form loses what is expected";
}

static bool any_shy(const struct minimal_question *question)
{
    for (uint32_t i = 0; i < question->place_count; i++)
        if (question->places[i].shy)
            return true;
    return false;
}

/* A search that takes into account that one barrier may undo another finds more, but takes long where there are
 * many: what it has not found in time is looked for without. */
static void find(struct repair *repair, struct minimal_question *question)
{
    double timeout = repair->job->settings->timeout, now = job_clock();
    double end = timeout > 0 ? repair->job->started + SEARCH_SHARE * timeout : INFINITY;
    bool shy = any_shy(question);
    repair->until = shy ? MIN(end, now + SHY_SECONDS) : end;
    repair->found = minimal_find(repair->job->arena, question);
    if (!shy || repair->proposals.len || !repair->found.open)
        return;
    struct minimal_place *places =
        ARENA_ARRAY(repair->job->arena, struct minimal_place, question->place_count);
    for (uint32_t i = 0; i < question->place_count; i++) {
        places[i] = question->places[i];
        places[i].shy = false;
    }
    question->places = places;
    repair->until = end;
    repair->found = minimal_find(repair->job->arena, question);
}

static void search(struct repair *repair, const struct repair_wish *wish)
{
    struct minimal_question question = {
        .places = costs_places(repair->job->arena, repair->costs, &repair->places),
        .place_count = repair->places.items.len,
        .most_edits = repair->limit,
        .most_sets = wish->most,
        .ask = ask,
        .accept = accept,
        .go_on = go_on,
        .context = repair};
    repair->cost_before = cost_of(&question, NULL);
    find(repair, &question);
    repair->none = repair->proposals.len ? NULL
                   : repair->weakens     ? why_no_weaker(repair)
                                         : why_none(repair);
    repair->verdict = repair->proposals.len                          ? VERDICT_HOLDS
                      : repair->found.open && repair->found.possible ? VERDICT_UNDECIDED
                                                                     : VERDICT_FAILS;
}

static bool begin(struct repair *repair, struct job *job, const struct answer *before,
                  const char *costs)
{
    const struct test *test = job->test;
    *repair = (struct repair){.job = job, .before = before};
    if (test->language == LANGUAGE_CPP || g_str_has_suffix(job->path, ".cu")) {
        diag_add(&job->diags, DIAG_repair_unsupported, test->source, (struct span){0, 0},
                 "edited is PTX, that of a test or of a .ptx file", "code in C++ cannot be edited");
        return false;
    }
    repair->costs = costs_read(job->arena, costs, &job->diags);
    return repair->costs;
}

bool repair_find(struct repair *repair, struct job *job, const struct answer *before,
                 const struct repair_wish *wish)
{
    if (!begin(repair, job, before, wish->costs))
        return false;
    if (!goal_parse(wish->goal, &repair->goal)) {
        diag_add(&job->diags, DIAG_option_value, NULL, (struct span){0}, NULL,
                 "'--goal' is %s, not '%s'", goal_words(), wish->goal);
        return false;
    }
    repair->limit = wish->size;
    repair->places = edit_places_stronger(job->arena, job->test);
    struct edit_places fewer = {0};
    if (repair->goal == GOAL_HANG)
        fewer = edit_places_fewer(job->arena, job->test);
    for (uint32_t i = 0; i < fewer.items.len; i++)
        vec_push(job->arena, &repair->places.items, fewer.items.at[i]);
    search(repair, wish);
    return true;
}

bool repair_weaken(struct repair *repair, struct job *job, const struct answer *before,
                   const struct repair_wish *wish)
{
    if (!begin(repair, job, before, wish->costs))
        return false;
    repair->weakens = true;
    repair->keep = (struct keep){before, wish->keep};
    if (keep_ask(&repair->keep, job, true) != MINIMAL_ENOUGH) {
        repair->verdict = VERDICT_FAILS;
        repair->none = "what is to be kept is not so now, or is not known";
        return true;
    }
    repair->places = edit_places_weaker(job->arena, job->test);
    repair->limit = repair->places.items.len;
    search(repair, wish);
    return true;
}
