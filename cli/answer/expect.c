/* SPDX-License-Identifier: MIT */
#include "cli/answer/expect.h"

#include <glib.h>
#include <string.h>

#include "cli/answer/ending.h"

/* What is known of an expected property. */
enum expect_finding { NO, YES, OPEN };

static enum expect_finding finding(bool known, bool value)
{
    return !known ? OPEN : value ? YES : NO;
}

/* What is asked of the answer to a test. */
struct expect_question {
    struct job *job;
    const struct answer *answer;
    const char *word, *name; /* the expected word, and the name behind its '=' or NULL */
};
typedef enum expect_finding expect_predicate(const struct expect_question *of);

static enum expect_finding is_allowed(const struct expect_question *of)
{
    return finding(of->answer->condition_known, of->answer->condition_possible);
}

static enum expect_finding is_held(const struct expect_question *of)
{
    return finding(of->answer->verdict != VERDICT_UNDECIDED, of->answer->verdict == VERDICT_HOLDS);
}

static enum expect_finding is_undecided(const struct expect_question *of)
{
    bool open = of->answer->verdict == VERDICT_UNDECIDED;
    enum solver_status status = of->answer->found->status;
    return finding(!open || status == SOLVER_DONE || status == SOLVER_STATES, open);
}

/* Found is found; that nothing was found is knowledge only after a whole search. */
static enum expect_finding found_or_not(const struct answer *answer, bool found)
{
    return finding(found || (answer->found->complete && !answer->found->bound_reached), found);
}

static enum expect_finding is_outside(const struct expect_question *of)
{
    return found_or_not(of->answer, of->answer->found->mixed_size_race);
}

/* Is there anything, or what the expectation names? A missing order is undefined behaviour or worth
 * a warning too: those are looked for as races are. */
static enum expect_finding is_among(const struct expect_question *of, const struct text_list *names)
{
    bool among = names->len && !of->name;
    for (uint32_t i = 0; of->name && i < names->len; i++)
        among |= strcmp(names->at[i], of->name) == 0;
    enum expect_finding finding = found_or_not(of->answer, among);
    return finding == NO && !of->answer->found->races_complete ? OPEN : finding;
}

static enum expect_finding is_undefined(const struct expect_question *of)
{
    return is_among(of, &of->answer->undefined);
}

static enum expect_finding is_warned(const struct expect_question *of)
{
    return is_among(of, &of->answer->warnings);
}

static enum expect_finding is_racy(const struct expect_question *of)
{
    const struct solver_result *found = of->answer->found;
    bool racy = of->answer->race_count > 0;
    return finding(racy || (found->races_complete && found->bound_decided && !found->bound_reached),
                   racy);
}

static enum expect_finding is_hanging(const struct expect_question *of)
{
    enum expect_finding finding = found_or_not(of->answer, of->answer->found->can_hang);
    return finding == NO && !of->answer->found->hang_decided ? OPEN : finding;
}

static enum expect_finding is_hanging_so(const struct expect_question *of)
{
    const struct answer_hang *hang = &of->answer->hang;
    return finding(!hang_open(hang), hang->name && strcmp(hang->name, of->word) == 0);
}

/* Under the scheduler that is named. */
static enum expect_finding is_ending(const struct expect_question *of)
{
    struct job again = *of->job;
    struct guarantee progress;
    if (!progress_parse(of->name, &progress) || !job_unfold(&again, true))
        return OPEN;
    struct ending ending = ending_find(&again, of->name);
    return finding(ending.verdict != VERDICT_UNDECIDED, ending.verdict == VERDICT_HOLDS);
}

/* Under the test's own, or the fair one. */
static enum expect_finding is_terminating(const struct expect_question *of)
{
    struct expect_question own = *of;
    own.name = of->job->test->progress ? of->job->test->progress : "fair";
    return is_ending(&own);
}

static enum expect_finding is_unspecified(const struct expect_question *of)
{
    bool known = of->answer->verdict != VERDICT_UNDECIDED && !of->answer->readings_open;
    return finding(of->answer->unspecified || known,
                   of->answer->unspecified && strcmp(of->answer->unspecified, of->name) == 0);
}

enum { IS, NOT };
static const struct expect_row {
    const char *word;
    expect_predicate *predicate;
    bool negated, named;
} expect_rows[] = {
#define EXPECT(word, predicate, is, meaning)      {word, predicate, is, false},
#define EXPECT_NAME(word, predicate, is, meaning) {word "=", predicate, is, true},
#include "cli/answer/expect.def"
#undef EXPECT
#undef EXPECT_NAME
};

static const struct expect_row *find_row(const char *verdict)
{
    for (size_t i = 0; i < G_N_ELEMENTS(expect_rows); i++) {
        const struct expect_row *row = &expect_rows[i];
        if (row->named ? g_str_has_prefix(verdict, row->word) : strcmp(row->word, verdict) == 0)
            return row;
    }
    return NULL;
}

/* The name under which tests expect something of a model: "ptx" for "ptx" and for "dir/ptx.cat". */
static const char *model_name(struct arena *arena, const char *model)
{
    const char *slash = strrchr(model, '/'), *base = slash ? slash + 1 : model;
    return g_str_has_suffix(model, ".cat") ? arena_strndup(arena, base, strlen(base) - 4) : model;
}

static void refuse_word(struct job *job, const struct expectation *expectation)
{
    const char *words[G_N_ELEMENTS(expect_rows)], *wrong = expectation->verdict;
    for (size_t i = 0; i < G_N_ELEMENTS(expect_rows); i++)
        words[i] = expect_rows[i].word;
    diag_add(&job->diags, DIAG_expectation_unknown, job->test->source, expectation->span,
             diag_hint(job->arena, wrong, strlen(wrong), words, G_N_ELEMENTS(expect_rows)),
             "unknown expectation '%s'", wrong);
}

/* Does the row say something of the end of the test under the scheduler in use? */
static bool is_of_end(const struct job *job, const struct expect_row *row, const char *name)
{
    const char *own = job->test->progress ? job->test->progress : "fair";
    struct guarantee said;
    if (row && row->predicate == is_terminating)
        name = own;
    else if (!row || row->predicate != is_ending)
        return false;
    return progress_parse(name, &said) &&
           strcmp(progress_name(job->arena, &said), ending_scheduler(job)) == 0;
}

/* Without an answer it is 'ends' that is known. */
static enum expect_status status_of(const struct expect_row *row,
                                    const struct expect_question *question,
                                    enum expect_finding ends)
{
    enum expect_finding found = question->answer ? row->predicate(question) : ends;
    return found == OPEN                    ? EXPECT_OPEN
           : (found == YES) != row->negated ? EXPECT_MET
                                            : EXPECT_MISSED;
}

bool expect_is_word(const char *word)
{
    return find_row(word);
}

/* The worst of what became of the expectations; without an answer, of those of the test's end. */
static struct expect_result compare(struct job *job, const struct answer *answer,
                                    enum expect_finding ends)
{
    const char *model = model_name(job->arena, job->settings->model);
    struct expect_result result = {EXPECT_NONE, NULL};
    for (uint32_t i = 0; i < job->test->expectation_count; i++) {
        const struct expectation *expectation = &job->test->expectations[i];
        const struct expect_row *row = find_row(expectation->verdict);
        const char *word = expectation->verdict,
                   *name = row && row->named ? word + strlen(row->word) : NULL;
        if (strcmp(expectation->model, model) != 0 || (!answer && !is_of_end(job, row, name)))
            continue;
        if (!row && job->settings->expect)
            refuse_word(job, expectation);
        const struct expect_question question = {job, answer, word, name};
        enum expect_status status = row ? status_of(row, &question, ends) : EXPECT_UNKNOWN;
        if (status > result.status)
            result = (struct expect_result){status, expectation};
    }
    return result;
}

struct expect_result expect_compare(struct job *job, const struct answer *answer)
{
    return compare(job, answer, OPEN);
}

struct expect_result expect_compare_end(struct job *job, enum verdict ends)
{
    return compare(job, NULL, finding(ends != VERDICT_UNDECIDED, ends == VERDICT_HOLDS));
}

enum verdict expect_verdict(const struct expect_result *result)
{
    static const enum verdict verdicts[] = {[EXPECT_NONE] = VERDICT_HOLDS,
                                            [EXPECT_MET] = VERDICT_HOLDS,
                                            [EXPECT_OPEN] = VERDICT_UNDECIDED,
                                            [EXPECT_MISSED] = VERDICT_FAILS,
                                            [EXPECT_UNKNOWN] = VERDICT_ERROR};
    return verdicts[result->status];
}
