/* SPDX-License-Identifier: MIT */
#include "cli/editor/lens.h"

#include "litmus/base/text.h"

bool lens_place(const struct editor_text *text, struct span *place)
{
    const struct test *test = text->job.test;
    if (!test || text->job.diags.errors || !text->job.graphs)
        return false;
    *place = test->condition->span;
    return place->offset + place->length <= text->source->length;
}

/* What is known of the outcome, or of a forall. */
static const char *verdict_words(const struct answer *answer)
{
    if (answer->job->test->quantifier == QUANTIFIER_FORALL)
        return answer->verdict == VERDICT_HOLDS ? "holds for" : "fails for";
    return answer->condition_possible ? "allowed by" : "forbidden by";
}

/* How many of the final states satisfy what stands behind the quantifier. */
static void print_counts(const struct answer *answer, GString *out)
{
    uint32_t all = answer->found->outcomes.items.len;
    g_string_append_printf(out, "%s %s", verdict_words(answer), answer->job->settings->model);
    if (!answer->found->complete)
        g_string_append_printf(out, ": %u final state%s found, and there may be more", all,
                               all == 1 ? "" : "s");
    else if (!answer->positive)
        g_string_append_printf(out, ": none of %u final state%s", all, all == 1 ? "" : "s");
    else
        g_string_append_printf(out, ": %u of %u final state%s", answer->positive, all,
                               all == 1 ? "" : "s");
}

const char *lens_words(const struct answer *answer)
{
    struct arena *arena = answer->job->arena;
    struct text *text = text_open(arena);
    if (answer->error)
        g_string_append_printf(text->out, "error: %s", answer->error);
    else if (answer->verdict == VERDICT_UNDECIDED)
        g_string_append_printf(text->out, "undecided: %s", answer->open);
    else
        print_counts(answer, text->out);
    if (answer->race_count)
        g_string_append(text->out, "; there is a data race");
    if (answer->undefined.len)
        g_string_append_printf(text->out, "; undefined behaviour: %s", answer->undefined.at[0]);
    if (answer->hang.name)
        g_string_append_printf(text->out, "; %s", answer->hang.name);
    return text_close(text, arena);
}

const char *lens_title(struct job *job)
{
    struct answer answer = answer_new(job, 0);
    return lens_words(&answer);
}
