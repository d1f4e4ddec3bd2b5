/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_BASE_SOURCE_H
#define LITMUS_BASE_SOURCE_H

#include <stddef.h>
#include <stdint.h>

struct arena;

/* A text being read: its name for messages, its bytes (not NUL-terminated by contract, may hold
 * NUL bytes) and where its lines start. */
struct source {
    const char *name;
    const char *text;
    uint32_t length;
    uint32_t *line_starts; /* line_starts[0] = 0 */
    uint32_t line_count;
};

/* A piece of one source; never copied text. */
struct span {
    uint32_t offset, length;
};

struct place {
    uint32_t line, column; /* both from 1; the column counts bytes */
};

/* Largest text accepted, in bytes: a longer one is reported as diagnostic 'file_too_large'. */
#define SOURCE_MAX_BYTES (64u * 1024 * 1024)

/* Keeps 'text' and 'name' (not copied); needs length <= SOURCE_MAX_BYTES. */
struct source *source_new(struct arena *arena, const char *name, const char *text, size_t length);
struct place source_place(const struct source *source, uint32_t offset);
/* The line that holds 'offset', without its newline. */
struct span source_line(const struct source *source, uint32_t offset);
/* Behind the blanks and comments that stand at 'at'; those of herd, with parentheses, may hold others.
 * '*open': the comment that has no end, or UINT32_MAX. */
uint32_t source_skip_blanks(const struct source *source, uint32_t at, uint32_t end, uint32_t *open);
/* What stands in the span, on one line: comments and blanks between words are one space. In
 * 'arena'. */
const char *source_words(struct arena *arena, const struct source *source, struct span span);

#endif
