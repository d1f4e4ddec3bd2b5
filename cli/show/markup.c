/* SPDX-License-Identifier: MIT */
#include "cli/show/markup.h"

#include <stdbool.h>

/* XML 1.0, 2.2. */
static bool is_character(gunichar c)
{
    return c >= ' ' ? c != 0xfffe && c != 0xffff : c == '\n' || c == '\t';
}

char *markup_clean(const char *text)
{
    GString *clean = g_string_new(NULL);
    while (*text) {
        gunichar c = g_utf8_get_char_validated(text, -1);
        bool known = c != (gunichar)-1 && c != (gunichar)-2;
        const char *next = known ? g_utf8_next_char(text) : text + 1;
        if (known && is_character(c))
            g_string_append_len(clean, text, next - text);
        else
            g_string_append_c(clean, '?');
        text = next;
    }
    return g_string_free(clean, FALSE);
}

void markup_escape(const char *text, GString *out)
{
    g_autofree char *clean = markup_clean(text), *escaped = g_markup_escape_text(clean, -1);
    g_string_append(out, escaped);
}
