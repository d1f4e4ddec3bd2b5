/* SPDX-License-Identifier: MIT */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/work/batch.h"
#include "cli/command/commands.h"
#include "cli/answer/explanation.h"
#include "cli/show/json.h"
#include "cli/report/report.h"
#include "litmus/base/sort.h"

/* Tests that tell two models apart, smallest first, with what each model says. The tests are worked
 * on once a model; the parent holds the two answers side by side. */

struct sides {
    const char *model[2];
    json_t *tests[2]; /* arrays, in the order of the inputs: lost tests too */
};

/* ---- in a worker ---------------------------------------------------------------------------- */

static json_t *state_words(const struct answer *answer)
{
    const struct outcome_set *set = &answer->found->outcomes;
    json_t *array = json_array();
    for (uint32_t i = 0; i < set->items.len; i++)
        json_array_append_new(array, json_text(outcome_print(answer->job->arena, answer->job->test,
                                                             set->items.at[i].values)));
    return array;
}

static enum verdict ask_model(struct job *job)
{
    struct solver_options options = answer_options(job, true);
    struct answer answer = answer_new(job, solve(job->arena, &options));
    struct explanation explanation = explanation_new(job, &answer);
    g_autoptr(GString) line = g_string_new(NULL), text = g_string_new(NULL);
    uint32_t events = 0;
    for (uint32_t i = 0; i < job->graph_count; i++)
        events += job->graphs[i]->event_count;
    explanation_text(&explanation, text);
    json_answer(&answer, explanation.reason, NULL, line);
    json_t *object = json_loads(line->str, 0, NULL);
    json_object_set_new(object, "state_list", state_words(&answer));
    json_object_set_new(object, "events", json_integer(events));
    json_object_set_new(object, "explanation", json_text(text->str));
    json_line(object, job->result->out);
    return answer.verdict;
}

/* ---- in the parent -------------------------------------------------------------------------- */

static void take(void *context, const struct result *result)
{
    json_t *test = json_loadb(result->out->str, result->out->len, 0, NULL);
    json_array_append_new(context, test ? test : json_object());
}

static bool holds_text(const json_t *array, const char *text)
{
    for (size_t i = 0; i < json_array_size(array); i++)
        if (strcmp(json_string_value(json_array_get(array, i)), text) == 0)
            return true;
    return false;
}

/* The states that only 'a' allows. */
static json_t *only(const json_t *a, const json_t *b)
{
    const json_t *states = json_object_get(a, "state_list");
    json_t *result = json_array();
    for (size_t i = 0; i < json_array_size(states); i++) {
        json_t *state = json_array_get(states, i);
        if (!holds_text(json_object_get(b, "state_list"), json_string_value(state)))
            json_array_append(result, state);
    }
    return result;
}

static bool is_decided(const json_t *test)
{
    const char *verdict = report_text(test, "verdict");
    return json_is_true(json_object_get(test, "complete")) &&
           (strcmp(verdict, "holds") == 0 || strcmp(verdict, "fails") == 0);
}

/* What one test says of both models; NULL when it says the same. 'differ' counts what is known. */
static json_t *difference(const struct sides *sides, size_t i)
{
    const json_t *a = json_array_get(sides->tests[0], i), *b = json_array_get(sides->tests[1], i);
    json_t *only_a = only(a, b), *only_b = only(b, a);
    bool same = !json_array_size(only_a) && !json_array_size(only_b) &&
                json_equal(json_object_get(a, "undefined"), json_object_get(b, "undefined")) &&
                strcmp(report_text(a, "verdict"), report_text(b, "verdict")) == 0;
    json_t *object = NULL;
    if (!same && is_decided(a) && is_decided(b))
        object = json_pack("{s:s, s:s, s:O, s:[o,o], s:[s,s], s:[O,O], s:[s,s]}", "test",
                           report_text(a, "test"), "file", report_text(a, "file"), "events",
                           json_object_get(a, "events"), "models", json_text(sides->model[0]),
                           json_text(sides->model[1]), "verdicts", report_text(a, "verdict"),
                           report_text(b, "verdict"), "only", only_a, only_b, "explanations",
                           report_text(a, "explanation"), report_text(b, "explanation"));
    json_decref(only_a);
    json_decref(only_b);
    return object;
}

struct turn {
    json_t *difference;
    size_t index;
};

static int smaller(const void *a, const void *b)
{
    const struct turn *x = a, *y = b;
    json_int_t p = json_integer_value(json_object_get(x->difference, "events"));
    json_int_t q = json_integer_value(json_object_get(y->difference, "events"));
    if (p != q)
        return p < q ? -1 : 1;
    return x->index < y->index ? -1 : x->index > y->index;
}

static void print_text(const json_t *difference, GString *out)
{
    g_string_append_printf(
        out, "Test %s %" JSON_INTEGER_FORMAT " events %s\n", report_text(difference, "test"),
        json_integer_value(json_object_get(difference, "events")), report_text(difference, "file"));
    for (size_t side = 0; side < 2; side++) {
        const json_t *states = json_array_get(json_object_get(difference, "only"), side);
        const char *model =
            json_string_value(json_array_get(json_object_get(difference, "models"), side));
        for (size_t i = 0; i < json_array_size(states); i++)
            g_string_append_printf(out, "Only %s allows %s\n", model,
                                   json_string_value(json_array_get(states, i)));
    }
    for (size_t side = 0; side < 2; side++)
        g_string_append(out, json_string_value(json_array_get(
                                 json_object_get(difference, "explanations"), side)));
    g_string_append_c(out, '\n');
}

static void print(const struct options *options, json_t *difference)
{
    g_autoptr(GString) out = g_string_new(NULL);
    if (options->json)
        json_line(json_incref(difference), out);
    else
        print_text(difference, out);
    fwrite(out->str, 1, out->len, stdout);
}

static uint32_t print_all(const struct options *options, const struct sides *sides, uint32_t *open)
{
    size_t count = json_array_size(sides->tests[0]), found = 0;
    g_autofree struct turn *turns = g_new0(struct turn, count);
    for (size_t i = 0; i < count; i++) {
        json_t *different = difference(sides, i);
        if (different)
            turns[found++] = (struct turn){different, i};
        *open += !is_decided(json_array_get(sides->tests[0], i)) ||
                 !is_decided(json_array_get(sides->tests[1], i));
    }
    sort_array(turns, found, sizeof *turns, smaller);
    for (size_t i = 0; i < found; i++) {
        print(options, turns[i].difference);
        json_decref(turns[i].difference);
    }
    return (uint32_t)found;
}

static int ask_both(const struct options *options, struct sides *sides)
{
    bool wrong = false;
    for (int side = 0; side < 2; side++) {
        struct options one = *options;
        one.model = sides->model[side];
        one.json = true; /* workers speak JSON, tests that were lost included */
        one.arguments = options->arguments + 2;
        one.argument_count = options->argument_count - 2;
        int status =
            batch_run_collecting(&one, BATCH_UNFOLDED, ask_model, take, sides->tests[side], NULL);
        wrong |= status == EXIT_WRONG_INPUT;
        if (!json_array_size(sides->tests[side]))
            return EXIT_WRONG_INPUT; /* no such model, or no test */
    }
    uint32_t open = 0, found = print_all(options, sides, &open);
    fprintf(stderr, "%u of %zu tests tell %s and %s apart; %u are undecided\n", found,
            json_array_size(sides->tests[0]), sides->model[0], sides->model[1], open);
    if (wrong)
        return EXIT_WRONG_INPUT;
    return found ? EXIT_FAILS : open ? EXIT_UNDECIDED : EXIT_HOLDS;
}

int command_compare_models(const struct options *options)
{
    struct sides sides = {{options->arguments[0], options->arguments[1]},
                          {json_array(), json_array()}};
    int status = ask_both(options, &sides);
    json_decref(sides.tests[0]);
    json_decref(sides.tests[1]);
    return status;
}
