/* SPDX-License-Identifier: MIT
 *
 * What a test in C++ defines beside its threads, as the inside of a class whose other members are the copy's objects. */
#include <string.h>

#include "cli/emit/source.h"

/* Behind the bracket that closes the one at 'at'; strings are passed. */
static uint32_t past_bracket(const char *code, uint32_t at)
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

struct source_part class_part(const char *code, uint32_t end)
{
    struct source_part part = {0, end};
    bool quoted = false;
    while (code[part.from] && (quoted || code[part.from] != '{'))
        quoted ^= code[part.from++] == '"';
    part.from = past_bracket(code, part.from);
    while (part.to > part.from && !strchr(";}", code[part.to - 1]))
        part.to--;
    return part;
}

/* ---- what is not written --------------------------------------------------------------------- */

static const char *trouble_of_words(const char *members)
{
    static const struct {
        const char *pattern, *trouble;
    } rows[] = {
        {"#", "lines of the preprocessor"},
        {"\\bextern\\s+__shared__|\\b__constant__\\b|\\bstatic\\b",
         "an object that a function keeps"},
        {"^(namespace|using\\s+namespace)\\b", "names of a namespace for several functions"},
        {"\\bthread_scope_cluster\\b", "the scope of a cluster, which the library does not have"},
        {"\\bmemory_order::",
         "memory orders in the words of C++20, which nvcc does not speak by itself"},
        {"\\bthis_grid\\(\\)\\s*\\.\\s*sync|\\bgrid\\w*\\s*\\.\\s*sync", "a barrier of the grid"},
    };
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (g_regex_match_simple(rows[i].pattern, members, G_REGEX_MULTILINE, 0))
            return rows[i].trouble;
    return source_has_bare_lambda(members) ? "a lambda that does not take all objects by itself"
                                           : NULL;
}

/* Are the functions that the body calls, which stand in the part, the device's? */
static bool is_of_device(const struct body *body, const char *code, struct source_part part)
{
    for (uint32_t i = 0; i < body->statement_count; i++) {
        uint32_t from = body->statements[i].offset, to = from;
        if (from < part.from || from >= part.to)
            continue;
        while (from > part.from && !strchr(";}", code[from - 1]))
            from--;
        while (code[to] && code[to] != '{')
            to++;
        g_autofree char *head = g_strndup(code + from, to - from);
        if (!strstr(head, "__device__") && !strstr(head, "__global__"))
            return false;
    }
    return true;
}

static bool has_initial_types(const char *code, struct source_part part)
{
    g_autofree char *initial = g_strndup(code, part.from);
    return g_regex_match_simple("[{};]\\s*(struct|using|typedef|enum|constexpr)\\b", initial, 0, 0);
}

const char *class_trouble(const struct body *body, const char *code, struct source_part part,
                          const char *members)
{
    if (!is_of_device(body, code, part))
        return "functions without '__device__'";
    if (has_initial_types(code, part))
        return "types or constants of its initial state";
    return trouble_of_words(members);
}

/* ---- members --------------------------------------------------------------------------------- */

/* What stands in front of kernels alone, or not in a class. */
char *class_members(const char *text)
{
    static const char words[] =
        "__launch_bounds__\\s*\\([^()]*\\)|__cluster_dims__\\s*\\([^()]*\\)|"
        "\\bextern\\s*\"C\"|^static\\s+(?=inline|template|__device__|__forceinline__|__global__)";
    g_autoptr(GRegex) removed = g_regex_new(words, G_REGEX_MULTILINE, 0, NULL);
    g_autoptr(GRegex) kernel = g_regex_new("\\b__global__\\b", 0, 0, NULL);
    g_autoptr(GRegex) constant = g_regex_new("^constexpr\\b", G_REGEX_MULTILINE, 0, NULL);
    g_autofree char *without = g_regex_replace_literal(removed, text, -1, 0, "", 0, NULL);
    g_autofree char *functions =
        g_regex_replace_literal(kernel, without, -1, 0, "__device__", 0, NULL);
    return g_regex_replace_literal(constant, functions, -1, 0, "static constexpr", 0, NULL);
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
    };
    json_t *includes = json_array();
    for (size_t i = 0; i < G_N_ELEMENTS(rows); i++)
        if (strstr(text, rows[i][0]))
            json_array_append_new(includes, json_string(rows[i][1]));
    return includes;
}
