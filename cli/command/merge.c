/* SPDX-License-Identifier: MIT
 *
 * ptxlit merge: joins the reports of all shards. The result has the same bytes as the report of a
 * run without shards. */
#include "cli/report/report.h"

#include <stdio.h>
#include <string.h>

#include "cli/command/commands.h"
#include "cli/report/stored.h"

struct shards {
    struct stored *parts; /* a shard: its report; a path of NULL while it is missing */
    uint32_t count;
};

/* Says what is wrong with a report, and drops it. */
static bool refuse(struct stored *part, const char *why)
{
    fprintf(stderr, "ptxlit: '%s' %s\n", part->path, why);
    stored_close(part);
    return false;
}

/* What the shard's tests in PTX are judged by: tests in C++ may be all that it has. */
static const char *model_of(const struct stored *part)
{
    return json_text_at(json_object_get(part->head, "shard"), "model");
}

/* Takes the report over. */
static bool add_part(struct shards *shards, struct stored *part)
{
    json_int_t number = 0, count = 0;
    const struct stored *first = NULL;
    for (uint32_t i = 0; i < shards->count && !first; i++)
        first = shards->parts[i].path ? &shards->parts[i] : NULL;
    json_unpack(part->head, "{s:{s:I, s:I}}", "shard", "number", &number, "count", &count);
    if (number < 1 || number > count || count > 100000)
        return refuse(part, "is not the report of a shard");
    if (!shards->count) {
        shards->count = (uint32_t)count;
        shards->parts = g_new0(struct stored, shards->count);
    }
    if (count != shards->count || (first && strcmp(model_of(first), model_of(part)) != 0))
        return refuse(part, "belongs to another run");
    if (shards->parts[number - 1].path)
        return refuse(part, "is a shard that was given before");
    shards->parts[number - 1] = *part;
    return true;
}

static bool open_parts(const struct options *options, struct shards *shards)
{
    for (uint32_t i = 0; i < options->argument_count; i++) {
        struct stored part;
        if (!stored_open(&part, options->arguments[i]) || !add_part(shards, &part))
            return false;
    }
    uint32_t missing = 0;
    for (uint32_t i = 0; i < shards->count; i++)
        if (!shards->parts[i].path && ++missing)
            fprintf(stderr, "ptxlit: shard %u/%u is missing\n", i + 1, shards->count);
    return !missing;
}

/* The next test of each shard, by its place among all tests. */
struct next_tests {
    const struct shards *shards;
    GHashTable *at;  /* a place: the shard whose test it is */
    json_t **tests;  /* a shard: its next test */
    uint64_t *taken; /* a shard: how many of its tests were met */
};

/* Of versions without places, every N-th test is the shard's. */
static uint64_t place_of(const struct next_tests *next, const json_t *test, uint32_t part)
{
    const json_t *place = json_object_get(test, "place");
    return place ? (uint64_t)json_integer_value(place)
                 : next->taken[part] * next->shards->count + part;
}

/* Meets the next test of a shard, if there is one. False after saying what is wrong with it. */
static bool advance(struct next_tests *next, uint32_t part)
{
    struct stored *stored = &next->shards->parts[part];
    json_t *test = stored_next(stored);
    next->tests[part] = test;
    if (!test)
        return !stored->damaged;
    gint64 place = (gint64)place_of(next, test, part);
    next->taken[part]++;
    g_hash_table_insert(next->at, g_memdup2(&place, sizeof place), GUINT_TO_POINTER(part));
    return true;
}

static bool take_next(struct next_tests *next, gint64 place, struct report *report, bool *found)
{
    gpointer part;
    *found = g_hash_table_lookup_extended(next->at, &place, NULL, &part);
    if (!*found)
        return true;
    report_take(report, next->tests[GPOINTER_TO_UINT(part)]);
    json_decref(next->tests[GPOINTER_TO_UINT(part)]);
    g_hash_table_remove(next->at, &place);
    return advance(next, GPOINTER_TO_UINT(part));
}

/* One place after the other. What is left behind the last is of another list, and so is one that two shards have. */
static bool join_next(struct next_tests *next, struct report *report)
{
    bool whole = true, found = true;
    for (uint32_t i = 0; whole && i < next->shards->count; i++)
        whole = advance(next, i);
    for (gint64 place = 0; whole && found; place++)
        whole = take_next(next, place, report, &found);
    uint64_t left = 0;
    for (uint32_t i = 0; whole && i < next->shards->count; i++)
        left += next->tests[i] != NULL;
    if (left)
        fputs("ptxlit: the shards are not of one list of tests\n", stderr);
    return whole && !left;
}

/* False after saying which shard is damaged, or that the shards do not fit together. */
static bool join(const struct shards *shards, struct report *report)
{
    struct next_tests next = {.shards = shards,
                              .at =
                                  g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, NULL),
                              .tests = g_new0(json_t *, shards->count),
                              .taken = g_new0(uint64_t, shards->count)};
    bool whole = join_next(&next, report);
    for (uint32_t i = 0; i < shards->count; i++)
        json_decref(next.tests[i]);
    g_hash_table_destroy(next.at);
    g_free(next.tests);
    g_free(next.taken);
    return whole;
}

static int merge_parts(const struct shards *shards, struct report *report)
{
    bool written;
    int status = report_open(report) && join(shards, report)
                     ? report_finish(report, EXIT_HOLDS, &written)
                     : EXIT_WRONG_INPUT;
    report_close(report);
    return status;
}

static int merge(const struct options *options, struct shards *shards)
{
    if (!open_parts(options, shards))
        return EXIT_WRONG_INPUT;
    struct options merged = *options;
    const json_t *head = shards->parts[0].head, *made = json_object_get(head, "made");
    merged.settings.model = model_of(&shards->parts[0]);
    merged.no_time = made && !json_object_get(made, "date");
    struct report report = {.options = &merged,
                            .digest = made ? json_text_at(made, "model_digest") : NULL,
                            .started = job_clock()};
    return merge_parts(shards, &report);
}

/* The journal of a report that was interrupted in the folder stays as it is. */
int command_merge(const struct options *options)
{
    if (!report_folder(options))
        return EXIT_WRONG_INPUT;
    g_autofree char *path = report_journal(options);
    struct journal *journal = journal_open(path, true);
    if (!journal) {
        report_journal_refused(path);
        return EXIT_WRONG_INPUT;
    }
    struct shards shards = {0};
    int status = merge(options, &shards);
    for (uint32_t i = 0; i < shards.count; i++)
        stored_close(&shards.parts[i]);
    g_free(shards.parts);
    journal_close(journal, !journal_is_empty(journal));
    return status;
}
