/* SPDX-License-Identifier: MIT
 *
 * What threads and kernels of a test in C++ have in common when they are written as they stand. */
#include <string.h>

#include "cli/emit/source.h"
#include "cli/show/json.h"

char *source_without_comments(const char *source)
{
    char *text = g_strdup(source);
    for (char *at = text; *at;) {
        bool line = at[0] == '/' && at[1] == '/', block = at[0] == '/' && at[1] == '*';
        const char *end = line ? strchr(at, '\n') : block ? strstr(at + 2, "*/") : at + 1;
        end = !end ? at + strlen(at) : block ? end + 2 : end;
        for (; at < end; at++)
            *at = (line || block) && *at != '\n' ? ' ' : *at;
    }
    return text;
}

bool source_has_bare_lambda(const char *text)
{
    for (const char *at = strchr(text, '['); at; at = strchr(at + 1, '[')) {
        const char *before = at;
        while (before > text && g_ascii_isspace(before[-1]))
            before--;
        bool subscript =
            before > text && (g_ascii_isalnum(before[-1]) || strchr("_])", before[-1]));
        if (!subscript && at[1] != '&' && at[1] != '=')
            return true;
    }
    return false;
}

bool source_is_in_head(const char *text, uint32_t length)
{
    int depth = 0;
    for (uint32_t i = 0; i < length; i++)
        depth += (text[i] == '(') - (text[i] == ')');
    return depth != 0;
}

bool source_has_extremes(const char *code)
{
    return strstr(code, "fetch_min") || strstr(code, "fetch_max");
}

json_t *source_type(const char *code, const char *type)
{
    static const char standard[] = "cuda::std::atomic<";
    if (source_has_extremes(code) && g_str_has_prefix(type, standard))
        return json_sprintf("cuda::atomic<%s", type + strlen(standard));
    return json_string(type);
}

json_t *source_lines(const char *text)
{
    g_auto(GStrv) parts = g_strsplit(text, "\n", -1);
    json_t *lines = json_array();
    for (char **part = parts; *part; part++)
        if (*g_strstrip(*part))
            json_array_append_new(lines, json_text(*part));
    return lines;
}

json_t *source_objects(const struct test *test, const char *code)
{
    json_t *objects = json_array();
    for (uint32_t i = 0; i < test->location_count; i++) {
        const struct location *l = &test->locations[i];
        if (l->space == SPACE_SHARED)
            continue;
        json_array_append_new(objects,
                              json_pack("{s:o, s:s, s:i, s:i}", "type",
                                        source_type(code, l->cpp_type), "name", l->name, "elements",
                                        l->array ? (int)l->elements : 0, "place", i));
    }
    return objects;
}

void source_put_keeper(GString *text, const struct reg *reg, uint32_t value)
{
    g_string_append_printf(text,
                           "\nlitmus::keeper<decltype(%s)> ptxlit_keeper%u{%s, ptxlit_kept(%u)};\n",
                           reg->name, value, reg->name, value);
}
