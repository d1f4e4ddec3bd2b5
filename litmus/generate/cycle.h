/* SPDX-License-Identifier: MIT */
#ifndef LITMUS_GENERATE_CYCLE_H
#define LITMUS_GENERATE_CYCLE_H

#include "litmus/base/diag.h"
#include "litmus/generate/outcome.h"

/* Tests from cycles of relations, in the words of diy (Alglave, Maranget: Don't sit on the fence,
 * 2014): each word is an edge from an access to the next, and the last edge leads back to the first
 * access. The test asks for the outcome that has every edge. docs/generation.md lists the words. */

enum edge_relation { EDGE_PO, EDGE_RF, EDGE_FR, EDGE_CO, EDGE_RMW };

struct cycle_edge {
    enum edge_relation relation;
    bool external;  /* to another thread: rf, fr, co */
    bool changes;   /* to another location: po */
    bool writes[2]; /* is its source a write; its target? */
    bool noted[2];  /* 'note' says how strong they are: sem, scope, form */
    struct generated_step note[2];
    bool fenced;
    struct generated_step fence; /* between them */
    uint8_t dependency;          /* of the target: enum step_dependency */
    uint8_t atom;                /* EDGE_RMW: enum atom_op */
    const char *word;
};

enum { CYCLE_EDGES = 24 };
struct cycle {
    uint32_t count;
    struct cycle_edge edge[CYCLE_EDGES];
};

/* The edges that a list of words stands for: 'Pod**' is four. Words are set apart by blanks or commas.
 * One that says only how strong an access is, as 'relaxed.gpu', belongs to the access between its
 * neighbours, and is taken up by them. False after errors in 'diags' (DIAG_cycle_word). */
struct cycle_word {
    struct cycle_edge at[4]; /* the edges it may be */
    uint32_t count;
};
struct cycle_words {
    VEC(struct cycle_word) items;
};
bool cycle_read_words(struct arena *arena, const char *text, struct cycle_words *words,
                      struct diag_list *diags);

/* The cycle's program and the values that it ends with ('values': as generated_observe has them, with
 * room for OBSERVED_MOST); threads in the order of the cycle, each in a CTA of its own. NULL, or why
 * there is none, in 'arena'. */
const char *cycle_build(struct arena *arena, const struct cycle *cycle,
                        struct generated_program *program, uint32_t *values);
/* Does the second edge start where the first one ends? */
bool cycle_fits(const struct cycle_edge *first, const struct cycle_edge *second);

/* "MP+PodWW.release.gpu+PodRR.acquire.gpu": as diy calls it. */
const char *cycle_name(struct arena *arena, const struct cycle *cycle);
/* The words, with blanks between. */
const char *cycle_text(struct arena *arena, const struct cycle *cycle);

/* Places by herd's scope tree: "(sys (gpu (cta P0 P1) (cta P2)))". False after errors in 'diags'
 * (DIAG_scope_tree). */
bool cycle_place(const char *tree, struct generated_program *program, struct diag_list *diags);

#endif
