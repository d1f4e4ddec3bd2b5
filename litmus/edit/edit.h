/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_EDIT_EDIT_H
#define LITMUS_EDIT_EDIT_H

#include "litmus/test/test.h"

/* A change of a test's text: other words for one instruction, or a new instruction beside it. */
enum edit_kind { EDIT_CHANGE, EDIT_REMOVE, EDIT_BEFORE, EDIT_AFTER };
struct edit {
    enum edit_kind kind;
    const struct body *body;
    const struct inst *inst; /* of the body: what is changed, or what the new one stands beside */
    const char *words; /* CHANGE: the mnemonic with its modifiers; a new instruction as a whole */
    uint32_t rank;     /* of several new ones at one place the smaller comes first */
};

/* The text that an edit takes away and what stands there instead. */
struct edit_piece {
    struct span span; /* of the test's source */
    const char *text;
    uint32_t rank;
};

/* A test with edits made. */
struct edited {
    const struct source *source; /* to read the test from; NULL: the edits cannot be made */
    const struct source *before,
        *after; /* the one file that is edited: the test's, or a module of PTX that it names */
};

/* Makes the edits: columns stay columns, and what is not edited stays as it is laid out. Needs edits of one test, each
 * instruction changed at most once. They cannot be made where they are in several files, or in code that was compiled
 * from a .cu file. In 'arena'. */
struct edited edit_apply(struct arena *arena, const struct test *test, const struct edit *edits,
                         uint32_t count);

/* The lines of 'after' that differ from 'before', as 'diff -U 1' shows them, without the names of the files:
 * "@@ -4,2 +4,3 @@", then lines that begin with ' ', '-' or '+'. In 'arena'. */
const char *edit_diff(struct arena *arena, const struct source *before, const struct source *after);

#endif
