/* SPDX-License-Identifier: MIT
 *
 * Time and memory that run out at any moment: cut FILE.litmus… checks each test with a clock that
 * says at the k-th look that the time is over, and with an allocator that refuses the k-th block,
 * for every k up to what the whole check asks for (an even sample of MOST where that is more). What
 * such a check calls decided is what the whole one says. TAP: a line a test. */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "cli/answer/input.h"
#include "cli/show/json.h"
#include "litmus/base/source.h"
#include "model/models/models.h"

enum { MOST = 40 };
static const char *const model_name = "ptx";

/* Counts requests and refuses from the k-th on. */
struct tap {
    uint64_t asked, from; /* from: 0 never */
};

static bool runs_dry(struct tap *tap)
{
    return ++tap->asked >= tap->from && tap->from;
}

enum { TIMEOUT_SECONDS = 1000000 };

/* Once it is over, each look is past every deadline that an earlier one made. */
static int64_t look(void *context)
{
    struct tap *tap = context;
    int64_t late = INT64_C(2000000) * TIMEOUT_SECONDS;
    return runs_dry(tap) ? (int64_t)(tap->asked - tap->from + 1) * late : 0;
}

static bool refuse(void *context, size_t bytes)
{
    (void)bytes;
    return runs_dry(context);
}

/* ---- a check -------------------------------------------------------------------------------- */

struct attempt {
    const char *path;
    struct arena *arena;
    struct tap time, memory;
    struct options options;
    struct note note;
    json_t *found, *states;
    GString *text; /* what was found, as a line */
    bool read;
};

static json_t *list_states(const struct job *job, const struct solver_result *found)
{
    json_t *list = json_object();
    for (uint32_t i = 0; i < found->outcomes.items.len; i++) {
        const struct outcome *state = &found->outcomes.items.at[i];
        json_object_set_new(
            list, outcome_print(job->arena, job->test, state->values),
            json_pack("{s:o, s:o}", "race",
                      state->race_open ? json_null() : json_boolean(state->race), "race_free",
                      state->race_free_open ? json_null() : json_boolean(state->race_free)));
    }
    return list;
}

static void answer_job(struct attempt *attempt, struct job *job)
{
    struct answer answer = answer_new(job, ANSWER_STATE_RACES);
    struct solver_options options = job_solver_options(job, false);
    struct reason *reason = NULL;
    bool negate;
    if (answer_unreachable(&answer, &negate))
        reason = solver_explain(job->arena, &options, negate);
    struct expect_result expected = expect_compare(job, &answer);
    attempt->found = json_answer(&attempt->options, &answer, reason, &expected);
    json_line(json_incref(attempt->found), attempt->text);
    json_object_set_new(
        attempt->found, "open",
        json_boolean(expected.status != EXPECT_MET && expected.status != EXPECT_MISSED));
    attempt->states = list_states(job, answer.found);
}

static void work(void *context)
{
    struct attempt *attempt = context;
    struct solver_clock clock = {look, &attempt->time};
    struct job job = {.settings = &attempt->options.settings,
                      .path = attempt->path,
                      .arena = attempt->arena,
                      .diags = {.arena = attempt->arena},
                      .note = &attempt->note,
                      .started = job_clock(),
                      .clock = &clock};
    struct input input = {.path = attempt->path};
    const struct source *source = input_read(job.arena, &input, &job.diags);
    job.model = model_load(job.arena, model_name, &job.diags);
    attempt->read = source && job_read(&job, source, true);
    if (attempt->read)
        answer_job(attempt, &job);
}

static void begin(struct attempt *attempt, const char *path, uint64_t time, uint64_t memory)
{
    *attempt = (struct attempt){.path = path,
                                .arena = arena_new(),
                                .time = {.from = time},
                                .memory = {.from = memory},
                                .text = g_string_new(NULL)};
    options_default(&attempt->options);
    attempt->options.no_time = true;
    attempt->options.settings.timeout = TIMEOUT_SECONDS;
    struct arena_limits limits = {.refuse = refuse, .context = &attempt->memory};
    arena_run(attempt->arena, &limits, work, attempt);
}

static void end(struct attempt *attempt)
{
    json_decref(attempt->found);
    json_decref(attempt->states);
    g_string_free(attempt->text, TRUE);
    arena_free(attempt->arena);
}

/* ---- a check that was cut against the whole one --------------------------------------------- */

static bool same(const struct attempt *cut, const struct attempt *whole, const char *key)
{
    return json_equal(json_object_get(cut->found, key), json_object_get(whole->found, key));
}

/* Keys, and the key that is true when they are known. */
static const struct {
    const char *known, *keys[4];
} guarded[] = {
    {"complete", {"states", "positive", "negative", "complete"}},
    {"races_complete", {"races", "race_list", "warnings"}},
    {"undefined_complete", {"undefined"}},
    {"axioms_complete", {"axioms"}},
    {"hangs_complete", {"hangs", "hang"}},
};

static bool says(const struct attempt *attempt, const char *key, const char *word)
{
    return strcmp(json_string_value(json_object_get(attempt->found, key)), word) == 0;
}

/* The key that differs although it is called known, or NULL. */
static const char *wrong_key(const struct attempt *cut, const struct attempt *whole)
{
    if (!says(cut, "verdict", "undecided") && !same(cut, whole, "verdict"))
        return "verdict";
    if (!says(cut, "observation", "unknown") && !same(cut, whole, "observation"))
        return "observation";
    if (!json_is_null(json_object_get(cut->found, "unspecified")) &&
        !same(cut, whole, "unspecified"))
        return "unspecified";
    if (json_is_false(json_object_get(cut->found, "open")) && !same(cut, whole, "expected"))
        return "expected";
    for (size_t i = 0; i < G_N_ELEMENTS(guarded); i++)
        for (size_t k = 0; json_is_true(json_object_get(cut->found, guarded[i].known)) && k < 4;
             k++)
            if (guarded[i].keys[k] && !same(cut, whole, guarded[i].keys[k]))
                return guarded[i].keys[k];
    return NULL;
}

/* A state that is not allowed, or of which something is called known that is not so, or NULL. */
static const char *wrong_state(const struct attempt *cut, const struct attempt *whole)
{
    const char *name, *key;
    json_t *state, *value;
    json_object_foreach(cut->states, name, state)
    {
        const json_t *there = json_object_get(whole->states, name);
        json_object_foreach(
            state, key,
            value) if (!there || (!json_is_null(value) &&
                                  !json_equal(value, json_object_get(there, key)))) return name;
    }
    return NULL;
}

static bool agrees(const struct attempt *cut, const struct attempt *whole, const char *kind,
                   uint64_t k)
{
    const char *wrong;
    if (!cut->found) /* left in the middle: nothing was said */
        return true;
    wrong = wrong_key(cut, whole);
    if (!wrong)
        wrong = wrong_state(cut, whole);
    if (wrong)
        printf("# %s: %s over at request %" G_GUINT64_FORMAT ": %s\n# %s# %s", whole->path, kind, k,
               wrong, cut->text->str, whole->text->str);
    return !wrong;
}

static bool survives(const struct attempt *whole, bool time)
{
    uint64_t count = time ? whole->time.asked : whole->memory.asked;
    uint64_t step = (count + MOST - 1) / MOST;
    bool good = true;
    for (uint64_t k = 1; k <= count && good; k += step) {
        struct attempt cut;
        begin(&cut, whole->path, time ? k : 0, time ? 0 : k);
        good = agrees(&cut, whole, time ? "time" : "memory", k);
        end(&cut);
    }
    return good;
}

static bool check(const char *path, int number)
{
    struct attempt whole;
    begin(&whole, path, 0, 0);
    bool good = whole.found && survives(&whole, true) && survives(&whole, false);
    printf("%sok %d - %s: %" G_GUINT64_FORMAT " looks at the clock, %" G_GUINT64_FORMAT " blocks\n",
           good ? "" : "not ", number, path, whole.time.asked, whole.memory.asked);
    end(&whole);
    return good;
}

int main(int argc, char **argv)
{
    bool good = argc > 1;
    printf("TAP version 13\n1..%d\n", argc - 1);
    for (int i = 1; i < argc; i++)
        good &= check(argv[i], i);
    return !good;
}
