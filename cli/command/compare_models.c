/* SPDX-License-Identifier: MIT
 *
 * ptxlit compare-models: the tests that tell two models apart, smallest first, with what each model
 * says. Each test is worked on once for each model; the parent process compares the two answers. */
#include <stdio.h>
#include <string.h>

#include "cli/work/batch.h"
#include "cli/work/stream.h"
#include "cli/command/commands.h"
#include "cli/command/tell_apart.h"
#include "cli/answer/why/explanation.h"
#include "cli/show/json.h"

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

static enum verdict ask_model(struct batch_job *one)
{
    struct answer answer = batch_answer(one, ANSWER_WITNESSES);
    struct explanation explanation = explanation_new(&one->job, &answer);
    g_autoptr(GString) text = g_string_new(NULL);
    uint32_t events = 0;
    for (uint32_t i = 0; i < one->job.graph_count; i++)
        events += one->job.graphs[i]->event_count;
    explanation_text(&explanation, text);
    json_t *object = json_answer(one->options, &answer, explanation.reason, NULL);
    json_object_update_new(object,
                           json_pack("{s:o, s:i, s:o}", "state_list", state_words(&answer),
                                     "events", events, "explanation", json_text(text->str)));
    json_line(object, one->result->out);
    return answer.verdict;
}

/* ---- in the parent -------------------------------------------------------------------------- */

static bool is_among(const json_t *array, const json_t *text)
{
    size_t i = 0;
    while (i < json_array_size(array) && !json_equal(json_array_get(array, i), text))
        i++;
    return i < json_array_size(array);
}

/* The states that only 'a' allows. */
static json_t *only(const json_t *a, const json_t *b)
{
    const json_t *states = json_object_get(a, "state_list");
    json_t *result = json_array();
    for (size_t i = 0; i < json_array_size(states); i++)
        if (!is_among(json_object_get(b, "state_list"), json_array_get(states, i)))
            json_array_append(result, json_array_get(states, i));
    return result;
}

static bool is_decided(const json_t *test)
{
    const char *verdict = json_text_at(test, "verdict");
    return json_is_true(json_object_get(test, "complete")) &&
           (strcmp(verdict, "holds") == 0 || strcmp(verdict, "fails") == 0);
}

/* What one test says of both models; NULL when it says the same, or one of the two is not known. */
static json_t *difference(const struct sides *sides, size_t i)
{
    const json_t *a = json_array_get(sides->tests[0], i), *b = json_array_get(sides->tests[1], i);
    json_t *only_a = only(a, b), *only_b = only(b, a);
    bool same = !json_array_size(only_a) && !json_array_size(only_b) &&
                json_equal(json_object_get(a, "undefined"), json_object_get(b, "undefined")) &&
                strcmp(json_text_at(a, "verdict"), json_text_at(b, "verdict")) == 0;
    json_auto_t *object = json_pack(
        "{s:s, s:s, s:O?, s:[o,o], s:[s,s], s:[o,o], s:[s,s]}", "test", json_text_at(a, "test"),
        "file", json_text_at(a, "file"), "events", json_object_get(a, "events"), "models",
        json_text(sides->model[0]), json_text(sides->model[1]), "verdicts",
        json_text_at(a, "verdict"), json_text_at(b, "verdict"), "only", only_a, only_b,
        "explanations", json_text_at(a, "explanation"), json_text_at(b, "explanation"));
    return !same && is_decided(a) && is_decided(b) ? json_incref(object) : NULL;
}

static json_int_t events_of(const json_t *difference)
{
    return json_integer_value(json_object_get(difference, "events"));
}

static int smaller(gconstpointer a, gconstpointer b)
{
    json_int_t x = events_of(*(json_t *const *)a), y = events_of(*(json_t *const *)b);
    return (x > y) - (x < y);
}

static void print_text(const json_t *difference, GString *out)
{
    g_string_append_printf(out, "Test %s %" JSON_INTEGER_FORMAT " events %s\n",
                           json_text_at(difference, "test"), events_of(difference),
                           json_text_at(difference, "file"));
    const char *model[2], *explanation[2];
    json_t *states[2];
    json_unpack((json_t *)difference, "{s:[s,s], s:[o,o], s:[s,s]}", "models", &model[0], &model[1],
                "only", &states[0], &states[1], "explanations", &explanation[0], &explanation[1]);
    for (size_t side = 0; side < 2; side++)
        for (size_t i = 0; i < json_array_size(states[side]); i++)
            g_string_append_printf(out, "Only %s allows %s\n", model[side],
                                   json_string_value(json_array_get(states[side], i)));
    g_string_append_printf(out, "%s%s\n", explanation[0], explanation[1]);
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
    g_autoptr(GPtrArray) found = g_ptr_array_new();
    for (size_t i = 0; i < json_array_size(sides->tests[0]); i++) {
        json_t *different = difference(sides, i);
        if (different)
            g_ptr_array_add(found, different);
        *open += !is_decided(json_array_get(sides->tests[0], i)) ||
                 !is_decided(json_array_get(sides->tests[1], i));
    }
    g_ptr_array_sort(found, smaller); /* stable: equal sizes stay in the order of the inputs */
    for (guint i = 0; i < found->len; i++) {
        print(options, found->pdata[i]);
        json_decref(found->pdata[i]);
    }
    return found->len;
}

/* The tests that both sides are asked about. */
struct questions {
    struct input_list tests;
    bool given;           /* 'tests' are all; else the arguments name them */
    uint64_t tried, open; /* of generated tests: those that were made, and could not be decided */
    bool generated, complete;
};

/* What stands on standard input can be read once. */
static void read_stream(struct arena *arena, const struct options *options,
                        struct questions *questions, struct diag_list *diags)
{
    const char *const *arguments = options->arguments;
    struct test_stream stream = stream_open(stdin);
    for (uint32_t i = 2; i < options->argument_count; i++)
        if (strcmp(arguments[i], "-") != 0)
            walk_inputs(arena, &arguments[i], 1, &questions->tests, diags);
        else
            while (stream_next(&stream, arena, &questions->tests, diags))
                continue;
    stream_close(&stream);
    questions->given = true;
}

static bool has_stream(const struct options *options)
{
    for (uint32_t i = 2; i < options->argument_count; i++)
        if (strcmp(options->arguments[i], "-") == 0)
            return true;
    return false;
}

static bool ask_generator(struct arena *arena, const struct options *options,
                          struct questions *questions)
{
    struct told_apart told;
    if (!tell_apart(arena, options, &told))
        return false;
    questions->given = questions->generated = true;
    questions->tests = told.tests;
    questions->tried = told.tried;
    questions->open = told.open;
    questions->complete = told.complete;
    return true;
}

/* False after an error, which standard error has. */
static bool collect_questions(struct arena *arena, const struct options *options,
                              struct questions *questions)
{
    struct diag_list diags = {.arena = arena};
    if (options->generate == (options->argument_count > 2))
        diag_add(&diags, DIAG_arguments_count, NULL, (struct span){0}, NULL,
                 "'compare-models A B' needs tests, or '--generate', and not both");
    else if (options->generate)
        return ask_generator(arena, options, questions);
    else if (has_stream(options))
        read_stream(arena, options, questions, &diags);
    for (uint32_t i = 0; i < diags.items.len; i++)
        fprintf(stderr, "ptxlit: %s", diag_render(arena, &diags.items.at[i]));
    return !diags.errors;
}

static void append(void *tests, const struct input *input, json_t *test)
{
    (void)input;
    json_array_append_new(tests, test);
}

static int ask_both(const struct options *options, const struct questions *questions,
                    struct sides *sides)
{
    bool wrong = false;
    for (int side = 0; side < 2; side++) {
        struct options one = *options;
        one.settings.model = sides->model[side];
        one.settings.model_named = true;
        one.shard = questions->generated ? NULL : options->shard;
        one.arguments = options->arguments + 2;
        one.argument_count = options->argument_count - 2;
        int status =
            batch_collect(&(struct batch){.options = &one,
                                          .unfolded = true,
                                          .work = ask_model,
                                          .given = questions->given ? &questions->tests : NULL},
                          append, sides->tests[side]);
        wrong |= status == EXIT_WRONG_INPUT;
        if (!json_array_size(sides->tests[side]) && !questions->generated)
            return EXIT_WRONG_INPUT; /* no such model, or no test */
    }
    uint32_t open = 0, found = print_all(options, sides, &open);
    uint64_t all = questions->generated ? questions->tried : json_array_size(sides->tests[0]);
    open += (uint32_t)questions->open;
    fprintf(stderr, "%u of %" G_GUINT64_FORMAT " tests tell %s and %s apart; %u are undecided\n",
            found, all, sides->model[0], sides->model[1], open);
    if (questions->generated && !questions->complete)
        return EXIT_UNDECIDED;
    if (wrong)
        return EXIT_WRONG_INPUT;
    return found ? EXIT_FAILS : open ? EXIT_UNDECIDED : EXIT_HOLDS;
}

int command_compare_models(const struct options *options)
{
    struct sides sides = {{options->arguments[0], options->arguments[1]},
                          {json_array(), json_array()}};
    struct arena *arena = arena_new();
    struct questions questions = {0};
    int status = collect_questions(arena, options, &questions)
                     ? ask_both(options, &questions, &sides)
                     : EXIT_WRONG_INPUT;
    arena_free(arena);
    json_decref(sides.tests[0]);
    json_decref(sides.tests[1]);
    return status;
}
