/* SPDX-License-Identifier: MIT */
#include "cli/answer/expect.h"

#include <glib.h>
#include <string.h>

/* What is known of an expected property. */
enum truth { NO, YES, OPEN };

static enum truth truth(bool known, bool value)
{
    return !known ? OPEN : value ? YES : NO;
}

static enum truth opposite(enum truth value)
{
    return value == OPEN ? OPEN : value == YES ? NO : YES;
}

static enum truth is_allowed(struct job *job, const struct answer *answer)
{
    (void)job;
    return truth(answer->condition_known, answer->condition_possible);
}

static enum truth is_forbidden(struct job *job, const struct answer *answer)
{
    return opposite(is_allowed(job, answer));
}

static enum truth is_held(struct job *job, const struct answer *answer)
{
    (void)job;
    return truth(answer->verdict != VERDICT_UNDECIDED, answer->verdict == VERDICT_HOLDS);
}

static enum truth is_failed(struct job *job, const struct answer *answer)
{
    return opposite(is_held(job, answer));
}

static enum truth is_undecided(struct job *job, const struct answer *answer)
{
    (void)job;
    bool open = answer->verdict == VERDICT_UNDECIDED;
    enum solver_status status = answer->found->status;
    return truth(!open || status == SOLVER_DONE || status == SOLVER_STATES, open);
}

/* Found is found; that nothing was found is knowledge only after a whole search. */
static enum truth found_or_not(const struct answer *answer, bool found)
{
    return truth(found || (answer->found->complete && !answer->found->bound_reached), found);
}

static enum truth is_outside(struct job *job, const struct answer *answer)
{
    (void)job;
    return found_or_not(answer, answer->found->mixed_size_race);
}

/* A missing order is undefined behaviour too: those are looked for as races are. */
static enum truth misused_or_not(const struct answer *answer, bool found)
{
    enum truth truth = found_or_not(answer, found);
    return truth == NO && !answer->found->races_complete ? OPEN : truth;
}

static enum truth is_undefined(struct job *job, const struct answer *answer)
{
    (void)job;
    return misused_or_not(answer, answer->undefined_count > 0);
}

static enum truth is_defined(struct job *job, const struct answer *answer)
{
    return opposite(is_undefined(job, answer));
}

static enum truth is_racy(struct job *job, const struct answer *answer)
{
    const struct solver_result *found = answer->found;
    bool racy = answer->race_count > 0;
    (void)job;
    return truth(racy || (found->races_complete && found->bound_decided && !found->bound_reached),
                 racy);
}

static enum truth is_race_free(struct job *job, const struct answer *answer)
{
    return opposite(is_racy(job, answer));
}

static enum truth is_hanging(struct job *job, const struct answer *answer)
{
    (void)job;
    enum truth truth = found_or_not(answer, answer->found->can_hang);
    return truth == NO && !answer->found->hang_decided ? OPEN : truth;
}

static enum truth hangs_as(const struct answer *answer, const char *name)
{
    const struct hang *hang = &answer->hang;
    return truth(!hang_open(hang), hang->name && strcmp(hang->name, name) == 0);
}

static enum truth is_certain_to_hang(struct job *job, const struct answer *answer)
{
    (void)job;
    return hangs_as(answer, "hang-certain");
}

static enum truth is_likely_to_hang(struct job *job, const struct answer *answer)
{
    (void)job;
    return hangs_as(answer, "hang-possible");
}

static enum truth is_terminating(struct job *job, const struct answer *answer)
{
    (void)answer;
    struct job again = *job;
    if (!job_unfold(&again, true))
        return truth(false, false);
    struct solver_options options = answer_options(&again, false);
    enum solver_status status;
    struct execution *stuck;
    bool terminates = solver_terminates(job->arena, &options, &status, &stuck);
    return truth(status == SOLVER_DONE, terminates);
}

static enum truth is_looping(struct job *job, const struct answer *answer)
{
    return opposite(is_terminating(job, answer));
}

static enum truth is_quiet(struct job *job, const struct answer *answer)
{
    (void)job;
    return opposite(misused_or_not(answer, answer->warning_count > 0));
}

static bool is_among(const char *name, const char *const *names, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

static enum truth is_undefined_by(const struct answer *answer, const char *name)
{
    return misused_or_not(answer, is_among(name, answer->undefined, answer->undefined_count));
}

static enum truth is_unspecified(const struct answer *answer, const char *name)
{
    return truth(answer->unspecified || !answer->readings_open,
                 answer->unspecified && strcmp(answer->unspecified, name) == 0);
}

static enum truth is_warned_of(const struct answer *answer, const char *name)
{
    return misused_or_not(answer, is_among(name, answer->warnings, answer->warning_count));
}

static const struct {
    const char *word;
    enum truth (*predicate)(struct job *job, const struct answer *answer);
    enum truth (*of_name)(const struct answer *answer, const char *name);
} expect_rows[] = {
#define EXPECT(word, predicate, meaning)      {word, predicate, NULL},
#define EXPECT_NAME(word, predicate, meaning) {word "=", NULL, predicate},
#include "cli/answer/expect.def"
#undef EXPECT
#undef EXPECT_NAME
};

const char *expect_model_name(struct arena *arena, const char *model)
{
    if (!g_str_has_suffix(model, ".cat"))
        return model;
    const char *slash = strrchr(model, '/');
    const char *base = slash ? slash + 1 : model;
    return arena_strndup(arena, base, strlen(base) - strlen(".cat"));
}

static enum expect_status refuse_word(struct job *job, const struct expectation *expectation)
{
    if (!job->options->expect)
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

static enum expect_status compare(struct job *job, const struct answer *answer,
                                  const struct expectation *expectation)
{
    static const enum expect_status statuses[] = {
        [NO] = EXPECT_MISSED, [YES] = EXPECT_MET, [OPEN] = EXPECT_OPEN};
    for (size_t i = 0; i < G_N_ELEMENTS(expect_rows); i++) {
        const char *word = expect_rows[i].word, *verdict = expectation->verdict;
        if (expect_rows[i].of_name && g_str_has_prefix(verdict, word))
            return statuses[expect_rows[i].of_name(answer, verdict + strlen(word))];
        if (expect_rows[i].predicate && strcmp(word, verdict) == 0)
            return statuses[expect_rows[i].predicate(job, answer)];
    }
    return refuse_word(job, expectation);
}

struct expect_result expect_compare_end(struct job *job, enum verdict ends)
{
    const char *model = expect_model_name(job->arena, job->options->model);
    struct expect_result result = {EXPECT_NONE, NULL};
    for (uint32_t i = 0; i < job->test->expectation_count; i++) {
        const struct expectation *expectation = &job->test->expectations[i];
        bool end = strcmp(expectation->verdict, "terminates") == 0;
        if (strcmp(expectation->model, model) != 0 ||
            (!end && strcmp(expectation->verdict, "loops") != 0))
            continue;
        enum expect_status status = ends == VERDICT_UNDECIDED        ? EXPECT_OPEN
                                    : (ends == VERDICT_HOLDS) == end ? EXPECT_MET
                                                                     : EXPECT_MISSED;
        if (status > result.status)
            result = (struct expect_result){status, expectation};
    }
    return result;
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

struct expect_result expect_compare(struct job *job, const struct answer *answer)
{
    const char *model = expect_model_name(job->arena, job->options->model);
    struct expect_result result = {EXPECT_NONE, NULL};
    for (uint32_t i = 0; i < job->test->expectation_count; i++) {
        const struct expectation *expectation = &job->test->expectations[i];
        if (strcmp(expectation->model, model) != 0)
            continue;
        enum expect_status status = compare(job, answer, expectation);
        if (status > result.status)
            result = (struct expect_result){status, expectation};
    }
    return result;
}
