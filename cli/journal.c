/* SPDX-License-Identifier: MIT */
#include "cli/journal.h"

#include <jansson.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct journal {
    FILE *file;
    GHashTable *results; /* a key: its line, as JSON */
};

/* ---- the file ------------------------------------------------------------------------------- */

static void add_line(struct journal *journal, json_t *line)
{
    const char *key = json_string_value(json_object_get(line, "key"));
    if (key && json_is_string(json_object_get(line, "out")))
        g_hash_table_insert(journal->results, g_strdup(key), json_incref(line));
}

/* Gives where the last whole line ends. */
static long read_lines(struct journal *journal)
{
    char *text = NULL;
    size_t size = 0;
    long end = 0;
    for (ssize_t got; (got = getline(&text, &size, journal->file)) > 0;
         end = ftell(journal->file)) {
        json_t *line = text[got - 1] == '\n' ? json_loadb(text, (size_t)got, 0, NULL) : NULL;
        if (!line)
            break;
        add_line(journal, line);
        json_decref(line);
    }
    free(text);
    return end;
}

static void drop_line(gpointer line)
{
    json_decref(line);
}

struct journal *journal_open(const char *path, bool resume)
{
    FILE *file = resume ? fopen(path, "rb+e") : NULL;
    if (!file)
        file = fopen(path, "wb+e");
    if (!file)
        return NULL;
    struct journal *journal = g_new0(struct journal, 1);
    journal->file = file;
    journal->results = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, drop_line);
    long end = read_lines(journal);
    if (fseek(file, end, SEEK_SET) == 0 && ftruncate(fileno(file), end) == 0)
        return journal;
    journal_close(journal);
    return NULL;
}

void journal_close(struct journal *journal)
{
    if (!journal)
        return;
    fclose(journal->file);
    g_hash_table_destroy(journal->results);
    g_free(journal);
}

/* ---- keys ----------------------------------------------------------------------------------- */

static void feed(GChecksum *sum, const char *bytes, size_t length)
{
    uint64_t before = length; /* so that "ab" "c" is not "a" "bc" */
    g_checksum_update(sum, (const guchar *)&before, sizeof before);
    g_checksum_update(sum, (const guchar *)bytes, (gssize)length);
}

static void feed_text(GChecksum *sum, const char *text)
{
    feed(sum, text ? text : "", text ? strlen(text) : 0);
}

static void feed_file(GChecksum *sum, const char *path)
{
    g_autofree char *bytes = NULL;
    gsize length = 0;
    g_file_get_contents(path, &bytes, &length, NULL);
    feed(sum, bytes ? bytes : "", length);
}

/* The model after its includes: its relations and what it asks of them. */
static void feed_model(GChecksum *sum, const struct cat_model *model)
{
    for (cat_id i = 0; i < model->node_count; i++) {
        const struct cat_node *node = &model->nodes[i];
        uint32_t shape[] = {node->op, node->base, node->a, node->b};
        feed(sum, (const char *)shape, sizeof shape);
        feed_text(sum, node->name);
        feed_text(sum, node->text);
    }
    for (uint32_t i = 0; i < model->axiom_count; i++) {
        const struct cat_axiom *axiom = &model->axioms[i];
        uint32_t shape[] = {axiom->check, axiom->negated, axiom->flag, axiom->node};
        feed(sum, (const char *)shape, sizeof shape);
        feed_text(sum, axiom->name);
    }
    for (uint32_t i = 0; i < model->shown_count; i++)
        feed_text(sum, model->shown_names[i]);
}

const char *journal_run(struct arena *arena, const struct options *options,
                        const struct cat_model *model)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    feed_file(sum, "/proc/self/exe");
    feed_model(sum, model);
    if (options->hardware)
        feed_file(sum, options->hardware);
    feed_text(sum, arena_printf(arena, "%s %d %u %u %g %u %d", options->model, options->executor,
                                options->states, options->unroll, options->timeout,
                                options->memory_limit, options->no_time));
    return arena_strdup(arena, g_checksum_get_string(sum));
}

const char *journal_key(struct arena *arena, const char *run, const struct input *input)
{
    g_autoptr(GChecksum) sum = g_checksum_new(G_CHECKSUM_SHA256);
    feed_text(sum, run);
    feed_text(sum, input->path);
    if (input->text)
        feed(sum, input->text, input->length);
    else
        feed_file(sum, input->path);
    return arena_strdup(arena, g_checksum_get_string(sum));
}

/* ---- results -------------------------------------------------------------------------------- */

bool journal_recall(const struct journal *journal, const char *key, struct result *result)
{
    const json_t *line = g_hash_table_lookup(journal->results, key);
    if (!line)
        return false;
    const json_t *err = json_object_get(line, "err");
    *result = (struct result){
        .tally = (uint32_t)json_integer_value(json_object_get(line, "tally")),
        .out = g_string_new(json_string_value(json_object_get(line, "out"))),
        .err = g_string_new(json_string_value(err)),
    };
    return true;
}

bool journal_keep(struct journal *journal, const char *key, const struct result *result)
{
    json_t *line =
        json_pack("{s:s, s:i, s:s%, s:s%}", "key", key, "tally", (int)result->tally, "out",
                  result->out->str, result->out->len, "err", result->err->str, result->err->len);
    if (!line)
        return false; /* bytes that are no UTF-8, in a message about a strange file */
    char *text = json_dumps(line, JSON_COMPACT);
    bool good = fprintf(journal->file, "%s\n", text) > 0 && fflush(journal->file) == 0;
    free(text);
    json_decref(line);
    return good;
}
