/* SPDX-License-Identifier: MIT
 *
 * 'ptxlit map --bound N': a mapping over every program of up to N events. */
#include <stdio.h>
#include <string.h>

#include "cli/command/map.h"
#include "cli/show/json.h"
#include "cli/work/shard.h"
#include "model/bounded/search.h"
#include "model/bounded/shape.h"

struct bound_search {
    const struct options *options;
    const struct mapping_table *mapping;
    struct arena *arena;
    struct shard shard;
    struct bounded_question question;
    uint32_t workers;
    uint64_t shapes, programs;
    uint32_t events; /* of the program that was found, or 0 */
    struct bounded_answer found;
    double started, seconds;
};

/* ---- several threads ------------------------------------------------------------------------ */

struct bound_worker {
    struct bounded_question question;
    struct bounded_answer answer;
    GThread *thread;
};

static gpointer work(gpointer data)
{
    struct bound_worker *worker = data;
    bounded_search(&worker->question, &worker->answer);
    return NULL;
}

/* What they found first by number is what one of them alone would have found. */
static void join(struct bound_search *s, struct bound_worker *worker)
{
    g_thread_join(worker->thread);
    if (worker->answer.found && (!s->events || worker->answer.place < s->found.place)) {
        s->found = worker->answer;
        s->events = worker->question.events;
    }
}

/* How much was asked, whatever the workers asked beyond it. */
static void count(struct bound_search *s, const struct bound_worker *workers)
{
    struct bounded_answer asked = {0};
    struct bounded_shared alone = {.end = s->found.place + 1};
    struct bounded_question question = workers[0].question;
    question.counts_only = true;
    question.shared = &alone;
    if (s->events)
        bounded_search(&question, &asked);
    for (uint32_t i = 0; !s->events && i < s->workers; i++) {
        asked.shapes += workers[i].answer.shapes;
        asked.programs += workers[i].answer.programs;
    }
    s->shapes += asked.shapes;
    s->programs += asked.programs;
}

static bool search_size(struct bound_search *s, uint32_t events, uint32_t cycles)
{
    struct bound_worker *workers = g_new0(struct bound_worker, s->workers);
    struct bounded_shared shared = {.end = BOUNDED_NO_END};
    for (uint32_t i = 0; i < s->workers; i++) {
        workers[i].question = s->question;
        workers[i].question.events = events;
        workers[i].question.cycles = cycles;
        workers[i].question.part = s->shard.number - 1;
        workers[i].question.parts = s->shard.count;
        workers[i].question.shared = &shared;
        workers[i].thread = g_thread_new("bound", work, &workers[i]);
    }
    for (uint32_t i = 0; i < s->workers; i++)
        join(s, &workers[i]);
    count(s, workers);
    g_free(workers);
    return s->events;
}

static void search_sizes(struct bound_search *s, uint32_t most, uint32_t cycles)
{
    if (s->events)
        return;
    s->shapes = s->programs = 0; /* what was asked before is asked again, and counted once */
    for (uint32_t n = 2; n <= most; n++)
        if (search_size(s, n, cycles))
            return;
}

/* The search of all programs up to so many events takes less than a second. */
enum { FEW_EVENTS = 5 };

/* Few events first, then simple cycles, unless the smallest program is wanted: most counterexamples are of one kind. */
static void search(struct bound_search *s)
{
    double started = job_clock();
    uint32_t bound = (uint32_t)s->options->bound;
    if (!s->options->smallest && bound > FEW_EVENTS) {
        search_sizes(s, FEW_EVENTS, 0);
        search_sizes(s, bound, NARROW_CYCLES);
        search_sizes(s, bound, WIDE_CYCLES);
    }
    search_sizes(s, bound, 0);
    s->seconds = job_clock() - started;
}

/* ---- the answer ----------------------------------------------------------------------------- */

/* The models' texts have the last word on what the search found. */
static struct soundness confirm(struct bound_search *s, struct job *job, const char *profile)
{
    const char *text = bounded_write(s->arena, "bound", &s->found.program, &s->found.execution);
    const struct source *source = source_new(s->arena, "bound", text, strlen(text));
    if (!job_read(job, source, false))
        return (struct soundness){.verdict = SOUNDNESS_ERROR, .profile = profile, .target = "ptx"};
    return soundness_new(job, s->mapping, profile, "ptx", s->options->mixed_scopes);
}

static const char *size_words(const struct bound_search *s)
{
    return arena_printf(
        s->arena, "%" G_GUINT64_FORMAT " programs of %" G_GUINT64_FORMAT " shapes%s", s->programs,
        s->shapes, s->options->no_time ? "" : arena_printf(s->arena, " in %.1f s", s->seconds));
}

static void print_bound(const struct bound_search *s, const struct soundness *found,
                        const char *profile, GString *out)
{
    const char *mixed = s->options->mixed_scopes ? ", mixed scopes" : "";
    if (!s->events) {
        g_string_append_printf(out, "Mapping %s ptx against %s%s: none up to %u (%s)\n",
                               s->mapping->name, profile, mixed, s->options->bound, size_words(s));
        return;
    }
    g_string_append_printf(out, "Mapping %s ptx against %s%s: counterexample of %u events%s (%s)\n",
                           s->mapping->name, profile, mixed, s->events,
                           s->options->smallest ? ", none is smaller" : "", size_words(s));
    if (found->verdict == SOUNDNESS_UNSOUND)
        map_print_soundness(found, true, out);
    else
        g_string_append_printf(
            out, "Undecided the models do not confirm it (%s):\n%s",
            found->detail ? found->detail : "no state is wrong",
            bounded_write(s->arena, "bound", &s->found.program, &s->found.execution));
}

static json_t *json_bound(const struct bound_search *s, const struct soundness *found,
                          const char *profile)
{
    bool confirmed = s->events && found->verdict == SOUNDNESS_UNSOUND;
    return json_pack("{s:s, s:i, s:I, s:I, s:s, s:b, s:b, s:o, s:o, s:o, s:o}", "mapping",
                     s->mapping->name, "bound", s->options->bound, "programs",
                     (json_int_t)s->programs, "shapes", (json_int_t)s->shapes, "profile", profile,
                     "mixed_scopes", s->options->mixed_scopes, "smallest", s->options->smallest,
                     "sound",
                     !s->events  ? json_true()
                     : confirmed ? json_false()
                                 : json_null(),
                     "events", s->events ? json_integer(s->events) : json_null(), "seconds",
                     s->options->no_time ? json_null() : json_real(s->seconds), "counterexample",
                     confirmed ? map_json_counterexample(found) : json_null());
}

/* ---- the command ---------------------------------------------------------------------------- */

static enum verdict ask_profile(struct bound_search *s, const char *profile, json_t *profiles)
{
    struct note note = {.stage = "searching"};
    struct job job = {.settings = &s->options->settings,
                      .path = "bound",
                      .arena = s->arena,
                      .diags = {.arena = s->arena},
                      .note = &note};
    struct soundness found = {.verdict = SOUNDNESS_SOUND};
    g_autoptr(GString) out = g_string_new(NULL);
    s->question.split = strcmp(profile, "cpp+split") == 0;
    s->shapes = s->programs = s->events = 0;
    search(s);
    job.started = job_clock(); /* the timeout is that of the confirmation */
    if (s->events)
        found = confirm(s, &job, profile);
    if (s->options->json)
        json_array_append_new(profiles, json_bound(s, &found, profile));
    else
        print_bound(s, &found, profile, out);
    fwrite(out->str, 1, out->len, stdout);
    fflush(stdout);
    if (s->events && found.verdict != SOUNDNESS_UNSOUND)
        return VERDICT_UNDECIDED;
    return s->events ? VERDICT_FAILS : VERDICT_HOLDS;
}

/* One object: that of the first profile, and below "profiles" those of all. */
static void print_profiles(json_t *profiles)
{
    g_autoptr(GString) out = g_string_new(NULL);
    json_t *object = json_copy(json_array_get(profiles, 0));
    json_object_set_new(object, "profiles", profiles);
    json_line(object, out);
    fwrite(out->str, 1, out->len, stdout);
}

static int ask_profiles(struct bound_search *s)
{
    static const char *const all[] = {"cpp", "cpp+split"};
    const char *model = s->options->settings.model_named ? s->options->settings.model : NULL;
    json_t *profiles = json_array();
    uint32_t counts[VERDICT_COUNT] = {0};
    for (size_t i = 0; i < G_N_ELEMENTS(all); i++)
        if (!model || strcmp(model, all[i]) == 0)
            counts[ask_profile(s, all[i], profiles)]++;
    if (s->options->json)
        print_profiles(profiles);
    else
        json_decref(profiles);
    return counts[VERDICT_FAILS]       ? EXIT_FAILS
           : counts[VERDICT_UNDECIDED] ? EXIT_UNDECIDED
                                       : EXIT_HOLDS;
}

/* What is wrong with the question, or NULL. */
static const char *fault(struct bound_search *s)
{
    const struct options *options = s->options;
    const char *model = options->settings.model;
    if (options->argument_count)
        return "--bound takes no files";
    if (!shard_parse(options->shard, &s->shard))
        return "--shard takes K/N, K from 1 to N";
    if (options->settings.model_named && strcmp(model, "cpp") != 0 &&
        strcmp(model, "cpp+split") != 0)
        return "--bound knows the models cpp and cpp+split, and ptx for what they become";
    if (!bounded_can_search(s->mapping, options->bound))
        return "--bound knows at most 12 events, and 32 instructions, a program";
    return NULL;
}

int map_bound(const struct options *options, struct arena *arena,
              const struct mapping_table *mapping, struct diag_list *diags)
{
    struct bound_search s = {.options = options, .mapping = mapping, .arena = arena};
    s.question.mapping = mapping;
    s.question.mixed_scopes = options->mixed_scopes;
    s.workers = options->jobs ? options->jobs : g_get_num_processors();
    const char *wrong = fault(&s);
    if (!wrong)
        return ask_profiles(&s);
    diag_add(diags, DIAG_option_value, NULL, (struct span){0, 0}, NULL, "%s", wrong);
    return EXIT_WRONG_INPUT;
}
