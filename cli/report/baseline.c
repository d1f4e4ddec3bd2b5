/* SPDX-License-Identifier: MIT */
#include "cli/report/baseline.h"

#include <errno.h>
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "cli/report/report.h"
#include "litmus/base/file.h"

enum { MOST_BYTES = 1 << 28 };

json_t *report_baseline(const char *path)
{
    struct arena *arena = arena_new();
    json_error_t error;
    size_t length;
    const char *text = file_read(arena, path, MOST_BYTES, &length);
    const char *why = text             ? error.text
                      : errno == EFBIG ? "larger than 256 MiB"
                                       : g_strerror(errno);
    json_t *old = text ? json_loadb(text, length, 0, &error) : NULL;
    bool good = json_is_array(json_object_get(old, "tests"));
    if (!good)
        fprintf(stderr, "ptxlit: '%s' is no report.json%s%s\n", path, old ? "" : ": ",
                old ? "" : why);
    arena_free(arena);
    return good ? old : (json_decref(old), NULL);
}

static char *key_of(const json_t *test)
{
    return g_strdup_printf("%s\n%s", json_text_at(test, "file"), json_text_at(test, "test"));
}

static json_t *index_tests(const json_t *tests)
{
    json_t *table = json_object(), *test;
    size_t i;
    json_array_foreach((json_t *)tests, i, test)
    {
        g_autofree char *key = key_of(test);
        json_object_set(table, key, test);
    }
    return table;
}

static char *dump(const json_t *test, const char *key)
{
    const json_t *value = json_object_get(test, key);
    if (json_is_string(value))
        return g_strdup(json_string_value(value));
    return value ? json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY | JSON_SORT_KEYS)
                 : g_strdup("");
}

static void add(json_t *changes, const json_t *test, const char *what, const char *before,
                const char *after)
{
    json_array_append_new(changes,
                          json_pack("{s:s, s:s, s:s, s:s, s:s}", "test", json_text_at(test, "test"),
                                    "file", json_text_at(test, "file"), "what", what, "before",
                                    before, "after", after));
}

static void compare(json_t *changes, const json_t *before, const json_t *after)
{
    static const char *const keys[] = {"verdict",  "observation", "states",
                                       "positive", "axioms",      "undefined",
                                       "races",    "undecided",   "error"};
    for (size_t i = 0; i < G_N_ELEMENTS(keys); i++) {
        g_autofree char *was = dump(before, keys[i]), *is = dump(after, keys[i]);
        if (strcmp(was, is) != 0)
            add(changes, after, keys[i], was, is);
    }
}

json_t *report_changes(const json_t *old, const json_t *tests)
{
    const json_t *before = json_object_get(old, "tests");
    json_auto_t *then = index_tests(before), *now = index_tests(tests);
    json_t *changes = json_array(), *test;
    size_t i;
    json_array_foreach((json_t *)tests, i, test)
    {
        g_autofree char *key = key_of(test);
        const json_t *was = json_object_get(then, key);
        if (was)
            compare(changes, was, test);
        else
            add(changes, test, "new", "", json_text_at(test, "verdict"));
    }
    json_array_foreach((json_t *)before, i, test)
    {
        g_autofree char *key = key_of(test);
        if (!json_object_get(now, key))
            add(changes, test, "gone", json_text_at(test, "verdict"), "");
    }
    return changes;
}
