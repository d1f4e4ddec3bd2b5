/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_EDIT_EDIT_H
#define LITMUS_EDIT_EDIT_H

#include "litmus/test/test.h"

/* The text that an edit takes away and what stands there instead. */
struct edit_piece {
    struct span span;
    const char *text;
    uint32_t rank; /* of several new ones at one place the smaller comes first */
    bool once;     /* where several edits have this piece, it is made once */
    uint32_t
        of; /* a new one that ends something: where that begins, and one. It comes before those that begin
                      something there, and what begins later ends first. 0: it ends nothing */
};

/* A new piece of what stands there already comes behind new statements. */
#define EDIT_RANK_LAST UINT32_MAX

/* An edit in the words of C++: litmus/rewrite makes them. */
struct rewording {
    const struct source *source; /* of the pieces */
    VEC(struct edit_piece) pieces;
    uint32_t line;              /* that is changed, or beside which something new stands */
    const char *before, *after; /* what stands there and what will, for people; "": nothing */
    bool is_read; /* the test reads that text itself: host code, for which no PTX stands */
};

/* A change of a test's text: other words for one instruction, or a new instruction beside it. */
enum edit_kind { EDIT_CHANGE, EDIT_REMOVE, EDIT_BEFORE, EDIT_AFTER };
struct edit {
    enum edit_kind kind;
    const struct body *body;
    const struct inst *inst; /* of the body: what is changed, or what the new one stands beside */
    /* CHANGE: the mnemonic with its modifiers; else new code: instructions as a whole, labels and braces, a line each */
    const char *words;
    uint32_t rank; /* of several new ones at one place the smaller comes first */
    const struct label
        *label; /* BEFORE: one of those that lead to the instruction, to stand above it; or NULL */
    /* In C++; NULL: PTX, or a call of a host program. One of another text than the test changes nothing in the test. */
    const struct rewording *rewording;
};

/* A test with edits made. */
struct edited {
    const struct source *source; /* to read the test from; NULL: the edits cannot be made */
    const struct source *before,
        *after; /* the one file that is edited: the test's, a module of PTX that it names, or the C++ of one */
    const struct source
        *module; /* of C++: the PTX with edits that stand for those of the C++; else NULL */
    const struct source *whole; /* of the test as it was */
    bool
        is_host; /* the file is host code in C++: the edits do not say how many instructions they bring */
};

/* How many instructions the edit brings: -1 where it takes one away. */
int edit_growth(const struct edit *edit);

/* Makes the edits: columns stay columns, and what is not edited stays as it is laid out. Needs edits of one test, each
 * instruction changed at most once. They cannot be made where they are in several files, or in code that was compiled
 * from a .cu file. In 'arena'. */
struct edited edit_apply(struct arena *arena, const struct test *test, const struct edit *edits,
                         uint32_t count);

/* The text of the test, which reads 'module' in place of the file of that name, and its other files as they were. */
const struct source *edit_read_with(struct arena *arena, const struct test *test,
                                    const struct source *module);

/* The lines of 'after' that differ from 'before', as 'diff -U 1' shows them, without the names of the files:
 * "@@ -4,2 +4,3 @@", then lines that begin with ' ', '-' or '+'. In 'arena'. */
const char *edit_diff(struct arena *arena, const struct source *before, const struct source *after);

#endif
