/* SPDX-License-Identifier: MIT */
#include "cli/repair/between.h"

#include <string.h>

#include "cli/repair/compile.h"
#include "cli/repair/costs.h"
#include "cli/repair/proposal.h"
#include "cli/repair/variant.h"
#include "litmus/rewrite/gap.h"

/* So many files are compiled with a barrier more, one after the other. */
enum { MOST_COMPILED = 40 };

static bool has_threads(const struct test *test)
{
    for (uint32_t i = 0; i < test->launch_count; i++) {
        struct dim3 block = test->launches[i].block;
        if ((uint64_t)block.x * block.y * block.z > 1)
            return true;
    }
    return false;
}

/* The instruction that comes from the statement or what is next: it says which kernel is edited. */
static const struct code_inst *near(const struct code *code, uint32_t offset)
{
    uint32_t line = source_place(code->source, offset).line;
    for (uint32_t i = 0; i < code->insts.len; i++)
        if (code->insts.at[i].line >= line)
            return &code->insts.at[i];
    return &code->insts.at[code->insts.len - 1];
}

/* Gaps that get barriers together, and where barriers were looked for. */
enum { MOST_GAPS = 2 };
struct between {
    struct repair *repair;
    struct statement_gaps gaps;
    uint32_t most, compiled;
};

static struct edit edit_of(const struct between *b, const struct statement_gap *gap,
                           const char *words)
{
    const struct code *code = b->repair->code;
    const struct statement *beside = gap->after ? gap->after : gap->before;
    const struct code_inst *inst = near(code, beside->span.offset);
    struct edit edit = {.kind = EDIT_BEFORE, .body = inst->body, .inst = inst->inst, .words = ""};
    edit.rewording = gap_write(b->repair->job->arena, code->source, gap, words, 0);
    return edit;
}

static bool suffices(const struct between *b, struct variant *variant,
                     struct repair_proposal *proposal)
{
    return variant->job.test && goal_ask(b->repair->goal, &variant->job) == MINIMAL_ENOUGH &&
           proposal_judge_compiled(b->repair, variant, proposal);
}

/* The barrier in each of the gaps: compiled, read and judged. False: nvcc is not there. */
static bool try_gaps(struct between *b, const struct statement_gap *const *gaps, uint32_t count,
                     enum op op, bool *found)
{
    struct arena *arena = b->repair->job->arena;
    struct edit edits[MOST_GAPS];
    struct repair_proposal proposal = {0};
    struct variant variant;
    for (uint32_t i = 0; i < count; i++) {
        edits[i] = edit_of(b, gaps[i], op == OP_BAR_SYNC ? "__syncthreads()" : "__syncwarp()");
        struct edit_option option = {.edit = edits[i], .inst.op = op, .edits = true};
        proposal.cost += costs_option(arena, b->repair->costs, &option);
    }
    b->compiled++;
    bool there = compile_edit(b->repair, edits, count, &variant);
    *found = there && suffices(b, &variant, &proposal);
    variant_free(&variant);
    if (*found)
        vec_push(arena, &b->repair->proposals, proposal);
    return there;
}

/* ---- where ---------------------------------------------------------------------------------- */

static bool is_word(const struct source *source, const struct statement *statement,
                    const char *word)
{
    return statement && statement->span.length > strlen(word) &&
           strncmp(source->text + statement->span.offset, word, strlen(word)) == 0;
}

static bool is_barrier(const struct source *source, const struct statement *statement)
{
    return is_word(source, statement, "__sync");
}

/* Beside a barrier, and at either end of the kernel, one more changes nothing; behind a jump nothing comes. */
static bool is_idle(const struct code *code, const struct statement_gap *gap)
{
    const struct statement *beside = gap->after ? gap->after : gap->before;
    bool end = beside->parent == UINT32_MAX && (!gap->after || !gap->before);
    return end || is_barrier(code->source, gap->before) || is_barrier(code->source, gap->after) ||
           is_word(code->source, gap->before, "return") ||
           is_word(code->source, gap->before, "break") ||
           is_word(code->source, gap->before, "continue");
}

static bool is_in_loop(const struct code *code, const struct statement_gap *gap)
{
    const struct statement *at = gap->after ? gap->after : gap->before;
    while (at->parent != UINT32_MAX) {
        at = &code->statements.items.at[at->parent];
        if (is_word(code->source, at, "for") || is_word(code->source, at, "while") ||
            is_word(code->source, at, "do"))
            return true;
    }
    return false;
}

/* ---- all ------------------------------------------------------------------------------------ */

/* The barrier of the CTA, and where that suffices the one of the warp, which replaces it. */
static bool try_both(struct between *b, const struct statement_gap *const *gaps, uint32_t count)
{
    struct repair *repair = b->repair;
    bool found, weaker = false;
    if (!try_gaps(b, gaps, count, OP_BAR_SYNC, &found))
        return false;
    uint32_t last = repair->proposals.len;
    if (found)
        try_gaps(b, gaps, count, OP_BAR_WARP_SYNC, &weaker);
    if (weaker) {
        repair->proposals.at[last - 1] = repair->proposals.at[last];
        repair->proposals.len--;
    }
    return true;
}

static bool goes_on(const struct between *b)
{
    return b->repair->proposals.len < b->most && b->compiled < MOST_COMPILED &&
           job_clock() < b->repair->until;
}

static bool try_each(struct between *b)
{
    for (uint32_t i = 0; i < b->gaps.items.len; i++) {
        const struct statement_gap *one = &b->gaps.items.at[i];
        if (!goes_on(b) || !try_both(b, &one, 1))
            return false;
    }
    return true;
}

static void try_pairs(struct between *b)
{
    for (uint32_t last = 1; last < b->gaps.items.len; last++)
        for (uint32_t i = 0; i < last; i++) {
            const struct statement_gap *pair[] = {&b->gaps.items.at[i], &b->gaps.items.at[last]};
            if (!goes_on(b) || !try_both(b, pair, MOST_GAPS))
                return;
        }
}

/* Those in loops first: most barriers that are missing are missing there. */
static struct statement_gaps gaps_of(const struct repair *repair)
{
    struct arena *arena = repair->job->arena;
    struct statements all = repair->code->statements;
    for (uint32_t i = 0; i < all.items.len; i++)
        all.items.at[i].ordered = true;
    struct statement_gaps gaps = statement_gaps(arena, &all), sorted = {{0}};
    for (int outside = 0; outside < 2; outside++)
        for (uint32_t i = 0; i < gaps.items.len; i++) {
            const struct statement_gap *gap = &gaps.items.at[i];
            if (!is_idle(repair->code, gap) && is_in_loop(repair->code, gap) != outside)
                vec_push(arena, &sorted.items, *gap);
        }
    return sorted;
}

void between_find(struct repair *repair, uint32_t most)
{
    struct between b = {.repair = repair, .most = most};
    if (!has_threads(repair->job->test) || !repair->code->insts.len)
        return;
    b.gaps = gaps_of(repair);
    if (try_each(&b) && !repair->proposals.len && repair->limit >= MOST_GAPS)
        try_pairs(&b);
}
