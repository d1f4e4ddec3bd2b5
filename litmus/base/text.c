/* SPDX-License-Identifier: MIT */
#include "litmus/base/text.h"

static void release(void *object)
{
    struct text *text = object;
    g_string_free(text->out, TRUE);
    g_free(text);
}

struct text *text_open(struct arena *arena)
{
    struct text *text = g_new0(struct text, 1);
    text->out = g_string_new(NULL);
    arena_tie(arena, &text->tie, release, text);
    return text;
}

const char *text_close(struct text *text, struct arena *arena)
{
    const char *kept = arena_strndup(arena, text->out->str, text->out->len);
    arena_untie(&text->tie);
    release(text);
    return kept;
}
