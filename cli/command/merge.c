/* SPDX-License-Identifier: MIT
 *
 * ptxlit merge: joins the reports of all shards. The result has the same bytes as the report of a
 * run without shards. */
#include "cli/report/report.h"

#include <stdio.h>
#include <string.h>

#include "cli/command/commands.h"
#include "cli/report/baseline.h"

struct shards {
    json_t **parts; /* a shard: its report, or NULL while it is missing */
    uint32_t count;
};

/* Says what is wrong with a report, and drops it. */
static bool refuse(json_t *part, const char *path, const char *why)
{
    fprintf(stderr, "ptxlit: '%s' %s\n", path, why);
    json_decref(part);
    return false;
}

/* Takes the report over. */
static bool add_part(struct shards *shards, json_t *part, const char *path)
{
    json_int_t number = 0, count = 0;
    const json_t *first = NULL;
    for (uint32_t i = 0; i < shards->count && !first; i++)
        first = shards->parts[i];
    json_unpack(part, "{s:{s:I, s:I}}", "shard", "number", &number, "count", &count);
    if (number < 1 || number > count || count > 100000)
        return refuse(part, path, "is not the report of a shard");
    if (!shards->count) {
        shards->count = (uint32_t)count;
        shards->parts = g_new0(json_t *, shards->count);
    }
    if (count != shards->count ||
        (first && strcmp(json_text_at(first, "model"), json_text_at(part, "model")) != 0))
        return refuse(part, path, "belongs to another run");
    if (shards->parts[number - 1])
        return refuse(part, path, "is a shard that was given before");
    shards->parts[number - 1] = part;
    return true;
}

static bool read_parts(const struct options *options, struct shards *shards)
{
    for (uint32_t i = 0; i < options->argument_count; i++) {
        json_t *part = report_baseline(options->arguments[i]);
        if (!part || !add_part(shards, part, options->arguments[i]))
            return false;
    }
    uint32_t missing = 0;
    for (uint32_t i = 0; i < shards->count; i++)
        if (!shards->parts[i] && ++missing)
            fprintf(stderr, "ptxlit: shard %u/%u is missing\n", i + 1, shards->count);
    return !missing;
}

/* Test i of the whole is test i / N of shard i % N. False when shards do not fit together. */
static bool join(const struct shards *shards, json_t *tests)
{
    size_t all = 0;
    for (uint32_t i = 0; i < shards->count; i++)
        all += json_array_size(json_object_get(shards->parts[i], "tests"));
    for (size_t i = 0; i < all; i++) {
        const json_t *tests_of = json_object_get(shards->parts[i % shards->count], "tests");
        json_t *test = json_array_get(tests_of, i / shards->count);
        if (!test) {
            fputs("ptxlit: the shards are not of one list of tests\n", stderr);
            return false;
        }
        json_array_append(tests, test);
    }
    return true;
}

static int merge(const struct options *options, struct shards *shards, json_t *tests)
{
    if (!read_parts(options, shards) || !join(shards, tests))
        return EXIT_WRONG_INPUT;
    struct options merged = *options;
    merged.settings.model = json_text_at(shards->parts[0], "model");
    const json_t *made = json_object_get(shards->parts[0], "made");
    merged.no_time = made && !json_object_get(made, "date");
    struct report report = {
        .options = &merged,
        .tests = tests,
        .digest = made ? json_text_at(made, "model_digest") : NULL,
        .started = job_clock(),
    };
    bool written;
    return report_finish(&report, EXIT_HOLDS, &written);
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
    json_t *tests = json_array();
    int status = merge(options, &shards, tests);
    for (uint32_t i = 0; i < shards.count; i++)
        json_decref(shards.parts[i]);
    g_free(shards.parts);
    json_decref(tests);
    journal_close(journal, !journal_is_empty(journal));
    return status;
}
