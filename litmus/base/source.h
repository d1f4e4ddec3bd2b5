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
    uint32_t *line_starts; /* line_starts[0] = 0; the start of a piece is one too */
    uint32_t line_count;
    const struct source_piece *pieces; /* what it was put together from, or NULL: one text */
    uint32_t piece_count;
    const struct source *main;        /* without what was appended; NULL: itself */
    const char *folder;               /* from which it names files; NULL: that of 'name' */
    const struct source_files *files; /* who reads those files; NULL: litmus/read does */
};

/* A part of a source with a name of its own: an option, or a file that the text names. */
struct source_piece {
    const char *name; /* NULL: glue, whose places are the end of the piece before */
    uint32_t offset;  /* to the next piece, or the end */
};

/* A piece of one source; never copied text. */
struct span {
    uint32_t offset, length;
};

struct place {
    uint32_t line, column; /* both from 1; the column counts bytes */
    const char *name;      /* of the source, or of its piece */
};

/* A file that a source names. */
struct source_file {
    const char *name; /* as messages show it */
    const char *text; /* NULL: it could not be read */
    size_t length;
    const char *fault, *hint; /* why; or with a text a warning; or NULL */
    uint32_t fault_line;      /* of the file that was asked for; 0: unknown */
};

/* Reads files for the parser. */
struct source_files {
    /* PTX code, compiled from CUDA C++ where 'path' ends in ".cu", or any bytes */
    struct source_file (*read)(const struct source_files *files, struct arena *arena,
                               const char *path);
    /* The same of a text as it stands, as host code is; NULL: from the disk. */
    struct source_file (*read_text)(const struct source_files *files, struct arena *arena,
                                    const char *path);
};

/* Largest text accepted, in bytes: a longer one is reported as diagnostic 'file_too_large'. */
#define SOURCE_MAX_BYTES (64u * 1024 * 1024)

/* Keeps 'text' and 'name' (not copied, unless the text or a piece begins with a byte order mark, which
 * becomes blanks); needs length <= SOURCE_MAX_BYTES. */
struct source *source_new(struct arena *arena, const char *name, const char *text, size_t length);
/* The source of which these pieces, in order, make up the text; the first starts at 0. */
struct source *source_of_pieces(struct arena *arena, const char *name, const char *text,
                                size_t length, const struct source_piece *pieces, uint32_t count);
/* A copy that is as long again as what is added: a piece of this name, on lines of its own. NULL: too long. */
struct source *source_append(struct arena *arena, const struct source *source, const char *name,
                             const char *text, size_t length);
/* The same, whose files are read so. */
struct source *source_with_files(struct arena *arena, const struct source *source,
                                 const struct source_files *files);
/* A source of the same places, with another text of the same length. */
struct source *source_with_text(struct arena *arena, const struct source *source, const char *text);
/* The source without what was appended, and with 'words' in place of the span. */
struct source *source_replace(struct arena *arena, const struct source *source, struct span span,
                              const char *words);
/* 'offset', or, when it lies in glue, the end of the piece before. */
uint32_t source_seen(const struct source *source, uint32_t offset);
struct place source_place(const struct source *source, uint32_t offset);
/* The line that holds 'offset', without its newline. */
struct span source_line(const struct source *source, uint32_t offset);
/* The line of this number, counted from 1 where 'from' stands, without its newline; empty at the end: there are
 * fewer. */
struct span source_line_from(const struct source *source, uint32_t from, uint32_t line);
/* Behind the blanks and comments that stand at 'at'; those of herd, with parentheses, may hold others.
 * '*open': the comment that has no end, or UINT32_MAX. */
uint32_t source_skip_blanks(const struct source *source, uint32_t at, uint32_t end, uint32_t *open);
/* What stands in the span, on one line: comments as in C and blanks between words are one space. What begins as herd's
 * comments do stays, as "(*x)" is an expression. In 'arena'. */
const char *source_words(struct arena *arena, const struct source *source, struct span span);

#endif
