/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_BASE_DIAG_H
#define LITMUS_BASE_DIAG_H

#include "litmus/base/arena.h"
#include "litmus/base/source.h"

/* Diagnostics are data: the library adds them to a list, and only cli prints them. Every row of
 * diag.def has a permanent code that never changes its meaning, a severity and an explanation. */
enum diag_id {
#define DIAG(id, code, severity, explanation) DIAG_##id,
#include "litmus/base/diag.def"
#undef DIAG
    DIAG_COUNT
};

enum severity { SEVERITY_ERROR, SEVERITY_WARNING, SEVERITY_NOTE };

struct diag {
    enum diag_id id;
    /* NULL: the diagnostic has no place (a file that cannot be read) */
    const struct source *source;
    struct span span;
    const char *message; /* lower case, no full stop, quotes its subject in single quotes */
    const char *hint;    /* "did you mean …", or NULL */
};

/* Collects at most DIAG_LIMIT diagnostics; further ones are only counted. */
#define DIAG_LIMIT 50
struct diag_list {
    struct arena *arena;
    VEC(struct diag) items;
    uint32_t errors; /* also those past the limit */
};

void diag_add(struct diag_list *list, enum diag_id id, const struct source *source,
              struct span span, const char *hint, const char *format, ...)
    __attribute__((format(printf, 6, 7)));

const char *diag_code(enum diag_id id);
enum severity diag_severity(enum diag_id id);

/* "file:line:column: code: message", then the line, a caret and the hint; in 'arena'. */
const char *diag_render(struct arena *arena, const struct diag *diag);
/* Only the first line of diag_render. */
const char *diag_headline(struct arena *arena, const struct diag *diag);

/* The entry of 'words' nearest to 'word' by edit distance, or NULL when none is near:
 * the material of a "did you mean" hint. */
const char *diag_nearest(const char *word, size_t length, const char *const *words, size_t count);
/* "did you mean 'x'?" of that entry, or NULL. */
const char *diag_hint(struct arena *arena, const char *word, size_t length,
                      const char *const *words, size_t count);

#endif
