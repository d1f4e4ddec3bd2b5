/* SPDX-License-Identifier: MIT */
#include "cli/markup.h"

#include <stdbool.h>

/* U+FFFE and U+FFFF, which no XML text may hold. */
static bool is_no_character(const char *text)
{
    return g_str_has_prefix(text, "\xef\xbf\xbe") || g_str_has_prefix(text, "\xef\xbf\xbf");
}

void markup_escape(const char *text, GString *out)
{
    for (; *text; text++) {
        if (is_no_character(text)) {
            g_string_append_c(out, '?');
            text += 2;
            continue;
        }
        unsigned char byte = (unsigned char)*text;
        const char *name = byte == '&'                                  ? "&amp;"
                           : byte == '<'                                ? "&lt;"
                           : byte == '>'                                ? "&gt;"
                           : byte == '"'                                ? "&quot;"
                           : byte < ' ' && byte != '\n' && byte != '\t' ? "?"
                                                                        : NULL;
        if (name)
            g_string_append(out, name);
        else
            g_string_append_c(out, *text);
    }
}
