/* SPDX-License-Identifier: MIT */
#include "litmus/read/split.h"

#include <stdbool.h>
#include <string.h>

static bool is_line_start(const struct source *source, uint32_t at)
{
    return at == 0 || source->text[at - 1] == '\n';
}

static bool is_header(const struct source *source, uint32_t at)
{
    const char *text = source->text + at;
    return source->length - at > 4 && (text[3] == ' ' || text[3] == '\t') &&
           (memcmp(text, "PTX", 3) == 0 || memcmp(text, "C++", 3) == 0);
}

/* Behind the header's name, which may hold what elsewhere begins a comment. */
static uint32_t skip_header(const struct source *source, uint32_t at)
{
    at += 3;
    while (at < source->length && (source->text[at] == ' ' || source->text[at] == '\t'))
        at++;
    while (at < source->length && !strchr(" \t\r\n", source->text[at]))
        at++;
    return at;
}

static uint32_t skip_string(const struct source *source, uint32_t at)
{
    const char *quote = memchr(source->text + at + 1, '"', source->length - at - 1);
    return quote ? (uint32_t)(quote - source->text) + 1 : source->length;
}

uint32_t litmus_next_test(const struct source *source, uint32_t from)
{
    bool begun = false;
    uint32_t open, at = source_skip_blanks(source, from, source->length, &open);
    while (at < source->length) {
        bool header = is_line_start(source, at) && is_header(source, at);
        if (header && begun)
            return at;
        begun = true;
        at = header                    ? skip_header(source, at)
             : source->text[at] == '"' ? skip_string(source, at)
                                       : at + 1;
        at = source_skip_blanks(source, at, source->length, &open);
    }
    return source->length;
}
