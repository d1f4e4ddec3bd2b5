/* SPDX-License-Identifier: MIT */
#include "litmus/read/split.h"

#include <stdbool.h>
#include <string.h>

static bool is_line_start(const struct source *source, uint32_t at)
{
    return at == 0 || source->text[at - 1] == '\n';
}

static bool is_blank(char letter)
{
    return letter == ' ' || letter == '\t';
}

/* Of "C NAME", herd's header, which is a line by itself: else it could begin a statement, "C = 1;". */
static bool is_herds_header(const char *text, size_t length)
{
    const char *end = memchr(text, '\n', length);
    size_t at = 1, stop = end ? (size_t)(end - text) : length;
    while (at < stop && is_blank(text[at]))
        at++;
    if (text[0] != 'C' || at == 1 || at == stop || strchr("=+-*/&|^.,;([<>?:", text[at]))
        return false;
    while (at < stop && !strchr(" \t\r;", text[at]))
        at++;
    while (at < stop && strchr(" \t\r", text[at]))
        at++;
    return at == stop;
}

/* How long the word is that a test begins with, "PTX" or "C++"; 0: none does here. */
static uint32_t header_word(const struct source *source, uint32_t at)
{
    const char *text = source->text + at;
    size_t length = source->length - at;
    if (length > 4 && is_blank(text[3]) &&
        (memcmp(text, "PTX", 3) == 0 || memcmp(text, "C++", 3) == 0))
        return 3;
    return length > 2 && is_herds_header(text, length) ? 1 : 0;
}

/* Behind the header's name, which may hold what elsewhere begins a comment. */
static uint32_t skip_header(const struct source *source, uint32_t at)
{
    at += header_word(source, at);
    while (at < source->length && is_blank(source->text[at]))
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
        bool header = is_line_start(source, at) && header_word(source, at);
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
