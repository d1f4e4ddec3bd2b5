/* SPDX-License-Identifier: MIT */
#include "litmus/edit/edit.h"

#include <string.h>

#include "litmus/base/text.h"

/* Two texts line by line, by a longest common subsequence of what lies between their common ends. */

enum { CONTEXT = 1, MOST_CELLS = 1 << 24 };

struct texts {
    const struct source *before, *after;
    uint32_t first; /* lines that both begin with */
    uint32_t n, m;  /* lines of each between the common ends */
    const uint32_t
        *lcs; /* (n + 1) * (m + 1): the length of what two ends have in common, or NULL */
};

static struct span line_of(const struct source *source, uint32_t line)
{
    uint32_t start = source->line_starts[line];
    uint32_t end = line + 1 < source->line_count ? source->line_starts[line + 1] : source->length;
    return (struct span){start, end - start};
}

/* Lines, without an empty one behind the last line end. */
static uint32_t line_count(const struct source *source)
{
    return source->line_count - !line_of(source, source->line_count - 1).length;
}

static bool same(const struct texts *t, uint32_t i, uint32_t j)
{
    struct span a = line_of(t->before, i), b = line_of(t->after, j);
    return a.length == b.length &&
           memcmp(t->before->text + a.offset, t->after->text + b.offset, a.length) == 0;
}

static const uint32_t *common(struct arena *arena, const struct texts *t)
{
    uint32_t width = t->m + 1;
    if ((uint64_t)(t->n + 1) * width > MOST_CELLS)
        return NULL;
    uint32_t *lcs = ARENA_ARRAY(arena, uint32_t, (size_t)(t->n + 1) * width);
    for (uint32_t i = t->n; i-- > 0;)
        for (uint32_t j = t->m; j-- > 0;) {
            uint32_t skip_i = lcs[(i + 1) * width + j], skip_j = lcs[i * width + j + 1];
            lcs[i * width + j] = same(t, t->first + i, t->first + j)
                                     ? lcs[(i + 1) * width + j + 1] + 1
                                 : skip_i > skip_j ? skip_i
                                                   : skip_j;
        }
    return lcs;
}

/* One line of a diff, and where it stands in each text. */
struct diff_line {
    char mark;
    uint32_t before, after;
};
struct diff_lines {
    struct arena *arena;
    VEC(struct diff_line) items;
};

static void add(struct diff_lines *lines, char mark, uint32_t before, uint32_t after)
{
    struct diff_line line = {mark, before, after};
    vec_push(lines->arena, &lines->items, line);
}

static void compare(struct diff_lines *lines, const struct texts *t)
{
    uint32_t i = 0, j = 0, last = line_count(t->before);
    for (uint32_t k = t->first > CONTEXT ? t->first - CONTEXT : 0; k < t->first; k++)
        add(lines, ' ', k, k);
    while (i < t->n || j < t->m) {
        uint32_t width = t->m + 1, at_i = t->first + i, at_j = t->first + j;
        if (t->lcs && i < t->n && j < t->m && same(t, at_i, at_j)) {
            add(lines, ' ', at_i, at_j);
            i++, j++;
        } else if (i < t->n && (j == t->m || !t->lcs ||
                                t->lcs[(i + 1) * width + j] >= t->lcs[i * width + j + 1])) {
            add(lines, '-', at_i, at_j);
            i++;
        } else {
            add(lines, '+', at_i, at_j);
            j++;
        }
    }
    for (uint32_t k = 0; k < CONTEXT && t->first + i + k < last; k++)
        add(lines, ' ', t->first + i + k, t->first + j + k);
}

/* Is the line a change, or near enough to one to be shown? */
static bool is_shown(const struct diff_lines *lines, uint32_t at)
{
    uint32_t from = at > CONTEXT ? at - CONTEXT : 0;
    for (uint32_t i = from; i < lines->items.len && i <= at + CONTEXT; i++)
        if (lines->items.at[i].mark != ' ')
            return true;
    return false;
}

static void print_hunk(const struct texts *t, const struct diff_lines *lines, uint32_t from,
                       uint32_t to, GString *out)
{
    uint32_t removed = 0, added = 0;
    for (uint32_t i = from; i < to; i++) {
        removed += lines->items.at[i].mark != '+';
        added += lines->items.at[i].mark != '-';
    }
    g_string_append_printf(out, "@@ -%u,%u +%u,%u @@\n", lines->items.at[from].before + !!removed,
                           removed, lines->items.at[from].after + !!added, added);
    for (uint32_t i = from; i < to; i++) {
        const struct diff_line *line = &lines->items.at[i];
        bool of_after = line->mark == '+';
        const struct source *source = of_after ? t->after : t->before;
        struct span span = line_of(source, of_after ? line->after : line->before);
        bool ended = span.length && source->text[span.offset + span.length - 1] == '\n';
        g_string_append_printf(out, "%c%.*s%s", line->mark, (int)span.length,
                               source->text + span.offset,
                               ended ? "" : "\n\\ No newline at end of file\n");
    }
}

const char *edit_diff(struct arena *arena, const struct source *before, const struct source *after)
{
    struct texts t = {.before = before, .after = after};
    struct diff_lines lines = {.arena = arena};
    uint32_t n = line_count(before), m = line_count(after);
    while (t.first < n && t.first < m && same(&t, t.first, t.first))
        t.first++;
    while (n > t.first && m > t.first && same(&t, n - 1, m - 1))
        n--, m--;
    t.n = n - t.first;
    t.m = m - t.first;
    t.lcs = common(arena, &t);
    compare(&lines, &t);
    struct text *text = text_open(arena);
    for (uint32_t i = 0, from; i < lines.items.len; i++) {
        if (!is_shown(&lines, i))
            continue;
        for (from = i; i < lines.items.len && is_shown(&lines, i); i++)
            ;
        print_hunk(&t, &lines, from, i, text->out);
    }
    return text_close(text, arena);
}
