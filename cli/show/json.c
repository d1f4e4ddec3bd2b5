/* SPDX-License-Identifier: MIT */
#include "cli/show/json.h"

#include "cli/answer/code.h"
#include "cli/answer/race_pair.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "litmus/base/number.h"

json_t *json_text(const char *text)
{
    if (!text)
        return json_null();
    g_autofree char *valid = g_utf8_make_valid(text, -1);
    return json_string(valid);
}

static int append_bytes(const char *bytes, size_t length, void *out)
{
    g_string_append_len(out, bytes, (gssize)length);
    return 0;
}

/* As a line; 'digits' of numbers that are no integers. */
static void append_line(json_t *object, size_t digits, GString *out)
{
    g_assert(object); /* a test whose result cannot be printed is lost by name, not silently */
    json_dump_callback(object, append_bytes, out, JSON_COMPACT | JSON_REAL_PRECISION(digits));
    g_string_append_c(out, '\n');
    json_decref(object);
}

void json_line(json_t *object, GString *out)
{
    append_line(object, 6, out);
}

void json_exact_line(json_t *object, GString *out)
{
    append_line(object, 17, out);
}

const char *json_text_at(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

json_t *json_words(const struct text_list *words)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < words->len; i++)
        json_array_append_new(array, json_text(words->at[i]));
    return array;
}

json_t *json_milliseconds(const struct options *options, double milliseconds)
{
    if (options->no_time)
        return json_null();
    return json_real((double)(int64_t)(milliseconds * 1000) / 1000);
}

static const char *quantifier_word(enum quantifier quantifier)
{
    static const char *const words[] = {[QUANTIFIER_EXISTS] = "exists",
                                        [QUANTIFIER_NOT_EXISTS] = "~exists",
                                        [QUANTIFIER_FORALL] = "forall"};
    return words[quantifier];
}

static json_t *json_holds(enum verdict verdict)
{
    if (verdict == VERDICT_HOLDS || verdict == VERDICT_FAILS)
        return json_boolean(verdict == VERDICT_HOLDS);
    return json_null();
}

json_t *json_axioms(const struct job *job, const struct reason *reason)
{
    json_t *array = json_array();
    for (uint32_t i = 0; reason && i < reason->axiom_count; i++)
        json_array_append_new(array, json_text(job->model->axioms[reason->axioms[i]].name));
    return array;
}

json_t *json_expected(const struct expect_result *expected)
{
    const struct expectation *expectation = expected->expectation;
    if (!expectation)
        return json_null();
    return json_pack("{s:o, s:o, s:b}", "verdict", json_text(expectation->verdict), "source",
                     json_text(expectation->source), "agrees", expected->status == EXPECT_MET);
}

static json_t *json_line_of(const struct test *test, const struct code_line *line)
{
    return json_pack("{s:o, s:i, s:i}", "file", json_text(test->code_files[line->file]), "line",
                     line->line, "column", line->column);
}

void json_code(const struct test *test, uint32_t offset, json_t *object)
{
    const struct code_line *line = test_code_line(test, offset);
    if (!line)
        return;
    json_t *code = json_line_of(test, line), *callers = json_array();
    while ((line = code_line_caller(test, line)))
        json_array_append_new(callers, json_line_of(test, line));
    json_object_set_new(code, "inlined_at", callers);
    json_object_set_new(object, "code", code);
}

static json_t *json_place(const struct answer *answer, struct span span)
{
    struct place place = source_place(answer->job->test->source, span.offset);
    return json_pack("{s:i, s:i}", "line", place.line, "column", place.column);
}

static json_t *json_access(const struct answer *answer, const struct race *race, event_id id)
{
    struct answer_access access = answer_access(answer, race, id);
    json_t *object =
        json_pack("{s:i, s:i, s:o, s:o}", "line", access.place.line, "column", access.place.column,
                  "thread", json_text(access.thread), "text", json_text(access.text));
    json_code(answer->job->test, access.offset, object);
    return object;
}

static json_t *json_pairs(const struct answer *answer, bool (*are)(const struct race *race))
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < answer->found->race_count; i++) {
        const struct race *race = &answer->found->races[i];
        if (!are(race) || !race_is_new(answer, i))
            continue;
        json_array_append_new(array, json_pack("{s:o, s:o, s:o}", "flag", json_text(race->flag),
                                               "a", json_access(answer, race, race->a), "b",
                                               json_access(answer, race, race->b)));
    }
    return array;
}

/* What every result of 'check' begins with. 'test' may be NULL. */
static json_t *json_head(const struct options *options, const char *path, const struct test *test,
                         const struct answer *answer)
{
    const struct solver_result *found = answer->found;
    return json_pack(
        "{s:o, s:o, s:o, s:o, s:o, s:s, s:s, s:i, s:i, s:i, s:b, s:i, s:b, s:o, s:b}", "file",
        json_text(path), "test", json_text(test ? test->name : NULL), "model",
        json_text(answer->job ? answer->job->settings->model : options->settings.model),
        "quantifier", test ? json_string(quantifier_word(test->quantifier)) : json_null(), "holds",
        json_holds(answer->verdict), "verdict", verdict_word(answer->verdict), "observation",
        answer->observation, "states", found->outcomes.items.len, "positive", answer->positive,
        "negative", answer->negative, "complete", found->complete, "races", answer->race_count,
        "races_complete", found->races_complete, "undefined", json_words(&answer->undefined),
        "undefined_complete",
        found->undefined_decided && found->outside_decided && !found->bound_reached);
}

static void add_axioms(json_t *object, const struct options *options, json_t *axioms, bool complete,
                       double milliseconds)
{
    json_object_set_new(object, "axioms", axioms);
    json_object_set_new(object, "axioms_complete", json_boolean(complete));
    json_object_set_new(object, "milliseconds", json_milliseconds(options, milliseconds));
}

static void add_details(json_t *object, const struct answer *answer)
{
    const struct solver_result *found = answer->found;
    json_t *bound = found->bound_reached ? json_place(answer, found->bound_span) : json_null();
    json_object_update_new(
        object,
        json_pack("{s:o, s:o, s:b, s:b, s:o, s:o, s:o, s:o, s:o, s:o}", "error",
                  json_text(answer->error), "undecided", json_text(answer->open), "hangs",
                  found->can_hang || answer->hang.name, "hangs_complete",
                  found->hang_decided && !found->bound_reached && !hang_open(&answer->hang), "hang",
                  json_text(answer->hang.name), "unspecified", json_text(answer->unspecified),
                  "bound", bound, "race_list", json_pairs(answer, answer_is_race), "warnings",
                  json_words(&answer->warnings), "misuse_list",
                  json_pairs(answer, answer_is_misuse)));
}

json_t *json_nothing(const struct options *options, const char *path, const struct test *test,
                     enum verdict verdict, double milliseconds)
{
    static const struct solver_result nothing;
    const struct answer none = {.found = &nothing, .verdict = verdict, .observation = "unknown"};
    json_t *object = json_head(options, path, test, &none);
    add_axioms(object, options, json_array(), false, milliseconds);
    return object;
}

/* Are the axioms all that is to be said? Not when the verdict is open, or the reason for what is
 * unreachable was not found in time. */
static bool knows_axioms(const struct answer *answer, const struct reason *reason)
{
    bool negate;
    if (answer->verdict == VERDICT_UNDECIDED || answer->verdict == VERDICT_ERROR)
        return false;
    return reason || !answer_unreachable(answer, &negate);
}

json_t *json_answer(const struct options *options, const struct answer *answer,
                    const struct reason *reason, const struct expect_result *expected)
{
    const struct job *job = answer->job;
    json_t *object = json_head(options, job->path, job->test, answer);
    add_axioms(object, options, json_axioms(job, reason), knows_axioms(answer, reason),
               answer->milliseconds);
    add_details(object, answer);
    if (expected)
        json_object_set_new(object, "expected", json_expected(expected));
    return object;
}

/* A printed value: a number when JSON can carry it whole, else text (an address, 64 bits unsigned).
 */
static json_t *json_value(const char *printed)
{
    uint64_t number;
    bool fits = number_integer(printed, strlen(printed), number_range(64, true, false), &number) ==
                NUMBER_GOOD;
    return fits ? json_integer((json_int_t)number) : json_text(printed);
}

json_t *json_state(struct arena *arena, const struct test *test, const uint64_t *values)
{
    assert(arena && test);
    json_t *object = json_object();
    for (uint32_t i = 0; i < test->observed_count; i++) {
        const struct cond_term *term = &test->observed[i];
        const char *name = outcome_term_name(arena, test, term);
        g_autofree char *key = g_strdup(*name == '[' ? name + 1 : name);
        if (*name == '[')
            key[strlen(key) - 1] = '\0';
        json_object_set_new(object, key,
                            json_value(outcome_print_value(arena, test, term, values[i])));
    }
    return object;
}
