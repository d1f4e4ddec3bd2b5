/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_HOST_GAP_H
#define LITMUS_HOST_GAP_H

#include "litmus/host/eval.h"

/* Statements of a program that are not modelled: what they may change is not known from then on. Gaps count from
 * 1, in the order in which they are found; 0 is none. */

/* Where a statement begins: what is made until it fails is taken back. */
struct gap_mark {
    uint32_t insts, temporaries, calls, launches, threads, errors, items, bindings, device, aims;
    struct code_frame frame;
    const struct cpp_stmt *code;
    unsigned calls_open, branches;
};
struct gap_mark gap_mark(const struct eval *e);
/* The statement failed, and the reports behind the mark say why. */
void gap_statement(struct eval *e, const struct cpp_stmt *stmt, const struct gap_mark *mark);
/* A statement that the parser did not read. */
void gap_unread(struct eval *e, const struct cpp_stmt *stmt);
/* The first such statement that has the name, or 0. */
uint32_t gap_of_word(const struct eval *e, const char *word);
/* A statement that a run may not come to, because of the gap e->left. */
void gap_left(struct eval *e, const struct cpp_stmt *stmt);

struct code_value gap_value(uint32_t gap, struct span span);
uint32_t gap_of_memory(const struct eval *e, uint32_t location);
void gap_cover_memory(struct eval *e, uint32_t location, uint32_t gap);
/* Nothing is known from now on. */
void gap_cover_all(struct eval *e, uint32_t gap);
/* The launch of a kernel by its name; of one that is opaque nobody knows what it writes. */
void gap_launch(struct eval *e, struct launch *launch, const char *kernel);
void gap_cover_launch(struct eval *e, struct launch *launch, uint32_t gap);
/* What calls read that is not known makes what they write unknown. */
void gap_spread(struct eval *e);
/* Objects of the scope end; 'count' bindings are older. */
void gap_close_scope(struct eval *e, uint32_t count);
/* A stream is captured at this point. */
bool gap_is_capturing(const struct eval *e);
/* At the end of a thread's code: registers whose last value is not known. */
void gap_finish_body(struct eval *e);

/* reach.c: covers all that the statement may change, and says what else it may do. */
struct gap_reach {
    bool waits;        /* for the devices */
    bool leaves;       /* the function, a loop around it, or the program */
    bool objects;      /* streams, graphs, … are used */
    bool graphs;       /* graphs, executable ones or nodes among them */
    bool synchronizes; /* host threads may be ordered by it */
    bool all;          /* it may change anything */
};
struct gap_reach gap_reach(struct eval *e, const struct cpp_stmt *stmt, uint32_t gap);

#endif
