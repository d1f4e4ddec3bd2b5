/* SPDX-License-Identifier: MIT */
#include "cli/repair/keep.h"

#include <string.h>

#include "cli/answer/expect.h"
#include "cli/repair/goal.h"

static enum minimal_answer answered(bool lost, bool known)
{
    return lost ? MINIMAL_SHORT : known ? MINIMAL_ENOUGH : MINIMAL_OPEN;
}

/* ---- expectations --------------------------------------------------------------------------- */

static const struct {
    const char *word;
    enum quantifier quantifier;
} quantifiers[] = {{"exists", QUANTIFIER_EXISTS},
                   {"~exists", QUANTIFIER_NOT_EXISTS},
                   {"forall", QUANTIFIER_FORALL}};

/* The condition behind the quantifier; NULL: it is no question. */
static const char *condition_of(const char *text, enum quantifier *quantifier)
{
    for (size_t i = 0; i < G_N_ELEMENTS(quantifiers); i++)
        if (g_str_has_prefix(text, quantifiers[i].word)) {
            *quantifier = quantifiers[i].quantifier;
            return text + strlen(quantifiers[i].word);
        }
    return NULL;
}

/* The job with a test that also expects the words. */
static struct job expecting(const struct keep *keep, const struct job *job)
{
    struct job other = *job;
    struct test *test = ARENA_NEW(job->arena, struct test);
    uint32_t count = job->test->expectation_count;
    enum quantifier quantifier;
    *test = *job->test;
    test->expectations = ARENA_ARRAY(job->arena, struct expectation, count + keep->more->len + 1);
    for (uint32_t i = 0; i < count; i++)
        test->expectations[i] = job->test->expectations[i];
    for (uint32_t i = 0; i < keep->more->len; i++)
        if (!condition_of(keep->more->at[i], &quantifier))
            test->expectations[test->expectation_count++] =
                (struct expectation){job->settings->model, keep->more->at[i], "", {0}};
    other.test = test;
    return other;
}

/* Is anything expected of the model besides the verdict? */
static bool expects_more(const struct job *job)
{
    static const char *const plain[] = {"allowed", "forbidden", "holds", "fails"};
    for (uint32_t i = 0; i < job->test->expectation_count; i++) {
        const struct expectation *expectation = &job->test->expectations[i];
        bool other = strcmp(expectation->model, job->settings->model) != 0;
        for (size_t k = 0; k < G_N_ELEMENTS(plain); k++)
            other |= strcmp(expectation->verdict, plain[k]) == 0;
        if (!other)
            return true;
    }
    return false;
}

static enum minimal_answer expectations_kept(const struct answer *before, struct job *job)
{
    struct answer after = answer_new(job, 0);
    switch (expect_compare(job, &after).status) {
    case EXPECT_MET:
        return MINIMAL_ENOUGH;
    case EXPECT_MISSED:
        return MINIMAL_SHORT;
    case EXPECT_NONE:
        return answered(after.verdict != before->verdict && after.verdict != VERDICT_UNDECIDED,
                        after.verdict == before->verdict);
    case EXPECT_OPEN:
    case EXPECT_UNKNOWN:
    case EXPECT_COUNT:
        break;
    }
    return MINIMAL_OPEN;
}

/* ---- questions ------------------------------------------------------------------------------ */

/* The test read again with another question. */
static bool read_question(const struct job *job, const char *condition, struct job *other)
{
    struct span at = job->test->condition->span;
    const char *words = at.length ? condition : arena_printf(job->arena, "\nexists %s", condition);
    *other = *job;
    other->diags = (struct diag_list){.arena = job->arena};
    return job_read(other, source_replace(job->arena, job->test->source, at, words), true);
}

static enum minimal_answer question_kept(const struct job *job, const char *condition,
                                         enum quantifier quantifier)
{
    struct job other;
    if (!read_question(job, condition, &other))
        return MINIMAL_OPEN;
    struct test *test = ARENA_NEW(job->arena, struct test);
    *test = *other.test;
    test->quantifier = quantifier;
    other.test = test;
    enum minimal_answer gone = goal_ask(GOAL_OUTCOME, &other);
    bool wanted = quantifier == QUANTIFIER_EXISTS;
    return gone == MINIMAL_OPEN ? MINIMAL_OPEN : answered((gone == MINIMAL_SHORT) != wanted, true);
}

bool keep_check(const struct keep *keep, struct job *job)
{
    for (uint32_t i = 0; i < keep->more->len; i++) {
        enum quantifier quantifier;
        const char *words = keep->more->at[i], *condition = condition_of(words, &quantifier);
        struct job other;
        if (condition ? read_question(job, condition, &other) : expect_is_word(words))
            continue;
        const char *fault = condition && other.diags.items.len
                                ? diag_headline(job->arena, &other.diags.items.at[0])
                                : "it is none";
        diag_add(&job->diags, DIAG_option_value, NULL, (struct span){0}, NULL,
                 "'--keep' wants a question, such as '~exists (x=2)', or a word that tests "
                 "expect, such as 'race-free', not '%s': %s",
                 words, fault);
        return false;
    }
    return true;
}

enum minimal_answer keep_ask(const struct keep *keep, struct job *job, bool whole)
{
    struct job more = expecting(keep, job);
    enum minimal_answer outcome = goal_ask(GOAL_OUTCOME, job);
    bool was = goal_of(GOAL_OUTCOME, keep->before) == MINIMAL_SHORT;
    if (outcome == MINIMAL_OPEN || (outcome == MINIMAL_SHORT) != was)
        return outcome == MINIMAL_OPEN ? MINIMAL_OPEN : MINIMAL_SHORT;
    for (uint32_t i = 0; i < keep->more->len; i++) {
        enum quantifier quantifier;
        const char *condition = condition_of(keep->more->at[i], &quantifier);
        enum minimal_answer kept =
            condition ? question_kept(job, condition, quantifier) : MINIMAL_ENOUGH;
        if (kept != MINIMAL_ENOUGH)
            return kept;
    }
    return whole || expects_more(&more) ? expectations_kept(keep->before, &more) : MINIMAL_ENOUGH;
}
