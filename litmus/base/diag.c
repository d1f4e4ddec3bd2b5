/* SPDX-License-Identifier: MIT */
#include "litmus/base/diag.h"

#include <assert.h>
#include <ctype.h>
#include <string.h>

static const struct {
    const char *code;
    enum severity severity;
} rows[DIAG_COUNT] = {
#define DIAG(id, code, severity, explanation) [DIAG_##id] = {code, severity},
#include "litmus/base/diag.def"
#undef DIAG
};

const char *diag_code(enum diag_id id)
{
    assert(id < DIAG_COUNT);
    return rows[id].code;
}

enum severity diag_severity(enum diag_id id)
{
    assert(id < DIAG_COUNT);
    return rows[id].severity;
}

enum { LONGEST_MESSAGE = 400 };

/* Messages quote the input, which may be long or hold bytes that steer a terminal. */
static const char *presentable(struct arena *arena, char *message)
{
    for (char *c = message; *c; c++)
        if (iscntrl((unsigned char)*c))
            *c = '?';
    if (strlen(message) <= LONGEST_MESSAGE)
        return message;
    return arena_printf(arena, "%.*s…", LONGEST_MESSAGE, message);
}

void diag_add(struct diag_list *list, enum diag_id id, const struct source *source,
              struct span span, const char *hint, const char *format, ...)
{
    assert(list->arena && format);
    assert(!source || span.offset <= source->length);
    if (diag_severity(id) == SEVERITY_ERROR)
        list->errors++;
    if (list->items.len >= DIAG_LIMIT)
        return;
    va_list arguments;
    va_start(arguments, format);
    const char *message = presentable(list->arena, arena_vprintf(list->arena, format, arguments));
    va_end(arguments);
    struct diag diag = {id, source, span, message, hint};
    vec_push(list->arena, &list->items, diag);
}

const char *diag_headline(struct arena *arena, const struct diag *diag)
{
    static const char *const words[] = {
        [SEVERITY_ERROR] = "", [SEVERITY_WARNING] = "warning: ", [SEVERITY_NOTE] = "note: "};
    const char *word = words[diag_severity(diag->id)];
    if (!diag->source)
        return arena_printf(arena, "%s: %s%s", diag_code(diag->id), word, diag->message);
    struct place place = source_place(diag->source, diag->span.offset);
    return arena_printf(arena, "%s:%u:%u: %s: %s%s", place.name, place.line, place.column,
                        diag_code(diag->id), word, diag->message);
}

enum { SHOWN_COLUMNS = 120 };

/* The part of the line around the span, control bytes blanked so that the caret stands right. */
static const char *shown_line(struct arena *arena, const struct diag *diag, uint32_t *caret)
{
    struct span line = source_line(diag->source, diag->span.offset);
    uint32_t column = source_seen(diag->source, diag->span.offset) - line.offset;
    uint32_t from = column > SHOWN_COLUMNS / 2 ? column - SHOWN_COLUMNS / 2 : 0;
    uint32_t length = line.length > from ? line.length - from : 0;
    if (length > SHOWN_COLUMNS)
        length = SHOWN_COLUMNS;
    char *text = arena_strndup(arena, diag->source->text + line.offset + from, length);
    for (uint32_t i = 0; i < length; i++)
        if (iscntrl((unsigned char)text[i]))
            text[i] = ' ';
    *caret = column - from;
    return text;
}

const char *diag_render(struct arena *arena, const struct diag *diag)
{
    const char *head = diag_headline(arena, diag);
    const char *hint = diag->hint ? arena_printf(arena, "\n  hint: %s", diag->hint) : "";
    if (!diag->source)
        return arena_printf(arena, "%s%s\n", head, hint);
    uint32_t caret;
    const char *line = shown_line(arena, diag, &caret);
    uint32_t width = diag->span.length ? diag->span.length : 1;
    if (width > SHOWN_COLUMNS - (caret < SHOWN_COLUMNS ? caret : SHOWN_COLUMNS - 1))
        width = 1;
    char *marks = arena_alloc(arena, width + 1);
    memset(marks, '^', width);
    return arena_printf(arena, "%s\n  %s\n  %*s%s%s\n", head, line, (int)caret, "", marks, hint);
}

enum { LONGEST_WORD = 48 };

/* Levenshtein's, whatever the case of letters, with one row of the table at a time. */
static unsigned edit_distance(const char *a, size_t m, const char *b, size_t n)
{
    unsigned row[LONGEST_WORD + 1];
    for (size_t j = 0; j <= n; j++)
        row[j] = (unsigned)j;
    for (size_t i = 1; i <= m; i++) {
        unsigned diagonal = row[0];
        row[0] = (unsigned)i;
        for (size_t j = 1; j <= n; j++) {
            unsigned substitute =
                diagonal + (tolower((unsigned char)a[i - 1]) != tolower((unsigned char)b[j - 1]));
            diagonal = row[j];
            unsigned best = row[j - 1] < row[j] ? row[j - 1] + 1 : row[j] + 1;
            row[j] = best < substitute ? best : substitute;
        }
    }
    return row[n];
}

const char *diag_nearest(const char *word, size_t length, const char *const *words, size_t count)
{
    assert(word && (words || !count));
    const char *best = NULL;
    unsigned best_distance = length < 4 ? 2 : length < 8 ? 3 : 4;
    if (length == 0 || length > LONGEST_WORD)
        return NULL;
    for (size_t i = 0; i < count; i++) {
        size_t n = strlen(words[i]);
        if (n > LONGEST_WORD)
            continue;
        unsigned distance = edit_distance(word, length, words[i], n);
        if (distance < best_distance) {
            best = words[i];
            best_distance = distance;
        }
    }
    return best;
}

const char *diag_hint(struct arena *arena, const char *word, size_t length,
                      const char *const *words, size_t count)
{
    const char *near = diag_nearest(word, length, words, count);
    return near ? arena_printf(arena, "did you mean '%s'?", near) : NULL;
}
