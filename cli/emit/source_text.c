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

uint32_t source_past_bracket(const char *code, uint32_t at)
{
    int depth = 0;
    bool quoted = false;
    for (; code[at]; at++) {
        quoted ^= code[at] == '"';
        depth += quoted ? 0 : (strchr("({[", code[at]) != NULL) - (strchr(")}]", code[at]) != NULL);
        if (!quoted && !depth)
            return at + 1;
    }
    return at;
}

/* ---- the words of C++17 in a class -------------------------------------------------------------- */

/* "x[": the bracket chooses an element; behind "return" it begins a lambda. */
static bool is_subscript(const char *text, const char *bracket)
{
    const char *end = bracket;
    while (end > text && g_ascii_isspace(end[-1]))
        end--;
    if (end - text >= 6 && strncmp(end - 6, "return", 6) == 0)
        return false;
    return end > text && (g_ascii_isalnum(end[-1]) || strchr("_])", end[-1]));
}

/* "[&]" and "[=, n]" take all objects by themselves; others have to take the class. */
static bool takes_all(const char *capture)
{
    while (g_ascii_isspace(*capture))
        capture++;
    if (*capture != '&' && *capture != '=')
        return false;
    do
        capture++;
    while (g_ascii_isspace(*capture));
    return *capture == ']' || *capture == ',';
}

static char *with_captures(const char *text)
{
    g_autoptr(GString) out = g_string_new(NULL);
    for (const char *at = text; *at; at++) {
        g_string_append_c(out, *at);
        if (at[0] != '[' || is_subscript(text, at) || takes_all(at + 1))
            continue;
        bool attribute = at[1] == '[' || (at > text && at[-1] == '[');
        size_t blank = strspn(at + 1, " \t\n");
        if (!attribute)
            g_string_append(out, at[1 + blank] == ']' ? "this" : "this, ");
    }
    return g_string_free(g_steal_pointer(&out), FALSE);
}

char *source_spoken(const char *text)
{
    g_autoptr(GRegex) order = g_regex_new("\\bmemory_order\\s*::\\s*(?=[a-z])", 0, 0, NULL);
    g_autofree char *orders = g_regex_replace_literal(order, text, -1, 0, "memory_order_", 0, NULL);
    return with_captures(orders);
}

json_t *source_lines(const char *text)
{
    g_autofree char *spoken = source_spoken(text);
    g_auto(GStrv) parts = g_strsplit(spoken, "\n", -1);
    json_t *lines = json_array();
    for (char **part = parts; *part; part++)
        if (*g_strstrip(*part))
            json_array_append_new(lines, json_text(*part));
    return lines;
}

/* ---- types --------------------------------------------------------------------------------------- */

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
