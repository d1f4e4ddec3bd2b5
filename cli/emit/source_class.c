/* SPDX-License-Identifier: MIT
 *
 * What a test in C++ defines beside its threads, as the inside of a class whose other members are the copy's objects. */
#include <string.h>

#include "cli/emit/source.h"

struct source_part class_part(const char *code, uint32_t end)
{
    struct source_part part = {0, end};
    bool quoted = false;
    while (code[part.from] && (quoted || code[part.from] != '{'))
        quoted ^= code[part.from++] == '"';
    part.from = source_past_bracket(code, part.from);
    while (part.to > part.from && !strchr(";}", code[part.to - 1]))
        part.to--;
    return part;
}

const char *class_trouble(const char *text)
{
    static const struct {
        const char *pattern, *trouble;
    } rows[] = {
        {"#", "lines of the preprocessor"},
        {"\\bextern\\s+__shared__|\\b__constant__\\b|\\bstatic\\b",
         "an object that a function keeps"},
        {"^namespace\\b[^=;]*\\{", "functions of a namespace"},
        {"\\bthread_scope_cluster\\b", "the scope of a cluster, which the library does not have"},
        {"\\bthis_grid\\(\\)\\s*\\.\\s*sync|\\bgrid\\w*\\s*\\.\\s*sync", "a barrier of the grid"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (g_regex_match_simple(rows[i].pattern, text, G_REGEX_MULTILINE, 0))
            return rows[i].trouble;
    return NULL;
}

/* ---- functions of the device ------------------------------------------------------------------- */

/* Behind the function, or the declaration of anything else, that begins at 'at'; 'is_function' says which. */
static uint32_t past_item(const char *text, uint32_t at, bool *is_function)
{
    bool formals = false, value = false;
    *is_function = false;
    while (text[at] && text[at] != ';') {
        bool body = text[at] == '{' && formals && !value;
        formals |= text[at] == '(';
        value |= text[at] == '=';
        at = strchr("({[", text[at]) ? source_past_bracket(text, at) : at + 1;
        if (body) {
            *is_function = true;
            return at;
        }
    }
    return text[at] ? at + 1 : at;
}

/* Behind "template <typename T>", where the item begins so. */
static uint32_t past_template(const char *text, uint32_t at)
{
    int depth = 0;
    if (!g_str_has_prefix(text + at, "template"))
        return at;
    for (; text[at]; at++) {
        depth += (text[at] == '<') - (text[at] == '>');
        if (text[at] == '>' && !depth)
            return at + 1;
    }
    return at;
}

/* A test's functions are the device's, whether they say so or not. */
static char *on_device(const char *text)
{
    g_autoptr(GString) out = g_string_new(NULL);
    for (uint32_t at = 0, end; text[at]; at = end) {
        bool is_function;
        uint32_t from = at + (uint32_t)strspn(text + at, " \t\n");
        end = past_item(text, from, &is_function);
        g_autofree char *item = g_strndup(text + from, end - from);
        uint32_t name = past_template(item, 0);
        bool says = g_regex_match_simple("^[^{]*\\b__(device|global)__\\b", item, 0, 0);
        g_string_append_len(out, text + at, from - at);
        g_string_append_len(out, item, name);
        g_string_append_printf(out, "%s%s", is_function && !says ? " __device__ " : "",
                               item + name);
    }
    return g_string_free(g_steal_pointer(&out), FALSE);
}

/* "namespace cg = cooperative_groups;" */
static const char name_of_namespace[] = "^(namespace\\s+\\w+\\s*=|using\\s+namespace\\b)[^;]*;";

void class_put_names(const char *text, GString *out)
{
    g_autoptr(GRegex) name = g_regex_new(name_of_namespace, G_REGEX_MULTILINE, 0, NULL);
    g_autoptr(GMatchInfo) match = NULL;
    for (g_regex_match(name, text, 0, &match); g_match_info_matches(match);
         g_match_info_next(match, NULL)) {
        g_autofree char *found = g_match_info_fetch(match, 0);
        g_string_append_printf(out, "%s\n", found);
    }
}

/* What stands in front of kernels alone, or not in a class. */
char *class_members(const char *text)
{
    static const char words[] =
        "__launch_bounds__\\s*\\([^()]*\\)|__cluster_dims__\\s*\\([^()]*\\)|"
        "\\bextern\\s*\"C\"|^static\\s+(?=inline|template|__device__|__forceinline__|__global__)";
    g_autoptr(GRegex) removed = g_regex_new(words, G_REGEX_MULTILINE, 0, NULL);
    g_autoptr(GRegex) kernel = g_regex_new("\\b__global__\\b", 0, 0, NULL);
    g_autoptr(GRegex) constant =
        g_regex_new("^constexpr\\b(?=[^;()]*[=;])", G_REGEX_MULTILINE, 0, NULL);
    g_autoptr(GRegex) name = g_regex_new(name_of_namespace, G_REGEX_MULTILINE, 0, NULL);
    g_autofree char *unnamed = g_regex_replace_literal(name, text, -1, 0, "", 0, NULL);
    g_autofree char *without = g_regex_replace_literal(removed, unnamed, -1, 0, "", 0, NULL);
    g_autofree char *functions =
        g_regex_replace_literal(kernel, without, -1, 0, "__device__", 0, NULL);
    g_autofree char *constants =
        g_regex_replace_literal(constant, functions, -1, 0, "static constexpr", 0, NULL);
    return on_device(constants);
}

/* The headers of what the text names. */
json_t *class_includes(const char *text)
{
    static const char *const rows[][2] = {
        {"cooperative_groups", "cooperative_groups.h"},
        {"barrier", "cuda/barrier"},
        {"latch", "cuda/latch"},
        {"semaphore", "cuda/semaphore"},
        {"pipeline", "cuda/pipeline"},
        {"assert", "cassert"},
    };
    json_t *includes = json_array();
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strstr(text, rows[i][0]))
            json_array_append_new(includes, json_string(rows[i][1]));
    return includes;
}
