/* SPDX-License-Identifier: MIT */
#ifndef MODEL_UNFOLD_STEP_ACCESS_H
#define MODEL_UNFOLD_STEP_ACCESS_H

#include "model/unfold/builder/step.h"

/* Adds the events of memory accesses to the graph that is being built. */
struct access {
    event_tags tags;
    enum scope scope;
    uint32_t thread, position;
    expr_id guard;
    struct unfold_value address, value; /* value: of a write */
    uint32_t bytes;                     /* at most 8 */
    const char *text;                   /* or NULL: the instruction's */
};

/* WEAK, RLX, ACQ or REL of one half of an access with these semantics. */
event_tags access_semantics_tag(enum sem sem, bool is_read);
/* At the operand, of 8 bytes, with the scope, the thread and the guard of the instruction. */
struct access access_at(struct unfold_step *s, const struct operand *memory, event_tags tags);
void access_advance(struct unfold_step *s, struct access *access, uint32_t bytes);
/* Adds the event with its addr and data edges; a read's value is what it returns. */
event_id access_add(struct unfold_step *s, enum event_kind kind, const struct access *access);
/* What the read returns. */
struct unfold_value access_value(struct unfold_step *s, event_id read);
/* The write half of the atomic operation whose read half is 'read'. */
event_id access_add_write(struct unfold_step *s, const struct access *access, event_id read);
/* What atom.op leaves in memory that held 'old'; not for cas. */
expr_id access_atom_result(struct unfold_step *s, enum atom_op op, bool is_signed, expr_id old,
                           expr_id operand);

#endif
