/* SPDX-License-Identifier: MIT */
#include "cli/repair/between.h"

#include <string.h>

#include "cli/repair/compile.h"
#include "cli/repair/costs.h"
#include "cli/repair/proposal.h"
#include "cli/repair/variant.h"
#include "litmus/rewrite/gap.h"

/* So long barriers are compiled one after the other, in seconds. */
#define BETWEEN_SECONDS 30.0

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

/* The barrier in the gap: compiled, read and judged. False: nvcc is not there, or there is no time. */
static bool try_gap(struct repair *repair, const struct statement_gap *gap, const char *words,
                    enum op op, bool *found)
{
    const struct code *code = repair->code;
    struct arena *arena = repair->job->arena;
    const struct statement *beside = gap->after ? gap->after : gap->before;
    const struct code_inst *inst = near(code, beside->span.offset);
    struct edit edit = {.kind = EDIT_BEFORE, .body = inst->body, .inst = inst->inst, .words = ""};
    struct edit_option option = {.inst.op = op, .edits = true};
    struct variant variant;
    struct repair_proposal proposal = {0};
    edit.rewording = gap_write(arena, code->source, gap, words, 0);
    option.edit = edit;
    proposal.cost = costs_option(arena, repair->costs, &option);
    bool there = compile_edit(repair, &edit, &variant);
    *found = there && variant.job.test && goal_ask(repair->goal, &variant.job) == MINIMAL_ENOUGH &&
             proposal_judge_compiled(repair, &variant, &proposal);
    variant_free(&variant);
    if (*found)
        vec_push(arena, &repair->proposals, proposal);
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
static bool try_both(struct repair *repair, const struct statement_gap *gap)
{
    bool found, weaker = false;
    if (!try_gap(repair, gap, "__syncthreads()", OP_BAR_SYNC, &found))
        return false;
    uint32_t count = repair->proposals.len;
    if (found)
        try_gap(repair, gap, "__syncwarp()", OP_BAR_WARP_SYNC, &weaker);
    if (weaker) {
        repair->proposals.at[count - 1] = repair->proposals.at[count];
        repair->proposals.len--;
    }
    return true;
}

void between_find(struct repair *repair, uint32_t most)
{
    double until = MIN(repair->until, job_clock() + BETWEEN_SECONDS);
    struct statements all = repair->code->statements;
    if (!has_threads(repair->job->test) || !repair->code->insts.len)
        return;
    for (uint32_t i = 0; i < all.items.len; i++)
        all.items.at[i].ordered = true;
    struct statement_gaps gaps = statement_gaps(repair->job->arena, &all);
    for (int outside = 0; outside < 2;
         outside++) /* most barriers that are missing are missing in a loop */
        for (uint32_t i = 0; i < gaps.items.len; i++) {
            const struct statement_gap *gap = &gaps.items.at[i];
            if (is_idle(repair->code, gap) || is_in_loop(repair->code, gap) == outside)
                continue;
            if (repair->proposals.len >= most || job_clock() > until || !try_both(repair, gap))
                return;
        }
}
