/* SPDX-License-Identifier: MIT */
#include "cli/json.h"

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

void json_line(json_t *object, GString *out)
{
    assert(json_is_object(object));
    g_assert(object); /* a test whose result cannot be printed is lost by name, not silently */
    json_dump_callback(object, append_bytes, out, JSON_COMPACT | JSON_REAL_PRECISION(6));
    g_string_append_c(out, '\n');
    json_decref(object);
}

json_t *json_words(const char *const *words, uint32_t count)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < count; i++)
        json_array_append_new(array, json_text(words[i]));
    return array;
}

/* Times are left out on request, so that equal results are equal bytes. */
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

static json_t *json_place(const struct answer *answer, struct span span)
{
    struct place place = source_place(answer->job->test->source, span.offset);
    return json_pack("{s:i, s:i}", "line", (int)place.line, "column", (int)place.column);
}

static json_t *json_access(const struct answer *answer, const struct graph *graph, event_id id)
{
    const struct event *event = &graph->events[id];
    json_t *object = json_place(answer, event->span);
    const char *thread = event->thread == NONE ? "init" : graph->threads[event->thread].name;
    json_object_set_new(object, "thread", json_text(thread));
    json_object_set_new(object, "text", json_text(event->text));
    return object;
}

/* The races, or the other pairs that flags name. */
static json_t *json_pairs(const struct answer *answer, bool races)
{
    json_t *array = json_array();
    for (uint32_t i = 0; i < answer->found->race_count; i++) {
        const struct race *race = &answer->found->races[i];
        const struct graph *graph = answer->job->graphs[race->graph];
        if (answer_is_race(race) != races)
            continue;
        json_array_append_new(array, json_pack("{s:o, s:o, s:o}", "flag", json_text(race->flag),
                                               "a", json_access(answer, graph, race->a), "b",
                                               json_access(answer, graph, race->b)));
    }
    return array;
}

static void add_counts(json_t *object, const struct answer *answer)
{
    const struct solver_result *found = answer->found;
    json_object_set_new(object, "observation", json_string(answer->observation));
    json_object_set_new(object, "states", json_integer(found->outcomes.items.len));
    json_object_set_new(object, "positive", json_integer(answer->positive));
    json_object_set_new(object, "negative", json_integer(answer->negative));
    json_object_set_new(object, "complete", json_boolean(found->complete));
    json_object_set_new(object, "races", json_integer(answer->race_count));
    json_object_set_new(object, "races_complete", json_boolean(found->races_complete));
    json_object_set_new(object, "undefined",
                        json_words(answer->undefined, answer->undefined_count));
    json_object_set_new(object, "undefined_complete",
                        json_boolean(found->undefined_decided && found->outside_decided));
}

static void add_details(json_t *object, const struct answer *answer)
{
    const struct solver_result *found = answer->found;
    json_object_set_new(object, "undecided", json_text(answer->open));
    json_object_set_new(object, "hangs", json_boolean(found->can_hang || answer->hang.name));
    json_object_set_new(object, "hangs_complete",
                        json_boolean(found->hang_decided && !hang_open(&answer->hang)));
    json_object_set_new(object, "hang", json_text(answer->hang.name));
    json_object_set_new(object, "unspecified", json_text(answer->unspecified));
    json_object_set_new(object, "bound",
                        found->bound_reached ? json_place(answer, found->bound_span) : json_null());
    json_object_set_new(object, "race_list", json_pairs(answer, true));
    json_object_set_new(object, "warnings", json_words(answer->warnings, answer->warning_count));
    json_object_set_new(object, "misuse_list", json_pairs(answer, false));
}

json_t *json_head(const struct options *options, const char *path, const struct test *test,
                  enum verdict verdict)
{
    return json_pack("{s:o, s:o, s:o, s:o, s:o, s:s}", "file", json_text(path), "test",
                     json_text(test ? test->name : NULL), "model", json_text(options->model),
                     "quantifier",
                     test ? json_string(quantifier_word(test->quantifier)) : json_null(), "holds",
                     json_holds(verdict), "verdict", verdict_word(verdict));
}

void json_nothing_found(json_t *object)
{
    json_t *keys = json_pack("{s:s, s:i, s:i, s:i, s:b, s:i, s:b, s:[], s:b, s:[], s:b}",
                             "observation", "unknown", "states", 0, "positive", 0, "negative", 0,
                             "complete", 0, "races", 0, "races_complete", 0, "undefined",
                             "undefined_complete", 0, "axioms", "axioms_complete", 0);
    json_object_update(object, keys);
    json_decref(keys);
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

void json_answer(const struct answer *answer, const struct reason *reason,
                 const struct expect_result *expected, GString *out)
{
    const struct job *job = answer->job;
    json_t *object = json_head(job->options, job->path, job->test, answer->verdict);
    add_counts(object, answer);
    json_object_set_new(object, "axioms", json_axioms(job, reason));
    json_object_set_new(object, "axioms_complete", json_boolean(knows_axioms(answer, reason)));
    json_object_set_new(object, "milliseconds",
                        json_milliseconds(job->options, answer->milliseconds));
    json_object_set_new(object, "error", json_text(answer->error));
    add_details(object, answer);
    if (expected)
        json_object_set_new(object, "expected", json_expected(expected));
    json_line(object, out);
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
