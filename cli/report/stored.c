/* SPDX-License-Identifier: MIT */
#include "cli/report/stored.h"

#include <stdio.h>
#include <string.h>

#include "cli/report/report.h"

/* ---- JSON as text --------------------------------------------------------------------------- */

static const char *skip_space(const char *at, const char *end)
{
    while (at < end && strchr(" \t\r\n", *at) && *at)
        at++;
    return at;
}

/* Behind the string that begins here, or NULL. */
static const char *skip_string(const char *at, const char *end)
{
    for (at++; at < end && *at != '"'; at++)
        at += *at == '\\';
    return at < end ? at + 1 : NULL;
}

/* Behind the value that begins here, or NULL. Brackets are counted, not compared: whoever takes the value
 * parses it. */
static const char *skip_value(const char *at, const char *end)
{
    int depth = 0;
    bool bare = at < end && !strchr("{[\"", *at); /* a number, true, false or null */
    for (; bare && at < end && !strchr(",]} \t\r\n", *at); at++)
        ;
    if (bare)
        return at;
    do {
        bool text = at < end && *at == '"';
        depth += at < end ? (*at == '{' || *at == '[') - (*at == '}' || *at == ']') : 0;
        at = text ? skip_string(at, end) : at + 1;
    } while (at && at < end && depth > 0);
    return at && at <= end && depth == 0 ? at : NULL;
}

static json_t *value_of(const char *at, const char *end, json_error_t *error)
{
    return json_loadb(at, (size_t)(end - at), JSON_DECODE_ANY, error);
}

/* ---- the keys of the report ----------------------------------------------------------------- */

/* Takes the value of a key over, and remembers where the tests are. */
static bool add_key(struct stored *s, const char *key, const char *at, const char *end)
{
    json_error_t error;
    if (strcmp(key, "tests") == 0 && *at == '[') {
        s->at = at + 1;
        s->end = end - 1;
        return true;
    }
    json_t *value = value_of(at, end, &error);
    return value && json_object_set_new(s->head, key, value) == 0;
}

/* Behind the key and its value, or NULL. */
static const char *read_key(struct stored *s, const char *at, const char *end)
{
    const char *name = at < end && *at == '"' ? skip_string(at, end) : NULL;
    const char *colon = name ? skip_space(name, end) : NULL;
    if (!colon || colon == end || *colon != ':')
        return NULL;
    const char *value = skip_space(colon + 1, end), *behind = skip_value(value, end);
    g_autofree char *key = g_strndup(at + 1, (size_t)(name - at) - 2);
    return behind && add_key(s, key, value, behind) ? behind : NULL;
}

static bool read_keys(struct stored *s, const char *at, const char *end)
{
    at = skip_space(at, end);
    if (at == end || *at != '{')
        return false;
    do {
        at = read_key(s, skip_space(at + 1, end), end);
        at = at ? skip_space(at, end) : NULL;
    } while (at && at < end && *at == ',');
    return at && at < end && *at == '}' && s->at;
}

/* What is wrong with it, or NULL. */
static const char *fault_of(struct stored *s)
{
    const char *text = g_mapped_file_get_contents(s->file);
    if (!text || !read_keys(s, text, text + g_mapped_file_get_length(s->file)))
        return "is no report.json";
    if (json_integer_value(json_object_get(s->head, "version")) > REPORT_VERSION)
        return "was written by a later version of ptxlit";
    return NULL;
}

bool stored_open(struct stored *stored, const char *path)
{
    g_autoptr(GError) error = NULL;
    *stored = (struct stored){.path = path, .head = json_object()};
    stored->file = g_mapped_file_new(path, FALSE, &error);
    const char *fault = stored->file ? fault_of(stored) : "is no report.json";
    if (fault)
        fprintf(stderr, "ptxlit: '%s' %s%s%s\n", path, fault, error ? ": " : "",
                error ? error->message : "");
    if (fault)
        stored_close(stored);
    return !fault;
}

json_t *stored_next(struct stored *s)
{
    json_error_t error;
    s->at = skip_space(s->at, s->end);
    if (s->at < s->end && *s->at == ',')
        s->at = skip_space(s->at + 1, s->end);
    if (s->at >= s->end)
        return NULL;
    const char *behind = skip_value(s->at, s->end);
    json_t *test = behind ? value_of(s->at, behind, &error) : NULL;
    s->damaged = !json_is_object(test);
    s->at = s->damaged ? s->end : behind;
    if (!s->damaged)
        return test;
    fprintf(stderr, "ptxlit: '%s' is damaged: one of its tests cannot be read\n", s->path);
    json_decref(test);
    return NULL;
}

void stored_close(struct stored *stored)
{
    json_decref(stored->head);
    if (stored->file)
        g_mapped_file_unref(stored->file);
    stored->head = NULL;
    stored->file = NULL;
}
