/* SPDX-License-Identifier: MIT */
#include "cli/repair/repair.h"

#include <limits.h>
#include <math.h>

#include "cli/answer/ending.h"
#include "cli/repair/ask.h"
#include "cli/repair/between.h"
#include "cli/repair/narrow.h"
#include "cli/repair/patch.h"
#include "cli/repair/places.h"
#include "cli/repair/proposal.h"

/* Of the time that a test has, so much is for the search; the rest is for what is said of its results. */
#define SEARCH_SHARE 0.7

/* The work for each second of --timeout: a core of its own does it in a third of a second, so that a busy machine comes
 * to the end too. */
#define EFFORT_OF_A_SECOND 270000.0
/* The work on barriers that other barriers may undo, of half of what is left; and once there are proposals. */
enum { SHY_EFFORT = 12000000, SHY_MORE_EFFORT = 1600000 };
/* And on weaker programs that are cheaper than those found from the strongest down. */
enum { WEAKEN_EFFORT = 15000000 };

/* The time of last resort is so many times --timeout, or of this many seconds where that is less. */
enum { PATIENCE = 10, SOONEST = 60 };

struct options repair_patient(const struct options *options)
{
    struct options patient = *options;
    double timeout = options->settings.timeout;
    patient.settings.work = timeout;
    patient.settings.timeout = timeout > 0 ? PATIENCE * MAX(timeout, SOONEST) : 0;
    return patient;
}

/* All the work that --timeout stands for; UINT64_MAX: no limit. */
static uint64_t work_of(const struct settings *settings)
{
    return settings->work > 0 ? (uint64_t)(EFFORT_OF_A_SECOND * settings->work) : UINT64_MAX;
}

static void allow(struct job *job, uint64_t work)
{
    job->effort = work < UINT_MAX ? MAX((unsigned)work, 1) : 0;
}

void repair_limit_effort(struct job *job)
{
    allow(job, work_of(job->settings));
}

/* Of the work that the search may do. */
static uint64_t left(const struct repair *repair)
{
    return *repair->made < repair->most ? repair->most - *repair->made : 0;
}

static enum minimal_answer ask(void *context, const uint8_t *choice)
{
    struct repair *repair = context;
    allow(repair->job, left(repair));
    return repair_ask(repair, choice);
}

/* The cheapest first, and of equal ones the one that was found first. */
static void add_proposal(struct repair *repair, const struct repair_proposal *proposal)
{
    vec_push(repair->job->arena, &repair->proposals, *proposal);
    struct repair_proposal *at = repair->proposals.at;
    for (uint32_t i = repair->proposals.len - 1; i && at[i - 1].cost > at[i].cost; i--) {
        struct repair_proposal later = at[i - 1];
        at[i - 1] = at[i];
        at[i] = later;
    }
}

static enum minimal_use accept(void *context, const struct minimal_set *set)
{
    struct repair *repair = context;
    struct repair_proposal proposal;
    int64_t kept = repair->weakens ? repair->cost_least : 0;
    repair_limit_effort(repair->job);
    if (!proposal_judge(repair, set->choice, kept + set->cost, &proposal))
        return proposal.repeats ? MINIMAL_REPEATED : MINIMAL_REFUSED;
    if (repair->weakens && !proposal.changes.len)
        return MINIMAL_TAKEN;
    add_proposal(repair, &proposal);
    struct narrow narrow = narrow_find(repair, set);
    if (narrow.choice && proposal_judge(repair, narrow.choice, narrow.cost, &proposal))
        add_proposal(repair, &proposal);
    return MINIMAL_TAKEN;
}

static bool go_on(void *context, bool shy)
{
    struct repair *repair = context;
    if (shy && !repair->shy_most)
        repair->shy_most = *repair->made + MIN(SHY_EFFORT, left(repair) / 2);
    if (shy && repair->proposals.len && !repair->shy_found) {
        repair->shy_found = true;
        repair->shy_most = MIN(repair->shy_most, *repair->made + SHY_MORE_EFFORT);
    }
    return left(repair) && job_clock() < repair->until &&
           (!shy || *repair->made < repair->shy_most);
}

static bool is_late(const struct repair *repair)
{
    return !left(repair) || (repair->shy_most && *repair->made >= repair->shy_most);
}

/* Has the time of last resort come? */
static const char *why_busy(const struct repair *repair)
{
    const struct settings *settings = repair->job->settings;
    return job_clock() < repair->until
               ? NULL
               : arena_printf(repair->job->arena,
                              "the search stopped after %g s, before it had done the work that "
                              "'--timeout %g' stands for: the machine is too busy",
                              SEARCH_SHARE * settings->timeout, settings->work);
}

/* Which of the two limits the search came to; NULL: neither. */
static const char *why_stopped(const struct repair *repair)
{
    if (repair->busy)
        return repair->busy;
    return is_late(repair) ? "the search stopped before it knew: '--timeout' gives it more work"
                           : NULL;
}

/* What is undecided about the test as it stands, as far as the answer says it; or NULL. */
static const char *open_before(const struct repair *repair)
{
    struct job job = *repair->job;
    job.diags = (struct diag_list){.arena = job.arena};
    if (goal_of(repair->goal, repair->before) != MINIMAL_OPEN)
        return NULL;
    if (repair->goal == GOAL_HANG)
        return ending_find(&job, ending_scheduler(&job)).open;
    return repair->before->open ? repair->before->open
           : repair->before->unspecified
               ? arena_printf(job.arena, "it depends on how '%s' is read, which '--reading' says",
                              repair->before->unspecified)
               : NULL;
}

static const char *why_open(const struct repair *repair)
{
    const char *open = open_before(repair);
    if (open)
        return arena_printf(repair->job->arena, "the test as it stands is undecided: %s", open);
    const char *stopped = why_stopped(repair);
    return stopped ? stopped
                   : "some of the edited tests are undecided, and of the others none suffices";
}

/* Do two statements of the CUDA C++ begin on one line? What nvcc says of places does not tell those apart. */
static bool shares_lines(const struct code *code)
{
    const struct statements *all = &code->statements;
    for (uint32_t i = 0; i < all->items.len; i++)
        for (uint32_t k = i + 1; k < all->items.len; k++) {
            struct span one = all->items.at[i].span, other = all->items.at[k].span;
            bool apart = one.offset + one.length <= other.offset;
            if (apart && source_place(code->source, one.offset).line ==
                             source_place(code->source, other.offset).line)
                return true;
        }
    return false;
}

static const char *why_impossible(const struct repair *repair)
{
    return repair->code && shares_lines(repair->code)
               ? "it stays with every access, fence and barrier at its strongest; nothing can be "
                 "put "
                 "between statements on one line: give each a line of its own"
               : "it stays with every access, fence and barrier at its strongest";
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
    if (repair->refused)
        return arena_printf(arena, "of what would suffice nvcc said: %s", repair->refused);
    if (!found->possible)
        return why_impossible(repair);
    if (found->open)
        return why_open(repair);
    if (found->larger)
        return arena_printf(arena, "more than %u edits would be needed: '--edits' allows more",
                            repair->limit);
    if (repair->contradicted)
        return arena_printf(arena, "of what would suffice by the axioms, %s still finds %s",
                            repair->contradicted, goal_name(repair->goal));
    if (repair->harm)
        return repair->harm;
    const char *hang = repair->goal == GOAL_HANG ? repair->before->hang.detail : NULL;
    return arena_printf(arena, "none of the sets of edits suffices%s%s", hang ? ": " : "",
                        hang ? hang : "");
}

/* Of the first option at every place, or of the last. */
static uint32_t cost_of(const struct minimal_question *question, bool last)
{
    uint32_t cost = 0;
    for (uint32_t i = 0; i < question->place_count; i++)
        cost += question->places[i].cost[last ? question->places[i].count - 1 : 0];
    return cost;
}

static const char *why_no_weaker(const struct repair *repair)
{
    const char *stopped = why_stopped(repair);
    if (!repair->found.open)
        return "it is tight: each weaker form loses what is expected";
    return stopped ? stopped : "the search stopped before it knew";
}

static bool any_shy(const struct minimal_question *question)
{
    for (uint32_t i = 0; i < question->place_count; i++)
        if (question->places[i].shy)
            return true;
    return false;
}

/* What is asked from now on is counted. */
static void limit_search(struct repair *repair)
{
    double timeout = repair->job->settings->timeout;
    repair->until = timeout > 0 ? repair->job->started + SEARCH_SHARE * timeout : INFINITY;
    repair->most = work_of(repair->job->settings);
    if (repair->weakens)
        repair->most = MIN(repair->most, *repair->made + WEAKEN_EFFORT);
}

/* A search that takes into account that one barrier may undo another finds more, but takes long where there are
 * many: where it has found nothing in time the search is made once more without. */
static void find(struct repair *repair, struct minimal_question *question)
{
    bool shy = any_shy(question);
    limit_search(repair);
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
    repair->found = minimal_find(repair->job->arena, question);
    repair->found.open = repair->found.possible = true; /* the first search did not end */
}

static void search(struct repair *repair, const struct repair_wish *wish)
{
    repair->prices = costs_places(repair->job->arena, repair->costs, &repair->places);
    struct minimal_question question = {.places = repair->prices,
                                        .place_count = repair->places.items.len,
                                        .most_edits = repair->limit,
                                        .most_sets = wish->most,
                                        .ask = ask,
                                        .accept = accept,
                                        .go_on = go_on,
                                        .context = repair,
                                        .descends = repair->weakens};
    repair->cost_before = cost_of(&question, true);
    repair->cost_least = cost_of(&question, false);
    find(repair, &question);
    repair->busy = why_busy(repair);
    if (repair->proposals.len > wish->most) {
        repair->proposals.len = wish->most;
        repair->found.more = true;
    }
    repair->none = repair->proposals.len ? NULL
                   : repair->weakens     ? why_no_weaker(repair)
                                         : why_none(repair);
    repair->verdict = repair->proposals.len                          ? VERDICT_HOLDS
                      : repair->found.open && repair->found.possible ? VERDICT_UNDECIDED
                                                                     : VERDICT_FAILS;
}

static void search_between(struct repair *repair, uint32_t most)
{
    between_find(repair, most);
    if (!repair->proposals.len)
        return;
    repair->none = NULL;
    repair->verdict = VERDICT_HOLDS;
    repair->found.open = true; /* not all barriers were tried */
    repair->found.more = false;
}

static bool begin(struct repair *repair, struct job *job, const struct answer *before,
                  const char *costs)
{
    *repair = (struct repair){.job = job, .before = before};
    job->made = repair->made = ARENA_NEW(job->arena, uint64_t);
    if (!places_begin(repair))
        return false;
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
    for (uint32_t i = 0; !repair->proposals.len && places_stronger(repair, i); i++)
        search(repair, wish);
    if (!repair->proposals.len && repair->code && repair->goal != GOAL_HANG)
        search_between(repair, wish->most);
    return patch_find(repair, &repair->patch);
}

bool repair_weaken(struct repair *repair, struct job *job, const struct answer *before,
                   const struct repair_wish *wish)
{
    if (!begin(repair, job, before, wish->costs))
        return false;
    repair->weakens = true;
    repair->keep = (struct keep){before, wish->keep};
    if (!keep_check(&repair->keep, job))
        return false;
    if (keep_ask(&repair->keep, job, true) != MINIMAL_ENOUGH) {
        repair->verdict = VERDICT_FAILS;
        repair->none = "what is to be kept is not so now, or is not known";
        return true;
    }
    places_weaker(repair);
    repair->limit = repair->places.items.len;
    search(repair, wish);
    return true;
}
