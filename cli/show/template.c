/* SPDX-License-Identifier: MIT */
#include "cli/show/template.h"

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

enum { DEEPEST = 8 };

struct filling {
    const char *template;
    template_escape *escape;
    GString *out;
    const json_t *around[DEEPEST]; /* what the text is about, outer objects first */
    uint32_t depth;
};

static void fill(struct filling *f, const char *at, const char *end);

static const json_t *look_up(const struct filling *f, const char *key)
{
    const json_t *found = strcmp(key, ".") == 0 ? f->around[f->depth - 1] : NULL;
    for (uint32_t i = f->depth; !found && i-- > 0;)
        found = json_object_get(f->around[i], key);
    return found;
}

static bool says_something(const json_t *value)
{
    if (json_is_array(value))
        return json_array_size(value);
    if (json_is_string(value))
        return json_string_length(value);
    return json_is_object(value) || json_is_true(value) || json_integer_value(value);
}

static void fill_value(struct filling *f, const char *key)
{
    const json_t *value = look_up(f, key + (*key == '&'));
    const char *text = json_string_value(value);
    if (json_is_integer(value))
        g_string_append_printf(f->out, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (text && (*key == '&' || !f->escape))
        g_string_append(f->out, text);
    else if (text)
        f->escape(text, f->out);
}

static void fill_about(struct filling *f, const json_t *item, const char *at, const char *end)
{
    assert(f->depth < DEEPEST);
    f->around[f->depth++] = item;
    fill(f, at, end);
    f->depth--;
}

/* 'key' begins with '#' or '^'. */
static void fill_section(struct filling *f, const char *key, const char *at, const char *end)
{
    const json_t *value = look_up(f, key + 1);
    if (says_something(value) != (*key == '#'))
        return;
    if (*key == '^' || !json_is_array(value))
        fill_about(f, value, at, end);
    else
        for (size_t i = 0; i < json_array_size(value); i++)
            fill_about(f, json_array_get(value, i), at, end);
}

/* Behind a section's tag, and its line when there is nothing else on it. */
static const char *behind(const struct filling *f, const char *open, const char *close)
{
    bool alone = (open == f->template || open[-1] == '\n') && close[2] == '\n';
    return close + 2 + alone;
}

/* What the tag asks for, and all of its section; behind it. */
static const char *fill_tag(struct filling *f, const char *open)
{
    const char *close = strstr(open, "}}");
    assert(close);
    g_autofree char *key = g_strndup(open + 2, (size_t)(close - open - 2));
    if (*key != '#' && *key != '^') {
        fill_value(f, key);
        return close + 2;
    }
    g_autofree char *last = g_strdup_printf("{{/%s}}", key + 1);
    const char *end = strstr(close, last);
    assert(end);
    fill_section(f, key, behind(f, open, close), end);
    return behind(f, end, end + strlen(last) - 2);
}

static void fill(struct filling *f, const char *at, const char *end)
{
    while (at < end) {
        const char *open = g_strstr_len(at, end - at, "{{");
        while (open && open[2] == '{') /* a brace of the text before the tag's */
            open++;
        g_string_append_len(f->out, at, (open ? open : end) - at);
        at = open ? fill_tag(f, open) : end;
    }
}

void template_fill(const char *template, const json_t *view, template_escape *escape, GString *out)
{
    struct filling f = {
        .template = template, .escape = escape, .out = out, .around = {view}, .depth = 1};
    fill(&f, template, template + strlen(template));
}
