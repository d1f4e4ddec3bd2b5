/* SPDX-License-Identifier: MIT */
#include "cli/answer/expect.h"

#include <glib.h>
#include <string.h>

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
    const char *word; /* the expected one, or the name behind its '=' */
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

/* A missing order is undefined behaviour too: those are looked for as races are. */
static enum expect_finding misused_or_not(const struct answer *answer, bool found)
{
    enum expect_finding finding = found_or_not(answer, found);
    return finding == NO && !answer->found->races_complete ? OPEN : finding;
}

static enum expect_finding is_undefined(const struct expect_question *of)
{
    return misused_or_not(of->answer, of->answer->undefined.len > 0);
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

static enum expect_finding is_terminating(const struct expect_question *of)
{
    struct job again = *of->job;
    if (!job_unfold(&again, true))
        return OPEN;
    struct solver_options options = job_solver_options(&again, false);
    enum solver_status status;
    struct execution *stuck;
    bool terminates = solver_terminates(of->job->arena, &options, &status, &stuck);
    return finding(status == SOLVER_DONE, terminates);
}

static enum expect_finding is_warned(const struct expect_question *of)
{
    return misused_or_not(of->answer, of->answer->warnings.len > 0);
}

static bool is_among(const char *name, const struct text_list *names)
{
    for (uint32_t i = 0; i < names->len; i++)
        if (strcmp(names->at[i], name) == 0)
            return true;
    return false;
}

static enum expect_finding is_undefined_by(const struct expect_question *of)
{
    return misused_or_not(of->answer, is_among(of->word, &of->answer->undefined));
}

static enum expect_finding is_unspecified(const struct expect_question *of)
{
    return finding(of->answer->unspecified || !of->answer->readings_open,
                   of->answer->unspecified && strcmp(of->answer->unspecified, of->word) == 0);
}

static enum expect_finding is_warned_of(const struct expect_question *of)
{
    return misused_or_not(of->answer, is_among(of->word, &of->answer->warnings));
}

enum { IS, NOT };
static const struct expect_row {
    const char *word;
    expect_predicate *predicate;
    bool negated, named;
} expect_rows[] = {
#define EXPECT(word, predicate, is, meaning)  {word, predicate, is, false},
#define EXPECT_NAME(word, predicate, meaning) {word "=", predicate, IS, true},
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
    if (!g_str_has_suffix(model, ".cat"))
        return model;
    const char *slash = strrchr(model, '/');
    const char *base = slash ? slash + 1 : model;
    return arena_strndup(arena, base, strlen(base) - strlen(".cat"));
}

static enum expect_status refuse_word(struct job *job, const struct expectation *expectation)
{
    if (!job->settings->expect)
        return EXPECT_UNKNOWN; /* nobody asked */
    const char *words[G_N_ELEMENTS(expect_rows)];
    for (size_t i = 0; i < G_N_ELEMENTS(expect_rows); i++)
        words[i] = expect_rows[i].word;
    const char *nearest = diag_nearest(expectation->verdict, strlen(expectation->verdict), words,
                                       G_N_ELEMENTS(expect_rows));
    diag_add(&job->diags, DIAG_expectation_unknown, job->test->source, expectation->span,
             nearest ? arena_printf(job->arena, "did you mean '%s'?", nearest) : NULL,
             "unknown expectation '%s'", expectation->verdict);
    return EXPECT_UNKNOWN;
}

/* Without an answer it is 'ends' that is known. */
static enum expect_status status_of(const struct expect_row *row,
                                    const struct expect_question *question,
                                    enum expect_finding ends)
{
    static const enum expect_status statuses[] = {
        [NO] = EXPECT_MISSED, [YES] = EXPECT_MET, [OPEN] = EXPECT_OPEN};
    enum expect_finding found = question->answer ? row->predicate(question) : ends;
    if (row->negated && found != OPEN)
        found = found == YES ? NO : YES;
    return statuses[found];
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
        bool of_end = row && row->predicate == is_terminating;
        if (strcmp(expectation->model, model) != 0 || (!answer && !of_end))
            continue;
        const struct expect_question question = {
            job, answer, expectation->verdict + (row && row->named ? strlen(row->word) : 0)};
        enum expect_status status =
            row ? status_of(row, &question, ends) : refuse_word(job, expectation);
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
