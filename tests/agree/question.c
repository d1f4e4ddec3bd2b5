/* SPDX-License-Identifier: MIT */
#include "tests/agree/question.h"

#include <glib.h>
#include <string.h>

#include "litmus/read/read.h"
#include "model/models/flags.h"
#include "model/unfold/unfold.h"

static bool flag_raised(const struct cat_model *model, const struct brute_result *result,
                        const char *name)
{
    for (uint32_t i = 0; i < model->axiom_count; i++)
        if (model->axioms[i].flag && strcmp(model->axioms[i].name, name) == 0 && result->flags[i])
            return true;
    return false;
}

static bool is_undefined(const struct cat_model *model, const struct brute_result *result)
{
    bool undefined = result->undefined_count;
    for (uint32_t i = 0; i < model->axiom_count; i++)
        undefined |= model->axioms[i].flag && result->flags[i] &&
                     flag_undefines(flag_kind(model->axioms[i].name));
    return undefined;
}

/* "undefined=NAME", "warns=NAME" where NAME is a flag that says so. */
static bool names_flag(const char *word, const char **name)
{
    const char *equal = strchr(word, '=');
    *name = equal ? equal + 1 : "";
    return equal && (flag_undefines(flag_kind(*name)) || flag_kind(*name) == FLAG_WARNING);
}

static bool reaches(const struct brute_result *result, const struct test *test, bool condition)
{
    for (uint32_t i = 0; i < result->outcomes.items.len; i++)
        if (outcome_satisfies(test, test->condition, result->outcomes.items.at[i].values) ==
            condition)
            return true;
    return false;
}

/* Nothing is excluded where behaviour is undefined: any state may follow. */
static bool excludes(const struct brute_result *result, const struct test *test, bool condition)
{
    return !result->undefined_count && !reaches(result, test, condition);
}

static bool fails(const struct brute_result *result, const struct test *test)
{
    switch (test->quantifier) {
    case QUANTIFIER_EXISTS:
        return excludes(result, test, true);
    case QUANTIFIER_NOT_EXISTS:
        return reaches(result, test, true);
    case QUANTIFIER_FORALL:
        return reaches(result, test, false);
    }
    return false;
}

static bool holds(const struct brute_result *result, const struct test *test)
{
    switch (test->quantifier) {
    case QUANTIFIER_EXISTS:
        return reaches(result, test, true);
    case QUANTIFIER_NOT_EXISTS:
        return excludes(result, test, true);
    case QUANTIFIER_FORALL:
        return excludes(result, test, false);
    }
    return false;
}

bool question_verdict(const struct brute_result *result, const struct cat_model *model,
                      const struct test *test, const char *word, bool *known)
{
    bool outside = flag_raised(model, result, "mixed-size-race");
    const char *name;
    *known = true;
    if (names_flag(word, &name))
        return flag_raised(model, result, name);
    if (strcmp(word, "outside") == 0)
        return outside;
    if (strcmp(word, "race") == 0)
        return flag_raised(model, result, "data-race");
    if (strcmp(word, "race-free") == 0)
        return !flag_raised(model, result, "data-race");
    if (strcmp(word, "allowed") == 0)
        return !outside && reaches(result, test, true);
    if (strcmp(word, "forbidden") == 0)
        return !outside && excludes(result, test, true);
    if (strcmp(word, "undefined") == 0)
        return outside || is_undefined(model, result);
    if (strcmp(word, "defined") == 0)
        return !outside && !is_undefined(model, result);
    if (strcmp(word, "holds") == 0)
        return !outside && holds(result, test);
    if (strcmp(word, "fails") == 0)
        return !outside && fails(result, test);
    return *known = false;
}

bool question_open(struct question *q, const char *path, enum tearing tearing)
{
    const struct unfold_options options = {.unroll = 3, .max_events = 200, .tearing = tearing};
    char *text;
    gsize length;
    *q = (struct question){.arena = arena_new(), .path = path};
    q->diags.arena = q->arena;
    if (g_file_get_contents(path, &text, &length, NULL)) {
        char *kept = arena_strndup(q->arena, text, length);
        g_free(text);
        q->test = litmus_parse(q->arena, source_new(q->arena, path, kept, length), &q->diags);
    }
    if (q->test)
        q->graphs = unfold(q->arena, q->test, &options, &q->diags, &q->graph_count);
    return q->graphs != NULL;
}
