/* SPDX-License-Identifier: MIT */
#include "litmus/parse/debug_line.h"

#include <string.h>

#include "litmus/base/number.h"

enum { NUMBERS = 3, LONGEST_INLINING = 64 };

/* The number behind blanks; NULL: there is none. */
static const char *number(const char *text, uint32_t *value)
{
    uint64_t read;
    bool fits;
    text += strspn(text, " \t");
    size_t length = number_digits(text, strlen(text), 10, &read, &fits);
    *value = (uint32_t)read;
    return length && fits && read < NONE ? text + length : NULL;
}

/* Three numbers: a file, a line and a column. */
static bool three(const char *text, uint32_t numbers[NUMBERS])
{
    for (int i = 0; text && i < NUMBERS; i++)
        text = number(text, &numbers[i]);
    return text;
}

/* The file that the module calls by the number; its name comes later. */
static uint32_t file_of(struct parser *p, uint32_t number_there)
{
    for (uint32_t i = 0; i < p->code_files.len; i++)
        if (p->code_files.at[i].module == p->modules && p->code_files.at[i].number == number_there)
            return i;
    struct code_file file = {p->modules, number_there, NULL};
    vec_push(p->arena, &p->code_files, file);
    return p->code_files.len - 1;
}

/* A '.loc' of the call stands shortly before those of the function that is inlined. */
static uint32_t caller(struct parser *p, const uint32_t call[NUMBERS])
{
    uint32_t file = file_of(p, call[0]), count = p->code_lines.len;
    for (uint32_t i = count; i-- > 0 && i + LONGEST_INLINING > count;) {
        const struct code_line *line = &p->code_lines.at[i];
        if (line->file == file && line->line == call[1] && line->column == call[2])
            return i;
    }
    return NONE;
}

/* ".loc 1 12 5, function_name $L__info_string0, inlined_at 1 20 9"; line 0 is of no line. */
static void loc(struct parser *p, const char *text)
{
    uint32_t at[NUMBERS], call[NUMBERS];
    const char *inlined = strstr(text, "inlined_at");
    if (!three(text, at) || !at[1])
        return;
    struct code_line line = {p->token.span.offset, file_of(p, at[0]), at[1], at[2], NONE};
    if (inlined && three(inlined + strlen("inlined_at"), call))
        line.caller = caller(p, call);
    vec_push(p->arena, &p->code_lines, line);
}

/* '.file 1 "mp.cu"' */
static void file(struct parser *p, const char *text)
{
    uint32_t which;
    const char *end = number(text, &which);
    const char *open = end ? strchr(end, '"') : NULL, *close = open ? strchr(open + 1, '"') : NULL;
    if (!close)
        return;
    uint32_t index = file_of(p, which); /* may move the list */
    p->code_files.at[index].name = arena_strndup(p->arena, open + 1, (size_t)(close - open - 1));
}

bool parse_debug_line(struct parser *p)
{
    bool is_loc = parse_at_word(p, ".loc");
    if (!is_loc && !parse_at_word(p, ".file"))
        return false;
    struct span word = p->token.span, line = source_line(p->source, word.offset);
    uint32_t from = word.offset + word.length;
    const char *text = parse_text(p, (struct span){from, line.offset + line.length - from});
    if (is_loc)
        loc(p, text);
    else
        file(p, text);
    parse_skip_line(p);
    return true;
}

void parse_end_code_line(struct parser *p)
{
    struct code_line none = {p->token.span.offset, NONE, 0, 0, NONE};
    if (p->code_lines.len && p->code_lines.at[p->code_lines.len - 1].file != NONE)
        vec_push(p->arena, &p->code_lines, none);
}
