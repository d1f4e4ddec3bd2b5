/* SPDX-License-Identifier: MIT */
#include "cli/report/baseline.h"

#include <glib.h>
#include <string.h>

#include "cli/report/report.h"
#include "cli/report/stored.h"

/* 'answer' is not in the objects of tests: report_answer tells it. */
static const char *const compared[] = {"answer",    "verdict", "observation", "states",
                                       "positive",  "axioms",  "undefined",   "races",
                                       "undecided", "error"};
enum { ANSWER, COMPARED = G_N_ELEMENTS(compared) };

/* A test as it was. */
struct before {
    char *file, *name;
    char *values[COMPARED];
    bool met; /* it is among the tests of now */
};

struct baseline {
    GPtrArray *tests; /* in their order */
    GHashTable *find; /* file and name: the last of that */
};

static char *key_of(const json_t *test)
{
    return g_strdup_printf("%s\n%s", json_text_at(test, "file"), json_text_at(test, "test"));
}

static char *dump(const json_t *test, size_t which)
{
    if (which == ANSWER)
        return g_strdup(report_answer(test));
    const json_t *value = json_object_get(test, compared[which]);
    if (json_is_string(value))
        return g_strdup(json_string_value(value));
    return value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS)
                 : g_strdup("");
}

static void drop_test(gpointer given)
{
    struct before *test = given;
    for (size_t i = 0; i < COMPARED; i++)
        g_free(test->values[i]);
    g_free(test->file);
    g_free(test->name);
    g_free(test);
}

static void add_test(struct baseline *baseline, const json_t *test)
{
    struct before *before = g_new0(struct before, 1);
    before->file = g_strdup(json_text_at(test, "file"));
    before->name = g_strdup(json_text_at(test, "test"));
    for (size_t i = 0; i < COMPARED; i++)
        before->values[i] = dump(test, i);
    g_ptr_array_add(baseline->tests, before);
    g_autofree char *key = key_of(test);
    struct before *twin = g_hash_table_lookup(baseline->find, key);
    if (twin)
        twin->met = true; /* the last one stands for both */
    g_hash_table_insert(baseline->find, g_steal_pointer(&key), before);
}

struct baseline *baseline_read(const char *path)
{
    struct stored stored;
    if (!stored_open(&stored, path))
        return NULL;
    struct baseline *baseline = g_new0(struct baseline, 1);
    baseline->tests = g_ptr_array_new_with_free_func(drop_test);
    baseline->find = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
    for (json_t *test; (test = stored_next(&stored)); json_decref(test))
        add_test(baseline, test);
    bool damaged = stored.damaged;
    stored_close(&stored);
    if (!damaged)
        return baseline;
    baseline_free(baseline);
    return NULL;
}

void baseline_free(struct baseline *baseline)
{
    if (!baseline)
        return;
    g_hash_table_destroy(baseline->find);
    g_ptr_array_free(baseline->tests, TRUE);
    g_free(baseline);
}

static void add(json_t *changes, const char *name, const char *file, const char *what,
                const char *before, const char *after, const char *link)
{
    json_array_append_new(changes,
                          json_pack("{s:s, s:s, s:s, s:s, s:s, s:s*}", "test", name, "file", file,
                                    "what", what, "before", before, "after", after, "link", link));
}

void baseline_compare(struct baseline *baseline, const json_t *test, const char *link,
                      json_t *changes)
{
    g_autofree char *key = key_of(test);
    const char *name = json_text_at(test, "test"), *file = json_text_at(test, "file");
    struct before *before = g_hash_table_lookup(baseline->find, key);
    if (!before) {
        add(changes, name, file, "new", "", report_answer(test), link);
        return;
    }
    before->met = true;
    for (size_t i = 0; i < COMPARED; i++) {
        g_autofree char *is = dump(test, i);
        if (strcmp(before->values[i], is) != 0)
            add(changes, name, file, compared[i], before->values[i], is, link);
    }
}

void baseline_gone(const struct baseline *baseline, json_t *changes)
{
    for (guint i = 0; i < baseline->tests->len; i++) {
        const struct before *test = baseline->tests->pdata[i];
        if (!test->met)
            add(changes, test->name, test->file, "gone", test->values[ANSWER], "", NULL);
    }
}
